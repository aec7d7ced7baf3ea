"""Which piece of the map is shown, and where on the picture a place falls."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from paseo.world.arrays import FloatArray
from paseo.world.space.floorplan import FloorPlan

MARGIN = 0.6  # metres of wall shown around a map, less around a small one
AROUND = 4.0  # metres shown around the robot's way where the whole map would be too small
WIDEST = 60.0  # metres: a map that is longer is not shown whole
LEAST = 2.0  # metres on a side, at least


class Box(NamedTuple):
    """A rectangle; on the map, in metres."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        """Metres from left to right."""
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        """Metres from bottom to top."""
        return self.y1 - self.y0


def shown_box(plan: FloorPlan | None, way: FloatArray) -> Box:
    """The whole map, or what lies around the way (points, 2) where the map is too large."""
    around = grown(box_of(way), AROUND)
    if plan is None:
        return around
    whole = whole_map(plan, way)
    if max(whole.width, whole.height) <= WIDEST:
        return whole
    return Box(
        max(around.x0, whole.x0),
        max(around.y0, whole.y0),
        min(around.x1, whole.x1),
        min(around.y1, whole.y1),
    )


def whole_map(plan: FloorPlan, *others: FloatArray) -> Box:
    """All of a map and further points (points, 2), with a margin."""
    box = box_of(np.concatenate([plan.walls.reshape(-1, 2), *others]))
    return grown(box, min(MARGIN, 0.06 * max(box.width, box.height)))


def box_of(points: FloatArray) -> Box:
    """The smallest box around points (points, 2)."""
    (x0, y0), (x1, y1) = points.min(axis=0).tolist(), points.max(axis=0).tolist()
    return Box(x0, y0, x1, y1)


def grown(box: Box, margin: float) -> Box:
    """The box with a margin on every side, and at least `LEAST` wide and high with it."""
    wide = max(margin, (LEAST - box.width) / 2)
    high = max(margin, (LEAST - box.height) / 2)
    return Box(box.x0 - wide, box.y0 - high, box.x1 + wide, box.y1 + high)


def overlaps(box: Box, others: Iterable[Box]) -> bool:
    """Whether the box shares room with any of the others."""
    return any(
        box.x0 < other.x1 and other.x0 < box.x1 and box.y0 < other.y1 and other.y0 < box.y1
        for other in others
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewport:
    """A rectangle of pixels on which a piece of the map is seen from above."""

    scale: float  # pixels per metre
    x: float  # of the map, at the left edge
    y: float  # of the map, at the upper edge
    width: int
    height: int

    def pixels(self, points: FloatArray) -> FloatArray:
        """Where points (..., 2) of the map fall; pixel (0, 0) covers 0 to 1, y grows downwards."""
        placed: FloatArray = (points - (self.x, self.y)) * (self.scale, -self.scale)
        return placed

    @property
    def box(self) -> Box:
        """All of the map that is seen."""
        x1, y0 = self.x + self.width / self.scale, self.y - self.height / self.scale
        return Box(self.x, y0, x1, self.y)


def fitted(box: Box, width: int, height: int) -> Viewport:
    """The box as large as it fits, in the middle; what else fits of the map is seen as well."""
    scale = min(width / box.width, height / box.height)
    x = (box.x0 + box.x1) / 2 - width / scale / 2
    y = (box.y0 + box.y1) / 2 + height / scale / 2
    return Viewport(scale=scale, x=x, y=y, width=width, height=height)


def round_length(longest: float) -> float:
    """The longest of 1, 2, 5, 10, ... metres (or 0.5, 0.2, ...) that is not above `longest`."""
    power = 10.0 ** math.floor(math.log10(longest) + 1e-9)
    return float(
        max(step for step in (power, 2 * power, 5 * power) if step <= longest * (1 + 1e-9))
    )
