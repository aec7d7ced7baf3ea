"""Who was seen where in which frame, as the files tell it, and the tracks that come of it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from paseo.data.textfile import bad_line
from paseo.world.arrays import BoolArray, FloatArray
from paseo.world.tracks import Track

MAX_FRAME = 1e12  # so that frame / fps still tells neighbouring frames apart
MAX_ID = 2.0**53 - 1  # beyond it a float no longer holds every whole number
MAX_COORDINATE = 1e9

Where = Callable[[int, int], str]  # sighting and field (frame, id, x, y) -> 'line 12'


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sightings:
    """Every row of one recording file, in any order; whatever makes no sense is a BadFile."""

    path: Path
    where: Where
    frames: FloatArray  # (sightings,), whole numbers from 0 on
    ids: FloatArray  # (sightings,), whole numbers
    positions: FloatArray  # (sightings, 2), finite; metres, or what an affine turns into metres
    fps: float | None = None  # frames per second, if the file says so

    def __post_init__(self) -> None:
        x, y = self.positions.T
        self._refuse(
            0, self.frames, _is_whole(self.frames, 0, MAX_FRAME), "a whole number from 0 on"
        )
        self._refuse(1, self.ids, _is_whole(self.ids, -MAX_ID, MAX_ID), "a whole number")
        self._refuse(2, x, np.abs(x) <= MAX_COORDINATE, "a finite coordinate")
        self._refuse(3, y, np.abs(y) <= MAX_COORDINATE, "a finite coordinate")

    def _refuse(self, field: int, values: FloatArray, fine: BoolArray, expected: str) -> None:
        if not fine.all():
            wrong = int(np.argmin(fine))
            what = ("frame", "person id", "x", "y")[field]
            problem = f"has the {what} {float(values[wrong])!r}"
            raise bad_line(self.path, self.where(wrong, field), problem, expected)


def by_line(first_line: int) -> Where:
    """Where sightings are in a file with one per line, from `first_line` on."""
    return lambda sighting, _field: f"line {first_line + sighting}"


def tracks_of(sightings: Sightings, fps: float) -> tuple[Track, ...]:
    """One track per person, in order of id; the time of a sighting is frame / fps seconds."""
    order = np.lexsort((sightings.frames, sightings.ids))
    ids, frames = sightings.ids[order], sightings.frames[order]
    new_person = np.diff(ids) != 0
    twice = np.nonzero(~new_person & (np.diff(frames) == 0))[0]
    if len(twice):
        raise bad_line(
            sightings.path,
            sightings.where(int(order[twice[0] + 1]), 1),
            f"has person {ids[twice[0]]:.0f} in frame {frames[twice[0]]:.0f} a second time",
            "each person at most once in a frame",
        )
    starts = np.nonzero(new_person)[0] + 1
    times = np.split(frames / fps, starts)
    positions = np.split(sightings.positions[order], starts)
    people = ids[np.concatenate([[0], starts])]
    return tuple(map(Track, map(int, people), times, positions))


def without_repeats(sightings: Sightings) -> tuple[Sightings, list[int], FloatArray]:
    """The first sighting of everybody in each frame; whose others there were, and how far off."""
    order = np.lexsort((sightings.frames, sightings.ids))  # stable: the first row comes first
    ids, frames = sightings.ids[order], sightings.frames[order]
    again = np.concatenate([[False], (np.diff(ids) == 0) & (np.diff(frames) == 0)])
    if not again.any():
        return sightings, [], np.empty(0)
    firsts = np.maximum.accumulate(np.where(again, 0, np.arange(len(order))))
    positions = sightings.positions[order]
    apart = np.hypot(*(positions[again] - positions[firsts[again]]).T)
    kept = np.sort(order[~again])
    first = replace(
        sightings,
        where=lambda sighting, field: sightings.where(int(kept[sighting]), field),
        frames=sightings.frames[kept],
        ids=sightings.ids[kept],
        positions=sightings.positions[kept],
    )
    return first, ids[again].astype(np.int64).tolist(), apart


def usual_step(sightings: Sightings, least: int = 1) -> float | None:
    """The commonest number of frames between a person's sightings; None if seen less often."""
    order = np.lexsort((sightings.frames, sightings.ids))
    steps = np.diff(sightings.frames[order])[np.diff(sightings.ids[order]) == 0]
    sizes, counts = np.unique(steps[steps > 0], return_counts=True)
    return float(sizes[np.argmax(counts)]) if counts.max(initial=0) >= least else None


def _is_whole(values: FloatArray, least: float, most: float) -> BoolArray:
    return (values >= least) & (values <= most) & (values == np.rint(values))
