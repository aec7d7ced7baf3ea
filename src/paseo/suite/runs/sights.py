"""How the robots of a run see, from the words or values that a person gives."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path

import msgspec

from paseo.camera.lens.camerafile import find_camera
from paseo.camera.lens.sensor import Shutter
from paseo.camera.lens.sensorfile import read_sensor
from paseo.data.suites.suite_file import repeated
from paseo.errors import BadValue, UnknownName
from paseo.perception.names import make_perception
from paseo.planners.choices import Scalar
from paseo.world.cameras import PERIOD, Camera, CameraSensor, Sight
from paseo.world.clocks import named, picture_steps
from paseo.world.scenarios import ROUNDING

CAMERA = "realsense"  # by which a robot sees, unless another is named
# The keys of a camera's sensor where a person writes them, and what they stand for.
KEYS = {
    "min_range_m": "min_range",
    "max_range_m": "max_range",
    "depth_noise_m": "depth_noise",
    "depth_holes": "depth_holes",
    "exposure": "exposure",
    "noise": "noise",
    "row_noise": "row_noise",
}


class Sensing(StrEnum):
    """What a robot gets to know of people."""

    SCHEMATIC = "schematic"  # where they are, as the sensor tells
    FULL = "full"  # what a camera shows


def sights_of(
    sensing: Sequence[Sensing | str],
    perceptions: Sequence[str],
    *,
    camera: Camera | Path | str | None = None,
    camera_sensor: CameraSensor | Path | Mapping[str, Scalar] | None = None,
    camera_fps: float | None = None,
    dt: float,
) -> tuple[Sight | None, ...]:
    """Every way to see that is asked for; None is to be told of people, and so is none at all.

    Pictures are taken in whole steps of `dt`.
    """
    kinds = [named(Sensing, each, "sensing") for each in sensing]
    twice = repeated([*map(str, kinds), *perceptions])
    if twice is not None:
        raise BadValue(
            f"'{twice}' is named twice; name each once", parameters=("sensing", "perceptions")
        )
    given = {
        "perceptions": perceptions or None,
        "camera": camera,
        "camera_sensor": camera_sensor,
        "camera_fps": camera_fps,
    }
    if Sensing.FULL not in kinds:
        _check_unused([name for name, value in given.items() if value is not None])
        return ()
    eye = Sight(
        camera=_camera(camera), sensor=_sensor(camera_sensor), period=_period(camera_fps, dt)
    )
    for each in perceptions:
        make_perception(each)  # which says what is wrong with it
    seeing = [replace(eye, perception=each) for each in perceptions or ("",)]
    schematic = [None] if Sensing.SCHEMATIC in kinds else []
    return (*schematic, *seeing)


def _check_unused(given: Sequence[str]) -> None:
    if given:
        raise BadValue(
            f"{', '.join(given)}: only a robot that has to see for itself has a camera; choose "
            "sensing full, or omit that",
            parameters=(*given, "sensing"),
        )


def _camera(camera: Camera | Path | str | None) -> Camera:
    return camera if isinstance(camera, Camera) else find_camera(str(camera or CAMERA))


def _period(fps: float | None, dt: float) -> float:
    """Seconds from picture to picture, in whole steps."""
    if fps is None:
        return picture_steps(PERIOD, dt) * dt
    if not 0 < fps < math.inf:
        raise BadValue(
            f"camera_fps is {fps:g}, expected pictures for each second, over 0",
            parameters=("camera_fps",),
        )
    if 1 / fps < dt * (1 - ROUNDING):
        raise BadValue(
            f"camera_fps is {fps:g}, but with steps of {dt:g} s no more than {1 / dt:g} pictures "
            "for each second can be taken; choose fewer",
            parameters=("camera_fps",),
        )
    return picture_steps(1 / fps, dt) * dt


def _sensor(sensor: CameraSensor | Path | Mapping[str, Scalar] | None) -> CameraSensor:
    if sensor is None or isinstance(sensor, CameraSensor):
        return sensor or CameraSensor()
    if isinstance(sensor, Path):
        return _sensor_in(sensor)
    for key in sensor:
        if key not in KEYS:
            raise UnknownName("setting of a camera's sensor", key, KEYS)
    try:
        return msgspec.convert({KEYS[key]: value for key, value in sensor.items()}, CameraSensor)
    except (msgspec.ValidationError, BadValue) as error:
        raise BadValue(f"camera_sensor: {error}", parameters=("camera_sensor",)) from error


def _sensor_in(file: Path) -> CameraSensor:
    sensor, shutter = read_sensor(file)
    if shutter != Shutter():
        raise BadValue(
            f"{file}: the camera of a robot takes its pictures in no time; omit shutter_s and "
            "readout_s there",
            parameters=("camera_sensor",),
        )
    return sensor
