"""ORCA towards checkpoints: around walls, and as plain ORCA where there are none."""

import numpy as np
import pytest

from paseo.checks import check_planner
from paseo.errors import BadValue
from paseo.planners.orca import Orca
from paseo.planners.orca_checkpoints import OrcaCheckpoints
from paseo.sim.simulate import simulate
from paseo.world.motion import Control, Pose
from paseo.world.records import Outcome, Verdict
from worlds import DIVIDED, crossing, scenario, walk


def test_it_goes_around_a_wall_where_plain_orca_stops() -> None:
    task = scenario(floorplan=DIVIDED, time_limit=30.0)
    assert simulate(task, Orca()).outcome is Outcome.OUT_OF_TIME
    record = simulate(task, OrcaCheckpoints())
    assert record.verdict is Verdict.SUCCESS
    assert record.robot[:, 1].min() < 1.0  # where the wall ends


@pytest.mark.parametrize("parameters", [{}, {"preferred_speed": 0.7, "horizon": 2.0}])
def test_with_the_goal_in_sight_it_does_as_plain_orca(parameters: dict[str, float]) -> None:
    task = scenario(crossing(), walk(2, (0, 5, 9), (9, 5, 1)), time_limit=20.0)
    with_checkpoints, without = (
        simulate(task, planner(**parameters)).robot for planner in (OrcaCheckpoints, Orca)
    )
    np.testing.assert_array_equal(with_checkpoints, without)


@pytest.mark.parametrize("control", Control)
@pytest.mark.parametrize("start", [(2.0, 8.0), (4.0, 5.0), (3.0, 2.0)])
def test_it_arrives_among_people_without_touching_walls(
    start: tuple[float, float], control: Control
) -> None:
    people = [walk(k, (0, 1.0 + k, 9), (10, 1.0 + k, 1), (20, 1.0 + k, 9)) for k in (1, 2, 3)]
    task = scenario(*people, floorplan=DIVIDED, start=Pose(*start), time_limit=60.0)
    assert simulate(task, OrcaCheckpoints(), control=control).outcome is Outcome.REACHED_GOAL


def test_it_keeps_the_contract_of_planners() -> None:
    check_planner(OrcaCheckpoints)


def test_parameters_that_make_no_sense_are_refused() -> None:
    with pytest.raises(BadValue, match="margin is 0"):
        OrcaCheckpoints(margin=0.0)
