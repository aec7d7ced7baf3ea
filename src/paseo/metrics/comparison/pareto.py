"""Which of several are not beaten in everything at once."""

import numpy as np

from paseo.world.arrays import BoolArray, FloatArray


def on_front(points: FloatArray) -> BoolArray:
    """Which of the points (n, measures), smaller being better, no other point dominates, (n,).

    A point dominates another if it is nowhere worse and somewhere better.
    """
    nowhere_worse = (points[:, None, :] <= points[None, :, :]).all(axis=2)
    better = (points[:, None, :] < points[None, :, :]).any(axis=2)
    dominated: BoolArray = np.any(nowhere_worse & better, axis=0)
    return ~dominated
