"""Pictures of a scene decoded within bounds, at the size in which they are needed."""

import io

import numpy as np
from PIL import Image

from paseo.data.scenes.images import MOST_PIXELS, Size
from paseo.errors import BadFile
from paseo.render.raster.strokes import Frame

COLOURS = 256  # of a PNG that is packed small


def photo_size(content: bytes, where: str) -> Size:
    """The size of a picture, from its beginning; `where` says in errors which picture it is."""
    return _opened(content, where).size


def photo(content: bytes, where: str, size: Size | None = None) -> Frame:
    """The picture as RGB, scaled to `size` where that is given; transparent parts are white."""
    picture = _opened(content, where)
    try:
        if size is not None:
            picture.draft("RGB", size)  # a JPEG is decoded at a fraction of its size
        if picture.has_transparency_data:
            backed = Image.new("RGBA", picture.size, "white")
            picture = Image.alpha_composite(backed, picture.convert("RGBA"))
        rgb = picture.convert("RGB")
    except Exception as error:  # a decoder of foreign files raises whatever comes to mind
        raise _unreadable(where, str(error)) from error
    return scaled(np.array(rgb), size or rgb.size)


def scaled(frame: Frame, size: Size) -> Frame:
    """The frame at another size, smoothly; itself where it has that size."""
    if frame.shape[1::-1] == size:
        return frame
    resized = Image.fromarray(frame).resize(size, Image.Resampling.LANCZOS, reducing_gap=3.0)
    return np.array(resized)


def jpeg(frame: Frame, quality: int = 90) -> bytes:
    """The frame as a JPEG file; the same bytes for the same frame."""
    buffer = io.BytesIO()
    Image.fromarray(frame).save(buffer, "JPEG", quality=quality)
    return buffer.getvalue()


def png_bytes(picture: Frame) -> bytes:
    """An RGB picture (rows, columns, 3) as a file of 256 colours: a quarter of what all take."""
    few = Image.fromarray(picture).quantize(
        COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE
    )
    buffer = io.BytesIO()
    few.save(buffer, "PNG")
    return buffer.getvalue()


def _opened(content: bytes, where: str) -> Image.Image:
    try:
        picture = Image.open(io.BytesIO(content), formats=("JPEG", "PNG"))
    except Exception as error:
        raise _unreadable(where, "it is no JPEG or PNG") from error
    if picture.width * picture.height > MOST_PIXELS:
        raise _unreadable(where, f"it has {picture.width} x {picture.height} pixels")
    return picture


def _unreadable(where: str, why: str) -> BadFile:
    return BadFile(
        f"{where}: the picture cannot be read ({why}), expected a whole JPEG or PNG of at most "
        f"{MOST_PIXELS // 10**6} million pixels; fetch or export it again"
    )
