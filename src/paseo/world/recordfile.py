"""A Record as one compressed .npz: no pickle, the same bytes for the same record."""

import io
import json
import math
import os
import zipfile
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from paseo.errors import BadFile, CannotWrite, PaseoError
from paseo.world.floorplan import MAX_CELLS, FloorPlan, Place
from paseo.world.motion import Pose, Robot
from paseo.world.records import Contact, Outcome, Provenance, Record
from paseo.world.scenarios import Pause, Scenario, Sensor
from paseo.world.tracks import Track

FORMAT, VERSION = "paseo-record", 1
MAX_BYTES = 4 << 30  # unpacked; a larger file is taken for an attack or an accident
BEGINNING_OF_ZIP_TIME = (1980, 1, 1, 0, 0, 0)

Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    name: str
    cell_size: float
    origin: tuple[float, float]
    shape: tuple[int, int]
    places: tuple[Place, ...]
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Task:
    """The scalar part of a Scenario."""

    name: str
    start: Pose
    goal: Pose
    groups: tuple[tuple[int, ...], ...]
    time_limit: float
    dt: float
    robot: Robot
    person_radius: float
    goal_radius: float
    sensor: Sensor
    pause: Pause | None
    stop_on_contact: bool
    seed: int
    rule: str
    data_hashes: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Header:
    format: str
    version: int
    outcome: Outcome
    reason: str
    provenance: Provenance
    contacts: tuple[Contact, ...]
    scenario: _Task
    floorplan: _Plan


def record_bytes(record: Record) -> bytes:
    """The file's content; equal records give equal bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, array in _arrays(record).items():
            member = zipfile.ZipInfo(f"{name}.npy", BEGINNING_OF_ZIP_TIME)
            member.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(member, "w", force_zip64=True) as stream:
                np.lib.format.write_array(stream, array, allow_pickle=False)
    return buffer.getvalue()


def save_record(record: Record, path: Path) -> None:
    """Write the record; a half-written file never stands under its final name."""
    write_atomically(path, record_bytes(record))


def write_atomically(path: Path, content: bytes) -> None:
    """Write to a neighbour, flush it to disk, then move it into place."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with draft.open("wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise CannotWrite(
            f"{path}: cannot be written ({error.strerror}); nothing was left there. "
            "Free some space or choose another folder, then run again"
        ) from error


def load_record(path: Path) -> Record:
    """Read a record; `BadFile` says what is wrong with one that cannot be read."""
    try:
        arrays = _members(path)
        return _record(arrays)
    except BadFile:
        raise
    except FileNotFoundError as error:
        raise BadFile(f"{path}: no such file; expected a record (.npz) that Paseo wrote") from error
    except (OSError, zipfile.BadZipFile, ValueError, KeyError, EOFError, PaseoError) as error:
        what = f"{type(error).__name__}: {error}".replace("\n", " ")
        raise BadFile(
            f"{path}: not a readable Paseo record ({what}); run the episode again to replace it"
        ) from error


def _arrays(record: Record) -> Arrays:
    plan, tracks = record.scenario.floorplan, record.scenario.tracks
    arrays: Arrays = {
        "header": np.frombuffer(_header_text(record).encode(), np.uint8),
        "robot": record.robot,
        "commands": record.commands,
        "people": record.people,
        "walls": plan.walls,
        "free": np.packbits(plan.free),
        "track_ids": record.ids,
        "track_samples": np.array([len(track.times) for track in tracks], np.int64),
        "track_times": np.concatenate([np.empty(0)] + [track.times for track in tracks]),
        "track_positions": np.concatenate([np.empty((0, 2))] + [t.positions for t in tracks]),
    }
    if record.seen is not None:
        arrays["seen"] = record.seen
    return arrays


