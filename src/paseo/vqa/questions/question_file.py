"""A file of questions: their texts, choices, categories, and what each builds on."""

from collections.abc import Iterator
from typing import Annotated

import msgspec
from msgspec import Meta

from paseo.data.settings_file import Entry
from paseo.errors import BadValue

MOST_QUESTIONS = 100
MOST_CHOICES = 26
MOST_TOGETHER = 8  # choices of which several may be chosen: every set of them is an answer
LONGEST_TEXT, LONGEST_CHOICE, LONGEST_GUIDANCE = 1000, 80, 5000  # characters

Text = Annotated[str, Meta(min_length=1, max_length=LONGEST_TEXT)]
Choice = Annotated[str, Meta(min_length=1, max_length=LONGEST_CHOICE)]
Name = Annotated[str, Meta(min_length=1, max_length=60)]
Guidance = Annotated[str, Meta(min_length=1, max_length=LONGEST_GUIDANCE)]


class AskedQuestion(Entry, frozen=True, kw_only=True):
    """A kind of question as a file has it."""

    key: Name
    text: Text  # {PERSON} stands for the person
    choices: Annotated[tuple[Choice, ...], Meta(min_length=2, max_length=MOST_CHOICES)]
    category: Name
    about_person: bool = False
    select_many: bool = False
    needs: Annotated[tuple[str, ...], Meta(max_length=MOST_QUESTIONS)] = ()  # keys
    guidance: str = ""  # the name of the instructions that go with it
    rule: Annotated[str, Meta(max_length=LONGEST_TEXT)] = ""  # FILE.py:NAME, for the truth


class QuestionFile(Entry, frozen=True, kw_only=True):
    """Questions, beside the fifteen that ship or in their place."""

    with_shipped: bool = True
    question: Annotated[tuple[AskedQuestion, ...], Meta(min_length=1, max_length=MOST_QUESTIONS)]
    guidance: dict[Name, Guidance] = msgspec.field(default_factory=dict)  # instructions by name

    @property
    def ordered(self) -> tuple[AskedQuestion, ...]:
        """The questions as they stand, but each after those it builds on."""
        known = {each.key: each for each in self.question}
        found: dict[str, AskedQuestion] = {}
        for each in self.question:
            for one in _with_needs(each, known, found, ()):
                found[one.key] = one
        return tuple(found.values())

    @property
    def as_asked(self) -> "QuestionFile":
        """The same without what decides about the truth: all that a model or a person is put."""
        plain = tuple(msgspec.structs.replace(each, rule="") for each in self.question)
        return msgspec.structs.replace(self, question=plain)


def _with_needs(
    each: AskedQuestion,
    known: dict[str, AskedQuestion],
    done: dict[str, AskedQuestion],
    waiting: tuple[str, ...],
) -> Iterator[AskedQuestion]:
    """A question after all that it builds on and that is not done yet."""
    if each.key in done:
        return
    if each.key in waiting:
        circle = " -> ".join([*waiting[waiting.index(each.key) :], each.key])
        raise BadValue(f"{each.key}: builds on itself ({circle}); take one of these needs out")
    for need in each.needs:
        if need in known:
            yield from _with_needs(known[need], known, done, (*waiting, each.key))
    yield each
