"""How ROS 1 bags (version 2.0) are put together: wiki.ros.org/Bags/Format/2.0."""

import struct
from collections.abc import Iterator, Mapping
from typing import BinaryIO

import numpy as np

from paseo.pipeline.drives.bags.bag import LONGEST_NAME, MOST_TYPE, Broken, Topic, Wire, type_name
from paseo.pipeline.drives.bags.chunked import Channels, Content, Kind, Part, add_channel
from paseo.pipeline.drives.bags.unpacking import unpacked
from paseo.world.arrays import IntArray

MAGIC = b"#ROSBAG V2.0\n"
MESSAGE, BAG, INDEX, CHUNK, CHUNK_INFO, CONNECTION = 2, 3, 4, 5, 6, 7
KINDS = {CHUNK: Kind.CHUNK, INDEX: Kind.INDEX, MESSAGE: Kind.SINGLE, CONNECTION: Kind.SINGLE}
LARGEST_HEAD = 1 << 20  # bytes before the content of a record
NUMBER, TIME = struct.Struct("<I"), struct.Struct("<II")


class Ros1Framing:
    """Records of a head of named fields and a content."""

    def known(self, stream: BinaryIO, size: int) -> Channels:
        """The connections of the index, which is written when a recording ends."""
        channels: Channels = {}
        begin = next(self._parts(stream, len(MAGIC), size), None)
        if begin is None or begin.op != BAG:
            raise Broken("it does not begin with the head of a bag")
        place = int.from_bytes(begin.head.get(b"index_pos", b""), "little")
        if not 0 < place < size:
            return {}
        for part in self._parts(stream, place, size):
            if part.op != CONNECTION:
                break
            stream.seek(part.start)
            _add_connection(part.head, stream.read(min(part.size, LARGEST_HEAD)), channels)
        return channels

    def parts(self, stream: BinaryIO, size: int) -> Iterator[Part]:
        """One record after the other."""
        return self._parts(stream, len(MAGIC), size)

    def _parts(self, stream: BinaryIO, place: int, size: int) -> Iterator[Part]:
        while place < size:
            stream.seek(place)
            length = _number(stream.read(4), place)
            head = stream.read(min(length, LARGEST_HEAD) + 4)
            if length > LARGEST_HEAD or len(head) < length + 4:
                raise Broken(f"it ends, or is damaged, in the record at byte {place}")
            fields = _fields(head[:-4])
            start, length = place + 4 + length + 4, _number(head[-4:], place)
            op = _op(fields)
            yield Part(KINDS.get(op, Kind.OTHER), start, length, op, fields)
            place = start + length
        if place > size:
            raise Broken(f"it ends {place - size} bytes before its last record does")

    def chunk(self, part: Part, content: bytes) -> bytes:
        """The records of a chunk."""
        return unpacked(content, part.head.get(b"compression", b"none").decode("ascii", "replace"))

    def index(self, part: Part, content: bytes) -> tuple[int, IntArray]:
        """Entries of seconds, nanoseconds and an offset, 4 bytes each."""
        entries = np.frombuffer(content[: len(content) // 12 * 12], "<u4").reshape(-1, 3)
        times = entries[:, 0].astype(np.int64) * 10**9 + entries[:, 1]
        return _field(part.head, b"conn"), times

    def records(self, part: Part, content: bytes, channels: Channels) -> Iterator[Content]:
        """Messages, and the connections before them."""
        view = memoryview(content)
        if part.kind is Kind.SINGLE:
            yield from _one(part.op, part.head, view, channels)
            return
        place = 0
        while place < len(view):
            length = _number(view[place : place + 4], place)
            begin = place + 8 + length
            fields = _fields(bytes(view[place + 4 : begin - 4]))
            size = _number(view[begin - 4 : begin], place)
            if begin + size > len(view):
                raise Broken("it is cut off within a message")
            yield from _one(_op(fields), fields, view[begin : begin + size], channels)
            place = begin + size


def _one(
    op: int, fields: Mapping[bytes, bytes], content: memoryview, channels: Channels
) -> Iterator[Content]:
    if op == CONNECTION:
        _add_connection(fields, bytes(content), channels)
    elif op == MESSAGE:
        when = fields.get(b"time", b"")
        if len(when) != TIME.size:
            raise Broken("a message has no time")
        seconds, rest = TIME.unpack(when)
        yield Content(_field(fields, b"conn"), seconds * 10**9 + rest, content)


def _add_connection(fields: Mapping[bytes, bytes], content: bytes, channels: Channels) -> None:
    number, inner = _field(fields, b"conn"), _fields(content)
    name = fields.get(b"topic", b"").decode("utf-8", "replace")[:LONGEST_NAME]
    kind = inner.get(b"type", b"").decode("utf-8", "replace")[:MOST_TYPE]
    digest = inner.get(b"md5sum", b"").decode("ascii", "replace")[:32]
    add_channel(channels, number, Topic(name, type_name(kind), Wire.ROS1, digest))


def _fields(head: bytes) -> dict[bytes, bytes]:
    fields: dict[bytes, bytes] = {}
    place = 0
    while place < len(head):
        length = _number(head[place : place + 4], place)
        name, sign, value = head[place + 4 : place + 4 + length].partition(b"=")
        if not sign or place + 4 + length > len(head):
            raise Broken("the head of a record is no list of fields")
        fields[name] = value
        place += 4 + length
    return fields


def _field(fields: Mapping[bytes, bytes], name: bytes) -> int:
    return _number(fields.get(name, b""), 0)


def _op(fields: Mapping[bytes, bytes]) -> int:
    return int.from_bytes(fields.get(b"op", b"\0")[:1], "little")


def _number(four: bytes | memoryview, place: int) -> int:
    if len(four) != 4:
        raise Broken(f"it ends, or is damaged, in the record at byte {place}")
    number: int = NUMBER.unpack(four)[0]
    return number
