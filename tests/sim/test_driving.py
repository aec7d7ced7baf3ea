"""Driving: Eq. 1 exactly, within limits, and alike wherever the world is and faces."""

import math
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from paseo.errors import PlannerFailed
from paseo.sim.driving import arc, checked, driven, steering
from paseo.world.motion import Control, Pose, Robot, RobotState, Twist, wrapped

DT = 0.05
angles = st.floats(-math.pi, math.pi)
places = st.builds(Pose, st.floats(-50, 50), st.floats(-50, 50), angles)
twists = st.builds(Twist, st.floats(-3, 3), st.floats(-6, 6))
modes = st.sampled_from(Control)


def at(pose, twist=Twist(0.0, 0.0)):  # noqa: B008
    return RobotState(pose, twist, 0.24)


def drive(pose, command, control=Control.VELOCITY, *, robot=Robot(), dt=DT):  # noqa: B008
    return driven(at(pose), command, robot=robot, control=control, dt=dt)


def assert_same_pose(a, b, tolerance=1e-9):
    assert a.distance_to(b) <= tolerance
    assert abs(wrapped(a.heading - b.heading)) <= tolerance


def moved(pose, angle, x, y):
    """The pose in a world that is turned about the origin and then shifted."""
    c, s = math.cos(angle), math.sin(angle)
    return Pose(c * pose.x - s * pose.y + x, s * pose.x + c * pose.y + y, pose.heading + angle)


@given(places, twists, st.floats(0.001, 1))
def test_an_arc_is_the_closed_form_of_a_circle(pose, twist, dt):
    assume(abs(twist.turn) > 1e-2)
    radius, heading = twist.forward / twist.turn, pose.heading + twist.turn * dt
    x = pose.x + radius * (math.sin(heading) - math.sin(pose.heading))
    y = pose.y - radius * (math.cos(heading) - math.cos(pose.heading))
    assert_same_pose(arc(pose, twist, dt), Pose(x, y, heading))


@given(places, twists)
def test_an_arc_is_what_integrating_eq_1_in_small_steps_leads_to(pose, twist):
    small = 1.0 / 1000
    headings = pose.heading + twist.turn * (np.arange(1000) + 0.5) * small  # midpoint rule
    x = pose.x + twist.forward * small * np.cos(headings).sum()
    y = pose.y + twist.forward * small * np.sin(headings).sum()
    assert_same_pose(arc(pose, twist, 1.0), Pose(x, y, pose.heading + twist.turn), 1e-5)


@given(places, st.floats(-3, 3), st.floats(-12, -2))
def test_turning_less_and_less_becomes_the_straight_line_without_a_jump(pose, forward, power):
    half = 10**power  # radians, half of the turn; its cosine and sine as series
    chord = forward * DT * (1 - half**2 / 6 + half**4 / 120)
    c, s = math.cos(pose.heading), math.sin(pose.heading)
    along, aside = chord * (1 - half**2 / 2 + half**4 / 24), chord * (half - half**3 / 6)
    there = Pose(
        pose.x + c * along - s * aside, pose.y + s * along + c * aside, pose.heading + 2 * half
    )
    assert_same_pose(arc(pose, Twist(forward, 2 * half / DT), DT), there, 1e-7 * half + 1e-13)


@given(places, twists, st.integers(1, 8))
def test_an_arc_in_many_steps_is_the_arc_in_one(pose, twist, parts):
    there = pose
    for _ in range(parts):
        there = arc(there, twist, 0.4 / parts)
    assert_same_pose(there, arc(pose, twist, 0.4))


@given(places, twists | places, modes, angles, st.floats(-50, 50), st.floats(-50, 50))
def test_turning_and_moving_the_world_turns_and_moves_the_motion(pose, command, mode, angle, x, y):
    if isinstance(command, Pose):
        behind = wrapped(math.atan2(command.y - pose.y, command.x - pose.x) - pose.heading)
        # Straight behind, left and right are alike; at the very limit of reach, near and far.
        distance = pose.distance_to(command)
        assume(abs(behind) < 3.1 and distance > 0.01 and abs(distance - 1.2 * DT) > 1e-6)
    turned = moved(command, angle, x, y) if isinstance(command, Pose) else command
    there = drive(moved(pose, angle, x, y), turned, mode).pose
    assert_same_pose(there, moved(drive(pose, command, mode).pose, angle, x, y), 1e-8)


limited = Robot(
    max_speed=1.0, max_reverse_speed=0.3, max_turn=2.0, max_acceleration=4, max_turn_acceleration=9
)


@given(places, st.floats(-0.3, 1), st.floats(-2, 2), twists | places)
def test_no_command_takes_the_robot_beyond_its_limits(pose, forward, turn, command):
    state = at(pose, Twist(forward, turn))
    twist = driven(state, command, robot=limited, control=Control.VELOCITY, dt=DT).twist
    assert -0.3 <= twist.forward <= 1
    assert abs(twist.turn) <= 2
    assert abs(twist.forward - forward) <= 4 * DT + 1e-12
    assert abs(twist.turn - turn) <= 9 * DT + 1e-12


