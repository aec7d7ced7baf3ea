"""SA-CADRL: do what a network trained among others who also avoid each other values most.

Y. F. Chen, M. Everett, M. Liu, J. P. How: Socially Aware Motion Planning with Deep Reinforcement
Learning, IROS 2017. The authors' weights and rules, from gym-collision-avoidance 0.0.3 (MIT).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from paseo.errors import BadValue
from paseo.planners.sacadrl.action_values import FARTHEST_GOAL, Situation, best_action, nearest
from paseo.planners.sacadrl.value_network import Weights, shipped_network
from paseo.planners.sampling.checkpoints import Checkpoints
from paseo.world.arrays import FloatArray
from paseo.world.motion import Command, Control, Pose
from paseo.world.people import Crowd
from paseo.world.planning import Briefing, Observation


@dataclass(kw_only=True)
class Sacadrl:
    """Looks a second ahead at the three nearest people and takes the best of some 40 moves.

    It was trained among others who give way too, and does not see walls: checkpoints lead it
    around them, but while it gives way to people it may hit one. Published without limits on
    turning; by velocity the robot turns towards the chosen move as fast as it can.
    """

    control: ClassVar[Control] = Control.POSITION
    kernels: ClassVar[tuple[Callable[..., Any], ...]] = Checkpoints.kernels

    weights: Weights = Weights.NO_RULES  # the paper's; ROTATE_RIGHT passes on the right
    checkpoints: bool = True  # false: straight at the goal, whatever is between
    preferred_speed: float | None = None  # m/s; left out: the robot's top speed

    def __post_init__(self) -> None:
        try:
            self.weights = Weights(self.weights)
        except ValueError as error:
            known = " or ".join(each.value for each in Weights)
            raise BadValue(f"sacadrl: weights is {self.weights!r}, expected {known}") from error
        if self.preferred_speed is not None and not 0 < self.preferred_speed < math.inf:
            raise BadValue(
                f"sacadrl: preferred_speed is {self.preferred_speed}, expected more than 0 m/s"
            )

    def begin(self, briefing: Briefing) -> None:
        """Learn the way to the goal; forget everybody."""
        shipped_network(self.weights)  # read here, not in the first plan
        self._goal, self._dt, fastest = briefing.goal, briefing.dt, briefing.robot.max_speed
        self._speed = min(self.preferred_speed or fastest, fastest)
        self._velocities: dict[int, list[float]] = {}  # seen the moment before, by id
        self._checkpoints = Checkpoints() if self.checkpoints else None
        if self._checkpoints is not None:
            self._checkpoints.begin(briefing)

    def plan(self, observation: Observation) -> Command:
        """Go where the best action leads, facing that way, no longer than was looked ahead."""
        pose, crowd = observation.robot.pose, observation.crowd
        target = self._checkpoints.target(pose) if self._checkpoints else self._goal
        velocities = self._filtered(crowd)
        if not len(crowd):
            lasting = min(self._dt, pose.distance_to(target) / self._speed)
            bearing = math.atan2(target.y - pose.y, target.x - pose.x)
            return _moved(pose, self._speed * lasting, bearing)
        situation = self._situation(observation, target, velocities)
        speed, heading = best_action(situation, self.weights)
        return _moved(pose, speed * min(self._dt, situation.ahead), heading)

    def _filtered(self, crowd: Crowd) -> FloatArray:
        """Everybody's mean velocity over this observation and the last, (people, 2)."""
        now = dict(zip(crowd.ids.tolist(), crowd.velocities.tolist(), strict=True))
        before = [self._velocities.get(person, velocity) for person, velocity in now.items()]
        self._velocities = now
        return 0.5 * (crowd.velocities + np.array(before).reshape(-1, 2))

    def _situation(
        self, observation: Observation, target: Pose, velocities: FloatArray
    ) -> Situation:
        """The robot's own view of its target and the three nearest people."""
        robot, crowd = observation.robot, observation.crowd
        pose, radius = robot.pose, robot.radius
        # Goals beyond that look all the same to the network, and it would rather wait than go.
        share = FARTHEST_GOAL / max(pose.distance_to(target), FARTHEST_GOAL)
        goal = np.array([share * (target.x - pose.x), share * (target.y - pose.y)])
        offsets = crowd.positions - (pose.x, pose.y)
        gaps = np.hypot(offsets[:, 0], offsets[:, 1]) - radius - crowd.radii
        chosen = nearest(offsets, gaps, goal)
        return Situation(
            goal=goal,
            heading=pose.heading,
            speed=max(0.0, robot.twist.forward),
            preferred_speed=self._speed,
            radius=radius,
            offsets=offsets[chosen],
            velocities=velocities[chosen],
            radii=crowd.radii[chosen],
        )


def _moved(pose: Pose, way: float, heading: float) -> Pose:
    return Pose(pose.x + way * math.cos(heading), pose.y + way * math.sin(heading), heading)
