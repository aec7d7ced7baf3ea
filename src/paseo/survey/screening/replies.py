"""Everybody's answers as one table of numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from paseo.survey.screening.conduct import Asked, Conduct
from paseo.world.arrays import BoolArray, FloatArray, IntArray

NONE = -1  # in a table of whole numbers: not answered


@dataclass(frozen=True, kw_only=True, eq=False)
class Replies:
    """Answers by person and question; `NONE` where there is none."""

    options: IntArray  # (people, questions), a number for each answer, the same within a kind
    positions: IntArray  # (people, questions), of the first choice, from 0
    choices: IntArray  # (questions,), how many
    kinds: IntArray  # (questions,), a number for each kind

    def answered(self, person: int) -> IntArray:
        """Which questions somebody answered, (answers,)."""
        return np.flatnonzero(self.options[person] != NONE)

    def chosen(self, people: BoolArray) -> IntArray:
        """How many of these people gave each answer, (questions, options)."""
        return _counts(self.options, people, int(self.options.max(initial=0)) + 1)

    def placed(self, people: BoolArray) -> IntArray:
        """How many of these people chose at each place, (questions, places)."""
        return _counts(self.positions, people, int(self.choices.max(initial=1)))


def replies_of(people: Sequence[Conduct]) -> Replies:
    """The table of what these people answered."""
    asked: dict[Asked, int] = {}
    kinds: dict[str, int] = {}
    codes: dict[tuple[str, tuple[str, ...]], int] = {}
    many: dict[str, int] = {}  # answers so far, by kind
    rows: list[tuple[int, int, int, int]] = []
    choices: list[int] = []
    kind_of: list[int] = []
    for person, conduct in enumerate(people):
        for place, reply in conduct.replies.items():
            if place not in asked:
                asked[place] = len(asked)
                choices.append(reply.choices)
                kind_of.append(kinds.setdefault(reply.kind, len(kinds)))
            answer = (reply.kind, reply.option)
            if answer not in codes:
                codes[answer] = many.get(reply.kind, 0)
                many[reply.kind] = codes[answer] + 1
            rows.append((person, asked[place], codes[answer], reply.position))
    options = np.full((len(people), len(asked)), NONE)
    positions = options.copy()
    if rows:
        who, what, option, position = np.array(rows).T
        options[who, what], positions[who, what] = option, position
    return Replies(
        options=options,
        positions=positions,
        choices=np.array(choices, dtype=np.int64),
        kinds=np.array(kind_of, dtype=np.int64),
    )


def shares_without(counts: IntArray, own: IntArray | None) -> FloatArray:
    """Shares of counts, (questions, answers), without one's own answers, (questions,), if any.

    NaN where nobody else answered.
    """
    others = counts.copy()
    if own is not None:
        others[np.arange(len(own)), own] -= 1
    total = others.sum(axis=1, keepdims=True)
    return np.divide(others, total, out=np.full(others.shape, np.nan), where=total > 0)


def _counts(table: IntArray, people: BoolArray, answers: int) -> IntArray:
    counts = np.zeros((table.shape[1], answers), dtype=np.int64)
    rows = table[people]
    _, asked = np.nonzero(rows != NONE)
    np.add.at(counts, (asked, rows[rows != NONE]), 1)
    return counts
