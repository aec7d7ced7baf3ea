"""Compiled geometry on wall segments: clearance, crossing, distance fields, reachability."""

import math

import numpy as np

from paseo.compiled import compiled
from paseo.world.arrays import BoolArray, FloatArray

BLOCK = 16  # cells on a side that share one short list of nearby walls


@compiled
def segment_distance(x: float, y: float, wall: FloatArray) -> float:
    """Metres from a point to one wall segment (2, 2)."""
    return line_distance(x, y, wall[0, 0], wall[0, 1], wall[1, 0], wall[1, 1])


@compiled
def line_distance(x: float, y: float, ax: float, ay: float, bx: float, by: float) -> float:
    """Metres from a point to the straight line from a to b."""
    dx, dy = bx - ax, by - ay
    length2 = dx * dx + dy * dy
    share = 0.0
    if length2 > 0.0:
        share = min(1.0, max(0.0, ((x - ax) * dx + (y - ay) * dy) / length2))
    return math.hypot(ax + share * dx - x, ay + share * dy - y)


@compiled
def is_inside(x: float, y: float, walls: FloatArray) -> bool:
    """Whether the closed walls surround the point (even-odd rule)."""
    inside = False
    for k in range(walls.shape[0]):
        ay, by = walls[k, 0, 1], walls[k, 1, 1]
        if (ay > y) != (by > y):
            ax, bx = walls[k, 0, 0], walls[k, 1, 0]
            if x < ax + (y - ay) / (by - ay) * (bx - ax):
                inside = not inside
    return inside


@compiled
def signed_clearance(x: float, y: float, walls: FloatArray) -> float:
    """Metres to the nearest wall; negative outside free space."""
    nearest = math.inf
    for k in range(walls.shape[0]):
        nearest = min(nearest, segment_distance(x, y, walls[k]))
    return nearest if is_inside(x, y, walls) else -nearest


@compiled
def crosses(ax: float, ay: float, bx: float, by: float, wall: FloatArray) -> bool:
    """Whether the straight line from a to b meets one wall segment."""
    cx, cy = wall[0, 0], wall[0, 1]
    dx, dy = wall[1, 0], wall[1, 1]
    side_c = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    side_d = (bx - ax) * (dy - ay) - (by - ay) * (dx - ax)
    side_a = (dx - cx) * (ay - cy) - (dy - cy) * (ax - cx)
    side_b = (dx - cx) * (by - cy) - (dy - cy) * (bx - cx)
    if ax == bx and ay == by and side_a != 0.0:  # a point beside the wall: every side is zero
        return False
    if side_c == 0.0 and side_d == 0.0:  # on one line: they meet where their boxes do
        return (
            min(ax, bx) <= max(cx, dx)
            and min(cx, dx) <= max(ax, bx)
            and min(ay, by) <= max(cy, dy)
            and min(cy, dy) <= max(ay, by)
        )
    return side_c * side_d <= 0.0 and side_a * side_b <= 0.0


@compiled
def blocked_between(ax: float, ay: float, bx: float, by: float, walls: FloatArray) -> bool:
    """Whether any wall stands between two points."""
    for k in range(walls.shape[0]):
        if crosses(ax, ay, bx, by, walls[k]):
            return True
    return False


@compiled
def nearest_wall_end(ax: float, ay: float, bx: float, by: float, walls: FloatArray) -> float:
    """Metres between the straight line from a to b and the nearest end of a wall."""
    nearest = math.inf
    for k in range(walls.shape[0]):
        for end in range(2):
            x, y = walls[k, end, 0], walls[k, end, 1]
            nearest = min(nearest, line_distance(x, y, ax, ay, bx, by))
    return nearest


