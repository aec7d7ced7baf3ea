"""Sensors that are not perfect, and the same every time."""

import math

import numpy as np
import pytest

from paseo.camera.lens.image import Image
from paseo.camera.lens.sensor import motion_blurred, rolling, sensed
from paseo.errors import BadValue
from paseo.world.cameras import CameraSensor


def picture(grey: int = 128, *, height: int = 60, width: int = 80) -> Image:
    """A wall 2 m away whose right half is 6 m away; its uppermost row is the sky."""
    depth = np.full((height, width), 2, np.float32)
    depth[:, width // 2 :] = 6
    depth[0] = np.nan
    return Image(
        rgb=np.full((height, width, 3), grey, np.uint8),
        depth=depth,
        ids=np.full((height, width), -1, np.int32),
        normals=np.zeros((height, width, 3), np.float32),
    )


def seen(sensor: CameraSensor, seed: int = 0, grey: int = 128) -> Image:
    return sensed(picture(grey), sensor, np.random.default_rng(seed))


def test_a_perfect_sensor_tells_what_there_is():
    image = seen(CameraSensor())
    assert image.rgb.tobytes() == picture().rgb.tobytes()
    assert image.depth.tobytes() == picture().depth.tobytes()


def test_the_same_seed_gives_the_same_bytes_and_another_does_not():
    sensor = CameraSensor(depth_noise=0.002, depth_holes=0.5, noise=3, row_noise=1)
    one, again, other = (seen(sensor, seed) for seed in (1, 1, 2))
    assert one.rgb.tobytes() == again.rgb.tobytes() != other.rgb.tobytes()
    assert one.depth.tobytes() == again.depth.tobytes() != other.depth.tobytes()


def test_noise_of_depth_grows_with_its_square():
    depth = seen(CameraSensor(depth_noise=0.002)).depth[1:]
    assert np.std(depth[:, :40]) == pytest.approx(0.008, rel=0.1)
    assert np.std(depth[:, 40:]) == pytest.approx(0.072, rel=0.1)


def test_beyond_its_range_a_sensor_tells_no_depth():
    depth = seen(CameraSensor(min_range=1, max_range=5)).depth[1:]
    assert np.isfinite(depth[:, :40]).all() and np.isnan(depth[:, 40:]).all()
    assert np.isnan(seen(CameraSensor(min_range=3)).depth[1:, :40]).all()


def test_holes_are_where_depth_jumps():
    holes = np.isnan(seen(CameraSensor(depth_holes=1)).depth)
    assert holes[:2].all(), "the sky, and the wall's rim before it"
    assert (holes[2:] == np.isin(np.arange(80), (39, 40))).all()
    half = np.isnan(seen(CameraSensor(depth_holes=0.5)).depth)[2:, 39:41].mean()
    assert 0.3 < half < 0.7


def test_twice_the_light_is_a_stop_brighter_and_too_much_is_white():
    once, twice = picture().rgb[0, 0, 0] / 255, seen(CameraSensor(exposure=2)).rgb[0, 0, 0] / 255
    assert (twice / once) ** 2.2 == pytest.approx(2, rel=0.02)
    assert (seen(CameraSensor(exposure=100)).rgb == 255).all()


def test_darkness_has_less_noise_and_rows_share_theirs():
    assert np.std(seen(CameraSensor(noise=4)).rgb.astype(float)) == pytest.approx(4, rel=0.05)
    assert np.std(seen(CameraSensor(noise=4), grey=20).rgb.astype(float)) < 3
    rows = seen(CameraSensor(row_noise=5)).rgb
    assert (rows == rows[:, :1]).all() and np.std(rows[:, 0, 0]) > 2


def test_a_shutter_that_stays_open_mixes_light_and_a_rolling_one_mixes_rows():
    black, white = picture(0), picture(255)
    assert (motion_blurred([black, white]).rgb == round(255 * 0.5 ** (1 / 2.2))).all()
    rows = rolling([black, white]).rgb[:, 0, 0]
    assert (rows[:30] == 0).all() and (rows[30:] == 255).all()
    for mixed in (motion_blurred, rolling):
        with pytest.raises(BadValue, match="expected one at least"):
            mixed([])


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"depth_noise": -1.0}, "depth_noise is -1, expected 0 or more"),
        ({"noise": math.nan}, "noise is nan"),
        ({"max_range": 0.0}, "max_range beyond min_range"),
        ({"depth_holes": 2.0}, "expected 0 to 1"),
        ({"exposure": 0.0}, "exposure is 0, expected over 0"),
    ],
)
def test_a_sensor_that_cannot_be_is_told(change: dict[str, float], sentence: str):
    with pytest.raises(BadValue, match=sentence):
        CameraSensor(**change)
