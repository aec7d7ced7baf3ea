"""Sampling: the cheapest of thousands of trajectories around walls; people are not looked at.

The pedestrian-unaware baseline of SocNavBench (A. Biswas, A. Wang, G. Silvera, A. Steinfeld and
H. Admoni, ACM Transactions on Human-Robot Interaction 2022, Sec. 4.1), which is the sampling
planner of HumANav (V. Tolani, S. Bansal, A. Faust and C. Tomlin, RA-L 2021).
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from paseo.compiled import compiled
from paseo.errors import BadValue
from paseo.planners.sampling.costs import (
    LEAST_ROOM,
    SAME,
    SPARE,
    Ground,
    Weights,
    clearance_at,
    ground,
    least_costs,
    stays_clear,
    trajectory_cost,
)
from paseo.planners.sampling.lattice import Trajectories, fitted_to, lattice, rolled_out
from paseo.planners.sampling.trajectories import Limits, limits_of, roll_out
from paseo.world.arrays import FloatArray, IntArray
from paseo.world.motion import Control, Pose, RobotState, Twist, wrapped
from paseo.world.planning import Briefing, Observation
from paseo.world.space.ways import walking_times, ways_to

PORTION = 250  # trajectories between two looks at the clock
STUCK = 0.1  # metres that a plan must bring the robot nearer, else walls cost nothing


@compiled
def cheapest(
    samples: FloatArray,  # (trajectories, samples, 3)
    counts: IntArray,
    splines: FloatArray,  # (trajectories, columns)
    order: IntArray,  # (some trajectories,), which to look at
    least: FloatArray,  # (trajectories,), what they cost at least
    start: FloatArray,  # x, y, heading, forward, turn
    room: float,
    ceiling: float,
    dt: float,
    horizon: float,
    limits: Limits,
    weights: Weights,
    on: Ground,
) -> tuple[int, float]:
    """The trajectory that costs least, and how much; -1 if none costs less than `ceiling`."""
    best = -1
    x, y, heading, forward, turn = start
    for k in order:
        if least[k] > ceiling:
            continue
        cost = trajectory_cost(samples[k], counts[k], x, y, heading, room, ceiling, weights, on)
        if cost < ceiling * (1.0 - SAME):
            poses, _ = roll_out(splines[k], forward, turn, dt, horizon, limits)
            if stays_clear(poses, x, y, heading, room, on):
                best, ceiling = k, cost
    return best, ceiling


@dataclass
class Sampling:
    """Drives along the cheapest of about `candidates` trajectories and plans anew every 0.5 s.

    A trajectory is a cubic spline to a waypoint ahead, at most `horizon` seconds long, as a
    unicycle within the robot's limits drives it. It costs the mean over the whole horizon: who
    arrives earlier waits there (in the original the mean ended with the trajectory, which made
    detours cheap), and one within the goal's radius may face anywhere. A trajectory that brings
    the robot to a wall is never taken; a passage must be some 7 cm wider than the robot.

    With `budget_s` planning stops after so many seconds; what it has found by then depends on the
    machine, so that such a run cannot be repeated exactly.
    """

    control: ClassVar[Control] = Control.VELOCITY
    kernels: ClassVar[tuple[Callable[..., Any], ...]] = (
        cheapest,
        clearance_at,
        fitted_to,
        least_costs,
        roll_out,
        rolled_out,
        walking_times,
    )

    candidates: int = 3000  # waypoints; those too far for the horizon are left out
    horizon: float = 6.0  # s
    replan_every: float = 0.5  # s
    budget_s: float | None = None  # left out: no limit
    obstacle_weight: float = 1.3
    obstacle_margin: float = 0.5  # metres from walls at which they begin to cost
    goal_weight: float = 0.08  # for the squared metres to go
    angle_weight: float = 0.008  # for the radians off the way

    def __post_init__(self) -> None:
        if not 100 <= self.candidates <= 20_000:
            raise BadValue(
                f"sampling: candidates is {self.candidates}, expected 100 to 20000; 3000 need "
                "15 MB, or 45 MB for a robot that cannot change its turn rate at once"
            )
        for key, most in (("horizon", 60.0), ("replan_every", 60.0), ("budget_s", math.inf)):
            value = getattr(self, key)
            if value is not None and not 0.0 < value <= most:
                raise BadValue(f"sampling: {key} is {value}, expected more than 0, at most {most}")
        weights = ("obstacle_weight", "obstacle_margin", "goal_weight", "angle_weight")
        for key in weights:
            if not 0.0 <= getattr(self, key) < math.inf:
                raise BadValue(f"sampling: {key} is {getattr(self, key)}, expected 0 or more")

    def begin(self, briefing: Briefing) -> None:
        """Learn the ways to the goal, and what trajectories this robot can drive."""
        robot = briefing.robot
        self._dt, self._limits = float(briefing.dt), limits_of(robot)
        self._needed = float(robot.needed_clearance)
        self._room = max(self._needed + SPARE, LEAST_ROOM)
        self._ways = ways_to(briefing.floorplan, briefing.goal, room=self._room)
        self._ground = ground(briefing, self._ways)
        self._lattice = lattice(self.candidates, float(self.horizon), self._limits, self._dt)
        self._weights = Weights(
            float(self.obstacle_weight),
            float(self.obstacle_margin),
            float(self.goal_weight),
            float(self.angle_weight),
        )
        self._held = max(1, round(self.replan_every / self._dt))
        self._twists = np.zeros((0, 2))  # (steps, 2) of the present plan
        self._step = self._due = 0  # the next of it, and the one before which to plan anew
        self._time = -self._dt  # of the last question

    def plan(self, observation: Observation) -> Twist:
        """The next twist of the present plan, or the first of a new one."""
        # Where thinking takes time, more than one step lies between two questions.
        self._step += max(0, round((observation.time - self._time) / self._dt) - 1)
        self._time = observation.time
        if self._step >= min(self._due, len(self._twists)):
            self._renew(observation.robot)
        if self._step >= len(self._twists):
            return self._turn_on_the_spot(observation.robot.pose)
        forward, turn = self._twists[self._step].tolist()
        self._step += 1
        return Twist(forward, turn)

    def upcoming(self) -> list[Twist]:
        """The rest of the present plan, to where it stops."""
        return [Twist(*twist) for twist in self._twists[self._step :].tolist()]

    def _renew(self, robot: RobotState) -> None:
        """Take up a new plan if there is one; else the present one goes on, to where it stops."""
        _, twists = self.trajectory(robot)
        if len(twists):
            self._twists, self._step = twists, 0
        self._due = (self._step // self._held + 1) * self._held

    def trajectory(self, robot: RobotState) -> tuple[FloatArray, FloatArray]:
        """The cheapest from here: poses (steps + 1, 3) and twists (steps, 2); empty if none."""
        pose, limits = robot.pose, self._limits
        forward = min(max(robot.twist.forward, 0.0), limits.speed)
        turn = min(max(robot.twist.turn, -limits.turn), limits.turn)
        start = np.array([pose.x, pose.y, pose.heading, forward, turn], np.float64)
        among = self._lattice.from_start(forward, turn)
        best = self._best(among, start, self._weights)
        if best < 0 or self._gain(start, among.end(best)) < STUCK:
            freely = self._best(among, start, self._weights._replace(obstacle=0.0))
            best = freely if freely >= 0 else best
        if best < 0:
            return np.zeros((0, 3)), np.zeros((0, 2))
        poses, twists = roll_out(
            among.splines[best], start[3], start[4], self._dt, float(self.horizon), limits
        )
        return _placed(poses, pose), twists

    def _best(self, among: Trajectories, start: FloatArray, weights: Weights) -> int:
        # Who is already nearer to a wall must not come nearer still.
        clear = clearance_at(start[0], start[1], self._ground)
        room = min(self._room, max(clear - 1e-3, min(clear, self._needed)))
        spacing = self._limits.speed * self._lattice.interval
        least = least_costs(among.samples, among.counts, start, spacing, weights, self._ground)
        order = np.argsort(np.round(least, 6), kind="stable")
        best, cost, begun = -1, math.inf, time.perf_counter()
        portion = len(order) if self.budget_s is None else PORTION
        for first in range(0, len(order), portion):
            found, cost = cheapest(
                among.samples, among.counts, among.splines, order[first : first + portion], least,
                start, room, cost, self._dt, float(self.horizon), self._limits, weights,
                self._ground,
            )  # fmt: skip
            best = best if found < 0 else found
            if self.budget_s is not None and time.perf_counter() - begun > self.budget_s:
                break
        return best

    def _gain(self, start: FloatArray, end: FloatArray) -> float:
        """How many metres nearer to the goal a trajectory ends than it starts."""
        x, y, heading = start[:3].tolist()
        cos, sin = math.cos(heading), math.sin(heading)
        end_x, end_y = x + cos * end[0] - sin * end[1], y + sin * end[0] + cos * end[1]
        return self._ways.metres_from(x, y) - self._ways.metres_from(end_x, end_y)

    def _turn_on_the_spot(self, pose: Pose) -> Twist:
        """Where no trajectory leads on: face the way."""
        dx, dy = self._ways.slope(pose.x, pose.y)
        if dx == dy == 0.0:
            return Twist(0.0, 0.0)
        return Twist(0.0, wrapped(math.atan2(dy, dx) - pose.heading) / self._dt)


def _placed(poses: FloatArray, start: Pose) -> FloatArray:
    """Poses from the origin, facing +x, as they are from another start."""
    cos, sin = math.cos(start.heading), math.sin(start.heading)
    return np.stack(
        [
            start.x + cos * poses[:, 0] - sin * poses[:, 1],
            start.y + sin * poses[:, 0] + cos * poses[:, 1],
            start.heading + poses[:, 2],
        ],
        axis=1,
    )
