"""Fisher's randomisation test of paired differences, exact wherever that can be counted."""

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from paseo.world.arrays import FloatArray, IntArray

MOST_LISTED = 15  # sums whose sign patterns are listed one by one
MOST_COUNTED = 24  # sums whose sign patterns are counted in two halves
MOST_STEPS = 10_000  # of a grid that all sums lie on, in which they are counted however many
ALIKE = 1e-12  # relative; totals nearer to each other are the same


def sign_flip_p(sums: FloatArray) -> float:
    """Two-sided p of independent sums, each of which could as well have the other sign.

    The share of all 2^n patterns of signs whose total is at least as far from 0 as the one seen:
    listed for up to 15 sums, counted by meeting in the middle for up to 24 and on a grid where sums
    lie on one, as counts do; beyond that by the saddlepoint approximation of Lugannani and Rice
    (1980). Sums of 0 say nothing.
    """
    known = np.sort(np.abs(sums[sums != 0]))
    total = abs(float(sums.sum()))
    if len(known) == 0 or total == 0:
        return 1.0
    least = total - ALIKE * float(known.sum())
    if len(known) <= MOST_LISTED:
        return float((np.abs(_patterns(len(known)) @ known) >= least).mean())
    if len(known) <= MOST_COUNTED:
        return _counted(known, least)
    steps = known / known[0]
    if np.abs(steps - np.rint(steps)).max() < 1e-9 and steps.sum() <= MOST_STEPS:
        return _on_grid(np.rint(steps).astype(np.int64), round(total / float(known[0])))
    return min(1.0, 2 * _saddlepoint(known, total))


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down correction: p-values that allow for having looked at all of them."""
    order = np.argsort(p_values)
    adjusted = np.empty(len(p_values))
    largest = 0.0
    for rank, k in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[k]))
        adjusted[k] = largest
    return [float(p) for p in adjusted]


def smallest_p(sums: int) -> float:
    """The smallest p that so many sums can have: all on one side, or all on the other."""
    return min(1.0, 2.0 * 0.5**sums)


@lru_cache(maxsize=MOST_LISTED + 1)
def _patterns(count: int) -> FloatArray:
    """Every pattern of signs, (2^count, count)."""
    codes = np.arange(2**count)[:, None]
    return 1.0 - 2.0 * ((codes >> np.arange(count)) & 1).astype(np.float64)


def _counted(sums: FloatArray, least: float) -> float:
    """The share of patterns whose total is that far from 0, from the totals of two halves."""
    # Every other one in each half: both are then about as wide.
    one, other = (np.sort(_totals(half)) for half in (sums[::2], sums[1::2]))
    above = len(other) - np.searchsorted(other, least - one, side="left")
    return min(1.0, 2.0 * float(above.sum()) / (len(one) * len(other)))


def _on_grid(steps: IntArray, total: int) -> float:
    """The share of patterns whose total is that far from 0, for whole sums."""
    chances = np.ones(1)  # of what the positive ones add up to
    for step in steps.tolist():
        longer = np.zeros(len(chances) + step)
        longer[: len(chances)] = chances / 2
        longer[step:] += chances / 2
        chances = longer
    totals = 2 * np.arange(len(chances)) - int(steps.sum())
    return min(1.0, float(chances[np.abs(totals) >= total].sum()))


def _totals(sums: FloatArray) -> FloatArray:
    """The totals of all patterns of signs, (2^sums,)."""
    totals = np.zeros(1)
    for each in sums.tolist():
        totals = np.concatenate([totals + each, totals - each])
    return totals


def _saddlepoint(sums: FloatArray, total: float) -> float:
    """The chance that randomly signed sums total at least so much."""
    scale = float(sums.max())
    x, wanted = sums / scale, total / scale
    if wanted >= float(x.sum()) * (1 - ALIKE):
        return 0.5 ** len(sums)
    tilt = _tilt(x, wanted)
    growth = float(np.logaddexp(tilt * x, -tilt * x).sum()) - len(x) * math.log(2)
    spread = math.sqrt(float((x**2 / np.cosh(np.minimum(tilt * x, 300.0)) ** 2).sum()))
    root, other = math.sqrt(2 * (tilt * wanted - growth)), tilt * spread
    if root < 1e-4:  # nothing was seen: the middle of the distribution
        return 0.5
    density = math.exp(-(root**2) / 2) / math.sqrt(math.tau)
    tail = 0.5 * math.erfc(root / math.sqrt(2)) + density * (1 / other - 1 / root)
    return min(max(tail, 0.5 ** len(sums)), 1.0)


def _tilt(x: FloatArray, wanted: float) -> float:
    """Where the tilted mean is what was seen: the root of sum of x tanh(t x) = wanted."""
    low, high = 0.0, 1.0
    while float((x * np.tanh(high * x)).sum()) < wanted:
        low, high = high, 2 * high
    for _ in range(200):
        middle = (low + high) / 2
        if float((x * np.tanh(middle * x)).sum()) < wanted:
            low = middle
        else:
            high = middle
    return high
