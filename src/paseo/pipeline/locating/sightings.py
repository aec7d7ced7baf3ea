"""Boxes of a drive as arrays, with where the robot was and what of each person is hidden."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from paseo.errors import BadValue
from paseo.pipeline.drives.drive import Odometry
from paseo.pipeline.locating.doubts import DOUBTS
from paseo.pipeline.locating.seen import SeenFrame
from paseo.world.arrays import BoolArray, FloatArray, IntArray
from paseo.world.cameras import Camera

EDGE_PX, EDGE_DEVIATIONS = 1.0, 2.0  # nearer to the picture's edge a box is taken to be cut by it
COVERED = 0.6  # share of a box that somebody before it may stand in, and feet and head be seen
SLIMMEST = 0.25  # of a box cut by the picture's side, across to down, of which the head is seen
AROUND = 0.05  # seconds before and after, for how fast the robot was


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sightings:
    """Everybody in every frame, one row for each; sorted by frame."""

    frames: IntArray  # (rows,), numbers of the drive's frames
    people: IntArray  # (rows,)
    times: FloatArray  # (rows,), seconds
    boxes: FloatArray  # (rows, 4): left, top, right, bottom in pixels
    own: FloatArray  # (rows, 3): right, down, forward by the source's own account; NaN: none
    poses: FloatArray  # (rows, 3) of the robot then; NaN where it is not known
    motion: FloatArray  # (rows, 3), how fast the pose changes; 0 where it is not known
    tilts: FloatArray  # (rows, 2), the robot's pitch and roll then: nose down, right side down
    feet: BoolArray  # (rows,), whether the feet are seen
    head: BoolArray  # (rows,), whether the top of the head is
    sides: BoolArray  # (rows,), whether both sides are

    def __len__(self) -> int:
        return len(self.frames)

    def alike(self, within: float) -> FloatArray:
        """How many frames count as one, (rows,), if errors of a person's boxes fade in such a time.

        Of errors that fade exponentially, so many have a mean as unsure as one new error has:
        (1 + r) / (1 - r), with r what is left of an error after one frame.
        """
        found = np.ones(len(self))
        if not within:
            return found
        order = np.lexsort((self.times, self.people))
        steps = np.where(np.diff(self.people[order]) == 0, np.diff(self.times[order]), np.inf)
        before, after = np.r_[np.inf, steps], np.r_[steps, np.inf]
        found[order] = 1 / np.tanh(_between(before, after) / (2 * within))
        return found

    def only(self, rows: BoolArray | IntArray) -> "Sightings":
        """Some of the rows."""
        return Sightings(**{name: getattr(self, name)[rows] for name in self.__slots__})


def sightings(
    odometry: Odometry,
    frame_times: FloatArray,
    seen: Iterable[SeenFrame],
    camera: Camera,
    tilts: FloatArray | None = None,
    *,
    box_px: float = DOUBTS.box_px,
) -> Sightings:
    """Boxes as rows, whose edges are off by `box_px`.

    `tilts` (frames, 2) are pitch and roll in each frame, None: as odometry tells. The robot's pose
    is the one at the time of the frame itself, between samples of the odometry. A camera at a
    place of its own has that for a robot.
    """
    frames = [frame for frame in seen if frame.people]
    counts = [len(frame.people) for frame in frames]
    numbers = np.repeat(np.array([each.number for each in frames], dtype=np.int64), counts)
    if len(numbers) and not (numbers.min() >= 0 and numbers.max() < len(frame_times)):
        raise BadValue(
            f"people are seen in frame {numbers.max()}, but the drive has {len(frame_times)} "
            "frames; give the results of this drive, counted from the same frame"
        )
    people = [each for frame in frames for each in frame.people]
    nowhere = (np.nan, np.nan, np.nan)
    boxes = np.array([each.box for each in people], dtype=float).reshape(-1, 4)
    own = np.array([each.position or nowhere for each in people], dtype=float).reshape(-1, 3)
    times = np.asarray(frame_times, dtype=float)[numbers]
    leaning = _leaning(odometry, frame_times, camera) if tilts is None else tilts
    if leaning.shape != (len(frame_times), 2):
        raise BadValue(f"tilts are {leaning.shape}, expected pitch and roll for each frame")
    poses, motion = _carried(odometry, times, camera)
    edge = EDGE_PX + EDGE_DEVIATIONS * box_px
    inside = np.hstack([boxes[:, :2] > edge, boxes[:, 2:] < _size(camera) - edge])
    sides = inside[:, 0] & inside[:, 2]
    feet_hidden, head_hidden = _hidden(numbers, boxes)
    across, down = (boxes[:, 2:] - boxes[:, :2]).T
    return Sightings(
        frames=numbers,
        people=np.array([each.person for each in people], dtype=np.int64),
        times=times,
        boxes=boxes,
        own=own,
        poses=poses,
        motion=motion,
        tilts=leaning[numbers],
        feet=inside[:, 3] & ~feet_hidden,
        head=inside[:, 1] & ~head_hidden & (sides | (across > SLIMMEST * down)),
        sides=sides,
    )


def _size(camera: Camera) -> FloatArray:
    return np.array([camera.width_px, camera.height_px], dtype=float)


def _leaning(odometry: Odometry, frame_times: FloatArray, camera: Camera) -> FloatArray:
    """The robot's pitch and roll in each frame, (frames, 2), as far as the odometry tells them."""
    found = np.zeros((len(frame_times), 2))
    if camera.at is None and odometry.pitches is not None:
        found[:, 0] = np.nan_to_num(odometry.pitch_at(np.asarray(frame_times, dtype=float)))
    return found


def _between(before: FloatArray, after: FloatArray) -> FloatArray:
    """The mean of two steps, or the only one there is."""
    both = np.isfinite(before) & np.isfinite(after)
    return np.where(both, (before + after) / 2, np.minimum(before, after))


def _carried(
    odometry: Odometry, times: FloatArray, camera: Camera
) -> tuple[FloatArray, FloatArray]:
    """Poses of what carries the camera, (times, 3), and how fast they change."""
    if camera.at is not None:
        fixed = np.array([camera.at.x, camera.at.y, camera.at.heading])
        return np.tile(fixed, (len(times), 1)), np.zeros((len(times), 3))
    poses = odometry.at(times)
    motion = (odometry.at(times + AROUND) - odometry.at(times - AROUND)) / (2 * AROUND)
    return poses, np.nan_to_num(motion)


def _hidden(frames: IntArray, boxes: FloatArray) -> tuple[BoolArray, BoolArray]:
    """Whose feet, and whose head, are behind somebody who is nearer: whose box ends lower."""
    feet, head = np.zeros(len(frames), dtype=bool), np.zeros(len(frames), dtype=bool)
    ends = np.r_[0, np.flatnonzero(np.diff(frames)) + 1, len(frames)]
    for start, stop in pairwise(ends.tolist()):
        if stop - start > 1:
            left, top, right, bottom = boxes[start:stop].T
            both = np.minimum(right[:, None], right) - np.maximum(left[:, None], left)
            share = both / np.maximum(right - left, 1e-6)[:, None]
            before = (bottom > bottom[:, None]) & (share > COVERED)
            feet[start:stop] = (before & (top < bottom[:, None])).any(axis=1)
            head[start:stop] = (before & (top < top[:, None])).any(axis=1)
    return feet, head
