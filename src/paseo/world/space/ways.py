"""Ways around walls: how far it is to a goal from everywhere on a floor plan."""

import math
from dataclasses import dataclass

import numpy as np

from paseo.compiled import compiled
from paseo.world.arrays import FloatArray
from paseo.world.motion import Pose
from paseo.world.space.floorplan import FloorPlan
from paseo.world.space.geometry import blocked_between, field_at

UNREACHED = 1e9  # in a field of times, where no way leads
MOST_CELLS = 1_000_000  # of a field; larger maps get larger cells
TIGHT = 0.1  # of the full pace where there is less room than wanted
BESIDE_WALLS = 0.4  # of the full pace with just the room that is wanted
CLIMB = 10.0  # metres that are added in walls to the longest way, so that slopes lead out of them


@dataclass(frozen=True, slots=True, eq=False)
class Ways:
    """The length of the way to one goal from everywhere; take it up with `geometry.field_at`."""

    metres: FloatArray  # (rows, columns) at cell centres; longer beside walls, longest in them
    origin: tuple[float, float]  # lower left corner of cell (0, 0)
    cell_size: float

    def metres_from(self, x: float, y: float) -> float:
        """The length of the way from (x, y); infinite off the map."""
        found = field_at(float(x), float(y), self.metres, *self.origin, self.cell_size)
        return math.inf if found < 0.0 else found

    def slope(self, x: float, y: float) -> tuple[float, float]:
        """The unit vector along which the way gets shorter; zero where there is none."""
        return downhill(float(x), float(y), self.metres, *self.origin, self.cell_size)


def ways_to(plan: FloorPlan, goal: Pose, *, room: float, easy: float = 0.0) -> Ways:
    """The ways to `goal` of a disc that needs `room` metres around its middle.

    With `easy` above 0, ways keep that much further off walls where they can.
    """
    x0, y0, x1, y1 = plan.bounds
    cell = max(2.0 * plan.cell_size, math.sqrt((x1 - x0) * (y1 - y0) / MOST_CELLS))
    columns, rows = math.ceil((x1 - x0) / cell - 1e-9), math.ceil((y1 - y0) / cell - 1e-9)
    pace = disc_paces(
        rows, columns, x0, y0, cell, float(room), float(easy),
        plan.walls, plan.distance, plan.cell_size,
    )  # fmt: skip
    metres = walking_times(pace, (goal.x - x0) / cell - 0.5, (goal.y - y0) / cell - 0.5, cell)
    reached = metres < UNREACHED
    metres[~reached] = metres[reached].max(initial=0.0) + CLIMB
    return Ways(metres, (x0, y0), cell)


@compiled
def disc_paces(
    rows: int,
    columns: int,
    x0: float,
    y0: float,
    cell: float,
    room: float,
    easy: float,
    walls: FloatArray,
    distance: FloatArray,
    distance_cell: float,
) -> FloatArray:
    """How fast a disc moves in cells, and whether it can step east, north: (3, rows, columns)."""
    found = np.zeros((3, rows, columns))
    for row in range(rows):
        for column in range(columns):
            x, y = x0 + (column + 0.5) * cell, y0 + (row + 0.5) * cell
            clear = field_at(x, y, distance, x0, y0, distance_cell)
            if clear <= 0.0:
                continue
            pace = TIGHT
            if clear >= room:
                ease = min((clear - room) / easy, 1.0) if easy > 0.0 else 1.0
                pace = BESIDE_WALLS + (1.0 - BESIDE_WALLS) * ease
            found[0, row, column] = pace
            far = clear > 2.0 * cell  # no wall can stand before the next cell
            found[1, row, column] = far or not blocked_between(x, y, x + cell, y, walls)
            found[2, row, column] = far or not blocked_between(x, y, x, y + cell, walls)
    return found


@compiled
def walking_times(pace: FloatArray, column: float, row: float, cell: float) -> FloatArray:
    """Solve |grad T| = 1 / pace from one spot (in cells) by fast sweeping (Zhao 2005)."""
    _, rows, columns = pace.shape
    times = np.full((rows, columns), UNREACHED)
    c0, r0 = math.floor(column), math.floor(row)
    for r in range(max(r0, 0), min(r0 + 2, rows)):
        for c in range(max(c0, 0), min(c0 + 2, columns)):
            times[r, c] = math.hypot(c - column, r - row) * cell
    for _ in range(64):
        change = 0.0
        for sweep in range(4):
            for k in range(rows):
                r = k if sweep < 2 else rows - 1 - k
                for m in range(columns):
                    c = m if sweep % 2 == 0 else columns - 1 - m
                    if pace[0, r, c] > 0.0:
                        found = arrival(times, r, c, pace, cell)
                        if found < times[r, c]:
                            change = max(change, times[r, c] - found)
                            times[r, c] = found
        if change < 1e-6:
            break
    return times


@compiled
def arrival(times: FloatArray, r: int, c: int, pace: FloatArray, cell: float) -> float:
    """When a front that has reached the cells around gets to this one."""
    rows, columns = times.shape
    step = cell / pace[0, r, c]
    a = b = UNREACHED
    if c > 0 and pace[1, r, c - 1] > 0.0:
        a = min(a, times[r, c - 1])
    if c + 1 < columns and pace[1, r, c] > 0.0:
        a = min(a, times[r, c + 1])
    if r > 0 and pace[2, r - 1, c] > 0.0:
        b = min(b, times[r - 1, c])
    if r + 1 < rows and pace[2, r, c] > 0.0:
        b = min(b, times[r + 1, c])
    if abs(a - b) >= step:
        return min(a, b) + step
    return 0.5 * (a + b + math.sqrt(2.0 * step * step - (a - b) * (a - b)))


@compiled
def downhill(
    x: float, y: float, field: FloatArray, x0: float, y0: float, cell: float
) -> tuple[float, float]:
    """The unit vector of steepest descent; zero off the map and where the field is flat."""
    rows, columns = field.shape
    hair = 1e-6 * cell  # inside the edge, beyond which there is nothing
    west, east = max(x - cell, x0 + hair), min(x + cell, x0 + columns * cell - hair)
    south, north = max(y - cell, y0 + hair), min(y + cell, y0 + rows * cell - hair)
    if west >= east or south >= north:
        return 0.0, 0.0
    gx = field_at(west, y, field, x0, y0, cell) - field_at(east, y, field, x0, y0, cell)
    gy = field_at(x, south, field, x0, y0, cell) - field_at(x, north, field, x0, y0, cell)
    gx, gy = gx / (east - west), gy / (north - south)
    length = math.hypot(gx, gy)
    if not 0.0 < length < math.inf:
        return 0.0, 0.0
    return gx / length, gy / length
