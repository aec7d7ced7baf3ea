"""Where people stand, by the points that are seen of them.

Seen from above, somebody is a heap of visible surface about as wide as a person. The highest heap
is taken first, then what belongs to it is taken away, and so on: a row of people side by side comes
apart like that, where connected components would be one.
"""

import math

import numpy as np

from paseo.perception.points import Points
from paseo.world.arrays import FloatArray, IntArray
from paseo.world.cameras import Camera
from paseo.world.space.floorplan import FloorPlan

LOWEST, HIGHEST = 0.35, 2.1  # metres above the ground between which people are looked for
POST = 2.6  # metres; what goes on from HIGHEST up to there is a post or a tree
WALL = 0.2  # metres within which a point belongs to a wall of the map
REACH = 10.0  # metres
SURE = 3.0  # deviations of depth that a point must be off a wall besides
SMEARED = 0.2  # metres of deviation beyond which people cannot be told apart
CELL = 0.1  # metres
WIDTH = 0.35  # metres around somebody's middle in which they are
APART = 0.45  # metres around somebody in which nobody else is looked for
LEAST_AREA = 0.05  # square metres that are seen of somebody
LEAST_POINTS = 4
LEAST_TOP = 0.95  # metres; who is lower is a bench or a bin, if they could be seen higher
DEPTH = 0.1  # metres from somebody's surface to their middle

_AROUND = math.ceil(WIDTH / CELL)  # cells
_STEPS = range(-_AROUND, _AROUND + 1)
_KERNEL = {
    (i, j): 1 - (i * i + j * j) * (CELL / WIDTH) ** 2
    for i in _STEPS
    for j in _STEPS
    if (i * i + j * j) * CELL**2 < WIDTH**2
}  # by Epanechnikov: the middle counts most


def standing(
    points: Points, plan: FloorPlan, camera: Camera, at: FloatArray, *, noise: float = 0.0
) -> FloatArray:
    """Where people stand, (people, 2), seen by a camera at a place, (3,), on a known map.

    `noise` is the deviation of depth at 1 m, in metres: the further away, the more of what is
    before a wall may be that wall, and where people would be smeared nobody is looked for.
    """
    places = points.places
    away = places[:, :2] - at[:2]
    reach = REACH if noise == 0 else min(REACH, math.sqrt(SMEARED / noise))
    near = np.flatnonzero((np.abs(away) < reach).all(axis=1) & (places[:, 2] < POST))
    near = near[places[near, 2] > LOWEST]
    margin = WALL + SURE * noise * (away[near] ** 2).sum(axis=1)
    near = near[plan.grid_clearances(places[near, :2]) > margin]
    points, away = points.some(near), away[near]
    cells = np.floor((away + REACH) / CELL).astype(np.int64) + _AROUND  # (points, 2)
    size = round(2 * REACH / CELL) + 2 * _AROUND + 1
    flat = cells @ [size, 1]
    posts = np.zeros(size * size, bool)
    posts[flat[points.places[:, 2] > HIGHEST]] = True
    people = ~posts[flat]
    points, cells, flat = points.some(people), cells[people], flat[people]
    surface = np.bincount(flat, points.areas, size * size).astype(np.float64).reshape(size, size)
    return _middles(points, surface, camera, at)


def _middles(points: Points, surface: FloatArray, camera: Camera, at: FloatArray) -> FloatArray:
    """The heaps that can be people, the highest first, (people, 2); `surface` is used up."""
    size, found = len(surface), []
    heaps = _heaped(surface)
    left = np.ones(len(points.areas), bool)
    ground = points.places[:, :2]
    while heaps.size and heaps.max() >= LEAST_AREA / 2:
        row, column = divmod(int(heaps.argmax()), size)
        middle = at[:2] - REACH + (np.array([row, column]) - _AROUND + 0.5) * CELL
        for _ in range(2):  # mean shift
            gaps = ((ground - middle) ** 2).sum(axis=1)
            mine = left & (gaps < WIDTH**2)
            if not mine.any():
                break
            middle = _mean(ground[mine], points.areas[mine])
        own = left & (((ground - middle) ** 2).sum(axis=1) < APART**2)
        if _is_person(points.some(mine), camera, at):
            found.append(middle)
        left &= ~own
        lost = np.floor((ground[own] - at[:2] + REACH) / CELL).astype(np.int64) + _AROUND
        lost = np.concatenate([lost, [[row, column]]])
        surface[lost[:, 0], lost[:, 1]] = 0.0
        _heap_again(heaps, surface, lost)
    return towards_middle(np.array(found).reshape(-1, 2), at)


def _heap_again(heaps: FloatArray, surface: FloatArray, changed: IntArray) -> None:
    """Make heaps anew around some cells, (cells, 2), in place."""
    (top, left), (bottom, right) = changed.min(axis=0), changed.max(axis=0) + 1
    wide, far = _AROUND, 2 * _AROUND
    part = surface[max(top - far, 0) : bottom + far, max(left - far, 0) : right + far]
    rows = slice(max(top - far, 0) + wide, max(top - far, 0) + len(part) - wide)
    columns = slice(max(left - far, 0) + wide, max(left - far, 0) + part.shape[1] - wide)
    heaps[rows, columns] = _heaped(part)[wide:-wide, wide:-wide]


def _heaped(surface: FloatArray) -> FloatArray:
    """For each cell how much surface is around it."""
    heaps = np.zeros_like(surface)
    height, width = (side - 2 * _AROUND for side in surface.shape)
    inner = heaps[_AROUND : _AROUND + height, _AROUND : _AROUND + width]
    for (i, j), weight in _KERNEL.items():
        top, left = _AROUND + i, _AROUND + j
        inner += weight * surface[top : top + height, left : left + width]
    return heaps


def _is_person(points: Points, camera: Camera, at: FloatArray) -> bool:
    """Whether enough of somebody is seen, and up to where a head could be."""
    if len(points.areas) < LEAST_POINTS or points.areas.sum() < LEAST_AREA:
        return False
    away = float(np.hypot(*(points.places[:, :2] - at[:2]).mean(axis=0)))
    upwards = math.atan2(camera.cy, camera.fy) - camera.pitch
    highest = at[2] + away * math.tan(min(upwards, 1.5))  # that could be seen there
    return bool(points.places[:, 2].max() > min(LEAST_TOP, 0.75 * highest))


def _mean(places: FloatArray, weights: FloatArray) -> FloatArray:
    middle: FloatArray = (places * weights[:, None]).sum(axis=0) / weights.sum()
    return middle


def towards_middle(places: FloatArray, at: FloatArray) -> FloatArray:
    """From the surface that a camera sees of people, (people, 2), into their middle."""
    away = places - at[:2]
    far = np.maximum(np.hypot(away[:, 0], away[:, 1]), 1e-9)
    return places + away / far[:, None] * DEPTH


def middle_of(points: Points) -> FloatArray:
    """The middle of somebody's visible surface on the ground, (2,)."""
    return _mean(points.places[:, :2], points.areas)
