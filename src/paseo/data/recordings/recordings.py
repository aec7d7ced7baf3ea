"""Recordings of pedestrians: files in several formats become one kind of value."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import EllipsisType

import numpy as np

from paseo.data.archive import member_bytes
from paseo.data.recordings.formats import (
    bridges_gaps,
    guessed_format,
    is_in_pixels,
    sightings_of,
)
from paseo.data.recordings.sightings import Sightings, tracks_of, usual_step
from paseo.data.textfile import LARGEST_FILE, lines_of, text_lines
from paseo.errors import BadFile, BadValue
from paseo.text import storable
from paseo.world.arrays import FloatArray
from paseo.world.tracks import Recording, Track, absent_in_gaps, transformed

LONGEST_GAP, GAP_STEPS = 2.0, 5  # seconds, and times the usual step between sightings
MOST_FRAMES = 5_000_000  # of all people, through which they are taken to walk on, seen or not
STEPS_SEEN = 10  # before a step is called usual
SLOWEST_FPS, FASTEST_FPS = 0.01, 100_000.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadRecording:
    """What a file holds before anything is made of it, and why it was read that way."""

    path: Path
    format: str
    reason: str  # why this format, as in 'its name ends in .vsp'
    sightings: Sightings


def read_recording(
    path: Path | str,
    *,
    format: str | None = None,
    fps: float | None = None,
    affine: FloatArray | None = None,
    longest_gap: float | EllipsisType | None = ...,
    name: str | None = None,
) -> Recording:
    """The people filmed, from a file in one of FORMATS; guessed if `format` is None.

    Times are frame / fps seconds; only TrajNet++ files may tell `fps` themselves. `affine`, (2, 3),
    turns the file's coordinates into metres; vsp files are in pixels and need one.

    A person not seen for more than `longest_gap` seconds is absent meanwhile; None lets everybody
    glide through any gap. Left out, it is 2 s or five times the usual step between sightings if
    that is longer, so that no published track is torn. For vsp it is None: control points are set
    where a path bends, up to 111 s apart in zara02, and the person was there all the time.
    """
    reading = read_sightings(Path(path), format=format)
    return recording_of(reading, fps=fps, affine=affine, longest_gap=longest_gap, name=name)


def read_sightings(
    path: Path, *, format: str | None = None, member: str | None = None
) -> ReadRecording:
    """The rows of a recording file, or of one member of a .zip or .tar archive."""
    if member is None:
        lines = text_lines(path)
    else:
        data = member_bytes(path, member, largest=LARGEST_FILE)
        path = path / member
        lines = lines_of(data, path)
    kind, reason = (format, "as told") if format else guessed_format(path, lines)
    sightings = sightings_of(kind, lines, path)
    return ReadRecording(path=path, format=kind, reason=reason, sightings=sightings)


def recording_of(
    reading: ReadRecording,
    *,
    fps: float | None = None,
    affine: FloatArray | None = None,
    longest_gap: float | EllipsisType | None = ...,
    name: str | None = None,
) -> Recording:
    """The recording that was read, in seconds and metres; see `read_recording`."""
    path, kind, sightings = reading.path, reading.format, reading.sightings
    matrix = _checked_affine(affine, kind, path)
    rate = _frame_rate(sightings.fps if fps is None else fps, kind, path)
    tracks = tracks_of(sightings, rate)
    if matrix is not None:
        tracks = tuple(transformed(track, matrix) for track in tracks)
    longest = bridged_gap(reading, rate) if isinstance(longest_gap, EllipsisType) else longest_gap
    if longest is None:
        _check_bridges(tracks, rate, path)
    else:
        _check_gap(longest)
        tracks = tuple(absent_in_gaps(track, longest) for track in tracks)
    return Recording(name=name or storable(Path(_plain_name(path)).stem), fps=rate, tracks=tracks)


def bridged_gap(reading: ReadRecording, fps: float) -> float | None:
    """The longest time unseen, in seconds, through which people of a file are taken to walk on."""
    if bridges_gaps(reading.format):
        return None
    step = usual_step(reading.sightings, least=STEPS_SEEN) or 1.0
    return max(LONGEST_GAP, GAP_STEPS * step / fps)


def _plain_name(path: Path) -> str:
    return path.name.removesuffix(".gz")


def _frame_rate(fps: float | None, kind: str, path: Path) -> float:
    if fps is None:
        raise BadValue(f"{path}: this {kind} file does not tell its frame rate; give fps")
    if not SLOWEST_FPS <= fps <= FASTEST_FPS:
        raise BadValue(
            f"{path}: {fps:g} frames per second make no sense; "
            f"give fps between {SLOWEST_FPS:g} and {FASTEST_FPS:g}"
        )
    return float(fps)


def _checked_affine(affine: FloatArray | None, kind: str, path: Path) -> FloatArray | None:
    if affine is None and is_in_pixels(kind):
        raise BadValue(
            f"{path}: a {kind} file is in pixels; give the affine to metres (transform on the "
            "command line, to_metres in a suite)",
            parameters=["transform"],
        )
    if affine is not None and not (affine.shape == (2, 3) and np.isfinite(affine).all()):
        raise BadValue(f"the affine must be 2 rows of 3 finite numbers, not {affine.tolist()}")
    return affine


def _check_bridges(tracks: Sequence[Track], fps: float, path: Path) -> None:
    frames = sum(float(track.times[-1] - track.times[0]) * fps for track in tracks)
    if frames > MOST_FRAMES:
        raise BadFile(
            f"{path}: its people are there for {frames:.0f} frames in all, most of them unseen, "
            f"expected at most {MOST_FRAMES}; a frame number in it is wrong, or people need a "
            "longest_gap"
        )


def _check_gap(longest: float) -> None:
    if not longest > 0:
        raise BadValue(
            f"the longest gap must be more than 0 s, not {longest:g}; None bridges any gap"
        )
