"""Drives that answer to nobody: worked out by hand, and around walls."""

import math
from dataclasses import replace

import numpy as np
import pytest

from paseo.errors import BadScenario, BadValue
from paseo.metrics.reference_drives import (
    TICK,
    ReferenceDrive,
    drive_through,
    reference_drives,
    shortest_way,
)
from paseo.world.motion import Pose, Robot
from worlds import DIVIDED, plan, scenario

CORRIDOR = plan("corridor", (0, 4, 10, 6))


def test_four_drives_worked_out_by_hand() -> None:
    drives = reference_drives(scenario())
    assert list(drives) == list(ReferenceDrive)
    direct, slow, late, aside = drives.values()
    np.testing.assert_allclose(direct.positions[10], [3.2, 5.0])  # 1.2 m/s from (2, 5)
    np.testing.assert_allclose(slow.positions[10], [2.8, 5.0])
    np.testing.assert_allclose(late.positions[20], [2.0, 5.0])
    np.testing.assert_allclose(late.positions[30], [3.2, 5.0])
    assert aside.positions[:, 1].max() == pytest.approx(6.0)  # a metre to the left
    for drive in drives.values():
        np.testing.assert_allclose(drive.positions[0], [2.0, 5.0])
        assert drive.headings[0, 0] > 0.7
        np.testing.assert_allclose(np.hypot(*drive.headings.T), 1.0)
    assert len(direct.positions) * TICK == pytest.approx(6.0 / 1.2 + TICK, abs=TICK)


def test_a_robot_that_waits_faces_where_it_will_go() -> None:
    late = reference_drives(scenario())[ReferenceDrive.LATE]
    np.testing.assert_allclose(late.headings[0], [1.0, 0.0])
    np.testing.assert_allclose(late.velocities[0], [0.0, 0.0])


def test_speeds_are_those_of_the_robot_and_time_limits_end_drives() -> None:
    slow = replace(scenario(), robot=Robot(max_speed=0.3), time_limit=4.0)
    direct = reference_drives(slow)[ReferenceDrive.DIRECT]
    assert np.hypot(*direct.velocities.T) == pytest.approx(0.3)
    assert direct.positions[-1, 0] == pytest.approx(2.0 + 4.0 * 0.3)


def test_ways_lead_around_walls_with_room_for_the_robot() -> None:
    way = shortest_way(DIVIDED, Pose(2.0, 5.0), Pose(8.0, 5.0), Robot(radius=0.3))
    assert min(DIVIDED.clearance(x, y) for x, y in way) >= 0.25
    length = np.hypot(*np.diff(way, axis=0).T).sum()
    shortest = 2 * math.hypot(3.0, 4.0)  # under the wall's end at (5, 1), as a point
    assert shortest < length < 1.1 * shortest + 1.0
    np.testing.assert_allclose(way[[0, -1]], [[2.0, 5.0], [8.0, 5.0]])


@pytest.mark.parametrize(("robot", "aside"), [(Robot(radius=0.1), 0.5), (Robot(radius=0.8), 0.0)])
def test_a_drive_stays_beside_walls(robot: Robot, aside: float) -> None:
    world = scenario(floorplan=CORRIDOR, robot=robot)
    drive = reference_drives(world)[ReferenceDrive.ASIDE]
    assert np.abs(drive.positions[:, 1] - 5.0).max() == pytest.approx(aside)


def test_a_goal_behind_walls_has_no_way() -> None:
    rooms = plan("rooms", (0, 0, 4, 10), (6, 0, 10, 10))
    with pytest.raises(BadScenario, match="no way was found from .2, 5. to .8, 5. on floor plan"):
        reference_drives(scenario(floorplan=rooms))


def test_a_drive_from_places_faces_where_it_last_went() -> None:
    places = np.array([[0, 0], [0, 0], [0.1, 0], [0.1, 0], [0.1, 0.1]], float)
    drive = drive_through(places)
    np.testing.assert_allclose(drive.headings, [[1, 0], [1, 0], [1, 0], [0, 1]])
    with pytest.raises(BadValue, match="never moves"):
        drive_through(np.zeros((5, 2)))
