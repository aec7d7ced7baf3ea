"""Recordings to be examined: by their names, or from files and how those are to be read."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from types import EllipsisType

import numpy as np

from paseo.crowd_check.continuity import repeated_finding
from paseo.crowd_check.findings import Finding
from paseo.crowd_check.frame_rate import likely_rates
from paseo.crowd_check.pace import pace
from paseo.crowd_check.samples import moments
from paseo.data.recordings.recordings import ReadRecording, read_sightings, recording_of
from paseo.data.recordings.sightings import without_repeats
from paseo.data.store.catalog import Affine
from paseo.data.store.importing import only_member
from paseo.data.store.locations import UNMOVED, DataFolder
from paseo.errors import BadValue, InputError, UnknownName
from paseo.world.tracks import Recording, at_rate, transformed

ANY_RATE = 25.0  # to look at the people of a file whose rate is not known yet


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingOptions:
    """How a recording is to be read; what is left out is guessed, or as the file tells."""

    format: str | None = None
    member: str | None = None  # of an archive of several files
    fps: float | None = None
    transform: Affine | None = None  # to metres, in the frame of the map
    longest_gap: float | EllipsisType | None = ...  # seconds; None: people walk on through any

    def check_unused(self, *names: str, target: str, kind: str) -> None:
        """Raise `InputError` for one of these options that was given for what is no file."""
        for name in names:
            if getattr(self, name) is not (... if name == "longest_gap" else None):
                raise InputError(f"{name} is for files; '{target}' is {kind}", parameters=[name])


def crowd_file(target: str, names: Iterable[str], kind: str = "crowd or file") -> Path:
    """The file that a target means which is none of the known names."""
    path = Path(target)
    if not path.suffix and not path.exists():
        raise UnknownName(kind, target, names)
    return path


def read_rows(path: Path, options: ReadingOptions) -> ReadRecording:
    """The rows of a recording's file."""
    member = options.member or only_member(path)
    return read_sightings(path, format=options.format, member=member)


def require_rate(rows: ReadRecording, options: ReadingOptions) -> None:
    """Raise `BadValue`, with the likely frame rates, where none is told."""
    if options.fps is None and rows.sightings.fps is None:
        raise missing_rate(rows, options.transform)


def filmed_recording(
    rows: ReadRecording, options: ReadingOptions
) -> tuple[Recording, list[Finding]]:
    """The people of a file, and what is wrong with its rows."""
    require_rate(rows, options)
    first, people, apart = without_repeats(rows.sightings)
    recording = recording_of(
        replace(rows, sightings=first),
        fps=options.fps,
        affine=np.array(options.transform or UNMOVED),
        longest_gap=options.longest_gap,
    )
    repeated = repeated_finding(people, apart, "of the file's units")
    return recording, [repeated] if repeated else []


def placed_recording(name: str, options: ReadingOptions, data: DataFolder) -> Recording:
    """A named recording, on its map."""
    options.check_unused("format", "member", "longest_gap", target=name, kind="a named crowd")
    recording = data.recording(name)
    if options.fps is not None:
        recording = at_rate(recording, options.fps)
    _, onto_map = data.placement(name)
    return _moved(_moved(recording, onto_map), options.transform)


def guess_notes(rows: ReadRecording, options: ReadingOptions) -> list[str]:
    """What to tell about a format that was guessed."""
    if options.format is not None:
        return []
    return [f"{rows.path.name} is taken for {rows.format}: {rows.reason}"]


def missing_rate(rows: ReadRecording, transform: Affine | None) -> BadValue:
    """The error for a file that does not tell its frame rate, with the likely ones."""
    first, _, _ = without_repeats(rows.sightings)
    affine = np.array(transform or UNMOVED)
    tracks = recording_of(replace(rows, sightings=first), fps=ANY_RATE, affine=affine).tracks
    rates = likely_rates(pace(tracks, moments(tracks)), ANY_RATE)
    hint = f"; these people would walk like people at fps {' or '.join(f'{r:g}' for r in rates)}"
    return BadValue(
        f"{rows.path}: this {rows.format} file does not tell its frame rate; give fps"
        f"{hint if rates else ''}",
        parameters=["fps"],
    )


def _moved(recording: Recording, affine: Affine | None) -> Recording:
    if affine is None or affine == UNMOVED:
        return recording
    matrix = np.array(affine)
    return replace(recording, tracks=tuple(transformed(each, matrix) for each in recording.tracks))
