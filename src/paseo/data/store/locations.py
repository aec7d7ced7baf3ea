"""The data folder as a value: where named recordings and maps are looked up, and read once."""

import hashlib
import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from paseo.data.maps.floorplans import find_floorplan, map_file, shipped_maps
from paseo.data.recordings.groups import read_groups, with_groups
from paseo.data.recordings.recordings import LONGEST_GAP, read_recording
from paseo.data.store.catalog import Affine, KnownRecording, known_recordings
from paseo.data.store.crowds import (
    TRACKS,
    CrowdFile,
    crowd_floorplan,
    crowd_folder,
    is_stored,
    read_crowd,
    stored_crowds,
)
from paseo.data.store.synthetic import FPS, synthetic_crowds
from paseo.errors import BadValue, MissingData, UnknownName
from paseo.files import sha256
from paseo.world.space.floorplan import FloorPlan
from paseo.world.tracks import Recording

UNMOVED: Affine = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))

Stamp = tuple[int, int]  # time of change and size: a file with another stamp is read again


def data_dir(given: Path | None = None) -> Path:
    """The folder of recordings: as given, else $PASEO_DATA, else the user's own data folder.

    A user who has no home, as in some containers, has `paseo-data` in the present folder.
    """
    named = given or os.environ.get("PASEO_DATA")
    try:
        if named:
            return Path(named).expanduser()
        return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "paseo"
    except RuntimeError as error:
        if not named:
            return Path("paseo-data")
        raise BadValue(f"{named}: nobody here has that home; name the folder in full") from error


def recording_names(crowds: Iterable[str] = ()) -> list[str]:
    """Names of recordings: of the catalog, synthetic ones, and the stored crowds given."""
    known = [*known_recordings(), *synthetic_crowds()]
    return [*known, *(name for name in crowds if name not in known)]


def map_names(crowds: Iterable[str] = ()) -> list[str]:
    """Names of floor plans: those that ship, and the stored crowds given, for their own."""
    return [*shipped_maps(), *crowds]


