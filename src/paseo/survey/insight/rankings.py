"""Planners ranked by people's choices and ratings, beside the ranking by each metric."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from paseo.survey.insight.bradley_terry import LEFT, NEITHER, RIGHT, strengths
from paseo.survey.insight.levels import clip_means
from paseo.survey.insight.panel import Panel
from paseo.survey.insight.rank_correlation import ALIKE, ranks
from paseo.survey.insight.rated import Clip, Preference
from paseo.survey.insight.resampling import UNTOLD, Draws, Interval, interval
from paseo.world.arrays import FloatArray, IntArray

FURTHEST = 50.0  # logits; no interval of strengths goes beyond


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where a planner stands with people; untold where nobody chose or rated."""

    planner: str
    strength: Interval  # logits above the average planner, by choices
    rating: Interval  # mean less raters' levels, on the scale


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Planners by a metric, best first, and how far that is from people's order."""

    metric: str
    planners: tuple[str, ...]  # without those it says nothing of
    turned: Interval  # share of pairs of planners in the other order; a tie counts half


@dataclass(frozen=True, slots=True, kw_only=True)
class Rankings:
    """Planners by people and by metrics, for one aspect."""

    standings: tuple[Standing, ...]  # best first
    choices: int
    undecided: int  # choices of no difference
    left: Interval  # logits for the left side by itself
    right_choices: tuple[Interval, ...]  # by metric: share of decided choices it agrees with
    by_metric: tuple[Ranking, ...]  # in the order of the panel's metrics


@dataclass(frozen=True, slots=True, eq=False)
class _Choices:
    """Choices by numbers, (choices,) each."""

    rater: IntArray
    episode: IntArray
    left: IntArray
    right: IntArray
    outcome: IntArray

    def weights(self, draws: Draws) -> FloatArray:
        """How often each choice counts in each draw."""
        drawn: FloatArray = draws.raters[:, self.rater] * draws.episodes[:, self.episode]
        return drawn


def rankings(
    preferences: Sequence[Preference], level: FloatArray, panel: Panel, draws: Draws
) -> Rankings:
    """Of one aspect: its preferences, and its ratings (raters, clips) less raters' levels."""
    choices = _choices(preferences, panel)
    weights = choices.weights(draws)
    ratings = _mean_ratings(level, panel, draws)
    by_choice = np.full(ratings.shape, np.nan)
    left = UNTOLD
    if len(choices.rater):
        found = strengths(_tables(choices, weights, len(panel.planners)))
        seen = np.bincount(
            np.concatenate([choices.left, choices.right]), minlength=len(panel.planners)
        )
        by_choice = np.where(seen > 0, found.planners, np.nan)
        left = interval(found.order, draws, least=-FURTHEST, most=FURTHEST)
    people = ratings if np.isnan(by_choice).all() else by_choice
    standings = [
        Standing(
            planner=name,
            strength=interval(by_choice[:, k], draws, least=-FURTHEST, most=FURTHEST),
            rating=interval(ratings[:, k], draws, least=-np.inf, most=np.inf),
        )
        for k, name in enumerate(panel.planners)
    ]
    order = np.argsort(-np.nan_to_num(people[0], nan=-np.inf), kind="stable")
    return Rankings(
        standings=tuple(standings[k] for k in order),
        choices=len(choices.rater),
        undecided=int((choices.outcome == NEITHER).sum()),
        left=left,
        right_choices=_agreements(choices, weights, panel, draws),
        by_metric=_by_metric(people, panel, draws),
    )


def _choices(preferences: Sequence[Preference], panel: Panel) -> _Choices:
    rater = {name: k for k, name in enumerate(panel.raters)}
    rows = []
    for each in preferences:
        left, right = (panel.clip(Clip(each.episode, who)) for who in each.planners)
        outcome = NEITHER
        if each.chosen is not None:
            outcome = LEFT if each.chosen == each.planners[0] else RIGHT
        rows.append((rater[each.rater], left, right, outcome))
    columns = np.array(rows, np.int64).reshape(-1, 4).T
    count = max(len(panel.planners), 1)
    return _Choices(
        columns[0], columns[1] // count, columns[1] % count, columns[2] % count, columns[3]
    )


