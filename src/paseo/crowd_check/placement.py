"""Do these people walk where the map says one can? Walls, mirror images and swapped axes.

Without a map a crowd and its mirror image are equally good crowds; with one, the wrong one walks
through walls. Where it does, the seven other ways to lay the axes are tried, as they are and moved
about, and the one that fits is told.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from paseo.crowd_check.findings import Doubt, Finding, Remedy
from paseo.crowd_check.samples import TrackSamples
from paseo.data.store.catalog import Affine
from paseo.world.arrays import BoolArray, FloatArray
from paseo.world.space.floorplan import FloorPlan

DEPTH = 0.1  # metres into a wall that the map's own error allows
WORST_MAP = 0.013  # share of moments off the map in the worst of the five published recordings
WRONG = 0.05
SUSPECT = 0.008
BETTER = 4.0  # times fewer moments in walls make another way to lay the axes worth telling
CELL = 0.25  # metres, of the search for shifts
MOST_CELLS = 4_000_000
AS_GOOD = 0.005  # more of all moments in walls
CHANCE = 1e-3  # below which a sign test of people counts

AXES: dict[str, tuple[Doubt, tuple[tuple[int, int], tuple[int, int]]]] = {
    "as they are": (Doubt.SHIFTED, ((1, 0), (0, 1))),
    "mirrored in x": (Doubt.MIRRORED, ((-1, 0), (0, 1))),
    "mirrored in y": (Doubt.MIRRORED, ((1, 0), (0, -1))),
    "with x and y swapped": (Doubt.SWAPPED, ((0, 1), (1, 0))),
    "turned by half a circle": (Doubt.TURNED, ((-1, 0), (0, -1))),
    "turned by a quarter to the left": (Doubt.TURNED, ((0, -1), (1, 0))),
    "turned by a quarter to the right": (Doubt.TURNED, ((0, 1), (-1, 0))),
    "swapped and mirrored": (Doubt.SWAPPED, ((0, -1), (-1, 0))),
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fit:
    """The crowd laid onto the map in one way."""

    name: str  # of AXES
    shift: tuple[float, float]
    inside: BoolArray  # (moments,), in a wall or off the map

    @property
    def share(self) -> float:
        """Of all moments, how many are in walls."""
        return float(self.inside.mean())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Placement:
    """How well a crowd lies on a map."""

    finding: Finding | None
    alike: tuple[str, ...]  # ways to lay the axes, of AXES, that the map cannot tell apart


def placement(at: TrackSamples, plan: FloorPlan) -> Placement:
    """What is wrong with how the crowd lies on the map, and what the map cannot tell."""
    given = _fit(at, plan, "as they are", (0.0, 0.0))
    coarse = _coarse(plan)
    others = [fit for name in AXES for fit in _fits(at, plan, coarse, name)]
    if given.share < SUSPECT:
        return Placement(finding=None, alike=_alike(given, others))
    best = _best(others)
    fits_better = best.share * BETTER <= given.share and _chance(at, given, best) < CHANCE
    if not fits_better or (AXES[best.name][0] is Doubt.SHIFTED and given.share < WRONG):
        return Placement(finding=_walls(at, given), alike=_alike(given, others))
    alike = tuple(name for name in _alike(best, others) if name != "as they are")
    return Placement(finding=_laid_otherwise(at, given, best, alike), alike=())


def _fits(at: TrackSamples, plan: FloorPlan, coarse: FloatArray, name: str) -> list[Fit]:
    """Unmoved, and moved to where it fits best."""
    unmoved = _fit(at, plan, name, (0.0, 0.0))
    shift = _best_shift(at, plan, coarse, name)
    return [unmoved] if shift is None else [unmoved, _fit(at, plan, name, shift)]


def _fit(at: TrackSamples, plan: FloorPlan, name: str, shift: tuple[float, float]) -> Fit:
    points = at.positions @ np.array(AXES[name][1], float).T + shift
    return Fit(name=name, shift=shift, inside=in_walls(points, plan))


def in_walls(points: FloatArray, plan: FloorPlan) -> BoolArray:
    """Which points are more than DEPTH inside a wall or off the map, (points,)."""
    inside: BoolArray = plan.grid_clearances(points) < -DEPTH
    return inside


def _best_shift(
    at: TrackSamples, plan: FloorPlan, free: FloatArray, name: str
) -> tuple[float, float] | None:
    """Where most moments fall into free space, by correlating coarse grids; None if too large."""
    points = at.positions @ np.array(AXES[name][1], float).T
    low = points.min(axis=0)
    columns, rows = np.floor((points.max(axis=0) - low) / CELL).tolist()
    height, width = rows + 1 + free.shape[0], columns + 1 + free.shape[1]
    if not height * width <= MOST_CELLS:
        return None
    crowd = np.zeros((int(height), int(width)))
    column, row = np.floor((points - low) / CELL).astype(np.int64).T
    np.add.at(crowd, (row, column), 1.0)
    ground = np.zeros_like(crowd)
    ground[: free.shape[0], : free.shape[1]] = free
    counts = np.fft.irfft2(
        np.fft.rfft2(ground) * np.conj(np.fft.rfft2(crowd)), s=crowd.shape
    )  # counts[r, c]: moments in free space if moved by r and c cells, around the edges
    top, left = (int(k) for k in np.unravel_index(int(np.argmax(counts)), counts.shape))
    top -= crowd.shape[0] if top >= free.shape[0] else 0
    left -= crowd.shape[1] if left >= free.shape[1] else 0
    x, y = np.array(plan.origin) + np.array([left, top]) * CELL - low
    return float(x), float(y)


def _coarse(plan: FloorPlan) -> FloatArray:
    """How free each cell of the search is, (rows, columns), from 0 to 1."""
    row, column = np.nonzero(plan.free)
    r, c = (((k + 0.5) * plan.cell_size / CELL).astype(np.int64) for k in (row, column))
    rows, columns = (math.ceil(n * plan.cell_size / CELL) + 1 for n in plan.free.shape)
    grid = np.zeros((rows, columns))
    np.add.at(grid, (r, c), 1.0)
    peak: FloatArray = grid / grid.max()
    return peak


def _best(others: list[Fit]) -> Fit:
    """The simplest of the ways that fit nearly as well as any: unmoved before moved."""
    least = min(fit.share for fit in others)
    good = [fit for fit in others if fit.share <= least + 0.01]
    return min(good, key=lambda fit: (fit.shift != (0.0, 0.0), round(fit.share, 3)))


def _chance(at: TrackSamples, given: Fit, best: Fit) -> float:
    """Of so many more people in walls as given than laid otherwise, were both equally good."""
    people = np.unique(at.people)
    worse = np.isin(people, at.people[given.inside & ~best.inside]).sum()
    better = np.isin(people, at.people[best.inside & ~given.inside]).sum()
    z = (worse - better) / math.sqrt(max(worse + better, 1))
    return 0.5 * math.erfc(z / math.sqrt(2))


def _walls(at: TrackSamples, given: Fit) -> Finding:
    people = np.unique(at.people[given.inside])
    everybody = len(np.unique(at.people))
    wrong = given.share > WRONG
    return Finding(
        doubt=Doubt.WALLS,
        sure=1 - min(1.0, WORST_MAP / given.share) if wrong else 0.5,
        what=f"{given.share:.1%} of all moments, of {len(people)} of {everybody} people, are "
        f"inside walls or off the map by more than {DEPTH:g} m (the worst published map: "
        f"{WORST_MAP:.1%})",
        fix="check that the map and the recording have the same frame and scale"
        if wrong
        else "look at the picture: the map's edge may be drawn too tightly",
        spots=at.positions[given.inside],
        people=tuple(people.tolist()),
    )


def _laid_otherwise(at: TrackSamples, given: Fit, best: Fit, alike: Sequence[str]) -> Finding:
    """Not as given, that is how sure it is: other ways may fit as well and are told."""
    doubt, ((a, b), (d, e)) = AXES[best.name]
    x, y = best.shift
    moved = "" if (x, y) == (0.0, 0.0) else f" and moved by ({x:.2f}, {y:.2f}) m"
    people = np.unique(at.people[given.inside])
    sure = min(0.99, 1 - best.share / given.share) * (1 if given.share > WRONG else 0.8)
    if doubt is Doubt.SHIFTED:  # a sloppy map or calibration fits better somewhere else, too
        sure = min(sure, 1 - WORST_MAP / given.share)
    others = f"; as few are if it is moved and laid {' or '.join(alike)}" if alike else ""
    return Finding(
        doubt=doubt,
        sure=sure,
        what=f"{given.share:.1%} of all moments are inside walls or off the map; laid {best.name}"
        f"{moved}, {best.share:.1%} are{others}",
        fix=f"lay it with transform={a},{b},{x:.2f},{d},{e},{y:.2f}, after any applied already"
        + (", and look at the picture: the shift is known to half a metre or so" if moved else ""),
        remedies=(Remedy("transform", (_affine(best),)),),
        spots=at.positions[given.inside],
        people=tuple(people.tolist()),
    )


def _affine(fit: Fit) -> Affine:
    (a, b), (d, e) = AXES[fit.name][1]
    x, y = fit.shift
    return (float(a), float(b), round(x, 2)), (float(d), float(e), round(y, 2))


def _alike(given: Fit, others: list[Fit]) -> tuple[str, ...]:
    """Mirror images and turns that fit as well, unmoved or moved."""
    fitting = {fit.name for fit in others if fit.share <= given.share + AS_GOOD}
    return tuple(name for name in AXES if name in fitting and name != given.name)
