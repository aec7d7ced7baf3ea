"""What must hold of what was accepted: written again and read again, it is the same."""

import io
import json
import math
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from fuzz.target import Lost, Oracle
from paseo.errors import BadFile

TWICE = "a second time"
TENTH_OF_A_MILLIMETRE = 1e-4  # to which recordings are written


def same(before: object, after: object, where: str = "it") -> None:
    """Raise `Lost` where two values differ; arrays and NaN are compared by what they hold."""
    if is_dataclass(before) and not isinstance(before, type) and type(before) is type(after):
        for each in fields(before):
            same(getattr(before, each.name), getattr(after, each.name), f"{where}.{each.name}")
    elif isinstance(before, msgspec.Struct) and type(before) is type(after):
        same(msgspec.structs.asdict(before), msgspec.structs.asdict(after), where)
    elif isinstance(before, np.ndarray) and isinstance(after, np.ndarray):
        if before.shape != after.shape or not np.array_equal(before, after, equal_nan=True):
            raise Lost(f"{where} is another array")
    elif isinstance(before, list | tuple) and isinstance(after, list | tuple):
        if len(before) != len(after):
            raise Lost(f"{where} has {len(after)} parts instead of {len(before)}")
        for k, (one, other) in enumerate(zip(before, after, strict=True)):
            same(one, other, f"{where}[{k}]")
    elif isinstance(before, Mapping) and isinstance(after, Mapping):
        if before.keys() != after.keys():
            odd = sorted(map(str, before.keys() ^ after.keys()))
            raise Lost(f"{where} has other keys: {', '.join(odd)[:80]}")
        for key in before:
            same(before[key], after[key], f"{where}.{key}")
    elif before != after and not (_is_nan(before) and _is_nan(after)):
        raise Lost(f"{where} was {before!r:.60} and is {after!r:.60}")


def _is_nan(value: object) -> bool:
    return isinstance(value, float) and math.isnan(value)


def near(before: object, after: object, where: str, most: float = TENTH_OF_A_MILLIMETRE) -> None:
    """As `same` for arrays that may have been rounded."""
    one, other = np.asarray(before, float), np.asarray(after, float)
    if one.shape != other.shape or not np.allclose(
        one, other, rtol=1e-9, atol=most, equal_nan=True
    ):
        raise Lost(f"{where} is elsewhere")


def kept(before: object, after: object, where: str = "it") -> None:
    """Raise `Lost` where something that was said is not said again.

    Defaults may be added, and what is nothing, such as an empty list, may be left out.
    """
    if isinstance(before, dict) and isinstance(after, dict):
        for key, value in before.items():
            if not value and key not in after:
                continue
            if key not in after:
                raise Lost(f"{where} has lost the key {key!r:.40}")
            kept(value, after[key], f"{where}.{key}")
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for k, (one, other) in enumerate(zip(before, after, strict=True)):
            kept(one, other, f"{where}[{k}]")
    else:
        same(before, after, where)


def json_kept(before: Path, after: Path) -> None:
    """All that a JSON file says is said by another one, too."""
    kept(json.loads(before.read_bytes()), json.loads(after.read_bytes()), before.name)


def nothing_more(here: Path, aside: Path) -> None:
    """For files that nobody writes: what was accepted was read to the end without an error."""


def record(name: str) -> Oracle:
    """A record: written and read again its bytes are the same, and say what the file says."""

    def check(here: Path, aside: Path) -> None:
        from paseo.world.recordfile import load_record, record_bytes

        first = record_bytes(load_record(here / name))
        (aside / "again.npz").write_bytes(first)
        second = record_bytes(load_record(aside / "again.npz"))
        if first != second:
            raise Lost("the record is another when written and read again")
        told, again = (_members(content) for content in ((here / name).read_bytes(), first))
        kept(told.pop("header"), again.pop("header"), "header")
        same(told, again, "record")

    return check


