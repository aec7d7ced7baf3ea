"""What the table of both controls counts: sudden contacts."""

import pytest
from controls import is_sudden

from paseo.planners.straight import Straight
from paseo.sim.simulate import simulate
from worlds import scenario, walk


@pytest.mark.parametrize(("appears", "sudden"), [(0.0, False), (1.2, True)])
def test_a_contact_is_sudden_with_who_appeared_less_than_a_second_before(appears, sudden):
    standing = walk(1, (appears, 4.2, 5.0), (60, 4.2, 5.0))
    record = simulate(scenario(standing), Straight())
    assert is_sudden(record, record.contacts[0]) is sudden
