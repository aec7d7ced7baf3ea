"""The questions as data: what is asked about every scene and about each person in it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from functools import cache
from importlib import resources
from itertools import combinations

from paseo.errors import BadValue, UnknownName
from paseo.parsing.toml import toml_as

_ABOUT_PERSON = re.compile(r"(.+)_p([1-9][0-9]{0,3})")


class Reasoning(Enum):
    """What a question takes."""

    SPATIAL = "spatial"
    SPATIOTEMPORAL = "spatiotemporal"
    SOCIAL = "social"


Option = tuple[str, ...]  # one possible answer: a choice, or several in the order of the choices


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionType:
    """One of the fifteen types of question."""

    key: str
    reasoning: Reasoning
    about_person: bool
    choices: tuple[str, ...]
    select_many: bool = False
    needs: tuple[str, ...] = ()  # keys of kinds whose answers it builds on, in order
    guidance: str  # the name of the instructions that go with it
    text: str  # our wording; {PERSON} stands for the person

    @property
    def options(self) -> tuple[Option, ...]:
        """Every possible answer: each choice, or each set of choices that is not empty."""
        sizes = range(1, len(self.choices) + 1) if self.select_many else (1,)
        return tuple(option for size in sizes for option in combinations(self.choices, size))


@dataclass(frozen=True, slots=True)
class Question:
    """A kind of question put about one scene, or one person in it."""

    scene: str
    kind: QuestionType
    person: int | None = None

    @property
    def key(self) -> str:
        """As the data set writes it: the kind's key, `_p<number>` for a person."""
        return _key(self.kind, self.person)

    @property
    def needs(self) -> tuple[str, ...]:
        """Keys of the questions of the same scene, and person, whose answers this one builds on."""
        return tuple(_key(kinds()[need], self.person) for need in self.kind.needs)


@cache
def kinds() -> dict[str, QuestionType]:
    """The fifteen kinds by key, in the order they are asked; not to be modified."""
    file = resources.files("paseo.vqa") / "shipped" / "questions.toml"
    table = toml_as(dict[str, list[QuestionType]], file.read_text(encoding="utf-8"))
    return {kind.key: kind for kind in table["kind"]}


def questions(scene: str, people: Iterable[int]) -> tuple[Question, ...]:
    """All questions about a scene with these people; what one needs comes before it."""
    numbers = tuple(people)
    asked: list[Question] = []
    for kind in kinds().values():
        who = numbers if kind.about_person else (None,)
        asked += [Question(scene, kind, person) for person in who]
    return tuple(asked)


def question(scene: str, key: str) -> Question:
    """The question a key such as `q_robot_action_p3` stands for."""
    match = _ABOUT_PERSON.fullmatch(key)
    name, person = (match[1], int(match[2])) if match else (key, None)
    kind = kinds().get(name)
    if kind is None:
        raise UnknownName("question", key, kinds())
    if kind.about_person != (person is not None):
        wanted = f"{kind.key}_p<number>" if kind.about_person else kind.key
        raise BadValue(f"question '{key}': expected {wanted}")
    return Question(scene, kind, person)


def _key(kind: QuestionType, person: int | None) -> str:
    return f"{kind.key}_p{person}" if kind.about_person else kind.key
