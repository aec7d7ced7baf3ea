"""PNG files of flat pictures, written more than twice as fast as Pillow does."""

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

SIGNATURE = b"\x89PNG\r\n\x1a\n"
UP = 2  # the filter that stores a row as its difference from the row above


def png_bytes(picture: NDArray[np.uint8], level: int = 1) -> bytes:
    """An RGB picture (rows, columns, 3) as a file; level 0 does not pack it."""
    height, width, _ = picture.shape
    flat = picture.reshape(height, 3 * width)
    rows = np.empty((height, 1 + 3 * width), np.uint8)
    # Flat colours differ little from row to row; Pillow tries five filters on each row.
    rows[:, 0] = UP
    rows[0, 1:] = flat[0]
    np.subtract(flat[1:], flat[:-1], out=rows[1:, 1:])  # wraps around, as PNG wants it
    return (
        SIGNATURE
        + chunk(b"IHDR", header(width, height))
        + chunk(b"IDAT", zlib.compress(rows.tobytes(), level))
        + chunk(b"IEND", b"")
    )


def header(width: int, height: int) -> bytes:
    """What a PNG of 8-bit RGB says of itself."""
    return struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)


def chunk(kind: bytes, data: bytes) -> bytes:
    """A part of a PNG file."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
