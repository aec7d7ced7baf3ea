"""RGB frames as the luma and halved chroma that video is encoded from (BT.709, studio range)."""

import numpy as np
from numpy.typing import NDArray

from paseo.compiled import compiled
from paseo.render.raster.strokes import Frame


def planes(frame: Frame) -> NDArray[np.uint8]:
    """The planes of YUV 4:2:0 one below the other, (3 height / 2, width); sides are even."""
    height, width = frame.shape[:2]
    joined = np.empty((height * 3 // 2, width), np.uint8)
    chroma = joined[height:].reshape(2, height // 2, width // 2)
    split(np.ascontiguousarray(frame), joined[:height], chroma)
    return joined


@compiled
def split(frame: Frame, luma: NDArray[np.uint8], chroma: NDArray[np.uint8]) -> None:
    """Fill luma (height, width) and chroma (2, height / 2, width / 2).

    The weights of ITU-R BT.709, in whole numbers of which 65536 make one.
    """
    for row in range(chroma.shape[1]):
        for column in range(chroma.shape[2]):
            reds, greens, blues = 0, 0, 0
            for y in range(2 * row, 2 * row + 2):
                for x in range(2 * column, 2 * column + 2):
                    red, green, blue = frame[y, x, 0], frame[y, x, 1], frame[y, x, 2]
                    luma[y, x] = (11966 * red + 40254 * green + 4064 * blue + 1081344) >> 16
                    reds, greens, blues = reds + red, greens + green, blues + blue
            bluish = 28784 * blues - 6596 * reds - 22188 * greens
            reddish = 28784 * reds - 26145 * greens - 2639 * blues
            chroma[0, row, column] = (bluish + 33685504) >> 18
            chroma[1, row, column] = (reddish + 33685504) >> 18
