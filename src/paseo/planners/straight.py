"""Straight: drive at the goal and see nothing. The floor of every comparison."""

import math
from dataclasses import dataclass
from typing import ClassVar

from paseo.world.motion import Command, Control, Pose, Twist, wrapped
from paseo.world.planning import Briefing, Observation


@dataclass
class Straight:
    """Turns towards the goal and drives at `speed` m/s, by default as fast as the robot can."""

    control: ClassVar[Control] = Control.VELOCITY
    looks: ClassVar[bool] = False  # nobody matters to it

    speed: float | None = None

    def begin(self, briefing: Briefing) -> None:
        """Remember the goal."""
        self._goal, self._dt, self._mode = briefing.goal, briefing.dt, briefing.control
        self._speed = briefing.robot.max_speed if self.speed is None else self.speed

    def plan(self, observation: Observation) -> Command:
        """Face the goal and go; what is left to turn slows the robot down."""
        pose, goal = observation.robot.pose, self._goal
        bearing = math.atan2(goal.y - pose.y, goal.x - pose.x)
        reach = min(self._speed * self._dt, pose.distance_to(goal))
        if self._mode is Control.POSITION:
            return Pose(
                pose.x + reach * math.cos(bearing), pose.y + reach * math.sin(bearing), bearing
            )
        error = wrapped(bearing - pose.heading)
        return Twist(reach / self._dt * max(0.0, math.cos(error)), error / self._dt)
