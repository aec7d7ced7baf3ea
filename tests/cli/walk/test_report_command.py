"""`paseo plot` and `paseo report`, from a run to files."""

import sys
from pathlib import Path

import pytest

from paseo.cli.main import main
from runs import refused


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("runs") / "run"
    words = ["run", "scripted-10", "--planner", "straight,stop", "--limit", "2", "--out"]
    assert main([*words, str(out)]) == 0
    return out


@pytest.mark.slow
@pytest.mark.extra("plots")
def test_plots_are_saved_and_named(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "new" / "plots"
    assert main(["plot", str(run), "--out", str(folder), "--theme", "dark"]) == 0
    printed = capsys.readouterr().out.split()
    assert sorted(printed) == sorted(map(str, folder.iterdir()))
    names = {Path(each).name for each in printed}
    assert {"verdicts.png", "arrivals.svg", "people.png", "captions.md"} <= names
    assert any(name.startswith("drives_") for name in names)
    assert len([name for name in names if name.endswith(".png")]) * 2 + 1 == len(names)
    text = (folder / "captions.md").read_text()
    assert "2 episodes from 2 crowd windows; 1 seed" in text


@pytest.mark.extra("plots")
def test_a_report_is_one_file_and_the_same_twice(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / "one.html", tmp_path / "two.html"]
    for file in files:
        assert main(["report", str(run), "--out", str(file)]) == 0
        assert capsys.readouterr().out == f"{file}\n"
    assert files[0].read_bytes() == files[1].read_bytes()
    assert sorted(tmp_path.iterdir()) == files
    assert "<title>scripted-10 · Paseo report</title>" in files[0].read_text()


@pytest.mark.extra("plots", "camera")
def test_a_report_shows_what_the_robot_saw(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, name = tmp_path / "views.html", "scripted_eth_against"
    assert main(["report", str(run), "--out", str(file), "--views", f"{name}@1.5"]) == 0
    said = capsys.readouterr()
    assert said.out == f"{file}\n"
    assert "2 views of the robot in the page" in said.err  # one of each planner
    page = file.read_text()
    assert page.count('"time":1.5,"person":') == 2
    assert "img-src data:" in page


def test_views_are_a_number_or_moments(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["report", run, "--out", tmp_path / "views.html", "--views"]
    said = refused(capsys, *words, "some")
    assert "--views: expected a number or moments such as EPISODE@4.5, not 'some'" in said
    assert "moments such as one@4.5, not 'one@two'" in refused(capsys, *words, "one@two")
    assert "0 views of each drive" in refused(capsys, *words, "0")
    assert not list(tmp_path.iterdir())


def test_without_warp_the_line_to_type_is_told_before_the_work(
    run: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in [each for each in sys.modules if each.startswith("paseo.camera.kernels")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "warp", None)
    said = refused(capsys, *words_for("report", run, tmp_path), "--views", code=1)
    assert "pip install 'paseo[camera]'" in said
    assert not list(tmp_path.iterdir())


@pytest.mark.extra("plots", "camera")
def test_moments_of_no_drive_are_told(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["report", run, "--out", tmp_path / "views.html", "--views"]
    assert "no episode of these runs is called 'other'" in refused(capsys, *words, "other@1")
    said = refused(capsys, *words, "scripted_eth_against@900")
    assert "'scripted_eth_against' at 900 s was asked for, but all is over after" in said
    assert not list(tmp_path.iterdir())


def words_for(command: str, run: Path, out: Path) -> list[object]:
    return [command, run, "--out", out / ("report.html" if command == "report" else "plots")]


@pytest.mark.parametrize("command", ["plot", "report"])
@pytest.mark.extra("plots")
def test_what_is_no_finished_run_is_refused(
    command: str, run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty, half, out = tmp_path / "empty", tmp_path / "half", tmp_path / "out"
    for folder in (empty, half, out):
        folder.mkdir()
    (half / "run.json").write_bytes((run / "run.json").read_bytes())
    assert "empty holds no run; expected a folder" in refused(
        capsys, *words_for(command, empty, out)
    )
    assert "half is not finished: 4 of 4 episodes are missing" in refused(
        capsys, *words_for(command, half, out)
    )
    assert not list(out.iterdir())


@pytest.mark.extra("plots")
def test_a_place_that_cannot_be_written_to_is_told(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("mine")
    said = refused(capsys, "plot", run, "--out", tmp_path / "file" / "plots", code=1)
    assert "file/plots: no folder can be made there (Not a directory)" in said
    nowhere = tmp_path / "nowhere" / "report.html"
    assert "cannot be written" in refused(capsys, "report", run, "--out", nowhere, code=1)
    (tmp_path / "dir.html").mkdir()
    said = refused(capsys, "report", run, "--out", tmp_path / "dir.html", code=1)
    assert "is no file that could be replaced" in said
    assert sorted(each.name for each in tmp_path.iterdir()) == ["dir.html", "file"]


def test_a_report_is_a_web_page(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refused(capsys, "report", run, "--out", tmp_path / "report.pdf")
    assert "report.pdf: a report is a web page, expected .html; rename it" in said


@pytest.mark.parametrize("command", ["plot", "report"])
def test_without_matplotlib_the_line_to_type_is_told_before_the_work(
    command: str,
    run: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    said = refused(capsys, *words_for(command, run, tmp_path), code=1)
    assert "pip install 'paseo[plots]'" in said
    assert not list(tmp_path.iterdir())


@pytest.mark.extra("plots")
def test_an_interrupted_report_leaves_the_old_one(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "report.html"
    file.write_text("old")

    def interrupt(*_: object, **__: object) -> bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr("paseo.report.walk.webpage.webpage", interrupt)
    assert main(["report", str(run), "--out", str(file)]) == 130
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [
        ("report.html", "old")
    ]
