"""Folders of SocialNav-SUB's own evaluator."""

import json
from pathlib import Path

import pytest

from ballots import AFFECTED, GOAL, MOVING, label_file, write_labels
from paseo.errors import BadFile, MissingData
from paseo.vqa.questions.methods import Method
from paseo.vqa.scoring import read_sheet, score

ANSWERS = {GOAL: "ahead", MOVING: ["moving ahead"], AFFECTED: "INVALID"}


def experiment(folder: Path, *, spoken: int | None = None, **answers: object) -> Path:
    """As the evaluator leaves it: scenes beside copies of its settings."""
    for scene in ("33_Spot_45_228", "34_Spot_0_1070"):
        (folder / scene).mkdir(parents=True)
        said = answers or ANSWERS
        (folder / scene / "question_answers.json").write_text(json.dumps(said, indent=4))
        (folder / scene / "evaluation.json").write_text("{}")
        (folder / scene / "human_common_answers.json").write_text("{}")
        turns = [{"entity": ["user"], "response": ["?"]},
                 {"entity": ["assistant"], "response": ["!"], "latency_sec": 1.5}]  # fmt: skip
        asked = len(said) if spoken is None else spoken
        (folder / scene / "conversation.json").write_text(json.dumps(turns * asked))
    (folder / "prompts.json").write_text('{"q_person_spatial_position_begin": "Where?"}')
    (folder / "config.yaml").write_text("model_to_api_key: {gpt4o: secret}")
    return folder


def test_an_experiment_is_a_sheet(tmp_path: Path) -> None:
    sheet = read_sheet(experiment(tmp_path / "experiment_3_gpt_4o_cot"))
    assert (sheet.model, sheet.method) == ("gpt_4o", Method.CHAIN)
    assert {scene for scene, _ in sheet.answers} == {"33_Spot_45_228", "34_Spot_0_1070"}
    options = [sheet.answers["33_Spot_45_228", key][0].option for key in ANSWERS]
    assert options == [("ahead",), ("moving ahead",), None]
    assert [each.latency_s for each in sheet.askings] == [1.5] * 6


@pytest.mark.parametrize("name", ["experiment_1_llava_cot_with_gt", "renamed"])
def test_peoples_answers_that_a_model_was_told_are_not_its_own(tmp_path: Path, name: str) -> None:
    folder = experiment(tmp_path / name, spoken=1, **{GOAL: "ahead", AFFECTED: "no"})
    sheet = read_sheet(folder)
    assert sheet.method is Method.CHAIN_HUMAN
    assert {key for _, key in sheet.answers} == {AFFECTED}


def test_without_a_conversation_all_answers_are_taken(tmp_path: Path) -> None:
    folder = experiment(tmp_path / "mine")
    for file in folder.glob("*/conversation.json"):
        file.unlink()
    sheet = read_sheet(folder)
    assert (sheet.model, sheet.method, sheet.askings) == ("mine", None, ())
    assert len(sheet.answers) == 6


def test_it_is_scored_like_any_other(tmp_path: Path) -> None:
    folder = experiment(tmp_path / "experiment_1_gpt4o_independent")
    labels = write_labels(
        tmp_path / "data", {s.name: label_file(s.name) for s in folder.glob("*_*_*_*/")}
    )
    row = score([folder], labels=labels).rows[-1]
    assert row.row.name == "gpt4o"
    assert row.scores["category"]["all"].mean == pytest.approx(4 / 6)


@pytest.mark.parametrize(
    ("file", "text"),
    [("question_answers.json", "[]"), ("question_answers.json", '{"q_no": 1}'),
     ("conversation.json", "[" * 100_000)],
)  # fmt: skip
def test_a_damaged_file_is_told(tmp_path: Path, file: str, text: str) -> None:
    folder = experiment(tmp_path / "mine")
    (folder / "33_Spot_45_228" / file).write_text(text)
    with pytest.raises(BadFile, match=file):
        read_sheet(folder)


def test_other_folders_are_told(tmp_path: Path) -> None:
    (tmp_path / "a b").mkdir()
    (tmp_path / "a b" / "question_answers.json").write_text("{}")
    with pytest.raises(BadFile, match="named like a scene"):
        read_sheet(tmp_path)
    (tmp_path / "empty").mkdir()
    with pytest.raises(MissingData, match="<scene>/question_answers.json"):
        read_sheet(tmp_path / "empty")


def test_a_key_without_its_person_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"q_robot_affected": "yes"}')
    with pytest.raises(BadFile, match=r"expected q_robot_affected_p<number>; correct or remove it"):
        read_sheet(tmp_path)
