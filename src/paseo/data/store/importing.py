"""Recordings into named crowds: what was read, laid on a map and kept."""

from dataclasses import dataclass
from pathlib import Path
from types import EllipsisType

import numpy as np

from paseo.data.archive import is_archive, member_names
from paseo.data.maps.inferred import inferred_floorplan
from paseo.data.recordings.groups import read_groups, with_groups
from paseo.data.recordings.recordings import ReadRecording, bridged_gap, recording_of
from paseo.data.store.catalog import Affine
from paseo.data.store.crowds import CrowdFile, check_crowd_name, save_crowd
from paseo.errors import BadFile, InputError
from paseo.files import sha256
from paseo.text import storable
from paseo.world.space.floorplan import FloorPlan
from paseo.world.tracks import Recording


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportOptions:
    """What a file is to become."""

    name: str
    fps: float | None = None
    transform: Affine | None = None
    longest_gap: float | EllipsisType | None = ...
    plan: FloorPlan | None = None  # in the frame of the transformed tracks; None: inferred
    groups: Path | None = None
    replace: bool = False


def import_crowd(
    reading: ReadRecording, file: Path, wanted: ImportOptions, data: Path
) -> Recording:
    """Keep a recording as a named crowd in the data folder, with its map or one inferred."""
    check_crowd_name(wanted.name, data, replace=wanted.replace)
    gap, digest = wanted.longest_gap, _hash(file)
    recording = recording_of(
        reading,
        fps=wanted.fps,
        affine=None if wanted.transform is None else np.array(wanted.transform),
        longest_gap=gap,
        name=wanted.name,
    )
    if wanted.groups is not None:
        recording = with_groups(recording, read_groups(wanted.groups))
    about = CrowdFile(
        name=wanted.name,
        fps=recording.fps,
        longest_gap_s=bridged_gap(reading, recording.fps) if isinstance(gap, EllipsisType) else gap,
        source=storable(reading.path.relative_to(file.parent).as_posix()),
        source_sha256=digest,
        source_format=reading.format,
        transform=wanted.transform,
    )
    plan = wanted.plan or inferred_floorplan(wanted.name, recording.tracks)
    save_crowd(about, recording, plan, data, new=not wanted.replace)
    return recording


def only_member(path: Path) -> str | None:
    """The one file in an archive; None if the path is no archive."""
    if not is_archive(path):
        return None
    names = member_names(path)
    if len(names) != 1:
        some = ", ".join(names[:5]) + ", ..." * (len(names) > 5)
        raise InputError(
            f"{path}: is an archive of {len(names)} files; name one with member: {some or 'none'}",
            parameters=["member"],
        )
    return names[0]


def _hash(file: Path) -> str:
    if not file.is_file():
        raise BadFile(f"{file}: is no regular file and cannot be read twice; save it first")
    return sha256(file)
