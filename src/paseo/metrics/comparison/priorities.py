"""Which planner to choose: a user's weights and limits, and the Pareto front."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from paseo.errors import BadValue, UnknownName
from paseo.metrics.comparison.rows import Row, RowSummary
from paseo.metrics.record.metric import Better, Metric
from paseo.world.arrays import BoolArray, FloatArray


@dataclass(frozen=True, slots=True)
class Limit:
    """What a planner's mean must not fall below or exceed."""

    low: float = -math.inf
    high: float = math.inf


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """One planner's place: score from 0 (worst of all in everything) to 1 (best)."""

    row: Row
    score: float
    broken: tuple[str, ...]  # limits that are not kept, in words
    on_front: bool  # no other planner is at least as good in everything and better in something


def ranking(
    summaries: Sequence[RowSummary],
    metrics: Sequence[Metric],
    weights: Mapping[str, float],
    limits: Mapping[str, Limit],
) -> list[Ranked]:
    """Planners, best first; those that break a limit come last, however they score."""
    directions = {each.name: each.better for each in metrics}
    for name in [*weights, *limits]:
        if name not in directions:
            raise UnknownName("metric", name, directions)
    for name in weights:
        if directions[name] is Better.NEITHER:
            raise BadValue(f"priorities: '{name}' has no better direction and cannot be weighed")
    means = {
        each.row: {name: each.estimates[name].mean for name in {*weights, *limits}}
        for each in summaries
        if not each.row.is_reference
    }
    goodness = _goodness(means, weights, directions)
    worse = np.array([[-goodness[row][name] for name in weights] for row in means])
    unbeaten = dict(zip(means, on_front(worse.reshape(len(means), -1)), strict=True))
    placed = [
        Ranked(
            row=row,
            score=sum(weights[name] * goodness[row][name] for name in weights)
            / (sum(weights.values()) or 1.0),
            broken=tuple(_broken(means[row], limits)),
            on_front=bool(unbeaten[row]),
        )
        for row in means
    ]
    return sorted(placed, key=lambda each: (bool(each.broken), -each.score))


def _goodness(
    means: Mapping[Row, Mapping[str, float | None]],
    weights: Mapping[str, float],
    directions: Mapping[str, Better],
) -> dict[Row, dict[str, float]]:
    """Each weighed mean, stretched so that the worst planner has 0 and the best 1."""
    result: dict[Row, dict[str, float]] = {row: {} for row in means}
    for name in weights:
        sign = -1.0 if directions[name] is Better.LOWER else 1.0
        values = {row: means[row][name] for row in means}
        known = [sign * value for value in values.values() if value is not None]
        low, high = min(known, default=0.0), max(known, default=0.0)
        for row, value in values.items():
            if value is None:
                result[row][name] = 0.0  # an unknown is no merit
            else:
                result[row][name] = (sign * value - low) / (high - low) if high > low else 1.0
    return result


def _broken(means: Mapping[str, float | None], limits: Mapping[str, Limit]) -> list[str]:
    words = []
    for name, limit in limits.items():
        value = means[name]
        if value is None:
            words.append(f"{name} is not known")
        elif value < limit.low:
            words.append(f"{name} is {value:.3g}, wanted at least {limit.low:g}")
        elif value > limit.high:
            words.append(f"{name} is {value:.3g}, wanted at most {limit.high:g}")
    return words


def on_front(points: FloatArray) -> BoolArray:
    """Which of the points (n, measures), smaller being better, no other point dominates, (n,).

    A point dominates another if it is nowhere worse and somewhere better.
    """
    nowhere_worse = (points[:, None, :] <= points[None, :, :]).all(axis=2)
    better = (points[:, None, :] < points[None, :, :]).any(axis=2)
    dominated: BoolArray = np.any(nowhere_worse & better, axis=0)
    return ~dominated
