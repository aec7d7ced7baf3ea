"""Honest statistics: intervals over clusters of crowd windows, paired differences, corrections."""

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from paseo.world.arrays import FloatArray, IntArray

LEVEL = 0.95
NORMAL = NormalDist().inv_cdf((1 + LEVEL) / 2)
FEWEST_CLUSTERS = 3  # for an interval
FURTHEST = 1.5  # times Student's t
RESOLUTION = 1e-6  # relative; smaller differences are rounding


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over episodes, with its 95 % interval; None where too little is known."""

    mean: float | None
    low: float | None
    high: float | None
    episodes: int  # that have a value


NOTHING = Estimate(None, None, None, 0)


@dataclass(frozen=True, slots=True)
class Difference:
    """The mean paired difference of two rows, with its interval and standard error."""

    estimate: Estimate
    error: float | None


def estimate(
    values: FloatArray, clusters: IntArray, *, share: bool = False, most: float = math.inf
) -> Estimate:
    """Mean over episodes of the mean over seeds; `values` is (episodes, seeds).

    Episodes of a cluster share their people, so clusters are left out, one after the other, to see
    how far the mean is to be trusted. A `share` lies from 0 to 1, and so does its interval; no mean
    is larger than `most`.
    """
    means = episode_means(values)
    known = ~np.isnan(means)
    if not known.any():
        return NOTHING
    jackknife = _Jackknife.of(means[known], clusters[known])
    low, high = jackknife.share_interval() if share else jackknife.interval()
    if low is not None and (means[known] >= 0).all():
        low = max(low, 0.0)  # what is never negative has no negative mean
    if high is not None:
        high = min(high, most)
    return Estimate(jackknife.mean, low, high, int(known.sum()))


def paired_difference(
    a: FloatArray, b: FloatArray, clusters: IntArray, *, share: bool = False
) -> Difference:
    """a - b over the episodes in which both have a value."""
    one, other = episode_means(a), episode_means(b)
    differences = unrounded(one, other)
    both = ~np.isnan(differences)
    if not both.any():
        return Difference(NOTHING, None)
    there = clusters[both]
    jackknife = _Jackknife.of(differences[both], there)
    if share:
        parts = (_Jackknife.of(each[both], there) for each in (one, other))
        low, high = _difference_of_shares(*parts)
    else:
        low, high = jackknife.interval()
    return Difference(Estimate(jackknife.mean, low, high, int(both.sum())), jackknife.error)


def unrounded(one: FloatArray, other: FloatArray) -> FloatArray:
    """one - other; 0 where they differ by rounding only, which is no merit."""
    differences: FloatArray = one - other
    scale = np.maximum(np.abs(one), np.abs(other))
    rounding = np.abs(differences) <= RESOLUTION * np.maximum(scale, 1.0)
    differences[rounding] = 0.0
    return differences


@dataclass(frozen=True, slots=True, eq=False)
class _Jackknife:
    """A mean, and what it would have been without each of the clusters."""

    mean: float
    without: FloatArray  # (clusters,)

    @classmethod
    def of(cls, values: FloatArray, clusters: IntArray) -> "_Jackknife":
        sums, counts = cluster_sums(values, clusters), cluster_sums(np.ones(len(values)), clusters)
        total, count = float(values.sum()), len(values)
        if len(sums) < 2:
            return cls(total / count, np.empty(0))
        return cls(total / count, (total - sums) / (count - counts))

    @property
    def clusters(self) -> int:
        return max(len(self.without), 1)

    @property
    def error(self) -> float | None:
        """The cluster-jackknife standard error (CV3 of MacKinnon, Nielsen and Webb 2023)."""
        if len(self.without) < FEWEST_CLUSTERS:
            return None
        return math.sqrt(_covariance(self, self))

    @property
    def skewness(self) -> float:
        """How lopsided clusters are around their mean; 0 where all agree."""
        pulls = self.without.mean() - self.without  # up where a cluster is above the others
        spread, n = float(pulls.std()), self.clusters
        if spread == 0.0:
            return 0.0
        return float((pulls**3).mean()) / spread**3 * math.sqrt(n * (n - 1)) / (n - 2)

    def interval(self) -> tuple[float | None, float | None]:
        """By Student's t, freed of skewness (Hall 1992); none if too few are known, or all agree.

        Times and counts have long tails: without it, means of few clusters are covered too seldom.
        The end towards the tail is moved out, by half at most, and the other never in: both were
        found by simulation to cover as often as they say.
        """
        error = self.error
        if error is None or error <= RESOLUTION * max(abs(self.mean), 1.0):
            return None, None
        t, lopsided = student_t(self.clusters - 1), self.skewness / (6 * math.sqrt(self.clusters))
        below, above = _unskewed(t, lopsided), -_unskewed(-t, lopsided)
        low, high = (min(max(reach, t), FURTHEST * t) for reach in (below, above))
        return self.mean - error * low, self.mean + error * high

    def share_interval(self) -> tuple[float | None, float | None]:
        """Wilson's, with as many independent draws as would be as uncertain.

        Where nobody or everybody succeeds, clusters count as one draw each: nothing tells them from
        that.
        """
        error, p = self.error, self.mean
        if error is None:
            return None, None
        unclear = error <= RESOLUTION
        draws = self.clusters if unclear else max(p * (1 - p) / error**2, 1.0)
        t2 = student_t(self.clusters - 1) ** 2 / draws
        middle = (p + t2 / 2) / (1 + t2)
        reach = math.sqrt(t2 * max(p * (1 - p), 0.0) + t2**2 / 4) / (1 + t2)
        return max(middle - reach, 0.0), min(middle + reach, 1.0)


def _unskewed(t: float, lopsided: float) -> float:
    """The inverse of Hall's cubic t + 2 a t^2 + 4 a^2 t^3 / 3 + a, under which t is symmetric."""
    if abs(lopsided) < RESOLUTION:
        return t
    return (math.cbrt(1 + 6 * lopsided * (t - lopsided)) - 1) / (2 * lopsided)


