"""The artefact of the published baseline: it stands still in every tenth step.

The released client re-plans after ten commands, and the first of the ten is the pose it has. That
alone makes the acceleration and the jerk of the baseline's row in Table 4.
"""

from dataclasses import dataclass
from typing import ClassVar

from paseo.planners.sampling.planner import Sampling
from paseo.world.motion import Command, Control
from paseo.world.planning import Briefing, Observation

PERIOD = 10  # steps


@dataclass
class Stopping:
    """The sampling planner as the released client drove it: position control, a stop in ten."""

    control: ClassVar[Control] = Control.POSITION

    def begin(self, briefing: Briefing) -> None:
        """Begin as the sampling planner does."""
        self._sampling, self._step = Sampling(), 0
        self._sampling.begin(briefing)

    def plan(self, observation: Observation) -> Command:
        """The sampling planner's command, but for every tenth."""
        command = self._sampling.plan(observation)
        stands = self._step % PERIOD == 0
        self._step += 1
        return observation.robot.pose if stands else command
