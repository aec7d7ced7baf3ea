"""Which metrics predict what people felt: everything that is found in a rated study."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from paseo.errors import InputError
from paseo.metrics.comparison.families import ALPHA
from paseo.metrics.record.metric import Better
from paseo.survey.insight.chance import family_p
from paseo.survey.insight.learned import LearnedScore, learned_score
from paseo.survey.insight.levels import clip_means, level_ratings
from paseo.survey.insight.panel import Panel, direction, panel_of
from paseo.survey.insight.rank_correlation import (
    Pairs,
    pairs_over_all,
    pairs_within,
    ranks,
    taus,
    without_planners,
)
from paseo.survey.insight.rankings import Rankings, rankings
from paseo.survey.insight.rated import RatedStudy
from paseo.survey.insight.reliability import Reliability, reliability
from paseo.survey.insight.resampling import DRAWS, Draws, Interval, draws_of, interval
from paseo.world.arrays import FloatArray


class Verdict(StrEnum):
    """What can be said of a metric and an aspect."""

    PREDICTS = "predicts"
    WRONG_WAY = "predicts the wrong way"
    MORE = "more of it is liked"  # of metrics of which neither way is good
    LESS = "less of it is liked"
    PLANNERS = "only tells these planners apart"  # as whatever sets one of them apart would
    CHANCE = "not beyond chance"
    UNTOLD = "cannot be told"


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """How a metric goes with the ratings of an aspect.

    Correlations are Kendall's tau-b with the means of clips less raters' levels, above 0 where what
    the metric calls better was rated higher (of what is neither: where there is more of it).
    """

    metric: str
    better: Better
    clips: int  # rated ones of which it has a value
    within: Interval  # over planners on the same episode
    over_all: Interval  # over all clips
    same_planner: Interval  # within episodes, planners' means taken out of both
    p: float | None  # of `within`, corrected over all metrics and aspects
    p_same_planner: float | None  # likewise
    verdict: Verdict
    right_choices: Interval  # share of decided choices between two that it agrees with

    @property
    def claimed(self) -> bool:
        """Whether it goes with ratings beyond chance, either way, whoever planned."""
        return self.verdict not in (Verdict.PLANNERS, Verdict.CHANCE, Verdict.UNTOLD)

    def of_ceiling(self, ceiling: float | None) -> float | None:
        """Its correlation as a share of what any metric could reach."""
        value = self.within.value
        return None if value is None or not ceiling else value / ceiling


@dataclass(frozen=True, slots=True, kw_only=True)
class AspectInsight:
    """What was found about one aspect."""

    aspect: str
    ratings: int  # of clips seen for the first time
    raters: int
    predictions: tuple[Prediction, ...]  # the strongest first, whichever way
    reliability: Reliability
    rankings: Rankings
    learned: LearnedScore | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Insight:
    """What was found in a study."""

    raters: int
    clips: int  # rated or chosen between
    episodes: int
    clusters: int  # of episodes whose crowd windows overlap
    planners: tuple[str, ...]
    metrics: tuple[str, ...]
    points: int
    aspects: tuple[AspectInsight, ...]
    draws: int
    seed: int


def metric_insight(study: RatedStudy, *, seed: int = 0, draws: int = DRAWS) -> Insight:
    """Hold what people said of clips against what was measured of them."""
    panel = panel_of(study)
    if not study.ratings and not study.preferences:
        raise InputError("nobody has rated or chosen a clip yet: there is nothing to look at")
    if not panel.metrics:
        raise InputError("no metric has a value for any clip that was shown: measure them first")
    rng = np.random.default_rng(seed)
    drawn = draws_of(panel, rng, draws)
    levels = [level_ratings(own) for own in panel.ratings]
    one = np.ones((1, len(panel.raters)))
    people = np.concatenate([clip_means(own, one) for own in levels])
    own = without_planners(people, panel), without_planners(ranks(panel.oriented), panel)
    p = np.stack(
        [family_p(people, panel.oriented, panel, rng), family_p(*own, panel, rng)], axis=1
    )  # (aspects, 2, metrics)
    aspects = [
        _aspect(study, panel, name, level, chance, drawn, rng)
        for name, level, chance in zip(panel.aspects, levels, p, strict=True)
    ]
    return Insight(
        raters=len(panel.raters),
        clips=_clips(study),
        episodes=len(panel.episodes),
        clusters=int(panel.clusters.max()) + 1,
        planners=panel.planners,
        metrics=panel.metrics,
        points=study.points,
        aspects=tuple(aspects),
        draws=draws,
        seed=seed,
    )


def _clips(study: RatedStudy) -> int:
    rated = {(each.clip.episode, each.clip.planner) for each in study.ratings}
    chosen = {(each.episode, who) for each in study.preferences for who in each.planners}
    return len(rated | chosen)


def _aspect(
    study: RatedStudy, panel: Panel, aspect: str, level: FloatArray, p: FloatArray, draws: Draws,
    rng: np.random.Generator,
) -> AspectInsight:  # fmt: skip
    pairs = pairs_within(panel)
    preferences = [each for each in study.preferences if each.aspect == aspect]
    ranked = rankings(preferences, level, panel, draws)
    return AspectInsight(
        aspect=aspect,
        ratings=int((~np.isnan(level)).sum()),
        raters=int((~np.isnan(level)).any(axis=1).sum()),
        predictions=_predictions(panel, level, p, draws, pairs, ranked, rng),
        reliability=reliability(study, panel, aspect, level, pairs, rng),
        rankings=ranked,
        learned=learned_score(level, panel, draws, rng),
    )


def _predictions(
    panel: Panel, level: FloatArray, p: FloatArray, draws: Draws, pairs: Pairs, ranked: Rankings,
    rng: np.random.Generator,
) -> tuple[Prediction, ...]:  # fmt: skip
    means = clip_means(level, draws.raters)
    everywhere = pairs_over_all(panel, rng)
    weights = pairs.weights(draws.episodes)
    within = taus(means, panel.oriented, pairs, weights)
    over_all = taus(means, panel.oriented, everywhere, everywhere.weights(draws.episodes))
    left = without_planners(ranks(panel.oriented), panel)
    same = taus(without_planners(means, panel), left, pairs, weights)
    rated = ~np.isnan(means[0])
    found = [
        Prediction(
            metric=name,
            better=direction(name),
            clips=int((rated & ~np.isnan(panel.measured[k])).sum()),
            within=interval(within[:, k], draws, least=-1.0, most=1.0),
            over_all=interval(over_all[:, k], draws, least=-1.0, most=1.0),
            same_planner=interval(same[:, k], draws, least=-1.0, most=1.0),
            p=_known(p[0, k]),
            p_same_planner=_known(p[1, k]),
            verdict=_verdict(direction(name), float(within[0, k]), p[:, k]),
            right_choices=ranked.right_choices[k],
        )
        for k, name in enumerate(panel.metrics)
    ]
    return tuple(sorted(found, key=lambda each: -abs(each.within.value or 0.0)))


def _known(p: float) -> float | None:
    return None if np.isnan(p) else float(p)


def _verdict(better: Better, tau: float, p: FloatArray) -> Verdict:
    if np.isnan(p[0]):
        return Verdict.UNTOLD
    if p[0] >= ALPHA:
        return Verdict.CHANCE
    if not p[1] < ALPHA:
        return Verdict.PLANNERS
    if better is Better.NEITHER:
        return Verdict.MORE if tau > 0 else Verdict.LESS
    return Verdict.PREDICTS if tau > 0 else Verdict.WRONG_WAY
