"""Compiled ways: what lies ahead on the way around walls to the goal."""

import math
from typing import NamedTuple

import numpy as np

from paseo.compiled import compiled
from paseo.planners.unicycle import SKIN, Limits, Rolling, Walls, turned_by
from paseo.world.arrays import FloatArray
from paseo.world.planning import Briefing
from paseo.world.space.geometry import field_at
from paseo.world.space.ways import downhill, ways_to

STRIDE = 0.1  # metres, in which a way is followed
SOON = 0.5  # seconds in which a turn should have begun
EASY = 0.4  # metres more than the robot needs that the way keeps off walls where it can


class Way(NamedTuple):
    """The lengths of all ways to the goal, and the goal."""

    metres: FloatArray  # (rows, columns), at cell centres
    x0: float
    y0: float
    cell_size: float
    goal_x: float
    goal_y: float


def way_of(briefing: Briefing) -> Way:
    """The ways to the goal that a robot's whole disc finds room on."""
    robot, goal = briefing.robot, briefing.goal
    room = max(robot.radius, robot.needed_clearance) + SKIN
    ways = ways_to(briefing.floorplan, goal, room=room, easy=EASY)
    x0, y0 = map(float, ways.origin)
    return Way(ways.metres, x0, y0, float(ways.cell_size), float(goal.x), float(goal.y))


@compiled
def path_ahead(x: float, y: float, length: float, way: Way) -> FloatArray:
    """Points in strides along the way, (points, 2); they end with the goal, or after `length`."""
    points = np.empty((max(math.ceil(length / STRIDE), 1), 2))
    for k in range(points.shape[0]):
        if math.hypot(way.goal_x - x, way.goal_y - y) < 2.0 * way.cell_size + STRIDE:
            points[k, 0], points[k, 1] = way.goal_x, way.goal_y
            return points[: k + 1]
        dx, dy = downhill(x, y, way.metres, way.x0, way.y0, way.cell_size)
        x, y = x + STRIDE * dx, y + STRIDE * dy
        points[k, 0], points[k, 1] = x, y
    return points


@compiled
def straight_target(
    now: Rolling, path: FloatArray, ahead: float, limits: Limits, walls: Walls
) -> tuple[float, float]:
    """The furthest point of the path, at most `ahead` metres along, that can be had straight on."""
    x, y = path[0]
    for k in range(1, min(path.shape[0], math.ceil(ahead / STRIDE))):
        if not has_room(now, path[k, 0], path[k, 1], limits.wall_radius + 2.0 * SKIN, walls):
            break
        x, y = path[k]
    return x, y


@compiled
def has_room(now: Rolling, x: float, y: float, room: float, walls: Walls) -> bool:
    """Whether a disc finds room on the straight line to a point, as far as it has it now."""
    points = math.ceil(math.hypot(x - now.x, y - now.y) / STRIDE)
    least = min(room, field_at(now.x, now.y, walls.distance, walls.x0, walls.y0, walls.cell_size))
    for k in range(1, points + 1):
        px, py = now.x + (x - now.x) * k / points, now.y + (y - now.y) * k / points
        if field_at(px, py, walls.distance, walls.x0, walls.y0, walls.cell_size) < least:
            return False
    return True


@compiled
def useful_speed(now: Rolling, target: tuple[float, float], limits: Limits) -> float:
    """The speed above which the robot would circle around the target."""
    dx, dy = target[0] - now.x, target[1] - now.y
    off = abs(turned_by(math.atan2(dy, dx) - now.heading))
    across = 2.0 * math.sin(min(off, 0.5 * math.pi))
    return brisk_turn(limits) * math.hypot(dx, dy) / max(across, 1e-9)


@compiled
def brisk_turn(limits: Limits) -> float:
    """The turn rate that a robot can count on soon."""
    return min(limits.top_turn, limits.turn_acceleration * SOON)
