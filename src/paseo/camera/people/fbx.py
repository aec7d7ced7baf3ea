"""Binary FBX files as trees of nodes, up to version 7.4."""

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from paseo.errors import BadFile

MAGIC = b"Kaydara FBX Binary  \x00\x1a\x00"
LAST = 7499  # versions after this have longer records
PLAIN = {b"Y": "<h", b"C": "<?", b"I": "<i", b"F": "<f", b"D": "<d", b"L": "<q"}
ARRAYS = {b"f": "<f4", b"d": "<f8", b"l": "<i8", b"i": "<i4", b"b": "?"}


@dataclass(frozen=True, slots=True)
class Node:
    """A record: its values, and the records inside it."""

    name: str
    values: tuple[Any, ...] = ()
    inside: list["Node"] = field(default_factory=list)

    def all(self, name: str) -> Iterator["Node"]:
        """The records of this name inside."""
        return (each for each in self.inside if each.name == name)

    def first(self, name: str) -> "Node | None":
        """The first record of this name inside, if there is one."""
        return next(self.all(name), None)

    def value(self, name: str) -> Any:
        """The first value of the first record of this name, or None."""
        found = self.first(name)
        return found.values[0] if found and found.values else None


def read_fbx(file: Path) -> Node:
    """The whole file as one node."""
    try:
        content = file.read_bytes()
    except OSError as error:
        raise BadFile(f"{file}: cannot be read ({error.strerror})") from error
    if not content.startswith(MAGIC):
        raise BadFile(f"{file}: is no binary FBX file; export it as binary FBX")
    (version,) = struct.unpack_from("<I", content, len(MAGIC))
    if version > LAST:
        raise BadFile(f"{file}: is FBX {version / 1000:g}, expected 7.4 or older; export it so")
    try:
        return Node("", (), list(_nodes(content, len(MAGIC) + 4, len(content))))
    except (struct.error, zlib.error, IndexError, ValueError) as error:
        raise BadFile(f"{file}: the FBX file is cut off or broken; fetch it again") from error


def _nodes(content: bytes, start: int, stop: int) -> Iterator[Node]:
    while start + 13 <= stop:
        end, count, _ = struct.unpack_from("<III", content, start)
        if not end:
            return
        length = content[start + 12]
        name = content[start + 13 : start + 13 + length].decode()
        place = start + 13 + length
        values = []
        for _ in range(count):
            value, place = _value(content, place)
            values.append(value)
        yield Node(name, tuple(values), list(_nodes(content, place, end)))
        start = end


def _value(content: bytes, place: int) -> tuple[Any, int]:
    """A value and where the next begins."""
    kind = content[place : place + 1]
    place += 1
    if kind in PLAIN:
        (value,) = struct.unpack_from(PLAIN[kind], content, place)
        return value, place + struct.calcsize(PLAIN[kind])
    if kind in ARRAYS:
        count, packed, size = struct.unpack_from("<III", content, place)
        raw = content[place + 12 : place + 12 + size]
        array = np.frombuffer(zlib.decompress(raw) if packed else raw, ARRAYS[kind], count)
        return array, place + 12 + size
    (size,) = struct.unpack_from("<I", content, place)
    raw = content[place + 4 : place + 4 + size]
    return raw.split(b"\x00")[0].decode("latin-1") if kind == b"S" else raw, place + 4 + size
