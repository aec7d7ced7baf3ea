"""Where recordings lie on this machine; each is read once per process."""

import hashlib
import os
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from paseo.data.catalog import KnownRecording, known_recordings
from paseo.data.groups import merged, read_groups
from paseo.data.recordings import read_recording
from paseo.errors import MissingData, UnknownName
from paseo.world.tracks import Recording

Stamp = tuple[int, int]  # time of change and size: a file with another stamp is read again


def data_dir(given: Path | None = None) -> Path:
    """The folder of recordings: as given, else $PASEO_DATA, else the user's own data folder."""
    if given is not None:
        return given
    if named := os.environ.get("PASEO_DATA"):
        return Path(named).expanduser()
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "paseo"


def find_recording(name: str, folder: Path) -> Recording:
    """A known recording, at the speed it was filmed, with its groups if their file is there.

    Looked for as `ethucy/<name>.csv.gz` or `<name>.csv.gz` (or .csv) below the folder; groups as
    `groups/<name>.json`, `<name>_groups.json` or `<name>_groups.txt` beside it.
    """
    file = recording_file(name, folder)
    beside = (f"groups/{name}.json", f"{name}_groups.json", f"{name}_groups.txt")
    groups = next((place for each in beside if (place := file.parent / each).is_file()), None)
    return _read(name, file, _stamp(file), groups, _stamp(groups) if groups else None)


def recording_hash(name: str, folder: Path) -> str:
    """The SHA-256 of the file that `find_recording` reads, as hexadecimal digits."""
    file = recording_file(name, folder)
    return _hash(file, _stamp(file))


def recording_file(name: str, folder: Path) -> Path:
    """The file of a known recording below the folder; `MissingData` says what to do without."""
    if name not in known_recordings():
        raise UnknownName("recording", name, known_recordings())
    for place in (folder / "ethucy", folder):
        for ending in (".csv.gz", ".csv"):
            if (file := place / f"{name}{ending}").is_file():
                return file
    raise _missing(known_recordings()[name], folder)


def _missing(known: KnownRecording, folder: Path) -> MissingData:
    return MissingData(
        f"the recording '{known.name}' is not in {folder}; set PASEO_DATA or pass --data to name "
        f"the folder that holds ethucy/{known.name}.csv.gz; its authors offer the recording at "
        f"{known.sources[0]}"
    )


def _stamp(file: Path) -> Stamp:
    state = file.stat()
    return state.st_mtime_ns, state.st_size


@lru_cache(maxsize=8)
def _read(
    name: str, file: Path, _of_file: Stamp, groups: Path | None, _of_groups: Stamp | None
) -> Recording:
    known = known_recordings()[name]
    recording = read_recording(file, format="csv", fps=known.fps, name=name)
    if groups is None:
        return recording
    present = {track.id for track in recording.tracks}
    kept = (present.intersection(group) for group in read_groups(groups))
    return replace(recording, groups=merged(kept))


@lru_cache(maxsize=32)
def _hash(file: Path, _of_file: Stamp) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
