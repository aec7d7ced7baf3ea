"""Sensors from files, and back."""

import math
from pathlib import Path

import msgspec
import numpy as np
import pytest

from paseo.camera.lens.image import Image
from paseo.camera.lens.sensor import BANDS, SHOTS, Shutter, watched
from paseo.camera.lens.sensorfile import read_sensor, sensor_entry
from paseo.errors import BadFile, BadValue
from paseo.world.cameras import CameraSensor

FULL = CameraSensor(
    min_range=0.3,
    max_range=8.0,
    depth_noise=0.002,
    depth_holes=0.4,
    exposure=1.5,
    noise=3.0,
    row_noise=1.0,
)


def test_a_sensor_is_read_as_it_was_told(tmp_path: Path):
    for both in ((FULL, Shutter(0.02, 0.03)), (CameraSensor(), Shutter())):
        file = tmp_path / "sensor.toml"
        file.write_bytes(msgspec.toml.encode(sensor_entry(*both)))
        assert read_sensor(file) == both
    assert "max_range_m" not in sensor_entry(CameraSensor(), Shutter()), "there is no end of it"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("depth_noise = 1", "depth_noise"),
        ("exposure = 0", "exposure is 0, expected over 0"),
        ("shutter_s = -1", "shutter's open is -1 s, expected 0 to 1"),
        ("shutter_s = 20", "shutter's open is 20 s, expected 0 to 1"),
        ("readout_s = 1.5", "shutter's readout is 1.5 s, expected 0 to 1"),
        ("nose = 1", "no key of a sensor is called 'nose'. Did you mean 'noise'"),
        ("# H\udcf6he", "is no text in UTF-8"),
        ("noise = nan", "is no sensor"),
        ("max_range_m = 'far'", "is no sensor"),
        ("noise =", "is no sensor"),
    ],
)
def test_a_file_that_is_no_sensor_is_told(words: str, sentence: str, tmp_path: Path):
    file = tmp_path / "sensor.toml"
    file.write_bytes(words.encode(errors="surrogateescape"))
    with pytest.raises(BadFile, match=sentence):
        read_sensor(file)


def flash(time: float) -> Image:
    """White from 1 s on, black before."""
    grey = 255 if time >= 1 else 0
    return Image(
        rgb=np.full((80, 4, 3), grey, np.uint8),
        depth=np.full((80, 4), time, np.float32),
        ids=np.zeros((80, 4), np.int32),
        normals=np.zeros((80, 4, 3), np.float32),
    )


def test_a_perfect_sensor_takes_one_picture():
    times: list[float] = []

    def take(time: float) -> Image:
        times.append(time)
        return flash(time)

    assert watched(take, 1.25, Shutter()).rgb[0, 0, 0] == 255
    assert times == [1.25]


def test_an_open_shutter_sees_half_of_a_flash_that_begins_midway():
    half = watched(flash, 1.2, Shutter(open=0.4)).rgb[0, 0, 0]
    assert half == pytest.approx(255 * 0.5 ** (1 / 2.2), abs=25)
    assert SHOTS >= 4


def test_rows_are_read_from_the_first_to_the_last():
    image = watched(flash, 1.1, Shutter(readout=0.2))
    assert (image.rgb[:30] == 0).all() and (image.rgb[-30:] == 255).all()
    assert image.depth[0, 0] == pytest.approx(0.9) and image.depth[-1, 0] == pytest.approx(1.1)
    assert len(np.unique(image.depth)) == BANDS


def test_nothing_is_taken_before_the_beginning():
    assert watched(flash, 0.0, Shutter(open=0.5, readout=0.5)).depth.min() == 0
    with pytest.raises(BadValue, match="readout is nan"):
        Shutter(readout=math.nan)
