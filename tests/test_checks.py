"""The contract check passes good planners and names what bad ones do wrong."""

import random

import pytest

from paseo.checks import ContractBroken, check_metric, check_planner
from paseo.metrics.catalog import METRICS
from paseo.metrics.metric import Function, Metric, metric
from paseo.planners.stop import Stop
from paseo.planners.straight import Straight
from paseo.world.motion import Command, Twist
from paseo.world.planning import Briefing, Observation
from paseo.world.records import Record


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


@pytest.mark.parametrize("each", METRICS, ids=lambda each: each.name)
def test_shipped_metrics_keep_the_contract(each: Metric) -> None:
    check_metric(each)


def test_metrics_that_break_a_promise_are_named() -> None:
    def broken(function: Function, unit: str = "m") -> str:
        with pytest.raises(ContractBroken) as caught:
            check_metric(metric(unit=unit, better="lower")(function))
        return str(caught.value)

    moods = iter(range(100))

    def forgetful(record: Record) -> float:
        return float(next(moods))

    def greedy(record: Record) -> float:
        record.robot[0] += 1.0
        return 1.0

    def eastern(record: Record) -> float:
        return float(record.robot[-1, 0])

    def northward(record: Record) -> float:
        return float(record.robot[-1, 1] - record.robot[0, 1])

    def fragile(record: Record) -> float:
        return float(record.robot[1, 0] - record.robot[0, 0]) * 0.0

    assert broken(forgetful) == "forgetful gives different values for the same record"
    assert broken(greedy) == "greedy changes the record it measures"
    assert broken(eastern) == "eastern depends on where the map's origin is"
    assert broken(northward) == "northward depends on how the map is turned"
    assert "fragile raised IndexError on a record of 1 states" in broken(fragile)
    assert "needs a unit" in broken(lambda record: 1.0, unit="")
    with pytest.raises(ContractBroken, match="is no metric; decorate"):
        check_metric(fragile)  # type: ignore[arg-type]
