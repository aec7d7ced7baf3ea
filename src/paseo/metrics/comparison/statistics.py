"""Honest statistics: intervals that resample crowd windows, paired differences, corrections."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from paseo.metrics.comparison.sign_flips import sign_flip_p
from paseo.world.arrays import BoolArray, FloatArray, IntArray

DRAWS = 2000
LEVEL = 0.95
NORMAL = 1.959964  # the normal's 97.5 % quantile
SMALL_T = {1: 12.7062, 2: 4.3027, 3: 3.1824, 4: 2.7764, 5: 2.5706}
RESOLUTION = 1e-6  # relative; smaller differences are rounding


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over episodes, with its bootstrap interval; None where too little is known."""

    mean: float | None
    low: float | None
    high: float | None
    episodes: int  # that have a value


@dataclass(frozen=True, slots=True, eq=False)
class Resamples:
    """How often each episode, and each seed within it, is drawn in each resample.

    Episodes that share a crowd window share their people, so windows are drawn, not episodes.
    """

    windows: FloatArray  # (draws, episodes)
    seeds: FloatArray  # (draws, episodes, seeds), shares that add up to 1 over seeds
    window_of: IntArray  # (episodes,), which window each belongs to


def resamples(
    windows: Sequence[str], seeds: Sequence[int], rng: np.random.Generator, draws: int = DRAWS
) -> list[Resamples]:
    """Draws for planners run with so many `seeds` each, on episodes that belong to `windows`.

    All planners share the drawn windows; each has its own drawn seeds.
    """
    names, window_of = np.unique(np.array(windows), return_inverse=True)
    chosen = rng.multinomial(len(names), np.full(len(names), 1 / len(names)), size=draws)
    weights = chosen[:, window_of].astype(np.float64)
    return [
        Resamples(weights, _seed_shares(count, weights.shape, rng), window_of) for count in seeds
    ]


def _seed_shares(count: int, shape: tuple[int, ...], rng: np.random.Generator) -> FloatArray:
    if count == 1:
        return np.ones((*shape, 1))
    return rng.multinomial(count, np.full(count, 1 / count), size=shape) / count


def drawn_means(values: FloatArray, draws: Resamples) -> FloatArray:
    """The mean over episodes in each resample, (draws,); `values` is (episodes, seeds).

    NaN values are left out; a resample without any value is NaN.
    """
    return _weighted(_drawn_episodes(values, draws), draws.windows)


def _drawn_episodes(values: FloatArray, draws: Resamples) -> FloatArray:
    """Mean over the drawn seeds that have a value, (draws, episodes); NaN where none has."""
    known = ~np.isnan(values)
    shares = draws.seeds * known
    with np.errstate(invalid="ignore"):
        means: FloatArray = (shares * np.where(known, values, 0.0)).sum(axis=2) / shares.sum(axis=2)
    return means


def _weighted(values: FloatArray, weights: FloatArray) -> FloatArray:
    """The weighted mean over episodes in each resample, (draws,), of (draws, episodes)."""
    known = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        totals = (weights * np.where(known, values, 0.0)).sum(axis=1)
        means: FloatArray = totals / (weights * known).sum(axis=1)
    return means


def estimate(values: FloatArray, draws: Resamples) -> Estimate:
    """Mean over episodes of the mean over seeds, with its percentile interval."""
    means = episode_means(values)
    known = ~np.isnan(means)
    if not known.any():
        return Estimate(None, None, None, 0)
    mean = float(means[known].mean())
    low, high = _interval(mean, drawn_means(values, draws), _windows(known, draws))
    if low is not None and (means[known] >= 0).all():
        low = max(low, 0.0)  # what is never negative has no negative mean
    return Estimate(mean, low, high, int(known.sum()))


def _windows(known: BoolArray, draws: Resamples) -> int:
    """How many windows the known episodes belong to."""
    return len(np.unique(draws.window_of[known]))


def _interval(mean: float, drawn: FloatArray, windows: int) -> tuple[float | None, float | None]:
    """The percentile interval around a mean, widened for few windows.

    Drawing G windows again makes too little of their spread: it is stretched by
    sqrt(G / (G - 1)) and by Student's t against the normal (Cameron and Miller 2015, section
    VI). Two windows are too few, and where all agree nothing can be said about others.
    """
    drawn = drawn[~np.isnan(drawn)]
    if windows < 3 or not len(drawn) or np.ptp(drawn) <= RESOLUTION * max(abs(mean), 1.0):
        return None, None
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    stretch = math.sqrt(windows / (windows - 1)) * student_t(windows - 1) / NORMAL
    return mean + stretch * float(low - mean), mean + stretch * float(high - mean)


def student_t(freedom: int) -> float:
    """The 97.5 % quantile of Student's t, to 0.1 %."""
    if freedom in SMALL_T:
        return SMALL_T[freedom]
    z, n = NORMAL, freedom  # Cornish and Fisher's expansion
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
    )


def episode_means(values: FloatArray) -> FloatArray:
    """Mean over the seeds that have a value, (episodes,); NaN where none has."""
    known = ~np.isnan(values)
    counts = known.sum(axis=1)
    totals = np.where(known, values, 0.0).sum(axis=1)
    means: FloatArray = np.divide(
        totals, counts, out=np.full(len(values), np.nan), where=counts > 0
    )
    return means


@dataclass(frozen=True, slots=True)
class Difference:
    """The mean paired difference of two planners, with interval and two-sided p."""

    estimate: Estimate
    p: float | None


def paired_difference(
    a: FloatArray, draws_of_a: Resamples, b: FloatArray, draws_of_b: Resamples
) -> Difference:
    """a - b over the episodes in which both have a value; both see the same windows drawn."""
    differences = episode_means(a) - episode_means(b)
    both = ~np.isnan(differences)
    if not both.any():
        return Difference(Estimate(None, None, None, 0), None)
    scale = np.maximum(np.abs(episode_means(a)[both]), np.abs(episode_means(b)[both]))
    known = differences[both]
    known[np.abs(known) <= RESOLUTION * np.maximum(scale, 1.0)] = 0.0  # rounding is no merit
    each = _drawn_episodes(a, draws_of_a) - _drawn_episodes(b, draws_of_b)
    windows = draws_of_a.window_of[both]
    mean = float(known.mean())
    count = len(np.unique(windows))
    low, high = _interval(mean, _weighted(each, draws_of_a.windows), count)
    p = sign_flip_p(cluster_sums(known, windows)) if count > 1 else None
    return Difference(Estimate(mean, low, high, int(both.sum())), p)


def cluster_sums(differences: FloatArray, clusters: IntArray) -> FloatArray:
    """The sum of differences in each cluster: a crowd window or a scene, which share people."""
    names, place = np.unique(clusters, return_inverse=True)
    return np.bincount(place, weights=differences, minlength=len(names)).astype(np.float64)


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down correction: p-values that allow for having looked at all of them."""
    order = np.argsort(p_values)
    adjusted = np.empty(len(p_values))
    largest = 0.0
    for rank, k in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[k]))
        adjusted[k] = largest
    return [float(p) for p in adjusted]


def restricted_times(times: FloatArray, arrived: IntArray, limits: FloatArray) -> FloatArray:
    """Time to goal restricted to the time limit: who never arrives counts with all of it.

    Their mean is the restricted mean time to goal. Hitting a wall is a competing event after
    which nobody arrives, so it is not censored at the time of the crash.
    """
    return np.where(np.asarray(arrived, bool), np.minimum(times, limits), limits)
