"""The seam between a study and what it is about: scenes with questions, or clips to rate."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, Self, TypeVar

import numpy as np

CHECKS = ("check_1", "check_2")
CHECK_STREAM = 1  # of the random numbers of a person; 0 gives out places


@dataclass(frozen=True, slots=True)
class Check:
    """A question that only asks for a certain answer."""

    key: str
    choice: str
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Choices:
    """What may be answered to a question."""

    known: tuple[str, ...]
    several: bool = False


class Step(Protocol):
    """The questions of one page."""

    @property
    def scene(self) -> str:
        """The place that it belongs to."""

    @property
    def number(self) -> int:
        """Within the place, from 0."""

    @property
    def check(self) -> Check | None:
        """What is asked to see whether questions are read."""

    @property
    def asked(self) -> Mapping[str, Choices]:
        """What is asked beside it, by key."""

    def with_check(self, check: Check) -> Self:
        """The same page with a check on it."""


@dataclass(frozen=True, slots=True)
class Repeat:
    """A place that shows again what somebody was shown before."""

    first: str  # the place at which they were
    turned: bool  # whether left and right are exchanged


@dataclass(frozen=True, slots=True)
class Media:
    """A file that pages show."""

    unit: str  # whose it is: for those who were given a place in which it is shown
    file: Path
    type: str  # as HTTP names it


class Content(Protocol):
    """What a study is about.

    A unit is what must have its number of people: a scene, or a clip. A place is what one person
    is given of it, and has a name of its own; its steps are the pages about it.
    """

    @property
    def files(self) -> Sequence[str]:
        """Of the study's folder, which must stay as they are from the first answer on."""

    @property
    def units(self) -> Sequence[str]:
        """What must have its number of people, in order."""

    def unit(self, place: str) -> str:
        """What a place counts for; empty where it counts for nothing."""

    def shown(self, place: str) -> Sequence[str]:
        """The units whose files are seen there."""

    def places_for(
        self, taken: Mapping[str, int], given: Sequence[str], *, wanted: "Wanted", person: int
    ) -> tuple[str, ...]:
        """Places for the next person; none where no unit needs anybody.

        `taken` says how many people each unit has, `given` names all places that make them up.
        """

    def steps(self, places: Sequence[str], *, seed: int, person: int) -> Sequence[Sequence[Step]]:
        """The pages of each of somebody's places, with the checks."""

    def repeat(self, place: str, given: Collection[str]) -> Repeat | None:
        """Which of the places that somebody was given a place repeats."""

    def lasts(self, step: Any) -> float:
        """Seconds that what a page of this content shows takes to be seen; 0: it stands still."""

    def media(self, path: str) -> Media | None:
        """The file that pages load by this path."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """How many people for each unit, and how many units for each person."""

    per_unit: int
    units_each: int
    seed: int


S = TypeVar("S", bound=Step)


def keys_of(step: Step) -> tuple[str, ...]:
    """The keys of everything that is asked on a page."""
    return (*step.asked, *((step.check.key,) if step.check else ()))


def with_checks(
    plain: Sequence[Sequence[S]], choices: Sequence[str], *, seed: int, person: int
) -> tuple[tuple[S, ...], ...]:
    """The pages of each place, with one check in the first half and one in the second.

    Where there is but one page, there is but one check.
    """
    total = sum(map(len, plain))
    rng = np.random.default_rng([seed, person, CHECK_STREAM])
    half = total // 2
    places = (int(rng.integers(0, max(half, 1))), int(rng.integers(half, total)))
    wanted = rng.choice(list(choices), size=len(CHECKS), replace=False)
    checks: dict[int, Check] = {}
    for place, key, choice in zip(places, CHECKS, wanted, strict=True):
        checks.setdefault(place, Check(key, str(choice), tuple(choices)))
    numbers = iter(range(total))
    return tuple(
        tuple(
            step.with_check(checks[number]) if (number := next(numbers)) in checks else step
            for step in steps
        )
        for steps in plain
    )
