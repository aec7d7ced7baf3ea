"""A planner of your own: drives at the goal, and waits while somebody is close ahead.

By file:         paseo run scripted-10 --planner examples/careful/careful.py:Careful
By entry point:  pip install ./examples/careful, then: paseo run scripted-10 --planner careful
"""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from paseo import Briefing, Control, Observation, Twist


@dataclass
class Careful:
    """Straight at the goal, but waits while somebody will be close ahead `lookahead` s from now."""

    control: ClassVar[Control] = Control.VELOCITY

    lookahead: float = 1.0

    def begin(self, briefing: Briefing) -> None:
        """Remember the task."""
        self.goal, self.speed, self.dt = briefing.goal, briefing.robot.max_speed, briefing.dt

    def plan(self, observation: Observation) -> Twist:
        """Turn to the goal; go if the way is clear."""
        pose, crowd = observation.robot.pose, observation.crowd
        error = math.atan2(self.goal.y - pose.y, self.goal.x - pose.x) - pose.heading
        error = math.remainder(error, math.tau)
        offsets = crowd.positions + self.lookahead * crowd.velocities - (pose.x, pose.y)
        ahead = offsets @ (math.cos(pose.heading), math.sin(pose.heading))  # (people,)
        near = np.hypot(offsets[:, 0], offsets[:, 1]) < 1.0 + self.speed * self.lookahead
        wait = bool(np.any(near & (ahead > 0)))
        return Twist(0.0 if wait else self.speed * max(0.0, math.cos(error)), error / self.dt)
