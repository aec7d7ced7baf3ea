"""The way ahead: around corners, to the goal, and where to steer for."""

import math

import numpy as np
import pytest

from paseo.planners.unicycle import Rolling, limits_of, walls_of
from paseo.planners.way_ahead import (
    STRIDE,
    brisk_turn,
    has_room,
    path_ahead,
    straight_target,
    useful_speed,
    way_of,
)
from paseo.sim.episode import briefing
from paseo.world.motion import Control, Pose
from worlds import DIVIDED, ROOM, scenario

TOLD = briefing(scenario(), Control.VELOCITY)
AROUND = briefing(scenario(floorplan=DIVIDED, start=Pose(2, 8), goal=Pose(8, 8)), Control.VELOCITY)
LIMITS = limits_of(TOLD, 3.0, 6.0)


def test_in_the_open_the_path_is_straight_and_ends_with_the_goal():
    path = path_ahead(2.0, 5.0, 20.0, way_of(TOLD))
    np.testing.assert_allclose(path[:, 1], 5.0, atol=0.02)
    np.testing.assert_allclose(np.diff(path[:-1, 0]), STRIDE, atol=1e-3)
    assert tuple(path[-1]) == (8.0, 5.0)


def test_a_path_is_no_longer_than_asked_for():
    assert len(path_ahead(2.0, 5.0, 1.5, way_of(TOLD))) == 15
    assert len(path_ahead(2.0, 5.0, 0.0, way_of(TOLD))) == 1


def test_around_a_wall_the_path_leaves_room_for_the_robot():
    path = path_ahead(2.0, 8.0, 20.0, way_of(AROUND))
    assert min(DIVIDED.clearance(x, y) for x, y in path) > 0.24
    assert tuple(path[-1]) == (8.0, 8.0)


def test_the_robot_steers_for_the_furthest_point_that_it_can_have_straight_on():
    way, walls = way_of(AROUND), walls_of(DIVIDED)
    now = Rolling(4.5, 1.3, 0.0, 0.0, 0.0)
    path = path_ahead(now.x, now.y, 3.0, way)
    x, y = straight_target(now, path, 3.0, LIMITS, walls)
    assert DIVIDED.leaves_room(Pose(now.x, now.y), Pose(x, y), 0.24)
    assert 4.6 < x < path[-1, 0]
    assert straight_target(now, path, 0.5, LIMITS, walls) == tuple(path[4])


def test_there_is_no_room_through_a_wall():
    now = Rolling(4.0, 5.0, 0.0, 0.0, 0.0)
    assert not has_room(now, 6.0, 5.0, 0.25, walls_of(DIVIDED))
    assert has_room(now, 4.0, 2.0, 0.25, walls_of(DIVIDED))
    assert has_room(Rolling(0.2, 5.0, 0.0, 0.0, 0.0), 2.0, 5.0, 0.25, walls_of(ROOM))


def test_the_useful_speed_is_that_of_the_circle_through_the_target():
    beside = Rolling(8.0, 4.0, 0.0, 0.0, 0.0)  # on a circle of 0.5 m
    assert useful_speed(beside, (8.0, 5.0), LIMITS) == pytest.approx(1.1 * 0.5)
    assert useful_speed(beside._replace(heading=math.pi / 2), (8.0, 5.0), LIMITS) > 1e6


def test_a_robot_that_is_slow_to_begin_a_turn_counts_on_less():
    assert brisk_turn(LIMITS) == 1.1
    assert brisk_turn(LIMITS._replace(turn_acceleration=0.5)) == pytest.approx(0.25)
