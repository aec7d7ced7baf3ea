"""Scores as a function: exams, files and sheets beside the baselines."""

import json
from pathlib import Path

import pytest

from ballots import GOAL, label_file, write_labels
from exams import Answering, small_scene
from paseo.data.scenes.scene_file import write_scene
from paseo.errors import MissingData
from paseo.vqa.exam.asking import AskOptions, ask
from paseo.vqa.pictures.pictures import Layout
from paseo.vqa.questions.votes import read_labels
from paseo.vqa.scores.marking import Variant
from paseo.vqa.scoring import ScoreOptions, read_sheet, score


@pytest.fixture
def scenes(tmp_path: Path) -> Path:
    for id in ("a", "b"):
        write_scene(small_scene(id), tmp_path / "scenes")
    return write_labels(tmp_path / "scenes", {id: label_file(id) for id in ("a", "b")})


@pytest.fixture
def exam(scenes: Path, tmp_path: Path) -> Path:
    options = AskOptions(images=Layout.GRID)
    return ask(Answering(), scenes, out=tmp_path / "exam", options=options).folder


def test_an_exam_finds_peoples_answers_beside_its_scenes(exam: Path, scenes: Path) -> None:
    card = score([exam])
    assert card.labels.source == str(scenes)
    assert card.rows[-1].row.name == "test/answering"


def test_sheets_and_labels_may_be_values(exam: Path, scenes: Path) -> None:
    labels = read_labels(scenes)
    card = score([read_sheet(exam)], labels=labels)
    assert card.labels is labels
    assert card.rows[-1].scores == score([exam]).rows[-1].scores


def test_without_models_there_are_the_baselines_and_rules_where_there_are_scenes(
    scenes: Path,
) -> None:
    card = score(options=ScoreOptions(scenes=scenes, ocr=None, variant=Variant.PUBLISHED))
    assert "rules (tracks)" in [each.row.name for each in card.rows]
    assert (card.variant, card.unruled, card.rules_problem) == (Variant.PUBLISHED, (), "")


def test_scenes_that_rules_cannot_be_tried_on_are_told(scenes: Path) -> None:
    (scenes / "b" / "scene.json").write_text("{")
    card = score(options=ScoreOptions(scenes=scenes, ocr=None))
    assert [each.scene for each in card.unruled] == ["b"]


def test_an_exam_without_labels_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PASEO_DATA", str(tmp_path / "none"))
    write_scene(small_scene("a"), tmp_path / "bare")
    options = AskOptions(images=Layout.GRID)
    done = ask(Answering(), tmp_path / "bare", out=tmp_path / "exam", options=options)
    with pytest.raises(MissingData, match="name their folder with labels, or look") as told:
        score([done.folder])
    assert "with --labels" in told.value.spelled(lambda name: f"--{name}")


def test_answers_in_files_are_a_sheet(scenes: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "a.json").write_text(json.dumps({GOAL: "ahead"}))
    card = score([tmp_path / "mine"], labels=scenes)
    assert card.rows[-1].row.name == "mine"
