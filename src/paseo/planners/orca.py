"""ORCA: the velocity nearest to the wish that is free of everybody and of walls for some seconds.

J. van den Berg, S. J. Guy, M. Lin, D. Manocha: Reciprocal n-body collision avoidance. Robotics
Research (ISRR 2009), Springer Tracts in Advanced Robotics 70, 2011. Parameters as the client of A.
Biswas et al., SocNavBench, ACM THRI 11(3), 2022, had them.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from paseo.crowd.steering import orca
from paseo.crowd.steering.models import Walkers
from paseo.errors import BadValue
from paseo.world.arrays import FloatArray
from paseo.world.motion import Command, Control, Pose
from paseo.world.people import Crowd
from paseo.world.planning import Briefing, Observation


@dataclass(kw_only=True)
class Orca:
    """Heads straight for the goal and takes all of the avoiding upon itself.

    The people do not cooperate, so the robot makes way for everybody, as if they kept their
    velocity. It slides along walls but does not know the way around them: behind a corner it stops
    for good. This is what SocNavBench's released client ran, which planned checkpoints and
    then ignored them; the paper's ORCA row is `orca-checkpoints`. That client wanted to go
    at 1.0 m/s (`preferred_speed=1.0`) where 1.2 m/s were allowed.
    """

    control: ClassVar[Control] = Control.POSITION
    kernels: ClassVar[tuple[Callable[..., Any], ...]] = (orca.steered,)

    preferred_speed: float | None = None  # m/s; left out: the robot's top speed
    margin: float = 1.05  # the robot and people count as this many times as wide
    neighbour_distance: float = 50.0  # m, beyond which nobody is noticed
    most_neighbours: int = 50  # only the nearest are
    horizon: float = 5.0  # s, for which it stays free of people
    wall_horizon: float = 5.0  # s, for which it stays free of walls
    responsibility: float = 1.0  # its share of each avoidance, 0 to 1

    def __post_init__(self) -> None:
        if not (self.preferred_speed is None or 0.0 < self.preferred_speed < math.inf):
            raise BadValue(
                f"orca: preferred_speed is {self.preferred_speed}, expected more than 0 or none"
            )
        if not 0.0 < self.margin < math.inf:
            raise BadValue(f"orca: margin is {self.margin}, expected more than 0")
        self._model = orca.Orca(
            neighbour_distance=self.neighbour_distance,
            most_neighbours=self.most_neighbours,
            horizon=self.horizon,
            wall_horizon=self.wall_horizon,
            responsibility=self.responsibility,
            precision=orca.Precision.DOUBLE,
        )

    def begin(self, briefing: Briefing) -> None:
        """Learn where the goal and the walls are."""
        self._model.begin(briefing.floorplan)
        self._goal, self._dt = briefing.goal, float(briefing.dt)
        self._top_speed = briefing.robot.max_speed
        self._speed = min(self.preferred_speed or self._top_speed, self._top_speed)

    def plan(self, observation: Observation) -> Command:
        """Go the best way towards the goal that is free for one step, facing that way."""
        return self.towards(self._goal, observation)

    def towards(self, target: Pose, observation: Observation) -> Pose:
        """Where one step leads if the robot would like to be at `target`, and stop there."""
        pose, state = observation.robot.pose, observation.robot
        speed, dt = state.twist.forward, self._dt
        velocity = (speed * math.cos(pose.heading), speed * math.sin(pose.heading))
        distance = pose.distance_to(target)
        share = min(self._speed, distance / dt) / distance if distance > 0.0 else 0.0
        wanted = (share * (target.x - pose.x), share * (target.y - pose.y))
        walkers = self._walkers((pose.x, pose.y), velocity, wanted, state.radius, observation.crowd)
        vx, vy = self._model.velocity_of(0, walkers, dt).tolist()
        heading = math.atan2(vy, vx) if vx or vy else pose.heading
        return Pose(pose.x + dt * vx, pose.y + dt * vy, heading)

    def _walkers(
        self,
        place: tuple[float, float],
        velocity: tuple[float, float],
        wanted: tuple[float, float],
        radius: float,
        crowd: Crowd,
    ) -> Walkers:
        """The robot before everybody else, who want nothing but to walk on."""
        velocities = _after(velocity, crowd.velocities)
        wishes = velocities.copy()
        wishes[0] = wanted
        radii = np.empty(len(crowd) + 1)
        radii[0], radii[1:] = radius, crowd.radii
        top_speeds = np.full(len(crowd) + 1, self._top_speed)  # only the robot's is asked for
        return Walkers(
            _after(place, crowd.positions), velocities, wishes, radii * self.margin, top_speeds
        )


def _after(first: tuple[float, float], others: FloatArray) -> FloatArray:
    """One row before all others, (1 + others, 2)."""
    rows = np.empty((len(others) + 1, 2))
    rows[0], rows[1:] = first, others
    return rows
