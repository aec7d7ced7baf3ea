"""Cells of the paper's Tables 2 to 4: means over the populations that it chose."""

from collections.abc import Sequence

import numpy as np

from paseo.metrics.comparison.measured import MeasuredEpisode, PooledSums, finite
from paseo.metrics.comparison.rows import Cell
from paseo.metrics.record.metric import Metric, Population


def paper_cell(metric: Metric, episodes: Sequence[MeasuredEpisode], finished: set[str]) -> Cell:
    """The paper's population: all, the incomplete ones, or those that all planners completed."""
    if metric.population is Population.EVERY:
        chosen = list(episodes)
    elif metric.population is Population.INCOMPLETE:
        chosen = [each for each in episodes if not each.completed]
    else:
        chosen = [each for each in episodes if each.episode in finished]
    if chosen and metric.name in chosen[0].moments:
        return _pooled([each.moments[metric.name] for each in chosen])
    values = [finite(each.values[metric.name]) for each in chosen]
    known = np.array([value for value in values if value is not None], float)
    if not len(known):
        return Cell(None, None, 0, "episodes")
    return Cell(float(known.mean()), float(known.std()), len(known), "episodes")


def _pooled(parts: Sequence[PooledSums]) -> Cell:
    count = sum(part.count for part in parts)
    if count == 0:
        return Cell(None, None, 0, "steps")
    mean = sum(part.total for part in parts) / count
    variance = sum(part.squares for part in parts) / count - mean**2
    return Cell(mean, max(variance, 0.0) ** 0.5, count, "steps")
