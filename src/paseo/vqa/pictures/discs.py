"""Discs that share the room where they overlap: each keeps what lies nearest to its centre."""

import math

import numpy as np

from paseo.compiled import compiled_like_numpy
from paseo.render.raster.strokes import Frame
from paseo.world.arrays import FloatArray

DARK = 0.7  # how dark the line around a disc is


@compiled_like_numpy
def paint_discs(frame: Frame, table: FloatArray, radius: float, rim: float) -> FloatArray:
    """Draw discs with a white rim and a thin dark line around it, `rim` pixels wide together.

    The table (discs, 5) holds column and row of the centre, red, green, blue. The answer is the
    middle of what is left of each, column and row, and its pixels (discs, 3).
    """
    rests = np.zeros((table.shape[0], 3))
    for k in range(table.shape[0]):
        away = table[:, :2] - table[k, :2]
        gaps = np.sqrt(away[:, 0] ** 2 + away[:, 1] ** 2)
        near = (gaps < 2.0 * radius + 1.0) & (gaps > 0.0)
        _paint_rest(frame, table[k], away[near], radius=radius, rim=rim, rest=rests[k])
    return rests


@compiled_like_numpy
def _paint_rest(
    frame: Frame, disc: FloatArray, others: FloatArray, radius: float, rim: float, rest: FloatArray
) -> None:
    """One disc without what is nearer to the others (n, 2), which are given from its centre."""
    cx, cy, reach = disc[0], disc[1], radius + 0.5
    for row in range(max(int(cy - reach), 0), min(int(cy + reach) + 1, frame.shape[0])):
        y = row + 0.5 - cy
        for column in range(max(int(cx - reach), 0), min(int(cx + reach) + 1, frame.shape[1])):
            x = column + 0.5 - cx
            inside = radius - math.sqrt(x * x + y * y)  # how far from the edge
            if inside <= -0.5:
                continue
            own = reach  # how far from what belongs to others
            for n in range(others.shape[0]):
                dx, dy = others[n, 0], others[n, 1]
                gap = math.sqrt(dx * dx + dy * dy)
                own = min(own, 0.5 * gap - (x * dx + y * dy) / gap)
            dark = DARK * min(max(min(inside, own) + 0.5, 0.0), 1.0)
            white = min(max(min(inside - rim / 3.0, own) + 0.5, 0.0), 1.0)
            filled = min(max(min(inside - rim, own - 0.4 * rim) + 0.5, 0.0), 1.0)
            for part in range(3):
                value = frame[row, column, part] * (1.0 - dark)
                value += (255.0 - value) * white
                value += (disc[2 + part] - value) * filled
                frame[row, column, part] = int(value + 0.5)
            rest[0] += filled * (column + 0.5)
            rest[1] += filled * (row + 0.5)
            rest[2] += filled
    rest[:2] /= max(rest[2], 1e-9)
