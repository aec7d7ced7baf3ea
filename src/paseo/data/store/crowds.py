"""Named crowds in the data folder: recordings in metres with their map, ready for suites."""

import gzip
import re
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Literal

import msgspec

from paseo.data.maps.floorplans import read_floorplan, shipped_maps
from paseo.data.maps.writing import floorplan_text
from paseo.data.recordings.csv_tracks import csv_bytes
from paseo.data.settings_file import read_settings
from paseo.data.store.catalog import Affine, known_recordings
from paseo.data.store.synthetic import synthetic_crowds
from paseo.errors import BadValue, CannotWrite
from paseo.files import folder_beside, in_turn, remove_drafts, write_through
from paseo.world.space.floorplan import FloorPlan
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
    names = [entry.name for entry in folder.iterdir() if entry.is_dir()]
    for name in names:  # put aside by a process that was killed before the new one was in place
        if name.endswith(".old") and name[1:-4] not in names:
            with suppress(OSError):
                (folder / name).rename(folder / name[1:-4])
    return sorted(e.name for e in folder.iterdir() if NAME.fullmatch(e.name) and e.is_dir())


def is_stored(name: str, data: Path) -> bool:
    """Whether there is a crowd of this name in the data folder; a file's name is none."""
    if not NAME.fullmatch(name):
        return False
    folder = crowd_folder(name, data)
    if not folder.exists():  # put aside by a process that was killed, perhaps
        with suppress(OSError):
            _old(folder).rename(folder)
    return folder.is_dir()


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
    names = [*known_recordings(), *synthetic_crowds(), *shipped_maps(), "ethucy", "socialnav-sub"]
    taken = {each.lower(): each for each in names}
    if name.lower() in taken:
        raise BadValue(
            f"the name '{taken[name.lower()]}' belongs to Paseo's own catalog; choose another"
        )
    if is_stored(name, data) and not replace:
        raise BadValue(
            f"there is a crowd '{name}' in {data} already; choose another name or add replace",
            parameters=["replace"],
        )


def save_crowd(
    about: CrowdFile,
    recording: Recording,
    plan: FloorPlan | None,
    data: Path,
    *,
    new: bool = False,
    beside: Mapping[str, bytes] | None = None,
) -> Path:
    """Write the crowd's folder, whole or not at all, in place of one of the same name.

    With `new` there must not be one, not even one that another process has just stored. `beside`
    are further files by name, which no run reads.
    """
    folder = crowd_folder(about.name, data)
    files = {**(beside or {}), TRACKS: gzip.compress(csv_bytes(recording), mtime=0)}
    if recording.groups:
        files["groups.json"] = msgspec.json.encode({"groups": recording.groups})
    if plan is not None:
        files["map.json"] = floorplan_text(plan).encode()
    files["crowd.json"] = msgspec.json.format(msgspec.json.encode(about), indent=1)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with in_turn(folder.with_name(f".{folder.name}.lock")):
            _tidy(folder)
            if new:
                check_crowd_name(about.name, data, replace=False)
            with folder_beside(folder) as draft:
                for name, content in files.items():
                    write_through(draft / name, content)
                _swap(draft, folder)
    except OSError as error:
        raise CannotWrite(
            f"{folder}: cannot be written ({error.strerror}); nothing was changed. Free some "
            "space or name another folder with data, then run again",
            parameters=["data"],
        ) from error
    return folder


def _swap(new: Path, folder: Path) -> None:
    """Put `new` where `folder` is; killed in between, the old one is still there beside it."""
    old = _old(folder)
    if folder.exists():
        shutil.rmtree(old, ignore_errors=True)
        folder.rename(old)
    try:
        new.rename(folder)
    except OSError:
        old.rename(folder)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _old(folder: Path) -> Path:
    return folder.with_name(f".{folder.name}.old")


def _tidy(folder: Path) -> None:
    """Take back what a process that was killed had put aside, and remove what it had begun."""
    if _old(folder).exists() and not folder.exists():
        _old(folder).rename(folder)
    remove_drafts(folder)
