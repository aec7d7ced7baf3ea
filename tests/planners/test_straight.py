"""Straight: at the goal, through everybody."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paseo.planners.straight import Straight
from paseo.sim.simulate import simulate
from paseo.world.motion import Control, Pose, Robot
from paseo.world.records import Outcome, Verdict
from worlds import crossing, plan, scenario, walk


@pytest.mark.parametrize("control", Control)
def test_it_drives_at_full_speed_on_the_straight_line(control):
    record = simulate(scenario(), Straight(), control=control)
    assert record.verdict is Verdict.SUCCESS
    np.testing.assert_allclose(np.diff(record.robot[:, 0]), 0.06, atol=1e-12)
    np.testing.assert_allclose(record.robot[:, 1:], [[5, 0]] * len(record.robot), atol=1e-12)


def test_it_steers_by_velocity_unless_told_otherwise():
    assert simulate(scenario(), Straight()).provenance.control is Control.VELOCITY


@pytest.mark.parametrize("control", Control)
def test_its_speed_can_be_set(control):
    record = simulate(scenario(), Straight(speed=0.8), control=control)
    np.testing.assert_allclose(np.diff(record.robot[:, 0]), 0.04, atol=1e-12)
    assert record.provenance.parameters == {"speed": 0.8}


@settings(max_examples=40)
@given(st.floats(1, 9), st.floats(1, 9), st.floats(-math.pi, math.pi), st.sampled_from(Control))
def test_it_arrives_from_everywhere_however_it_faces(x, y, heading, control):
    record = simulate(
        scenario(start=Pose(x, y, heading), time_limit=20), Straight(), control=control
    )
    assert record.outcome is Outcome.REACHED_GOAL


def test_it_turns_on_the_spot_before_it_drives():
    record = simulate(scenario(start=Pose(2.0, 5.0, 3.0)), Straight())
    turning = record.robot[record.robot[:, 2] > math.pi / 2]
    np.testing.assert_array_equal(turning[:, :2], [[2, 5]] * len(turning))
    assert (np.diff(record.robot[:, 2]) >= -1.1 * 0.05 - 1e-12).all()


def test_it_sees_neither_people_nor_walls():
    standing = walk(1, (0, 5, 5), (20, 5, 5))
    assert simulate(scenario(standing), Straight()).verdict is Verdict.PERSON_COLLISION
    pillar = plan("pillar", (0, 0, 10, 10), (4, 4, 6, 6))
    assert simulate(scenario(floorplan=pillar), Straight()).verdict is Verdict.WALL_COLLISION


def test_it_forgets_the_episode_before():
    planner = Straight()
    slow = scenario(crossing(), robot=Robot(max_speed=0.5), goal=Pose(2, 9))
    simulate(slow, planner)
    np.testing.assert_array_equal(
        simulate(scenario(), planner).robot, simulate(scenario(), Straight()).robot
    )
