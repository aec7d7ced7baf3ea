"""`paseo exam show`, from an exam to a page."""

from pathlib import Path

import pytest

from paseo.cli.main import main
from shown_exams import IDS, change_plan, put

Out = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def exam(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return put(tmp_path_factory.mktemp("exam"), ids=IDS[:1])


def test_it_writes_one_page_and_prints_where(exam: Path, tmp_path: Path, capsys: Out) -> None:
    out = tmp_path / "exam.html"
    assert main(["exam", "show", str(exam), "--out", str(out)]) == 0
    said, page = capsys.readouterr(), out.read_text()
    assert said.out == f"{out}\n"
    unfinished = "54 of 81 answers have not been given yet"
    assert unfinished in page
    assert f"paseo: {unfinished}" in said.err
    assert 'id="film-2"' in page
    assert [path.name for path in tmp_path.iterdir()] == ["exam.html"]


def test_pictures_may_be_left_out(exam: Path, tmp_path: Path) -> None:
    out = tmp_path / "exam.html"
    assert main(["exam", "show", str(exam), "--out", str(out), "--no-pictures"]) == 0
    assert 'id="film-0"' not in out.read_text()


def test_scenes_and_labels_that_moved_can_be_named(tmp_path: Path) -> None:
    exam, out = put(tmp_path, ids=IDS[:1]), tmp_path / "exam.html"
    change_plan(exam, source=str(tmp_path / "gone"))
    words = ["exam", "show", str(exam), "--out", str(out)]
    assert main([*words, "--labels", str(tmp_path / "scenes")]) == 0
    assert "Agreement with people" in out.read_text()
    assert "The scenes are not on this machine" in out.read_text()
    assert main([*words, "--scenes", str(tmp_path / "scenes"), "--no-pictures"]) == 0
    assert "The scenes are not on this machine" not in out.read_text()


def test_wrong_use_is_told_in_a_sentence(exam: Path, tmp_path: Path, capsys: Out) -> None:
    assert main(["exam", "show", str(exam), "--out", str(tmp_path / "exam.pdf")]) == 2
    assert "exam.pdf: this is a web page, expected .html" in capsys.readouterr().err
    assert main(["exam", "show", str(exam), "--out", str(tmp_path / "no" / "exam.html")]) == 2
    assert "there is no folder" in capsys.readouterr().err
    assert main(["exam", "show", str(tmp_path), "--out", str(tmp_path / "exam.html")]) == 2
    assert "holds no exam; expected a folder that paseo ask made" in capsys.readouterr().err
