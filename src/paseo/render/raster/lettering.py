"""Text on frames, drawn by Pillow: lines at a corner, and short words around a middle."""

import math
from enum import Enum
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from paseo.errors import missing_extra
from paseo.render.raster.palette import Rgb
from paseo.render.raster.strokes import Frame
from paseo.render.raster.wording import cut, wrapped

Mask = NDArray[np.float32]  # (height, width), 1 where there is ink
REMEMBERED = 4096  # lines of text
EMBOLDENED = 0.04  # of the size, added all around the letters of a font that has no bold ones
FINE = 4  # words are drawn so many times larger, for strokes of less than a pixel


class Font(Enum):
    """Whose letters."""

    DEJAVU = "DejaVu Sans"  # comes with matplotlib; has most signs, and bold letters
    PILLOW = "Pillow"  # comes with Pillow, so it needs no extra


class Lettering:
    """Text of one font and size, in pixels from one line to the next."""

    def __init__(self, size: float, *, font: Font = Font.DEJAVU, bold: bool = False) -> None:
        self._font, self._stroke = _letters(font, size, bold)
        self._masks: dict[str, Mask] = {}
        self._short: dict[tuple[str, int], str] = {}
        ascent, descent = self._font.getmetrics()
        self.height = ascent + descent
        self._digit = max(self.width(digit) for digit in "0123456789")

    def width(self, text: str) -> int:
        """Pixels that a line of text takes."""
        return int(np.ceil(self._font.getlength(text))) + 2 * self._stroke

    def shortened(self, text: str, width: int) -> str:
        """The text, or as much of its beginning as fits, and three dots."""
        if (text, width) not in self._short:
            self._short[text, width] = cut(text, lambda line: self.width(line) <= width)
        return self._short[text, width]

    def wrapped(self, text: str, width: int) -> list[str]:
        """The text in lines that are at most so wide."""
        return wrapped(text, lambda line: self.width(line) <= width)

    def write(self, frame: Frame, text: str, at: tuple[int, int], colour: Rgb) -> None:
        """Write on the frame; `at` is the upper left corner in pixels."""
        blend(frame, self._mask(text), at, colour)

    def write_number(self, frame: Frame, text: str, right_at: tuple[int, int], colour: Rgb) -> None:
        """Write digits that do not dance when they change; `right_at` is the upper right corner."""
        x, y = right_at
        for letter in reversed(text):
            mask = self._mask(letter)
            room = self._digit if letter.isdigit() else mask.shape[1]
            x -= room
            blend(frame, mask, (x + (room - mask.shape[1]) // 2, y), colour)

    def _mask(self, text: str) -> Mask:
        if text not in self._masks:
            if len(self._masks) > REMEMBERED:
                self._masks.clear()
            self._masks[text] = self._drawn(text)
        return self._masks[text]

    def _drawn(self, text: str) -> Mask:
        image = Image.new("L", (max(self.width(text), 1), self.height))
        ImageDraw.Draw(image).text(
            (self._stroke, 0), text, fill=255, font=self._font, stroke_width=self._stroke
        )
        mask: Mask = np.asarray(image, np.float32) / np.float32(255)
        return mask


def write_around(
    frame: Frame, text: str, middle: tuple[float, float], size: int, *,
    colour: Rgb, font: Font = Font.PILLOW, bold: bool = False, upwards: bool = False,
) -> None:  # fmt: skip
    """Write around the middle (column, row); `size` is in pixels; what lies outside is cut off."""
    mask = word(text, size, font, bold)
    if upwards:
        mask = np.rot90(mask)
    height, width = mask.shape
    blend(frame, mask, (round(middle[0] - width / 2), round(middle[1] - height / 2)), colour)


@lru_cache(maxsize=512)
def word(text: str, size: int, font: Font, bold: bool) -> Mask:
    """The text without any margin."""
    letters, stroke = _letters(font, size * FINE, bold)
    left, top, right, bottom = letters.getbbox(text, stroke_width=stroke)
    width, height = math.ceil((right - left) / FINE), math.ceil((bottom - top) / FINE)
    canvas = Image.new("L", (width * FINE, height * FINE))
    corner = (canvas.width - right - left) / 2, (canvas.height - bottom - top) / 2
    ImageDraw.Draw(canvas).text(corner, text, fill=255, font=letters, stroke_width=stroke)
    mask: Mask = np.asarray(canvas.reduce(FINE), np.float32) / np.float32(255)
    mask.setflags(write=False)
    return mask


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


class _Letters(NamedTuple):
    font: ImageFont.FreeTypeFont
    stroke: int  # pixels added all around


def _letters(font: Font, size: float, bold: bool) -> _Letters:
    if font is Font.DEJAVU:
        # Pillow's own layout: the other one is not everywhere, and refuses some signs.
        file, layout = _dejavu_file(bold), ImageFont.Layout.BASIC
        return _Letters(ImageFont.truetype(str(file), size, layout_engine=layout), 0)
    own = cast(ImageFont.FreeTypeFont, ImageFont.load_default(size))  # which it is, given a size
    return _Letters(own, round(size * EMBOLDENED) if bold else 0)


@cache
def _dejavu_file(bold: bool) -> Path:
    found = find_spec("matplotlib")  # without importing it, which takes long
    if found is None or found.origin is None:
        raise missing_extra("matplotlib", "video", "brings the font of films")
    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    return Path(found.origin).parent / "mpl-data" / "fonts" / "ttf" / name
