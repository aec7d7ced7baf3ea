"""What is asked about a clip on which page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from paseo.survey.study.content import Check, Choices, with_checks
from paseo.survey.study.ratings.asking import Asking, Aspect
from paseo.survey.study.ratings.places import Place

RATED, COMPARED = "rate_", "pair_"  # before an aspect's key
FIRST, SECOND, NEITHER = "first", "second", "neither"
CHECKED = tuple("12345")  # the choices of checks where there is no scale


@dataclass(frozen=True, slots=True, kw_only=True)
class ClipStep:
    """One page: a clip to be rated, or two to be compared."""

    scene: str  # the place
    number: int  # within the place, from 0
    clips: tuple[str, ...]
    aspects: tuple[Aspect, ...]
    choices: tuple[str, ...]  # of every aspect
    check: Check | None = None

    @property
    def is_pair(self) -> bool:
        """Whether two clips are compared."""
        return len(self.clips) > 1

    def key(self, aspect: Aspect) -> str:
        """Under what an answer is stored."""
        return f"{COMPARED if self.is_pair else RATED}{aspect.key}"

    @property
    def asked(self) -> Mapping[str, Choices]:
        """What may be answered about each aspect."""
        return {self.key(each): Choices(self.choices) for each in self.aspects}

    def with_check(self, check: Check) -> "ClipStep":
        """The same page with a check on it."""
        return replace(self, check=check)


def steps_at(place: Place, asking: Asking) -> tuple[ClipStep, ...]:
    """The pages of a place, without checks: the clip is rated, then compared."""
    found: list[ClipStep] = []
    if asking.points or place.pair is None:
        found.append(
            ClipStep(
                scene=place.name,
                number=0,
                clips=(place.clip,),
                aspects=tuple(asking.aspects),
                choices=asking.scale or CHECKED,
            )
        )
    if place.pair is not None and asking.compared:
        neither = (NEITHER,) if asking.no_difference else ()
        found.append(
            ClipStep(
                scene=place.name,
                number=len(found),
                clips=place.pair,
                aspects=tuple(asking.compared),
                choices=(FIRST, *neither, SECOND),
            )
        )
    return tuple(found)


def steps_of(
    places: Sequence[Place], asking: Asking, *, seed: int, person: int
) -> tuple[tuple[ClipStep, ...], ...]:
    """The pages of somebody's places; one check in the first half, one in the second."""
    plain = [steps_at(place, asking) for place in places]
    return with_checks(plain, asking.scale or CHECKED, seed=seed, person=person)
