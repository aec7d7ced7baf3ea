"""Sheets as rows: what is not answered, not readable, repeated, or not asked about."""

import numpy as np
import pytest

from ballots import AFFECTED, GOAL, MOVING, labels, sheet
from paseo.vqa.pictures.pictures import Drawing
from paseo.vqa.questions.answers import Answer
from paseo.vqa.questions.methods import Method
from paseo.vqa.scores.marking import Variant, marking
from paseo.vqa.scores.rows import Group, ScoreRow, choosing, names_of, sheet_row
from paseo.vqa.scores.sheets import Sheet

VOTES = labels(
    {
        ("a", GOAL): {"ahead": 6, "to the left": 4},
        ("a", AFFECTED): {"yes": 1, "no": 7},
        ("b", MOVING): {"moving ahead+turning left": 3, "turning left": 1},
    }
)
RIGHT = {("a", GOAL): "ahead", ("a", AFFECTED): "no", ("b", MOVING): "moving ahead+turning left"}


def row(answers: Sheet, variant: Variant = Variant.DEFINITION) -> ScoreRow:
    by = choosing(VOTES, marking(VOTES, variant))
    return sheet_row(answers, by, name="model", group=Group.MODEL)


def test_each_answer_earns_the_share_of_people_who_agree() -> None:
    found = row(sheet(RIGHT))
    assert found.agreement == pytest.approx([0.6, 0.875, 0.75])
    assert found.weighted == pytest.approx([1, 1, 1])
    assert row(sheet(RIGHT | {("a", GOAL): "to the left"})).weighted[0] == pytest.approx(4 / 6)


def test_part_of_several_choices_earns_only_what_people_said_exactly() -> None:
    assert row(sheet(RIGHT | {("b", MOVING): "moving ahead"})).agreement[2] == 0.0
    assert row(sheet(RIGHT | {("b", MOVING): "turning left"})).agreement[2] == 0.25


def test_an_unreadable_answer_is_not_scored_as_any_choice() -> None:
    assert row(sheet(RIGHT | {("a", GOAL): "?"})).agreement == pytest.approx([0, 0.875, 0.75])


def test_as_published_an_unreadable_answer_is_the_first_choice() -> None:
    first, misfit = (row(sheet(RIGHT | {("a", GOAL): said}), Variant.PUBLISHED)
                     for said in ("ahead", "?"))  # fmt: skip
    assert misfit.agreement == pytest.approx(first.agreement)


def test_an_unanswered_question_is_left_open() -> None:
    answers = {place: said for place, said in RIGHT.items() if place != ("a", GOAL)}
    found = row(sheet(answers))
    assert np.isnan(found.agreement[0])
    assert found.agreement[1:] == pytest.approx([0.875, 0.75])


def test_repeats_count_with_their_mean() -> None:
    answers = RIGHT | {("a", GOAL): ("ahead", "to the left", "?"), ("a", AFFECTED): ("no", "yes")}
    assert row(sheet(answers)).agreement == pytest.approx([1 / 3, 0.5, 0.75])


def test_answers_to_questions_without_votes_are_counted_and_left_out() -> None:
    found = row(sheet(RIGHT | {("c", GOAL): "ahead", ("a", "q_robot_affected_p2"): "yes"}))
    assert found.unlabelled == 2
    assert found.agreement == pytest.approx([0.6, 0.875, 0.75])


def test_an_option_of_another_question_earns_nothing() -> None:
    strange = Sheet(model="m", answers={("a", GOAL): (Answer(option=("yes",)),)})
    assert row(strange).agreement[0] == 0.0


def test_an_empty_sheet_is_a_row_without_values() -> None:
    assert np.isnan(row(sheet({})).agreement).all()


def test_rows_are_told_apart_by_whatever_differs() -> None:
    sheets = [
        sheet({}, model="m", drawing=Drawing.PASEO, method=Method.CHAIN, source="x"),
        sheet({}, model="m", drawing=Drawing.DATASET, method=Method.CHAIN, source="y"),
        sheet({}, model="m", drawing=Drawing.DATASET, method=Method.CHAIN, source="z"),
        sheet({}, model="n", drawing=Drawing.DATASET, source="w"),
    ]
    assert names_of(sheets) == ["m (paseo)", "m (dataset) [y]", "m (dataset) [z]", "n"]
    assert names_of([sheet({}, source="x"), sheet({}, source="x")]) == [
        "model [x] #1",
        "model [x] #2",
    ]
    assert names_of([sheet({}, wording="own"), sheet({})]) == [
        "model (own)",
        "model (wording unknown)",
    ]
