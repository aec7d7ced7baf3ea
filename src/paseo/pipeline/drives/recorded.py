"""A drive that was recorded: what is known of it, and where its pictures are."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import numpy as np

from paseo.errors import BadFile, BadValue
from paseo.pipeline.drives.drive import Frame, Odometry
from paseo.world.arrays import FloatArray, IntArray
from paseo.world.cameras import Camera

JUST = 1e-6  # seconds
LONG = 1.0  # seconds without a picture that are told
EARLY = 1e8  # seconds; a clock that says more counts from 1970
SWIFT = 10.0  # metres a second that no robot among people drives


class PictureSource(Protocol):
    """Where the pictures of a drive are."""

    def pictures(self, places: IntArray) -> Iterator[bytes]:
        """The pictures, JPEG or PNG, at these places from 0, which increase."""


@dataclass(frozen=True, kw_only=True, eq=False)
class RecordedDrive:
    """A bag, a film or a folder, as a `Drive`; its clock begins with its first picture."""

    name: str
    odometry: Odometry
    camera: Camera | None
    frame_times: FloatArray  # (frames,), seconds, increasing
    places: IntArray  # (frames,), among all pictures of the source
    source: PictureSource
    start: float = 0.0  # seconds since 1970 at which the clock begins; 0: not known
    scan_points: FloatArray | None = None  # (points, 2), what stands there by the laser; None: none
    notes: tuple[str, ...] = ()  # what was assumed or left out, a sentence each

    def __post_init__(self) -> None:
        if len(self.places) != len(self.frame_times) or not len(self.places):
            raise BadValue(f"{self.name}: has no pictures that can be used")

    def frames(self, first: int = 0) -> Iterator[Frame]:
        """The pictures in order, from one with a number on, to go on where somebody stopped."""
        places, times = self.places[first:], self.frame_times[first:]
        for number, picture in enumerate(self.source.pictures(places)):
            yield Frame(first + number, float(times[number]), picture)


def sampled(times: FloatArray, fps: float | None) -> IntArray:
    """Which pictures to take, so that at most `fps` make a second; all without it.

    At every tick of an even clock the picture that is first then: so the mean rate is kept.
    """
    if fps is None:
        return np.arange(len(times))
    if not 0 < fps < np.inf:
        raise BadValue(f"fps is {fps:g}, expected over 0", parameters=("fps",))
    ticks = np.floor((times - times[0] + JUST) * fps)
    return np.flatnonzero(np.concatenate([[True], np.diff(ticks) > 0]))


def from_first_picture(odometry: Odometry, times: FloatArray) -> tuple[Odometry, FloatArray]:
    """Odometry and times of pictures on a clock that begins with the first of these."""
    return replace(odometry, times=odometry.times - times[0]), times - times[0]


def check_common(path: Path, times: FloatArray, odometry: Odometry, parameter: str) -> None:
    """Refuse pictures and odometry that have no time in common; `parameter` mends it."""
    if odometry.times[-1] < times[0] or odometry.times[0] > times[-1]:
        raise BadFile(
            f"{path}: pictures from {times[0]:.1f} to {times[-1]:.1f} s and odometry from "
            f"{odometry.times[0]:.1f} to {odometry.times[-1]:.1f} s have no time in common, "
            f"expected one clock; correct the times, or {parameter}",
            parameters=(parameter,),
        )


def oddities(odometry: Odometry, times: FloatArray) -> list[str]:
    """Gaps in pictures and odometry, and leaps of the robot, a sentence each."""
    notes = []
    steps = np.diff(times)
    if len(steps) and steps.max() > max(LONG, 3 * float(np.median(steps))):
        at = int(np.argmax(steps))
        notes.append(f"no picture for {steps[at]:.1f} s after {times[at]:.1f} s")
    unknown = np.isnan(odometry.at(times)[:, 0])
    if unknown.any():
        notes.append(f"{unknown.sum()} of {len(times)} pictures have no odometry at their time")
    moves = np.hypot(*np.diff(odometry.poses[:, :2], axis=0).T)
    speeds = moves / np.diff(odometry.times)
    if len(speeds) and speeds.max() > SWIFT:
        at = int(np.argmax(speeds))
        notes.append(
            f"odometry leaps by {moves[at]:.2f} m at {odometry.times[at]:.1f} s, which is "
            f"{speeds[at]:.0f} m/s"
        )
    return notes
