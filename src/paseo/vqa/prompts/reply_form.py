"""The form of a reply that a provider can hold a model to: only choices, nothing beside them."""

import json
from collections.abc import Sequence
from typing import Any

from paseo.vlm.models import ReplyForm, Structure
from paseo.vqa.questions.methods import Method
from paseo.vqa.questions.questions import Question


def reply_form(questions: Sequence[Question], structure: Structure, method: Method) -> ReplyForm:
    """What may be replied to these questions: a JSON schema, and every whole reply there is.

    With several questions the replies are too many, and are left out.
    """
    if len(questions) > 1:
        answers = {each.key: _answer(each) for each in questions}
        return ReplyForm(structure=structure, schema=_object({"answers": _object(answers)}))
    (only,) = questions
    thought = {"reasoning": {"type": "string"}} if method is Method.REASON else {}
    schema = _object({**thought, "answer": _answer(only)})
    replies = (
        json.dumps({"answer": list(option) if only.kind.select_many else option[0]})
        for option in only.kind.options
    )
    return ReplyForm(structure=structure, schema=schema, replies=tuple(replies))


def _answer(question: Question) -> dict[str, Any]:
    choice = {"type": "string", "enum": list(question.kind.choices)}
    return {"type": "array", "items": choice} if question.kind.select_many else choice


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
