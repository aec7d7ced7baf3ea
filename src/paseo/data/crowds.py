"""Named crowds in the data folder: recordings in metres with their map, ready for suites."""

import gzip
import os
import re
import shutil
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np

from paseo.data.catalog import Affine, known_recordings
from paseo.data.csv_tracks import HEADER
from paseo.data.map_writing import floorplan_text
from paseo.data.maps import read_floorplan, shipped_maps
from paseo.data.settings_file import read_settings
from paseo.errors import BadValue, CannotWrite
from paseo.world.floorplan import FloorPlan
from paseo.world.tracks import Recording

NAME = re.compile(r"[A-Za-z0-9_][\w.+-]{0,99}", re.ASCII)
TRACKS = "tracks.csv.gz"


class CrowdFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is known of a crowd beside its tracks and its map: the file crowd.json."""

    format: Literal["paseo-crowd"] = "paseo-crowd"
    version: Literal[1] = 1
    name: str
    fps: float
    longest_gap_s: float | None  # people unseen for longer are absent; null: they walk on
    source: str  # name of the file it was made from
    source_sha256: str
    source_format: str
    transform: Affine | None = None  # that made metres of the source's coordinates
    licence: str = ""
    citation: str = ""


def crowd_folder(name: str, data: Path) -> Path:
    """Where a crowd of this name lies in the data folder, or would."""
    return data / "crowds" / name


def stored_crowds(data: Path) -> list[str]:
    """Names of the crowds in the data folder, sorted."""
    folder = data / "crowds"
    if not folder.is_dir():
        return []
    return sorted(e.name for e in folder.iterdir() if NAME.fullmatch(e.name) and e.is_dir())


def read_crowd(name: str, data: Path) -> CrowdFile:
    """What is known of a stored crowd."""
    return read_settings(crowd_folder(name, data) / "crowd.json", CrowdFile)


def crowd_floorplan(name: str, data: Path) -> FloorPlan | None:
    """The crowd's own floor plan, in the frame of its tracks, if it has one."""
    path = crowd_folder(name, data) / "map.json"
    return read_floorplan(path) if path.is_file() else None


def check_crowd_name(name: str, data: Path, *, replace: bool) -> None:
    """Raise `BadValue` for a name that cannot be given to a new crowd."""
    if not NAME.fullmatch(name):
        raise BadValue(
            f"'{name[:40]}' cannot name a crowd, expected up to 100 letters, digits, '_', '.', '+' "
            "or '-', a letter, digit or '_' first; choose another name"
        )
    taken = {each.lower(): each for each in [*known_recordings(), *shipped_maps()]}
    if name.lower() in taken:
        raise BadValue(
            f"the name '{taken[name.lower()]}' belongs to Paseo's own catalog; choose another"
        )
    if name in stored_crowds(data) and not replace:
        raise BadValue(
            f"there is a crowd '{name}' in {data} already; choose another name or add --replace"
        )


def save_crowd(about: CrowdFile, recording: Recording, plan: FloorPlan | None, data: Path) -> Path:
    """Write the crowd's folder, whole or not at all, in place of one of the same name."""
    folder = crowd_folder(about.name, data)
    draft, old = (folder.with_name(f".{about.name}.{word}") for word in ("part", "old"))
    files = {TRACKS: gzip.compress(_table(recording), mtime=0)}
    if recording.groups:
        files["groups.json"] = msgspec.json.encode({"groups": recording.groups})
    if plan is not None:
        files["map.json"] = floorplan_text(plan).encode()
    files["crowd.json"] = msgspec.json.format(msgspec.json.encode(about), indent=1)
    try:
        for leftover in (draft, old):
            shutil.rmtree(leftover, ignore_errors=True)
        draft.mkdir(parents=True)
        for name, content in files.items():
            _write(draft / name, content)
        if folder.exists():
            folder.rename(old)
        draft.rename(folder)
        shutil.rmtree(old, ignore_errors=True)
    except OSError as error:
        if old.exists() and not folder.exists():
            old.rename(folder)
        shutil.rmtree(draft, ignore_errors=True)
        raise CannotWrite(
            f"{folder}: cannot be written ({error.strerror}); nothing was changed. Free some "
            "space or name another folder with --data, then run again"
        ) from error
    return folder


def _table(recording: Recording) -> bytes:
    """The samples as CSV, in order of frame and person; positions to a tenth of a millimetre."""
    counts = [len(track.times) for track in recording.tracks]
    ids = np.repeat([track.id for track in recording.tracks], counts)
    times = np.concatenate([track.times for track in recording.tracks])
    frames = np.rint(times * recording.fps).astype(np.int64)
    positions = np.concatenate([track.positions for track in recording.tracks])
    seen = ~np.isnan(positions[:, 0])  # a gap is known again by its length
    order = np.lexsort((ids[seen], frames[seen]))
    columns = (frames[seen][order], ids[seen][order], *positions[seen][order].T)
    rows = (
        f"{frame},{person},{x:.4f},{y:.4f}\n"
        for frame, person, x, y in zip(*(column.tolist() for column in columns), strict=True)
    )
    return f"{HEADER}\n{''.join(rows)}".encode()


def _write(path: Path, content: bytes) -> None:
    with path.open("wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())
