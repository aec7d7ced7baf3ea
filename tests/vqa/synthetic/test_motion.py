"""Robots, people and their boxes against stepwise integration and cases worked by hand."""

import math

import pytest

from paseo.vqa.synthetic.motion import (
    EYE,
    SHOULDERS,
    Drive,
    Walk,
    box_of,
    from_robot,
    onto_image,
)
from paseo.world.scenes import Camera

CAMERA = Camera(width_px=1000, height_px=500, fx=500.0, fy=400.0, cx=500.0, cy=250.0)


@pytest.mark.parametrize(
    "drive",
    [
        Drive(speed=1.2),
        Drive(speed=1.0, curvature=0.5),
        Drive(speed=0.8, curvature=-0.3, stands_at=1.0),
        Drive(speed=0.0),
        Drive(speed=1.3, curvature=0.5, turns_back_at=1.1),
        Drive(speed=0.0, spin=-0.5, turns_back_at=0.9),
    ],
)
def test_a_drive_is_where_small_steps_lead(drive: Drive) -> None:
    steps, end = 20_000, 2.25
    x = y = heading = 0.0
    for step in range(steps):
        time = (step + 0.5) * end / steps
        left = 1 - time / drive.stands_at if time < drive.stands_at else 0.0
        way = drive.speed * left * end / steps
        side = 1 if time < drive.turns_back_at else -1
        heading += side * (drive.curvature * way + drive.spin * end / steps)
        x, y = x + way * math.cos(heading), y + way * math.sin(heading)
    assert drive.pose(end) == pytest.approx((x, y, heading), abs=1e-4)


def test_a_drive_begins_at_the_origin_and_came_from_behind() -> None:
    assert Drive(speed=1.0, curvature=0.4).pose(0.0) == (0.0, 0.0, 0.0)
    assert Drive(speed=2.0, stands_at=1.0).pose(-1.5) == (-3.0, 0.0, 0.0)


def test_a_robot_that_stands_does_not_go_on() -> None:
    drive = Drive(speed=1.0, stands_at=2.0)
    assert drive.pose(2.0) == drive.pose(9.0) == (1.0, 0.0, 0.0)


def test_a_person_walks_straight_until_they_stop() -> None:
    walk = Walk(start=(4.0, 1.0), velocity=(-1.0, 0.5), stops_at=2.0)
    assert walk.position(1.0) == (3.0, 1.5)
    assert walk.position(2.0) == walk.position(5.0) == (2.0, 2.0)


def test_what_was_ahead_is_on_the_right_after_a_left_turn() -> None:
    assert from_robot((3.0, 0.0), (0.0, 0.0, math.pi / 2)) == pytest.approx((0.0, -3.0))
    assert from_robot((3.0, 2.0), (1.0, 2.0, 0.0)) == pytest.approx((2.0, 0.0))


def test_left_is_on_the_left_of_the_picture_and_the_ground_below_the_horizon() -> None:
    assert onto_image(CAMERA, (5.0, 1.0), EYE) == (400.0, 250.0)
    assert onto_image(CAMERA, (5.0, -1.0), 0.0) == (600.0, 250.0 + 400.0 * EYE / 5)


def test_the_box_of_a_person_five_metres_ahead_is_the_closed_form() -> None:
    half = 500 * SHOULDERS / 2 / 5
    top, bottom = 250 + 400 * (EYE - 1.75) / 5, 250 + 400 * EYE / 5
    expected = (500 - half, top, 500 + half, bottom)
    assert box_of(CAMERA, (5.0, 0.0), 1.75) == pytest.approx(expected, abs=0.01)


def test_the_box_at_the_edge_is_cut_to_the_picture() -> None:
    box = box_of(CAMERA, (1.0, 0.95), 1.8)
    assert box is not None
    assert box[0] == 0.0 and box[1] == 0.0 and 0 < box[2] < 300 and box[3] == 500.0


@pytest.mark.parametrize("point", [(-2.0, 0.0), (0.3, 0.0), (3.0, 3.2), (3.0, -3.2)])
def test_who_is_behind_too_near_or_beside_is_not_seen(point: tuple[float, float]) -> None:
    assert box_of(CAMERA, point, 1.8) is None


def test_the_box_depends_only_on_where_a_person_is_from_the_robot() -> None:
    pose, turn = (2.0, -1.0, 0.7), 0.7
    ahead, left = 4.0, 0.6
    x = pose[0] + math.cos(turn) * ahead - math.sin(turn) * left
    y = pose[1] + math.sin(turn) * ahead + math.cos(turn) * left
    seen = from_robot((x, y), pose)
    expected = box_of(CAMERA, (ahead, left), 1.7)
    assert box_of(CAMERA, seen, 1.7) == pytest.approx(expected, abs=0.02)
