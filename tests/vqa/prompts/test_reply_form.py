"""The form a reply can be held to."""

import json

import jsonschema
import pytest

from paseo.vlm.models import Structure
from paseo.vqa.prompts.reply_form import reply_form
from paseo.vqa.questions.answers import read_answer, read_answers
from paseo.vqa.questions.methods import Method
from paseo.vqa.questions.questions import kinds, question, questions


@pytest.mark.parametrize("kind", kinds().values(), ids=lambda kind: kind.key)
def test_every_reply_there_is_fits_the_schema_and_is_read_strictly(kind: object) -> None:
    key = next(q.key for q in questions("a", [1]) if q.kind is kind)
    asked = question("a", key)
    form = reply_form([asked], Structure.CHOICE, Method.CHAIN)
    assert len(form.replies) == len(asked.kind.options)
    for reply, option in zip(form.replies, asked.kind.options, strict=True):
        jsonschema.validate(json.loads(reply), form.schema)
        answer = read_answer(reply, asked)
        assert (answer.option, answer.tolerant) == (option, False)
    for wrong in ({"answer": "perhaps"}, {"answer": None}, {}, {"answer": "yes", "more": 1}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, form.schema)


def test_written_reasoning_comes_before_the_answer() -> None:
    asked = question("a", "q_robot_affected_p1")
    form = reply_form([asked], Structure.SCHEMA, Method.REASON)
    assert list(form.schema["properties"]) == ["reasoning", "answer"]
    reply = json.dumps({"reasoning": "He is near.", "answer": "yes"})
    jsonschema.validate(json.loads(reply), form.schema)
    assert read_answer(reply, asked, method=Method.REASON).option == ("yes",)


def test_several_questions_have_one_form() -> None:
    asked = questions("a", [1])[:4]
    form = reply_form(asked, Structure.SCHEMA, Method.INDEPENDENT)
    said = {q.key: ["moving ahead"] if q.kind.select_many else q.kind.choices[0] for q in asked}
    jsonschema.validate({"answers": said}, form.schema)
    found = read_answers(json.dumps({"answers": said}), asked)
    assert not any(answer.invalid or answer.tolerant for answer in found.values())
    assert form.replies == ()
