"""Social Forces: the goal pulls the robot, people and walls push it, as in SocNavBench.

M. Moussaid, D. Helbing et al., Experimental study of the behavioural mechanisms underlying
self-organization in human crowds, Proc. R. Soc. B 276, 2755 (2009), in the form of C. Gloor's
library PEDSIM and with the numbers of A. Biswas et al., SocNavBench: A grounded simulation testing
framework for evaluating social navigation, ACM THRI 11(3), 2022.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from paseo.compiled import compiled
from paseo.crowd.steering import social_force as crowd_forces
from paseo.crowd.steering.forces import (
    DX,
    DY,
    MY_VX,
    MY_VY,
    OTHER_VX,
    OTHER_VY,
    PUSH_X,
    PUSH_Y,
    Law,
    angular,
)
from paseo.errors import BadValue
from paseo.world.arrays import FloatArray, IntArray
from paseo.world.motion import Command, Control, Pose
from paseo.world.planning import Briefing, Observation
from paseo.world.space.geometry import segment_distance

CELL_SIDE = 1.0  # metres; of the cells that have lists of walls
MOST_CELLS = 4096  # of larger maps the cells are larger
CLOSEST = 1e-6  # metres; who is nearer pushes as from there
TOWARDS = math.cos(2.5)  # of the angle between the robot's way and that of somebody coming
AHEAD = math.tan(0.3)  # of half the angle in which the robot looks for them

POSITIVE = {"sight", "turning_time", "wall_range", "look_ahead"}  # all else may be 0


class Pulls(NamedTuple):
    """The numbers of `SocialForce` that the crowd's law does not have."""

    goal_force: float
    near_goal: float
    near_goal_force: float
    look_ahead: float
    look_ahead_force: float
    wall_force: float
    wall_range: float
    body_radius: float
    pull_back: float


class NearWalls(NamedTuple):
    """The walls, with a list for each cell of a grid: which can be nearest or in the way there."""

    walls: FloatArray  # (walls, 2, 2)
    x0: float
    y0: float
    side: float
    columns: int
    rows: int
    starts: IntArray  # (cells + 2,), where lists begin: of each cell, then of everywhere else
    listed: IntArray  # (entries,), rows of `walls`


# Position x, y and velocity x, y; the goal x, y; top speed and dt.
Step = tuple[float, float, float, float, float, float, float, float]


@compiled
def next_place(
    step: Step, people: FloatArray, law: Law, pulls: Pulls, near: NearWalls
) -> tuple[float, float]:
    """Where the robot goes in one step among people (people, 4): x, y and velocity x, y.

    The velocity takes up all forces, but the step is made at the mean of old and new velocity.
    """
    x, y, vx, vy, goal_x, goal_y, top_speed, dt = step
    ex, ey, to_goal = direction(goal_x - x, goal_y - y)
    pull = top_speed * (pulls.near_goal_force if to_goal <= pulls.near_goal else pulls.goal_force)
    wall, wall_x, wall_y = nearest_wall(x, y, near)
    push = pulls.wall_force * math.exp((pulls.body_radius - wall) / pulls.wall_range)
    social_x, social_y = social_push(step, people, law, ex, ey)
    aside = pulls.look_ahead_force * side_to_take(x, y, ex, ey, people, pulls.look_ahead)
    new_x = vx + dt * (pull * ex + push * wall_x + social_x - aside * ey)
    new_y = vy + dt * (pull * ey + push * wall_y + social_y + aside * ex)
    way_x, way_y, speed = direction(new_x, new_y)
    if speed > top_speed:
        new_x, new_y = top_speed * way_x, top_speed * way_y
    step_x, step_y = 0.5 * dt * (vx + new_x), 0.5 * dt * (vy + new_y)
    share = share_before_wall(x, y, step_x, step_y, near)
    if share <= 1.0:
        step_x, step_y = share * step_x, share * step_y
        step_x, step_y = step_x - pulls.pull_back * way_x, step_y - pulls.pull_back * way_y
    return x + step_x, y + step_y


@compiled
def direction(x: float, y: float) -> tuple[float, float, float]:
    """A vector as direction and length; of no length, it has no direction."""
    length = math.sqrt(x * x + y * y)
    if length == 0.0:
        return 0.0, 0.0, 0.0
    return x / length, y / length, length


