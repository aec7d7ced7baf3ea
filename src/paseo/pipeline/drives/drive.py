"""A drive: the frames that a robot's camera took, and where the robot was."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from paseo.errors import BadValue
from paseo.world.arrays import BoolArray, FloatArray
from paseo.world.cameras import Camera


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture as it was taken."""

    number: int  # in the drive, from 0
    time: float  # seconds, of the drive's clock
    picture: bytes  # JPEG or PNG


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Odometry:
    """Where the robot was by its own account."""

    times: FloatArray  # (samples,), seconds of the drive's clock, increasing
    poses: FloatArray  # (samples, 3), x, y and heading, which is not wrapped
    longest_gap: float = 0.5  # seconds without a sample after which it is not known
    # (samples,), radians by which the robot leans forward, nose down; None: it is not told.
    pitches: FloatArray | None = None

    def __post_init__(self) -> None:
        if self.pitches is not None and (
            self.pitches.shape != self.times.shape or not np.isfinite(self.pitches).all()
        ):
            raise BadValue(f"pitches must be finite, (samples,), not {self.pitches.shape}")
        if self.poses.shape != (len(self.times), 3) or not np.isfinite(self.poses).all():
            raise BadValue(f"poses must be finite, (samples, 3), not {self.poses.shape}")
        if not (np.isfinite(self.times).all() and (np.diff(self.times) > 0).all()):
            raise BadValue("times of odometry must increase")

    def at(self, times: FloatArray) -> FloatArray:
        """The pose, (times, 3), at each time, between samples; NaN in gaps and outside."""
        found = np.column_stack([np.interp(times, self.times, each) for each in self.poses.T])
        found[~self._knows(times)] = np.nan
        return found

    def pitch_at(self, times: FloatArray) -> FloatArray:
        """How far the robot leans forward, (times,), likewise; 0 where it is not told at all."""
        if self.pitches is None:
            return np.where(self._knows(times), 0.0, np.nan)
        return np.where(self._knows(times), np.interp(times, self.times, self.pitches), np.nan)

    def _knows(self, times: FloatArray) -> BoolArray:
        after = np.clip(np.searchsorted(self.times, times), 1, len(self.times) - 1)
        gap = self.times[after] - self.times[after - 1]
        exact = np.isin(times, self.times)
        outside = (times < self.times[0]) | (times > self.times[-1])
        return ~(outside | (~exact & (gap > self.longest_gap)))


class Drive(Protocol):
    """What a robot recorded; frames are read one after the other, never all at once."""

    @property
    def name(self) -> str:
        """Of the file, or as the user calls it."""

    @property
    def odometry(self) -> Odometry:
        """Where the robot was."""

    @property
    def camera(self) -> Camera | None:
        """As the drive itself tells (camera_info); None: it does not, or not all."""

    @property
    def frame_times(self) -> FloatArray:
        """(frames,), when each was taken, in seconds of the drive's clock, increasing."""

    @property
    def scan_points(self) -> FloatArray | None:
        """(points, 2), what a laser met; None: there was none."""

    def frames(self, first: int = 0) -> Iterator[Frame]:
        """The pictures in order, from one with a number on; may be asked for again."""
