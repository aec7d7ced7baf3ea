"""`paseo scenes make`: a folder on stdout, talk on stderr, nothing where it is refused."""

from pathlib import Path

import pytest

from paseo.cli.main import main


def test_a_folder_that_is_not_empty_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.txt").write_text("keep")
    assert main(["scenes", "make", "--synthetic", "--out", str(tmp_path)]) == 2
    out, err = capsys.readouterr()
    assert out == "" and "is not an empty folder; choose another name" in err
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


@pytest.mark.parametrize("arguments", [["--out", "x"], ["--synthetic"]])
def test_what_to_make_and_where_must_be_said(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["scenes", "make", *arguments])
    assert stop.value.code == 2


@pytest.mark.slow
def test_the_whole_data_set_is_made_small_enough_and_its_folder_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "sub"
    assert main(["scenes", "make", "--synthetic", "--seed", "5", "--out", str(out)]) == 0
    printed, talk = capsys.readouterr()
    assert printed == f"{out}\n" and "not recorded" in talk
    sizes = [path.stat().st_size for path in out.rglob("*") if path.is_file()]
    assert sum(sizes) < 40e6 and len(list(out.glob("front_view/*/*.jpg"))) == 80
