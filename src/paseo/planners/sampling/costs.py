"""What a trajectory costs: walls beside it, the way left to the goal, and facing elsewhere."""

import math
from typing import NamedTuple

import numpy as np

from paseo.compiled import compiled
from paseo.world.arrays import FloatArray, IntArray
from paseo.world.planning import Briefing
from paseo.world.space.geometry import field_at
from paseo.world.space.ways import Ways, downhill

SPARE = 0.005  # metres to walls beyond what is needed: fields are bilinear
LEAST_ROOM = 0.06  # metres: thinner walls fall between the cells of a field
NEAR = 0.2  # metres of the margin that cost as much as the weight says
SPACING = 0.05  # metres between the places where a trajectory beside a wall is looked at
SAME = 1e-9  # of a cost: which of two alike is taken must not hang on rounding
STEEP = 1.1  # metres by which the way gets shorter, at most, for a metre driven


class Ground(NamedTuple):
    """A floor plan and the ways over it, as the kernels want them."""

    distance: FloatArray  # (rows, columns), metres to walls
    cell: float
    metres: FloatArray  # (rows, columns) of larger cells, metres to go
    ways_cell: float
    x0: float
    y0: float
    goal_x: float
    goal_y: float
    goal_radius: float


class Weights(NamedTuple):
    """The objective of SocNavBench's sampling planner (Biswas et al. 2022), in its own numbers."""

    obstacle: float = 1.3
    margin: float = 0.5  # metres from walls at which they begin to cost
    goal: float = 0.08  # for the squared metres to go
    angle: float = 0.008  # for the radians between the heading and the way


def ground(briefing: Briefing, ways: Ways) -> Ground:
    """What a planner was told of the floor plan and its goal, and the ways, as kernels want it."""
    plan, goal = briefing.floorplan, briefing.goal
    places = map(float, (*plan.origin, goal.x, goal.y, briefing.goal_radius))
    return Ground(plan.distance, float(plan.cell_size), ways.metres, float(ways.cell_size), *places)


@compiled
def clearance_at(x: float, y: float, on: Ground) -> float:
    """Metres to the nearest wall, bilinear; minus infinity off the map."""
    return field_at(x, y, on.distance, on.x0, on.y0, on.cell)


@compiled
def pose_cost(
    x: float, y: float, heading: float, clear: float, weights: Weights, on: Ground
) -> float:
    """What it costs to be at one pose."""
    cost = 0.0
    if clear < weights.margin:
        cost += weights.obstacle * ((weights.margin - clear) / NEAR) ** 3
    to_go = field_at(x, y, on.metres, on.x0, on.y0, on.ways_cell)
    cost += weights.goal * to_go * to_go
    if to_go < on.goal_radius:  # there is no way any more that it could face
        return cost
    dx, dy = downhill(x, y, on.metres, on.x0, on.y0, on.ways_cell)
    if dx != 0.0 or dy != 0.0:
        ahead = dx * math.cos(heading) + dy * math.sin(heading)
        cost += weights.angle * math.acos(min(1.0, max(-1.0, ahead)))
    return cost


@compiled
def keeps_clear(ax: float, ay: float, bx: float, by: float, room: float, on: Ground) -> bool:
    """Whether every place on a straight line, its first end aside, is `room` from walls."""
    pieces = max(1, math.ceil(math.hypot(bx - ax, by - ay) / SPACING))
    for k in range(1, pieces + 1):
        share = k / pieces
        if clearance_at(ax + share * (bx - ax), ay + share * (by - ay), on) < room:
            return False
    return True


@compiled
def trajectory_cost(
    samples: FloatArray,  # (samples, 3) from the origin, facing +x; the start itself left out
    count: int,  # samples that are valid: then the robot waits until the others are as long
    x: float,
    y: float,
    heading: float,
    room: float,
    ceiling: float,
    weights: Weights,
    on: Ground,
) -> float:
    """The mean over a trajectory from a pose; infinite at walls and once it is above `ceiling`."""
    whole = samples.shape[0]
    cos, sin = math.cos(heading), math.sin(heading)
    total = cost = 0.0
    last_x, last_y, last_clear = x, y, -math.inf
    for k in range(count):
        px = x + cos * samples[k, 0] - sin * samples[k, 1]
        py = y + sin * samples[k, 0] + cos * samples[k, 1]
        clear = clearance_at(px, py, on)
        if clear < room:
            return math.inf
        # The clearance changes by at most a metre per metre.
        if max(clear, last_clear) - math.hypot(px - last_x, py - last_y) < room:
            if not keeps_clear(last_x, last_y, px, py, room, on):
                return math.inf
        cost = pose_cost(px, py, heading + samples[k, 2], clear, weights, on)
        total += cost
        if total > ceiling * whole:
            return math.inf
        last_x, last_y, last_clear = px, py, clear
    return (total + (whole - count) * cost) / whole


@compiled
def stays_clear(
    poses: FloatArray, x: float, y: float, heading: float, room: float, on: Ground
) -> bool:
    """Whether a trajectory (poses, 3) that begins at a pose keeps `room` to walls all along."""
    cos, sin = math.cos(heading), math.sin(heading)
    last_x, last_y = x, y
    for k in range(1, len(poses)):
        px = x + cos * poses[k, 0] - sin * poses[k, 1]
        py = y + sin * poses[k, 0] + cos * poses[k, 1]
        if not keeps_clear(last_x, last_y, px, py, room, on):
            return False
        last_x, last_y = px, py
    return True


@compiled
def least_costs(
    samples: FloatArray,  # (trajectories, samples, 3)
    counts: IntArray,
    start: FloatArray,  # x, y, heading, ...
    spacing: float,  # metres between samples at most
    weights: Weights,
    on: Ground,
) -> FloatArray:
    """What trajectories cost at least, (trajectories,), by their ends and as the crow flies."""
    found, whole = np.empty(len(counts)), samples.shape[1]
    x, y = start[0], start[1]
    cos, sin = math.cos(start[2]), math.sin(start[2])
    here = field_at(x, y, on.metres, on.x0, on.y0, on.ways_cell)
    goal_x = cos * (on.goal_x - x) + sin * (on.goal_y - y)
    goal_y = cos * (on.goal_y - y) - sin * (on.goal_x - x)
    for k in range(len(counts)):
        count = counts[k]
        end = samples[k, count - 1]
        px, py = x + cos * end[0] - sin * end[1], y + sin * end[0] + cos * end[1]
        there = field_at(px, py, on.metres, on.x0, on.y0, on.ways_cell)
        total = 0.0
        for n in range(1, count + 1):
            least = max(here - STEEP * spacing * n, there - STEEP * spacing * (count - n), 0.0)
            dx, dy = samples[k, n - 1, 0] - goal_x, samples[k, n - 1, 1] - goal_y
            total += max(least * least, dx * dx + dy * dy)
        dx, dy = end[0] - goal_x, end[1] - goal_y
        total += (whole - count) * max(there * there, dx * dx + dy * dy)
        found[k] = weights.goal * total / whole
    return found
