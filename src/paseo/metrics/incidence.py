"""Time to goal as a curve: how many have arrived by when."""

import numpy as np

from paseo.world.arrays import BoolArray, FloatArray


def cumulative_incidence(times: FloatArray, arrived: BoolArray, at: FloatArray) -> FloatArray:
    """The share of all drives that have arrived by each time in `at`.

    Whoever hit a wall, failed or ran out of time never arrives: these are competing events, and
    nobody is censored, so that the Aalen-Johansen estimate is just the share of arrivals.
    """
    arrivals = np.sort(times[np.asarray(arrived, np.bool_)])
    shares: FloatArray = np.searchsorted(arrivals, at, side="right") / max(len(times), 1)
    return shares
