"""Baselines on votes small enough to count by hand."""

import numpy as np
import pytest

from ballots import AFFECTED, GOAL, MOVING, labels
from paseo.vqa.questions.votes import Labels
from paseo.vqa.scores.baselines import baseline_rows, constants, constants_elsewhere
from paseo.vqa.scores.marking import Variant, marking
from paseo.vqa.scores.rows import ScoreRow

VOTES = labels(
    {
        ("a", AFFECTED): {"yes": 4},
        ("a", "q_robot_affected_p2"): {"yes": 3, "no": 1},
        ("b", AFFECTED): {"no": 4},
        ("c", AFFECTED): {"no": 4},
        ("c", GOAL): {"to the right": 3, "ahead": 1},
        ("c", MOVING): {"moving ahead": 2, "turning left": 2},
    }
)


def rows(votes: Labels = VOTES) -> dict[str, ScoreRow]:
    return {row.name: row for row in baseline_rows(votes, marking(votes, Variant.DEFINITION))}


def test_the_oracle_says_what_most_people_say() -> None:
    assert rows()["human oracle"].agreement == pytest.approx([1, 0.75, 1, 1, 0.75, 0.5])


def test_the_average_human_is_held_against_the_others() -> None:
    found = rows()["average human"].agreement
    assert found == pytest.approx([1, 0.5, 1, 1, 0.5, 1 / 3])


def test_a_guess_earns_one_share_of_its_options() -> None:
    assert rows()["random"].agreement == pytest.approx([1 / 2] * 4 + [1 / 3, 1 / 7])
    assert rows()["random"].weighted[4] == pytest.approx((1 + 1 / 3) / 3)


def test_the_first_choice() -> None:
    assert rows()["always first"].agreement == pytest.approx([1, 0.75, 0, 0, 0.25, 0.5])


def test_the_constant_answer_of_a_scene_is_chosen_on_the_others() -> None:
    marks = marking(VOTES, Variant.DEFINITION)
    # Over all scenes "no" earns 2.25 and "yes" 1.75.
    assert constants(VOTES, marks)[:4].tolist() == [1, 1, 1, 1]
    # Without a: no 2, yes 0. Without b, or c: no 1.25, yes 1.75.
    chosen = constants_elsewhere(VOTES, marks)
    assert chosen[:4].tolist() == [1, 1, 0, 0]
    assert rows()["constant answer"].agreement[:4] == pytest.approx([0, 0.25, 0, 0])


def test_a_kind_that_no_other_scene_asks_gets_its_first_choice() -> None:
    assert rows()["constant answer"].agreement[4] == pytest.approx(0.25)


def test_equal_constants_are_told_apart_by_their_order_and_not_by_rounding() -> None:
    votes = labels(
        {
            ("a", AFFECTED): {"yes": 1, "no": 3},
            **{(scene, AFFECTED): {"yes": 6, "no": 4} for scene in "bcd"},
            ("e", AFFECTED): {"yes": 2, "no": 8},
        }
    )
    chosen = constants_elsewhere(votes, marking(votes, Variant.DEFINITION))
    assert chosen[0] == 0  # both earn 2 elsewhere: three times 0.6 and 0.2, or 0.4 and 0.8


def test_one_scene_has_no_constant_answer() -> None:
    found = rows(labels({("a", AFFECTED): {"yes": 4}}))["constant answer"]
    assert np.isnan(found.agreement).all()
