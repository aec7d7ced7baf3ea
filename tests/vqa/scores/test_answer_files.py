"""Folders of recorded answers."""

import json
from pathlib import Path

import pytest

from ballots import AFFECTED, GOAL, MOVING
from paseo.errors import BadFile, MissingData
from paseo.vqa.questions.questions import shipped
from paseo.vqa.scores.answer_files import read_answer_files
from paseo.vqa.scoring import read_sheet


def written(folder: Path, scene: str = "a", **answers: object) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / f"{scene}.json").write_text(json.dumps(answers))
    return folder


def test_choices_lists_and_whole_replies_are_read(tmp_path: Path) -> None:
    folder = written(tmp_path / "gpt", **{
        GOAL: "to the left",
        MOVING: ["turning left", "moving ahead"],
        AFFECTED: 'Well:\n```json\n{"answer": "no"}\n```',
    })  # fmt: skip
    written(folder, "b", **{GOAL: "ahead"})
    sheet = read_sheet(folder)
    assert (sheet.model, sheet.source) == ("gpt", str(folder))
    options = {place: answers[0].option for place, answers in sheet.answers.items()}
    assert options == {
        ("a", GOAL): ("to the left",),
        ("a", MOVING): ("moving ahead", "turning left"),
        ("a", AFFECTED): ("no",),
        ("b", GOAL): ("ahead",),
    }
    assert not sheet.answers["a", GOAL][0].tolerant


@pytest.mark.parametrize(
    "value", [None, 3, "INVALID", "moving ahead", ["ahead", "to the left"], {}]
)
def test_what_is_no_choice_is_invalid_and_not_an_error(tmp_path: Path, value: object) -> None:
    answer = read_sheet(written(tmp_path / "m", **{GOAL: value})).answers["a", GOAL][0]
    assert answer.invalid
    assert answer.problem


def test_an_exam_is_told_by_its_file(tmp_path: Path) -> None:
    (tmp_path / "exam.json").write_text("{}")
    with pytest.raises(BadFile, match="exam.json"):
        read_sheet(tmp_path)


@pytest.mark.parametrize("text", ["", "[1]", "{", "[" * 100_000, '{"other": "yes"}', '{"q_x": 1}'])
def test_a_file_of_something_else_is_refused_by_name(tmp_path: Path, text: str) -> None:
    written(tmp_path / "m", **{GOAL: "ahead"})
    (tmp_path / "m/b.json").write_text(text)
    with pytest.raises(BadFile, match=r"b\.json"):
        read_answer_files(tmp_path / "m", shipped())


def test_a_folder_without_answers_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MissingData, match="neither an exam.json nor"):
        read_sheet(tmp_path)
    with pytest.raises(MissingData, match="is no folder"):
        read_sheet(tmp_path / "nowhere")
