"""The 256 colours of a GIF, chosen once for all of its frames so that nothing flickers."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from paseo.render.raster.strokes import Frame
from paseo.world.arrays import FloatArray, IntArray

BITS = 5  # of each channel that are looked at
CELLS = 1 << (3 * BITS)
COLOURS, FREQUENT = 255, 160  # one of 256 is left for what does not change between frames


class GifColours:
    """A table of colours that suits the frames it was made from."""

    def __init__(self, frames: Iterable[Frame]) -> None:
        cells, colours, counts = _seen(frames)
        chosen = _chosen(colours, counts)
        palette = np.rint(colours[chosen]).astype(np.uint8)  # (colours, 3)
        self.table = np.full((256, 4), 255, np.uint8)  # alpha, red, green, blue
        self.table[: len(palette), 1:] = palette
        self.table[len(palette) :, 1:] = palette[0]
        self._nearest = _nearest(palette)
        self._nearest[cells[chosen]] = np.arange(len(palette))

    def indices(self, frame: Frame) -> NDArray[np.uint8]:
        """The frame as numbers of colours, (height, width)."""
        numbers: NDArray[np.uint8] = self._nearest[_cells(frame)]
        return numbers


def _cells(frame: Frame) -> NDArray[np.uint16]:
    """Which cell of colour space each pixel is in."""
    red, green, blue = np.moveaxis(frame >> (8 - BITS), -1, 0).astype(np.uint16)
    cells: NDArray[np.uint16] = (red << 2 * BITS) | (green << BITS) | blue
    return cells


def _seen(frames: Iterable[Frame]) -> tuple[IntArray, FloatArray, FloatArray]:
    """The cells that occur, their mean colours (cells, 3) and how often they do."""
    counts, sums = np.zeros(CELLS), np.zeros((3, CELLS))
    for frame in frames:
        cells = _cells(frame).ravel()
        counts += np.bincount(cells, minlength=CELLS)
        for channel in range(3):
            weights = frame[:, :, channel].ravel()
            sums[channel] += np.bincount(cells, weights, minlength=CELLS)
    seen = np.nonzero(counts)[0]
    return seen, (sums[:, seen] / counts[seen]).T, counts[seen]


def _chosen(colours: FloatArray, counts: FloatArray) -> IntArray:
    """Rows of the most frequent colours, then always of the one farthest from all chosen."""
    order = np.argsort(-counts, kind="stable")
    chosen = order[:FREQUENT].tolist()
    gaps = np.full(len(colours), np.inf)
    for row in chosen:
        gaps = np.minimum(gaps, ((colours - colours[row]) ** 2).sum(axis=1))
    while len(chosen) < min(COLOURS, len(colours)):
        farthest = int(np.argmax(gaps))
        chosen.append(farthest)
        gaps = np.minimum(gaps, ((colours - colours[farthest]) ** 2).sum(axis=1))
    return np.array(chosen)


def _nearest(palette: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """For each cell the number of the colour nearest to its middle, (cells,)."""
    steps = (np.arange(1 << BITS) + 0.5) * (1 << (8 - BITS))
    middles = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1).reshape(-1, 3)
    colours = palette.astype(np.float64)
    # |m - c|^2 without |m|^2, which is the same for all colours
    gaps = (colours**2).sum(axis=1) - 2 * middles @ colours.T
    return gaps.argmin(axis=1).astype(np.uint8)
