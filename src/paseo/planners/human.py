"""The human reference: a recorded person in the robot's place."""

from dataclasses import dataclass, field
from typing import ClassVar

from paseo.errors import BadValue
from paseo.world.arrays import FloatArray
from paseo.world.motion import Control, Pose
from paseo.world.planning import Briefing, Observation


@dataclass
class Human:
    """Reference, not a planner: a recorded person walks, on an episode of their own."""

    control: ClassVar[Control] = Control.POSITION
    reference: ClassVar[bool] = True

    person: int | None = None  # whom to follow; None: whose walk is most like the robot's task
    walk: FloatArray | None = field(default=None, init=False, repr=False, compare=False)
    # (steps, 3): where the person is after each step

    def begin(self, briefing: Briefing) -> None:
        """Start from the first step; there is none without an episode made for it."""
        if self.walk is None:
            raise BadValue(
                "'human' walks only on episodes of its own; name it as a planner of a run, or make "
                "its episode with paseo.suite.runners.human.human_variant"
            )
        self._step = 0

    def plan(self, observation: Observation) -> Pose:
        """Where the person was recorded next."""
        assert self.walk is not None
        place = self.walk[min(self._step, len(self.walk) - 1)]
        self._step += 1
        return Pose(*place.tolist())
