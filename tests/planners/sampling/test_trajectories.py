"""Splines: where they start and end, how fast they may be driven, and that a robot can do it."""

import math

import numpy as np
import pytest

from paseo.planners.sampling.trajectories import (
    COLUMNS,
    DURATION,
    HEADING,
    TURN_FIRST,
    Limits,
    X,
    Y,
    fitted,
    limits_of,
    reference,
    roll_out,
    spline_point,
)
from paseo.sim.driving import driven
from paseo.world.motion import Control, Pose, Robot, RobotState, Twist

FREE = Limits(1.2, 1.1, math.inf, math.inf)
SLUGGISH = Robot(max_acceleration=0.6, max_turn_acceleration=1.2)
WAYPOINTS = [(3.0, 0.0, 0.0), (2.0, 1.0, 0.9), (1.5, -1.5, -1.6), (0.4, 0.1, 0.5), (3.0, 2.0, -0.3)]


def spline_to(x, y, heading, *, forward=0.0, limits=FREE, turn_first=0.0):
    spline = np.zeros(COLUMNS)
    spline[[TURN_FIRST, X, Y, HEADING]] = turn_first, x, y, heading
    assert fitted(spline, forward, 20.0, 1.5, limits)
    return spline


@pytest.mark.parametrize("x, y, heading", WAYPOINTS)
@pytest.mark.parametrize("forward", [0.0, 0.5, 1.2])
def test_a_spline_leaves_ahead_at_its_speed_and_arrives_at_rest_with_its_heading(
    x, y, heading, forward
):
    spline = spline_to(x, y, heading, forward=forward)
    start = min(forward, spline[7])
    assert reference(0.0, start, spline)[:4] == pytest.approx((0, 0, 0, start), abs=1e-12)
    end = reference(float(spline[DURATION]), start, spline)
    assert end[:4] == pytest.approx((x, y, math.remainder(heading, math.tau), 0), abs=1e-9)


@pytest.mark.parametrize("x, y, heading", WAYPOINTS)
def test_the_derivatives_of_a_spline_are_those_of_its_positions(x, y, heading):
    spline, h = spline_to(x, y, heading), 1e-5
    for p in (0.2, 0.5, 0.9):
        before, here, after = (spline_point(p + d, spline) for d in (-h, 0.0, h))
        for axis in (0, 1):
            slope = (after[axis] - before[axis]) / (2 * h)
            assert here[2 + axis] == pytest.approx(slope, abs=1e-6)
            bend = (after[2 + axis] - before[2 + axis]) / (2 * h)
            assert here[4 + axis] == pytest.approx(bend, abs=1e-5)


@pytest.mark.parametrize("length, forward", [(4.8, 0.0), (4.8, 1.2), (2.4, 0.0), (3.6, 1.2)])
def test_straight_ahead_it_lasts_as_long_as_the_parabola_of_its_speed(length, forward):
    # From rest to rest with the top speed in the middle, or from the top speed to rest.
    spline = spline_to(length, 0.0, 0.0, forward=forward)
    assert spline[DURATION] == pytest.approx(1.5 * length / 1.2, rel=0.025)


@pytest.mark.parametrize("x, y, heading", WAYPOINTS)
@pytest.mark.parametrize("limits", [FREE, limits_of(SLUGGISH), Limits(0.5, 0.3, 1.0, 1.0)])
def test_it_is_as_slow_as_the_limits_of_the_robot_demand(x, y, heading, limits):
    spline = spline_to(x, y, heading, limits=limits)
    times = np.linspace(0.0, spline[DURATION], 400)
    states = np.array([reference(time, 0.0, spline) for time in times.tolist()])
    assert states[:, 3].max() <= 1.03 * limits.speed
    assert abs(states[:, 4]).max() <= 1.03 * limits.turn


def test_a_waypoint_that_cannot_be_reached_in_time_is_refused():
    spline = np.zeros(COLUMNS)
    spline[X] = 5.0
    assert not fitted(spline, 0.0, 6.0, 1.5, FREE)


@pytest.mark.parametrize("x, y, heading", WAYPOINTS)
@pytest.mark.parametrize("turn_first", [0.0, -2.0])
@pytest.mark.parametrize("dt", [0.01, 0.05, 0.5])
@pytest.mark.parametrize("robot", [Robot(), SLUGGISH, Robot(max_turn=math.inf)])
def test_the_simulator_drives_exactly_what_was_rolled_out(x, y, heading, turn_first, dt, robot):
    limits = limits_of(robot)
    spline = spline_to(x, y, heading, forward=0.3, limits=limits, turn_first=turn_first)
    state = RobotState(Pose(0.0, 0.0), Twist(0.33, 0.2), robot.radius)
    poses, twists = roll_out(spline, 0.33, 0.2, dt, 30.0, limits)
    for pose, (forward, turn) in zip(poses[1:].tolist(), twists.tolist(), strict=True):
        wanted = Twist(forward, turn)
        state = driven(state, wanted, robot=robot, control=Control.VELOCITY, dt=dt)
        assert (state.twist.forward, state.twist.turn) == pytest.approx((forward, turn), abs=1e-12)
        assert (state.pose.x, state.pose.y) == pytest.approx(pose[:2], abs=1e-9)
        assert math.remainder(state.pose.heading - pose[2], math.tau) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("x, y, heading", WAYPOINTS)
@pytest.mark.parametrize("step, near", [(0.05, 0.01), (0.1, 0.01), (0.5, 0.1)])
def test_what_is_rolled_out_ends_at_the_waypoint(x, y, heading, step, near):
    poses, _ = roll_out(spline_to(x, y, heading), 0.0, 0.0, step, 20.0, FREE)
    assert math.dist(poses[-1, :2], (x, y)) < near
    assert poses[-1, 2] == pytest.approx(heading, abs=near)


def test_a_robot_that_turns_first_does_so_on_the_spot_at_its_highest_rate():
    spline = spline_to(1.0, 0.0, 0.0, turn_first=2.2)
    poses, twists = roll_out(spline, 0.0, 0.0, 0.05, 20.0, FREE)
    turning = int(2.2 / 1.1 / 0.05)
    np.testing.assert_allclose(twists[:turning], [[0.0, 1.1]] * turning, atol=1e-9)
    np.testing.assert_allclose(poses[turning], [0.0, 0.0, 2.2], atol=1e-9)
    np.testing.assert_allclose(poses[-1], [math.cos(2.2), math.sin(2.2), 2.2], atol=0.01)
