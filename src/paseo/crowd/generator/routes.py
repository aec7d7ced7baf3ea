"""Ways around walls: fields of walking time to a target, and the direction to walk in."""

import math
from dataclasses import dataclass

import numpy as np

from paseo.compiled import compiled
from paseo.errors import BadValue
from paseo.world.arrays import FloatArray
from paseo.world.space.floorplan import FloorPlan
from paseo.world.space.geometry import blocked_between, nearest_wall_end, signed_clearance
from paseo.world.space.ways import UNREACHED, walking_times

CELL = 0.25  # metres
ROOM = 0.3  # metres between people's way and walls
LEAST_ROOM, EASY_ROOM = 0.05, 0.6  # metres: nobody walks nearer to a wall, all is well further off


@dataclass(frozen=True, slots=True, eq=False)
class Routes:
    """Directions towards some targets from anywhere on a floor plan."""

    targets: FloatArray  # (targets, 2)
    fields: FloatArray  # (targets, rows, columns), metres of way, longer beside walls
    origin: tuple[float, float]  # lower left corner of cell (0, 0)
    walls: FloatArray  # (segments, 2, 2)


def routes_to(plan: FloorPlan, targets: FloatArray) -> Routes:
    """The ways to targets (targets, 2), which must be in free space."""
    x0, y0, x1, y1 = plan.bounds
    columns, rows = math.ceil((x1 - x0) / CELL), math.ceil((y1 - y0) / CELL)
    pace = paces(rows, columns, x0, y0, plan.walls)
    fields = np.empty((len(targets), rows, columns))
    for k, (x, y) in enumerate(targets.tolist()):
        if plan.clearance(x, y) <= 0.0:
            raise BadValue(
                f"floor plan '{plan.name}': ({x:g}, {y:g}) is in a wall or outside, expected a "
                "spot in free space; move it in the recipe"
            )
        fields[k] = walking_times(pace, (x - x0) / CELL - 0.5, (y - y0) / CELL - 0.5, CELL)
    return Routes(targets, fields, (x0, y0), plan.walls)


def reaches(routes: Routes, target: int, x: float, y: float) -> bool:
    """Whether a way leads from (x, y) to a target."""
    field = routes.fields[target]
    column = min(max(int((x - routes.origin[0]) / CELL), 0), field.shape[1] - 1)
    row = min(max(int((y - routes.origin[1]) / CELL), 0), field.shape[0] - 1)
    around = field[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2]
    return bool(around.min() < UNREACHED)


@compiled
def paces(rows: int, columns: int, x0: float, y0: float, walls: FloatArray) -> FloatArray:
    """How fast one walks in each cell, and whether one can step east and north, (3, rows, columns).

    It is slower beside walls, so that ways keep off them.
    """
    found = np.zeros((3, rows, columns))
    for row in range(rows):
        for column in range(columns):
            x, y = x0 + (column + 0.5) * CELL, y0 + (row + 0.5) * CELL
            room = signed_clearance(x, y, walls)
            if room > LEAST_ROOM:
                found[0, row, column] = min(max((room - LEAST_ROOM) / EASY_ROOM, 0.05), 1.0)
                found[1, row, column] = not blocked_between(x, y, x + CELL, y, walls)
                found[2, row, column] = not blocked_between(x, y, x, y + CELL, walls)
    return found


@compiled
def heading_to(
    x: float,
    y: float,
    tx: float,
    ty: float,
    field: FloatArray,
    x0: float,
    y0: float,
    walls: FloatArray,
) -> tuple[float, float]:
    """The unit vector to walk along from (x, y): straight if there is room, else down the field."""
    dx, dy = tx - x, ty - y
    distance = math.hypot(dx, dy)
    if distance < 1e-9:
        return 0.0, 0.0
    if not blocked_between(x, y, tx, ty, walls):
        # Ends of walls that stand beside the target itself are no hindrance.
        share = max(distance - ROOM, 0.0) / distance
        if nearest_wall_end(x, y, x + share * dx, y + share * dy, walls) >= ROOM:
            return dx / distance, dy / distance
    gx, gy = downhill(x, y, field, x0, y0, walls)
    if gx == 0.0 and gy == 0.0:
        return dx / distance, dy / distance
    return gx, gy


@compiled
def downhill(
    x: float, y: float, field: FloatArray, x0: float, y0: float, walls: FloatArray
) -> tuple[float, float]:
    """The unit vector of steepest descent by the cells in sight around; zero if there are none."""
    rows, columns = field.shape
    column, row = math.floor((x - x0) / CELL), math.floor((y - y0) / CELL)
    weights = mx = my = mt = 0.0
    moments = np.zeros(5)  # xx, xy, yy, xt, yt: the plane that fits the field best
    for turn in range(2):
        for r in range(max(row - 2, 0), min(row + 3, rows)):
            for c in range(max(column - 2, 0), min(column + 3, columns)):
                cx, cy = x0 + (c + 0.5) * CELL, y0 + (r + 0.5) * CELL
                if field[r, c] >= UNREACHED or blocked_between(x, y, cx, cy, walls):
                    continue
                dx, dy = (cx - x) / CELL, (cy - y) / CELL
                weight = math.exp(-0.5 * (dx * dx + dy * dy))
                if turn == 0:
                    weights += weight
                    mx, my, mt = mx + weight * dx, my + weight * dy, mt + weight * field[r, c]
                else:
                    ex, ey, et = dx - mx, dy - my, field[r, c] - mt
                    moments += weight * np.array([ex * ex, ex * ey, ey * ey, ex * et, ey * et])
        if weights == 0.0:
            return 0.0, 0.0
        if turn == 0:
            mx, my, mt = mx / weights, my / weights, mt / weights
    xx, xy, yy, xt, yt = moments
    gx, gy = xy * yt - yy * xt, xy * xt - xx * yt
    length = math.hypot(gx, gy)
    if length < 1e-12:
        return 0.0, 0.0
    return gx / length, gy / length
