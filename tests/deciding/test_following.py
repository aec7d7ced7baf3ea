"""The local controller."""

import math

import pytest

from paseo.deciding.following import ARRIVED, driven, speed_for, twist_to
from paseo.world.motion import Pose, Robot, Twist

ROBOT = Robot(max_speed=1.2, max_turn=1.1)


@pytest.mark.parametrize("bearing_deg", [0, 30, -50, 90, 170])
@pytest.mark.parametrize("heading", [0.0, 3.0])
def test_it_arrives_where_it_was_sent_however_it_faces(bearing_deg: int, heading: float) -> None:
    angle = heading + math.radians(bearing_deg)
    start, target = Pose(1.0, 2.0, heading), Pose(1.0 + math.cos(angle), 2.0 + math.sin(angle))
    seconds = 5.0
    speed = speed_for(start, target, seconds, ROBOT)
    poses = [pose for _, pose in driven(start, target, speed, ROBOT, dt=0.05, steps=120)]
    assert poses[-1].distance_to(target) <= ARRIVED + 1e-9
    assert all(abs(each.forward) <= 1.2 and abs(each.turn) <= 1.1 for each, _ in
               driven(start, target, speed, ROBOT, dt=0.05, steps=120))  # fmt: skip


def test_it_turns_before_it_drives_back_and_stands_where_it_is_to_stay() -> None:
    behind = twist_to(Pose(0.0, 0.0, 0.0), Pose(-1.0, 0.1), 1.0, ROBOT, 0.05)
    assert behind.forward == 0.0
    assert behind.turn == pytest.approx(1.1)
    here = Pose(0.0, 0.0)
    assert twist_to(here, here, 1.0, ROBOT, 0.05) == Twist(0.0, 0.0)
    assert speed_for(here, here, 2.0, ROBOT) == 0.0
    assert speed_for(here, Pose(1.0, 0.0), 2.0, ROBOT) == pytest.approx(0.5)
    assert speed_for(here, Pose(9.0, 0.0), 2.0, ROBOT) == 1.2
