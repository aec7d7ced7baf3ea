"""What is known of a drive in the end: the robot's way and the people around it."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from paseo.errors import BadValue
from paseo.pipeline.drives.drive import Odometry
from paseo.pipeline.locating.seen import SeenFrame
from paseo.pipeline.smoothing.tracks import SmoothTrack
from paseo.world.arrays import FloatArray
from paseo.world.cameras import Camera

UNCERTAIN = 0.1  # share of draws from which on what they do not share is called uncertain


@dataclass(frozen=True, kw_only=True, eq=False)
class Reconstruction:
    """A drive as people in the world, in the frame of its odometry."""

    name: str  # of the drive
    camera: Camera
    odometry: Odometry
    frame_times: FloatArray  # (frames,), seconds of the drive's clock, increasing
    seen: Mapping[int, SeenFrame]  # by number of the frame: the boxes that it rests on
    tracks: tuple[SmoothTrack, ...]
    scan_points: FloatArray | None = None  # (points, 2), what a laser met; None: there was none

    def __post_init__(self) -> None:
        times, points = self.frame_times, self.scan_points
        if times.ndim != 1 or not (np.isfinite(times).all() and (np.diff(times) > 0).all()):
            raise BadValue("times of frames must increase")
        if points is not None and not (points.ndim == 2 and points.shape[1] == 2):
            raise BadValue(f"points that a laser met must be (points, 2), not {points.shape}")
        for number, frame in self.seen.items():
            if number != frame.number or not 0 <= number < len(times):
                raise BadValue(f"people are seen in frame {number}, of {len(times)} from 0 on")
        people = [track.person for track in self.tracks]
        if len(set(people)) < len(people):
            raise BadValue("two tracks are of one person; number them apart")
