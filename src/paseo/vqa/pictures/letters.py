"""Short texts on pictures, in the font that comes with Pillow."""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from paseo.render.raster.palette import Rgb
from paseo.render.raster.strokes import Frame

Mask = NDArray[np.float32]  # (height, width), 1 where there is ink
BOLD = 0.04  # of the size, added all around
FINE = 4  # letters are drawn so many times larger, for strokes of less than a pixel


def write(
    frame: Frame, text: str, middle: tuple[float, float], size: int, *,
    colour: Rgb, bold: bool = False, upwards: bool = False,
) -> None:  # fmt: skip
    """Write around the middle (column, row); `size` is in pixels; what lies outside is cut off."""
    mask = letters(text, size, bold)
    if upwards:
        mask = np.rot90(mask)
    height, width = mask.shape
    blend(frame, mask, (round(middle[0] - width / 2), round(middle[1] - height / 2)), colour)


def blend(frame: Frame, mask: NDArray[np.floating], at: tuple[int, int], colour: Rgb) -> None:
    """Lay a colour over the frame where the mask says; `at` is its upper left corner."""
    left, top = at
    height, width = mask.shape
    rows = slice(max(top, 0), max(min(top + height, frame.shape[0]), 0))
    columns = slice(max(left, 0), max(min(left + width, frame.shape[1]), 0))
    below = frame[rows, columns]
    if below.size:
        share = mask[rows.start - top : rows.stop - top, columns.start - left : columns.stop - left]
        below[:] = below + share[..., None] * (np.array(colour, np.float32) - below) + 0.5


@lru_cache(maxsize=512)
def letters(text: str, size: int, bold: bool) -> Mask:
    """The text without any margin."""
    font = ImageFont.load_default(size * FINE)
    stroke = round(size * FINE * BOLD) if bold else 0
    left, top, right, bottom = font.getbbox(text, stroke_width=stroke)
    width, height = math.ceil((right - left) / FINE), math.ceil((bottom - top) / FINE)
    canvas = Image.new("L", (width * FINE, height * FINE))
    corner = (canvas.width - right - left) / 2, (canvas.height - bottom - top) / 2
    ImageDraw.Draw(canvas).text(corner, text, fill=255, font=font, stroke_width=stroke)
    mask: Mask = np.asarray(canvas.reduce(FINE), np.float32) / np.float32(255)
    mask.setflags(write=False)
    return mask
