"""What a model answered, read from what it wrote; what cannot be read stays invalid."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from paseo.vqa.questions.methods import Method
from paseo.vqa.questions.phrases import meant
from paseo.vqa.questions.questions import Option, Question, QuestionType

LONGEST_REPLY = 200_000  # characters that are read
MOST_OBJECTS = 200  # of JSON, in one reply
LONGEST_QUOTE = 60  # characters of a reply in a problem
MOST_LISTED = 100  # choices in one answer
NO_ANSWER = {
    "refusal": "the model refused to answer",
    "filtered": "the provider held the answer back",
}
_LEAD = re.compile(r"\W*(?:the )?(?:final )?answer(?: is)?\W*", re.IGNORECASE)
_OBJECT = re.compile(r"\{(?=\s*\")")
# A comma after the last of a list or object; what stands in quotes is left as it is.
_LAST_COMMA = re.compile(r'("(?:[^"\\]|\\.)*+")|,(?=\s*+[}\]])', re.DOTALL)
# As mathematicians are asked to answer; in JSON the backslash and b may be one character.
_BOXED = re.compile(r"(?:\\b|\x08)oxed\s{0,9}\{((?:[^{}]|\{[^{}]{0,300}\}){0,300}+)\}")
_STYLED = re.compile(r"\\(?:text|textbf|textit|mathrm|mathbf|texttt)\s{0,9}\{([^{}]{0,300})\}")
MOST_BOXES = 200
_THOUGHT_ENDS = "</think>"  # what local models write before it is not for us


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer to one question."""

    option: Option | None  # one of the question's options; None where it could not be read
    problem: str = ""  # why there is no option, in words
    tolerant: bool = False  # whether it took more than strict reading
    raw: str = ""  # what the model wrote

    @property
    def invalid(self) -> bool:
        """Whether the answer could not be read: never credited, always counted."""
        return self.option is None


DIFFER = "the reply gives several answers that differ"


class _Unreadable(ValueError):
    """A reply holds no answer; the words say why."""


def read_answer(
    text: str,
    question: Question | QuestionType,
    *,
    method: Method = Method.INDEPENDENT,
    ending: str = "stop",
) -> Answer:
    """The answer in a reply: strict JSON, else whatever can have only one meaning.

    Never raises, and never guesses. `ending` is the reply's: after `length` only JSON that is whole
    counts, and what was refused or filtered is no answer.
    """
    kind = question.kind if isinstance(question, Question) else question
    try:
        value, strict = _value(_spoken(text, ending), method, ending)
        option, exact = _option(value, kind)
    except (_Unreadable, RecursionError) as problem:
        return _invalid(problem, text)
    return Answer(option=option, tolerant=not (strict and exact), raw=text)


def read_answers(
    text: str,
    questions: Sequence[Question],
    *,
    method: Method = Method.INDEPENDENT,
    ending: str = "stop",
) -> dict[str, Answer]:
    """The answers to several questions in one reply, by question key; each may be invalid."""
    try:
        found = _in_json(_spoken(text, ending), method, "answers")
        if found is None or not isinstance(found[0], dict):
            raise _Unreadable('the reply has no JSON object with "answers"')
    except (_Unreadable, RecursionError) as problem:
        return {each.key: _invalid(problem, text) for each in questions}
    values, strict = found
    return {each.key: _one_of_many(values, each, strict=strict) for each in questions}


def read_value(value: object, question: Question | QuestionType) -> Answer:
    """The answer in a value that stood in JSON, such as one that was recorded."""
    kind = question.kind if isinstance(question, Question) else question
    raw = ""
    try:
        raw = _written(value)
        option, exact = _option(value, kind)
    except (_Unreadable, RecursionError) as problem:
        return _invalid(problem, raw)
    return Answer(option=option, tolerant=not exact, raw=raw)


def _invalid(problem: Exception, raw: str) -> Answer:
    deep = isinstance(problem, RecursionError)
    return Answer(
        option=None, problem="its JSON is nested too deep" if deep else str(problem), raw=raw
    )


def _one_of_many(values: dict[str, object], question: Question, *, strict: bool) -> Answer:
    if question.key not in values:
        return Answer(option=None, problem=f"the reply does not answer {question.key}")
    answer = read_value(values[question.key], question)
    return answer if strict or answer.invalid else replace(answer, tolerant=True)


def _spoken(text: str, ending: str) -> str:
    """What there is to read."""
    if len(text) > LONGEST_REPLY:
        raise _Unreadable(f"the reply has {len(text)} characters, at most {LONGEST_REPLY} are read")
    if ending in NO_ANSWER:
        raise _Unreadable(NO_ANSWER[ending])
    if not text.strip():
        raise _Unreadable("the reply is empty")
    return text.strip()


