"""Everything `paseo score` has to say, as numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from paseo.metrics.comparison.sign_flips import holm
from paseo.vqa.questions.votes import Labels
from paseo.vqa.scores.annotators import Annotator, annotators, outdone
from paseo.vqa.scores.baselines import CONSTANT, ORACLE, PERSON, baseline_rows, scene_numbers
from paseo.vqa.scores.breakdown import Apart, Missed, Sections, apart, missed, sections
from paseo.vqa.scores.distributions import Spread, likely, spread
from paseo.vqa.scores.marking import Marking, Variant, marking
from paseo.vqa.scores.rows import (
    Group,
    Over,
    ScoreRow,
    choosing,
    names_of,
    on_common,
    sheet_row,
)
from paseo.vqa.scores.sheets import Sheet
from paseo.vqa.scores.spending import Spending, spending
from paseo.vqa.scores.uncertainty import (
    DRAWS,
    MARGIN,
    Equivalence,
    SceneDraws,
    Score,
    ScoreDifference,
    difference,
    equivalence,
    scene_draws,
    score,
)
from paseo.world.arrays import FloatArray
from paseo.world.scenes import Unreadable


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """One row with its scores."""

    row: ScoreRow
    scores: Mapping[str, Mapping[str, Score]]  # by section and name, see `sections`
    weighted: Mapping[str, Mapping[str, Score]]  # the same, consensus-weighted
    against_person: Equivalence | None  # None for people's own rows
    people_outdone: int | None  # None where nobody is known by name
    missed: tuple[Missed, ...]
    spending: Spending | None
    spread: Spread | None = None  # of answers over repeats; None without any
    likely: Spread | None = None  # the same by log-probabilities; None without any


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPair:
    """Two rows held against each other; p allows for all pairs looked at."""

    first: str
    second: str
    difference: ScoreDifference
    p: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Parting:
    """Where two rule-based baselines give different answers."""

    first: str
    second: str
    apart: tuple[Apart, ...]
    questions: int  # that both answered


@dataclass(frozen=True, slots=True, kw_only=True)
class Scorecard:
    """All rows of one set of labels under one variant."""

    labels: Labels
    variant: Variant
    rows: tuple[Scored, ...]
    pairs: tuple[ModelPair, ...]
    partings: tuple[Parting, ...]
    people: tuple[Annotator, ...]
    draws: int
    margin: float
    unruled: tuple[Unreadable, ...] = ()  # scenes that the rules could not be tried on
    rules_problem: str = ""  # why the rules read no pictures, in words
    questions: Over = Over.OWN  # which ones each row is over


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorePlan:
    """How to score."""

    variant: Variant = Variant.DEFINITION
    draws: int = DRAWS
    margin: float = MARGIN
    questions: Over = Over.OWN  # which ones a row is over


def scorecard(
    labels: Labels,
    sheets: Sequence[Sheet],
    rng: np.random.Generator,
    *,
    rules: Sequence[Sheet] = (),
    plan: ScorePlan | None = None,
) -> Scorecard:
    """Score models' sheets, and sheets of rule-based baselines, beside the other baselines."""
    how = plan or ScorePlan()
    marks = marking(labels, how.variant)
    by = choosing(labels, marks)
    oracle, person, *others = baseline_rows(labels, marks)
    people_rows = () if labels.by_geometry else (oracle, person)  # nobody was asked
    ruled = [sheet_row(each, by, name=each.model, group=Group.BASELINE) for each in rules]
    models = [
        sheet_row(each, by, name=name, group=Group.MODEL)
        for each, name in zip(sheets, names_of(sheets), strict=True)
    ]
    rows = [*people_rows, *ruled, *others, *models]
    if how.questions is Over.COMMON:
        rows = on_common(rows)
    draws = scene_draws(scene_numbers(labels), rng, how.draws)
    people = annotators(by)
    room = _Room(labels, marks, sections(labels), draws, person, people, how.margin)
    return Scorecard(
        labels=labels,
        variant=how.variant,
        rows=tuple(_scored(row, room) for row in rows),
        pairs=_pairs([row for row in rows if _is_compared(row)], draws),
        partings=tuple(_parting(a, b, labels) for a, b in combinations(rules, 2)),
        people=people,
        draws=how.draws,
        margin=how.margin,
        questions=how.questions,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Room:
    """What every row is held against."""

    labels: Labels
    marks: Marking
    masks: Sections
    draws: SceneDraws
    person: ScoreRow
    people: tuple[Annotator, ...]
    margin: float

    def scores(self, values: FloatArray) -> dict[str, dict[str, Score]]:
        """By section and name."""
        return {
            title: {name: score(values, self.draws, mask) for name, mask in named.items()}
            for title, named in self.masks.items()
        }


def _scored(row: ScoreRow, room: _Room) -> Scored:
    test = None
    if row.name not in (ORACLE, PERSON) and not room.labels.by_geometry:
        test = equivalence(row.agreement, room.person.agreement, room.draws, room.margin)
    return Scored(
        row=row,
        scores=room.scores(row.agreement),
        weighted=room.scores(row.weighted),
        against_person=test,
        people_outdone=outdone(row, room.people, room.labels) if room.people else None,
        missed=missed(row, room.labels) if row.group is Group.MODEL else (),
        spending=spending(row, room.labels),
        spread=spread(row, room.labels, room.marks, room.draws),
        likely=likely(row, room.labels, room.marks, room.draws),
    )


def _parting(first: Sheet, second: Sheet, labels: Labels) -> Parting:
    found, questions = apart(first, second, labels)
    return Parting(first=first.model, second=second.model, apart=found, questions=questions)


def _is_compared(row: ScoreRow) -> bool:
    """Models with each other, and with what takes no model: the constant answer and rules."""
    return row.group is Group.MODEL or row.name == CONSTANT or row.sheet is not None


def _pairs(rows: Sequence[ScoreRow], draws: SceneDraws) -> tuple[ModelPair, ...]:
    """Every model against everything that comes before it."""
    found = [
        (later.name, earlier.name, difference(later.agreement, earlier.agreement, draws))
        for earlier, later in combinations(rows, 2)
        if later.group is Group.MODEL
    ]
    adjusted = iter(holm([each.p for *_, each in found if each.p is not None]))
    return tuple(
        ModelPair(first=a, second=b, difference=each, p=None if each.p is None else next(adjusted))
        for a, b, each in found
    )
