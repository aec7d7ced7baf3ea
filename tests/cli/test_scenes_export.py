"""`paseo scenes export`: a folder on stdout, talk on stderr, nothing exported unasked."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from exams import scene_folder
from paseo.cli.main import main
from paseo.vqa.prompts.wording import paseo_wording
from paseo.vqa.synthetic import Profile, make_dataset

SCENES = ["--images", "grid", "--limit", "2"]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("export") / "data"
    make_dataset(folder, seed=0, profile=Profile.TINY)
    return folder


def samples(out: Path) -> Iterator[dict[str, Any]]:
    return (json.loads(line) for line in (out / "samples.jsonl").open())


def test_votes_and_wording_of_a_data_set_are_exported_only_on_request(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain, full = tmp_path / "plain", tmp_path / "full"
    command = ["scenes", "export", str(data), "--to", "inspect", *SCENES]
    assert main([*command, "--out", str(plain)]) == 0
    printed, talk = capsys.readouterr()
    assert printed == f"{plain}\n" and "2 scenes, 54 questions, 0 of them with votes" in talk
    ours = paseo_wording().introduction
    assert all(each["votes"] is None and ours in each["prompt"] for each in samples(plain))
    words = ["--labels", str(data), "--wording", "dataset", "--drawing", "paseo"]
    assert main([*command, *words, "--out", str(full)]) == 0
    assert "54 questions, 54 of them with votes" in capsys.readouterr().err
    assert all(sum(each["votes"]) and ours not in each["prompt"] for each in samples(full))
    card = (full / "README.md").read_text()
    assert "drawn by paseo\n- wording: dataset, sha256" in card and "from `data`" in card


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
        (["--wording", "dataset"], "survey_prompt.json, is not there"),
        (["--images", "video", "--to", "inspect"], "no films"),
        (["--labels", "nowhere"], "nowhere: is no folder"),
        pytest.param(
            ["--drawing", "dataset"],
            "no scene can be exported",
            marks=pytest.mark.extra("parquet"),
        ),
    ],
)
def test_what_cannot_be_is_told_and_nothing_is_left(
    words: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scenes = scene_folder(tmp_path / "scenes", "yard-1")
    out = str(tmp_path / "out")
    assert main(["scenes", "export", str(scenes), "--to", "parquet", "--out", out, *words]) == 2
    assert told in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["scenes"]


def test_scenes_whose_labels_are_defective_are_named(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labels = tmp_path / "human_labels"
    for scene in ("33_Spot_45_228", "45_Spot_0_46"):
        (labels / scene).mkdir(parents=True)
        content = (data / "human_labels" / scene / "common_answers.json").read_bytes()
        (labels / scene / "common_answers.json").write_bytes(content)
    (labels / "45_Spot_0_46/common_answers.json").write_text("{}")
    words = ["--to", "inspect", *SCENES, "--labels", str(labels), "--out", str(tmp_path / "out")]
    assert main(["scenes", "export", str(data), *words]) == 0
    assert "paseo: no votes on 45_Spot_0_46: " in capsys.readouterr().err
    known = {each["scene"]: each["votes"] is not None for each in samples(tmp_path / "out")}
    assert known == {"33_Spot_45_228": True, "45_Spot_0_46": False}
