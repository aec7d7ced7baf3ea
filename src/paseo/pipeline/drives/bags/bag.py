"""What every bag is: topics, and messages as bytes with the time at which they were recorded."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import NamedTuple, Protocol

from paseo.errors import BadFile
from paseo.progress import Progress
from paseo.world.arrays import IntArray

LARGEST_CHUNK = 128 << 20  # bytes, packed or not
LARGEST_MESSAGE = 64 << 20  # a raw picture of 8K takes about as much
MOST_TOPICS = 4096
LONGEST_NAME = 500  # characters of a topic
MOST_TYPE = 200
MOST_NOTES = 20
LATEST = 2**62  # nanoseconds, up to which differences of times fit into 64 bits


class Wire(Enum):
    """How the fields of a message are laid out."""

    ROS1 = "ros1"
    CDR = "cdr"  # of ROS 2
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Topic:
    """What was recorded under one name."""

    name: str
    type: str  # as ROS 2 writes it: nav_msgs/msg/Odometry
    wire: Wire
    digest: str = ""  # of its definition in ROS 1; empty: not told


class Message(NamedTuple):
    """One message as it lies in the bag."""

    topic: str
    time: int  # nanoseconds, when it was recorded
    data: bytes | memoryview


class Broken(Exception):
    """A place in a bag from which on it cannot be read, in words."""


class Bag(Protocol):
    """A bag that is open to be read as often as one likes, from front to back."""

    @property
    def path(self) -> Path:
        """Where it is."""

    @property
    def notes(self) -> Collection[str]:
        """What was found to be damaged so far, a sentence each."""

    def times(self, progress: Progress) -> Mapping[Topic, IntArray]:
        """When messages of each topic were recorded, (messages,) nanoseconds, as they lie there."""

    def messages(self, names: Collection[str], progress: Progress) -> Iterator[Message]:
        """The messages of these topics as they lie there, which is nearly by time."""


def type_name(name: str) -> str:
    """The name of a type as ROS 2 writes it."""
    package, _, kind = name.partition("/")
    return (
        name
        if not kind or kind.startswith(("msg/", "srv/", "action/"))
        else f"{package}/msg/{kind}"
    )


def not_a_bag(path: Path, problem: str) -> BadFile:
    """The sentence for a file of which nothing can be used."""
    return BadFile(
        f"{path}: {problem}, expected a ROS 1 bag (.bag), a ROS 2 bag (a folder, .db3) or .mcap; "
        "check the name, or copy the file again"
    )
