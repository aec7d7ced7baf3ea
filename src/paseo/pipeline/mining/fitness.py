"""How much a clip is worth asking about: the seam `Fitness`, and the rule of the data set."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from paseo.errors import BadValue
from paseo.registry.registry import Registry, lacks, made
from paseo.text import error_words
from paseo.world.arrays import BoolArray, FloatArray

DATASET = "socialnav-sub"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidate:
    """A clip that may become a scene, in the robot's first frame: x forward and y left, metres."""

    period: float  # seconds from one frame to the next
    robot: FloatArray  # (frames, 3), x, y and heading
    waypoints: FloatArray  # (frames, 2), where the robot is a frame later each
    people: Sequence[FloatArray]  # each (frames, 2); NaN in frames that do not show them


class Fitness(Protocol):
    """Says how good a scene a clip would make."""

    def fitness(self, candidate: Candidate) -> float:
        """The more, the better; -inf for a clip that must not be taken."""


class SocialNavSub:
    """The rule by which the authors of SocialNav-SUB chose their scenes.

    3 times the range of y over the waypoints, and per frame .15 for everybody close, .5 for
    everybody very close and .75 for everybody close who was so in their observation before,
    less 2 for each person beyond 6 (`generate_scenarios_scand.py` of tune_3d_estimates). Whether
    somebody was close before is asked of the list of their observations, as there: over a gap
    in a track, the one before is the one before the gap.
    """

    def fitness(self, candidate: Candidate) -> float:
        """By that rule; averages are over the frames of the clip."""
        return socialnavsub_fitness(candidate.waypoints, candidate.people)


def socialnavsub_fitness(waypoints: FloatArray, people: Sequence[FloatArray]) -> float:
    """The authors' rule on positions in the robot's first frame, (frames, 2) each."""
    seen = [track[~np.isnan(track[:, 0])] for track in people]  # (observations, 2) each
    near = [_within(track, ahead=10.0, aside=5.0) for track in seen]
    close = sum(int(each.sum()) for each in near)
    very_close = sum(int(_within(track, ahead=5.0, aside=3.0).sum()) for track in seen)
    again = sum(int((each[1:] & each[:-1]).sum()) for each in near)
    frames = len(waypoints)
    too_many = max(0.0, sum(map(len, seen)) / frames - 6.0)
    worth = (0.15 * close + 0.5 * very_close + 0.75 * again) / frames
    return 3.0 * float(np.ptp(waypoints[:, 1])) + worth - 2.0 * too_many


def _within(track: FloatArray, *, ahead: float, aside: float) -> BoolArray:
    x, y = track.T
    found: BoolArray = (np.abs(y) <= aside) & (x >= 0.0) & (x <= ahead)
    return found


FITNESSES: Registry[type[Fitness]] = Registry(
    kind="fitness",
    group="paseo.fitnesses",
    shipped={DATASET: "paseo.pipeline.mining.fitness:SocialNavSub"},
    fault=lacks("fitness"),
)


def make_fitness(reference: str) -> "GuardedFitness":
    """A new one by its name, `file.py:Class` or `module:Class`."""
    return GuardedFitness(made(f"fitness '{reference}'", FITNESSES.find(reference)), reference)


class GuardedFitness:
    """Whatever a fitness of others does wrong is told as its fault."""

    def __init__(self, fitness: Fitness, reference: str) -> None:
        self._fitness, self.reference = fitness, reference

    def fitness(self, candidate: Candidate) -> float:
        """What it says, which is a number."""
        try:
            found = float(self._fitness.fitness(candidate))
        except Exception as error:
            raise BadValue(
                f"fitness '{self.reference}' failed ({error_words(error)}); correct it"
            ) from error
        if math.isnan(found) or found == math.inf:
            raise BadValue(
                f"fitness '{self.reference}' returned {found}, expected a number, or -inf for a "
                "clip that must not be taken; correct it"
            )
        return found
