"""What a plan asks for is looked at before anything runs."""

import signal
from dataclasses import replace
from pathlib import Path

import pytest

from paseo.data.suites.episodes import Choices
from paseo.data.suites.suite_file import Settings, read_suite
from paseo.errors import BadValue, InputError
from paseo.planners.choices import PlannerChoice, make_planner
from paseo.suite.runners.preparing import prepared, provenance_of
from paseo.suite.runs.jobs import RunPlan
from paseo.world.motion import Control
from runs import suite

METHODS = "    def begin(self, briefing): pass\n    def plan(self, observation): pass\n"


def plan_of(folder: Path, planner: str) -> RunPlan:
    return RunPlan(
        name="room",
        episodes=tuple(read_suite(suite(folder)).episodes),
        planners=(PlannerChoice(planner),),
        seeds=(0,),
        control=None,
        choices=Choices(),
        data=folder,
    )


def test_records_say_how_to_make_them_again() -> None:
    made = provenance_of(PlannerChoice("straight", {"speed": "0.5"}), Control.POSITION)
    assert (made.planner, made.parameters) == ("straight", {"speed": 0.5})
    assert (made.control, made.planner_hash, made.clock) == (Control.POSITION, "", "")
    assert provenance_of(PlannerChoice("straight"), None).control is Control.VELOCITY


@pytest.mark.parametrize("word", ["inf", "-inf", "nan"])
def test_an_infinite_parameter_can_be_stored_and_made_again(word: str) -> None:
    made = provenance_of(PlannerChoice("straight", {"speed": word}), None)
    assert made.parameters == {"speed": word}
    assert repr(make_planner(PlannerChoice("straight", made.parameters)).speed) == word


def test_parameters_of_a_planner_that_is_no_dataclass_are_kept_as_given(tmp_path: Path) -> None:
    (tmp_path / "p.py").write_text(
        "class A:\n    def __init__(self, k: int = 1): pass\n"
        "    def begin(self, b): pass\n    plan = begin\n"
    )
    made = provenance_of(PlannerChoice(f"{tmp_path}/p.py:A", {"k": "2"}), None)
    assert made.parameters == {"k": "2"}
    assert len(made.planner_hash) == 64


def test_what_is_wrong_is_known_before_anything_runs(tmp_path: Path) -> None:
    prepared(plan_of(tmp_path, "stop"))
    with pytest.raises(InputError, match="no planner is called 'strait'"):
        prepared(plan_of(tmp_path, "strait"))
    changed = replace(plan_of(tmp_path, "stop"), planner_hashes={"stop": "of another file"})
    with pytest.raises(InputError, match="'stop' was changed since the run was begun"):
        prepared(changed)


@pytest.mark.parametrize("where", ["", "class P:\n    def __init__(self):\n        "])
def test_a_planner_whose_making_hangs_is_known_before_anything_runs(
    tmp_path: Path, where: str
) -> None:
    methods = METHODS if where else ""
    (tmp_path / "p.py").write_text(f"import time\n{where}time.sleep(60)\n{methods}")
    settings = Settings(hang_limit_s=0.2)
    plan = replace(plan_of(tmp_path, f"{tmp_path / 'p.py'}:P"), choices=Choices(settings=settings))
    before = signal.getsignal(signal.SIGALRM)
    with pytest.raises(BadValue, match=r"p\.py:P' did not get made within 0\.2 s; do in begin"):
        prepared(plan)
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
