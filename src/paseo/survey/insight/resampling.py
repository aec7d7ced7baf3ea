"""Episodes and raters drawn again, both at once: the pigeonhole bootstrap (Owen 2007)."""

import math
from dataclasses import dataclass

import numpy as np

from paseo.metrics.comparison.statistics import NORMAL, student_t
from paseo.survey.insight.panel import Panel
from paseo.world.arrays import FloatArray

DRAWS = 1000
FEWEST = 3  # raters, and clusters of episodes, for an interval
TAILS = (0.025, 0.975)


@dataclass(frozen=True, slots=True, eq=False)
class Draws:
    """How often each rater and each episode counts in each resample; the first is the study."""

    raters: FloatArray  # (1 + draws, raters)
    episodes: FloatArray  # (1 + draws, episodes); those of a cluster together
    smaller: int  # of the numbers of raters and of clusters


@dataclass(frozen=True, slots=True)
class Interval:
    """A number with its 95 % interval; None where it cannot be told."""

    value: float | None
    low: float | None = None
    high: float | None = None


UNTOLD = Interval(None)


def draws_of(panel: Panel, rng: np.random.Generator, draws: int = DRAWS) -> Draws:
    """As many raters and as many clusters as there are, with replacement, again and again."""
    clusters = int(panel.clusters.max()) + 1
    chosen = _drawn(clusters, draws, rng)
    return Draws(
        _drawn(len(panel.raters), draws, rng),
        chosen[:, panel.clusters],
        min(len(panel.raters), clusters),
    )


def _drawn(count: int, draws: int, rng: np.random.Generator) -> FloatArray:
    again = rng.multinomial(count, np.full(count, 1 / count), size=draws)
    return np.concatenate([np.ones((1, count)), again.astype(np.float64)])


def interval(drawn: FloatArray, draws: Draws, *, least: float, most: float) -> Interval:
    """What a number is in the study, and how far its resamples stray; `drawn` is (1 + draws,).

    Resampled means are noisier than the means were, which pulls correlations towards nothing; how
    they stray is therefore taken about their own middle. It is stretched as for few scenes
    (Cameron and Miller 2015, section VI), by the smaller of the two numbers.
    """
    if np.isnan(drawn[0]):
        return UNTOLD
    value, again = float(drawn[0]), drawn[1:][~np.isnan(drawn[1:])]
    if draws.smaller < FEWEST or len(again) < len(drawn) / 2:
        return Interval(value)
    n = draws.smaller
    stretch = math.sqrt(n / (n - 1)) * student_t(n - 1) / NORMAL
    errors = stretch * (np.quantile(again, TAILS) - np.median(again))
    low, high = (min(max(value + float(each), least), most) for each in errors)
    return Interval(value, low, high)
