"""Bags made of records, most of them in chunks with an index behind each: ROS 1 and MCAP.

A bag is walked record by record, from front to back. So one that was cut off, whose end and index
are missing, is read like any other, up to where it ends.
"""

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import BinaryIO, NamedTuple, Protocol

import numpy as np

from paseo.errors import BadFile
from paseo.files import opened
from paseo.pipeline.drives.bags.bag import (
    LARGEST_CHUNK,
    LARGEST_MESSAGE,
    MOST_NOTES,
    MOST_TOPICS,
    Broken,
    Message,
    Topic,
    not_a_bag,
)
from paseo.progress import Progress
from paseo.world.arrays import IntArray


class Kind(Enum):
    """What a record is, as far as it matters here."""

    CHUNK = "chunk"
    INDEX = "index"
    SINGLE = "single"  # a message or a channel outside of chunks
    OTHER = "other"


class Part(NamedTuple):
    """A record of the file."""

    kind: Kind
    start: int  # of its content
    size: int  # of its content
    op: int
    head: Mapping[bytes, bytes]  # what stands before the content, in ROS 1


class Content(NamedTuple):
    """A message within a chunk."""

    channel: int
    time: int  # nanoseconds
    data: memoryview


Channels = dict[int, Topic]


def add_channel(channels: Channels, number: int, topic: Topic) -> None:
    """Note a channel that was met; not more than a bag may have."""
    if len(channels) >= MOST_TOPICS and number not in channels:
        raise Broken(f"it has more than {MOST_TOPICS} topics")
    channels[number] = topic


class Framing(Protocol):
    """How a kind of file is put together; what is not as it should be raises `Broken`."""

    def known(self, stream: BinaryIO, size: int) -> Channels:
        """The channels that the end of the file tells; empty: the end is missing."""

    def parts(self, stream: BinaryIO, size: int) -> Iterator[Part]:
        """One record after the other; the last may be cut off."""

    def chunk(self, part: Part, content: bytes) -> bytes:
        """The records of a chunk."""

    def index(self, part: Part, content: bytes) -> tuple[int, IntArray]:
        """A channel, and when its messages of the chunk before were recorded."""

    def records(self, part: Part, content: bytes, channels: Channels) -> Iterator[Content]:
        """The messages of a chunk or of a single record; channels met are put into `channels`."""


class ChunkedBag:
    """A bag of ROS 1, or of ROS 2 in MCAP."""

    def __init__(self, path: Path, framing: Framing) -> None:
        self.path, self.notes = path, list[str]()
        self._framing = framing
        try:
            with opened(path) as stream:
                self._size = os.fstat(stream.fileno()).st_size
                self._channels = framing.known(stream, self._size)
        except OSError as error:
            raise not_a_bag(path, f"cannot be read ({error.strerror or error})") from error
        except Broken as error:
            self._channels = {}
            self._note(f"its index cannot be used ({error}); it is read from front to back")
        self._has_index = bool(self._channels)
        if not self._has_index and not self.notes:
            self._note("it has no index, as if its recording was cut off; what is there is used")

    def times(self, progress: Progress) -> Mapping[Topic, IntArray]:
        """When messages of each topic were recorded; with an index chunks are not even read."""
        found: dict[Topic, list[IntArray]] = {topic: [] for topic in self._channels.values()}
        for stream, part, indexes in self._walk(progress):
            pairs = self._index(stream, indexes)
            if not pairs:
                whole = self._contents(stream, part)
                pairs = [(each.channel, np.array([each.time])) for each in whole]
            for channel, times in pairs:
                if channel in self._channels:
                    found.setdefault(self._channels[channel], []).append(times)
        nothing = np.empty(0, np.int64)
        return {topic: np.concatenate([nothing, *times]) for topic, times in found.items()}

    def messages(self, names: Collection[str], progress: Progress) -> Iterator[Message]:
        """The messages of these topics; chunks without any are passed over."""
        for stream, part, indexes in self._walk(progress):
            held = self._index(stream, indexes)
            if held and not any(self._name(channel) in names for channel, _ in held):
                continue
            for channel, time, data in self._contents(stream, part):
                if (name := self._name(channel)) in names:
                    yield Message(name, time, data)

    def _walk(self, progress: Progress) -> Iterator[tuple[BinaryIO, Part, Sequence[Part]]]:
        """Every chunk, and every single record, with the parts of the index that follow it."""
        last: Part | None = None
        indexes: list[Part] = []
        try:
            with opened(self.path) as stream:
                try:
                    for part in self._framing.parts(stream, self._size):
                        if part.kind is Kind.INDEX:
                            indexes.append(part)
                            continue
                        if last:
                            yield stream, last, indexes
                            progress("B", part.start, self._size)
                        last, indexes = None if part.kind is Kind.OTHER else part, []
                except Broken as error:
                    self._note(f"{error}; what comes before is used")
                if last:
                    yield stream, last, indexes
        except OSError as error:
            raise BadFile(
                f"{self.path}: cannot be read on ({error.strerror or error}); copy it again"
            ) from error

    def _name(self, channel: int) -> str:
        topic = self._channels.get(channel)
        return topic.name if topic else ""

    def _index(self, stream: BinaryIO, indexes: Sequence[Part]) -> list[tuple[int, IntArray]]:
        """What of a chunk its index tells; nothing if that cannot be relied on."""
        try:
            whole = indexes if self._has_index else ()
            return [self._framing.index(each, _content(stream, each)) for each in whole]
        except Broken:
            return []

    def _contents(self, stream: BinaryIO, part: Part) -> Iterator[Content]:
        """The messages of a part up to where it is damaged."""
        try:
            content = _content(stream, part)
            if part.kind is Kind.CHUNK:
                content = self._framing.chunk(part, content)
            for each in self._framing.records(part, content, self._channels):
                if len(each.data) > LARGEST_MESSAGE:
                    raise Broken(f"a message has more than {LARGEST_MESSAGE} bytes")
                yield each
        except Broken as error:
            self._note(f"{error}, in the record at byte {part.start}; the rest of it is left out")

    def _note(self, words: str) -> None:
        sentence = f"{self.path.name}: {words}"
        if len(self.notes) < MOST_NOTES and sentence not in self.notes:
            self.notes.append(sentence)


def _content(stream: BinaryIO, part: Part) -> bytes:
    """The bytes of a record, fewer where the file ends in it."""
    if part.size > LARGEST_CHUNK:
        raise Broken(f"it has {part.size} bytes, expected at most {LARGEST_CHUNK}")
    stream.seek(part.start)
    return stream.read(part.size)
