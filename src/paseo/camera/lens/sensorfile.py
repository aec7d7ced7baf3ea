"""Sensors from files of TOML."""

from pathlib import Path
from typing import Annotated

import msgspec

from paseo.camera.lens.sensor import Shutter
from paseo.camera.lens.tomlfile import read_entry
from paseo.errors import BadFile, BadValue
from paseo.world.cameras import CameraSensor

Finite = Annotated[float, msgspec.Meta(ge=-1e9, le=1e9)]


class _Entry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    min_range_m: Finite = 0.0
    max_range_m: Finite | None = None
    depth_noise_m: Finite = 0.0
    depth_holes: Finite = 0.0
    exposure: Finite = 1.0
    noise: Finite = 0.0
    row_noise: Finite = 0.0
    shutter_s: Finite = 0.0
    readout_s: Finite = 0.0


def read_sensor(path: Path) -> tuple[CameraSensor, Shutter]:
    """The sensor and the shutter of a file; `BadFile` names the key that is wrong."""
    entry = read_entry(path, _Entry, noun="sensor", tables={})
    try:
        return _sensor(entry), Shutter(open=entry.shutter_s, readout=entry.readout_s)
    except BadValue as error:
        raise BadFile(f"{path}: is no sensor ({error}); correct it there") from error


def sensor_entry(sensor: CameraSensor, shutter: Shutter) -> dict[str, object]:
    """Both by the keys of a file; a range without an end has none."""
    facts: dict[str, object] = {
        "min_range_m": sensor.min_range,
        "max_range_m": sensor.max_range,
        "depth_noise_m": sensor.depth_noise,
        "depth_holes": sensor.depth_holes,
        "exposure": sensor.exposure,
        "noise": sensor.noise,
        "row_noise": sensor.row_noise,
        "shutter_s": shutter.open,
        "readout_s": shutter.readout,
    }
    return {key: value for key, value in facts.items() if value is not None}


def _sensor(entry: _Entry) -> CameraSensor:
    return CameraSensor(
        min_range=entry.min_range_m,
        max_range=entry.max_range_m,
        depth_noise=entry.depth_noise_m,
        depth_holes=entry.depth_holes,
        exposure=entry.exposure,
        noise=entry.noise,
        row_noise=entry.row_noise,
    )
