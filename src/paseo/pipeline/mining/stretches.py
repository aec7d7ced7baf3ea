"""A drive at the rate of scenes: stretches without a gap, with everybody in them."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from paseo.data.scenes.images import Size
from paseo.data.scenes.writing import Box
from paseo.errors import BadValue
from paseo.pipeline.reconstruction import Reconstruction
from paseo.pipeline.smoothing.tracks import SmoothTrack
from paseo.pipeline.walks import positions_at
from paseo.world.arrays import FloatArray, IntArray
from paseo.world.scenes import ClipTiming

NEAR = 0.4  # of a period: how far off the picture of a moment may be


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Passing:
    """Somebody in a stretch; NaN in frames whose picture does not show them."""

    person: int
    positions: FloatArray  # (frames, 2), metres in the frame of the odometry
    boxes: FloatArray  # (frames, 4), left, top, right, bottom in pixels
    first: int  # frame that shows them, and the last one
    last: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stretch:
    """A part of a drive in which a picture and the robot's pose are known at every moment."""

    number: int  # in the drive, from 0
    frames: IntArray  # (frames,), their numbers in the drive
    times: FloatArray  # (frames,), when they were taken
    robot: FloatArray  # (frames, 3), x, y and heading in the frame of the odometry
    people: tuple[Passing, ...]


def stretches(reconstruction: Reconstruction, timing: ClipTiming) -> tuple[Stretch, ...]:
    """The drive at the rate of `timing`, parted wherever a picture or the robot's pose is missing.

    A moment's picture is the nearest one, at most 0.4 of a period off; everything is told for
    the time at which that picture was taken. What is shorter than a clip and one frame is left
    out.
    """
    numbers = _sampled(reconstruction.frame_times, timing.period)
    found: list[Stretch] = []
    for frames in _whole(numbers, reconstruction):
        if len(frames) > timing.frames:
            found.append(_stretch(len(found), frames, reconstruction))
    return tuple(found)


def _sampled(times: FloatArray, period: float) -> IntArray:
    """The number of the picture nearest to each moment, (moments,); -1 where none is near."""
    if not len(times):
        raise BadValue("the drive has no frames, expected some; check which topic holds pictures")
    moments = np.arange(times[0], times[-1] + period / 2, period)
    after = np.clip(np.searchsorted(times, moments), 1, max(len(times) - 1, 1))
    sooner, later = after - 1, np.minimum(after, len(times) - 1)
    nearest = np.where(moments - times[sooner] <= times[later] - moments, sooner, later)
    return np.where(np.abs(times[nearest] - moments) <= NEAR * period, nearest, -1)


def _whole(numbers: IntArray, reconstruction: Reconstruction) -> Iterator[IntArray]:
    """Runs of moments with a picture and a pose of the robot."""
    poses = reconstruction.odometry.at(reconstruction.frame_times[numbers])
    known = (numbers >= 0) & ~np.isnan(poses[:, 0])
    for piece in np.split(np.arange(len(numbers)), np.flatnonzero(np.diff(known)) + 1):
        if known[piece[0]]:
            yield numbers[piece]


def _stretch(number: int, frames: IntArray, reconstruction: Reconstruction) -> Stretch:
    times = reconstruction.frame_times[frames]
    boxes = _boxes(frames, reconstruction)
    tracks = sorted(reconstruction.tracks, key=lambda track: track.person)
    people = (_passing(track, times, boxes.get(_box_of(track), {})) for track in tracks)
    return Stretch(
        number=number,
        frames=frames,
        times=times,
        robot=reconstruction.odometry.at(times),
        people=tuple(person for person in people if person is not None),
    )


def _box_of(track: SmoothTrack) -> int:
    """Whose boxes a track rests on: one person in pictures may have become several tracks."""
    return track.person if track.seen_as is None else track.seen_as


def _boxes(frames: IntArray, reconstruction: Reconstruction) -> dict[int, dict[int, Box]]:
    """The boxes, cut to the picture, by person and by frame of the stretch."""
    camera = reconstruction.camera
    size = camera.width_px, camera.height_px
    found: dict[int, dict[int, Box]] = {}
    for place, frame in enumerate(frames.tolist()):
        if frame in reconstruction.seen:
            for seen in reconstruction.seen[frame].people:
                box = cut_box(seen.box, size)
                if box is not None:
                    found.setdefault(seen.person, {})[place] = box
    return found


def cut_box(box: Box, size: Size) -> Box | None:
    """What of a box lies in the picture, to a hundredth of a pixel; None: nothing."""
    left, top, right, bottom = box
    width, height = size
    left, right = max(left, 0.0), min(right, float(width))
    top, bottom = max(top, 0.0), min(bottom, float(height))
    if not (left < right and top < bottom):  # not so for NaN either
        return None
    return round(left, 2), round(top, 2), round(right, 2), round(bottom, 2)


def _passing(track: SmoothTrack, times: FloatArray, boxes: dict[int, Box]) -> Passing | None:
    places = positions_at(track, times)
    shown = [place for place in boxes if not np.isnan(places[place, 0])]
    if not shown:
        return None
    positions, drawn = np.full((len(times), 2), np.nan), np.full((len(times), 4), np.nan)
    positions[shown], drawn[shown] = places[shown], [boxes[place] for place in shown]
    return Passing(
        person=track.person, positions=positions, boxes=drawn, first=min(shown), last=max(shown)
    )
