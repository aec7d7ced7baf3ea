"""What is in a recording, before anything is made of it: topics, rates, gaps, and which to use."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from paseo.errors import MissingData
from paseo.pipeline.drives.bags.bag import Topic
from paseo.pipeline.drives.bags.messages import TYPES, is_known
from paseo.pipeline.drives.bags.opening import is_bag, open_bag
from paseo.pipeline.drives.bags.proposing import proposals, transform_topics
from paseo.pipeline.drives.films import SUFFIXES, film_times
from paseo.pipeline.drives.folders import (
    PICKLED,
    WAY,
    folder_times,
    is_folder_of_pictures,
    picture_files,
)
from paseo.pipeline.drives.opening import unknown_drive
from paseo.progress import Progress, silent
from paseo.world.arrays import FloatArray, IntArray

GAP, TIMES_LONGER = 1.0, 5.0  # seconds, and times the usual step, from which a gap is told
JUMP = 0.5  # seconds back


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicInfo:
    """What was recorded under one name."""

    name: str
    type: str
    messages: int
    hz: float | None  # None: fewer than two messages
    longest_gap: float | None  # seconds
    first: float | None  # seconds from the start of the recording


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """What a drive would be made of, and why."""

    role: str
    topic: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BagInfo:
    """A recording at a glance."""

    path: Path
    kind: str  # bag, film or folder
    start: float | None  # seconds since 1970; None: not told
    duration: float  # seconds
    topics: Sequence[TopicInfo]
    uses: Sequence[Use]
    warnings: Sequence[str]


def bag_info(path: Path, progress: Progress = silent) -> BagInfo:
    """What a bag, a film or a folder of pictures holds; of a bag only its index is read."""
    if is_bag(path):
        return _bag(path, progress)
    if is_folder_of_pictures(path):
        return _folder(path)
    if path.suffix.lower() in SUFFIXES:
        times, (width, height) = film_times(path)
        warnings = ["a film tells no odometry: bring a CSV file (time_s,x_m,y_m,heading_deg)"]
        return _pictures(path, "film", f"film of {width}x{height} pixels", times, warnings)
    raise unknown_drive(path)


def _bag(path: Path, progress: Progress) -> BagInfo:
    bag = open_bag(path)
    times = bag.times(progress)
    counts = {topic: len(each) for topic, each in times.items()}
    held = [each for each in times.values() if len(each)]
    start = min((int(each.min()) for each in held), default=0)
    end = max((int(each.max()) for each in held), default=0)
    topics = sorted((_topic(topic, each, start) for topic, each in times.items()), key=_by_name)
    uses = [
        Use(role=each.role, topic=each.topic.name, reason=each.reason)
        for each in proposals(counts, {}).values()
    ]
    uses += [
        Use(role="transforms", topic=each, reason="where camera and laser are on the robot")
        for each in transform_topics(counts)
    ]
    return BagInfo(
        path=path,
        kind="bag",
        start=start / 1e9 if held else None,
        duration=(end - start) / 1e9,
        topics=topics,
        uses=uses,
        warnings=[*bag.notes, *_warnings(times, uses)],
    )


def _by_name(topic: TopicInfo) -> str:
    return topic.name


def _topic(topic: Topic, times: IntArray, start: int) -> TopicInfo:
    steps = np.diff(np.sort(times)) / 1e9
    length = float(steps.sum())
    return TopicInfo(
        name=topic.name,
        type=topic.type,
        messages=len(times),
        hz=len(steps) / length if length > 0 else None,
        longest_gap=float(steps.max()) if len(steps) else None,
        first=(int(times.min()) - start) / 1e9 if len(times) else None,
    )


def _warnings(times: Mapping[Topic, IntArray], uses: Sequence[Use]) -> list[str]:
    roles = {use.role: use.topic for use in uses}
    found = [f"no topic for {role}" for role in ("image", "odometry") if role not in roles]
    if "image" in roles and "camera_info" not in roles:
        found.append("no camera_info: bring a camera file")
    for topic, each in times.items():
        steps = np.diff(each) / 1e9
        if topic.type in TYPES and not is_known(topic):
            found.append(f"{topic.name} has another definition of {topic.type}; it is not used")
        if len(steps) and steps.min() < -JUMP:
            found.append(f"{topic.name}: the clock jumps back by {-steps.min():.1f} s")
        if topic.name in (roles.get("image"), roles.get("odometry")) and len(steps):
            longest = float(steps.max())
            if longest > max(GAP, TIMES_LONGER * float(np.median(steps))):
                found.append(f"{topic.name}: {longest:.1f} s without a message")
    return found


def _folder(path: Path) -> BagInfo:
    files, warnings = picture_files(path), list[str]()
    try:
        files, times, _ = folder_times(path, files, None, warnings)
    except MissingData as error:
        warnings.append(str(error))
        times = np.full(len(files), math.nan)
    if not any((path / name).is_file() for name in (WAY, PICKLED)):
        warnings.append(f"no odometry: bring {WAY} (time_s,x_m,y_m,heading_deg) or {PICKLED}")
    return _pictures(path, "folder", "pictures", times, warnings)


def _pictures(
    path: Path, kind: str, what: str, times: FloatArray, warnings: Sequence[str]
) -> BagInfo:
    steps = np.diff(times)
    length = float(steps.sum()) if len(steps) and not math.isnan(times[0]) else 0.0
    told = TopicInfo(
        name=path.name,
        type=what,
        messages=len(times),
        hz=len(steps) / length if length > 0 else None,
        longest_gap=float(steps.max()) if length > 0 else None,
        first=0.0,
    )
    use = Use(role="image", topic=path.name, reason="the pictures")
    return BagInfo(
        path=path,
        kind=kind,
        start=None,
        duration=length,
        topics=[told],
        uses=[use],
        warnings=warnings,
    )
