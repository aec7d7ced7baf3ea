"""A Record as one compressed .npz: no pickle, the same bytes for the same record."""

import io
import json
import math
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import IO, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from paseo.errors import BadFile, PaseoError
from paseo.files import opened, strange_key, write_whole
from paseo.parsing.arrayfile import Arrays, array_bytes, arrays_in, typed
from paseo.text import all_storable, error_words
from paseo.world.cameras import Sight
from paseo.world.clocks import WAITING
from paseo.world.motion import Pose, Robot
from paseo.world.records import Contact, Outcome, Provenance, Record
from paseo.world.scenarios import Gait, Missing, Pause, Reaction, Scenario, Sensor
from paseo.world.space.floorplan import MAX_CELLS, FloorPlan, InferredFrom, Place, told_inferred
from paseo.world.tracks import Track

FORMAT, VERSION = "paseo-record", 1
MEMBERS = {
    "header", "robot", "commands", "people", "walls", "free",
    "track_ids", "track_samples", "track_times", "track_positions",
}  # fmt: skip
OPTIONAL = ("seen", "perceived")

# How the first records told of a planner that died, before they had a key for it.
DIED = "the planner took its process down"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    name: str
    cell_size: float
    origin: tuple[float, float]
    shape: tuple[int, int]
    places: tuple[Place, ...]
    source: str
    inferred: InferredFrom | msgspec.UnsetType | None = msgspec.UNSET  # as the source tells it


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
    reaction: Reaction | None
    stop_on_contact: bool
    seed: int
    rule: str
    data_hashes: dict[str, str]
    missing: tuple[Missing, ...]
    gait: Gait = Gait.RECORDED
    sight: Sight | None = None


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
    has_seen: bool  # a damaged archive can lose its last member without a sign
    has_perceived: bool = False
    lost: bool | None = None  # absent where the first records were right without it


def record_bytes(record: Record) -> bytes:
    """The file's content; equal records give equal bytes."""
    return array_bytes(_arrays(record))


def save_record(record: Record, path: Path | str) -> None:
    """Write the record; a half-written file never stands under its final name."""
    write_whole(Path(path), record_bytes(record))


class _LaterVersion(ValueError):
    """A record that only a newer Paseo can read."""


def load_record(path: Path | str) -> Record:
    """Read a record; `BadFile` says what is wrong with one that cannot be read."""
    try:
        with opened(Path(path)) as file:
            return _read(file, str(path))
    except FileNotFoundError as error:
        raise BadFile(f"{path}: no such file; expected a record (.npz) that Paseo wrote") from error
    except OSError as error:
        raise BadFile(f"{path}: cannot be read ({error.strerror}); check the file") from error


def record_from(content: bytes, name: str) -> Record:
    """The record in the bytes of a file; `BadFile` calls it by this name."""
    return _read(io.BytesIO(content), name)


def _read(file: IO[bytes], name: str) -> Record:
    try:
        return _record(arrays_in(file, most=len(MEMBERS) + len(OPTIONAL)))
    except BadFile:
        raise
    except Exception as error:  # damage can raise anything: zlib.error, RecursionError, ...
        ours = isinstance(error, PaseoError) or type(error) in (ValueError, _LaterVersion)
        what = str(error) if ours else error_words(error)
        later = isinstance(error, _LaterVersion)
        advice = "install a newer Paseo" if later else "run the episode again to replace it"
        raise BadFile(f"{name}: not a readable Paseo record ({what}); {advice}") from error


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
    for name in OPTIONAL:
        if (array := getattr(record, name)) is not None:
            arrays[name] = array
    return arrays


def _header_text(record: Record) -> str:
    scenario, plan = record.scenario, record.scenario.floorplan
    told = told_inferred(plan.source)
    header = _Header(
        format=FORMAT,
        version=VERSION,
        outcome=record.outcome,
        reason=record.reason,
        provenance=_spelled_out(record.provenance),
        contacts=record.contacts,
        has_seen=record.seen is not None,
        has_perceived=record.perceived is not None,
        lost=record.lost,
        scenario=_Task(**{f.name: getattr(scenario, f.name) for f in fields(_Task)}),
        floorplan=_Plan(
            name=plan.name,
            cell_size=plan.cell_size,
            origin=plan.origin,
            shape=plan.free.shape,
            places=plan.places,
            source=plan.source,
            inferred=msgspec.UNSET if told == plan.inferred else plan.inferred,
        ),
    )
    # Through the types and back: 1 and 1.0 are the same metre and must give the same bytes.
    # Ids that are keys become text here, as JSON demands.
    plain = msgspec.to_builtins(header, str_keys=True, enc_hook=lambda scalar: scalar.item())
    typed = msgspec.convert(plain, _Header, str_keys=True)
    # JSON has no infinity: a limit that is not there is written as null.
    plain = msgspec.to_builtins(typed, str_keys=True)
    builtins = _mapped(plain, lambda value: None if value == math.inf else value)
    if scenario.robot.wall_radius is None:  # no limit that is not there, but one not written
        del builtins["scenario"]["robot"]["wall_radius"]
    if scenario.gait is Gait.RECORDED:
        del builtins["scenario"]["gait"]
    if scenario.sight is None:
        del builtins["scenario"]["sight"]
    if record.perceived is None:
        del builtins["has_perceived"]
    if not record.provenance.transport:
        del builtins["provenance"]["transport"]
    if record.provenance.timekeeping == WAITING:
        del builtins["provenance"]["timekeeping"]
    if not record.lost and not _seems_lost(typed):
        del builtins["lost"]
    return json.dumps(all_storable(builtins), sort_keys=True, allow_nan=False)


