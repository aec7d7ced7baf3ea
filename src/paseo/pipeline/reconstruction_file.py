"""A Reconstruction as one compressed .npz: no pickle, the same bytes for the same values."""

import io
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from paseo.errors import BadFile, PaseoError
from paseo.files import opened, strange_key, write_whole
from paseo.parsing.arrayfile import Arrays, array_bytes, arrays_in, typed
from paseo.parsing.json import json_value
from paseo.pipeline.drives.drive import Odometry
from paseo.pipeline.locating.seen import Seen, SeenFrame
from paseo.pipeline.reconstruction import Reconstruction
from paseo.pipeline.smoothing.tracks import SmoothTrack
from paseo.text import all_storable, error_words
from paseo.world.cameras import Camera

FORMAT, VERSION = "paseo-reconstruction", 2
READABLE = (1, 2)  # the first does not know how the robot leant
REMEDY = "reconstruct the drive again to replace it"
FLOATS = {
    "odometry_times", "odometry_poses", "frame_times", "boxes", "confidences", "own_positions",
    "times", "states", "covariances", "rejected", "gains", "lasting",
}  # fmt: skip
COUNTS = {"seen_numbers", "seen_counts", "seen_people"}
OPTIONAL = {"scan_points", "odometry_pitches"}
NOWHERE = (math.nan, math.nan, math.nan)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Track:
    """A track beside its arrays, which lie one after the other."""

    person: int
    samples: int
    rejected: int
    has_gains: bool
    errors: int | None  # that last; None: nothing is told of any
    common: int
    seen_as: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Header:
    format: str
    version: int
    name: str
    camera: Camera
    longest_gap: float  # seconds, of the odometry
    tracks: tuple[_Track, ...]
    has_scan_points: bool  # a damaged archive can lose its last member without a sign
    has_pitches: bool = False


def reconstruction_bytes(found: Reconstruction) -> bytes:
    """The file's content; equal reconstructions give equal bytes."""
    return array_bytes({"header": _header_array(found), **_arrays(found)})


def save_reconstruction(found: Reconstruction, path: Path | str) -> None:
    """Write it; a half-written file never stands under its final name."""
    write_whole(Path(path), reconstruction_bytes(found))


def load_reconstruction(path: Path | str) -> Reconstruction:
    """Read it; `BadFile` says what is wrong with one that cannot be read."""
    try:
        with opened(Path(path)) as file:
            return _read(file, str(path))
    except OSError as error:
        words = error.strerror or str(error)
        raise BadFile(
            f"{path}: cannot be read ({words}), expected a reconstruction (.npz); check the name"
        ) from error


def reconstruction_from(content: bytes, name: str) -> Reconstruction:
    """The reconstruction in the bytes of a file; `BadFile` calls it by this name."""
    return _read(io.BytesIO(content), name)


def _read(file: IO[bytes], name: str) -> Reconstruction:
    try:
        return _reconstruction(arrays_in(file, most=1 + len(FLOATS | COUNTS | OPTIONAL)))
    except OSError:
        raise
    except Exception as error:  # damage can raise anything: zlib.error, RecursionError, ...
        ours = isinstance(error, PaseoError) or type(error) is ValueError
        what = str(error) if ours else error_words(error)
        raise BadFile(f"{name}: not a readable reconstruction ({what}); {REMEDY}") from error


def _header_array(found: Reconstruction) -> NDArray[np.uint8]:
    header = _Header(
        format=FORMAT,
        version=VERSION,
        name=found.name,
        camera=found.camera,
        longest_gap=found.odometry.longest_gap,
        tracks=tuple(map(_told, found.tracks)),
        has_scan_points=found.scan_points is not None,
        has_pitches=found.odometry.pitches is not None,
    )
    plain = msgspec.to_builtins(header, enc_hook=lambda scalar: scalar.item())
    # Through the types and back: 1 and 1.0 are the same metre and must give the same bytes.
    plain = msgspec.to_builtins(msgspec.convert(plain, _Header))
    text = json.dumps(all_storable(plain), sort_keys=True, allow_nan=False)
    return np.frombuffer(text.encode(), np.uint8)


def _told(track: SmoothTrack) -> _Track:
    return _Track(
        person=track.person,
        samples=len(track.times),
        rejected=len(track.rejected),
        has_gains=track.gains is not None,
        errors=None if track.lasting is None else track.lasting.shape[2],
        common=track.common,
        seen_as=track.seen_as,
    )


def _arrays(found: Reconstruction) -> Arrays:
    tracks, frames = found.tracks, [frame for _, frame in sorted(found.seen.items())]
    people = [each for frame in frames for each in frame.people]
    arrays: Arrays = {
        "odometry_times": found.odometry.times,
        "odometry_poses": found.odometry.poses,
        "frame_times": found.frame_times,
        "seen_numbers": np.array([frame.number for frame in frames], np.int64),
        "seen_counts": np.array([len(frame.people) for frame in frames], np.int64),
        "seen_people": np.array([each.person for each in people], np.int64),
        "boxes": np.array([each.box for each in people], np.float64).reshape(-1, 4),
        "confidences": np.array([each.confidence for each in people], np.float64),
        "own_positions": np.array([e.position or NOWHERE for e in people], float).reshape(-1, 3),
        "times": _joined(track.times for track in tracks),
        "states": _joined(track.states for track in tracks),
        "covariances": _joined(track.covariances for track in tracks),
        "rejected": _joined(track.rejected for track in tracks),
        "gains": _joined(track.gains for track in tracks),
        "lasting": _joined(track.lasting for track in tracks),
    }
    if found.scan_points is not None:
        arrays["scan_points"] = np.asarray(found.scan_points, np.float64)
    if found.odometry.pitches is not None:
        arrays["odometry_pitches"] = np.asarray(found.odometry.pitches, np.float64)
    return arrays


