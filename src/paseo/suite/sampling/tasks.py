"""Starts and goals on a floor plan, drawn at random: at named places or anywhere in free space."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from paseo.errors import BadValue, NotAvailable
from paseo.metrics.record.shortest import OFF_CORNER, shortest_path_length
from paseo.world.arrays import IntArray
from paseo.world.motion import Pose
from paseo.world.space.floorplan import FloorPlan, Place

JITTER = 1.0  # metres around a place, so that episodes do not all share one pose
TRIES = 50  # spots looked at until one fits
MANY_WALLS = 300  # above, shortest ways take seconds to find and are left unknown
ON_THE_WAY = 1e-4  # metres: a bend of the shortest way makes it no longer than this


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """What a start and a goal must keep."""

    clearance: float  # metres to the nearest wall
    least_distance: float  # metres between them, straight
    most_distance: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ground:
    """Where on a floor plan a robot can start and arrive."""

    plan: FloorPlan
    needs: Needs
    cells: IntArray  # (cells,), those with enough clearance, as places in the flattened grid
    pairs: tuple[tuple[Place, Place], ...]  # of named places, far enough apart


@dataclass(frozen=True, slots=True)
class Task:
    """A start and a goal in metres, rounded to millimetres, and what is there."""

    start: Pose
    goal: Pose
    start_name: str = ""  # of the place, if it is at one
    goal_name: str = ""


def ground_of(plan: FloorPlan, needs: Needs) -> Ground:
    """The floor plan as far as it can be used; `BadValue` where it cannot be."""
    cells = np.flatnonzero(plan.distance >= needs.clearance)
    if not len(cells):
        raise BadValue(
            f"nowhere on the floor plan '{plan.name}' is a wall {needs.clearance:g} m away, as a "
            "start or a goal needs; use a smaller robot or another map"
        )
    rows, columns = np.divmod(cells, plan.free.shape[1])
    longest = math.hypot(np.ptp(rows) + 1, np.ptp(columns) + 1) * plan.cell_size
    if longest < needs.least_distance:
        raise BadValue(
            f"no two spots on the floor plan '{plan.name}' with {needs.clearance:g} m of clearance "
            f"are more than {longest:.1f} m apart, but at least {needs.least_distance:g} m are "
            "wished for; wish for less or use another map"
        )
    pairs = [
        (one, other)
        for one, other in permutations(plan.places, 2)
        if math.hypot(one.x - other.x, one.y - other.y) >= needs.least_distance
    ]
    return Ground(plan=plan, needs=needs, cells=cells, pairs=tuple(pairs))


def task_between_places(ground: Ground, rng: np.random.Generator) -> Task | None:
    """A task from one named place to another; None if no spots there are found to fit."""
    if not ground.pairs:
        return None
    start, goal = ground.pairs[rng.integers(len(ground.pairs))]
    for _ in range(TRIES):
        task = Task(_spot_near(start, rng), _spot_near(goal, rng), start.name, goal.name)
        beside = _is_beside(start, task.start, ground) and _is_beside(goal, task.goal, ground)
        if beside and _fits(task, ground):
            return task
    return None


def task_anywhere(ground: Ground, rng: np.random.Generator) -> Task | None:
    """A task between any two spots of free space; None if none are found to fit."""
    for _ in range(TRIES):
        task = Task(_free_spot(ground, rng), _free_spot(ground, rng))
        if _fits(task, ground):
            return task
    return None


def faced(plan: FloorPlan, task: Task) -> Pose:
    """The task's start, its heading along the first stretch of the shortest way to the goal.

    Where that way is not known, on a floor plan of very many walls, straight at the goal.
    """
    start = task.start
    try:
        ahead = next(_first_bends(plan, start, task.goal), task.goal)
    except NotAvailable:
        ahead = task.goal
    heading = math.atan2(ahead.y - start.y, ahead.x - start.x)
    return Pose(start.x, start.y, round(heading, 3))


def way_length(plan: FloorPlan, task: Task) -> float:
    """Metres of the shortest way from start to goal; the straight line where it is not known."""
    try:
        return _shortest(plan, task.start, task.goal)
    except NotAvailable:
        return task.start.distance_to(task.goal)


def _shortest(plan: FloorPlan, start: Pose, goal: Pose) -> float:
    if len(plan.walls) > MANY_WALLS:
        raise NotAvailable(f"needs a floor plan of at most {MANY_WALLS} walls")
    return shortest_path_length(plan, start, goal)


def _first_bends(plan: FloorPlan, start: Pose, goal: Pose) -> Iterator[Pose]:
    """Where shortest ways first bend, each in sight of the start, likely ones first."""
    if plan.sees(start, goal):
        return
    length = _shortest(plan, start, goal)
    beside = [(x, y) for x in (-OFF_CORNER, OFF_CORNER) for y in (-OFF_CORNER, OFF_CORNER)]
    ends = np.unique(plan.walls.reshape(-1, 2), axis=0)
    spots = [Pose(*spot) for spot in (ends[:, None] + np.array(beside)).reshape(-1, 2).tolist()]
    spots.sort(key=lambda spot: start.distance_to(spot) + spot.distance_to(goal))
    for spot in spots:
        if plan.clearance(spot.x, spot.y) > 0.0 and plan.sees(start, spot):
            way = start.distance_to(spot) + _shortest(plan, spot, goal)
            if way <= length + ON_THE_WAY:
                yield spot


def _spot_near(place: Place, rng: np.random.Generator) -> Pose:
    reach, direction = JITTER * math.sqrt(rng.random()), math.tau * rng.random()
    return _rounded(place.x + reach * math.cos(direction), place.y + reach * math.sin(direction))


def _is_beside(place: Place, spot: Pose, ground: Ground) -> bool:
    """Whether no wall stands between; a place in a wall, as a door may be, has spots all around."""
    in_wall = ground.plan.clearance(place.x, place.y) <= 0.0
    return in_wall or ground.plan.sees(Pose(place.x, place.y), spot)


def _free_spot(ground: Ground, rng: np.random.Generator) -> Pose:
    plan = ground.plan
    row, column = divmod(int(ground.cells[rng.integers(len(ground.cells))]), plan.free.shape[1])
    x, y = plan.origin
    return _rounded(
        x + (column + rng.random()) * plan.cell_size, y + (row + rng.random()) * plan.cell_size
    )


def _rounded(x: float, y: float) -> Pose:
    return Pose(round(x, 3), round(y, 3))


def _fits(task: Task, ground: Ground) -> bool:
    needs, distance = ground.needs, task.start.distance_to(task.goal)
    return needs.least_distance <= distance <= needs.most_distance and all(
        ground.plan.clearance(spot.x, spot.y) >= needs.clearance for spot in (task.start, task.goal)
    )
