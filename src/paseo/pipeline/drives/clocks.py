"""Which clock to trust, and which messages stay when clocks jump.

Every message has a time by its sender (the stamp of its header) and one by the recorder. Stamps
are better, for they say when something was measured; but they may be unset, may jump, and two
senders may have two clocks.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from paseo.errors import BadFile
from paseo.world.arrays import BoolArray, FloatArray, IntArray

JUMP = 0.5  # seconds back that no delay explains
LEAP = 1.0  # seconds forth likewise
APART = 0.5  # seconds by which delays of two topics may differ
UNSET = 0.01  # share of stamps that may be 0
SECOND = 10**9  # nanoseconds


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stamps:
    """When messages of one topic were sent and recorded, in the order of the bag."""

    sent: IntArray  # (messages,), nanoseconds
    recorded: IntArray  # (messages,), nanoseconds
    order: IntArray  # (messages,), their places among all messages that were read


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Timeline:
    """The messages that are kept of each topic, on one clock."""

    start: int  # nanoseconds since 1970, the first picture
    kept: Mapping[str, BoolArray]  # (messages,), by topic
    times: Mapping[str, FloatArray]  # (messages,), seconds from the start, by topic
    notes: tuple[str, ...]


def timeline(stamps: Mapping[str, Stamps], *, main: str, name: str) -> Timeline:
    """The longest stretch of a drive on one clock, and what had to be left out for it.

    `main` is the topic of the pictures, which the stretch is chosen for; `name` is the drive's.
    """
    trouble = _trouble(stamps)
    if not trouble:
        by_header = _stretch({topic: each.sent for topic, each in stamps.items()}, stamps, main)
        if _overlap(by_header, main):
            return _told(by_header, "the stamps of their headers", ())
        trouble = "those of pictures and odometry have no time in common"
    recorded = _stretch({topic: each.recorded for topic, each in stamps.items()}, stamps, main)
    if not _overlap(recorded, main):
        raise _apart(recorded, main, name)
    why = (f"the stamps of headers are not used, for {trouble}",)
    return _told(recorded, "the times of recording", why)


def increasing(times: FloatArray | IntArray) -> BoolArray:
    """Which times are later than all before them; the others came late, or twice."""
    before = np.concatenate([[-np.inf], np.maximum.accumulate(times)[:-1]])
    return np.asarray(times > before)


def _told(timeline: Timeline, clock: str, why: tuple[str, ...]) -> Timeline:
    return Timeline(
        start=timeline.start,
        kept=timeline.kept,
        times=timeline.times,
        notes=(f"times are {clock}", *why, *timeline.notes),
    )


def _trouble(stamps: Mapping[str, Stamps]) -> str:
    """Why the stamps of headers cannot be trusted; empty if they can."""
    delays: dict[str, float] = {}
    for topic, each in stamps.items():
        if not len(each.sent):
            continue
        if np.mean(each.sent == 0) > UNSET:
            return f"{topic} does not set them"
        sent, recorded = np.diff(each.sent) / SECOND, np.diff(each.recorded) / SECOND
        odd = ((sent < -JUMP) & (recorded >= -JUMP)) | ((sent > LEAP) & (recorded < sent / 2))
        if odd.any():
            at = int(np.argmax(odd))
            return f"those of {topic} jump by {sent[at]:+.1f} s"
        delays[topic] = float(np.median(each.recorded - each.sent)) / SECOND
    if delays and max(delays.values()) - min(delays.values()) > APART:
        late, early = max(delays, key=delays.__getitem__), min(delays, key=delays.__getitem__)
        return f"those of {late} are {delays[late] - delays[early]:.1f} s behind those of {early}"
    return ""


def _stretch(times: Mapping[str, IntArray], stamps: Mapping[str, Stamps], main: str) -> Timeline:
    """The longest part in which the clock of all topics together does not jump back."""
    topics = list(times)
    whole = np.concatenate([times[topic] for topic in topics])
    owners = np.concatenate([np.full(len(times[topic]), k) for k, topic in enumerate(topics)])
    sound = {topic: _is_no_outlier(times[topic]) for topic in topics}
    cuts = np.unique(np.concatenate([
        _cuts(times[topic][sound[topic]], stamps[topic].order[sound[topic]]) for topic in topics
    ]))  # fmt: skip
    order = np.concatenate([stamps[topic].order for topic in topics])
    part = np.searchsorted(cuts, order, side="right")
    part[~np.concatenate([sound[topic] for topic in topics])] = -1
    is_picture = owners == topics.index(main)
    counts = np.bincount(part[is_picture & (part >= 0)], minlength=1)
    chosen = int(np.argmax(counts))
    notes = _left_out(whole, part, chosen, int(is_picture.sum()), int(counts.max()))
    kept, pictures = {}, times[main]
    for k, topic in enumerate(topics):
        here = part[owners == k] == chosen
        later = np.zeros(len(here), bool)
        later[here] = increasing(times[topic][here])
        kept[topic] = later
        if dropped := int((here & ~later).sum()):
            notes.append(f"{dropped} messages of {topic} came twice or out of order; left out")
    start = int(pictures[kept[main]][0]) if kept[main].any() else 0
    seconds = {topic: (times[topic] - start) / SECOND for topic in topics}
    return Timeline(start=start, kept=kept, times=seconds, notes=tuple(notes))


def _left_out(whole: IntArray, part: IntArray, chosen: int, pictures: int, kept: int) -> list[str]:
    notes = []
    if lonely := int((part < 0).sum()):
        notes.append(f"{lonely} messages have a time far from those around them; left out")
    if part.max() > 0:
        used = whole[part == chosen]
        length = (used.max() - used.min()) / SECOND
        notes.append(
            f"the clock jumps back; the part with most pictures is used ({kept} of {pictures}, "
            f"{length:.1f} s)"
        )
    return notes


def _is_no_outlier(times: IntArray) -> BoolArray:
    """False for a single message whose neighbours agree with each other and not with it."""
    sound = np.ones(len(times), bool)
    if len(times) > 2:
        steps = np.abs(np.diff(times)) / SECOND
        around = np.abs(times[2:] - times[:-2]) / SECOND
        sound[1:-1] = ~((steps[:-1] > JUMP) & (steps[1:] > JUMP) & (around < LEAP))
    return sound


def _cuts(times: IntArray, order: IntArray) -> IntArray:
    """The places among all messages at which the clock of one topic has jumped back."""
    return order[1:][np.diff(times) < -JUMP * SECOND]


def _overlap(timeline: Timeline, main: str) -> bool:
    pictures = timeline.times[main][timeline.kept[main]]
    for topic, times in timeline.times.items():
        here = times[timeline.kept[topic]]
        if not len(here) or not len(pictures):
            return False
        if here[0] > pictures[-1] or here[-1] < pictures[0]:
            return False
    return True


def _apart(timeline: Timeline, main: str, name: str) -> BadFile:
    spans = []
    for topic, times in timeline.times.items():
        here = times[timeline.kept[topic]]
        spans.append(
            f"{topic} from {here[0]:.1f} to {here[-1]:.1f} s" if len(here) else f"{topic} never"
        )
    return BadFile(
        f"{name}: pictures and odometry have no time in common ({', '.join(spans)}), expected one "
        "clock; choose other topics, or correct the times",
        parameters=("topics",),
    )
