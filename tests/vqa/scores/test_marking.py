"""What an answer is worth, by hand and against fractions worked out question by question."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ballots import AFFECTED, GOAL, labels
from paseo.vqa.questions.questions import kinds, question
from paseo.vqa.questions.votes import Labels
from paseo.vqa.scores.marking import Variant, left_out_oracle, marking

DEFINITION, PUBLISHED = Variant.DEFINITION, Variant.PUBLISHED


def of_counts(*counts: int) -> Labels:
    table = np.zeros((1, 7), int)
    table[0, : len(counts)] = counts
    return Labels(questions=(question("a", "q_robot_moving_direction"),), counts=table)


def test_agreement_is_the_share_of_people_who_said_the_same() -> None:
    found = marking(
        labels({("a", GOAL): {"ahead": 6, "to the left": 3, "to the right": 1}}), DEFINITION
    )
    assert found.agreement[0, :4] == pytest.approx([0.6, 0.3, 0.1, 0.0])
    assert found.weighted[0, :4] == pytest.approx([1, 1 / 2, 1 / 6, 0])
    assert found.oracle[0] == pytest.approx(0.6)
    assert found.oracle_weighted[0] == 1.0


def test_one_person_is_held_against_the_others() -> None:
    found = marking(of_counts(2, 2, 1), DEFINITION)
    # Four people agree with one of the other four, one person with none.
    assert found.person[0] == pytest.approx((4 * 1 / 4 + 0) / 5)
    # The best of the others is 2 of 4 whoever is left out: 1/2 for four people, 0 for one.
    assert found.person_weighted[0] == pytest.approx(4 / 5 * 1 / 2)
    assert left_out_oracle(np.array([[2, 2, 1]]))[0] == pytest.approx(0.5)


def test_a_single_voter_cannot_be_left_out() -> None:
    alone = of_counts(1)
    assert marking(alone, DEFINITION).agreement[0, 0] == 1.0
    assert np.isnan(marking(alone, DEFINITION).person).all()
    published = marking(alone, PUBLISHED)
    assert np.isnan(published.agreement).all()
    assert np.isnan(published.oracle).all()


def test_published_arithmetic_cuts_off_votes() -> None:
    found = marking(of_counts(3, 2), PUBLISHED)
    assert found.agreement[0, :2] == pytest.approx([0.5, 0.5])
    assert found.person[0] == pytest.approx(0.3)
    assert found.oracle[0] == pytest.approx(0.7)
    assert marking(of_counts(3, 1, 1), PUBLISHED).agreement[0, 0] == pytest.approx(0.5)


def test_published_arithmetic_is_right_where_nothing_is_cut_off() -> None:
    votes = of_counts(4, 2, 2)
    plain, published = marking(votes, DEFINITION), marking(votes, PUBLISHED)
    assert published.agreement == pytest.approx(plain.agreement)
    assert published.person == pytest.approx(plain.person)


def by_hand(counts: list[int]) -> tuple[Fraction, Fraction, Fraction]:
    """Average person, the same relative to the best, and the peeking oracle."""
    n = sum(counts)
    person = weighted = oracle = Fraction(0)
    for k, count in enumerate(counts):
        for _ in range(count):
            left = [c - (j == k) for j, c in enumerate(counts)]
            person += Fraction(left[k], n - 1)
            weighted += Fraction(left[k], max(left))
            oracle += Fraction(max(left), n - 1)
    return person / n, weighted / n, oracle / n


@given(st.lists(st.integers(0, 9), min_size=2, max_size=7).filter(lambda c: sum(c) > 1))
def test_leaving_out_agrees_with_fractions(counts: list[int]) -> None:
    found = marking(of_counts(*counts), DEFINITION)
    person, weighted, oracle = by_hand(counts)
    assert found.person[0] == pytest.approx(float(person))
    assert found.person_weighted[0] == pytest.approx(float(weighted))
    assert left_out_oracle(np.array([counts]))[0] == pytest.approx(float(oracle))


@given(st.lists(st.integers(0, 9), min_size=2, max_size=7).filter(lambda c: sum(c) > 1))
def test_leaving_everybody_out_in_turn_is_the_same_as_leaving_nobody_out(counts: list[int]) -> None:
    n = sum(counts)
    for k, count in enumerate(counts):
        held_out = sum(c * Fraction(count - (j == k), n - 1) for j, c in enumerate(counts)) / n
        assert float(held_out) == pytest.approx(
            marking(of_counts(*counts), DEFINITION).agreement[0, k]
        )


def test_more_people_of_the_same_opinions_change_nothing_but_the_person() -> None:
    few, many = (marking(of_counts(*counts), DEFINITION) for counts in ((3, 2), (6, 4)))
    assert few.agreement == pytest.approx(many.agreement)
    assert few.oracle == many.oracle
    assert few.person[0] < many.person[0]


def test_votes_of_every_kind_are_worth_one_in_all() -> None:
    every = {("a", key if not k.about_person else f"{key}_p1"): k for key, k in kinds().items()}
    votes = {place: {kind.choices[0]: 3, kind.choices[1]: 2} for place, kind in every.items()}
    assert marking(labels(votes), DEFINITION).agreement.sum(axis=1) == pytest.approx(1.0)
    assert marking(labels({("a", AFFECTED): {"yes": 1}}), DEFINITION).agreement.sum() == 1.0