@compiled
def inside_grid(
    walls: FloatArray, x0: float, y0: float, cell: float, rows: int, columns: int
) -> BoolArray:
    """Which cell centres the walls surround, (rows, columns)."""
    free = np.zeros((rows, columns), np.bool_)
    for row in range(rows):
        y = y0 + (row + 0.5) * cell
        for k in range(walls.shape[0]):
            ay, by = walls[k, 0, 1], walls[k, 1, 1]
            if (ay > y) != (by > y):
                ax, bx = walls[k, 0, 0], walls[k, 1, 0]
                x = ax + (y - ay) / (by - ay) * (bx - ax)
                last = math.ceil((x - x0) / cell - 0.5) - 1  # the last centre left of the wall
                if last >= 0:
                    last = min(last, columns - 1)
                    free[row, last] = not free[row, last]
        for column in range(columns - 2, -1, -1):  # a centre lies left of all walls further right
            free[row, column] = free[row, column] != free[row, column + 1]
    return free


@compiled
def distance_field(
    walls: FloatArray, free: BoolArray, x0: float, y0: float, cell: float
) -> FloatArray:
    """Exact signed distance to the nearest wall at each cell centre, (rows, columns)."""
    rows, columns = free.shape
    field = np.empty((rows, columns))
    near = np.empty(walls.shape[0], np.int64)
    reach = np.empty(walls.shape[0])
    half = 0.5 * BLOCK * cell
    for block_row in range(0, rows, BLOCK):
        for block_column in range(0, columns, BLOCK):
            # A wall can be nearest to some cell only if it is about as near to the block's middle.
            x, y = x0 + block_column * cell + half, y0 + block_row * cell + half
            best = math.inf
            for k in range(walls.shape[0]):
                reach[k] = segment_distance(x, y, walls[k])
                best = min(best, reach[k])
            count = 0
            for k in range(walls.shape[0]):
                if reach[k] <= best + 2.0 * math.sqrt(2.0) * half:
                    near[count] = k
                    count += 1
            for row in range(block_row, min(block_row + BLOCK, rows)):
                for column in range(block_column, min(block_column + BLOCK, columns)):
                    nearest = math.inf
                    cx, cy = x0 + (column + 0.5) * cell, y0 + (row + 0.5) * cell
                    for n in range(count):
                        nearest = min(nearest, segment_distance(cx, cy, walls[near[n]]))
                    field[row, column] = nearest if free[row, column] else -nearest
    return field


@compiled
def field_at(x: float, y: float, field: FloatArray, x0: float, y0: float, cell: float) -> float:
    """The field between cell centres, bilinear; minus infinity off the grid."""
    column, row = (x - x0) / cell - 0.5, (y - y0) / cell - 0.5
    rows, columns = field.shape
    if not (-0.5 <= column <= columns - 0.5 and -0.5 <= row <= rows - 0.5):
        return -math.inf
    c = min(max(math.floor(column), 0), max(columns - 2, 0))
    r = min(max(math.floor(row), 0), max(rows - 2, 0))
    u, v = min(max(column - c, 0.0), 1.0), min(max(row - r, 0.0), 1.0)
    c1, r1 = min(c + 1, columns - 1), min(r + 1, rows - 1)
    low = (1.0 - u) * field[r, c] + u * field[r, c1]
    high = (1.0 - u) * field[r1, c] + u * field[r1, c1]
    return (1.0 - v) * low + v * high


@compiled
def connected(open_cells: BoolArray, row: int, column: int) -> BoolArray:
    """The open cells that can be walked to from one cell, by edges, (rows, columns)."""
    rows, columns = open_cells.shape
    reached = np.zeros((rows, columns), np.bool_)
    queue = np.empty(rows * columns, np.int64)
    reached[row, column] = True
    queue[0] = row * columns + column
    head, tail = 0, 1
    while head < tail:
        r, c = queue[head] // columns, queue[head] % columns
        head += 1
        for step in range(4):
            r1 = r + (step == 0) - (step == 1)
            c1 = c + (step == 2) - (step == 3)
            if 0 <= r1 < rows and 0 <= c1 < columns:
                if open_cells[r1, c1] and not reached[r1, c1]:
                    reached[r1, c1] = True
                    queue[tail] = r1 * columns + c1
                    tail += 1
    return reached
