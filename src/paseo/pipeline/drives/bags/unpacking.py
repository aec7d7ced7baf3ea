"""Chunks of bags unpacked, never to more than a bag may hold in one piece."""

import bz2
import importlib
import sys
from typing import Any

from paseo.errors import require
from paseo.pipeline.drives.bags.bag import LARGEST_CHUNK, Broken

ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"


def unpacked(content: bytes, packing: str, largest: int = LARGEST_CHUNK) -> bytes:
    """What was packed by none, bz2, lz4 or zstd; of a piece that was cut off, what there is."""
    if packing in ("", "none"):
        return content
    made: Any = {"bz2": bz2.BZ2Decompressor, "lz4": _lz4, "zstd": _zstd}.get(packing)
    if made is None:
        raise Broken(f"a chunk is packed by {packing[:20]!r}, which is not known")
    try:
        whole: bytes = made().decompress(content, max_length=largest + 1)
    except Exception as error:  # each library has its own
        raise Broken(f"a chunk cannot be unpacked ({type(error).__name__})") from error
    if len(whole) > largest:
        raise Broken(f"a chunk unfolds to more than {largest} bytes")
    return whole


def _lz4() -> Any:
    return require("lz4.frame", "bags", "unpacks bags").LZ4FrameDecompressor()


def _zstd() -> Any:
    if sys.version_info >= (3, 14):
        return importlib.import_module("compression.zstd").ZstdDecompressor()
    return require("backports.zstd", "bags", "unpacks bags").ZstdDecompressor()
