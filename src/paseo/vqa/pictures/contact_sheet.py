"""Several pictures on one page, each with the time at which it was taken."""

import math
from collections.abc import Sequence

import numpy as np

from paseo.render.raster.lettering import write_around
from paseo.render.raster.strokes import Frame
from paseo.vqa.pictures.colours import INK, WHITE

ASPECT = 1.6  # of a page that looks well on a screen
GAP, LETTERS = 12, 18  # pixels


def contact_sheet(frames: Sequence[Frame], period: float) -> Frame:
    """Frames of one size, `period` seconds apart, from left to right, then down, on a page.

    It is about as wide as a screen.
    """
    height, width = frames[0].shape[0] + 2 * LETTERS, frames[0].shape[1]
    columns = min(range(1, len(frames) + 1), key=lambda n: _ugliness(n, len(frames), width, height))
    rows = math.ceil(len(frames) / columns)
    page_size = rows * (height + GAP) + GAP, columns * (width + GAP) + GAP
    page = np.full((*page_size, 3), WHITE, np.uint8)
    for number, frame in enumerate(frames):
        row, column = divmod(number, columns)
        left, top = GAP + column * (width + GAP), GAP + row * (height + GAP)
        time, at = f"{number * period:.2f} s", (left + width / 2, top + LETTERS)
        write_around(page, time, at, LETTERS, colour=INK)
        page[top + 2 * LETTERS : top + height, left : left + width] = frame
    return page


def _ugliness(columns: int, frames: int, width: int, height: int) -> float:
    """How far a page is from its aspect, and how much of it would stay empty."""
    rows = math.ceil(frames / columns)
    empty = rows * columns - frames
    return abs(math.log(columns * width / (rows * height) / ASPECT)) + 0.25 * empty
