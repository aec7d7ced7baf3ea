"""Laser scans as points of the odometry's frame: what stands there, not who walked by."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from paseo.pipeline.drives.bags.bag import Broken
from paseo.world.arrays import BoolArray, FloatArray

CELL = 0.1  # metres, a side of the cells that points are gathered in
STANDS = 2.0  # seconds from the first to the last point in a cell that is no passer-by
MOST_BEAMS = 1_000_000
FARTHEST = 30.0  # metres; farther points are too far apart for a map
MOST_KEPT = 400  # beams of a scan


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sweep:
    """The points of one scan."""

    frame: str
    sent: int  # nanoseconds
    recorded: int
    points: FloatArray  # (points, 2), metres in the laser's frame


def sweep(told: Any, frame: str, sent: int, recorded: int) -> Sweep:
    """The points of a LaserScan that met something."""
    ranges = np.asarray(told.ranges, np.float64)
    if len(ranges) > MOST_BEAMS:
        raise Broken(f"a scan has {len(ranges)} beams")
    angles = told.angle_min + told.angle_increment * np.arange(len(ranges))
    nearest, farthest = max(float(told.range_min), 0.0), min(float(told.range_max), FARTHEST)
    met = np.isfinite(angles) & (ranges > nearest) & (ranges < farthest)  # False for NaN
    thin = np.flatnonzero(met)[:: max(1, int(met.sum()) // MOST_KEPT)]
    points = ranges[thin, None] * np.column_stack([np.cos(angles[thin]), np.sin(angles[thin])])
    return Sweep(frame=frame, sent=sent, recorded=recorded, points=points)


def standing_points(
    sweeps: Sequence[Sweep],
    times: FloatArray,
    robot: FloatArray,
    place_of: Callable[[str], FloatArray],
) -> FloatArray:
    """The middles, (points, 2), of cells in which something stands.

    `times` are those of the sweeps, `robot` (sweeps, 3) the poses at them, NaN where not known;
    `place_of` is the place, (4, 4), of a frame on the robot.
    """
    cells, whens = [np.empty((0, 2), np.int64)], [np.empty(0)]
    for each, time, (x, y, heading) in zip(sweeps, times, robot, strict=True):
        if np.isnan(x) or not len(each.points):
            continue
        place = place_of(each.frame)
        level = np.column_stack([each.points, np.zeros(len(each.points))])
        carried = level @ place[:3, :3].T + place[:3, 3]
        cos, sin = np.cos(heading), np.sin(heading)
        world = carried[:, :2] @ np.array([[cos, sin], [-sin, cos]]) + (x, y)
        met = np.unique(np.floor(world / CELL).astype(np.int64), axis=0)
        cells.append(met)
        whens.append(np.full(len(met), time))
    where, when = np.concatenate(cells), np.concatenate(whens)
    if not len(where):
        return np.empty((0, 2))
    known, owner = np.unique(where, axis=0, return_inverse=True)
    stands = known[_stands(owner.ravel(), when, len(known))].astype(np.float64)
    middles: FloatArray = (stands + 0.5) * CELL
    return middles


def _stands(owner: "np.typing.NDArray[np.intp]", when: FloatArray, count: int) -> BoolArray:
    first, last = np.full(count, np.inf), np.full(count, -np.inf)
    np.minimum.at(first, owner, when)
    np.maximum.at(last, owner, when)
    return np.asarray(last - first >= STANDS)
