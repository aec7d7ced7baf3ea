"""ROS map_server maps: a YAML file that names an occupancy image (PGM or PNG)."""

import math
from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np
import yaml
from numpy.typing import NDArray

from paseo.data.maps.image import RESOLUTIONS, image_pixels, pixel_walls
from paseo.data.maps.vector import MAX_COORDINATE, wrong_value
from paseo.errors import BadValue
from paseo.parsing.yaml import yaml_value
from paseo.world.arrays import BoolArray, FloatArray
from paseo.world.space.floorplan import FloorPlan, floor_plan

EXPECTED = {
    "": "image, resolution, origin, negate, occupied_thresh, free_thresh and maybe mode",
    "image": "a path",
    "resolution": "metres per pixel",
    "origin": "[x, y, yaw] in metres and radians",
    "negate": "0 or 1",
    "occupied_thresh": "a number from 0 to 1",
    "free_thresh": "a number from 0 to 1",
    "mode": "trinary, scale or raw",
}


class MapFile(msgspec.Struct):
    """The keys of a map_server YAML file; keys of other tools are ignored."""

    image: str
    resolution: float  # metres on a pixel's side
    origin: tuple[float, float, float]  # x, y of the image's lower left corner, yaw
    negate: bool
    occupied_thresh: float
    free_thresh: float
    mode: Literal["trinary", "scale", "raw"] = "trinary"


def ros_floorplan(text: str, folder: Path, name: str) -> FloorPlan:
    """The floor plan of a map_server YAML text whose image is relative to `folder`."""
    settings = _settings(text)
    free = _free_pixels(settings, image_pixels(folder / settings.image))
    x, y, yaw = settings.origin
    cell = settings.resolution
    source = f"ROS map, image {Path(settings.image).name}"
    if not free.any():
        raise BadValue(
            f"no pixel of {settings.image} is free, expected some with an occupancy below "
            f"free_thresh {settings.free_thresh:g}; check negate and free_thresh"
        )
    if abs(yaw) < 1e-9:
        walls = pixel_walls(free, cell, (x, y))
        return FloorPlan(
            name=name, walls=walls, free=free, cell_size=cell, origin=(x, y), source=source
        )
    return floor_plan(name, _turned(pixel_walls(free, cell, (0.0, 0.0)), x, y, yaw), source=source)


def _turned(walls: FloatArray, x: float, y: float, yaw: float) -> FloatArray:
    c, s = math.cos(yaw), math.sin(yaw)
    turned: FloatArray = walls @ np.array([[c, s], [-s, c]]) + np.array([x, y])
    return turned


def _settings(text: str) -> MapFile:
    try:
        # Not strict: YAML reads 5e-2 as a text and negate is often 0 or 1.
        settings = msgspec.convert(yaml_value(text), type=MapFile, strict=False)
    except msgspec.ValidationError as error:
        raise wrong_value(error, EXPECTED) from error
    except (yaml.YAMLError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f"line {mark.line + 1}: " if mark else ""
        problem = getattr(error, "problem", None) or str(error).split("\n")[0]
        raise BadValue(f"{where}{problem}, expected YAML; mend it there") from error
    _check(settings)
    return settings


def _check(settings: MapFile) -> None:
    low, high = RESOLUTIONS
    if not low <= settings.resolution <= high:
        raise BadValue(
            f"resolution is {settings.resolution:g}, expected metres per pixel between {low:g} "
            f"and {high:g}; correct it"
        )
    if not all(abs(value) <= MAX_COORDINATE for value in settings.origin):
        raise BadValue(
            f"origin is {list(settings.origin)}, expected metres (and yaw in radians) within "
            f"{MAX_COORDINATE:.0f} of 0; correct it"
        )
    if not 0 < settings.free_thresh <= settings.occupied_thresh <= 1:
        raise BadValue(
            f"free_thresh is {settings.free_thresh:g} and occupied_thresh "
            f"{settings.occupied_thresh:g}, expected 0 < free_thresh <= occupied_thresh <= 1; "
            "correct them"
        )


def _free_pixels(settings: MapFile, pixels: NDArray[Any]) -> BoolArray:
    """Which cells are free by map_server's rules, (rows, columns); row 0 is the bottom."""
    has_alpha = pixels.shape[2] == 4
    # In trinary mode map_server averages alpha like a colour.
    averaged = 4 if has_alpha and settings.mode == "trinary" else min(pixels.shape[2], 3)
    white = np.iinfo(pixels.dtype).max
    sums = pixels[:, :, :averaged].sum(axis=2, dtype=np.int32)
    # Few sums are possible, so the rule is worked out once for each, not for every pixel.
    shades = np.arange(white * averaged + 1) / (white // 255 * averaged)
    free = (_occupancy(settings, shades) < settings.free_thresh)[sums]
    if has_alpha and settings.mode != "trinary":
        free &= pixels[:, :, 3] == white
    return np.ascontiguousarray(free[::-1])


def _occupancy(settings: MapFile, shades: FloatArray) -> FloatArray:
    """From 0 to 1, of the shades 0 to 255; unknown counts as 1."""
    value = 255 - shades if settings.negate else shades
    if settings.mode == "raw":  # percent; above 100 is unknown
        return np.where(value <= 100, value / 100, 1.0)
    result: FloatArray = (255 - value) / 255
    return result
