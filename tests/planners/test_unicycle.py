"""Unicycle: arcs as the simulator drives them, and braking that keeps its promise."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paseo.planners.unicycle import (
    KEEP,
    SKIN,
    TOUCH,
    Rolling,
    arc_end,
    braked,
    is_safe,
    limits_of,
    near_people,
    reachable,
    rolling,
    room_needed,
    table_of,
    walls_of,
)
from paseo.sim.driving import arc
from paseo.sim.episode import briefing, hits_wall
from paseo.world.motion import Control, Pose, Robot, RobotState, Twist
from paseo.world.planning import Observation
from worlds import DIVIDED, crowd, plan, scenario

NOBODY = table_of(crowd(), 0.24)
HALL = plan("hall", (0, 0, 10, 10), (4, 4, 4.02, 6), (7, 2, 8, 3))


def limits(robot=None, dt=0.05, acceleration=3.0, turn_acceleration=6.0):
    told = briefing(scenario(robot=robot or Robot(), dt=dt), Control.VELOCITY)
    return limits_of(told, acceleration, turn_acceleration)


@given(st.floats(-1, 3), st.floats(-2, 2), st.floats(0, 5))
def test_an_arc_is_that_of_the_simulator(forward, turn, time):
    x, y, heading = arc_end(Rolling(2.0, 5.0, 0.7, forward, turn), time)
    there = arc(Pose(2.0, 5.0, 0.7), Twist(forward, turn), time)
    assert (x, y) == pytest.approx((there.x, there.y), abs=1e-9)
    assert math.cos(heading - there.heading) == pytest.approx(1.0, abs=1e-9)


def test_limits_are_the_lower_of_the_robots_and_the_planners():
    wild = limits(Robot(max_turn=math.inf))
    assert (wild.acceleration, wild.turn_acceleration) == (3.0, 6.0)
    assert wild.top_turn == math.pi
    tame = limits(Robot(max_acceleration=0.5, max_turn_acceleration=1.0))
    assert (tame.acceleration, tame.turn_acceleration) == (0.5, 1.0)


def test_a_step_changes_a_twist_no_more_than_the_limits_allow():
    now = Rolling(0.0, 0.0, 0.0, 0.5, 0.1)
    assert reachable(now, 1.2, -1.0, limits())[3:] == pytest.approx((0.65, -0.2))
    assert reachable(now, 0.55, 0.0, limits())[3:] == pytest.approx((0.55, 0.0))


@pytest.mark.parametrize("dt", [0.01, 0.05, 0.5])
@pytest.mark.parametrize("forward", [0.3, 1.2, 3.0])
def test_before_a_wall_there_is_room_for_one_step_and_the_braking_distance(dt, forward):
    can = limits(dt=dt)
    needed = 0.24 + SKIN + forward * dt + forward**2 / (2 * can.acceleration)
    for short, safe in ((1e-6, False), (-1e-6, True)):
        now = Rolling(10 - needed + short, 5.0, 0.0, forward, 0.0)
        assert is_safe(now, NOBODY, 0.24 + SKIN, can, walls_of(HALL)) is safe


def test_before_a_person_there_is_room_until_both_have_met_or_the_robot_stands():
    can = limits(dt=0.05)
    # At 1.2 m/s the robot goes 0.06 + 0.24 m in the 0.45 s in which a walker at 1 m/s goes 0.45 m.
    for speed, needed in ((0.0, 0.30), (-1.0, 0.75)):
        for short, safe in ((0.02, False), (-0.02, True)):
            people = table_of(crowd((1, 2 + 0.44 + SKIN + needed - short, 5)), 0.24)
            people[:, 2] = speed
            now = Rolling(2.0, 5.0, 0.0, 1.2, 0.0)
            near = people[: near_people(now, people, 4.0, 0.2, can)]
            assert is_safe(now, near, 0.25, can, walls_of(HALL)) is safe


def test_who_is_too_near_must_only_not_come_nearer():
    people = table_of(crowd((1, 2.1, 5), (2, 9.5, 9.5)), 0.24)
    can = limits()
    now = Rolling(2.0, 5.0, 0.0, 0.1, 0.0)
    assert near_people(now, people, 2.0, 0.2, can) == 1
    assert people[0, TOUCH] == people[0, KEEP] == pytest.approx(0.099)
    assert not is_safe(now, people[:1], 0.25, can, walls_of(HALL))
    assert is_safe(now._replace(heading=math.pi), people[:1], 0.25, can, walls_of(HALL))


@settings(max_examples=150)
@given(
    st.floats(0.3, 9.7), st.floats(0.3, 9.7), st.floats(-3.2, 3.2), st.floats(0, 1.2),
    st.floats(-1.1, 1.1), st.sampled_from([0.01, 0.05, 0.2, 0.5]), st.sampled_from([0.0, 0.24]),
)  # fmt: skip
def test_who_was_safe_can_brake_and_never_meets_a_wall(x, y, heading, forward, turn, dt, radius):
    can = limits(Robot(wall_radius=radius), dt=dt)
    walls, now = walls_of(HALL), Rolling(x, y, heading, forward, turn)
    room = room_needed(now, can, walls)
    touches = HALL.clearance(x, y) <= radius
    if touches or not is_safe(now, NOBODY, room, can, walls):
        return
    for _ in range(int(3 / dt)):
        x, y, heading = arc_end(now, dt)
        assert not hits_wall(
            now.x, now.y, x, y, radius, HALL.walls, HALL.distance, *HALL.origin, HALL.cell_size
        )
        forward, turn = braked(Rolling(x, y, heading, now.forward, now.turn), (5.0, 5.0), can)
        now = Rolling(x, y, heading, forward, turn)
    assert now.forward == 0.0


def test_a_step_through_a_thin_wall_is_not_safe():
    now = Rolling(4.7, 5.0, 0.0, 1.2, 0.0)
    assert not is_safe(now, NOBODY, 0.01, limits(dt=0.5), walls_of(DIVIDED))


def test_braked_to_a_stand_the_robot_turns_to_its_target():
    can = limits(dt=0.05)
    assert braked(Rolling(0.0, 0.0, 0.0, 0.6, 0.0), (0.0, 1.0), can) == pytest.approx((0.45, 0.0))
    assert braked(Rolling(0.0, 0.0, 0.0, 0.0, 0.0), (0.0, 1.0), can) == pytest.approx((0.0, 0.3))
    assert braked(Rolling(0.0, 0.0, 0.0, 0.0, 0.0), (1.0, 0.0), can) == (0.0, 0.0)


def test_how_the_robot_moves_is_told_in_floats():
    state = RobotState(Pose(1, 2, 0), Twist(1, 0), 0.24)
    now = rolling(Observation(0.0, state, crowd()))
    assert now == (1, 2, 0, 1, 0)
    assert all(type(value) is float for value in now)


def test_a_robot_that_stands_at_a_wall_keeps_what_room_it_has():
    now = Rolling(0.245, 5.0, 0.0, 0.0, 0.0)
    assert room_needed(now, limits(), walls_of(HALL)) == pytest.approx(0.245)
    assert room_needed(now._replace(x=1.0), limits(), walls_of(HALL)) == pytest.approx(0.25)
    assert np.isnan(table_of(crowd((1, 2, 3)), 0.24)[0, KEEP])
