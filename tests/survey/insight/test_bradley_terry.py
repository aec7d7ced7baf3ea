"""Strengths from choices, against published estimates."""

import numpy as np
import pytest

from paseo.survey.insight.bradley_terry import LEFT, NEITHER, RIGHT, strengths
from paseo.world.arrays import FloatArray

TEAMS = ("Baltimore", "Boston", "Cleveland", "Detroit", "Milwaukee", "New York", "Toronto")
# Wins of the home team (row) and of the guest (column), American League 1987: Agresti,
# Categorical Data Analysis, table 10.10, as R's BradleyTerry2 has them by game.
HOME_WINS = """
. 1 3 1 2 2 1
6 . 5 2 5 4 3
2 4 . 3 2 4 3
4 6 6 . 3 4 4
6 6 4 4 . 4 4
6 4 4 5 3 . 2
6 4 4 4 2 2 .
"""
GUEST_WINS = """
. 6 4 5 5 4 6
0 . 2 5 1 2 3
4 2 . 3 5 3 4
3 0 1 . 3 3 2
0 1 2 3 . 3 2
1 3 2 1 3 . 5
0 3 2 3 5 4 .
"""
# Turner and Firth 2012, Journal of Statistical Software 48 (9), models 1 and 2.
PLAIN = (0.0, 1.1077, 0.6839, 1.4364, 1.5814, 1.2476, 1.2945)
AT_HOME = (0.0, 1.1438, 0.7047, 1.4754, 1.6196, 1.2813, 1.3271)
HOME = 0.3023


def numbers(text: str) -> FloatArray:
    rows = [line.replace(".", "0").split() for line in text.strip().splitlines()]
    return np.array(rows, float)


def baseball() -> FloatArray:
    table = np.zeros((1, 7, 7, 3))
    table[0, ..., LEFT], table[0, ..., RIGHT] = numbers(HOME_WINS), numbers(GUEST_WINS)
    return table


def both_ways(table: FloatArray) -> FloatArray:
    """The same games with each half of them the other way round, so that sides are alike."""
    turned = table.transpose(0, 2, 1, 3)[..., [RIGHT, LEFT, NEITHER]]
    return (table + turned) / 2


def test_strengths_and_sides_are_those_published_for_baseball() -> None:
    found = strengths(baseball(), pseudo=0)
    assert found.planners[0] - found.planners[0, 0] == pytest.approx(AT_HOME, abs=1e-4)
    assert found.order[0] == pytest.approx(HOME, abs=1e-4)
    plain = strengths(both_ways(baseball()), pseudo=0)
    assert plain.planners[0] - plain.planners[0, 0] == pytest.approx(PLAIN, abs=1e-4)
    assert plain.order[0] == pytest.approx(0, abs=1e-9)


def test_pseudo_choices_are_those_of_r_plackettluce() -> None:
    """The example of its vignette, where D only ever loses; coefficients with npseudo = 0.5."""
    table = np.zeros((1, 4, 4, 3))
    for winner, loser in ((0, 1), (2, 0), (0, 3), (1, 0), (1, 2)):
        table[0, winner, loser, LEFT] += 1
    found = strengths(both_ways(table))
    published = (0.0, 0.5184185, 0.1354707, -1.1537565)
    assert found.planners[0] - found.planners[0, 0] == pytest.approx(published, abs=1e-6)


def test_two_planners_with_ties_have_a_closed_form() -> None:
    table = np.zeros((1, 2, 2, 3))
    table[0, 0, 1] = (30, 12, 20)
    found = strengths(both_ways(table), pseudo=0)
    assert found.planners[0, 0] - found.planners[0, 1] == pytest.approx(np.log(30 / 12))
    assert found.ties[0] == pytest.approx(np.log(20 / np.sqrt(30 * 12)))


def test_a_planner_that_always_wins_is_strong_but_not_endlessly() -> None:
    table = np.zeros((1, 3, 3, 3))
    table[0, 0, 1, LEFT] = table[0, 2, 0, RIGHT] = 40
    table[0, 1, 2] = (20, 20, 3)
    found = strengths(table)
    assert np.isfinite(found.planners).all()
    assert 3 < found.planners[0, 0] < 8


@pytest.mark.parametrize("outcome", [LEFT, RIGHT, NEITHER])
def test_one_sided_tables_have_finite_estimates(outcome: int) -> None:
    table = np.zeros((1, 2, 2, 3))
    table[0, 0, 1, outcome] = table[0, 1, 0, outcome] = 50
    found = strengths(table)
    assert found.planners[0] == pytest.approx((0, 0), abs=1e-9)
    assert np.isfinite(found.order).all()


def test_many_tables_are_estimated_as_each_by_itself() -> None:
    rng = np.random.default_rng(0)
    tables = rng.poisson(3, (5, 4, 4, 3)).astype(float)
    together = strengths(tables).planners
    assert together == pytest.approx(
        np.concatenate([strengths(each[None]).planners for each in tables])
    )
