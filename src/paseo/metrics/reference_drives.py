"""Drives that answer to nobody: where a robot would be, and when, if it were alone."""

import math
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

import numpy as np

from paseo.errors import BadScenario, BadValue
from paseo.world.arrays import FloatArray
from paseo.world.motion import Pose, Robot
from paseo.world.scenarios import Scenario
from paseo.world.space.floorplan import FloorPlan
from paseo.world.space.ways import ways_to

TICK = 0.1  # seconds between two positions of a drive
STRIDE = 0.1  # metres between two points of a way
EASY = 0.4  # metres more than the robot needs that ways around walls keep off them
STILL = 1e-6  # m/s, below which nobody turns
SLOW = 2 / 3  # of the robot's top speed
LATE = 2.0  # seconds
ASIDE = (1.0, -1.0, 0.5, -0.5)  # metres to the left of the shortest way, dearest first


class ReferenceDrive(StrEnum):
    """The drives by which an episode is judged before any planner sees it."""

    DIRECT = "direct"  # the shortest way at the robot's top speed
    SLOW = "slow"  # at two thirds of it
    LATE = "late"  # at top speed, two seconds later
    ASIDE = "aside"  # at top speed, one metre beside the shortest way where walls leave room


@dataclass(frozen=True, slots=True, eq=False)
class Drive:
    """Where a robot is at times 0, TICK, 2 TICK, ... until it arrives or its time is up."""

    positions: FloatArray  # (ticks, 2)
    velocities: FloatArray  # (ticks, 2)
    headings: FloatArray  # (ticks, 2), unit vectors


def reference_drives(scenario: Scenario) -> dict[ReferenceDrive, Drive]:
    """The four drives of an episode; `BadScenario` where no way leads to its goal."""
    robot, limit = scenario.robot, scenario.time_limit
    way = shortest_way(scenario.floorplan, scenario.start, scenario.goal, robot)
    beside = way_beside(way, scenario.floorplan, robot)
    speed = robot.max_speed
    return {
        ReferenceDrive.DIRECT: driven(way, speed=speed, limit=limit),
        ReferenceDrive.SLOW: driven(way, speed=SLOW * speed, limit=limit),
        ReferenceDrive.LATE: driven(way, speed=speed, limit=limit, late=LATE),
        ReferenceDrive.ASIDE: driven(beside, speed=speed, limit=limit),
    }


def driven(way: FloatArray, *, speed: float, limit: float, late: float = 0.0) -> Drive:
    """A drive along the points of a way, (points, 2), at one speed after a wait."""
    lengths = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(way, axis=0).T))])
    arrival = min(late + float(lengths[-1]) / speed, limit)
    times = np.arange(math.floor(arrival / TICK + 1e-9) + 2) * TICK
    along = np.clip((times - late) * speed, 0.0, lengths[-1])
    places = np.stack([np.interp(along, lengths, way[:, axis]) for axis in (0, 1)], axis=1)
    return drive_through(places)


def drive_through(places: FloatArray) -> Drive:
    """The drive that is at these places at times 0, TICK, ..., (ticks + 1, 2).

    A robot that stands faces where it last went, or will go first.
    """
    velocities = np.diff(places, axis=0) / TICK
    moves = np.hypot(*velocities.T) > STILL
    if not moves.any():
        raise BadValue("a drive that never moves has no heading; name one that does")
    latest = np.maximum.accumulate(np.where(moves, np.arange(len(moves)), -1))
    ahead = velocities[np.where(latest < 0, np.argmax(moves), latest)]
    return Drive(places[:-1], velocities, ahead / np.hypot(*ahead.T)[:, None])


@lru_cache(maxsize=256)
def shortest_way(plan: FloorPlan, start: Pose, goal: Pose, robot: Robot) -> FloatArray:
    """Points along the shortest way on which the robot finds room, (points, 2)."""
    room = robot.needed_clearance
    if plan.leaves_room(start, goal, room):
        return _straight(start, goal)
    ways = ways_to(plan, goal, room=room, easy=EASY)
    x, y = start.x, start.y
    points = [(x, y)]
    for _ in range(math.ceil(4.0 * ways.metres_from(x, y) / STRIDE)):
        if plan.leaves_room(Pose(x, y), goal, room):
            return np.concatenate([points, _straight(Pose(x, y), goal)[1:]])
        dx, dy = ways.slope(x, y)
        x, y = x + STRIDE * dx, y + STRIDE * dy
        points.append((x, y))
    raise BadScenario(
        f"no way was found from ({start.x:g}, {start.y:g}) to ({goal.x:g}, {goal.y:g}) on floor "
        f"plan '{plan.name}'; move one of them"
    )


def way_beside(way: FloatArray, plan: FloorPlan, robot: Robot) -> FloatArray:
    """The way moved aside, a metre or half, left or right: the first that walls leave room for."""
    steps = np.gradient(way, axis=0)
    left = np.stack([-steps[:, 1], steps[:, 0]], axis=1) / np.hypot(*steps.T)[:, None]
    along = np.linspace(0.0, 1.0, len(way))
    share = np.minimum(1.0, 5.0 * np.minimum(along, 1.0 - along))  # it leaves and comes back
    for metres in ASIDE:
        beside: FloatArray = way + metres * share[:, None] * left
        if (plan.grid_clearances(beside) >= robot.needed_clearance).all():
            return beside
    return way


def _straight(start: Pose, goal: Pose) -> FloatArray:
    points = math.ceil(start.distance_to(goal) / STRIDE) + 1
    return np.linspace((start.x, start.y), (goal.x, goal.y), max(points, 2))