@given(st.floats(-0.3, 1), st.floats(-2, 2))
def test_what_lies_within_the_limits_is_done_as_told(forward, turn):
    told = Twist(forward, turn)
    state = at(Pose(0.0, 0.0), told)
    there = driven(state, told, robot=limited, control=Control.VELOCITY, dt=DT)
    assert there.twist == told
    assert there.pose == arc(Pose(0.0, 0.0), told, DT)


def test_the_pioneer_does_not_reverse_and_turns_at_most_at_its_rate():
    there = drive(Pose(0.0, 0.0), Twist(-1.0, 9.0))
    assert (there.pose.x, there.pose.y) == (0, 0)
    assert there.pose.heading == pytest.approx(1.1 * DT)


def test_a_robot_speeds_up_and_brakes_as_hard_as_it_can_and_no_harder():
    robot = Robot(max_acceleration=0.5)
    state, speeds = at(Pose(0.0, 0.0)), []
    for forward in (1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0):
        told = Twist(forward, 0.0)
        state = driven(state, told, robot=robot, control=Control.VELOCITY, dt=0.1)
        speeds.append(state.twist.forward)
    assert speeds == pytest.approx([0.05, 0.1, 0.15, 0.1, 0.05, 0, 0])
    assert state.pose.x == pytest.approx(0.1 * sum(speeds))


@given(places, angles, st.floats(0, 1.2 * DT), angles)
def test_position_control_arrives_exactly_where_it_can(pose, bearing, distance, heading):
    target = Pose(
        pose.x + distance * math.cos(bearing), pose.y + distance * math.sin(bearing), heading
    )
    there = drive(pose, target, Control.POSITION)
    assert (there.pose.x, there.pose.y) == (target.x, target.y)
    assert there.pose.heading == pytest.approx(heading)
    assert there.twist.forward == pytest.approx(distance / DT, abs=1e-9)


@given(places, places)
def test_position_control_otherwise_goes_exactly_as_far_as_it_can_and_faces_there(pose, target):
    distance = pose.distance_to(target)
    assume(distance > 1.2 * DT * 1.001)
    there = drive(pose, target, Control.POSITION).pose
    assert pose.distance_to(there) == pytest.approx(1.2 * DT, abs=1e-12)
    assert there.distance_to(target) == pytest.approx(distance - 1.2 * DT, abs=1e-9)
    assert there.heading == math.atan2(target.y - pose.y, target.x - pose.x)


@given(places, twists)
def test_a_twist_under_position_control_goes_where_the_arc_leads(pose, twist):
    end = arc(pose, twist, DT)
    there = drive(pose, twist, Control.POSITION).pose
    if pose.distance_to(end) <= 1.2 * DT:
        assert_same_pose(there, end)
    else:
        assert pose.distance_to(there) == pytest.approx(1.2 * DT)


@given(places, st.floats(1e-3, 1.2 * DT))
def test_a_pose_ahead_under_velocity_control_is_driven_to(pose, distance):
    ahead = arc(pose, Twist(distance / DT, 0.0), DT)
    assert_same_pose(drive(pose, ahead).pose, ahead)


@given(places, places)
def test_a_pose_under_velocity_control_is_turned_to_and_reached(pose, target):
    robot = Robot(max_speed=10.0, max_turn=20.0)
    for _ in range(400):
        pose = drive(pose, target, robot=robot).pose
    assert pose.distance_to(target) < 1e-5
    assert abs(wrapped(pose.heading - target.heading)) < 1e-6  # and then faced as told


def test_a_pose_behind_is_not_driven_to_but_turned_to():
    assert steering(Pose(0.0, 0.0), Pose(-1.0, 0.1), DT).forward == 0


@pytest.mark.parametrize(
    "value", [math.nan, math.inf, -math.inf, "1", None, [1.0], 1j, 1e308, 10**400]
)
def test_a_command_that_is_no_finite_number_is_refused(value):
    for command in (Twist(value, 0.0), Twist(0.0, value), Pose(value, 0.0), Pose(0.0, 0.0, value)):
        with pytest.raises(PlannerFailed, match="expected finite numbers"):
            checked(command)


@pytest.mark.parametrize("command", [None, "forward", 1.0, (1.0, 0.0), Twist, {}])
def test_an_answer_that_is_no_command_is_refused(command):
    with pytest.raises(PlannerFailed, match="expected a Twist or a Pose"):
        checked(command)


@pytest.mark.parametrize(
    "number", [1, True, np.float32(1), np.float64(1), np.array(1.0), Decimal(1)]
)
def test_numbers_of_any_kind_become_plain_ones(number):
    for command in (checked(Twist(number, 0.0)), checked(Pose(0.5, number))):
        values = [getattr(command, name) for name in command.__struct_fields__]
        assert [type(value) for value in values] == [float] * len(values)
        assert 1.0 in values
