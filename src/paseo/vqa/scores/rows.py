"""Rows of a table: a model's answers, or a baseline's, turned into what each question earned."""

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from paseo.text import in_short
from paseo.vqa.questions.answers import Answer
from paseo.vqa.questions.questions import Option, kinds
from paseo.vqa.questions.raw_answers import LONGEST_NAME, Place
from paseo.vqa.questions.votes import Labels
from paseo.vqa.scores.marking import Marking
from paseo.vqa.scores.sheets import Sheet
from paseo.world.arrays import FloatArray, IntArray


class Group(Enum):
    """The two parts of the paper's Table I."""

    BASELINE = "Baseline"
    MODEL = "VLM"


class Over(Enum):
    """Which questions a row of scores is over."""

    OWN = "own"  # those it has an answer to, which differ from row to row
    COMMON = "common"  # those that every model has an answer to, the same for all rows


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScoreRow:
    """What one model or baseline earned on each question; NaN where it gave no answer."""

    name: str
    group: Group
    agreement: FloatArray  # (questions,), mean over repeats
    weighted: FloatArray  # (questions,)
    choices: IntArray | None = None  # (questions, repeats), as `Choosing` numbers them
    chances: FloatArray | None = None  # (questions, options), by log-probabilities; NaN: unclear
    sheet: Sheet | None = None
    unlabelled: int = 0  # answered questions that nobody's votes are known for


@dataclass(frozen=True, slots=True, eq=False)
class Choosing:
    """How answers are numbered and what each number earns, for one set of labels."""

    labels: Labels
    marking: Marking
    places: Mapping[Place, int]  # rows of the labels
    numbers: Mapping[str, Mapping[Option, int]]  # of options, by kind

    @property
    def invalid(self) -> int:
        """The number of an answer that cannot be read."""
        return self.labels.counts.shape[1]

    @property
    def unanswered(self) -> int:
        """The number of no answer at all."""
        return self.labels.counts.shape[1] + 1


def choosing(labels: Labels, marking: Marking) -> Choosing:
    """Prepare to mark sheets against labels."""
    numbers = {
        kind.key: {option: k for k, option in enumerate(kind.options)} for kind in kinds().values()
    }
    return Choosing(labels, marking, labels.rows(), numbers)


def sheet_row(sheet: Sheet, by: Choosing, *, name: str, group: Group) -> ScoreRow:
    """What a sheet earned.

    An answer that cannot be read earns nothing, or as published what the first choice earns; a
    question without an answer stays open.
    """
    choices = _chosen(sheet, by)
    return ScoreRow(
        name=name,
        group=group,
        agreement=earned(choices, by.marking.agreement, by.marking),
        weighted=earned(choices, by.marking.weighted, by.marking),
        choices=choices,
        chances=_chances(sheet, by),
        sheet=sheet,
        unlabelled=sum(place not in by.places for place in sheet.answers),
    )


def earned(choices: IntArray, worth: FloatArray, marking: Marking) -> FloatArray:
    """The mean over repeats of what choices (questions, repeats) earn, (questions,)."""
    known = np.where(np.isnan(worth[:, :1]), np.nan, 0.0)
    misfit = worth[:, :1] if marking.credits_misfits else known
    columns = np.hstack([worth, misfit, np.full_like(known, np.nan)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # nothing answered: the mean is NaN
        means: FloatArray = np.nanmean(np.take_along_axis(columns, choices, axis=1), axis=1)
    return means


def on_common(rows: Sequence[ScoreRow]) -> list[ScoreRow]:
    """The rows over the questions that every model among them answered, and no others.

    The constant answer is still chosen on all questions: it is the same, seen on fewer.
    """
    models = [row.agreement for row in rows if row.group is Group.MODEL]
    if not models:
        return list(rows)
    lacking = np.isnan(np.stack(models)).any(axis=0)  # (questions,)
    return [
        replace(
            row,
            agreement=np.where(lacking, np.nan, row.agreement),
            weighted=np.where(lacking, np.nan, row.weighted),
        )
        for row in rows
    ]


def _chosen(sheet: Sheet, by: Choosing) -> IntArray:
    """The numbers of all answers, (questions, repeats)."""
    repeats = max((len(answers) for answers in sheet.answers.values()), default=1)
    table = np.full((len(by.places), max(repeats, 1)), by.unanswered, dtype=np.int64)
    for place, answers in sheet.answers.items():
        row = by.places.get(place)
        if row is not None:
            numbers = by.numbers[by.labels.questions[row].kind.key]
            table[row, : len(answers)] = list(_numbers(answers, numbers, by.invalid))
    return table


def _chances(sheet: Sheet, by: Choosing) -> FloatArray | None:
    """The probability of each option, the mean over repeats that tell it, (questions, options)."""
    if not sheet.chances:
        return None
    table = np.full(by.labels.counts.shape, np.nan)
    for place, repeats in sheet.chances.items():
        row, told = by.places.get(place), [each for each in repeats if each is not None]
        if row is None or not told:
            continue
        table[row] = 0.0
        numbers = by.numbers[by.labels.questions[row].kind.key]
        for each in told:
            for option, chance in each.items():
                table[row, numbers[option]] += chance / len(told)
    return table


def _numbers(
    answers: Iterable[Answer], numbers: Mapping[Option, int], invalid: int
) -> Iterable[int]:
    return (numbers.get(each.option or (), invalid) for each in answers)


def names_of(sheets: Iterable[Sheet]) -> list[str]:
    """A name for each row: the model, with whatever tells it from its twins."""
    every = list(sheets)
    names = []
    for sheet in every:
        twins = [other for other in every if other.model == sheet.model]
        extra = [
            words or f"{key} unknown"
            for key, words in sheet.about.items()
            if len({other.about[key] for other in twins}) > 1
        ]
        names.append(
            in_short(sheet.model, LONGEST_NAME) + (f" ({', '.join(extra)})" if extra else "")
        )
    names = [
        f"{name} [{in_short(sheet.source, LONGEST_NAME)}]"
        if names.count(name) > 1 and sheet.source
        else name
        for name, sheet in zip(names, every, strict=True)
    ]
    return [
        f"{name} #{names[: k + 1].count(name)}" if names.count(name) > 1 else name
        for k, name in enumerate(names)
    ]
