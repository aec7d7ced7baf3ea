"""What parties do from when they enter until they leave, leg by leg."""

import math
from dataclasses import dataclass
from enum import Enum

import numpy as np

from paseo.crowd.generator.spots import Doorway, inside, placed_abreast, placed_in_circle
from paseo.world.arrays import FloatArray
from paseo.world.recipes import Habit, Recipe, Stay
from paseo.world.space.floorplan import FloorPlan

STROLL, TURN = 1.0, 1.0  # m/s of people who pace, about, and seconds at each end
ASIDE, ASIDE_TIME = 1.5, 1.6  # metres and seconds by which one steps out of a queue


class Deed(Enum):
    """What a party does for a part of its time."""

    WALK = "walk"
    STAND = "stand"
    QUEUE = "queue"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Leg:
    """A part of what a party does."""

    deed: Deed
    target: int  # of the routes
    points: FloatArray  # (members, 2), where each goes or stands; NaN: where they are
    duration: float = math.inf  # seconds; of a walk: at most
    leaves: bool = False  # whether they are gone when they arrive


def staying(
    stay: Stay,
    plan: FloorPlan,
    target: int,
    *,
    duration: float,
    size: int,
    rng: np.random.Generator,
) -> list[Leg]:
    """What a party does at a spot, which is one of the targets of the routes."""
    x, y = (np.array([stay.x, stay.y]) + stay.spread * rng.normal(size=2)).tolist()
    home = (stay.x, stay.y)
    if stay.habit is Habit.QUEUE:
        return _queueing(plan, stay, target)
    if stay.habit is Habit.PACE:
        return _pacing(plan, stay, target, duration=duration, size=size)
    if stay.habit is Habit.TALK:
        places = placed_in_circle(x, y, size, stay.spacing, rng)
    else:
        places = placed_abreast(x, y, size, stay.spacing, stay.direction)
    points = inside(plan, places, home)
    return [Leg(deed=Deed.STAND, target=target, points=points, duration=duration)]


def _queueing(plan: FloorPlan, stay: Stay, target: int) -> list[Leg]:
    """In line, then a step aside, so that one does not walk back through the others."""
    line = Leg(deed=Deed.QUEUE, target=target, points=np.full((1, 2), np.nan))
    across = np.array([-math.sin(stay.direction), math.cos(stay.direction)])
    sides = [np.array([stay.x, stay.y]) + side * ASIDE * across for side in (1.0, -1.0)]
    roomier = max(sides, key=lambda point: plan.clearance(*point))
    points = inside(plan, roomier[None], (stay.x, stay.y))
    return [line, Leg(deed=Deed.WALK, target=target, points=points, duration=ASIDE_TIME)]


def _pacing(plan: FloorPlan, stay: Stay, target: int, *, duration: float, size: int) -> list[Leg]:
    """Up and down: to one end, a moment there, to the other."""
    cosine, sine = math.cos(stay.direction), math.sin(stay.direction)
    ends = []
    for side in (-0.5, 0.5):
        x, y = stay.x + side * stay.length * cosine, stay.y + side * stay.length * sine
        row = placed_abreast(x, y, size, stay.spacing, stay.direction + math.pi / 2)
        ends.append(inside(plan, row, (stay.x, stay.y)))
    turns = max(round(duration / (stay.length / STROLL + TURN)), 1)
    return [
        Leg(deed=Deed.STAND, target=target, points=ends[turn % 2], duration=TURN)
        for turn in range(turns + 1)
    ]


def way_out(
    plan: FloorPlan, goal: Doorway, size: int, spacing: float, rng: np.random.Generator
) -> Leg:
    """The way to a gate, where they leave side by side."""
    x, y = goal.spot(rng)
    points = inside(
        plan,
        placed_abreast(x, y, size, spacing, goal.facing - math.pi / 2),
        (goal.x, goal.y),
    )
    return Leg(deed=Deed.WALK, target=goal.number, points=points, leaves=True)


def with_stop(
    way: Leg, origin: Doorway, goal: Doorway, recipe: Recipe, rng: np.random.Generator
) -> list[Leg]:
    """The way with a stop at a random moment of it."""
    metres = math.hypot(goal.x - origin.x, goal.y - origin.y)
    typical = float(np.interp(0.5, recipe.speeds.shares, recipe.speeds.values))
    after = metres / typical * rng.uniform(0.15, 0.85)
    pause = max(float(rng.exponential(recipe.manners.stop_duration)), 1.0)
    here = np.full_like(way.points, np.nan)
    first = Leg(deed=Deed.WALK, target=way.target, points=way.points, duration=after)
    return [first, Leg(deed=Deed.STAND, target=way.target, points=here, duration=pause), way]
