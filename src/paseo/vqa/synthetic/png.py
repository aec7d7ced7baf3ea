"""The parts of PNG files that a damaged one is made of."""

import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def header(width: int, height: int) -> bytes:
    """What a PNG of 8-bit RGB says of itself."""
    return struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)


def chunk(kind: bytes, data: bytes) -> bytes:
    """A part of a PNG file."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