def _covariance(a: _Jackknife, b: _Jackknife) -> float:
    each = (a.without - a.mean) * (b.without - b.mean)
    return float(each.sum()) * (a.clusters - 1) / a.clusters


def _difference_of_shares(a: _Jackknife, b: _Jackknife) -> tuple[float | None, float | None]:
    """From the intervals of both (Newcombe 1998, method 10), so that it stays within -1 and 1."""
    (low_a, high_a), (low_b, high_b) = a.share_interval(), b.share_interval()
    if low_a is None or high_a is None or low_b is None or high_b is None:
        return None, None
    spread = math.sqrt(_covariance(a, a) * _covariance(b, b))
    together = _covariance(a, b) / spread if spread > RESOLUTION**2 else 0.0

    def reach(one: float, other: float) -> float:
        return math.sqrt(max(one**2 - 2 * together * one * other + other**2, 0.0))

    mean = a.mean - b.mean
    below = reach(a.mean - low_a, high_b - b.mean)
    above = reach(high_a - a.mean, b.mean - low_b)
    return max(mean - below, -1.0), min(mean + above, 1.0)


def student_t(freedom: int, tail: float = (1 - LEVEL) / 2) -> float:
    """What Student's t exceeds with the chance `tail` (Hill 1970, algorithm 396), to 0.1 %."""
    n, p = float(freedom), 2 * tail
    if freedom == 1:
        return 1 / math.tan(p * math.pi / 2)
    if freedom == 2:
        return math.sqrt(2 / (p * (2 - p)) - 2)
    a = 1 / (n - 0.5)
    b = 48 / a**2
    c = ((20700 * a / b - 98) * a - 16) * a + 96.36
    d = ((94.5 / (b + c) - 3) / b + 1) * math.sqrt(a * math.pi / 2) * n
    y = (d * p) ** (2 / n)
    if y > 0.05 + a:
        x = NormalDist().inv_cdf(tail)
        y = x**2
        if freedom < 5:
            c += 0.3 * (n - 4.5) * (x + 0.6)
        c = (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b + c
        y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x
        y = math.expm1(a * y**2)
    else:
        y = (
            (1 / (((n + 6) / (n * y) - 0.089 * d - 0.822) * (n + 2) * 3) + 0.5 / (n + 4)) * y - 1
        ) * (n + 1) / (n + 2) + 1 / y
    return math.sqrt(n * y)


def episode_means(values: FloatArray) -> FloatArray:
    """Mean over the seeds that have a value, (episodes,); NaN where none has."""
    known = ~np.isnan(values)
    counts = known.sum(axis=1)
    totals = np.where(known, values, 0.0).sum(axis=1)
    means: FloatArray = np.divide(
        totals, counts, out=np.full(len(values), np.nan), where=counts > 0
    )
    return means


def cluster_sums(differences: FloatArray, clusters: IntArray) -> FloatArray:
    """The sum of differences in each cluster that is there: of crowd windows, or a scene."""
    names, place = np.unique(clusters, return_inverse=True)
    return np.bincount(place, weights=differences, minlength=len(names)).astype(np.float64)


def restricted_times(times: FloatArray, arrived: IntArray, limits: FloatArray) -> FloatArray:
    """Time to goal restricted to the time limit: who never arrives counts with all of it.

    Their mean is the restricted mean time to goal. Hitting a wall is a competing event after
    which nobody arrives, so it is not censored at the time of the crash.
    """
    return np.where(np.asarray(arrived, bool), np.minimum(times, limits), limits)
