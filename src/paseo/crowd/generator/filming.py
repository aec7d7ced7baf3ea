"""From steps to a recording: sampled every 0.4 s, finer where that alone keeps its promises."""

from dataclasses import dataclass

import numpy as np

from paseo.compiled import compiled
from paseo.world.arrays import BoolArray, FloatArray, IntArray
from paseo.world.space.floorplan import FloorPlan
from paseo.world.space.geometry import blocked_between, is_inside
from paseo.world.tracks import Recording, Track

SAMPLED = 4  # steps from one sample to the next
NEVER, RARELY = 0.2, 0.3  # metres between centres: never less, and not for longer than LONGEST
LONGEST = 5  # steps, 0.5 s


@dataclass(frozen=True, slots=True, eq=False)
class Film:
    """Where everybody was at every step, person after person, each without a gap."""

    steps: IntArray  # (rows,)
    people: IntArray  # (rows,)
    positions: FloatArray  # (rows, 2)


def film_of(frames: list[tuple[int, IntArray, FloatArray]]) -> Film:
    """The film of what was seen step by step: number of the step, who, and where."""
    steps = np.concatenate(
        [np.empty(0, np.int64), *(np.full(len(who), step) for step, who, _ in frames)]
    )
    people = np.concatenate([np.empty(0, np.int64), *(who for _, who, _ in frames)])
    positions = np.concatenate([np.empty((0, 2)), *(where for _, _, where in frames)])
    order = np.lexsort((steps, people))
    return Film(steps[order], people[order], positions[order])


def recorded(
    film: Film, plan: FloorPlan, *, name: str, dt: float, mates: IntArray
) -> tuple[Recording, int]:
    """The recording of a film, and how many people had to be left out of it.

    Positions are rounded to 0.1 mm. Between samples people walk straight; where two would come too
    close by that, or cut a corner, all steps around are kept. Who still breaks a promise is left
    out. `mates` tells the party of each person.
    """
    positions = film.positions.round(4)
    kept = _usual_samples(film)
    straight = straightened(film.steps, film.people, positions, kept)
    bad = faulty(film.steps, film.people, straight, plan.walls)
    for _ in range(SAMPLED):  # what is made finer may show a fault a little further on
        if not bad.any():
            break
        kept |= _around(bad, film)
        straight = straightened(film.steps, film.people, positions, kept)
        bad = faulty(film.steps, film.people, straight, plan.walls)
    out = np.unique(film.people[bad])
    tracks: list[Track] = []
    groups: dict[int, list[int]] = {}
    for person in np.unique(film.people).tolist():
        if person in out:
            continue
        rows = np.nonzero((film.people == person) & kept)[0]
        tracks.append(
            Track(len(tracks) + 1, film.steps[rows].astype(np.float64) * dt, positions[rows])
        )
        groups.setdefault(int(mates[person]), []).append(len(tracks))
    together = tuple(tuple(ids) for ids in groups.values() if len(ids) > 1)
    recording = Recording(name=name, fps=1.0 / dt, tracks=tuple(tracks), groups=together)
    return recording, len(out)


def _usual_samples(film: Film) -> BoolArray:
    """The common clock, and everybody's first and last moment."""
    change = np.diff(film.people) != 0
    ends: BoolArray = np.concatenate([[True], change]) | np.concatenate([change, [True]])
    return (film.steps % SAMPLED == 0) | ends[: len(film.steps)]


def _around(bad: BoolArray, film: Film) -> BoolArray:
    """The rows within a sample's length of a bad one, of the same person."""
    near = bad.copy()
    for shift in range(1, SAMPLED + 1):
        same = film.people[shift:] == film.people[:-shift]
        near[shift:] |= bad[:-shift] & same
        near[:-shift] |= bad[shift:] & same
    return near


@compiled
def straightened(
    steps: IntArray, people: IntArray, positions: FloatArray, kept: BoolArray
) -> FloatArray:
    """Where everybody is at each step if they walk straight between kept rows, (rows, 2)."""
    result = positions.copy()
    last = 0
    for row in range(len(steps)):
        if kept[row]:
            if people[row] == people[last]:
                for k in range(last + 1, row):
                    share = (steps[k] - steps[last]) / (steps[row] - steps[last])
                    for axis in range(2):
                        change = positions[row, axis] - positions[last, axis]
                        result[k, axis] = positions[last, axis] + share * change
            last = row
    return result


@compiled
def faulty(
    steps: IntArray, people: IntArray, positions: FloatArray, walls: FloatArray
) -> BoolArray:
    """The rows of people in or through walls, or too close to somebody, (rows,).

    Of two who are too close, it is the one who comes later.
    """
    bad = np.zeros(len(steps), np.bool_)
    for row in range(len(steps)):
        x, y = positions[row, 0], positions[row, 1]
        if not is_inside(x, y, walls):
            bad[row] = True
        elif row > 0 and people[row] == people[row - 1]:
            bad[row] = blocked_between(positions[row - 1, 0], positions[row - 1, 1], x, y, walls)
    starts = [0]
    for row in range(1, len(steps) + 1):
        if row == len(steps) or people[row] != people[row - 1]:
            starts.append(row)
    for second in range(1, len(starts) - 1):
        for first in range(second):
            mark_close(starts, first, second, steps, positions, bad)
    return bad


@compiled
def mark_close(
    starts: list[int],
    first: int,
    second: int,
    steps: IntArray,
    positions: FloatArray,
    bad: BoolArray,
) -> None:
    """Mark where the second of two people is too close to the first, or too close for too long."""
    begin = max(steps[starts[first]], steps[starts[second]])
    end = min(steps[starts[first + 1] - 1], steps[starts[second + 1] - 1])
    a = starts[first] + begin - steps[starts[first]]
    b = starts[second] + begin - steps[starts[second]]
    close = 0
    for k in range(max(end - begin, 0)):
        gap = closest(positions, a + k, b + k)
        close = close + 1 if gap < RARELY else 0
        if gap < NEVER or close > LONGEST - 1:
            bad[b + k], bad[b + k + 1] = True, True


@compiled
def closest(positions: FloatArray, a: int, b: int) -> float:
    """The least distance of two people during the step that begins with rows a and b."""
    dx, dy = positions[b, 0] - positions[a, 0], positions[b, 1] - positions[a, 1]
    ux = positions[b + 1, 0] - positions[a + 1, 0] - dx
    uy = positions[b + 1, 1] - positions[a + 1, 1] - dy
    length2 = ux * ux + uy * uy
    share = 0.0 if length2 == 0.0 else min(1.0, max(0.0, -(dx * ux + dy * uy) / length2))
    return float(np.hypot(dx + share * ux, dy + share * uy))
