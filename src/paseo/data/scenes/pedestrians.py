"""The people of a SocialNav-SUB scene: which tracks count, and which number each gets."""

import math
from collections.abc import Mapping
from pathlib import Path

import msgspec
import numpy as np

from paseo.data.scenes.images import Size, check_box
from paseo.data.scenes.robot_frame import MOST_METRES
from paseo.data.textfile import quoted
from paseo.errors import BadFile
from paseo.world.arrays import FloatArray
from paseo.world.scenes import NumberedPerson

MOST_PIXELS_AWAY = 1e6
Number = float | str  # the data set has both


class Sighting(msgspec.Struct, frozen=True):
    """A person in one frame; what else the file tells of them is not used."""

    center_x: Number
    center_y: Number
    timestep: Number
    bbox: list[Number] | None = None


class TracksFile(msgspec.Struct, frozen=True):
    """The file `<scene>_localized_obj_coords.json`."""

    track_id_to_object_trajectory: dict[str, list[Sighting]]


def numbered_people(
    tracks: TracksFile,
    numbers: Mapping[str, int] | None,
    *,
    frames: int,
    size: Size,
    where: Path,
) -> tuple[NumberedPerson, ...]:
    """People by number: those of `numbers` (track id to number) or, without, as the data set does.

    The data set keeps who comes near and numbers them from left to right in their first box.
    """
    rows = _all_rows(tracks, frames, where)
    if numbers is None:
        numbers = _numbers(rows)
    missing = [track for track in numbers if track not in rows]
    if missing:
        raise BadFile(
            f"{where}: has no track {quoted(missing[0])}, which is numbered; fetch it again"
        )
    by_number = sorted(numbers, key=lambda track: numbers[track])
    for track in by_number:
        _check_boxes(rows[track], size, f"{where}: track {quoted(track)}")
    return tuple(_person(numbers[track], rows[track], frames) for track in by_number)


def dataset_numbers(tracks: TracksFile, *, frames: int, where: Path) -> dict[str, int]:
    """Track id to number, of the tracks that the data set keeps."""
    return _numbers(_all_rows(tracks, frames, where))


def _numbers(rows: Mapping[str, FloatArray]) -> dict[str, int]:
    kept = [track for track in rows if comes_near(rows[track][:, 1:3])]
    kept.sort(key=lambda track: _first_left(rows[track]))
    return {track: number for number, track in enumerate(kept, start=1)}


def _all_rows(tracks: TracksFile, frames: int, where: Path) -> dict[str, FloatArray]:
    return {
        track: _rows(observations, frames, f"{where}: track {quoted(track)}")
        for track, observations in tracks.track_id_to_object_trajectory.items()
        if observations
    }


def comes_near(places: FloatArray) -> bool:
    """Whether somebody observed there, (observations, 2), counts, by the rule of the data set."""
    nearest_x, nearest_y = places.min(axis=0).tolist()
    near = -5 <= nearest_y <= 5 and 0 <= nearest_x <= 10 and len(places) >= 3
    return near or (-3 <= nearest_y <= 3 and 0 <= nearest_x <= 5)


def _first_left(rows: FloatArray) -> float:
    """The left side of the first box; who has none is numbered last."""
    left = rows[~np.isnan(rows[:, 3]), 3]
    return float(left[0]) if len(left) else math.inf


def _check_boxes(rows: FloatArray, size: Size, where: str) -> None:
    for frame, box in zip(rows[:, 0].astype(int), rows[:, 3:], strict=True):
        if not np.isnan(box).any():
            check_box(box, size, f"{where}, timestep {frame}")


def _person(number: int, rows: FloatArray, frames: int) -> NumberedPerson:
    values = np.full((frames, 6), np.nan)
    values[rows[:, 0].astype(int)] = rows[:, 1:]
    return NumberedPerson(number=number, positions=values[:, :2], boxes=values[:, 2:])


def _rows(observations: list[Sighting], frames: int, where: str) -> FloatArray:
    """The track as timestep, x, y, left, top, right, bottom, (observations, 7)."""
    rows = np.array([_row(each, where) for each in observations])
    steps = rows[:, 0]
    if not (np.isin(steps, range(frames)).all() and (np.diff(steps) > 0).all()):
        told = ", ".join(f"{step:g}" for step in steps[:12])
        raise BadFile(
            f"{where}: its timesteps are {told}, expected whole numbers from 0 to {frames - 1} in "
            "order, each once; correct them"
        )
    return rows


def _row(seen: Sighting, where: str) -> list[float]:
    place = [_number(each, MOST_METRES, where) for each in (seen.center_x, seen.center_y)]
    box = [math.nan] * 4
    if seen.bbox is not None:
        box = [_number(each, MOST_PIXELS_AWAY, where) for each in seen.bbox]
    if len(box) != 4:
        raise BadFile(f"{where}: a box has {len(box)} numbers, expected 4; correct it")
    return [_number(seen.timestep, MOST_METRES, where), *place, *box]


def _number(value: Number, most: float, where: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not abs(number) <= most:  # not so for NaN either
        raise BadFile(
            f"{where}: has {quoted(str(value))}, expected a number between {-most:g} and {most:g}; "
            "correct it"
        )
    return number
