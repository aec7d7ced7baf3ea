"""`paseo scenes show`: what a model is shown, as a picture or a film."""

from dataclasses import replace
from pathlib import Path

import av
import pytest
from PIL import Image

from marked_scenes import picture, scene, walker
from paseo.cli.main import main
from paseo.data.scenes.scene_file import write_scene
from runs import refused


@pytest.fixture
def scenes(tmp_path: Path) -> Path:
    folder = tmp_path / "scenes"
    folder.mkdir()
    write_scene(scene(walker(1, (5.0, 1.0), (0.5, 0.0))), folder)
    composites = tuple(picture(20 * k, (320, 500)) for k in range(10))
    write_scene(replace(scene(walker(1, (5.0, 1.0))), id="drawn", composites=composites), folder)
    return folder


def shown(capsys: pytest.CaptureFixture[str], scenes: Path, name: str, *words: str) -> Path:
    out = scenes.parent / name
    assert main(["scenes", "show", *words, "--scenes", str(scenes), "--out", str(out)]) == 0
    assert capsys.readouterr().out == f"{out}\n"
    return out


@pytest.mark.parametrize("name", ["sheet.png", "sheet.jpg"])
def test_ten_pictures_make_a_sheet(
    scenes: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with Image.open(shown(capsys, scenes, name, "yard")) as sheet:
        assert sheet.width == 5 * (320 + 12) + 12


def test_a_single_picture_is_itself(scenes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Image.open(shown(capsys, scenes, "grid.png", "yard", "--images", "grid")) as grid:
        assert grid.size == (640, 360)


@pytest.mark.parametrize("name", ["clip.mp4", "clip.gif"])
def test_the_ten_frames_make_a_film(
    scenes: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with av.open(str(shown(capsys, scenes, name, "yard", "--images", "video"))) as film:
        frames = list(film.decode(video=0))
        assert (len(frames), frames[0].width, frames[0].height) == (10, 320, 500)
        assert frames[4].time == pytest.approx(1.0)


def test_the_pictures_that_came_with_a_scene_are_shown_unless_others_are_wanted(
    scenes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    theirs = shown(capsys, scenes, "theirs.png", "drawn").read_bytes()
    ours = shown(capsys, scenes, "ours.png", "drawn", "--drawing", "paseo").read_bytes()
    assert theirs != ours
    assert ours != shown(capsys, scenes, "brg.png", "drawn", "--drawing", "paseo-brg").read_bytes()


@pytest.mark.parametrize(
    ("name", "words", "sentence"),
    [
        ("a.bmp", ("yard",), "nothing can be drawn as '.bmp', expected .png"),
        ("a.mp4", ("yard", "--images", "grid"), "--images grid is a single picture"),
        ("a.png", ("yart",), "Did you mean 'yard'?"),
        ("a.png", ("yard", "--drawing", "dataset"), "no pictures drawn by others"),
        ("no/a.png", ("yard",), "cannot be written"),
    ],
)
def test_what_cannot_be_shown_is_told(
    scenes: Path, name: str, words: tuple[str, ...], sentence: str,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    command = ("scenes", "show", *words, "--scenes", scenes, "--out", scenes.parent / name)
    assert sentence in refused(capsys, *command, code=1 if name.startswith("no/") else 2)
    assert not (scenes.parent / name).exists()
