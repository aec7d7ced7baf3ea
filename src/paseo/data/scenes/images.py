"""Pictures of scenes, looked at before anybody decodes them."""

import io
import warnings
from pathlib import Path

import numpy as np
from PIL import Image

from paseo.errors import BadFile
from paseo.world.arrays import FloatArray

LARGEST_IMAGE = 32 << 20  # bytes
MOST_PIXELS = 1 << 25

Size = tuple[int, int]  # width, height in pixels


def image_size(content: bytes, where: Path) -> Size:
    """Width and height of a JPEG or PNG that is whole and not too large to be decoded."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            image = Image.open(io.BytesIO(content), formats=["JPEG", "PNG"])  # the header only
        with image:
            size = image.size
            if size[0] * size[1] > MOST_PIXELS:
                raise Image.DecompressionBombError
            _check_whole(image)
    except Image.DecompressionBombError as error:
        raise BadFile(
            f"{where}: promises more than {MOST_PIXELS} pixels, expected at most that many; make "
            "it smaller, or do not trust where it came from"
        ) from error
    except Exception as error:  # a decoder of foreign files raises whatever comes to mind
        problem = str(error).split("\n")[0][:80]
        raise BadFile(
            f"{where}: is no whole picture ({problem}), expected a JPEG or PNG; replace it"
        ) from error
    return size


def check_size(size: Size, expected: Size, where: Path) -> None:
    """Raise `BadFile` if a picture is not as large as its camera or its neighbours say."""
    if size != expected:
        raise BadFile(
            f"{where}: has {size[0]} x {size[1]} pixels, expected {expected[0]} x {expected[1]}; "
            "put the picture there as it was taken"
        )


def check_box(box: FloatArray, size: Size, where: str) -> None:
    """Raise `BadFile` for a box that is upside down or shows nothing of the picture.

    Boxes of people at the edge may reach over it.
    """
    left, top, right, bottom = box
    if not (left <= right and top <= bottom):
        told = ", ".join(f"{side:g}" for side in box)
        raise BadFile(f"{where}: the box is {told}, expected left, top, right, bottom; correct it")
    if right < 0 or bottom < 0 or left > size[0] or top > size[1]:
        told = ", ".join(f"{side:g}" for side in np.round(box, 1))
        raise BadFile(
            f"{where}: the box {told} is outside the picture of {size[0]} x {size[1]} pixels, "
            "expected at least a part inside; correct it"
        )


def _check_whole(image: Image.Image) -> None:
    """Raise what Pillow raises for a picture that was cut short."""
    if image.format == "PNG":
        image.verify()  # its checksums
    else:
        image.draft("L", (max(image.width // 8, 1), max(image.height // 8, 1)))
        image.load()  # at an eighth of its size, which is quick