def _members(content: bytes) -> dict[str, Any]:
    """The arrays of a record by name, the header as what it says."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = archive.namelist()
        found = {name: np.load(io.BytesIO(archive.read(name))) for name in names}
    header = json.loads(found.pop("header.npy").tobytes())
    return {**found, "header": header, "names": sorted(names)}


def settings(read: Callable[[Path], Any], name: str) -> Oracle:
    """A file of settings: what was read, written as JSON and read again, is the same."""

    def check(here: Path, aside: Path) -> None:
        value = read(here / name)
        again = aside / "again.json"
        again.write_bytes(msgspec.json.encode(value))
        same(value, read(again), name)

    return check


def suite(name: str) -> Oracle:
    """A suite: written in all three spellings, each read again, it is the same."""

    def check(here: Path, aside: Path) -> None:
        from paseo.data.suites.suite_file import read_suite
        from paseo.data.suites.suite_writing import suite_bytes

        value = read_suite(here / name)
        for suffix in (".toml", ".yaml", ".json"):
            again = here / f"again{suffix}"  # beside its files
            again.write_bytes(suite_bytes(value, suffix))
            same(value, read_suite(again), f"suite as {suffix}")

    return check


def robot(name: str) -> Oracle:
    """A robot: told again by the value it stands for."""

    def check(here: Path, aside: Path) -> None:
        from paseo.data.suites.suite_file import read_robot
        from paseo.data.suites.suite_writing import robot_entry

        entry = read_robot(here / name)
        same(entry, robot_entry(entry.robot()), name)

    return check


def floorplan(name: str) -> Oracle:
    """A floor plan: in the vector format and back, it has the same free space and places."""

    def check(here: Path, aside: Path) -> None:
        from paseo.data.maps.floorplans import read_floorplan
        from paseo.data.maps.writing import floorplan_text, free_space

        plan = read_floorplan(here / name)
        again = aside / "again.json"
        again.write_text(floorplan_text(plan), encoding="utf-8")
        other = read_floorplan(again)
        for key in ("name", "places", "source", "inferred"):
            same(getattr(plan, key), getattr(other, key), key)
        before, after = free_space(plan), free_space(other)
        if before.symmetric_difference(after).area > 1e-5 + 1e-9 * before.area:
            raise Lost("the free space is another when written and read again")

    return check


def recording(name: str, **reading: Any) -> Oracle:
    """A recording: as CSV and back, the same people are at the same places."""

    def check(here: Path, aside: Path) -> None:
        from paseo.data.recordings.csv_tracks import csv_bytes
        from paseo.data.recordings.recordings import read_recording

        try:
            first = read_recording(here / name, **reading)
        except BadFile as error:
            if TWICE in str(error):  # which a check tells in its own way
                return
            raise
        again = aside / "again.csv"
        again.write_bytes(csv_bytes(first))
        gap = {"longest_gap": reading["longest_gap"]} if "longest_gap" in reading else {}
        second = read_recording(again, fps=first.fps, **gap)
        same_tracks(first.tracks, second.tracks)

    return check


def same_tracks(before: Any, after: Any) -> None:
    """The same people at the same places, to a tenth of a millimetre."""
    same([track.id for track in before], [track.id for track in after], "people")
    for one, other in zip(before, after, strict=True):
        near(one.times, other.times, f"when person {one.id} is seen")
        near(one.positions, other.positions, f"person {one.id}")


def stored_crowd(file: str, crowd: str, data: str, **reading: Any) -> Oracle:
    """A recording that was imported: the crowd of that name is what the file says."""

    def check(here: Path, aside: Path) -> None:
        from paseo.data.recordings.recordings import read_recording
        from paseo.data.store.locations import DataFolder

        kept = DataFolder(here / data).recording(crowd)
        same_tracks(read_recording(here / file, **reading).tracks, kept.tracks)

    return check


def scene(read: Callable[[Path], Any]) -> Oracle:
    """A scene: written as Paseo's own folder and read again, it is the same, picture by picture."""

    def check(here: Path, aside: Path) -> None:
        from paseo.data.scenes.scene_file import read_scene, scene_text, write_scene

        first = read(here)
        second = read_scene(write_scene(first, aside))
        if scene_text(first) != scene_text(second):
            raise Lost("the scene is another when written and read again")
        for kind in ("frames", "composites"):
            same(list(getattr(first, kind)), list(getattr(second, kind)), kind)

    return check
