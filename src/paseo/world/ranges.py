"""How far, wide and fast things are in this world; what is beyond is a mistake in a file.

All lengths are metres and all times seconds. Finite numbers are not enough: a disc of a million
kilometres is never drawn to its end.
"""

import numpy as np

from paseo.world.arrays import FloatArray

FARTHEST = 1e7  # metres from the origin; further off, floats no longer tell cells apart well
AWAY = 100_000.0  # metres from the map at which something may still be
WIDEST = 1_000.0  # metres, of the radius of a person, a robot or a goal, and of noise
FASTEST = 1_000.0  # metres a second, of a robot

Bounds = tuple[float, float, float, float]  # of a map: x_min, y_min, x_max, y_max


def is_on_earth(places: FloatArray) -> bool:
    """Whether all coordinates are within `FARTHEST` of the origin; not so for NaN."""
    return bool((np.abs(places) <= FARTHEST).all())


def is_near(places: FloatArray, bounds: Bounds) -> bool:
    """Whether all places (..., 2) are within `AWAY` of a map; NaN is nowhere, and so not far."""
    if not places.size:
        return True
    low, high = np.array(bounds[:2]) - AWAY, np.array(bounds[2:]) + AWAY
    return not bool((places < low).any() or (places > high).any())
