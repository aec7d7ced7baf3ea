"""Stop: stands, whatever happens."""

import numpy as np
import pytest

from paseo.planners.stop import Stop
from paseo.sim.simulate import simulate
from paseo.world.motion import Control
from paseo.world.records import Verdict
from worlds import crossing, scenario


@pytest.mark.parametrize("control", Control)
def test_it_never_moves_and_is_walked_into(control):
    record = simulate(scenario(crossing()), Stop(), control=control)
    np.testing.assert_array_equal(record.robot, [[2, 5, 0]] * 201)
    assert (record.touches, record.verdict) == (1, Verdict.TIMEOUT)
