"""What the robot saw last, as a scene."""

import math

import numpy as np
import pytest

from paseo.deciding.history import MOMENTS, History, RobotEye, lens_of_robot
from paseo.vqa.waypoints.mounting import Mount
from paseo.world.cameras import Camera, RgbdImage, level_camera
from paseo.world.motion import Pose, RobotState, Twist
from paseo.world.people import Crowd
from paseo.world.planning import Observation
from worlds import crowd

CAMERA = level_camera(64, 48, across=math.radians(90))


def seen(time: float, pose: Pose, people: Crowd, *, wall: float | None = None) -> Observation:
    image = None
    if wall is not None:
        depth = np.full((48, 64), wall, np.float32)
        image = RgbdImage(time, pose, np.zeros((48, 64, 3), np.uint8), depth)
    return Observation(time, RobotState(pose, Twist(0.0, 0.0), 0.24), people, image)


def driven(turn: float, x: float, y: float) -> History:
    """A robot that drives at 1 m/s towards somebody, all turned about the origin and moved."""
    history = History(None)
    cos, sin = math.cos(turn), math.sin(turn)

    def at(px: float, py: float) -> tuple[float, float]:
        return x + cos * px - sin * py, y + sin * px + cos * py

    for k in range(80):
        pose = Pose(*at(0.05 * k, 0.0), turn)
        history.add(seen(0.05 * k, pose, crowd((7, *at(6.0, 1.0)), (3, *at(5.0, -2.0)))))
    return history


def test_a_moment_is_kept_for_each_quarter_of_a_second() -> None:
    scene = driven(0.0, 0.0, 0.0).scene((9.0, 0.0), "drive")
    assert len(scene.frames) == MOMENTS
    assert scene.period == pytest.approx(0.25)
    np.testing.assert_allclose(scene.robot[:, 0], 0.25 * np.arange(10), atol=1e-9)
    # From left to right: who stands to the left has number 1.
    np.testing.assert_allclose(scene.people[0].positions[-1], [6.0 - 1.5, 1.0], atol=1e-9)
    np.testing.assert_allclose(scene.people[1].positions[-1], [5.0 - 1.5, -2.0], atol=1e-9)


def test_where_the_map_has_its_origin_does_not_matter() -> None:
    one = driven(0.0, 0.0, 0.0).scene((9.0, 0.0), "drive")
    goal = (3.0 + 9.0 * math.cos(2.0), -8.0 + 9.0 * math.sin(2.0))
    other = driven(2.0, 3.0, -8.0).scene(goal, "drive")
    np.testing.assert_allclose(one.robot, other.robot, atol=1e-9)
    np.testing.assert_allclose(one.goal, other.goal, atol=1e-9)
    for a, b in zip(one.people, other.people, strict=True):
        np.testing.assert_allclose(a.positions, b.positions, atol=1e-9)


def test_the_last_moment_is_now_and_a_first_one_has_one_before() -> None:
    history = History(None)
    history.now(seen(0.0, Pose(0.0, 0.0), crowd()))
    assert [each.time for each in history.moments] == [-0.25, 0.0]
    history.now(seen(0.1, Pose(0.1, 0.0), crowd()))
    assert history.moments[-1].pose.x == 0.1
    history.now(seen(5.0, Pose(0.2, 0.0), crowd()))  # the answer took long
    assert [each.time for each in history.moments] == [0.1, 5.0]


def test_a_person_is_marked_in_the_picture_unless_something_hides_them() -> None:
    boxes = {}
    for wall in (9.0, 4.2, 2.0):
        history = History(CAMERA)
        history.now(seen(0.0, Pose(1.0, 1.0), crowd((5, 5.0, 1.0)), wall=wall))
        boxes[wall] = history.scene((9.0, 1.0), "drive").people[0].boxes[-1]
    left, top, right, bottom = boxes[9.0]
    # 4 m ahead of a camera at 1 m with a focal length of 32 pixels, 1.75 m tall and 0.5 m wide.
    assert (left, right) == pytest.approx((32 - 2, 32 + 2))
    assert (top, bottom) == pytest.approx((24 - 6, 24 + 8))
    np.testing.assert_array_equal(boxes[4.2], boxes[9.0])
    assert np.isnan(boxes[2.0]).all()


def test_a_level_camera_sees_waypoints_where_a_pinhole_does() -> None:
    places = np.array([[4.0, 1.0], [2.0, -1.0], [-3.0, 0.0], [1.0, 5.0]])
    pose = np.array([0.5, 0.2, 0.1])
    lens = lens_of_robot(CAMERA)
    mount = Mount(height=CAMERA.height, forward=0.0, is_known=True)
    np.testing.assert_allclose(
        RobotEye(CAMERA).pixels(places, pose, lens), mount.pixels(places, pose, lens), atol=1e-9
    )
    assert np.isnan(RobotEye(None).pixels(places, pose, lens)).all()
    down = Camera(width_px=64, height_px=48, fx=32, fy=32, cx=32, cy=24, pitch=0.5)
    tilted = RobotEye(down).pixels(places[:1], pose, lens)
    assert tilted[0, 1] < RobotEye(CAMERA).pixels(places[:1], pose, lens)[0, 1]
