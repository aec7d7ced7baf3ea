"""Things that change places: none keeps its own, and the same seed gives the same, always."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import TypeVar

from paseo.world.scenes import Scene

Thing = TypeVar("Thing", int, str)


def new_places(things: Sequence[Thing], seed: str) -> dict[Thing, Thing]:
    """Each thing with the one whose place it takes, all in one circle; one alone keeps its own.

    By hashes and not by a generator of random numbers, whose next version may draw otherwise: what
    was asked must be found again years later.
    """
    drawn = sorted(things, key=lambda thing: sha256(f"{seed}/{thing}".encode()).digest())
    return dict(zip(drawn, drawn[1:] + drawn[:1], strict=True))


def reordered(things: Sequence[Thing], places: Mapping[Thing, Thing]) -> tuple[Thing, ...]:
    """The things in their new places."""
    holders = {place: thing for thing, place in places.items()}
    return tuple(holders[thing] for thing in things)


def renumbered(scene: Scene, numbers: Mapping[int, int]) -> Scene:
    """Everybody under a new number, and so in a new colour; what others drew is left out."""
    people = [replace(each, number=numbers[each.number]) for each in scene.people]
    ordered = tuple(sorted(people, key=lambda each: each.number))
    return replace(scene, people=ordered, composites=())
