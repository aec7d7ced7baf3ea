"""Prompts: the words of a question in an order that lets providers keep what they have read.

From what is the same for all questions to what is not: introduction, what the pictures show, what
goes with the question, earlier answers, the question, its choices, how to reply.
"""

import json
from collections.abc import Iterable, Mapping, Sequence

from paseo.vqa.pictures.pictures import Layout
from paseo.vqa.prompts.wording import Wording
from paseo.vqa.questions.answers import Answer
from paseo.vqa.questions.methods import Method
from paseo.vqa.questions.questions import Option, Question, QuestionType

CHOICES = "Possible answers: "
EARLIER = "These questions about the same clip have been answered:"
MANY = "Answer these questions:"
SEVERAL = "Possible answers, as a list of all that apply: "
NOTHING: Mapping[str, Answer | Option] = {}


def prompt_text(
    question: Question,
    wording: Wording,
    *,
    method: Method,
    layout: Layout,
    earlier: Mapping[str, Answer | Option] = NOTHING,
) -> str:
    """The words of a question, with the `earlier` answers it builds on if the method tells them.

    An earlier answer that is invalid, or not there, is left out together with its question.
    """
    kind = question.kind
    reply = "reason" if method is Method.REASON else "answer"
    return _joined(
        *_beginning(wording, layout),
        wording.guiding(kind),
        _told([question], earlier, wording) if method.chains else "",
        question_text(question, wording),
        CHOICES + _listed(kind),
        wording.formats[f"{reply}_{'several' if kind.select_many else 'one'}"],
    )


def prompt_text_for_many(
    questions: Sequence[Question],
    wording: Wording,
    *,
    method: Method,
    layout: Layout,
    earlier: Mapping[str, Answer | Option] = NOTHING,
) -> str:
    """The words of several questions about one scene that are put in one request."""
    guidance = dict.fromkeys(wording.guiding(each.kind) for each in questions)
    lines = [MANY]
    for each in questions:
        lines.append(f"\n{each.key}: {question_text(each, wording)}")
        lines.append((SEVERAL if each.kind.select_many else CHOICES) + _listed(each.kind))
    return _joined(
        *_beginning(wording, layout),
        *guidance,
        _told(questions, earlier, wording) if method.chains else "",
        "\n".join(lines),
        wording.formats["reason_many" if method is Method.REASON else "answer_many"],
    )


def answer_json(option: Option, kind: QuestionType) -> str:
    """An option as a model is asked to write it."""
    value = list(option) if kind.select_many else option[0]
    return json.dumps({"answer": value}, ensure_ascii=False)


def _beginning(wording: Wording, layout: Layout) -> tuple[str, str]:
    return wording.introduction, wording.pictures.get(layout.value, "")


def _told(
    questions: Iterable[Question], earlier: Mapping[str, Answer | Option], wording: Wording
) -> str:
    """The questions that these build on, each once, with the answers that are known."""
    lines = []
    for before in dict.fromkeys(one for each in questions for one in each.builds_on):
        known = earlier.get(before.key)
        option = known.option if isinstance(known, Answer) else known
        if option is None:
            continue
        lines += [question_text(before, wording), answer_json(option, before.kind)]
    return "\n".join([EARLIER, *lines]) if lines else ""


def question_text(question: Question, wording: Wording) -> str:
    """The question with its person's number."""
    return worded(wording.texts[question.kind.key], person=f"person {question.person}")


def worded(text: str, *, person: str) -> str:
    """The text about a person; a text from a file is never a format."""
    if text.startswith("{PERSON}"):
        text = person.capitalize() + text.removeprefix("{PERSON}")
    return text.replace("{PERSON}", person)


def _listed(kind: QuestionType) -> str:
    return ", ".join(json.dumps(choice, ensure_ascii=False) for choice in kind.choices)


def _joined(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part)
