"""How MCAP files are put together: mcap.dev/spec."""

import struct
from collections.abc import Iterator
from typing import BinaryIO

import numpy as np

from paseo.pipeline.drives.bags.bag import (
    LATEST,
    LONGEST_NAME,
    MOST_TYPE,
    Broken,
    Topic,
    Wire,
    type_name,
)
from paseo.pipeline.drives.bags.chunked import Channels, Content, Kind, Part, add_channel
from paseo.pipeline.drives.bags.unpacking import unpacked
from paseo.world.arrays import IntArray

MAGIC = b"\x89MCAP0\r\n"
FOOTER, SCHEMA, CHANNEL, MESSAGE, CHUNK, INDEX, DATA_END = 2, 3, 4, 5, 6, 7, 15
SINGLES = (SCHEMA, CHANNEL, MESSAGE)
KINDS = {CHUNK: Kind.CHUNK, INDEX: Kind.INDEX, **dict.fromkeys(SINGLES, Kind.SINGLE)}
LARGEST_SCHEMA = 4 << 20  # bytes
RECORD, MESSAGE_HEAD, CHUNK_HEAD = (
    struct.Struct("<BQ"),
    struct.Struct("<HIQQ"),
    struct.Struct("<QQQI"),
)
FOOTER_SIZE = RECORD.size + 20 + len(MAGIC)
WIRES = {"cdr": Wire.CDR, "ros1": Wire.ROS1}


class McapFraming:
    """Records of a kind, a length and a content."""

    def __init__(self) -> None:
        self._schemas: dict[int, str] = {}

    def known(self, stream: BinaryIO, size: int) -> Channels:
        """The channels of the summary, which is written when a recording ends."""
        channels: Channels = {}
        stream.seek(max(0, size - FOOTER_SIZE))
        footer = stream.read(FOOTER_SIZE)
        if not footer.endswith(MAGIC) or footer[0] != FOOTER or len(footer) < FOOTER_SIZE:
            return {}
        place = int.from_bytes(footer[9:17], "little")
        if not 0 < place < size:
            return {}
        for part in self._parts(stream, place, size - FOOTER_SIZE):
            if part.op in (SCHEMA, CHANNEL):
                if part.size > LARGEST_SCHEMA:
                    raise Broken(f"a definition has {part.size} bytes")
                stream.seek(part.start)
                content = memoryview(stream.read(part.size))
                for _ in self._one(part.op, content, channels):
                    pass
        return channels

    def parts(self, stream: BinaryIO, size: int) -> Iterator[Part]:
        """One record after the other, up to the end of the data."""
        for part in self._parts(stream, len(MAGIC), size):
            if part.op in (DATA_END, FOOTER):
                return
            yield part

    def _parts(self, stream: BinaryIO, place: int, size: int) -> Iterator[Part]:
        while place < size:
            stream.seek(place)
            head = stream.read(RECORD.size)
            if len(head) < RECORD.size:
                raise Broken(f"it ends in the record at byte {place}")
            op, length = RECORD.unpack(head)
            start = place + RECORD.size
            yield Part(KINDS.get(op, Kind.OTHER), start, length, op, {})
            place = start + length
        if place > size:
            raise Broken(f"it ends {place - size} bytes before its last record does")

    def chunk(self, part: Part, content: bytes) -> bytes:
        """The records of a chunk."""
        place = CHUNK_HEAD.size
        packing, place = _text(memoryview(content), place)
        return unpacked(content[place + 8 :], packing)

    def index(self, part: Part, content: bytes) -> tuple[int, IntArray]:
        """Entries of a time and an offset, 8 bytes each."""
        if len(content) < 6:
            raise Broken("the index of a chunk is cut off")
        entries = np.frombuffer(content[6 : 6 + (len(content) - 6) // 16 * 16], "<u8")
        return int.from_bytes(content[:2], "little"), np.minimum(entries[::2], LATEST).astype(
            np.int64
        )

    def records(self, part: Part, content: bytes, channels: Channels) -> Iterator[Content]:
        """Messages, and the schemas and channels before them."""
        view = memoryview(content)
        if part.kind is Kind.SINGLE:
            yield from self._one(part.op, view, channels)
            return
        place = 0
        while place < len(view):
            if place + RECORD.size > len(view):
                raise Broken("it is cut off within a message")
            op, length = RECORD.unpack_from(view, place)
            begin = place + RECORD.size
            if begin + length > len(view):
                raise Broken("it is cut off within a message")
            yield from self._one(op, view[begin : begin + length], channels)
            place = begin + length

    def _one(self, op: int, content: memoryview, channels: Channels) -> Iterator[Content]:
        if op == MESSAGE:
            if len(content) < MESSAGE_HEAD.size:
                raise Broken("it is cut off within a message")
            channel, _, time, _ = MESSAGE_HEAD.unpack_from(content)
            yield Content(channel, min(time, LATEST), content[MESSAGE_HEAD.size :])
        elif op == SCHEMA:
            self._schemas[int.from_bytes(content[:2], "little")] = _text(content, 2)[0][:MOST_TYPE]
        elif op == CHANNEL:
            number, schema = (int.from_bytes(content[k : k + 2], "little") for k in (0, 2))
            name, place = _text(content, 4)
            encoding, _ = _text(content, place)
            kind = type_name(self._schemas.get(schema, ""))
            wire = WIRES.get(encoding, Wire.OTHER)
            add_channel(channels, number, Topic(name[:LONGEST_NAME], kind, wire))


def _text(content: memoryview, place: int) -> tuple[str, int]:
    """A text that stands at a place, and where it ends."""
    begin = place + 4
    end = begin + int.from_bytes(content[place:begin], "little")
    if end > len(content):
        raise Broken("a name is cut off")
    return bytes(content[begin:end]).decode("utf-8", "replace"), end
