"""ROS map_server maps: a YAML file that names an occupancy image (PGM or PNG)."""

import math
import struct
import warnings
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np
import yaml
from PIL import Image

from paseo.errors import BadValue
from paseo.world.floorplan import MAX_CELLS, FloorPlan, floor_plan, traced_walls
from paseo.world.people import BoolArray, FloatArray

MAX_COORDINATE = 1e7
RESOLUTIONS = (0.001, 10.0)


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
    free = _free_pixels(settings, _pixels(folder / settings.image))
    x, y, yaw = settings.origin
    cell = settings.resolution
    source = f"ROS map, image {Path(settings.image).name}"
    if not free.any():
        raise BadValue(
            f"no pixel of {settings.image} is free, expected some with an occupancy below "
            f"free_thresh {settings.free_thresh:g}; check negate and free_thresh"
        )
    if abs(yaw) < 1e-9:
        walls = traced_walls(free, cell, (x, y))
        return FloorPlan(
            name=name, walls=walls, free=free, cell_size=cell, origin=(x, y), source=source
        )
    return floor_plan(name, _turned(traced_walls(free, cell, (0.0, 0.0)), x, y, yaw), source=source)


def _turned(walls: FloatArray, x: float, y: float, yaw: float) -> FloatArray:
    c, s = math.cos(yaw), math.sin(yaw)
    turned: FloatArray = walls @ np.array([[c, s], [-s, c]]) + np.array([x, y])
    return turned


def _settings(text: str) -> MapFile:
    try:
        # Not strict: YAML reads 5e-2 as a text and negate is often 0 or 1.
        settings = msgspec.convert(yaml.safe_load(text), type=MapFile, strict=False)
    except msgspec.ValidationError as error:
        what, _, where = str(error).partition(" - at `$")
        where = f"{where.strip('`.')}: " if where else ""
        raise BadValue(
            f"{where}{what[0].lower()}{what[1:]}, expected the map_server keys image, resolution, "
            "origin [x, y, yaw], negate, occupied_thresh, free_thresh and maybe mode "
            "(trinary, scale, raw); correct the key"
        ) from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
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


def _pixels(path: Path) -> FloatArray:
    """Values from 0 to 255 of the image, (rows, columns, channels); row 0 is the top."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            image = Image.open(path, formats=["PNG", "PPM"])
        with image:
            if image.width * image.height > MAX_CELLS:
                raise BadValue(
                    f"image {path.name} has {image.width} x {image.height} pixels, expected at "
                    f"most {MAX_CELLS}; crop it or use coarser pixels"
                )
            return _values(image)
    except (OSError, ValueError, SyntaxError, struct.error, Image.DecompressionBombError) as error:
        problem = getattr(error, "strerror", None) or str(error).split("\n")[0]
        raise BadValue(
            f"image {path.name} cannot be read ({problem}), expected a whole PGM or PNG; "
            "check the image key and the file"
        ) from error


def _values(image: Image.Image) -> FloatArray:
    if image.mode == "1":
        image = image.convert("L")
    elif image.mode == "P" or "transparency" in image.info:
        image = image.convert("RGBA" if "transparency" in image.info else "RGB")
    pixels = np.asarray(image)
    if pixels.dtype.itemsize > 1:
        pixels = pixels / 257.0  # 16 bits
    return pixels.reshape(*pixels.shape[:2], -1)


def _free_pixels(settings: MapFile, pixels: FloatArray) -> BoolArray:
    """Which cells are free by map_server's rules, (rows, columns); row 0 is the bottom."""
    channels = pixels.shape[2]
    has_alpha = channels in (2, 4)
    # In trinary mode map_server averages alpha like a colour.
    colours = channels - (has_alpha and settings.mode != "trinary")
    value = pixels[:, :, :colours].mean(axis=2)
    if settings.negate:
        value = 255 - value
    free = _occupancy(value, settings.mode) < settings.free_thresh
    if has_alpha and settings.mode != "trinary":
        free &= pixels[:, :, -1] == 255
    return np.ascontiguousarray(free[::-1])


def _occupancy(value: FloatArray, mode: str) -> FloatArray:
    if mode == "raw":  # percent; above 100 is unknown
        return np.where(value <= 100, value / 100, 1.0)
    result: FloatArray = (255 - value) / 255.0
    return result