def _header_text(record: Record) -> str:
    scenario, plan = record.scenario, record.scenario.floorplan
    header = _Header(
        format=FORMAT,
        version=VERSION,
        outcome=record.outcome,
        reason=record.reason,
        provenance=record.provenance,
        contacts=record.contacts,
        scenario=_Task(**{f.name: getattr(scenario, f.name) for f in fields(_Task)}),
        floorplan=_Plan(
            name=plan.name,
            cell_size=plan.cell_size,
            origin=plan.origin,
            shape=plan.free.shape,
            places=plan.places,
            source=plan.source,
        ),
    )
    # Through the types and back: 1 and 1.0 are the same metre and must give the same bytes.
    typed = msgspec.convert(msgspec.to_builtins(header), _Header)
    # JSON has no infinity: a limit that is not there is written as null.
    builtins = _mapped(msgspec.to_builtins(typed), lambda v: None if v == math.inf else v)
    return json.dumps(builtins, sort_keys=True, allow_nan=False)


def _mapped(header: dict[str, Any], change: Any) -> dict[str, Any]:
    """The header with `change` applied to the limits of the robot and its sensor."""
    task = dict(header["scenario"])
    for part in ("robot", "sensor"):
        task[part] = {key: change(value) for key, value in task[part].items()}
    return {**header, "scenario": task}


def _members(path: Path) -> Arrays:
    with zipfile.ZipFile(path) as archive:
        if sum(member.file_size for member in archive.infolist()) > MAX_BYTES:
            raise BadFile(
                f"{path}: unpacks to more than {MAX_BYTES >> 30} GiB, which no record does"
            )
    with np.load(path, allow_pickle=False) as members:
        return {name: members[name] for name in members.files}


def _record(arrays: Arrays) -> Record:
    header = _header(arrays)
    plan, task = header.floorplan, header.scenario
    if not (0 < plan.shape[0] * plan.shape[1] <= MAX_CELLS):
        raise ValueError(f"a floor plan of {plan.shape} cells")
    free = np.unpackbits(arrays["free"], count=plan.shape[0] * plan.shape[1])
    floorplan = FloorPlan(
        name=plan.name,
        walls=_floats(arrays, "walls"),
        free=free.reshape(plan.shape).astype(np.bool_),
        cell_size=plan.cell_size,
        origin=plan.origin,
        places=plan.places,
        source=plan.source,
    )
    values = {f.name: getattr(task, f.name) for f in fields(_Task)}
    return Record(
        scenario=Scenario(**values, floorplan=floorplan, tracks=_tracks(arrays)),
        provenance=header.provenance,
        outcome=header.outcome,
        reason=header.reason,
        robot=_floats(arrays, "robot"),
        commands=_floats(arrays, "commands"),
        people=_floats(arrays, "people"),
        seen=_floats(arrays, "seen") if "seen" in arrays else None,
        contacts=header.contacts,
    )


def _header(arrays: Arrays) -> _Header:
    raw = json.loads(arrays["header"].astype(np.uint8).tobytes())
    if not isinstance(raw, dict) or raw.get("format") != FORMAT:
        raise ValueError(f"its header does not say '{FORMAT}'")
    if raw.get("version") != VERSION:
        raise ValueError(f"its version is {raw.get('version')}, this Paseo reads {VERSION}")
    limits = _mapped(raw, lambda value: math.inf if value is None else value)
    return msgspec.convert(limits, _Header)


def _tracks(arrays: Arrays) -> tuple[Track, ...]:
    ends = np.cumsum(arrays["track_samples"])[:-1]
    times = np.split(_floats(arrays, "track_times"), ends)
    positions = np.split(_floats(arrays, "track_positions"), ends)
    ids = arrays["track_ids"].tolist()
    return tuple(Track(*track) for track in zip(ids, times, positions, strict=bool(ids)))


def _floats(arrays: Arrays, name: str) -> NDArray[np.float64]:
    array = arrays[name]
    if array.dtype != np.float64:
        raise ValueError(f"{name} holds {array.dtype}, expected float64")
    return array
