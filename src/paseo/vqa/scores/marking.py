"""What an answer is worth: Probability of Agreement, by its definition or as published.

Munje et al., SocialNav-SUB, equation 1: the share of the people asked who gave the same answer.
Consensus-weighted, that share is divided by the share of the most common answer.
"""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from paseo.vqa.questions.votes import Labels
from paseo.world.arrays import FloatArray, IntArray


class Variant(Enum):
    """Whose arithmetic."""

    DEFINITION = "definition"  # the paper's equation, in whole votes
    PUBLISHED = "published"  # as the released program computes, faults included


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Marking:
    """What every possible answer to every question would earn; NaN where nothing is defined."""

    variant: Variant
    agreement: FloatArray  # (questions, options)
    weighted: FloatArray  # (questions, options), relative to the most common answer
    oracle: FloatArray  # (questions,), of the answer most people gave
    oracle_weighted: FloatArray
    person: FloatArray  # (questions,), of one person against the others, on average
    person_weighted: FloatArray

    @property
    def credits_misfits(self) -> bool:
        """Whether an answer that cannot be read counts as the first choice."""
        return self.variant is Variant.PUBLISHED


def marking(labels: Labels, variant: Variant) -> Marking:
    """The worth of answers under one variant."""
    if variant is Variant.PUBLISHED:
        return _as_published(labels.counts)
    return _by_definition(labels.counts)


def _by_definition(counts: IntArray) -> Marking:
    n = counts.sum(axis=1, keepdims=True)
    top = counts.max(axis=1, keepdims=True)
    left, others = _left_out(counts)
    alike = np.diagonal(left, axis1=1, axis2=2)
    of_others = alike / others
    of_best = alike / np.where(n > 1, left.max(axis=2), np.nan)
    return Marking(
        variant=Variant.DEFINITION,
        agreement=counts / n,
        weighted=counts / top,
        oracle=(top / n)[:, 0],
        oracle_weighted=np.ones(len(counts)),
        person=_mean_over_people(of_others, counts),
        person_weighted=_mean_over_people(of_best, counts),
    )


def left_out_oracle(counts: IntArray) -> FloatArray:
    """The oracle that chooses anew whenever somebody is left out, in whole votes, (questions,).

    It sees whom it is held against, so it beats the answer that most people gave; the released
    program has it (and cuts off votes besides).
    """
    left, others = _left_out(counts)
    return _mean_over_people(left.max(axis=2) / others, counts)


def _left_out(counts: IntArray) -> tuple[IntArray, FloatArray]:
    """Votes without one person of each option (questions, out, options); how many are left.

    NaN people, (questions, 1), where there was only one.
    """
    left: IntArray = counts[:, None, :] - np.eye(counts.shape[1], dtype=np.int64)
    n = counts.sum(axis=1, keepdims=True)
    return left, np.where(n > 1, n - 1, np.nan)


def _as_published(counts: IntArray) -> Marking:
    """Everybody left out in turn, votes cut to whole numbers after a subtraction of fractions.

    0.6 - 0.2 is a little less than 0.4, which cuts two votes of five to one. Questions with one
    person are skipped.
    """
    n = counts.sum(axis=1)[:, None, None].astype(np.float64)
    options = counts.shape[1]
    rest = np.trunc((counts[:, None, :] / n - np.eye(options) / n) * n)  # (questions, out, options)
    rest = np.where(counts[:, :, None] > 0, rest, 0.0)  # nobody to leave out
    total = rest.sum(axis=2, keepdims=True)
    shares = np.divide(rest, total, out=np.zeros_like(rest), where=total > 0)
    best = shares.max(axis=2, keepdims=True)
    relative = np.divide(shares, best, out=np.zeros_like(shares), where=best > 0)
    skipped = np.where(counts.sum(axis=1) > 1, 1.0, np.nan)

    def mean(values: FloatArray) -> FloatArray:
        return _mean_over_people(values, counts) * skipped

    own = {"axis1": 1, "axis2": 2}
    return Marking(
        variant=Variant.PUBLISHED,
        agreement=np.stack([mean(shares[:, :, k]) for k in range(options)], axis=1),
        weighted=np.stack([mean(relative[:, :, k]) for k in range(options)], axis=1),
        oracle=mean(best[:, :, 0]),
        oracle_weighted=mean(relative.max(axis=2)),
        person=mean(np.diagonal(shares, **own)),
        person_weighted=mean(np.diagonal(relative, **own)),
    )


def _mean_over_people(values: FloatArray, counts: IntArray) -> FloatArray:
    """The mean of (questions, options) over people, each with the value of their own option."""
    own: FloatArray = np.where(counts > 0, counts * values, 0.0).sum(axis=1) / counts.sum(axis=1)
    return own
