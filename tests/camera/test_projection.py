"""Points to pixels and back; the middle of the first pixel is at (0.5, 0.5)."""

import math
from dataclasses import replace

import numpy as np
import pytest

from paseo.camera.lens.presets import PRESETS, preset
from paseo.camera.lens.projection import distorted, pixel_rays, project, undistorted, unproject
from paseo.errors import BadValue, UnknownName
from paseo.world.cameras import Camera, facing
from paseo.world.motion import Pose

AHEAD = Pose(2.0, 3.0, math.pi / 2)  # a robot that faces +y
BARREL = (-0.12, 0.02, 0.0002, -0.0004, -0.001)


def test_a_point_straight_ahead_is_in_the_middle_and_its_neighbours_are_where_they_should_be():
    camera = replace(preset("level"), height=1.5)
    ahead = [2.0, 13.0, 1.5]
    right = [3.0, 13.0, 1.5]  # the robot faces +y, so +x is to its right
    above = [2.0, 13.0, 2.5]
    u, v, depth = project(np.array([ahead, right, above]), camera, camera.view(AHEAD)).T
    assert depth == pytest.approx([10, 10, 10])
    assert u == pytest.approx([320, 320 + camera.fx / 10, 320])
    assert v == pytest.approx([240, 240, 240 - camera.fy / 10])


def test_the_original_camera_looks_45_degrees_down_and_sees_90():
    camera = preset("socnavbench")
    ground = [[0.80, 0, 0], [1e9, 0, 0.80], [1e-9, 0, 0]]  # the middle, the horizon, its own feet
    u, v, _ = project(np.array(ground), camera, camera.view(Pose(0, 0))).T
    assert u == pytest.approx([32, 32, 32], abs=1e-6)
    assert v == pytest.approx([32, 0, 64], abs=1e-6)
    assert (camera.near, camera.far) == (0.01, 20)


def test_what_is_behind_falls_nowhere():
    camera = preset("level")
    u, v, depth = project(np.array([[-5.0, 0, 1]]), camera, camera.view(Pose(0, 0))).T
    assert np.isnan(u).all() and np.isnan(v).all() and depth == [-5]


@pytest.mark.parametrize("distortion", [(), BARREL, (0.05, -0.01, 0.001, 0.002)])
def test_pixels_and_points_go_round_in_a_circle(distortion: tuple[float, ...]):
    camera = replace(PRESETS["socialnavsub"], distortion=distortion, pitch=0.3, yaw=0.4, cx=600.0)
    rng = np.random.default_rng(3)
    pixels = rng.uniform([0, 0], [1280, 720], (200, 2))
    depth = rng.uniform(0.5, 30, 200)
    view = camera.view(AHEAD)
    back = project(unproject(pixels, depth, camera, view), camera, view)
    assert np.abs(back[:, :2] - pixels).max() < 1e-5
    assert np.abs(back[:, 2] - depth).max() < 1e-9


def test_distortion_is_that_of_opencv_by_hand():
    # x = .5, y = .2, r2 = .29: radial 1 + .1*.29 + .01*.29^2, tangential of p1 = .001, p2 = .002.
    bent = distorted(np.array([[0.5, 0.2]]), (0.1, 0.01, 0.001, 0.002))
    radial = 1.029841
    assert bent[0] == pytest.approx([0.5 * radial + 0.0002 + 0.00158, 0.2 * radial + 0.00077])


def test_rays_pass_through_the_middle_of_their_pixels():
    camera = preset("socnavbench")
    rays = pixel_rays(camera)
    assert rays[0, 0] == pytest.approx([-31.5 / 32, -31.5 / 32])
    assert rays[10, 40] == pytest.approx([8.5 / 32, -21.5 / 32])


def test_beyond_the_rim_of_a_lens_there_is_no_ray():
    # x - .3 x^3 is 0.7 at most: nothing is bent to 1.
    found = undistorted(np.array([[0.4, 0.0], [1.0, 0.0]]), (-0.3, 0.0, 0.0, 0.0))
    assert np.isfinite(found[0]).all() and np.isnan(found[1]).all()


def test_a_camera_of_its_own_stays_where_it_is():
    camera = replace(preset("level"), at=Pose(7, 8, 1.0), forward=2.0, height=3.0)
    view = camera.view(AHEAD)
    assert view.position == pytest.approx([7 + 2 * math.cos(1), 8 + 2 * math.sin(1), 3])
    assert view.rotation == pytest.approx(facing(1.0, 0.0))
    assert np.linalg.det(view.rotation) == pytest.approx(1)
    assert view.rotation[:, 1] == pytest.approx([0, 0, -1])


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"fx": 0.0}, "fx is 0 pixels, expected 0.001 to 1e\\+07"),
        ({"fy": math.nan}, "fy is nan pixels"),
        ({"cx": math.inf}, "cx is inf pixels, expected at most 1e\\+06 either way"),
        ({"cy": 1e30}, "cy is 1e\\+30 pixels, expected at most 1e\\+06 either way"),
        ({"fy": 1e30}, "fy is 1e\\+30 pixels, expected 0.001 to 1e\\+07"),
        ({"distortion": (math.nan,) * 4}, "distortion must be finite numbers"),
        ({"width_px": 16384, "height_px": 16384}, "16384x16384 pixels does not fit into memory"),
        ({"at": Pose(math.nan, 0.0, 0.0)}, "stands at \\(nan, 0\\) m, expected finite"),
        ({"width_px": 0}, "a camera of 0x480 pixels cannot be"),
        ({"distortion": (0.1,)}, "has 1 coefficients of distortion, expected 0, 4"),
        ({"near": 0.0}, "sees from 0 to 200 m, expected near over 0"),
        ({"far": 0.01}, "far beyond it"),
        ({"height": -1.0}, "hangs -1 m high"),
        ({"pitch": 2.0}, "degrees down, expected -90 to 90"),
        ({"yaw": math.nan}, "yaw and forward must be finite"),
    ],
)
def test_a_camera_that_cannot_be_is_told_in_a_sentence(change: dict[str, object], sentence: str):
    with pytest.raises(BadValue, match=sentence):
        replace(preset("level"), **change)


def test_a_camera_on_the_robot_needs_the_robot_and_a_name_must_be_known():
    with pytest.raises(BadValue, match="needs the robot's pose"):
        preset("level").view()
    with pytest.raises(UnknownName, match="Did you mean 'level'"):
        preset("levle")
    assert isinstance(preset("level"), Camera)
