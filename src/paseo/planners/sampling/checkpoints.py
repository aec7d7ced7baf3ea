"""Checkpoints: sub-goals on the way around walls, for planners that have no sense of walls.

The meta-planner of SocNavBench (A. Biswas, A. Wang, G. Silvera, A. Steinfeld and H. Admoni, ACM
Transactions on Human-Robot Interaction 2022, Sec. 4.1): the sampling planner without the unicycle.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from paseo.compiled import compiled
from paseo.errors import BadValue
from paseo.planners.sampling.costs import (
    LEAST_ROOM,
    SPACING,
    SPARE,
    Ground,
    clearance_at,
    ground,
    keeps_clear,
)
from paseo.planners.sampling.planner import Sampling
from paseo.world.arrays import FloatArray
from paseo.world.motion import Pose, RobotState, Twist
from paseo.world.planning import Briefing
from paseo.world.space.ways import ways_to

WIDE = 0.1  # metres to walls beyond the robot's radius, where there is a choice


@compiled
def furthest(x: float, y: float, path: FloatArray, room: float, on: Ground) -> tuple[float, float]:
    """The last place of a path to which a straight line keeps `room`; else where one is."""
    for k in range(len(path) - 1, -1, -1):
        if keeps_clear(x, y, path[k, 0], path[k, 1], room, on):
            return path[k, 0], path[k, 1]
    return x, y


@compiled
def stretched(
    x: float, y: float, to_x: float, to_y: float, length: float, room: float, on: Ground
) -> tuple[float, float]:
    """The end of a line, moved on until it is as long as wanted or would not keep `room`."""
    now = math.hypot(to_x - x, to_y - y)
    step_x, step_y = (to_x - x) / now * SPACING, (to_y - y) / now * SPACING
    while now < length and clearance_at(to_x + step_x, to_y + step_y, on) >= room:
        to_x, to_y, now = to_x + step_x, to_y + step_y, now + SPACING
    return to_x, to_y


@dataclass
class Checkpoints:
    """A sub-goal on the way to the goal, some `horizon` seconds ahead, and then a new one.

    It is where the trajectory of `sampling` ends, planned for a robot without the unicycle: one
    that leaves at once in the direction of the way, and turns as fast as it likes. In the open
    that is 5 to 7 m ahead. Who has no sense of walls goes there straight, so before a corner it
    is the last place of the trajectory to which the robot's disc can, with 10 cm to spare where
    there is a choice; who swerves more than that beside a wall may meet it. It is renewed within
    `renewed_within` metres, and when the robot has got to where its disc cannot go straight to it
    any more. The goal itself is the checkpoint once the robot can go there in `horizon`.
    """

    kernels: ClassVar[tuple[Callable[..., Any], ...]] = (*Sampling.kernels, furthest, stretched)

    horizon: float = 6.0
    renewed_within: float = 1.0

    def __post_init__(self) -> None:
        for key in ("horizon", "renewed_within"):
            if not 0.0 < getattr(self, key) < math.inf:
                raise BadValue(
                    f"checkpoints: {key} is {getattr(self, key)}, expected more than 0 and finite"
                )

    def begin(self, briefing: Briefing) -> None:
        """Learn the way to the goal of an episode."""
        self._goal, self._plan = briefing.goal, briefing.floorplan
        self._radius = float(max(briefing.robot.radius, briefing.robot.needed_clearance))
        self._reach = float(self.horizon * briefing.robot.max_speed)
        freely = replace(
            briefing.robot,
            wall_radius=self._radius,
            max_turn=math.inf,
            max_acceleration=math.inf,
            max_turn_acceleration=math.inf,
        )
        self._sampling = Sampling(horizon=self.horizon)
        self._sampling.begin(replace(briefing, robot=freely))
        self._ways = ways_to(self._plan, self._goal, room=self._radius + SPARE)
        self._ground = ground(briefing, self._ways)
        self._checkpoint: Pose | None = None

    def target(self, pose: Pose) -> Pose:
        """Where to go from here: the present checkpoint, or the goal itself."""
        if self._checkpoint is None or self._is_due(pose, self._checkpoint):
            self._checkpoint = self._renewed(pose)
        return self._checkpoint

    def _is_due(self, pose: Pose, checkpoint: Pose) -> bool:
        near = pose.distance_to(checkpoint) < self.renewed_within
        if near and checkpoint is not self._goal:
            return True
        return not self._plan.leaves_room(pose, checkpoint, self._radius)

    def _renewed(self, pose: Pose) -> Pose:
        near = pose.distance_to(self._goal) <= self._reach
        if near and self._plan.leaves_room(pose, self._goal, self._radius):
            return self._goal
        path = self._trajectory(pose)
        ahead = self._ahead(pose, path, self._radius + WIDE)
        if pose.distance_to(ahead) < self.renewed_within:
            nearer = self._ahead(pose, path, self._radius + SPARE)
            ahead = max(ahead, nearer, key=pose.distance_to)
        if ahead is pose:
            ahead = self._ahead(pose, path, LEAST_ROOM)
        return self._way_out(pose) if ahead is pose else ahead

    def _trajectory(self, pose: Pose) -> FloatArray:
        """Where the sampling planner would go from here, facing the way and at full speed."""
        dx, dy = self._ways.slope(pose.x, pose.y)
        along = Pose(pose.x, pose.y, math.atan2(dy, dx))
        state = RobotState(along, Twist(self._reach / self.horizon, 0.0), self._radius)
        poses, _ = self._sampling.trajectory(state)
        return poses

    def _ahead(self, pose: Pose, path: FloatArray, room: float) -> Pose:
        """The furthest place to go straight to, and a bit further if it is very near."""
        x, y = float(pose.x), float(pose.y)
        # Who is already nearer to a wall must not come nearer still.
        room = min(room, clearance_at(x, y, self._ground) - 1e-3)
        to_x, to_y = furthest(x, y, path, room, self._ground)
        if (to_x, to_y) == (x, y):
            return pose
        apart = 1.5 * float(self.renewed_within)
        to_x, to_y = stretched(x, y, to_x, to_y, apart, room, self._ground)
        return Pose(to_x, to_y, math.atan2(to_y - y, to_x - x))

    def _way_out(self, pose: Pose) -> Pose:
        """Where a wall is too near to go along it: the place around with the shortest way."""
        apart = 1.5 * self.renewed_within
        ring = [
            Pose(pose.x + apart * math.cos(bearing), pose.y + apart * math.sin(bearing), bearing)
            for bearing in (math.tau * k / 24 for k in range(24))
        ]
        seen = [place for place in ring if self._plan.sees(pose, place)]
        return min(seen, key=lambda at: self._ways.metres_from(at.x, at.y), default=self._goal)
