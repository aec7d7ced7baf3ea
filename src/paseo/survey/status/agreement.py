"""How far people agree so far, and models with them: the scores of the votes so far."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from paseo.errors import InputError
from paseo.survey.status.deciding import Decision, decided, merits_of
from paseo.survey.study.folder import Study
from paseo.survey.votes import Sheets
from paseo.vqa.questions.questions import Option
from paseo.vqa.questions.raw_answers import Place
from paseo.vqa.questions.votes import Labels
from paseo.vqa.scores.baselines import scene_numbers
from paseo.vqa.scores.breakdown import apart
from paseo.vqa.scores.rows import Group
from paseo.vqa.scores.scorecard import Scorecard, scorecard
from paseo.vqa.scores.sheets import Sheet
from paseo.vqa.scores.uncertainty import Score, ScoreDifference, difference, scene_draws
from paseo.vqa.scoring import read_sheet

MOST_EXAMS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Probability of Agreement of people and models, and what it rests on."""

    people: int  # whose answers count
    scenes: int  # that somebody has finished
    questions: int
    fewest: int  # people in one of these scenes
    most: int
    rows: Mapping[str, Mapping[str, Score]]  # by name, then by category


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Two models held against each other by the votes so far."""

    first: str
    second: str
    questions: int  # that both and somebody else have answered
    apart: int  # of them, to which their first answers differ
    paired: ScoreDifference  # first minus second; its interval is over scenes
    decision: Decision | None  # None: too little is known


def exam_sheets(study: Study, exams: Sequence[Path]) -> list[Sheet]:
    """The answers of exams about a study's scenes."""
    if len(exams) > MOST_EXAMS:
        raise InputError(
            f"{len(exams)} exams are named, expected at most {MOST_EXAMS}; hold more against each "
            "other with `paseo score`, by what `paseo survey export` writes"
        )
    found = [read_sheet(each, study.about_scenes.catalogue) for each in exams]
    for sheet in found:
        _check_scenes(study, sheet)
    return found


def _check_scenes(study: Study, sheet: Sheet) -> None:
    asked = {scene for scene, _ in sheet.answers} | set(sheet.people)
    shared = asked & study.scenes.keys()
    if not shared:
        raise InputError(
            f"{sheet.source}: is about none of the scenes of {study.folder}; name an exam about "
            "the scenes that the study was made of"
        )
    for scene in sorted(shared & sheet.people.keys()):
        if sorted(sheet.people[scene]) != sorted(study.scenes[scene].people):
            raise InputError(
                f"{sheet.source}: was asked about another scene {scene} than {study.folder}, with "
                "other people in it; name an exam about the scenes that the study was made of"
            )


def labels_so_far(study: Study, sheets: Sheets) -> Labels:
    """The votes so far as labels, with who gave them."""
    catalogue = study.about_scenes.catalogue
    asked = [each for scene in sheets for each in study.about_scenes.asked(scene)]
    numbers = {
        key: {option: k for k, option in enumerate(kind.options)}
        for key, kind in catalogue.kinds.items()
    }
    counts = np.zeros((len(asked), max(map(len, numbers.values()))), dtype=np.int64)
    for row, each in enumerate(asked):
        for sheet in sheets[each.scene].values():
            counts[row, numbers[each.kind.key][sheet[each.key]]] += 1
    names = sorted({name for people in sheets.values() for name in people})
    said: dict[str, dict[Place, Option]] = {name: {} for name in names}
    for each in asked:
        for name, sheet in sheets[each.scene].items():
            said[name][each.scene, each.key] = sheet[each.key]
    return Labels(
        questions=tuple(asked),
        counts=counts,
        annotators=said,
        source=str(study.folder),
        catalogue=catalogue,
    )


def card_so_far(
    study: Study, sheets: Sheets, exams: Sequence[Sheet], rng: np.random.Generator
) -> Scorecard | None:
    """People and models, scored by the votes so far; None where there are none."""
    return scorecard(labels_so_far(study, sheets), exams, rng) if sheets else None


def agreement(card: Scorecard) -> Agreement:
    """What a card says of people and models, by category."""
    people = card.labels.people
    return Agreement(
        people=len(card.labels.annotators),
        scenes=len(card.labels.scenes),
        questions=len(card.labels.questions),
        fewest=int(people.min()),
        most=int(people.max()),
        rows={each.row.name: each.scores["category"] for each in card.rows},
    )


def ranking(card: Scorecard, rng: np.random.Generator) -> Ranking:
    """What a card says of its two models, in the order in which they were named."""
    rows = [each.row for each in card.rows if each.row.group is Group.MODEL]
    first, second = rows
    if first.sheet is None or second.sheet is None:
        raise TypeError("models have sheets")
    different, both = apart(first.sheet, second.sheet, card.labels)
    draws = scene_draws(scene_numbers(card.labels), rng, card.draws)
    paired = difference(first.agreement, second.agreement, draws)
    decision = decided(merits_of(card, first, second), rng)
    if decision is not None and not _stands_out(paired.score):  # what is shown is not gainsaid
        decision = replace(decision, settled=False)
    return Ranking(
        first=first.name,
        second=second.name,
        questions=both,
        apart=len(different),
        paired=paired,
        decision=decision,
    )


def _stands_out(score: Score) -> bool:
    return score.low is not None and score.high is not None and not score.low <= 0 <= score.high
