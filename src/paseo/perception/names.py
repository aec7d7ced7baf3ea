"""Perceptions by name: those that ship, those of other packages, and those in a user's file."""

from collections.abc import Callable
from typing import TypeVar

import numpy as np

from paseo.errors import PaseoError
from paseo.registry.registry import Registry, lacks, made
from paseo.text import error_words
from paseo.world.people import Crowd
from paseo.world.planning import Briefing, Observation, Perception

T = TypeVar("T")

PERCEPTIONS: Registry[type[Perception]] = Registry(
    kind="perception",
    group="paseo.perceptions",
    shipped={
        "depth": "paseo.perception.depth:Depth",
        "ids": "paseo.perception.ids:Ids",
    },
    fault=lacks("begin", "people"),
)


def make_perception(reference: str) -> "GuardedPerception":
    """A new one by its name, `file.py:Class` or `module:Class`."""
    kind = PERCEPTIONS.find(reference)
    return GuardedPerception(made(f"perception '{reference}'", kind), reference)


class GuardedPerception:
    """Whatever a perception does wrong is told as its fault, and not as the planner's."""

    def __init__(self, perception: Perception, reference: str) -> None:
        self._perception, self._reference = perception, reference
        self.needs_ids = bool(getattr(perception, "needs_ids", False))
        self.needs_colours = bool(getattr(perception, "needs_colours", True))

    def begin(self, briefing: Briefing) -> None:
        """Prepare for one episode."""
        self._asked("begin", lambda: self._perception.begin(briefing))

    def people(self, observation: Observation) -> Crowd:
        """Who is where."""
        crowd = self._asked("people", lambda: self._perception.people(observation))
        if not isinstance(crowd, Crowd):
            raise PaseoError(
                f"perception '{self._reference}': people() returned {crowd!r:.80}, expected a Crowd"
            )
        if not self._asked("people", lambda: _is_possible(crowd)):
            raise PaseoError(
                f"perception '{self._reference}': people() returned numbers that are not finite or "
                "an id twice; leave out whom it does not know"
            )
        return crowd

    def _asked(self, method: str, ask: Callable[[], T]) -> T:
        try:
            return ask()
        except Exception as error:
            raise PaseoError(
                f"perception '{self._reference}' failed in {method}() ({error_words(error)}); "
                "correct it, and see paseo.checks.check_perception"
            ) from error


def _is_possible(crowd: Crowd) -> bool:
    numbers = (crowd.positions, crowd.velocities, crowd.radii)
    finite = all(np.isfinite(each).all() for each in numbers)
    return finite and len(set(crowd.ids.tolist())) == len(crowd)
