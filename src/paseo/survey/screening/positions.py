"""Straight-lining: the same place among the choices, far more often than the others."""

from dataclasses import dataclass

import numpy as np

from paseo.survey.screening.replies import Replies, shares_without
from paseo.world.arrays import BoolArray, FloatArray, IntArray

FEWEST = 20  # questions


@dataclass(frozen=True, slots=True)
class Sameness:
    """How far somebody's answers lie at one place: 0 as the others', 1 always."""

    value: float | None  # None: too few questions that others answered, too
    questions: int


def samenesses(replies: Replies) -> tuple[Sameness, ...]:
    """How far everybody's answers lie at one place."""
    people = len(replies.options)
    placed = replies.placed(np.ones(people, dtype=bool))
    return tuple(_sameness(replies, person, placed) for person in range(people))


def _sameness(replies: Replies, person: int, placed: IntArray) -> Sameness:
    """The share of somebody's answers at one place, beyond that of the others there.

    (own - others) / (1 - others), on the same questions, for the place where it is largest. What
    has as many choices is held together: who always takes the fourth of seven points may always
    take the first of two clips. Means over all questions.
    """
    asked = replies.answered(person)
    others = shares_without(placed[asked], replies.positions[person, asked])
    known = ~np.isnan(others[:, 0])
    asked, others = asked[known], others[known]
    if len(asked) < FEWEST:
        return Sameness(None, len(asked))
    own, choices = replies.positions[person, asked], replies.choices[asked]
    total = 0.0
    for number in np.unique(choices):
        here = choices == number
        total += here.sum() * max(
            _beyond(own[here] == place, others[here, place]) for place in range(number)
        )
    return Sameness(float(total) / len(asked), len(asked))


def _beyond(own: BoolArray, others: FloatArray) -> float:
    expected = float(others.mean())
    return (float(own.mean()) - expected) / (1 - expected) if expected < 1 else 0.0
