"""The contract check passes good planners and names what bad ones do wrong."""

import random

import pytest

from paseo.checks import ContractBroken, check_planner
from paseo.planners.stop import Stop
from paseo.planners.straight import Straight
from paseo.world.motion import Command, Twist
from paseo.world.planning import Briefing, Observation


@pytest.mark.parametrize("planner", [Straight, Stop])
def test_shipped_planners_keep_the_contract(planner: type) -> None:
    check_planner(planner)


def test_a_planner_that_answers_nonsense_is_named() -> None:
    class Silent(Stop):
        def plan(self, observation: Observation) -> Command:
            return None  # type: ignore[return-value]

    with pytest.raises(ContractBroken, match="with nobody under velocity control: plan"):
        check_planner(Silent)


def test_a_planner_that_remembers_the_last_episode_is_named() -> None:
    class Tired(Stop):
        calls = 0

        def plan(self, observation: Observation) -> Command:
            self.calls += 1
            return Twist(1.0 / self.calls, 0.0)

    with pytest.raises(ContractBroken, match="must forget the episode before"):
        check_planner(Tired)


def test_a_planner_with_randomness_of_its_own_is_named() -> None:
    class Moody(Stop):
        def __init__(self) -> None:
            self._mood = random.random()

        def begin(self, briefing: Briefing) -> None:
            pass

        def plan(self, observation: Observation) -> Command:
            return Twist(self._mood, 0.0)

    with pytest.raises(ContractBroken, match=r"seeded by briefing\.seed"):
        check_planner(Moody)
