"""The seam planners fill."""

import pytest

from paseo.errors import BadValue
from paseo.planners.stop import Stop
from paseo.world.motion import Control
from paseo.world.planning import Planner, declared_control


class Undeclared:
    def begin(self, briefing):
        pass

    def plan(self, observation):
        pass


def test_a_planner_needs_no_base_class():
    assert isinstance(Undeclared(), Planner)
    assert not isinstance(object(), Planner)


def test_control_is_declared_in_words_or_not_at_all():
    planner = Undeclared()
    assert declared_control(planner) is Control.VELOCITY
    planner.control = "position"
    assert declared_control(planner) is Control.POSITION
    assert declared_control(Stop) is Control.VELOCITY
    planner.control = "sideways"
    with pytest.raises(BadValue, match=r"control is 'sideways', expected Control\.VELOCITY or"):
        declared_control(planner)
