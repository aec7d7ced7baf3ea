"""How much a packed log of inspect_ai holds, found out before its reader unpacks any of it."""

import re
import zipfile
from pathlib import Path

import numpy as np

from paseo.errors import BadFile
from paseo.files import opened

ZIP = b"PK\x03\x04"
LARGEST_PART = 128 << 20  # bytes of one sample, unpacked, in a small log
SURELY_FINE, MOST_FOLD = 256 << 20, 30  # bytes of all, and times what a larger one is packed to
MOST_VALUES = 8_000_000  # in all of a small log
PIECE = 4096  # a few packed bytes may hold a hundred megabytes
MARKS = (b",", b"[", b"{")  # one of them for each value
DEEPEST = 500  # values in values; for each the reader keeps the names of all that it lies in
REST = re.compile(rb'[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)  # of a text, after it has begun
TEXT = re.compile(b'"' + REST.pattern, re.DOTALL)
STEPS = np.zeros(256, np.int8)  # into a value and out of it, by sign
STEPS[list(b"[{")], STEPS[list(b"]}")] = 1, -1


def check_log(path: Path) -> None:
    """`BadFile` for a log that would take more than its file lets one expect.

    One that is damaged raises what `zipfile` and its like raise. What the list of its parts says
    of their sizes counts for nothing: the reader does not heed it.
    """
    packed = path.stat().st_size
    room, values = max(SURELY_FINE, MOST_FOLD * packed), max(MOST_VALUES, packed)
    part_room = max(LARGEST_PART, packed)
    with opened(path) as file:
        if file.read(len(ZIP)) != ZIP and path.suffix != ".eval":
            return  # a text, as large as it is
        with zipfile.ZipFile(file) as archive:
            for part in archive.infolist():
                size, marks, depth = _measured(archive, part, min(room, part_room))
                room, values = room - size, values - marks
                if depth > DEEPEST:
                    raise BadFile(
                        f"{path}: {part.filename[:80]} has values more than {DEEPEST} deep in each "
                        "other; run the task again, or fetch the log again"
                    )
                if size > part_room or room < 0 or values < 0:
                    raise BadFile(
                        f"{path}: unpacks to far more than a log of {packed} bytes should; run "
                        "the task again, or fetch the log again"
                    )


def _measured(archive: zipfile.ZipFile, part: zipfile.ZipInfo, room: int) -> tuple[int, int, int]:
    """How many bytes and values a part holds, or that they are more than `room`; how deep it is."""
    part.file_size = room + 1  # so that all is seen that there is
    size = marks = 0
    nesting = _Nesting()
    with archive.open(part) as stream:
        while size <= room and nesting.deepest <= DEEPEST and (piece := stream.read(PIECE)):
            size += len(piece)
            marks += sum(map(piece.count, MARKS))
            nesting.add(piece)
    return size, marks, nesting.deepest


class _Nesting:
    """How deep the values of a JSON text lie in each other, found out piece by piece."""

    def __init__(self) -> None:
        self.deepest = 0
        self._depth, self._in_text, self._before = 0, False, b""

    def add(self, piece: bytes) -> None:
        """Look at what follows."""
        piece = self._before + piece
        half = (len(piece) - len(piece.rstrip(b"\\"))) % 2  # of an escape whose sign is to come
        self._before = piece[len(piece) - half :]
        piece = piece[: len(piece) - half]
        if self._in_text:
            end = REST.match(piece)
            if end is None:
                return
            piece = piece[end.end() :]
        values, begun, _ = TEXT.sub(b"", piece).partition(b'"')
        self._in_text = bool(begun)
        depths = self._depth + np.cumsum(STEPS[np.frombuffer(values, np.uint8)], dtype=np.int64)
        if len(depths):
            self._depth = int(depths[-1])
            self.deepest = max(self.deepest, int(depths.max()))
