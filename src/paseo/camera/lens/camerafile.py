"""Cameras from files of TOML."""

import math
from pathlib import Path
from typing import Annotated

import msgspec

from paseo.camera.lens.presets import PRESETS, preset
from paseo.camera.lens.tomlfile import read_entry
from paseo.errors import BadFile, BadValue
from paseo.world.cameras import Camera
from paseo.world.motion import Pose

Finite = Annotated[float, msgspec.Meta(ge=-1e9, le=1e9)]
Degrees = Annotated[float, msgspec.Meta(ge=-3600, le=3600)]  # ten turns
DECIMALS = 9  # of degrees: what was in range is so again, whatever radians have cost


class _Place(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    x_m: Finite
    y_m: Finite
    heading_deg: Degrees = 0.0


class _Entry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    width_px: int
    height_px: int
    fx_px: Finite
    fy_px: Finite
    cx_px: Finite
    cy_px: Finite
    distortion: tuple[Finite, ...] = ()
    near_m: Finite = 0.05
    far_m: Finite = 200.0
    height_m: Finite = 1.0
    pitch_down_deg: Degrees = 0.0
    yaw_left_deg: Degrees = 0.0
    forward_m: Finite = 0.0
    at: _Place | None = None


def read_camera(path: Path) -> Camera:
    """The camera that a file describes; `BadFile` names the key that is wrong."""
    entry = read_entry(path, _Entry, noun="camera", tables={"at": _Place})
    try:
        return _camera(entry)
    except BadValue as error:
        raise BadFile(f"{path}: is no camera ({error}); correct it there") from error


def find_camera(name: str) -> Camera:
    """A camera that ships by its name, or that of a file (.toml)."""
    if name in PRESETS or not (name.endswith(".toml") or Path(name).is_file()):
        return preset(name)
    return read_camera(Path(name))


def camera_entry(camera: Camera) -> dict[str, object]:
    """A camera by the keys of a file."""
    at = camera.at
    entry = _Entry(
        width_px=camera.width_px,
        height_px=camera.height_px,
        fx_px=camera.fx,
        fy_px=camera.fy,
        cx_px=camera.cx,
        cy_px=camera.cy,
        distortion=camera.distortion,
        near_m=camera.near,
        far_m=camera.far,
        height_m=camera.height,
        pitch_down_deg=_degrees(camera.pitch),
        yaw_left_deg=_degrees(camera.yaw),
        forward_m=camera.forward,
        at=_Place(at.x, at.y, _degrees(at.heading)) if at else None,
    )
    facts: dict[str, object] = msgspec.to_builtins(entry)
    return facts


def _degrees(angle: float) -> float:
    return round(math.degrees(angle), DECIMALS)


def _camera(entry: _Entry) -> Camera:
    at = entry.at
    return Camera(
        width_px=entry.width_px,
        height_px=entry.height_px,
        fx=entry.fx_px,
        fy=entry.fy_px,
        cx=entry.cx_px,
        cy=entry.cy_px,
        distortion=entry.distortion,
        near=entry.near_m,
        far=entry.far_m,
        height=entry.height_m,
        pitch=math.radians(entry.pitch_down_deg),
        yaw=math.radians(entry.yaw_left_deg),
        forward=entry.forward_m,
        at=Pose(at.x_m, at.y_m, math.radians(at.heading_deg)) if at else None,
    )
