"""What takes no model: people themselves, chance, and answers that ignore the scene."""

import numpy as np

from paseo.vqa.questions.votes import Labels
from paseo.vqa.scores.marking import Marking
from paseo.vqa.scores.rows import Group, ScoreRow, earned
from paseo.world.arrays import FloatArray, IntArray

ORACLE, PERSON, CONSTANT = "human oracle", "average human", "constant answer"
RANDOM, FIRST = "random", "always first"


def baseline_rows(labels: Labels, marking: Marking) -> tuple[ScoreRow, ...]:
    """The baselines that need nothing but the labels, best known first."""
    return (
        _row(ORACLE, marking.oracle, marking.oracle_weighted),
        _row(PERSON, marking.person, marking.person_weighted),
        _choice_row(CONSTANT, constants_elsewhere(labels, marking), marking),
        _row(RANDOM, _expected(labels, marking.agreement), _expected(labels, marking.weighted)),
        _choice_row(FIRST, np.zeros(len(labels.questions), np.int64), marking),
    )


def constants(labels: Labels, marking: Marking) -> IntArray:
    """The option of each question's kind that earns most over all scenes, (questions,)."""
    totals = _earnings(labels, marking).sum(axis=0)  # (kinds, options)
    return _first_best(totals)[_kind_numbers(labels)]


def constants_elsewhere(labels: Labels, marking: Marking) -> IntArray:
    """The same, chosen for each scene on all the other scenes; unanswered if there is none."""
    each = _earnings(labels, marking)  # (scenes, kinds, options)
    best = _first_best(each.sum(axis=0) - each)
    scenes = scene_numbers(labels)
    if scenes.max() == 0:
        return np.full(len(labels.questions), labels.counts.shape[1] + 1)
    chosen: IntArray = best[scenes, _kind_numbers(labels)]
    return chosen


def scene_numbers(labels: Labels) -> IntArray:
    """Which scene, counted from 0, each question belongs to."""
    places = {scene: k for k, scene in enumerate(labels.scenes)}
    return np.array([places[each.scene] for each in labels.questions])


def _kind_numbers(labels: Labels) -> IntArray:
    places = {key: k for k, key in enumerate(labels.catalogue.kinds)}
    return np.array([places[each.kind.key] for each in labels.questions])


def _earnings(labels: Labels, marking: Marking) -> FloatArray:
    """What each option of each kind earns in each scene, (scenes, kinds, options)."""
    scenes = scene_numbers(labels)
    sums = np.zeros((scenes.max() + 1, len(labels.catalogue.kinds), labels.counts.shape[1]))
    np.add.at(sums, (scenes, _kind_numbers(labels)), np.nan_to_num(marking.agreement))
    return sums


def _first_best(earnings: FloatArray) -> IntArray:
    """The best option, the first among equals; sums in another order differ in the last digit."""
    return (earnings > earnings.max(axis=-1, keepdims=True) - 1e-9).argmax(axis=-1)


def _expected(labels: Labels, worth: FloatArray) -> FloatArray:
    """What guessing earns on average: all options of a question are equally likely."""
    options = np.array([len(each.kind.options) for each in labels.questions])
    means: FloatArray = worth.sum(axis=1) / options
    return means


def _row(name: str, agreement: FloatArray, weighted: FloatArray) -> ScoreRow:
    return ScoreRow(name=name, group=Group.BASELINE, agreement=agreement, weighted=weighted)


def _choice_row(name: str, choices: IntArray, marking: Marking) -> ScoreRow:
    table = choices[:, None]
    return ScoreRow(
        name=name,
        group=Group.BASELINE,
        agreement=earned(table, marking.agreement, marking),
        weighted=earned(table, marking.weighted, marking),
        choices=table,
    )
