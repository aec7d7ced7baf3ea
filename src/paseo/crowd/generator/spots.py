"""Where people of a party stand or walk relative to each other, and where they come in."""

import math
from dataclasses import dataclass

import numpy as np

from paseo.world.arrays import FloatArray
from paseo.world.space.floorplan import FloorPlan
from paseo.world.space.geometry import blocked_between

ABREAST = 3  # more people walk in several rows
ROOM = 0.35  # metres from people's places to walls


@dataclass(frozen=True, slots=True)
class Doorway:
    """A gate as people find it."""

    number: int
    x: float
    y: float
    width: float
    facing: float  # rad, into the scene

    def spot(self, rng: np.random.Generator) -> tuple[float, float]:
        """A random point of the line."""
        aside = self.width * (rng.random() - 0.5)
        return (
            self.x - aside * math.sin(self.facing),
            self.y + aside * math.cos(self.facing),
        )

    def passed(self, x: float, y: float) -> bool:
        """Whether somebody there has walked out over the line."""
        dx, dy = x - self.x, y - self.y
        inwards = dx * math.cos(self.facing) + dy * math.sin(self.facing)
        aside = dy * math.cos(self.facing) - dx * math.sin(self.facing)
        return -1.0 < inwards < 0.15 and abs(aside) < 0.5 * self.width + 0.5


def walking_places(size: int, spacing: float, in_v: bool, rng: np.random.Generator) -> FloatArray:
    """Metres ahead and to the left of the middle of people who walk together, (size, 2).

    Abreast, or in a V in whose tip the middle walks behind; more than three in rows.
    """
    places = np.empty((size, 2))
    for k in range(size):
        row, column = divmod(k, ABREAST)
        columns = min(size - row * ABREAST, ABREAST)
        aside = column - 0.5 * (columns - 1)
        behind = 0.6 * (1.0 - abs(aside)) if in_v and columns == ABREAST else 0.0
        places[k] = -spacing * (1.2 * row + behind), spacing * aside
    places[:, 0] += rng.normal(0.0, 0.2 * spacing, size) if size > 1 else 0.0
    # Who walks on the left is not always the one who was drawn first.
    return (places - places.mean(axis=0)) * (1.0, rng.choice([-1.0, 1.0]))


def placed_abreast(x: float, y: float, size: int, spacing: float, direction: float) -> FloatArray:
    """Places in a line through (x, y), (size, 2)."""
    along = spacing * (np.arange(size) - 0.5 * (size - 1))
    return np.stack([x + along * math.cos(direction), y + along * math.sin(direction)], axis=1)


def placed_in_circle(
    x: float, y: float, size: int, spacing: float, rng: np.random.Generator
) -> FloatArray:
    """Places around (x, y) of people who face each other, (size, 2)."""
    if size == 1:
        return np.array([[x, y]])
    radius = 0.5 * spacing / math.sin(math.pi / size)
    angles = 2.0 * math.pi * (np.arange(size) / size + rng.random())
    return np.stack([x + radius * np.cos(angles), y + radius * np.sin(angles)], axis=1)


def inside(plan: FloorPlan, points: FloatArray, home: tuple[float, float]) -> FloatArray:
    """The points, those without room moved towards `home` as far as needed, (points, 2)."""
    moved = points.copy()
    for k in range(len(points)):
        for share in np.linspace(0.0, 1.0, 21):
            moved[k] = (1.0 - share) * points[k] + share * np.array(home)
            if plan.clearance(*moved[k]) >= ROOM and not _cut_off(plan, moved[k], home):
                break
    return moved


def _cut_off(plan: FloorPlan, point: FloatArray, home: tuple[float, float]) -> bool:
    return bool(blocked_between(point[0], point[1], home[0], home[1], plan.walls))
