"""How the ranks of planners change with people's reactivity."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from paseo.metrics.comparison.rows import Row
from paseo.metrics.comparison.statistics import LEVEL, episode_means
from paseo.metrics.comparison.sweeps.dials import Dial
from paseo.world.arrays import FloatArray, IntArray

DRAWS = 2000
# By the sign that sorts the best first.
RANKED = {"success": -1, "person_collisions": 1, "time_to_goal": 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rank:
    """The place of one planner among those run at the same reactivity, 1 being the best."""

    metric: str
    row: Row
    reactivity: float
    rank: float  # planners that are equal share the mean of their places
    low: float
    high: float  # 95 % interval over resampled clusters of crowd windows


Tables = Mapping[Row, Mapping[str, FloatArray]]


def reactivity_ranks(
    tables: Tables, clusters: IntArray, rng: np.random.Generator, draws: int = DRAWS
) -> tuple[Rank, ...]:
    """Ranks at every reactivity, if there are several of them and of planners."""
    levels = Dial.REACTIVITY.stops(tables)
    if len(levels) < 2:
        return ()
    weights = drawn_weights(clusters, rng, draws)
    ranks = []
    for metric, sign in RANKED.items():
        for level in levels:
            rows = [
                row for row in tables if row.reactivity == level and _is_known(tables[row], metric)
            ]
            if len(rows) > 1:
                ranks += _ranks_at(level, metric, sign, rows, tables, weights)
    return tuple(ranks)


def drawn_weights(clusters: IntArray, rng: np.random.Generator, draws: int) -> FloatArray:
    """How often each episode is drawn in each resample of clusters, (draws, episodes)."""
    names, place = np.unique(clusters, return_inverse=True)
    chosen = rng.multinomial(len(names), np.full(len(names), 1 / len(names)), size=draws)
    return chosen[:, place].astype(np.float64)


def drawn_means(values: FloatArray, weights: FloatArray) -> FloatArray:
    """The mean over the episodes that have a value, in each resample; NaN where none has."""
    known = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        means: FloatArray = (weights @ np.where(known, values, 0.0)) / (weights @ known)
    return means


def _is_known(table: Mapping[str, FloatArray], metric: str) -> bool:
    return metric in table and not np.isnan(table[metric]).all()


def _ranks_at(
    level: float,
    metric: str,
    sign: int,
    rows: list[Row],
    tables: Tables,
    weights: FloatArray,
) -> list[Rank]:
    values = [episode_means(tables[row][metric]) for row in rows]
    means = [float(np.nanmean(each)) for each in values]
    resampled = [drawn_means(each, weights) for each in values]
    here = _places(sign * np.array([means]))[0]
    places = _places(sign * np.stack(resampled, axis=1))  # (draws, rows)
    low, high = np.quantile(places, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    return [
        Rank(
            metric=metric,
            row=row,
            reactivity=level,
            rank=float(here[k]),
            low=float(low[k]),
            high=float(high[k]),
        )
        for k, row in enumerate(rows)
    ]


def _places(values: FloatArray) -> FloatArray:
    """The place of each value in its line, from 1 on; equal values share the mean place."""
    below = (values[:, None, :] < values[:, :, None]).sum(axis=2)
    equal = (values[:, None, :] == values[:, :, None]).sum(axis=2)
    places: FloatArray = below + (equal + 1) / 2
    return places
