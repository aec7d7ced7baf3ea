"""Recordings of pedestrians: files in five formats become one kind of value."""

import math
from collections.abc import Callable
from pathlib import Path
from types import EllipsisType

import numpy as np

from paseo.data.csv_tracks import csv_sightings
from paseo.data.obsmat import obsmat_sightings
from paseo.data.sightings import Sightings, tracks_of
from paseo.data.socnavbench_csv import socnavbench_sightings
from paseo.data.textfile import text_lines
from paseo.data.trajnet import trajnet_sightings
from paseo.data.vsp import vsp_sightings
from paseo.errors import BadFile, BadValue, UnknownName
from paseo.world.people import FloatArray
from paseo.world.tracks import Recording, absent_in_gaps, transformed

FORMATS: dict[str, Callable[[list[str], Path], Sightings]] = {
    "csv": csv_sightings,
    "obsmat": obsmat_sightings,
    "vsp": vsp_sightings,
    "socnavbench": socnavbench_sightings,
    "trajnet": trajnet_sightings,
}
LONGEST_GAP = 2.0
SLOWEST_FPS, FASTEST_FPS = 0.01, 100_000.0


def read_recording(
    path: Path,
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
    glide through any gap. Left out, it is 2 s, five times the 0.4 s between annotations of the ETH
    recordings, so that no published track is torn. For vsp it is None: control points are set
    where a path bends, up to 111 s apart in zara02, and the person was there all the time.
    """
    lines = text_lines(path)
    kind = format or guessed_format(path, lines)
    if kind not in FORMATS:
        raise UnknownName("recording format", kind, FORMATS)
    matrix = _checked_affine(affine, kind, path)
    sightings = FORMATS[kind](lines, path)
    rate = _frame_rate(sightings.fps if fps is None else fps, kind, path)
    tracks = tracks_of(sightings, rate)
    if matrix is not None:
        tracks = tuple(transformed(track, matrix) for track in tracks)
    longest = _longest_gap(longest_gap, kind)
    if longest is not None:
        tracks = tuple(absent_in_gaps(track, longest) for track in tracks)
    return Recording(name=name or Path(_plain_name(path)).stem, fps=rate, tracks=tracks)


def guessed_format(path: Path, lines: list[str]) -> str:
    """The format a file seems to have, by its name, else by its first line and number of lines."""
    name, first = _plain_name(path).lower(), lines[0]
    if name.endswith(".vsp") or "number of splines" in first:
        return "vsp"
    if name.endswith(".ndjson") or first.lstrip().startswith("{"):
        return "trajnet"
    if "obsmat" in name or ("," not in first and len(first.split()) == 8):
        return "obsmat"
    if len(lines) == 4 and "," in first and "frame" not in first:
        return "socnavbench"
    if name.endswith(".csv") or "," in first:
        return "csv"
    raise BadFile(
        f"{path}: line 1 is of no known recording format, expected one of {', '.join(FORMATS)}; "
        "name the format"
    )


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
    if affine is None and kind == "vsp":
        raise BadValue(
            f"{path}: a vsp file is in pixels; give the affine to metres (to_metres in a suite)"
        )
    if affine is not None and not (affine.shape == (2, 3) and np.isfinite(affine).all()):
        raise BadValue(f"the affine must be 2 rows of 3 finite numbers, not {affine.tolist()}")
    return affine


def _longest_gap(given: float | EllipsisType | None, kind: str) -> float | None:
    if isinstance(given, EllipsisType):
        return None if kind == "vsp" else LONGEST_GAP
    if given is not None and (math.isnan(given) or given <= 0):
        raise BadValue(
            f"the longest gap must be more than 0 s, not {given:g}; None bridges any gap"
        )
    return given
