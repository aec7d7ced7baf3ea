"""What the table of both controls counts: sudden contacts, and those that nobody could help."""

from dataclasses import replace

import pytest
from controls import best_clearance, is_sudden

from paseo.planners.straight import Straight
from paseo.sim.simulate import simulate
from worlds import scenario, walk


@pytest.mark.parametrize(("appears", "sudden"), [(0.0, False), (1.2, True)])
def test_a_contact_is_sudden_with_who_appeared_less_than_a_second_before(appears, sudden):
    standing = walk(1, (appears, 4.2, 5.0), (60, 4.2, 5.0))
    record = simulate(scenario(standing), Straight())
    assert is_sudden(record, record.contacts[0]) is sudden


def test_some_drive_helps_unless_people_come_too_near_too_fast():
    assert best_clearance(scenario(walk(1, (0, 5, 5), (5, 2, 5)))) > 0
    runner = walk(1, (0, 2.7, 5.1), (0.5, 1.2, 5.0))
    assert best_clearance(scenario(runner)) < 0
    assert best_clearance(scenario(replace(runner, times=6 * runner.times))) > 0
