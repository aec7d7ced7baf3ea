"""Means in tables: with their intervals, in as many digits as they deserve."""

from paseo.metrics.comparison.statistics import Estimate
from paseo.metrics.record.metric import Metric


def mean_words(found: Estimate, metric: Metric, sign: str = "") -> str:
    """A mean and its interval; shares in two places, others in three digits."""
    if found.mean is None:
        return "-"
    form = sign + (".2f" if metric.share else ".3g")
    mean = f"{found.mean:{form}}"
    return mean if found.low is None else f"{mean} [{found.low:{form}}, {found.high:{form}}]"
