"""Kendall's tau-b of metrics with what people gave, over pairs of clips."""

from dataclasses import dataclass

import numpy as np

from paseo.survey.insight.panel import Panel
from paseo.world.arrays import BoolArray, FloatArray, IntArray

ALIKE = 1e-9  # relative; values nearer to each other are the same
MOST_PAIRS = 12_000  # of clips of any episodes; of more, as many are drawn
MOST_AT_ONCE = 4_000_000  # signs


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Which clips are held against each other."""

    first: IntArray  # (pairs,), clips
    second: IntArray
    episodes: tuple[IntArray, IntArray]  # of the first and of the second

    def weights(self, episodes: FloatArray) -> FloatArray:
        """How often each pair counts where episodes count so often; (draws, pairs)."""
        one, other = self.episodes
        both: FloatArray = episodes[:, one]
        return np.where(one == other, both, both * episodes[:, other])

    def among(self, clips: BoolArray) -> "Pairs":
        """Those of which both clips are chosen."""
        kept = clips[self.first] & clips[self.second]
        one, other = self.episodes
        return Pairs(self.first[kept], self.second[kept], (one[kept], other[kept]))


def pairs_within(panel: Panel) -> Pairs:
    """All pairs of planners on the same episode: hard episodes make no correlation."""
    first, second = np.triu_indices(len(panel.episode_of), 1)
    same = panel.episode_of[first] == panel.episode_of[second]
    return _pairs(first[same], second[same], panel)


def pairs_over_all(panel: Panel, rng: np.random.Generator) -> Pairs:
    """Pairs of clips, whatever their episodes."""
    first, second = np.triu_indices(len(panel.episode_of), 1)
    if len(first) > MOST_PAIRS:
        chosen = np.sort(rng.choice(len(first), MOST_PAIRS, replace=False))
        first, second = first[chosen], second[chosen]
    return _pairs(first, second, panel)


def _pairs(first: IntArray, second: IntArray, panel: Panel) -> Pairs:
    episode = panel.episode_of
    return Pairs(first, second, (episode[first], episode[second]))


def taus(people: FloatArray, metrics: FloatArray, pairs: Pairs, weights: FloatArray) -> FloatArray:
    """Tau-b of people's means (draws, clips) and metrics (metrics, clips); (draws, metrics).

    A pair counts for a metric where both clips have a value of it and of people. Ties, of which
    scales and counts have many, are taken out as tau-b does; NaN where all pairs are tied.
    """
    by_metric = orders(metrics, pairs)
    told, known = np.nan_to_num(by_metric), ~np.isnan(by_metric)
    apart, there = np.abs(told).T, known.T.astype(np.float64)
    found = np.empty((len(people), len(metrics)))
    step = max(1, MOST_AT_ONCE // max(len(pairs.first), 1))
    for begin in range(0, len(people), step):
        block = slice(begin, begin + step)
        order = orders(people[block], pairs)
        weighted = np.nan_to_num(order) * weights[block]
        agreed = weighted @ told.T
        by_people = np.abs(weighted) @ there
        by_metrics = (~np.isnan(order) * weights[block]) @ apart
        found[block] = _ratio(agreed, by_people * by_metrics)
    return found


def orders(values: FloatArray, pairs: Pairs) -> FloatArray:
    """1 where the first clip of a pair has more, -1 where less, 0 where as much; NaN: unknown."""
    one, other = values[:, pairs.first], values[:, pairs.second]
    differences = one - other
    size = np.maximum(np.maximum(np.abs(one), np.abs(other)), 1.0)
    signs: FloatArray = np.where(np.abs(differences) <= ALIKE * size, 0.0, np.sign(differences))
    return np.where(np.isnan(differences), np.nan, signs)


def _ratio(agreed: FloatArray, product: FloatArray) -> FloatArray:
    told = product > 0
    out = np.full(agreed.shape, np.nan)
    return np.divide(agreed, np.sqrt(np.where(told, product, 1.0)), out=out, where=told)


def without_planners(values: FloatArray, panel: Panel) -> FloatArray:
    """Values (rows, clips) less each planner's mean: what is left tells drives of one apart."""
    left = values.copy()
    for planner in range(len(panel.planners)):
        own = panel.planner_of == planner
        known = ~np.isnan(values[:, own])
        sums = np.where(known, values[:, own], 0.0).sum(axis=1)
        left[:, own] -= (sums / np.maximum(known.sum(axis=1), 1))[:, None]
    return left


def ranks(values: FloatArray) -> FloatArray:
    """Each row's values as ranks, ties sharing theirs; NaN stays."""
    found = np.full(values.shape, np.nan)
    for row, place in zip(values, found, strict=True):
        known = ~np.isnan(row)
        _, number, counts = np.unique(row[known], return_inverse=True, return_counts=True)
        place[known] = (np.cumsum(counts) - (counts - 1) / 2)[number]
    return found