@compiled
def social_push(
    step: Step, people: FloatArray, law: Law, ex: float, ey: float
) -> tuple[float, float]:
    """What all people in sight add to the robot's acceleration, m/s2."""
    x, y, vx, vy = step[0], step[1], step[2], step[3]
    pairs = np.empty((11, people.shape[0]))
    count = 0
    for k in range(people.shape[0]):
        dx, dy = x - people[k, 0], y - people[k, 1]
        square = dx * dx + dy * dy
        if square <= law.sight * law.sight:
            if square < CLOSEST * CLOSEST:  # on top of the robot: as if in its way
                dx, dy = -CLOSEST * ex, -CLOSEST * ey
            pairs[DX, count], pairs[DY, count] = dx, dy
            pairs[MY_VX, count], pairs[MY_VY, count] = vx, vy
            pairs[OTHER_VX, count], pairs[OTHER_VY, count] = people[k, 2], people[k, 3]
            count += 1
    angular(pairs, count, law)
    push_x = push_y = 0.0
    for k in range(count):
        push_x += pairs[PUSH_X, k]
        push_y += pairs[PUSH_Y, k]
    return push_x, push_y


@compiled
def side_to_take(
    x: float, y: float, ex: float, ey: float, people: FloatArray, look_ahead: float
) -> float:
    """1 to step left because more people come towards the robot on its right, -1 for right."""
    more_right = 0
    for k in range(people.shape[0]):
        dx, dy = people[k, 0] - x, people[k, 1] - y
        vx, vy = people[k, 2], people[k, 3]
        if dx * dx + dy * dy < look_ahead * look_ahead:
            if ex * vx + ey * vy < TOWARDS * math.sqrt(vx * vx + vy * vy):
                ahead, left = ex * dx + ey * dy, ex * dy - ey * dx
                if abs(left) < AHEAD * ahead:
                    more_right += (left < 0.0) - (left > 0.0)
    return float((more_right > 0) - (more_right < 0))


@compiled
def list_at(x: float, y: float, near: NearWalls) -> int:
    """The list of the cell a position is in, or the list of all walls."""
    column, row = (x - near.x0) / near.side, (y - near.y0) / near.side
    if 0.0 <= column < near.columns and 0.0 <= row < near.rows:
        return int(row) * near.columns + int(column)
    return near.columns * near.rows


@compiled
def nearest_wall(x: float, y: float, near: NearWalls) -> tuple[float, float, float]:
    """Metres to the nearest wall and the direction away from it."""
    cell = list_at(x, y, near)
    best, nearest_x, nearest_y = math.inf, 0.0, 0.0
    for entry in range(near.starts[cell], near.starts[cell + 1]):
        wall = near.walls[near.listed[entry]]
        wx, wy = wall[1, 0] - wall[0, 0], wall[1, 1] - wall[0, 1]
        px, py = x - wall[0, 0], y - wall[0, 1]
        length2 = wx * wx + wy * wy
        share = 0.0
        if length2 > 0.0:
            share = min(1.0, max(0.0, (px * wx + py * wy) / length2))
        px, py = px - share * wx, py - share * wy
        if px * px + py * py < best:
            best, nearest_x, nearest_y = px * px + py * py, px, py
    away_x, away_y, _ = direction(nearest_x, nearest_y)
    return math.sqrt(best), away_x, away_y


@compiled
def share_before_wall(x: float, y: float, step_x: float, step_y: float, near: NearWalls) -> float:
    """The share of a step after which it first meets a wall; 2 if it meets none."""
    cell = list_at(x, y, near)
    first = 2.0
    for entry in range(near.starts[cell], near.starts[cell + 1]):
        wall = near.walls[near.listed[entry]]
        wx, wy = wall[1, 0] - wall[0, 0], wall[1, 1] - wall[0, 1]
        px, py = wall[0, 0] - x, wall[0, 1] - y
        across = step_x * wy - step_y * wx
        if across != 0.0:
            along = (px * wy - py * wx) / across
            on_wall = (px * step_y - py * step_x) / across
            if 0.0 <= along <= 1.0 and 0.0 <= on_wall <= 1.0:
                first = min(first, along)
    return first


