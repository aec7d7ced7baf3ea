"""The axes of a bird's-eye picture: which pixel is which metre, by the numbers at its ticks."""

import re
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from paseo.errors import BadValue
from paseo.vqa.baselines.reading.engines import Engine, Pixels, Reading
from paseo.world.arrays import FloatArray

_NUMBER = re.compile(r"-?[0-9]{1,3}(\.[0-9]{1,2})?")
_LINE_SHARE = 0.4  # of a picture's side that a grid line crosses at least
_FAINT, _INK = 24, 64  # how far a grid line, a text, stands out from the background, of 255
_TOUCHING, _LETTER_GAP, _OVERHANG = 3, 6, 12  # pixels at the working width of 1280
_SNAP = 7.0  # pixels from a number's middle to its grid line at most
_FITS = 4.0  # pixels a number may lie off the line through the others


@dataclass(frozen=True, slots=True, kw_only=True)
class Axes:
    """Pixels to metres. The picture shows x upwards and y to the left."""

    x_at_top: float  # metres at pixel row 0
    y_at_left: float  # metres at pixel column 0
    x_per_px: float  # negative: rows count downwards
    y_per_px: float  # negative: columns count to the right
    source: str = "ticks"  # or "known limits"

    def to_metres(self, pixels: FloatArray) -> FloatArray:
        """Positions x, y (..., 2) of pixels given as column, row."""
        x = self.x_at_top + self.x_per_px * pixels[..., 1]
        y = self.y_at_left + self.y_per_px * pixels[..., 0]
        return np.stack([x, y], axis=-1)


def read_axes(picture: Pixels, engine: Engine) -> Axes:
    """The axes as their tick numbers tell them; a sentence where too few can be read."""
    red, green, blue = np.moveaxis(np.abs(picture - background(picture)), 2, 0)
    distance = np.maximum(np.maximum(red, green), blue)  # (rows, columns)
    columns, rows = _grid_lines(distance, 0), _grid_lines(distance, 1)
    if len(columns) < 2 or len(rows) < 2:
        raise BadValue("the bird's-eye picture has no grid or frame to measure by")
    top, bottom, left, right = (int(each) for each in (rows[0], rows[-1], columns[0], columns[-1]))
    ink = distance > _INK
    below = [
        (first, last, bottom + 1 + near, bottom + 1 + far)
        for first, last, near, far in _text_boxes(ink[bottom + 1 :].T, (left, right))
    ]
    beside = [
        (first, last, left - far, left - near)
        for first, last, near, far in _text_boxes(ink[:, :left][:, ::-1], (top, bottom))
    ]
    crops = [_crop(picture, (near, far, first, last)) for first, last, near, far in below]
    crops += [_crop(picture, box) for box in beside]
    texts = engine.read(crops)
    y_at_left, y_per_px = _scale(_ticks(below, texts[: len(below)], columns), "below")
    x_at_top, x_per_px = _scale(_ticks(beside, texts[len(below) :], rows), "to the left of")
    return Axes(x_at_top=x_at_top, y_at_left=y_at_left, x_per_px=x_per_px, y_per_px=y_per_px)


def background(picture: Pixels) -> NDArray[np.int16]:
    """The most common colour of a picture."""
    wide = picture[::4, ::4].astype(np.int32)
    codes = (wide[..., 0] << 16) | (wide[..., 1] << 8) | wide[..., 2]
    values, counts = np.unique(codes, return_counts=True)
    code = int(values[counts.argmax()])
    return np.array([code >> 16, code >> 8 & 255, code & 255], dtype=np.int16)


def _grid_lines(far: NDArray[np.int16], axis: int) -> FloatArray:
    """Where lines cross the picture from side to side along an axis, frame included; sorted."""
    shares = (far > _FAINT).mean(axis=axis)
    return np.array([(first + last) / 2 for first, last in _runs(shares >= _LINE_SHARE, 1)])


def _text_boxes(ink: NDArray[np.bool_], frame: tuple[int, int]) -> list[tuple[int, int, int, int]]:
    """Boxes of the row of numbers next to the frame: first, last along it, near, far from it.

    `ink` is the margin as (along the frame, away from the frame); `frame` is where it begins and
    ends. Ticks touch the frame, numbers do not, and the name of the axis is further away.
    """
    begin, end = frame
    bands = [band for band in _runs(np.asarray(ink[begin : end + 1].any(axis=0)), _LETTER_GAP)
             if band[0] > _TOUCHING and band[1] - band[0] > _LETTER_GAP]  # fmt: skip
    if not bands:
        return []
    near, far = bands[0]
    # A number at a corner reaches beyond it, but not as far as those of the other axis.
    begin = max(0, begin - _OVERHANG)
    row = np.asarray(ink[begin : end + _OVERHANG, near : far + 1].any(axis=1))
    return [(begin + first, begin + last, near, far + 1)
            for first, last in _runs(row, 2 * _LETTER_GAP)]  # fmt: skip


def _runs(flags: NDArray[np.bool_], gap: int) -> list[tuple[int, int]]:
    """First and last index of each stretch of True; gaps up to `gap` do not part stretches."""
    at = np.nonzero(flags)[0]
    if len(at) == 0:
        return []
    breaks = np.nonzero(np.diff(at) > gap)[0]
    firsts = at[np.concatenate([[0], breaks + 1])]
    lasts = at[np.concatenate([breaks, [len(at) - 1]])]
    return [(int(first), int(last)) for first, last in zip(firsts, lasts, strict=True)]


def _crop(picture: Pixels, box: tuple[int, int, int, int]) -> Pixels:
    first, last, near, far = box
    pad = 4
    return picture[max(0, first - pad) : last + pad + 1, max(0, near - pad) : far + pad]


def _ticks(
    boxes: list[tuple[int, int, int, int]], texts: list[Reading], lines: FloatArray
) -> list[tuple[float, float]]:
    """Pixel and number of each tick whose number could be read."""
    ticks = []
    for (first, last, _, _), reading in zip(boxes, texts, strict=True):
        if _NUMBER.fullmatch(reading.text):
            middle = (first + last) / 2
            line = lines[np.abs(lines - middle).argmin()]
            pixel = line if abs(line - middle) <= _SNAP else middle
            ticks.append((float(pixel), float(reading.text)))
    return ticks


def _scale(ticks: list[tuple[float, float]], where: str) -> tuple[float, float]:
    """Metres at pixel 0 and per pixel: the falling line that most ticks lie on."""
    best: list[tuple[float, float]] = []
    for (pixel, value), (other_pixel, other_value) in combinations(ticks, 2):
        slope = (other_value - value) / (other_pixel - pixel) if other_pixel != pixel else 0.0
        if slope >= 0:
            continue
        on = [tick for tick in ticks
              if abs((tick[1] - value) / slope - (tick[0] - pixel)) <= _FITS]  # fmt: skip
        best = max(best, on, key=len)
    if len(best) < 3:
        raise BadValue(
            f"of the numbers {where} the bird's-eye picture, {len(best)} fit on one scale; "
            "expected 3 or more"
        )
    pixels, values = np.array(best).T
    per_px, at_zero = np.polyfit(pixels, values, 1)
    return float(at_zero), float(per_px)