def _tables(choices: _Choices, weights: FloatArray, planners: int) -> FloatArray:
    """How often each of two planners was chosen, (draws, left, right, outcome)."""
    cell = (choices.left * planners + choices.right) * 3 + choices.outcome
    cells, place = np.unique(cell, return_inverse=True)
    tables = np.zeros((len(weights), planners**2 * 3))
    tables[:, cells] = weights @ np.eye(len(cells))[place]
    return tables.reshape(-1, planners, planners, 3)


def _mean_ratings(level: FloatArray, panel: Panel, draws: Draws) -> FloatArray:
    """Mean over episodes of the means of clips, (draws, planners); NaN where nobody rated."""
    means = clip_means(level, draws.raters).reshape(-1, len(panel.episodes), len(panel.planners))
    known = level[~np.isnan(level)]
    usual = float(known.mean()) if len(known) else 0.0
    return usual + _over_episodes(means - _middle(means), draws)


def _middle(values: FloatArray) -> FloatArray:
    """Mean over planners of each episode (..., episodes, 1), so that hard ones do not count."""
    known = ~np.isnan(values)
    sums = np.where(known, values, 0.0).sum(axis=-1, keepdims=True)
    middle: FloatArray = sums / np.maximum(known.sum(axis=-1, keepdims=True), 1)
    return middle


def _over_episodes(values: FloatArray, draws: Draws) -> FloatArray:
    """Mean over episodes that count so often, (draws, planners) of (draws, episodes, planners)."""
    weights = draws.episodes[:, :, None] * ~np.isnan(values)
    sums, counts = (np.nan_to_num(values) * weights).sum(axis=1), weights.sum(axis=1)
    means: FloatArray = np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)
    return means


def _agreements(
    choices: _Choices, weights: FloatArray, panel: Panel, draws: Draws
) -> tuple[Interval, ...]:
    """In what share of decided choices each metric prefers the same clip; where alike, half."""
    decided = choices.outcome != NEITHER
    count = len(panel.planners)
    left = panel.oriented[:, choices.episode * count + choices.left]
    right = panel.oriented[:, choices.episode * count + choices.right]
    known = ~np.isnan(left - right) & decided
    towards = np.where(choices.outcome == LEFT, left - right, right - left)
    alike = np.abs(towards) <= ALIKE * np.maximum(np.abs(left), 1.0)
    right_one = np.where(known, np.where(alike, 0.5, towards > 0), 0.0)
    sums, counts = weights @ right_one.T, weights @ known.T.astype(np.float64)
    shares = np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)
    return tuple(interval(each, draws, least=0.0, most=1.0) for each in shares.T)


def _by_metric(people: FloatArray, panel: Panel, draws: Draws) -> tuple[Ranking, ...]:
    shape = (len(panel.metrics) * len(panel.episodes), len(panel.planners))
    within = ranks(panel.oriented.reshape(shape)).reshape(len(panel.metrics), -1, shape[1])
    # An episode ranks the planners of which the metric says something, about their middle.
    within -= _middle(within)
    found = []
    for name, own in zip(panel.metrics, within, strict=True):
        means = _over_episodes(np.broadcast_to(own, (len(draws.episodes), *own.shape)), draws)
        order = np.argsort(-np.nan_to_num(means[0], nan=-np.inf), kind="stable")
        known = [int(k) for k in order if not np.isnan(means[0, k])]
        apart = np.nan_to_num(np.ptp(means[0, known])) > ALIKE if known else False
        turned = interval(_turned(people, means), draws, least=0.0, most=1.0) if apart else UNTOLD
        names = tuple(panel.planners[k] for k in known) if apart else ()
        found.append(Ranking(metric=name, planners=names, turned=turned))
    return tuple(found)


def _turned(one: FloatArray, other: FloatArray) -> FloatArray:
    """Kendall's distance as a share of all pairs, (draws,) of (draws, planners) each."""
    a, b = np.triu_indices(one.shape[1], 1)
    product = np.sign(_rounded(one[:, a] - one[:, b])) * np.sign(
        _rounded(other[:, a] - other[:, b])
    )
    known = ~np.isnan(product)
    sums = np.where(known, (1 - product) / 2, 0.0).sum(axis=1)
    counts = known.sum(axis=1)
    return np.divide(sums, counts, out=np.full(len(one), np.nan), where=counts > 0)


def _rounded(differences: FloatArray) -> FloatArray:
    return np.where(np.abs(differences) <= ALIKE, 0.0, differences)
