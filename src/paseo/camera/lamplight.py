"""Light near the ground, once for each place: what lamps add at dusk and houses take away."""

import math
from collections.abc import Sequence

import numpy as np

from paseo.camera.scene import Lamp, Openness, Place
from paseo.world.arrays import FloatArray

CELL = 0.8  # metres
TAKEN = 0.22  # of the light from behind houses; their walls return the rest
AROUND = 8.0  # metres around lamps that are lit, where a place does not say where light falls
WARM = np.array([1.0, 0.70, 0.38])  # the colour of lamps, linear
BY_DAY = 0.4  # how far shops and rooms are lit, of what they are at dusk
ALL_LIT, FIRST_LIT = math.radians(7), math.radians(16)  # heights of the sun


def lamps_lit(place: Place) -> float:
    """How far lamps are lit, 0 to 1: by the height of the sun."""
    part = (FIRST_LIT - place.sun.elevation) / (FIRST_LIT - ALL_LIT)
    part = min(max(part, 0.0), 1.0)
    return part * part * (3 - 2 * part)


def glow(place: Place) -> float:
    """How bright lamps and what is behind panes are, of what they are at dusk."""
    return BY_DAY + (1 - BY_DAY) * lamps_lit(place)


def near_ground(place: Place) -> tuple[Openness, FloatArray] | None:
    """A grid, and in its cells the light of lamps and the share of the sky, (rows, columns, 4).

    None where there are no lamps and all of the sky is seen.
    """
    lit = lamps_lit(place)
    lamps = place.lamps if lit else ()
    if not lamps and place.openness is None:
        return None
    grid = place.openness or _all_open(lamps)
    rows, columns = grid.shares.shape
    x = grid.corner[0] + grid.cell * np.arange(columns, dtype=float)
    y = grid.corner[1] + grid.cell * np.arange(rows, dtype=float)
    fallen = lit * pools(lamps, x, y)[..., None] * WARM
    left = 1 - TAKEN * (1 - grid.shares[..., None])
    return grid, np.concatenate([fallen, left], axis=2)


def pools(lamps: Sequence[Lamp], x: FloatArray, y: FloatArray) -> FloatArray:
    """How much light of all lamps falls on level ground, (y, x)."""
    fallen: FloatArray = np.zeros((len(y), len(x)))
    for lamp in lamps:
        dx, dy = x[None, :] - lamp.at[0], y[:, None] - lamp.at[1]
        away = dx**2 + dy**2 + lamp.at[2] ** 2
        share = lamp.strength * lamp.at[2] / away**1.5
        if lamp.front is not None:
            ahead = dx * lamp.front[0] + dy * lamp.front[1] - lamp.at[2] * lamp.front[2]
            share = share * np.maximum(ahead, 0.0) / np.sqrt(away)
        fallen += share
    return fallen


def _all_open(lamps: Sequence[Lamp]) -> Openness:
    """Ground around lamps that sees all of the sky."""
    spots = np.array([lamp.at[:2] for lamp in lamps])
    low, high = spots.min(axis=0) - AROUND, spots.max(axis=0) + AROUND
    columns, rows = (int(each) + 2 for each in (high - low) / CELL)
    return Openness((float(low[0]), float(low[1])), CELL, np.ones((rows, columns)))
