"""What a user's perception returns is looked at before a planner is told."""

import numpy as np
import pytest

from paseo.errors import PaseoError
from paseo.perception.names import GuardedPerception
from paseo.sim.sensing import NOBODY
from paseo.world.motion import Pose, RobotState, Twist
from paseo.world.people import Crowd
from paseo.world.planning import Briefing, Observation


class Sees:
    """The same people, whatever is shown."""

    def __init__(self, ids: list[int], x: float) -> None:
        places = np.full((len(ids), 2), x)
        self._crowd = Crowd(np.array(ids), places, np.zeros_like(places), np.full(len(ids), 0.3))

    def begin(self, briefing: Briefing) -> None:
        pass

    def people(self, observation: Observation) -> Crowd:
        return self._crowd


SHOWN = Observation(0.0, RobotState(Pose(0.0, 0.0, 0.0), Twist(0.0, 0.0), 0.3), NOBODY)


@pytest.mark.parametrize(("ids", "x"), [([1], np.nan), ([1], np.inf), ([4, 4], 1.0)])
def test_nobody_is_told_of_people_who_cannot_be(ids: list[int], x: float) -> None:
    with pytest.raises(PaseoError, match="perception 'mine': people.. returned numbers that are"):
        GuardedPerception(Sees(ids, x), "mine").people(SHOWN)


def test_possible_people_pass() -> None:
    assert len(GuardedPerception(Sees([1, 2], 1.0), "mine").people(SHOWN)) == 2
    assert len(GuardedPerception(Sees([], 1.0), "mine").people(SHOWN)) == 0
