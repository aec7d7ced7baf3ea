"""Exact scores: worked by hand on one question, and what the scores module finds for all."""

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from paseo.vqa.questions.questions import Option, kinds
from paseo.vqa.questions.votes import Labels, read_labels
from paseo.vqa.scores.baselines import baseline_rows, constants
from paseo.vqa.scores.marking import Variant, marking
from paseo.vqa.scores.rows import ScoreRow, earned
from paseo.vqa.synthetic.expectation import expected
from paseo.world.arrays import FloatArray

NAMES = {
    "human oracle": "oracle",
    "average human": "average_human",
    "constant answer": "constant_held_out",
    "random": "random",
    "always first": "first",
}
PUBLISHED = {
    "human oracle": "published_oracle",
    "average human": "published_average_human",
    "always first": "published_first",
}


def scored(*counts: int, truth: int = 0) -> dict[str, Fraction]:
    """All rows' agreement on one question about an action, with these votes for its options."""
    options = kinds()["q_robot_action"].options
    cast = [option for option, count in zip(options, counts, strict=False) for _ in range(count)]
    ballot: dict[str, Option] = {f"v{k}": option for k, option in enumerate(cast)}
    key, scene = "q_robot_action_p1", "staged_0"
    rows = expected({scene: {key: ballot}}, {scene: {key: options[truth]}})
    return {name: Fraction(groups["all"]["pa"]) for name, groups in rows.items()}


def test_three_to_two_by_hand_with_the_original_losing_a_vote() -> None:
    scores = scored(3, 2)
    assert scores["oracle"] == scores["truth"] == scores["first"] == Fraction(3, 5)
    assert scored(3, 2, truth=1)["truth"] == Fraction(2, 5)
    assert scores["average_human"] == Fraction(2, 5)
    assert scores["random"] == Fraction(1, 5)
    assert scores["published_truth"] == Fraction(1, 2)
    assert scored(3, 2, truth=1)["published_truth"] == Fraction(1, 2)
    assert scores["published_average_human"] == Fraction(3, 10)
    assert scores["published_oracle"] == Fraction(7, 10)


def test_an_oracle_that_sees_who_is_left_out_peeks() -> None:
    scores = scored(2, 2, 1)
    assert scores["oracle"] == Fraction(2, 5) and scores["oracle_left_out"] == Fraction(1, 2)


def test_three_to_one_to_one_by_hand() -> None:
    scores = scored(3, 1, 1)
    assert scores["truth"] == Fraction(3, 5) and scores["published_truth"] == Fraction(1, 2)
    assert scores["average_human"] == Fraction(3 * 2, 5 * 4)


def test_the_best_constant_is_what_most_people_say_over_all_scenes() -> None:
    assert scored(1, 0, 4)["constant"] == Fraction(4, 5)


@pytest.fixture(scope="module")
def labels(made: Path) -> Labels:
    return read_labels(made)


def score(made: Path, row: str, group: str, measure: str) -> float:
    return float(Fraction(json.loads((made / "expected.json").read_bytes())[row][group][measure]))


def groups(labels: Labels) -> dict[str, list[int]]:
    members: dict[str, list[int]] = {}
    for place, each in enumerate(labels.questions):
        for name in ("all", each.kind.category, each.kind.key):
            members.setdefault(name, []).append(place)
    return members


def check(made: Path, name: str, labels: Labels, row: ScoreRow) -> None:
    for group, places in groups(labels).items():
        for measure, values in (("pa", row.agreement), ("cwpa", row.weighted)):
            mean = float(np.nanmean(values[places]))
            assert mean == pytest.approx(score(made, name, group, measure), abs=1e-12), group


@pytest.mark.extra("camera")
@pytest.mark.parametrize("baseline", NAMES)
def test_scores_by_definition_are_the_exact_ones(made: Path, labels: Labels, baseline: str) -> None:
    rows = {row.name: row for row in baseline_rows(labels, marking(labels, Variant.DEFINITION))}
    check(made, NAMES[baseline], labels, rows[baseline])


@pytest.mark.extra("camera")
@pytest.mark.parametrize("baseline", PUBLISHED)
def test_scores_as_published_are_the_exact_ones(made: Path, labels: Labels, baseline: str) -> None:
    rows = {row.name: row for row in baseline_rows(labels, marking(labels, Variant.PUBLISHED))}
    check(made, PUBLISHED[baseline], labels, rows[baseline])


@pytest.mark.extra("camera")
def test_the_constant_over_all_scenes_is_the_exact_one(made: Path, labels: Labels) -> None:
    marks = marking(labels, Variant.DEFINITION)
    agreement: FloatArray = earned(constants(labels, marks)[:, None], marks.agreement, marks)
    assert agreement.mean() == pytest.approx(score(made, "constant", "all", "pa"), abs=1e-12)


@pytest.mark.extra("camera")
def test_what_is_left_to_people_skips_the_question_with_one_voter(made: Path) -> None:
    rows = json.loads((made / "expected.json").read_bytes())
    assert rows["oracle"]["all"]["questions"] == "687"  # 13 times 3, and 12 for each of 54 people
    assert rows["average_human"]["all"]["questions"] == "686"
    assert rows["published_truth"]["all"]["questions"] == "686"
