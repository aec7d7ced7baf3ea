"""How far people agree with each other and with themselves, and what a metric could reach."""

import math
from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from paseo.survey.insight.levels import clip_means
from paseo.survey.insight.panel import Panel
from paseo.survey.insight.rank_correlation import Pairs, orders
from paseo.survey.insight.rated import Clip, RatedStudy
from paseo.world.arrays import FloatArray

SPLITS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Consistency:
    """How far apart somebody's two ratings of one clip are, in points of the scale."""

    rater: str
    clips: int  # seen twice
    apart: float  # mean distance of the two ratings of a clip
    by_chance: float | None  # of their ratings of different clips


@dataclass(frozen=True, slots=True, kw_only=True)
class Reliability:
    """How much there is to predict in the ratings of one aspect; None where it cannot be told."""

    alpha: float | None  # Krippendorff's, ordinal
    of_means: float | None  # of the clips' means: how far other people's would go with them
    ceiling: float | None  # the largest tau within episodes that a metric can be expected to reach
    raters: tuple[Consistency, ...]  # who saw clips twice

    @property
    def twice(self) -> int:
        """How many clips were rated twice by the same person."""
        return sum(each.clips for each in self.raters)

    @property
    def apart(self) -> float | None:
        """Mean distance of the two ratings, over all clips seen twice."""
        return self._mean([each.apart for each in self.raters])

    @property
    def by_chance(self) -> float | None:
        """The same of different clips."""
        known = [each.by_chance for each in self.raters]
        return self._mean([each for each in known if each is not None])

    def _mean(self, values: list[float]) -> float | None:
        return sum(values) / len(values) if values else None


def reliability(
    study: RatedStudy, panel: Panel, aspect: str, level: FloatArray, pairs: Pairs,
    rng: np.random.Generator,
) -> Reliability:  # fmt: skip
    """Of one aspect; `level` are its ratings (raters, clips) less raters' own levels."""
    halves = half_tau(level, pairs, rng)
    of_means, ceiling = reached(halves)
    return Reliability(
        alpha=ordinal_alpha(panel.ratings[panel.aspects.index(aspect)]),
        of_means=of_means,
        ceiling=ceiling,
        raters=consistencies(study, aspect),
    )


def ordinal_alpha(ratings: FloatArray) -> float | None:
    """Krippendorff's alpha for ordered values, (raters, clips), NaN where there are none.

    By the coincidences of values within clips (Krippendorff 2011); None where all values are the
    same, or no clip has two.
    """
    values = np.unique(ratings[~np.isnan(ratings)])
    counts = (ratings[:, :, None] == values).sum(axis=0).astype(np.float64)  # (clips, values)
    people = counts.sum(axis=1)
    counts, people = counts[people > 1], people[people > 1]
    together = (counts / (people - 1)[:, None]).T @ counts
    together -= np.diag((counts / (people - 1)[:, None]).sum(axis=0))
    totals = together.sum(axis=0)
    up_to = np.cumsum(totals) - totals / 2
    distances = (up_to[:, None] - up_to) ** 2
    expected = totals @ distances @ totals
    if len(values) < 2 or expected <= 0:
        return None
    return float(1 - (totals.sum() - 1) * (together * distances).sum() / expected)


def half_tau(level: FloatArray, pairs: Pairs, rng: np.random.Generator) -> float | None:
    """Mean tau-b between the clip means of two halves of the raters, over many ways to halve."""
    raters = len(level)
    if raters < 2:
        return None
    order = np.argsort(rng.random((SPLITS, raters)), axis=1)
    first = (order < raters // 2).astype(np.float64)
    one, other = (orders(clip_means(level, each), pairs) for each in (first, 1 - first))
    both = ~np.isnan(one) & ~np.isnan(other)
    one, other = np.where(both, one, 0.0), np.where(both, other, 0.0)
    products = np.abs(one).sum(axis=1) * np.abs(other).sum(axis=1)
    told = products > 0
    if not told.any():
        return None
    return float(((one * other).sum(axis=1)[told] / np.sqrt(products[told])).mean())


def reached(halves: float | None) -> tuple[float | None, float | None]:
    """The reliability of all raters' means, and the tau of a metric that knew what clips deserve.

    Greiner's relation turns tau into a correlation and back, Spearman and Brown's formula makes
    two halves a whole, and whoever knows the truth correlates with what is measured as the root of
    its reliability: exact for normal values, approximate for others.
    """
    if halves is None or halves <= 0:
        return None, None
    r = math.sin(math.pi / 2 * halves)
    whole = 2 * r / (1 + r)
    return whole, 2 / math.pi * math.asin(math.sqrt(whole))


def consistencies(study: RatedStudy, aspect: str) -> tuple[Consistency, ...]:
    """Of everybody who rated some clips twice, by name."""
    first: dict[str, dict[Clip, int]] = defaultdict(dict)
    second: dict[str, dict[Clip, int]] = defaultdict(dict)
    for each in study.ratings:
        if each.aspect == aspect:
            (second if each.again else first)[each.rater][each.clip] = each.value
    found = []
    for rater in sorted(second):
        twice = sorted(second[rater].keys() & first[rater].keys(), key=str)
        if twice:
            apart = [abs(second[rater][clip] - first[rater][clip]) for clip in twice]
            others = [
                abs(second[rater][clip] - value)
                for clip in twice
                for other, value in first[rater].items()
                if other != clip
            ]
            found.append(
                Consistency(
                    rater=rater,
                    clips=len(twice),
                    apart=float(np.mean(apart)),
                    by_chance=float(np.mean(others)) if others else None,
                )
            )
    return tuple(found)