def _spelled_out(made: Provenance) -> Provenance:
    """With parameters JSON has no number for as words, as one types them: inf, nan."""
    words = {
        key: repr(float(value))
        for key, value in made.parameters.items()
        if isinstance(value, float) and not math.isfinite(value)
    }
    return replace(made, parameters={**made.parameters, **words})


def _mapped(header: dict[str, Any], change: Any) -> dict[str, Any]:
    """The header with `change` applied to the limits of the robot and its sensor."""
    task = dict(header["scenario"])
    for part in ("robot", "sensor"):
        task[part] = {key: change(value) for key, value in task[part].items()}
    return {**header, "scenario": task}


def _record(arrays: Arrays) -> Record:
    header = _header(arrays)
    expected = MEMBERS | {name for name in OPTIONAL if getattr(header, f"has_{name}")}
    if arrays.keys() != expected:
        raise ValueError(f"it holds {', '.join(arrays)}, expected {', '.join(sorted(expected))}")
    plan, task = header.floorplan, header.scenario
    cells = plan.shape[0] * plan.shape[1]
    packed = typed(arrays, "free", np.uint8)
    if min(plan.shape) <= 0 or cells > MAX_CELLS or packed.shape != ((cells + 7) // 8,):
        raise ValueError(f"a floor plan of {plan.shape} cells in {packed.shape} bytes")
    free, told = np.unpackbits(packed, count=cells), told_inferred(plan.source)
    floorplan = FloorPlan(
        name=plan.name,
        walls=_floats(arrays, "walls"),
        free=free.reshape(plan.shape).astype(np.bool_),
        cell_size=plan.cell_size,
        origin=plan.origin,
        places=plan.places,
        source=plan.source,
        inferred=told if isinstance(plan.inferred, msgspec.UnsetType) else plan.inferred,
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
        **{name: _floats(arrays, name) for name in OPTIONAL if name in arrays},
        contacts=header.contacts,
        lost=_seems_lost(header) if header.lost is None else header.lost,
    )


def _seems_lost(header: _Header) -> bool:
    """Whether the ending is that of a planner that was lost, as the first records tell it."""
    gone = bool(header.provenance.clock) or header.reason.startswith(DIED)
    return header.outcome is Outcome.PLANNER_FAILED and gone


def _header(arrays: Arrays) -> _Header:
    text = typed(arrays, "header", np.uint8).tobytes()
    raw = all_storable(json.loads(text, parse_float=_finite, parse_constant=_finite))
    if not isinstance(raw, dict) or raw.get("format") != FORMAT:
        raise ValueError(f"its header does not say '{FORMAT}'")
    version = raw.get("version")
    if version != VERSION:
        kind = _LaterVersion if isinstance(version, int) and version > VERSION else ValueError
        raise kind(f"its version is {version}, this Paseo reads {VERSION}")
    limits = _mapped(raw, lambda value: math.inf if value is None else value)
    header = msgspec.convert(limits, _Header, str_keys=True)
    strange = strange_key(raw, header)
    if strange is not None:
        raise _LaterVersion(f"its header has the unknown key {strange!r:.60}")
    return header


def _tracks(arrays: Arrays) -> tuple[Track, ...]:
    ids = typed(arrays, "track_ids", np.int64)
    samples = typed(arrays, "track_samples", np.int64)
    times = _floats(arrays, "track_times")
    positions = _floats(arrays, "track_positions")
    if not (
        ids.shape == samples.shape == (len(ids),)
        and (samples > 0).all()
        and samples.sum() == len(times) == len(positions)
    ):
        raise ValueError("its tracks do not add up")
    ends = np.cumsum(samples).tolist()
    spans = [slice(end - count, end) for end, count in zip(ends, samples.tolist(), strict=True)]
    return tuple(
        Track(person, times[span], positions[span])
        for person, span in zip(ids.tolist(), spans, strict=True)
    )


def _floats(arrays: Arrays, name: str) -> NDArray[np.float64]:
    return typed(arrays, name, np.float64)


def _finite(number: str) -> float:
    if not math.isfinite(float(number)):
        raise ValueError(f"its header holds the number {number}")
    return float(number)