@dataclass(frozen=True, slots=True)
class DataFolder:
    """The folder of recordings and their maps; whatever has a name is found by it here.

    Crowds that were imported or fetched lie in `crowds/<name>`. Known recordings are also looked
    for as `ethucy/<name>.csv.gz` or `<name>.csv.gz` (or .csv); groups as `groups/<name>.json`,
    `<name>_groups.json` or `<name>_groups.txt` beside them.
    """

    path: Path

    def crowds(self) -> list[str]:
        """Names of the crowds stored here, sorted."""
        return stored_crowds(self.path)

    def recordings(self) -> list[str]:
        """Names of all recordings: of the catalog, synthetic ones, and the crowds stored here."""
        return recording_names(self.crowds())

    def maps(self) -> list[str]:
        """Names of all floor plans: those that ship, and of the crowds stored here."""
        return map_names(self.crowds())

    def knows(self, name: str) -> bool:
        """Whether this is a recording's name, not a file's: of the catalog or stored here."""
        known = name in known_recordings() or name in synthetic_crowds()
        return known or is_stored(name, self.path)

    def recording(self, name: str) -> Recording:
        """A named recording at the speed it was filmed, with its groups if their file is there."""
        file = self.file(name)
        about = file.with_name("crowd.json")
        if file.name == TRACKS:
            beside: tuple[str, ...] = ("groups.json",)
        else:
            beside = (f"groups/{name}.json", f"{name}_groups.json", f"{name}_groups.txt")
        groups = next((place for each in beside if (place := file.parent / each).is_file()), None)
        stamps = tuple(_stamp(each) for each in (file, groups, about) if each and each.is_file())
        return _read(name, file, groups, self.path, stamps)

    def frame_rate(self, name: str) -> float:
        """Frames per second of a named recording, as it was filmed."""
        if name in known_recordings():
            return known_recordings()[name].fps
        return FPS if name in synthetic_crowds() else self.about(name).fps

    def hash(self, name: str) -> str:
        """The SHA-256 of what `recording` reads, as hexadecimal digits."""
        file = self.file(name)
        parts = [file]
        if file.name == TRACKS:  # the same rows at another rate are another crowd
            beside = (file.with_name("crowd.json"), file.with_name("groups.json"))
            parts += [each for each in beside if each.is_file()]
        hashes = [_hash(part, _stamp(part)) for part in parts]
        if len(hashes) == 1:
            return hashes[0]
        return hashlib.sha256("".join(hashes).encode()).hexdigest()

    def file(self, name: str) -> Path:
        """The file of a named recording; `MissingData` says what to do without."""
        if not self.knows(name):
            raise UnknownName("recording", name, self.recordings())
        if name in synthetic_crowds():
            return synthetic_crowds()[name].file
        places = [crowd_folder(name, self.path) / TRACKS]
        if name in known_recordings():
            ends = [f"{part}{name}{end}" for part in ("ethucy/", "") for end in (".csv.gz", ".csv")]
            places = [self.path / end for end in ends] + places
        found = next((place for place in places if place.is_file()), None)
        if found is not None:
            return found
        if name in known_recordings():
            raise _missing(known_recordings()[name], self.path)
        raise MissingData(
            f"the crowd '{name}' in {self.path} has lost its {TRACKS}; import it again"
        )

    def about(self, name: str) -> CrowdFile:
        """What is known of a stored crowd beside its tracks and its map."""
        return read_crowd(name, self.path)

    def placement(self, name: str) -> tuple[str, Affine]:
        """The map of a named recording, itself a name, and the affine from its metres to the map's.

        A crowd that brought its own map lies on it as it is; its map has the crowd's name.
        """
        if name in known_recordings():
            known = known_recordings()[name]
            return known.map, known.map_transform
        if name in synthetic_crowds():
            return synthetic_crowds()[name].map, UNMOVED
        return name, UNMOVED

    def floorplan(self, name_or_path: str) -> FloorPlan:
        """A shipped map or a stored crowd's own by name, or else the file at a path."""
        if name_or_path in shipped_maps() or not is_stored(name_or_path, self.path):
            return _other_floorplan(name_or_path, self)
        plan = self.own_floorplan(name_or_path)
        if plan is None:
            raise MissingData(
                f"the crowd '{name_or_path}' in {self.path} has no map of its own; name another"
            )
        return plan

    def own_floorplan(self, name: str) -> FloorPlan | None:
        """The map of a stored crowd, in the frame of its tracks, if it has one."""
        file = crowd_folder(name, self.path) / "map.json"
        return _own_floorplan(name, self.path, _stamp(file)) if file.is_file() else None


def data_folder(given: DataFolder | Path | str | None = None) -> DataFolder:
    """The data folder that is meant: as given, or the user's as `data_dir` finds it."""
    if isinstance(given, DataFolder):
        return given
    return DataFolder(data_dir(None if given is None else Path(given)))


def _missing(known: KnownRecording, folder: Path) -> MissingData:
    return MissingData(
        f"the recording '{known.name}' is not in {folder}; get it with `paseo data fetch "
        f"{known.name}`, or set PASEO_DATA or pass data to name a folder that holds "
        f"ethucy/{known.name}.csv.gz",
        parameters=["data"],
    )


def _other_floorplan(name_or_path: str, data: DataFolder) -> FloorPlan:
    """A shipped map, or one in a file."""
    file = Path(map_file(name_or_path))
    try:
        stamp = _stamp(file) if file.is_file() else None
        return _found_floorplan(name_or_path, file.absolute(), stamp)
    except UnknownName as error:
        raise UnknownName("map", name_or_path, data.maps()) from error


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


@lru_cache(maxsize=8)
def _found_floorplan(name_or_path: str, _file: Path, _of_file: Stamp | None) -> FloorPlan:
    return find_floorplan(name_or_path, Path())


@lru_cache(maxsize=8)
def _own_floorplan(name: str, folder: Path, _of_file: Stamp) -> FloorPlan | None:
    return crowd_floorplan(name, folder)


@lru_cache(maxsize=32)
def _hash(file: Path, _of_file: Stamp) -> str:
    return sha256(file)