def _joined(arrays: Iterable[NDArray[Any] | None]) -> NDArray[Any]:
    """All numbers of some arrays, one after the other."""
    return np.concatenate([np.empty(0), *(each.reshape(-1) for each in arrays if each is not None)])


def _reconstruction(arrays: Arrays) -> Reconstruction:
    header = _header(arrays)
    told = {"scan_points": header.has_scan_points, "odometry_pitches": header.has_pitches}
    expected = {"header"} | FLOATS | COUNTS | {name for name in OPTIONAL if told[name]}
    if arrays.keys() != expected:
        raise ValueError(f"it holds {', '.join(arrays)}, expected {', '.join(sorted(expected))}")
    for name in (FLOATS | OPTIONAL) & arrays.keys():
        typed(arrays, name, np.float64)
    return Reconstruction(
        name=header.name,
        camera=header.camera,
        odometry=Odometry(
            times=arrays["odometry_times"],
            poses=arrays["odometry_poses"],
            longest_gap=header.longest_gap,
            pitches=arrays.get("odometry_pitches"),
        ),
        frame_times=arrays["frame_times"],
        seen=_seen(arrays),
        tracks=_tracks(header.tracks, arrays),
        scan_points=arrays.get("scan_points"),
    )


def _header(arrays: Arrays) -> _Header:
    raw = json_value(typed(arrays, "header", np.uint8).tobytes())
    if not isinstance(raw, dict) or raw.get("format") != FORMAT:
        raise ValueError(f"its header does not say '{FORMAT}'")
    if raw.get("version") not in READABLE:
        known = " and ".join(map(str, READABLE))
        raise ValueError(f"its version is {raw.get('version')!s:.20}, this Paseo reads {known}")
    header = msgspec.convert(raw, _Header)
    strange = "has_pitches" if raw["version"] == 1 and "has_pitches" in raw else None
    if (strange := strange or strange_key(raw, header)) is not None:
        raise ValueError(f"its header has the unknown key {strange!r:.60}")
    if not 0 < header.longest_gap < math.inf:
        raise ValueError(f"its longest gap is {header.longest_gap:g} s, expected over 0")
    return header


def _seen(arrays: Arrays) -> Mapping[int, SeenFrame]:
    numbers, counts, people = (
        typed(arrays, name, np.int64) for name in ("seen_numbers", "seen_counts", "seen_people")
    )
    boxes, confidences, own = (arrays[n] for n in ("boxes", "confidences", "own_positions"))
    if not (
        numbers.shape == counts.shape == (len(counts),)
        and (np.diff(numbers) > 0).all()
        and (counts >= 0).all()
        and (len(people),) == people.shape == confidences.shape == (int(counts.sum()),)
        and (boxes.shape, own.shape) == ((len(people), 4), (len(people), 3))
    ):
        raise ValueError("the people who were seen do not add up")
    if not (
        np.isfinite(boxes).all() and np.isfinite(confidences).all() and not np.isinf(own).any()
    ):
        raise ValueError("boxes and confidences must be finite")
    rows = zip(people.tolist(), boxes.tolist(), confidences.tolist(), own.tolist(), strict=True)
    everybody = [
        Seen(
            person=person,
            box=tuple(box),
            confidence=confidence,
            position=None if any(map(math.isnan, position)) else tuple(position),
        )
        for person, box, confidence, position in rows
    ]
    ends = np.cumsum(counts).tolist()
    spans = zip(numbers.tolist(), [0, *ends], ends, strict=False)
    return {number: SeenFrame(number, tuple(everybody[a:b])) for number, a, b in spans}


class _Reader:
    """Numbers that lie one after the other."""

    def __init__(self, arrays: Arrays) -> None:
        self._arrays = arrays
        self._taken = dict.fromkeys(arrays, 0)

    def take(self, name: str, *shape: int) -> NDArray[Any]:
        """The next of them, in this shape."""
        if min(shape) < 0:
            raise ValueError("its tracks do not add up")
        start = self._taken[name]
        self._taken[name] = end = start + math.prod(shape)
        if self._arrays[name].ndim != 1 or end > len(self._arrays[name]):
            raise ValueError("its tracks do not add up")
        return self._arrays[name][start:end].reshape(shape)

    def check_all_taken(self, *names: str) -> None:
        """Raise `ValueError` if there are more than were asked for."""
        if any(self._taken[name] != self._arrays[name].size for name in names):
            raise ValueError("its tracks do not add up")


def _tracks(told: Sequence[_Track], arrays: Arrays) -> tuple[SmoothTrack, ...]:
    reader, found = _Reader(arrays), list[SmoothTrack]()
    for each in told:
        count, errors = each.samples, each.errors
        track = SmoothTrack(
            person=each.person,
            times=reader.take("times", count),
            states=reader.take("states", count, 4),
            covariances=reader.take("covariances", count, 4, 4),
            rejected=reader.take("rejected", each.rejected),
            gains=reader.take("gains", max(count - 1, 0), 4, 4) if each.has_gains else None,
            lasting=None if errors is None else reader.take("lasting", count, 4, errors),
            common=each.common,
            seen_as=each.seen_as,
        )
        found.append(track)
    reader.check_all_taken("times", "states", "covariances", "rejected", "gains", "lasting")
    return tuple(found)