def _value(text: str, method: Method, ending: str) -> tuple[object, bool]:
    """What was answered, a JSON value or free words, and whether it was as asked for."""
    found = _in_json(text, method, "answer")
    if found is not None:
        return found
    if ending == "length" or text.rfind("{") > text.rfind("}"):
        raise _Unreadable("the reply was cut off before its answer was complete")
    if (boxed := _boxed(text.rpartition(_THOUGHT_ENDS)[2])) is not None:
        return boxed, False
    if _OBJECT.search(text):
        raise _Unreadable('the reply\'s JSON has no "answer"')
    text = text.rpartition(_THOUGHT_ENDS)[2].strip()
    if method is Method.REASON and text:
        last = text.splitlines()[-1]
        lead = _LEAD.match(last)
        return last[lead.end() if lead else 0 :], False
    return text, False


def _in_json(text: str, method: Method, key: str) -> tuple[Any, bool] | None:
    """What stands under a key of JSON: alone, where it was asked to be, or all through the text."""
    strict = text.splitlines()[-1] if method is Method.REASON else text
    try:
        whole = json.loads(strict, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        whole = None
    if isinstance(whole, dict) and key in whole:
        return whole[key], True
    spoken = text.rpartition(_THOUGHT_ENDS)[2]
    found = _under(spoken, key) or _under(_LAST_COMMA.sub(r"\1", spoken), key)
    if len(found) > 1:
        raise _Unreadable(DIFFER)
    return (found[0], False) if found else None


def _under(text: str, key: str) -> list[object]:
    """The different values under a key of all JSON objects in a text."""
    found: list[object] = []
    for each in _objects(text):
        for name, value in each.items():
            if name.strip().casefold() == key and value not in found:
                found.append(value)
    return found


def _boxed(text: str) -> str | None:
    """What stands in a box of LaTeX; None without any."""
    boxes = {_plain(match[1]) for match in islice(_BOXED.finditer(text), MOST_BOXES)}
    if len(boxes) > 1:
        raise _Unreadable(DIFFER)
    return boxes.pop() if boxes else None


def _plain(latex: str) -> str:
    return _STYLED.sub(r"\1", latex).strip()


def _objects(text: str) -> Iterator[dict[str, object]]:
    """The JSON objects that stand in a text."""
    decoder = json.JSONDecoder(object_pairs_hook=_once)
    end = 0
    for count, start in enumerate(match.start() for match in _OBJECT.finditer(text)):
        if count >= MOST_OBJECTS:
            raise _Unreadable(f"the reply has more than {MOST_OBJECTS} JSON objects")
        if start < end:
            continue
        try:
            found, end = decoder.raw_decode(text, start)
        except _Unreadable:
            raise
        except (ValueError, RecursionError):
            continue
        yield found


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    names = dict(pairs)
    if any(names[name] != value for name, value in pairs):
        raise _Unreadable("the reply's JSON gives two answers under one key")
    return names


def _option(value: object, kind: QuestionType) -> tuple[Option, bool]:
    """The option a value stands for, and whether it is written exactly as it was asked for."""
    plain = _unwrapped(value)
    if isinstance(plain, list) and kind.select_many and 0 < len(plain) <= MOST_LISTED:
        chosen = {choice for each in plain for choice in _choices(_unwrapped(each), kind)}
    elif isinstance(plain, list):
        chosen = set(_choices(plain[0], kind)) if len(plain) == 1 else set()
    else:
        chosen = set(_choices(plain, kind))
    if not chosen:
        raise _Unreadable(f"{_quote(value)} is a list, expected one of {', '.join(kind.choices)}")
    option = tuple(choice for choice in kind.choices if choice in chosen)
    return option, value == (list(option) if kind.select_many else option[0])


def _unwrapped(value: object) -> object:
    """What is inside an answer inside an answer, as some models write it."""
    for _ in range(3):
        if isinstance(value, dict) and set(value) == {"answer"}:
            value = value["answer"]
    return value


def _choices(value: object, kind: QuestionType) -> tuple[str, ...]:
    if not isinstance(value, str):
        raise _Unreadable(f"the answer is {_quote(value)}, expected text")
    found = (value,) if value in kind.choices else meant(_boxed(value) or value, kind)
    if not found:
        raise _Unreadable(f"{_quote(value)} is not clearly one of {', '.join(kind.choices)}")
    return found


def _quote(value: object) -> str:
    text = _written(value)
    return text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]}..."


def _written(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=repr)
