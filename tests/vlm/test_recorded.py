"""Recorded answers are replayed as they are, and what is not there is said."""

import json
from pathlib import Path

import pytest

from paseo.errors import BadValue
from paseo.vlm.failures import ModelError
from paseo.vlm.models import Prompt
from paseo.vlm.recorded import Recorded


@pytest.fixture
def model(tmp_path: Path) -> Recorded:
    answers = {
        "q_a": "to the left of",
        "q_b_p1": ["moving ahead"],
        "q_c": None,
        "q_d": 'So: {"answer": 1}',
    }
    (tmp_path / "scene_1.json").write_text(json.dumps(answers))
    (tmp_path / "broken.json").write_text('{"q_a": ')
    (tmp_path / "list.json").write_text("[1]")
    (tmp_path / "bytes.json").write_bytes(b'{"q_a": "\xff"}')
    (tmp_path.parent / "outside.json").write_text('{"q_a": "yes"}')
    return Recorded(str(tmp_path))


@pytest.mark.parametrize(
    ("key", "answer"), [("q_a", "to the left of"), ("q_b_p1", ["moving ahead"]), ("q_c", None)]
)
def test_an_answer_is_replayed_as_json(model: Recorded, key: str, answer: object) -> None:
    reply = model.ask(Prompt(text="anything", id=f"scene_1/{key}"))
    assert json.loads(reply.text) == {"answer": answer}
    assert model.name.startswith("recorded/")


def test_a_whole_reply_is_replayed_as_it_is(model: Recorded) -> None:
    assert model.ask(Prompt(text="", id="scene_1/q_d")).text == 'So: {"answer": 1}'


def test_several_questions_are_answered_together(model: Recorded) -> None:
    reply = model.ask(Prompt(text="", id="scene_1/q_a,q_b_p1"))
    assert json.loads(reply.text) == {
        "answers": {"q_a": "to the left of", "q_b_p1": ["moving ahead"]}
    }


@pytest.mark.parametrize(
    ("id", "words"),
    [
        ("scene_1/q_z", "has no answer to q_z"),
        ("scene_1/q_a,q_z", "has no answer to q_z"),
        ("scene_2/q_a", "this scene was not recorded"),
        ("../outside/q_a", "is no id, expected <scene>/<question>"),
        ("/etc/q_a", "is no id, expected <scene>/<question>"),
        ("scene_1", "is no id, expected <scene>/<question>"),
        ("broken/q_a", "expected a JSON object of answers"),
        ("list/q_a", "expected a JSON object of answers"),
        ("bytes/q_a", "expected a JSON object of answers"),
    ],
)
def test_what_is_not_recorded_is_a_sentence(model: Recorded, id: str, words: str) -> None:
    with pytest.raises(ModelError) as caught:
        model.ask(Prompt(text="", id=id))
    assert words in str(caught.value)


def test_a_folder_is_needed(tmp_path: Path) -> None:
    with pytest.raises(BadValue, match=r"expected one with a file <scene>\.json per scene"):
        Recorded(str(tmp_path / "nowhere"))