@compiled
def walls_by_cell(
    walls: FloatArray, x0: float, y0: float, side: float, columns: int, rows: int, reach: float
) -> tuple[IntArray, IntArray]:
    """`starts` and `listed` of `NearWalls`; a step that meets no unlisted wall is up to reach."""
    cells, count = columns * rows, walls.shape[0]
    starts = np.zeros(cells + 2, np.int64)
    listed = np.empty(count, np.int64)
    distances = np.empty(count)
    for cell in range(cells):
        x, y = x0 + side * (cell % columns + 0.5), y0 + side * (cell // columns + 0.5)
        nearest = math.inf
        for k in range(count):
            distances[k] = segment_distance(x, y, walls[k])
            nearest = min(nearest, distances[k])
        # From a corner of the cell everything may be nearer, or further, by half its diagonal.
        limit = nearest + math.sqrt(2.0) * side + reach
        entries = starts[cell]
        if listed.shape[0] < entries + 2 * count:
            longer = np.empty(2 * entries + 2 * count, np.int64)
            longer[:entries] = listed[:entries]
            listed = longer
        for k in range(count):
            if distances[k] <= limit:
                listed[entries] = k
                entries += 1
        starts[cell + 1] = entries
    listed[starts[cells] : starts[cells] + count] = np.arange(count)
    starts[cells + 1] = starts[cells] + count
    return starts, listed[: starts[cells + 1]]


def near_walls(walls: FloatArray, reach: float) -> NearWalls:
    """Lists of walls (walls, 2, 2) for steps of up to `reach` metres."""
    walls = np.array(walls, np.float64)  # one's own: of a read-only array kernels are compiled anew
    if len(walls) == 0:
        return NearWalls(walls, 0.0, 0.0, 1.0, 0, 0, np.zeros(2, np.int64), np.zeros(0, np.int64))
    x0, y0 = walls.min(axis=(0, 1)).tolist()
    width, height = (walls.max(axis=(0, 1)) - (x0, y0)).tolist()
    side = max(CELL_SIDE, math.sqrt(width * height / MOST_CELLS))
    columns, rows = int(width / side) + 1, int(height / side) + 1
    starts, listed = walls_by_cell(walls, x0, y0, side, columns, rows, float(reach))
    return NearWalls(walls, x0, y0, side, columns, rows, starts, listed)


@dataclass(kw_only=True)
class SocialForce:
    """Is pulled by the goal and pushed by people and walls; turns on the spot, has no plan.

    The robot of SocNavBench's Social Forces row. It sees only where it is going: it can stop for
    good behind a corner, and circle a goal that it misses, for nothing slows it down there. It
    takes its velocity from the step that it made, half of which was still made at the velocity
    before: so forces change its velocity only half as fast as their sum says.

    Unlike the original's, its people have the velocity that is observed, its walls are those of
    the floor plan, and people who stand are not taken for people who walk along +y.
    """

    control: ClassVar[Control] = Control.POSITION
    kernels: ClassVar[tuple[Callable[..., Any], ...]] = (next_place, walls_by_cell)

    goal_force: float = 1.0  # 1/s; times the top speed it is the pull of the goal
    near_goal: float = 0.804  # m; this near to the goal ...
    near_goal_force: float = 1000.0  # 1/s, ... this counts instead
    social_force: float = 10.0  # m/s2, the most with which one person makes it brake, or turn
    sight: float = 8.0  # m, beyond which people do not push
    foresight: float = 2.0  # s/m, lambda: the weight of velocities against directions
    turning_time: float = 0.35  # m per unit of interaction, gamma
    braking_focus: float = 3.0  # 1/(m rad), n'
    turning_focus: float = 2.0  # 1/(m rad), n
    look_ahead: float = 20.0  # m, up to where people who come towards it are counted
    look_ahead_force: float = 0.5  # m/s2, to the side where fewer of them are
    wall_force: float = 3.0  # m/s2, of the nearest wall when the body touches it
    wall_range: float = 0.8  # m, in which it falls to a third
    body_radius: float = 0.2  # m, from which walls count; PEDSIM's, not the robot's
    pull_back: float = 0.1  # m, before a wall that a step would cross

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if not (0.0 < value < math.inf or (value == 0.0 and name not in POSITIVE)):
                least = "more than 0" if name in POSITIVE else "0 or more"
                raise BadValue(f"social-force: {name} is {value}, expected {least}")
        for name, value in vars(self).items():
            setattr(self, name, float(value))  # for integers kernels are compiled anew

    def begin(self, briefing: Briefing) -> None:
        """Learn where the goal and the walls are."""
        among = crowd_forces.SocialForce(
            form=crowd_forces.Form.ANGULAR,
            turning=self.social_force,
            sight=self.sight,
            foresight=self.foresight,
            turning_time=self.turning_time,
            braking_focus=self.braking_focus,
            turning_focus=self.turning_focus,
            side_bias=0.0,
        )
        among.begin(briefing.floorplan)
        self._law = among.law
        self._pulls = Pulls(*(getattr(self, name) for name in Pulls._fields))
        top_speed, dt = float(briefing.robot.max_speed), float(briefing.dt)
        self._near = near_walls(briefing.floorplan.walls, top_speed * dt)
        self._task = (float(briefing.goal.x), float(briefing.goal.y), top_speed, dt)

    def plan(self, observation: Observation) -> Command:
        """Go where the forces lead within one step, facing that way."""
        pose, speed = observation.robot.pose, observation.robot.twist.forward
        vx, vy = speed * math.cos(pose.heading), speed * math.sin(pose.heading)
        crowd = observation.crowd
        people = np.concatenate((crowd.positions, crowd.velocities), axis=1, dtype=np.float64)
        step = (pose.x, pose.y, vx, vy, *self._task)
        x, y = next_place(step, people, self._law, self._pulls, self._near)
        stands = x == pose.x and y == pose.y
        heading = pose.heading if stands else math.atan2(y - pose.y, x - pose.x)
        return Pose(x, y, heading)
