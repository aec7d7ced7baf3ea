"""How much a packed log of inspect_ai holds, found out before its reader unpacks any of it."""

import zipfile
from pathlib import Path

from paseo.errors import BadFile
from paseo.files import opened

ZIP = b"PK\x03\x04"
LARGEST_PART = 128 << 20  # bytes of one sample, unpacked, in a small log
SURELY_FINE, MOST_FOLD = 256 << 20, 30  # bytes of all, and times what a larger one is packed to
MOST_VALUES = 8_000_000  # in all of a small log
PIECE = 4096  # a few packed bytes may hold a hundred megabytes
MARKS = (b",", b"[", b"{")  # one of them for each value


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
                size, marks = _measured(archive, part, min(room, part_room))
                room, values = room - size, values - marks
                if size > part_room or room < 0 or values < 0:
                    raise BadFile(
                        f"{path}: unpacks to far more than a log of {packed} bytes should; run "
                        "the task again, or fetch the log again"
                    )


def _measured(archive: zipfile.ZipFile, part: zipfile.ZipInfo, room: int) -> tuple[int, int]:
    """How many bytes and values a part holds, or that they are more than `room`."""
    part.file_size = room + 1  # so that all is seen that there is
    size = marks = 0
    with archive.open(part) as stream:
        while size <= room and (piece := stream.read(PIECE)):
            size += len(piece)
            marks += sum(map(piece.count, MARKS))
    return size, marks
