"""`paseo scenes`: what was made on stdout, talk on stderr, nothing left where it is refused."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import av
import pytest
from PIL import Image

from exams import scene_folder
from marked_scenes import picture, scene, walker
from paseo.cli.main import main
from paseo.data.scenes.scene_file import write_scene
from paseo.vqa.prompts.wording import paseo_wording
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
        ("a.mp4", ("yard", "--images", "grid"), ": --images grid is a single picture"),
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
@pytest.mark.extra("camera")
def test_the_whole_data_set_is_made_small_enough_and_its_folder_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "sub"
    assert main(["scenes", "make", "--synthetic", "--seed", "5", "--out", str(out)]) == 0
    printed, talk = capsys.readouterr()
    assert printed == f"{out}\n" and "show synthetic_5_mixed_228 --scenes" in talk
    sizes = [path.stat().st_size for path in out.rglob("*") if path.is_file()]
    assert sum(sizes) < 100e6 and len(list(out.glob("front_view/*/*.jpg"))) == 130


FEW = ["--images", "grid", "--limit", "2"]


@pytest.fixture(scope="module")
def data(staged: Path) -> Path:
    return staged


def samples(out: Path) -> Iterator[dict[str, Any]]:
    return (json.loads(line) for line in (out / "samples.jsonl").open())


@pytest.mark.slow
@pytest.mark.extra("camera")
def test_votes_are_exported_only_on_request_and_the_wording_is_the_one_of_exams(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain, full = tmp_path / "plain", tmp_path / "full"
    command = ["scenes", "export", str(data), "--to", "inspect", *FEW]
    assert main([*command, "--out", str(plain)]) == 0
    printed, talk = capsys.readouterr()
    assert printed == f"{plain}\n" and "2 scenes, 54 questions, 0 of them with votes" in talk
    ours = paseo_wording().introduction
    assert all(each["votes"] is None and ours not in each["prompt"] for each in samples(plain))
    words = ["--labels", str(data), "--drawing", "paseo"]
    assert main([*command, *words, "--out", str(full)]) == 0
    assert "54 questions, 54 of them with votes" in capsys.readouterr().err
    assert all(sum(each["votes"]) and ours not in each["prompt"] for each in samples(full))
    card = (full / "README.md").read_text()
    assert "drawn by paseo" in card and "\n- wording: dataset, sha256" in card
    assert "from `staged`" in card


@pytest.mark.extra("parquet")
def test_tables_are_written_and_bad_scenes_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scenes = scene_folder(tmp_path / "scenes", "yard-1", "yard-2")
    (scenes / "yard-1/scene.json").write_text("{")
    out = tmp_path / "out"
    assert main(["scenes", "export", str(scenes), "--to", "parquet", "--out", str(out)]) == 0
    printed, talk = capsys.readouterr()
    assert printed == f"{out}\n" and "paseo: left out yard-1: " in talk
    names = {path.name for path in out.rglob("*.*")}
    assert names == {"README.md", "scenes.parquet", "questions.parquet"}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--wording", "dataset"], "survey_prompt.json, are not there"),
        (["--images", "video", "--to", "inspect"], "no films"),
        (["--labels", "nowhere"], "nowhere: is no folder"),
        pytest.param(
            ["--drawing", "dataset"],
            "no scene can be exported",
            marks=pytest.mark.extra("parquet"),
        ),
    ],
)
def test_what_cannot_be_exported_is_told_and_nothing_is_left(
    words: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scenes = scene_folder(tmp_path / "scenes", "yard-1")
    out = str(tmp_path / "out")
    assert main(["scenes", "export", str(scenes), "--to", "parquet", "--out", out, *words]) == 2
    assert told in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["scenes"]


@pytest.mark.extra("camera")
def test_scenes_whose_labels_are_defective_are_named(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labels = tmp_path / "human_labels"
    first, second = "synthetic_3_mixed_228", "synthetic_3_lone_46"
    for id in (first, second):
        (labels / id).mkdir(parents=True)
        content = (data / "human_labels" / id / "common_answers.json").read_bytes()
        (labels / id / "common_answers.json").write_bytes(content)
    (labels / second / "common_answers.json").write_text("{}")
    words = ["--to", "inspect", *FEW, "--labels", str(labels), "--out", str(tmp_path / "out")]
    assert main(["scenes", "export", str(data), *words]) == 0
    assert f"paseo: no votes on {second}: " in capsys.readouterr().err
    known = {each["scene"]: each["votes"] is not None for each in samples(tmp_path / "out")}
    assert known == {first: True, second: False}
