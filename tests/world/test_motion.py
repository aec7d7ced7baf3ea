"""Poses and robots."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paseo.errors import BadValue
from paseo.world.motion import Pose, Robot, wrapped


def test_distance_ignores_headings():
    assert Pose(0, 0, 1).distance_to(Pose(3, 4, -2)) == 5


@given(st.floats(-1e6, 1e6))
def test_a_wrapped_angle_is_the_same_direction_within_half_a_turn(angle):
    assert abs(wrapped(angle)) <= math.pi
    assert math.cos(wrapped(angle)) == pytest.approx(math.cos(angle), abs=1e-9)
    assert math.sin(wrapped(angle)) == pytest.approx(math.sin(angle), abs=1e-9)


def test_the_default_robot_is_the_pioneer_as_the_original_configures_it():
    robot = Robot()
    assert (robot.radius, robot.max_speed, robot.max_turn) == (0.24, 1.2, 1.1)
    assert robot.max_reverse_speed == 0
    assert robot.max_acceleration == robot.max_turn_acceleration == math.inf


@pytest.mark.parametrize(
    "key", ["radius", "max_speed", "max_turn", "max_acceleration", "max_turn_acceleration"]
)
@pytest.mark.parametrize("value", [0, -1, math.nan])
def test_limits_that_leave_no_robot_are_refused(key, value):
    with pytest.raises(BadValue, match=f"robot 'r2d2': {key} must be more than 0"):
        Robot(name="r2d2", **{key: value})


@pytest.mark.parametrize("key", ["max_reverse_speed", "sensor_height"])
@pytest.mark.parametrize("value", [-0.1, math.nan])
def test_reverse_speed_and_sensor_height_may_be_nothing_but_not_less(key, value):
    assert getattr(Robot(**{key: 0}), key) == 0
    with pytest.raises(BadValue, match=f"{key} must be 0 or more"):
        Robot(**{key: value})


def test_walls_count_from_the_robots_radius_unless_it_says_otherwise():
    assert Robot(radius=0.3).needed_clearance == 0.3
    assert Robot(radius=0.3, wall_radius=0.0).needed_clearance == 0
    assert Robot(radius=0.3, wall_radius=0.5).needed_clearance == 0.5


@pytest.mark.parametrize("value", [-0.1, math.nan, math.inf])
def test_walls_cannot_count_from_anywhere_else(value):
    with pytest.raises(BadValue, match="robot 'r2d2': wall_radius must be 0 or more, or None"):
        Robot(name="r2d2", wall_radius=value)


@pytest.mark.parametrize("key", ["radius", "max_speed"])
def test_no_robot_is_infinitely_large_or_fast(key):
    with pytest.raises(BadValue, match="radius and max_speed must be finite"):
        Robot(**{key: math.inf})
