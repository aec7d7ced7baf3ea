"""Files packed by zlib or gzip, or not at all, read within bounds while they are unpacked."""

import os
import zlib
from io import BufferedReader
from pathlib import Path

from paseo.errors import BadFile

BLOCK = 1 << 16
ENOUGH, MOST_FOLD = 64 << 20, 30  # bytes that any file may unfold to; times what it is packed to
ZLIB = (b"\x78\x01", b"\x78\x5e", b"\x78\x9c", b"\x78\xda")
GZIP = b"\x1f\x8b"
OTHERS = {
    b"BZ": "bzip2",
    b"\xfd7": "xz",
    b"\x5d\x00": "lzma",
    b"\x04\x22": "lz4",
    b"ZF": "joblib 0.9",
}


class Unpacked:
    """The bytes of an open file, unpacked as they are asked for; never more than `largest`."""

    def __init__(self, file: BufferedReader, where: Path, largest: int) -> None:
        self._file, self._where = file, where
        packed = os.fstat(file.fileno()).st_size
        begin = file.peek(2)[:2]
        if begin in OTHERS:
            raise BadFile(
                f"{where}: is packed by {OTHERS[begin]}, expected zlib (joblib's compress=3), gzip "
                "or none; save it again"
            )
        self._zip = zlib.decompressobj(zlib.MAX_WBITS | 32) if begin in (*ZLIB, GZIP) else None
        self._left = min(largest, max(ENOUGH, MOST_FOLD * packed)) if self._zip else largest
        self._held, self._at = b"", 0

    def read(self, size: int) -> bytes:
        """So many bytes, or what is left."""
        while len(self._held) - self._at < size and self._more():
            pass
        found = self._held[self._at : self._at + size]
        self._at += len(found)
        return found

    def readline(self) -> bytes:
        """A line, or what is left."""
        while (end := self._held.find(b"\n", self._at)) < 0 and self._more():
            pass
        return self.read(end + 1 - self._at if end >= 0 else len(self._held) - self._at)

    def _more(self) -> bool:
        """Whether there was more to hold."""
        block = self._block()
        self._left -= len(block)
        if self._left < 0:
            raise BadFile(
                f"{self._where}: unfolds to more than results of a drive would; unpack it, if it "
                "is not a trick, or cut it into parts"
            )
        self._held = self._held[self._at :] + block
        self._at = 0
        return bool(block)

    def _block(self) -> bytes:
        # Twice as much each time, so that what is held is not copied for every block.
        size = max(BLOCK, len(self._held) - self._at)
        if self._zip is None:
            return self._file.read(size)
        while not self._zip.eof:
            packed = self._zip.unconsumed_tail or self._file.read(BLOCK)
            if not packed:
                raise EOFError("it ends early")
            block = self._zip.decompress(packed, size)
            if block:
                return block
        return b""
