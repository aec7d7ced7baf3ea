"""Agreement with the others, leaving oneself out: 1 as everybody, 0 as by chance."""

from dataclasses import dataclass

import numpy as np

from paseo.survey.screening.replies import Replies, shares_without
from paseo.world.arrays import BoolArray, FloatArray, IntArray

FEWEST_PEOPLE = 5  # to say what everybody's agreement is
FEWEST_QUESTIONS = 40  # that others answered, too
MOST_PASSES = 10  # of judging people against those who are kept
# Somebody is judged where answers by chance come to less than this share of everybody's agreement
# in 95 of 100 cases: 1.645 errors above nothing.
CLEAR, SURE = 0.4, 1.645


@dataclass(frozen=True, slots=True)
class Agreement:
    """How somebody agrees with the others, in units of everybody's."""

    value: float | None  # None: too few questions, or others, to tell it from chance
    questions: int


@dataclass(frozen=True, slots=True, eq=False)
class _Excess:
    """Agreement beyond chance, by person."""

    mean: FloatArray  # (people,), share of the others who said the same, minus that by chance
    error: FloatArray  # (people,), of `mean`, for who answers by chance
    questions: IntArray  # (people,)


def agreements(
    replies: Replies, kept: BoolArray, limit: float
) -> tuple[tuple[Agreement, ...], BoolArray]:
    """Everybody's agreement, and who is below `limit`, (people,).

    Who answers by chance must not be what others are judged by: people are judged against those
    who are kept by the other rules and agree, again until nobody changes.
    """
    judges = kept
    for _ in range(MOST_PASSES):
        found = _in_units(_excesses(replies, judges), judges)
        below = np.array([each.value is not None and each.value < limit for each in found], bool)
        if np.array_equal(kept & ~below, judges):
            break
        judges = kept & ~below
    return found, below


def _in_units(excess: _Excess, judges: BoolArray) -> tuple[Agreement, ...]:
    """Agreement as a share of the median of those who judge."""
    enough = excess.questions >= FEWEST_QUESTIONS
    counted = enough & judges
    if counted.sum() < FEWEST_PEOPLE:
        return tuple(Agreement(None, int(n)) for n in excess.questions)
    typical = float(np.median(excess.mean[counted]))
    # Who always says the same has no error of their own: nobody's is taken to be below the usual.
    usual = float(np.median(excess.error[counted] * np.sqrt(excess.questions[counted])))
    error = np.maximum(excess.error, usual / np.sqrt(np.maximum(excess.questions, 1)))
    sure = enough & (SURE * error <= CLEAR * typical)
    return tuple(
        Agreement(float(mean) / typical if known else None, int(questions))
        for mean, known, questions in zip(excess.mean, sure, excess.questions, strict=True)
    )


def _excesses(replies: Replies, judges: BoolArray) -> _Excess:
    chosen = replies.chosen(judges)
    rows = [
        _excess(replies, person, chosen, counted=bool(judges[person]))
        for person in range(len(replies.options))
    ]
    mean, error, questions = np.array(rows).reshape(-1, 3).T
    return _Excess(mean, error, questions.astype(np.int64))


def _excess(
    replies: Replies, person: int, chosen: IntArray, *, counted: bool
) -> tuple[float, float, int]:
    """Mean share of the others who said the same, minus that by chance; its error; questions.

    Chance is somebody's own answers in any other order among the questions of a kind: whoever
    always says the same, or says "yes" more readily, earns and loses nothing by that. Mean and
    variance over all orders are Hoeffding's (1951, A combinatorial central limit theorem, theorem
    2).
    """
    asked = replies.answered(person)
    own = replies.options[person, asked] if counted else None
    shares = shares_without(chosen[asked], own)
    known = ~np.isnan(shares[:, 0])
    asked, shares = asked[known], shares[known]
    said, kinds = replies.options[person, asked], replies.kinds[asked]
    beyond = variance = 0.0
    total = 0
    for kind in np.unique(kinds):
        here = kinds == kind
        n = int(here.sum())
        if n < 2:
            continue
        earned = shares[here][:, said[here]]  # (questions, answers), had each been given to each
        centred = earned - earned.mean(0) - earned.mean(1, keepdims=True) + earned.mean()
        beyond += float(np.trace(centred))
        variance += float((centred**2).sum()) / (n - 1)
        total += n
    return beyond / max(total, 1), variance**0.5 / max(total, 1), total
