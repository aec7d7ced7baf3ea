"""Answers to repeats, or log-probabilities, as a distribution, held against people's answers."""

from dataclasses import dataclass

import numpy as np

from paseo.vqa.questions.votes import Labels
from paseo.vqa.scores.marking import Marking
from paseo.vqa.scores.rows import ScoreRow, earned
from paseo.vqa.scores.uncertainty import SceneDraws, Score, score
from paseo.world.arrays import FloatArray, IntArray

PRIOR = 0.5  # answers added to every option (Jeffreys): what was not said was not impossible
FEWEST = 2  # repeats that are a distribution
FLOOR = 0.001  # of any option's probability: what no provider lists was not impossible


@dataclass(frozen=True, slots=True, kw_only=True)
class Divergence:
    """A mean over questions in bits, and its error clustered by scene."""

    mean: float | None
    clustered_se: float | None
    questions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """How a model's answers to repeats are spread, beside people's."""

    repeats: int  # the most of any question
    expected: Score  # PA of an answer drawn from the model's
    most_common: Score  # PA of the answer it gave most often
    alike: Score  # how far the two overlap: 1 minus their total variation distance
    kl: Divergence  # of people's distribution from the model's
    kl_even: Divergence  # of people's distribution from guessing, all options equally likely


def spread(row: ScoreRow, labels: Labels, marking: Marking, draws: SceneDraws) -> Spread | None:
    """What can be said of a row with repeats; None without any.

    Only questions with at least two answers count; one that cannot be read is none of the options,
    and brings the model nearer to nobody.
    """
    choices = row.choices
    if choices is None or choices.shape[1] < FEWEST:
        return None
    options = labels.counts.shape[1]
    given = (choices <= options).sum(axis=1)
    chosen = (given >= FEWEST) & ~np.isnan(row.agreement)
    counts = np.stack([(choices == k).sum(axis=1) for k in range(options)], axis=1)
    people = labels.counts / labels.people[:, None]
    said = counts / np.maximum(given, 1)[:, None]
    most = np.where(counts.max(axis=1) > 0, counts.argmax(axis=1), options)
    offered = np.array([len(each.kind.options) for each in labels.questions])
    return Spread(
        repeats=choices.shape[1],
        expected=score(row.agreement, draws, chosen),
        most_common=score(earned(most[:, None], marking.agreement, marking), draws, chosen),
        alike=score(np.minimum(people, said).sum(axis=1), draws, chosen),
        kl=_mean(_kl(people, counts, given + PRIOR * offered), draws, chosen),
        kl_even=_mean(_kl(people, np.zeros_like(counts), PRIOR * offered), draws, chosen),
    )


def likely(row: ScoreRow, labels: Labels, marking: Marking, draws: SceneDraws) -> Spread | None:
    """The same by log-probabilities; None without any.

    Only questions count whose options' probabilities could be told.
    """
    if row.chances is None:
        return None
    chosen = ~np.isnan(row.chances).any(axis=1) & ~np.isnan(row.agreement)
    said = np.nan_to_num(row.chances)
    people = labels.counts / labels.people[:, None]
    offered = np.array([len(each.kind.options) for each in labels.questions])[:, None]
    worth = np.where(said > 0, said * marking.agreement, 0.0).sum(axis=1)
    most = said.argmax(axis=1)
    return Spread(
        repeats=0 if row.choices is None else row.choices.shape[1],
        expected=score(worth, draws, chosen),
        most_common=score(earned(most[:, None], marking.agreement, marking), draws, chosen),
        alike=score(np.minimum(people, said).sum(axis=1), draws, chosen),
        kl=_mean(_bits(people, (1 - FLOOR * offered) * said + FLOOR), draws, chosen),
        kl_even=_mean(_bits(people, np.ones_like(said) / offered), draws, chosen),
    )


def _kl(people: FloatArray, counts: IntArray, total: FloatArray) -> FloatArray:
    """Bits by which people's answers surprise whoever expects the model's, (questions,)."""
    return _bits(people, (counts + PRIOR) / total[:, None])


def _bits(people: FloatArray, model: FloatArray) -> FloatArray:
    """The Kullback-Leibler divergence of people's distributions from a model's, (questions,)."""
    ratio = np.divide(people, model, out=np.ones_like(people), where=people > 0)
    bits: FloatArray = (people * np.log2(ratio)).sum(axis=1)
    return bits


def _mean(values: FloatArray, draws: SceneDraws, chosen: np.ndarray) -> Divergence:
    found = score(values, draws, chosen)
    return Divergence(mean=found.mean, clustered_se=found.clustered_se, questions=found.questions)
