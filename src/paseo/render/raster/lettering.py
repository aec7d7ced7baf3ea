"""Lines of text for frames, drawn by Pillow with the font that comes with matplotlib."""

from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from paseo.errors import missing_extra
from paseo.render.raster.palette import Rgb
from paseo.render.raster.strokes import Frame
from paseo.render.raster.wording import cut

Mask = NDArray[np.float32]  # (height, width), 1 where there is ink
REMEMBERED = 4096  # lines of text


class Lettering:
    """Text of one size, in pixels from one line to the next."""

    def __init__(self, size: float, *, bold: bool = False) -> None:
        # Pillow's own layout: the other one is not everywhere, and refuses some signs.
        layout = ImageFont.Layout.BASIC
        self._font = ImageFont.truetype(str(_font_file(bold)), size, layout_engine=layout)
        self._masks: dict[str, Mask] = {}
        self._short: dict[tuple[str, int], str] = {}
        ascent, descent = self._font.getmetrics()
        self.height = ascent + descent
        self._digit = max(self.width(digit) for digit in "0123456789")

    def width(self, text: str) -> int:
        """Pixels that a line of text takes."""
        return int(np.ceil(self._font.getlength(text)))

    def shortened(self, text: str, width: int) -> str:
        """The text, or as much of its beginning as fits, and three dots."""
        if (text, width) not in self._short:
            self._short[text, width] = cut(text, lambda line: self.width(line) <= width)
        return self._short[text, width]

    def write(self, frame: Frame, text: str, at: tuple[int, int], colour: Rgb) -> None:
        """Write on the frame; `at` is the upper left corner in pixels."""
        _blend(frame, self._mask(text), at, colour)

    def write_number(self, frame: Frame, text: str, right_at: tuple[int, int], colour: Rgb) -> None:
        """Write digits that do not dance when they change; `right_at` is the upper right corner."""
        x, y = right_at
        for letter in reversed(text):
            mask = self._mask(letter)
            room = self._digit if letter.isdigit() else mask.shape[1]
            x -= room
            _blend(frame, mask, (x + (room - mask.shape[1]) // 2, y), colour)

    def _mask(self, text: str) -> Mask:
        if text not in self._masks:
            if len(self._masks) > REMEMBERED:
                self._masks.clear()
            self._masks[text] = self._drawn(text)
        return self._masks[text]

    def _drawn(self, text: str) -> Mask:
        image = Image.new("L", (max(self.width(text), 1), self.height))
        ImageDraw.Draw(image).text((0, 0), text, fill=255, font=self._font)
        mask: Mask = np.asarray(image, np.float32) / np.float32(255)
        return mask


def _blend(frame: Frame, mask: Mask, at: tuple[int, int], colour: Rgb) -> None:
    x, y = max(at[0], 0), max(at[1], 0)
    piece = frame[y : y + mask.shape[0], x : x + mask.shape[1]]
    weight = mask[: piece.shape[0], : piece.shape[1], None]
    piece[:] = piece + (np.array(colour, np.float32) - piece) * weight + 0.5


@cache
def _font_file(bold: bool) -> Path:
    found = find_spec("matplotlib")  # without importing it, which takes long
    if found is None or found.origin is None:
        raise missing_extra("matplotlib", "video", "brings the font of films")
    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    return Path(found.origin).parent / "mpl-data" / "fonts" / "ttf" / name
