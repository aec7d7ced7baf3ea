"""Binary FBX files as trees of nodes, of any version from 7.0 on; no file is trusted."""

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from paseo.errors import BadFile
from paseo.files import bounded

MAGIC = b"Kaydara FBX Binary  \x00\x1a\x00"
WIDE = 7500  # versions from this on have longer records
LAST = 7999
LARGEST = 2**26  # bytes of a file; avatars and clips of the pack have some million
MOST_UNPACKED = 2**27  # bytes of all its arrays
DEEPEST = 32  # nodes inside nodes
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
    content = bounded(file, LARGEST, too_large="expected less; export fewer things")
    if not content.startswith(MAGIC):
        raise BadFile(f"{file}: is no binary FBX file; export it as binary FBX")
    try:
        (version,) = struct.unpack_from("<I", content, len(MAGIC))
        if version > LAST:
            raise BadFile(f"{file}: is FBX {version / 1000:g}, expected 7 at most; export it so")
        nodes = _Reader(content, "<QQQB" if version >= WIDE else "<IIIB").nodes()
    except (struct.error, zlib.error, ValueError) as error:
        raise BadFile(f"{file}: the FBX file is cut off or broken; fetch it again") from error
    return Node("", (), nodes)


class _Reader:
    """Goes once through the bytes; whatever does not fit into them is a ValueError."""

    def __init__(self, content: bytes, head: str) -> None:
        self._content = content
        self._head = struct.Struct(head)
        self._unpacked = 0

    def nodes(self) -> list[Node]:
        """All nodes of the file."""
        return self._nodes(len(MAGIC) + 4, len(self._content), 0)

    def _nodes(self, start: int, stop: int, depth: int) -> list[Node]:
        if depth > DEEPEST:
            raise ValueError("nodes inside nodes without end")
        found = []
        while start + self._head.size <= stop:
            end, count, _, length = self._head.unpack_from(self._content, start)
            if not end:
                break
            place = start + self._head.size + length
            if not place <= end <= stop or count > end - place:
                raise ValueError("a node that does not fit into its own")
            name = self._content[place - length : place].decode()
            values = []
            for _ in range(count):
                value, place = self._value(place, end)
                values.append(value)
            found.append(Node(name, tuple(values), self._nodes(place, end, depth + 1)))
            start = end
        return found

    def _value(self, place: int, end: int) -> tuple[Any, int]:
        """A value and where the next begins."""
        kind, place = self._content[place : place + 1], place + 1
        if kind in PLAIN:
            (value,) = struct.unpack_from(PLAIN[kind], self._content, place)
            return value, self._within(place + struct.calcsize(PLAIN[kind]), end)
        if kind in ARRAYS:
            count, packed, size = struct.unpack_from("<III", self._content, place)
            after = self._within(place + 12 + size, end)
            raw = self._content[place + 12 : after]
            return self._array(ARRAYS[kind], count, packed, raw), after
        if kind not in (b"S", b"R"):
            raise ValueError("a value of an unknown kind")
        (size,) = struct.unpack_from("<I", self._content, place)
        after = self._within(place + 4 + size, end)
        raw = self._content[place + 4 : after]
        return raw.split(b"\x00")[0].decode("latin-1") if kind == b"S" else raw, after

    def _within(self, place: int, end: int) -> int:
        if place > end:
            raise ValueError("a value beyond the end of its node")
        return place

    def _array(self, kind: str, count: int, packed: int, raw: bytes) -> Any:
        wanted = count * np.dtype(kind).itemsize
        self._unpacked += wanted
        if self._unpacked > MOST_UNPACKED:
            raise ValueError("arrays larger than any body")
        if packed:
            raw = zlib.decompressobj().decompress(raw, wanted + 1) if wanted else b""
        if len(raw) != wanted:
            raise ValueError("an array of another length than it says")
        return np.frombuffer(raw, kind, count)
