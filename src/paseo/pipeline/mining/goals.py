"""Where the robot was going: a place on the way that it took afterwards."""

import math
from dataclasses import dataclass

import numpy as np

from paseo.errors import BadValue
from paseo.world.arrays import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalRule:
    """The goal of a clip is where the robot was `after` seconds from its first frame.

    It is no further along the robot's way than `farthest` metres, never before the last frame of
    the clip, and the last place that is known if the drive ends sooner.
    """

    after: float = 10.0
    farthest: float = 10.0

    def __post_init__(self) -> None:
        for name in ("after", "farthest"):
            if not 0 < getattr(self, name) < math.inf:
                raise BadValue(f"a goal's {name} must be more than 0, not {getattr(self, name):g}")


@dataclass(frozen=True, slots=True)
class Goal:
    """A place, and when the robot was there."""

    x: float  # metres, in the frame of the way
    y: float
    time: float


def goal_on_way(times: FloatArray, way: FloatArray, last: int, rule: GoalRule) -> Goal:
    """The goal on a way, (samples, 2), that begins with a clip whose last frame is `last`."""
    gone = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(way, axis=0).T))])
    farthest = int(np.searchsorted(gone, rule.farthest))
    late = times[0] + rule.after
    if farthest < len(gone):
        share = (rule.farthest - gone[farthest - 1]) / (gone[farthest] - gone[farthest - 1])
        reached = times[farthest - 1] + share * (times[farthest] - times[farthest - 1])
        late = min(late, float(reached))
    time = min(max(late, float(times[last])), float(times[-1]))
    x, y = (float(np.interp(time, times, each)) for each in way.T)
    return Goal(x, y, time)
