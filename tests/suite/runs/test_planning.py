"""From what a person gives to what a run is to do."""

import math
from pathlib import Path
from typing import Any

import pytest

from paseo.errors import BadValue, InputError
from paseo.planners.choices import PlannerChoice
from paseo.planners.straight import Straight
from paseo.suite.runs.planning import RunOptions, decided, named_planners, plan_run
from paseo.world.motion import Control, Robot
from paseo.world.scenarios import ReactionModel, Sensor
from runs import failing, suite
from worlds import Driver

CHOICE = PlannerChoice("straight", {"speed": "0.5"})


@pytest.mark.parametrize(
    ("planners", "labels"),
    [
        ("straight", ["straight"]),
        ("straight:speed=0.5,stop", ["straight:speed=0.5", "stop"]),
        (["stop", "straight:speed=0.5"], ["stop", "straight:speed=0.5"]),
        (("stop", CHOICE), ["stop", "straight:speed=0.5"]),
        (CHOICE, ["straight:speed=0.5"]),
        (Straight, ["straight"]),
        ([Straight, Driver], ["straight", "worlds:Driver"]),
    ],
)
def test_planners_are_named_by_text_choice_or_class(planners: Any, labels: list[str]) -> None:
    assert [choice.label for choice in named_planners(planners)] == labels


def test_a_planner_that_other_processes_cannot_make_is_refused() -> None:
    class Local(Straight):
        pass

    program = type("Mine", (Straight,), {"__module__": "__main__"})
    for kind in (Local, program):
        with pytest.raises(BadValue, match=f"top of a file of its own.*my.py:{kind.__name__}"):
            named_planners(kind)
    with pytest.raises(BadValue, match="is no name of a planner.*makes a new planner for every"):
        named_planners(Straight())  # type: ignore[arg-type]
    with pytest.raises(BadValue, match="'straight' is named twice"):
        named_planners(["straight", Straight])


def test_options_are_laid_over_what_the_suite_says(tmp_path: Path) -> None:
    options = RunOptions(
        control=Control.POSITION,
        seed=9,
        limit=2,
        robot=Robot(name="cart", radius=0.4),
        sensor=Sensor(range=6.0, field_of_view=math.radians(90)),
        pause_s=2.0,
        reaction=ReactionModel.ORCA,
        reactivities=(0.0, 1.0),
        hang_limit_s=3.0,
        data=tmp_path,
    )
    plan = plan_run(suite(tmp_path, settings={"dt_s": 0.1}), "stop", options)
    assert (plan.control, plan.seeds, len(plan.episodes)) == (Control.POSITION, (9,), 2)
    assert plan.choices.robot.robot() == Robot(name="cart", radius=0.4)
    settings = plan.choices.settings
    assert settings.sensor.sensor() == options.sensor
    assert (settings.dt_s, settings.hang_limit_s, settings.stall_limit_s) == (0.1, 3.0, None)
    assert settings.pause is not None and settings.pause.duration_s == 2.0
    assert plan.reaction is not None and plan.reaction.by == ReactionModel.ORCA
    assert plan.reactivities == (0.0, 1.0)


def test_without_planners_those_of_the_suite_are_run(tmp_path: Path) -> None:
    plan = plan_run(suite(tmp_path, planners=["stop", "straight"]), None, RunOptions())
    assert [choice.label for choice in plan.planners] == ["stop", "straight"]
    assert plan_run("scripted-10", "stop", RunOptions(limit=3)).name == "scripted-10"
    by_file = plan_run(suite(tmp_path), failing(tmp_path, "Crash"), RunOptions())
    assert [len(each) for each in by_file.planner_hashes.values()] == [64]


@pytest.mark.parametrize(
    ("target", "options", "problem", "parameters"),
    [
        (None, {}, "name a suite or an episode", ()),
        ("t_ETH1", {}, "names no planner; add planners, e.g. planners='straight'", ("planners",)),
        ("t_ETH1", {"sensor": {"range": 3}}, "sensor: top level: unknown key", ("sensor",)),
        ("t_ETH1", {"latencies": (0, 1e3)}, "1000 s outlasts episode 't_ETH1'", ("latencies",)),
        ("t_ETH1", {"latencies": (math.inf,)}, "latency of inf s outlasts", ("latencies",)),
        ("t_ETH1", {"pause_s": -1.0}, "options: pause.duration_s: expected", ("options",)),
    ],
)
def test_what_makes_no_sense_is_named_as_python_spells_it(
    target: str | None, options: dict[str, Any], problem: str, parameters: tuple[str, ...]
) -> None:
    planners = "stop" if options else None
    with pytest.raises(InputError, match=problem) as refused:
        plan_run(target, planners, RunOptions(**options))
    assert refused.value.parameters == parameters


@pytest.mark.parametrize(
    "options",
    [
        {"reactivities": (0.5, 0.5)},
        {"reactivities": (2.0,)},
        {"seed": -1},
        {"jobs": 0},
        {"latencies": (1.0, 1.0)},
        {"latencies": (-0.1,)},
        {"latencies": (float("nan"),)},
    ],
)
def test_options_that_make_no_sense_are_refused_at_once(options: dict[str, Any]) -> None:
    with pytest.raises(BadValue, match="expected") as refused:
        RunOptions(**options)
    assert refused.value.parameters == tuple(options)


def test_what_decides_results_is_told_from_what_does_not() -> None:
    assert decided(RunOptions(jobs=3, video=True, runner="serial")) == []
    assert decided(RunOptions(seed=0, stop_on_contact=True)) == ["seed", "stop_on_contact"]
