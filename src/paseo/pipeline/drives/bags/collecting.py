"""One pass over a bag: all that is small in it, and of pictures when each was taken."""

import math
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from paseo.pipeline.drives.bags.bag import Bag, Broken, Message, Topic
from paseo.pipeline.drives.bags.heads import Head, head
from paseo.pipeline.drives.bags.messages import LOCATION, decoded, plain
from paseo.pipeline.drives.bags.proposing import FIXED
from paseo.pipeline.drives.bags.scans import Sweep, sweep
from paseo.pipeline.drives.bags.transforms import BASES, WORLDS, Transforms, bare, transform
from paseo.pipeline.drives.clocks import Stamps
from paseo.progress import Progress, silent
from paseo.world.arrays import FloatArray, IntArray

FIRST_TRANSFORMS = 2000  # messages in which parts that do not move are looked for
SWEEP_EVERY = 0.5  # seconds between two scans that are kept
FARTHEST = 1e7  # metres, as far as odometry may be from where it began


@dataclass(slots=True)
class Series:
    """Numbers of one topic, message by message; small even for an hour."""

    sent: "array[int]" = field(default_factory=lambda: array("q"))
    recorded: "array[int]" = field(default_factory=lambda: array("q"))
    order: "array[int]" = field(default_factory=lambda: array("q"))
    values: "array[float]" = field(default_factory=lambda: array("d"))

    def add(self, sent: int, recorded: int, order: int, values: tuple[float, ...] = ()) -> None:
        """Note one message."""
        self.sent.append(sent)
        self.recorded.append(recorded)
        self.order.append(order)
        self.values.extend(values)

    def stamps(self) -> Stamps:
        """When they were sent and recorded."""
        return Stamps(
            sent=np.array(self.sent, np.int64),
            recorded=np.array(self.recorded, np.int64),
            order=np.array(self.order, np.int64),
        )

    def table(self) -> FloatArray:
        """The numbers, (messages, numbers)."""
        return np.array(self.values).reshape(len(self.sent), -1)


@dataclass(slots=True)
class Collected:
    """What a bag tells beside its pictures."""

    pictures: Series = field(default_factory=Series)
    # (messages,): the pictures' sizes and forms by their place in `heads`, -1: no picture
    looks: "array[int]" = field(default_factory=lambda: array("q"))
    heads: list[tuple[tuple[int, int] | None, str, str]] = field(default_factory=list)
    odometry: Series = field(default_factory=Series)  # x, y and a quaternion
    ways: dict[tuple[str, str], Series] = field(default_factory=dict)  # the same out of transforms
    lens: Any = None  # the first CameraInfo
    transforms: Transforms = field(default_factory=Transforms)
    sweeps: list[Sweep] = field(default_factory=list)
    unreadable: Counter[str] = field(default_factory=Counter)  # messages, by topic


def collect(
    bag: Bag, roles: Mapping[str, Topic], moving: Mapping[str, Topic], progress: Progress
) -> Collected:
    """Read a bag once; `roles` are the topics to use, `moving` those of transforms, by name."""
    found, seen = Collected(), Counter[str]()
    by_name = {topic.name: (role, topic) for role, topic in roles.items()}
    by_name |= {name: ("transforms", topic) for name, topic in moving.items()}
    for order, message in enumerate(bag.messages(by_name.keys(), progress)):
        role, topic = by_name[message.topic]
        seen[topic.name] += 1
        try:
            if role == "image":
                _picture(found, topic, message, order)
            elif role == "odometry":
                _odometry(found, topic, message, order)
            elif role == "camera_info":
                found.lens = found.lens or decoded(topic, message.data)
            elif role == "scan":
                _scan(found, topic, message)
            elif "odometry" not in roles or seen[topic.name] <= FIRST_TRANSFORMS:
                _transforms(found, topic, message, order)
        except Broken:
            found.unreadable[topic.name] += 1
    return found


def _picture(found: Collected, topic: Topic, message: Message, order: int) -> None:
    """A picture that cannot be read keeps its place: places count all messages of the topic."""
    try:
        look = _look(found, head(topic, plain(message.data)))
    except Broken:
        found.looks.append(-1)
        found.pictures.add(message.time, message.time, order)
        raise
    found.looks.append(look[0])
    found.pictures.add(look[1], message.time, order)


def _look(found: Collected, told: Head) -> tuple[int, int]:
    key = (told.size, told.form, told.frame)
    if key not in found.heads:
        if len(found.heads) >= 1000:
            raise Broken("pictures of a thousand kinds")
        found.heads.append(key)
    return found.heads.index(key), told.stamp


def _odometry(found: Collected, topic: Topic, message: Message, order: int) -> None:
    told = decoded(topic, message.data)
    if topic.type == LOCATION:
        half = told.pose.theta / 2
        values = (told.pose.x, told.pose.y, 0.0, 0.0, math.sin(half), math.cos(half))
    else:
        place, turn = told.pose.pose.position, told.pose.pose.orientation
        values = (place.x, place.y, turn.x, turn.y, turn.z, turn.w)
    _note_way(found.odometry, values, nanoseconds(told.header), message.time, order)


def _note_way(
    series: Series, values: tuple[float, ...], sent: int, recorded: int, order: int
) -> None:
    turn = sum(each * each for each in values[2:])
    if not (all(abs(each) <= FARTHEST for each in values) and 0.25 < turn < 4):
        raise Broken("a pose is no pose")
    series.add(sent, recorded, order, values)


def _transforms(found: Collected, topic: Topic, message: Message, order: int) -> None:
    for each in decoded(topic, message.data).transforms:
        carrier, part, place = transform(each)
        if place is None:
            raise Broken("a transform is none")
        if topic.name != FIXED and carrier in WORLDS and part in BASES:
            move, turn = each.transform.translation, each.transform.rotation
            values = (move.x, move.y, turn.x, turn.y, turn.z, turn.w)
            series = found.ways.setdefault((carrier, part), Series())
            _note_way(series, values, nanoseconds(each.header), message.time, order)
        else:
            found.transforms.add(carrier, part, place)


def _scan(found: Collected, topic: Topic, message: Message) -> None:
    last = found.sweeps[-1].recorded if found.sweeps else None
    if last is not None and abs(message.time - last) < SWEEP_EVERY * 1e9:
        return
    told = decoded(topic, message.data)
    found.sweeps.append(
        sweep(told, bare(told.header.frame_id), nanoseconds(told.header), message.time)
    )


def nanoseconds(header: Any) -> int:
    """The stamp of a header."""
    return int(header.stamp.sec) * 10**9 + int(header.stamp.nanosec)


def best_way(found: Collected) -> tuple[str, Series] | None:
    """Where the robot was by transforms, by the pair that is told most often."""
    if not found.ways:
        return None
    pair = max(found.ways, key=lambda each: (len(found.ways[each].sent), each))
    return f"{pair[0]} to {pair[1]}", found.ways[pair]


def picture_messages(bag: Bag, topic: Topic, places: IntArray) -> Iterator[bytes | memoryview]:
    """The messages of a topic at these places, which increase."""
    wanted = iter(places.tolist())
    place = next(wanted, None)
    for number, message in enumerate(bag.messages({topic.name}, silent)):
        if place is None:
            return
        if number == place:
            yield message.data
            place = next(wanted, None)
