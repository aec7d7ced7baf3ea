"""The questions as data: what is asked about every scene and about each person in it."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from itertools import combinations

from paseo.errors import BadValue, UnknownName
from paseo.parsing.toml import toml_as
from paseo.vqa.questions.question_file import QuestionFile

SPATIAL, SPATIOTEMPORAL, SOCIAL = CATEGORIES = ("spatial", "spatiotemporal", "social")
_ABOUT_PERSON = re.compile(r"(.+)_p([1-9][0-9]{0,3})")

Option = tuple[str, ...]  # one possible answer: a choice, or several in the order of the choices


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionType:
    """A kind of question: one of the fifteen, or one's own."""

    key: str
    category: str  # what it takes: one of the data set's three, or any other
    about_person: bool
    choices: tuple[str, ...]
    select_many: bool = False
    # Kinds whose answers it builds on, in order.
    builds_on: tuple["QuestionType", ...] = field(default=(), hash=False, repr=False)
    guidance: str  # the name of the instructions that go with it; empty: none do
    text: str  # our wording; {PERSON} stands for the person

    @property
    def needs(self) -> tuple[str, ...]:
        """Keys of the kinds whose answers it builds on, in order."""
        return tuple(each.key for each in self.builds_on)

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
        return f"{self.kind.key}_p{self.person}" if self.kind.about_person else self.kind.key

    @property
    def builds_on(self) -> tuple["Question", ...]:
        """The questions of the same scene, and person, whose answers this one builds on."""
        return tuple(
            Question(self.scene, kind, self.person if kind.about_person else None)
            for kind in self.kind.builds_on
        )

    @property
    def needs(self) -> tuple[str, ...]:
        """Their keys."""
        return tuple(each.key for each in self.builds_on)


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All kinds of question that are asked."""

    kinds: Mapping[str, QuestionType]  # by key, in the order they are asked

    @property
    def categories(self) -> tuple[str, ...]:
        """What the questions take: of the data set's categories those that occur, then others."""
        found = dict.fromkeys(kind.category for kind in self.kinds.values())
        known = [each for each in CATEGORIES if each in found]
        return tuple(dict.fromkeys([*known, *found]))

    def questions(self, scene: str, people: Iterable[int]) -> tuple[Question, ...]:
        """All questions about a scene with these people; what one needs comes before it."""
        numbers = tuple(people)
        asked: list[Question] = []
        for kind in self.kinds.values():
            who = numbers if kind.about_person else (None,)
            asked += [Question(scene, kind, person) for person in who]
        return tuple(asked)

    def question(self, scene: str, key: str) -> Question:
        """The question a key such as `q_robot_action_p3` stands for."""
        match = _ABOUT_PERSON.fullmatch(key)
        name, person = (match[1], int(match[2])) if match else (key, None)
        kind = self.kinds.get(name)
        if kind is None:
            raise UnknownName("question", key, self.kinds)
        if kind.about_person != (person is not None):
            wanted = f"{kind.key}_p<number>" if kind.about_person else kind.key
            raise BadValue(f"question '{key}': expected {wanted}")
        return Question(scene, kind, person)

    def joined(self, other: "Catalogue") -> "Catalogue":
        """All kinds of both; what both have must have the same choices."""
        self.check_alike(other)
        return Catalogue({**self.kinds, **other.kinds})

    def check_alike(self, other: "Catalogue") -> None:
        """Refuse another one that has other choices under the same key."""
        for key, kind in other.kinds.items():
            if key in self.kinds and self.kinds[key].options != kind.options:
                raise BadValue(
                    f"question {key} has the choices {', '.join(self.kinds[key].choices)} in one "
                    f"place and {', '.join(kind.choices)} in another, expected the same; give one "
                    "of them another key"
                )


def catalogue_of(file: QuestionFile) -> Catalogue:
    """What a file of questions asks, after the fifteen if it wants them."""
    found = dict(shipped().kinds) if file.with_shipped else {}
    for each in file.ordered:
        found[each.key] = QuestionType(
            key=each.key,
            category=each.category,
            about_person=each.about_person,
            choices=each.choices,
            select_many=each.select_many,
            builds_on=tuple(found[need] for need in each.needs),
            guidance=each.guidance,
            text=each.text,
        )
    return Catalogue(found)


@cache
def shipped() -> Catalogue:
    """The fifteen kinds of SocialNav-SUB."""
    file = resources.files("paseo.vqa") / "shipped" / "questions.toml"
    return catalogue_of(toml_as(QuestionFile, file.read_text(encoding="utf-8")))


def kinds() -> Mapping[str, QuestionType]:
    """The fifteen kinds by key, in the order they are asked."""
    return shipped().kinds


def questions(scene: str, people: Iterable[int]) -> tuple[Question, ...]:
    """The fifteen kinds about a scene with these people."""
    return shipped().questions(scene, people)


def question(scene: str, key: str) -> Question:
    """The question of one of the fifteen kinds that a key stands for."""
    return shipped().question(scene, key)
