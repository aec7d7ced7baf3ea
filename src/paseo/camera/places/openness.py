"""How much of the sky the ground sees between houses, worked out once for each place."""

from collections.abc import Sequence

import numpy as np

from paseo.camera.places.parts.lines import Wall
from paseo.camera.scene import Openness
from paseo.world.arrays import FloatArray

CELL = 0.8  # metres
WAYS = 24  # directions in which one looks
Box = tuple[float, float, float, float]


def openness(walls: Sequence[Wall], height: float, area: Box) -> Openness | None:
    """The share of the sky's light that level ground gets, within x and y from, x and y to.

    Of the light from one direction, a house `height` tall at a distance d leaves
    d^2 / (d^2 + height^2): the square of the cosine of how high it stands.
    """
    if not walls:
        return None
    x0, y0, x1, y1 = area
    x, y = np.arange(x0, x1 + CELL, CELL), np.arange(y0, y1 + CELL, CELL)
    spots = np.stack(np.meshgrid(x, y), axis=2).reshape(-1, 2)
    angles = 2 * np.pi * (np.arange(WAYS) + 0.5) / WAYS
    left = np.zeros(len(spots))
    for angle in angles:
        away = _distances(spots, np.array([np.cos(angle), np.sin(angle)]), walls)
        left += np.where(np.isinf(away), 1.0, 1 - height**2 / (away**2 + height**2)) / WAYS
    return Openness((x0, y0), CELL, left.reshape(len(y), len(x)))


def _distances(spots: FloatArray, way: FloatArray, walls: Sequence[Wall]) -> FloatArray:
    """How far the nearest wall is from each spot, (spots,); without end where there is none."""
    nearest = np.full(len(spots), np.inf)
    for wall in walls:
        along = wall.along[:2]
        turn = way[0] * along[1] - way[1] * along[0]
        if abs(turn) < 1e-9:
            continue
        off = wall.start[:2] - spots
        away = (off[:, 0] * along[1] - off[:, 1] * along[0]) / turn
        across = (off[:, 0] * way[1] - off[:, 1] * way[0]) / turn
        hit = (away > 0) & (across >= 0) & (across <= wall.length)
        nearest = np.where(hit & (away < nearest), away, nearest)
    return nearest
