"""Where recordings and their maps lie on this machine; each is read once per process."""

import hashlib
import os
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from paseo.data.maps.floorplans import find_floorplan, shipped_maps
from paseo.data.recordings.groups import read_groups, with_groups
from paseo.data.recordings.recordings import LONGEST_GAP, read_recording
from paseo.data.store.catalog import Affine, KnownRecording, known_recordings
from paseo.data.store.crowds import TRACKS, crowd_floorplan, crowd_folder, read_crowd, stored_crowds
from paseo.data.store.synthetic import FPS, synthetic_crowds
from paseo.errors import MissingData, UnknownName
from paseo.files import sha256
from paseo.world.space.floorplan import FloorPlan
from paseo.world.tracks import Recording

UNMOVED: Affine = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))

Stamp = tuple[int, int]  # time of change and size: a file with another stamp is read again


def data_dir(given: Path | None = None) -> Path:
    """The folder of recordings: as given, else $PASEO_DATA, else the user's own data folder."""
    if given is not None:
        return given.expanduser()
    if named := os.environ.get("PASEO_DATA"):
        return Path(named).expanduser()
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "paseo"


def find_recording(name: str, folder: Path) -> Recording:
    """A named recording, at the speed it was filmed, with its groups if their file is there.

    Crowds that were imported or fetched lie in `crowds/<name>`. Known recordings are also looked
    for as `ethucy/<name>.csv.gz` or `<name>.csv.gz` (or .csv) below the folder; groups as
    `groups/<name>.json`, `<name>_groups.json` or `<name>_groups.txt` beside it.
    """
    file = recording_file(name, folder)
    about = file.with_name("crowd.json")
    if file.name == TRACKS:
        beside: tuple[str, ...] = ("groups.json",)
    else:
        beside = (f"groups/{name}.json", f"{name}_groups.json", f"{name}_groups.txt")
    groups = next((place for each in beside if (place := file.parent / each).is_file()), None)
    stamps = tuple(_stamp(each) for each in (file, groups, about) if each and each.is_file())
    return _read(name, file, groups, folder, stamps)


def recording_names(folder: Path) -> list[str]:
    """Names of all crowds: of the catalog, synthetic ones, and those stored in the folder."""
    own = [name for name in stored_crowds(folder) if name not in known_recordings()]
    return [*known_recordings(), *synthetic_crowds(), *own]


def is_named(name: str, folder: Path) -> bool:
    """Whether this is a recording's name, not a file's: one of the catalog or in the folder."""
    return name in recording_names(folder)


def placement(name: str, folder: Path) -> tuple[str, Affine]:
    """The map of a named recording, itself a name, and the affine from its metres to the map's.

    A crowd that brought its own map lies on it as it is; its map has the crowd's name.
    """
    if name in known_recordings():
        known = known_recordings()[name]
        return known.map, known.map_transform
    if name in synthetic_crowds():
        return synthetic_crowds()[name].map, UNMOVED
    return name, UNMOVED


def named_floorplan(name_or_path: str, folder: Path) -> FloorPlan:
    """A shipped map or a stored crowd's own by name, or else the file at a path."""
    crowds = stored_crowds(folder)
    if name_or_path not in crowds or name_or_path in shipped_maps():
        try:
            return find_floorplan(name_or_path, Path())
        except UnknownName as error:
            raise UnknownName("map", name_or_path, [*shipped_maps(), *crowds]) from error
    plan = crowd_floorplan(name_or_path, folder)
    if plan is None:
        raise MissingData(
            f"the crowd '{name_or_path}' in {folder} has no map of its own; name another"
        )
    return plan


def recording_hash(name: str, folder: Path) -> str:
    """The SHA-256 of what `find_recording` reads, as hexadecimal digits."""
    file = recording_file(name, folder)
    parts = [file]
    if file.name == TRACKS:  # the same rows at another rate are another crowd
        beside = (file.with_name("crowd.json"), file.with_name("groups.json"))
        parts += [each for each in beside if each.is_file()]
    hashes = [_hash(part, _stamp(part)) for part in parts]
    return hashes[0] if len(hashes) == 1 else hashlib.sha256("".join(hashes).encode()).hexdigest()


def recording_file(name: str, folder: Path) -> Path:
    """The file of a named recording below the folder; `MissingData` says what to do without."""
    if not is_named(name, folder):
        raise UnknownName("recording", name, recording_names(folder))
    if name in synthetic_crowds():
        return synthetic_crowds()[name].file
    places = [crowd_folder(name, folder) / TRACKS]
    if name in known_recordings():
        files = [f"{part}{name}{end}" for part in ("ethucy/", "") for end in (".csv.gz", ".csv")]
        places = [folder / file for file in files] + places
    found = next((place for place in places if place.is_file()), None)
    if found is not None:
        return found
    if name in known_recordings():
        raise _missing(known_recordings()[name], folder)
    raise MissingData(f"the crowd '{name}' in {folder} has lost its {TRACKS}; import it again")


def _missing(known: KnownRecording, folder: Path) -> MissingData:
    return MissingData(
        f"the recording '{known.name}' is not in {folder}; get it with `paseo data fetch "
        f"{known.name}`, or set PASEO_DATA or pass --data to name a folder that holds "
        f"ethucy/{known.name}.csv.gz"
    )


def _stamp(file: Path) -> Stamp:
    state = file.stat()
    return state.st_mtime_ns, state.st_size


@lru_cache(maxsize=8)
def _read(
    name: str, file: Path, groups: Path | None, folder: Path, _stamps: tuple[Stamp, ...]
) -> Recording:
    if file.name == TRACKS:
        about = read_crowd(name, folder)
        fps, longest_gap = about.fps, about.longest_gap_s
    elif name in synthetic_crowds():
        made = read_recording(file, format="csv", fps=FPS, name=name)
        return replace(made, groups=synthetic_crowds()[name].groups)
    else:
        fps, longest_gap = known_recordings()[name].fps, LONGEST_GAP
    recording = read_recording(file, format="csv", fps=fps, longest_gap=longest_gap, name=name)
    return recording if groups is None else with_groups(recording, read_groups(groups))


@lru_cache(maxsize=32)
def _hash(file: Path, _of_file: Stamp) -> str:
    return sha256(file)
