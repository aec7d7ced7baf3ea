"""How the ranks of planners change with people's reactivity."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from paseo.metrics.comparison.rows import Row
from paseo.metrics.comparison.statistics import LEVEL, Resamples, drawn_means, episode_means
from paseo.world.arrays import FloatArray

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
    high: float  # 95 % interval over resampled crowd windows


def reactivity_ranks(
    tables: Mapping[Row, Mapping[str, FloatArray]], drawn: Mapping[Row, Resamples]
) -> tuple[Rank, ...]:
    """Ranks at every reactivity, if there are several of them and of planners."""
    levels = sorted({row.reactivity for row in tables if row.reactivity is not None})
    if len(levels) < 2:
        return ()
    ranks = []
    for metric, sign in RANKED.items():
        for level in levels:
            rows = [
                row for row in tables if row.reactivity == level and _is_known(tables[row], metric)
            ]
            if len(rows) > 1:
                ranks += _ranks_at(level, metric, sign, rows, tables, drawn)
    return tuple(ranks)


def _is_known(table: Mapping[str, FloatArray], metric: str) -> bool:
    return metric in table and not np.isnan(table[metric]).all()


def _ranks_at(
    level: float,
    metric: str,
    sign: int,
    rows: list[Row],
    tables: Mapping[Row, Mapping[str, FloatArray]],
    drawn: Mapping[Row, Resamples],
) -> list[Rank]:
    means = [float(np.nanmean(episode_means(tables[row][metric]))) for row in rows]
    resampled = [drawn_means(tables[row][metric], drawn[row]) for row in rows]
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
