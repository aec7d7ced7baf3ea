"""Occupancy images: pixels read within bounds, and floor plans from an image and its scale."""

import re
import warnings
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from paseo.data.maps.vector import MAX_COORDINATE
from paseo.data.textfile import quoted
from paseo.errors import BadValue, PaseoError
from paseo.files import bounded_stream, opened
from paseo.text import storable
from paseo.world.arrays import BoolArray, FloatArray
from paseo.world.space.floorplan import MAX_CELLS, FloorPlan, traced_walls

RESOLUTIONS = (0.001, 10.0)  # metres on a pixel's side
LARGEST = 256 << 20  # bytes of a file
LONGEST_HEADER = 1 << 20  # bytes of a PGM, whose comments are read one sign at a time
_NUMBER = rb"(?:\s++|#[^\n]*+\n?)*+(?:\d{1,10}+|\Z)"  # with the comments before it
HEADER = re.compile(rb"(?:P[14](?:%b){0,2}|P[2356](?:%b){0,3})?" % (_NUMBER, _NUMBER))
MAX_EDGES = 4_000_000  # of pixels, between free and other; only noise has more


def image_floorplan(path: Path, scale: str | None) -> FloorPlan:
    """The floor plan of a PNG or PGM whose bright pixels are free.

    `scale` is what stands after the @: metres per pixel, and maybe x and y of the lower left
    corner, as in '0.05' or '0.05,-10,-5'; None if there is no @.
    """
    cell_size, x, y = _scale(path.name, scale)
    free = bright_pixels(image_pixels(path))
    if not free.any():
        raise BadValue(
            "no pixel is free, expected some that are brighter than half and not transparent; "
            "make free space white"
        )
    return FloorPlan(
        name=storable(path.stem),
        walls=pixel_walls(free, cell_size, (x, y)),
        free=free,
        cell_size=cell_size,
        origin=(x, y),
        source=f"image {path.name}, {cell_size:g} m per pixel",
    )


def _scale(image: str, text: str | None) -> tuple[float, float, float]:
    if text is None:
        raise BadValue(
            "an image does not tell its scale, expected metres per pixel after its name; "
            f"write {image}@0.05 if a pixel is 5 cm wide"
        )
    try:
        numbers = [float(field) for field in text.split(",")]
    except ValueError:
        numbers = []
    low, high = RESOLUTIONS
    if len(numbers) not in {1, 3}:
        raise BadValue(
            f"the scale is {quoted(text)}, expected metres per pixel and maybe x and y of the "
            f"lower left corner; write {image}@0.05 or {image}@0.05,-10,-5"
        )
    if not low <= numbers[0] <= high:
        raise BadValue(
            f"the scale is {quoted(text)}, expected {low:g} to {high:g} metres per pixel; "
            f"write {image}@0.05 if a pixel is 5 cm wide"
        )
    if not all(abs(number) <= MAX_COORDINATE for number in numbers):
        raise BadValue(
            f"the scale is {quoted(text)}, expected a lower left corner within "
            f"{MAX_COORDINATE:.0f} m of the origin; correct it"
        )
    return numbers[0], *((numbers[1], numbers[2]) if numbers[1:] else (0.0, 0.0))


def bright_pixels(pixels: NDArray[Any]) -> BoolArray:
    """Which cells are brighter than half and not transparent, (rows, columns); row 0 is lowest."""
    colours, white = min(pixels.shape[2], 3), int(np.iinfo(pixels.dtype).max)
    free: BoolArray = pixels[:, :, :colours].sum(axis=2, dtype=np.int32) > white * colours // 2
    if pixels.shape[2] == 4:
        free &= pixels[:, :, 3] > white // 2
    return np.ascontiguousarray(free[::-1])


def pixel_walls(free: BoolArray, cell_size: float, origin: tuple[float, float]) -> FloatArray:
    """Walls along the edges of free pixels, (segments, 2, 2); a grainy image is refused."""
    edges = sum(np.count_nonzero(np.diff(free, axis=axis)) for axis in (0, 1))
    if edges > MAX_EDGES:
        raise BadValue(
            f"{edges} pixels' edges lie between free and other pixels, expected at most "
            f"{MAX_EDGES}; remove the image's noise or use coarser pixels"
        )
    return traced_walls(free, cell_size, origin)


def image_pixels(path: Path) -> NDArray[Any]:
    """The image's pixels, (rows, columns, channels) of 8 or 16 bits; row 0 is the top."""
    smaller = "expected less; crop it or use coarser pixels"
    try:
        with opened(path) as stream:
            content = BytesIO(bounded_stream(stream, path, LARGEST, too_large=smaller))
        if len(HEADER.match(content.getbuffer())[0]) > LONGEST_HEADER:  # type: ignore[index]
            raise ValueError(f"more than {LONGEST_HEADER} bytes come before its pixels")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            image = Image.open(content, formats=["PNG", "PPM"])  # reads no pixels yet
        with image:
            if image.width * image.height > MAX_CELLS:
                raise BadValue(
                    f"image {path.name} has {image.width} x {image.height} pixels, expected at "
                    f"most {MAX_CELLS} in all; crop it or use coarser pixels"
                )
            return _channels(image)
    except PaseoError:
        raise
    except Exception as error:  # a decoder of foreign files raises whatever comes to mind
        problem = getattr(error, "strerror", None) or str(error).split("\n")[0]
        raise BadValue(
            f"image {path.name} cannot be read ({problem}), expected a whole PGM or PNG; "
            "check the image's name and the file"
        ) from error


def _channels(image: Image.Image) -> NDArray[Any]:
    if image.mode in {"I", "I;16"}:
        pixels = np.asarray(image).astype(np.uint16)
    elif image.mode in {"LA", "PA"} or "transparency" in image.info:
        pixels = np.asarray(image.convert("RGBA"))  # map_server too makes grey three colours
    elif image.mode in {"1", "L"}:
        pixels = np.asarray(image.convert("L"))
    elif image.mode in {"P", "RGB", "RGBA"}:
        pixels = np.asarray(image if image.mode == "RGBA" else image.convert("RGB"))
    else:
        raise ValueError(f"its pixels are of kind {image.mode}")
    return pixels.reshape(*pixels.shape[:2], -1)
