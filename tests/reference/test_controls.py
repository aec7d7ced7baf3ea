"""What the table of both controls counts: sudden contacts, and those that nobody could help."""

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


@pytest.mark.parametrize(("appears", "helps"), [(0.0, True), (1.25, False)])
def test_some_drive_helps_unless_somebody_appears_too_near(appears, helps):
    coming = walk(1, (appears, 4.2, 5.1), (appears + 1.5, 2.0, 5.0))
    record = simulate(scenario(coming), Straight())
    assert (best_clearance(record, record.contacts[0]) > 0) is helps
