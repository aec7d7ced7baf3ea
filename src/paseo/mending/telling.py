"""What the page is told of a reconstruction, as plain values."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from paseo.pipeline.corrections import frames_of
from paseo.pipeline.reconstruction import Reconstruction
from paseo.pipeline.smoothing.tracks import SmoothTrack
from paseo.world.arrays import FloatArray, IntArray

WITHIN_95 = math.sqrt(5.991)  # deviations that hold 95 % of places: chi-square, two degrees
MOST_SHOWN = 20_000  # frames
LONGEST_STEP = 0.2  # seconds between frames of a drive that has more


def shown_frames(times: FloatArray) -> IntArray:
    """The numbers of the frames that a person looks at: all, or some where they are many."""
    if len(times) <= MOST_SHOWN:
        return np.arange(len(times))
    steps = np.floor((times - times[0]) / max(LONGEST_STEP, (times[-1] - times[0]) / MOST_SHOWN))
    return np.unique(steps, return_index=True)[1]


def told(drive: Reconstruction, *, corrections: Sequence[str]) -> dict[str, Any]:
    """Frames, boxes, the robot's way, and everybody with their tracks."""
    shown = shown_frames(drive.frame_times)
    times = drive.frame_times[shown]
    people = sorted({each.person for frame in drive.seen.values() for each in frame.people})
    return {
        "name": drive.name,
        "width": drive.camera.width_px,
        "height": drive.camera.height_px,
        "frames": shown.tolist(),
        "times": _rounded(times - drive.frame_times[0]),
        "robot": [
            None if np.isnan(pose).any() else _rounded(pose) for pose in drive.odometry.at(times)
        ],
        "boxes": {
            number: _boxes(drive, number) for number in shown.tolist() if number in drive.seen
        },
        "people": [_person(drive, number) for number in people],
        "corrections": list(corrections),
    }


def _boxes(drive: Reconstruction, number: int) -> list[list[float | None]]:
    return [[each.person, *_rounded(each.box, 1)] for each in drive.seen[number].people]


def _person(drive: Reconstruction, person: int) -> dict[str, Any]:
    """Somebody: where in the drive, and their tracks, of which there may be none."""
    numbers = frames_of(drive.seen, person)
    tracks = [each for each in drive.tracks if person in (each.person, each.seen_as)]
    begun = float(drive.frame_times[0])
    return {
        "person": person,
        "first": numbers[0],
        "last": numbers[-1],
        "from": _rounded([drive.frame_times[numbers[0]] - begun])[0],
        "to": _rounded([drive.frame_times[numbers[-1]] - begun])[0],
        "boxes": len(numbers),
        "rejected": sum(len(each.rejected) for each in tracks),
        "speed": _rounded([_speed(tracks)])[0],
        "deviation": _rounded([_deviation(tracks)])[0],
        "tracks": [_track(each, begun) for each in tracks],
    }


def _track(track: SmoothTrack, begun: float) -> dict[str, Any]:
    return {
        "times": _rounded(track.times - begun),
        "places": [_rounded(each) for each in track.states[:, :2]],
        "ellipses": [_rounded(each) for each in ellipses(track.covariances[:, :2, :2])],
    }


def ellipses(covariances: FloatArray) -> FloatArray:
    """(samples, 3): half the length, half the width and the angle of what holds 95 % of places."""
    variances, axes = np.linalg.eigh(covariances)
    halves = WITHIN_95 * np.sqrt(np.maximum(variances[:, ::-1], 0.0))
    return np.column_stack([halves, np.arctan2(axes[:, 1, 1], axes[:, 0, 1])])


def _speed(tracks: Sequence[SmoothTrack]) -> float:
    return (
        float(np.median(np.concatenate([t.states[:, 3] for t in tracks]))) if tracks else math.nan
    )


def _deviation(tracks: Sequence[SmoothTrack]) -> float:
    """How unsure places are, in the middle of all: the root of the mean variance of both axes."""
    if not tracks:
        return math.nan
    found = np.concatenate([np.einsum("nii->n", t.covariances[:, :2, :2]) / 2 for t in tracks])
    return math.sqrt(float(np.median(found)))


def _rounded(values: Any, digits: int = 3) -> list[float | None]:
    """Numbers for JSON, which has no NaN."""
    return [round(float(each), digits) if math.isfinite(each) else None for each in values]
