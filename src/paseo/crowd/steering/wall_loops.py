"""Wall segments as loops around free space, and which of them can matter where."""

import math
from collections import defaultdict
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from paseo.compiled import RealArray, compiled
from paseo.world.arrays import FloatArray, IntArray
from paseo.world.space.geometry import is_inside, line_distance

SAME_SPOT = 1e-6  # metres: ends nearer than this are one corner
BESIDE = 1e-5  # metres: how far beside a wall its two sides are looked at
MOST_CELLS = 4096
FAR = 256.0  # metres: from here on, numbers in single precision are 0.03 mm apart or more

Spot = tuple[float, float]
Piece = tuple[Spot, Spot]


@dataclass(frozen=True, slots=True, eq=False)
class WallLoops:
    """Walls that know their neighbours, with lists of those that are near each cell of a grid."""

    walls: RealArray  # (walls, 12), see half_planes
    reach: float  # metres; the lists hold all walls this near whose free side can be seen
    grid: FloatArray  # (5,): x and y of the lower left corner, side of a cell, columns, rows
    starts: IntArray  # (cells + 3,), where lists begin: of each cell, of nowhere, of everywhere
    listed: IntArray  # (entries,), rows of `walls`, increasing in each list
    corner: FloatArray  # (2,), where the x and y of walls and grid are counted from


def wall_loops(segments: FloatArray, reach: float) -> WallLoops:
    """The walls (segments, 2, 2) of a floor plan in loops, listed for looking up within `reach`."""
    walls = linked_walls(directed_pieces(segments))
    grid = np.array([0.0, 0.0, 1.0, 0.0, 0.0])
    if len(walls) > 0:
        low = np.minimum(walls[:, 0:2], walls[:, 2:4]).min(axis=0) - reach
        width, height = np.maximum(walls[:, 0:2], walls[:, 2:4]).max(axis=0) + reach - low
        side = max(2.0, math.sqrt(width * height / MOST_CELLS))
        grid = np.array([low[0], low[1], side, width // side + 1, height // side + 1])
    starts, listed = near_walls(walls, grid, reach)
    return WallLoops(walls, reach, grid, starts, listed, np.zeros(2))


def in_single_precision(loops: WallLoops) -> WallLoops:
    """The same walls in numbers of 32 bits, counted from nearby if the origin is far away."""
    if len(loops.walls) == 0:
        return replace(loops, walls=loops.walls.astype(np.float32))
    ends = loops.walls[:, :4].reshape(-1, 2)
    (x0, y0), (x1, y1) = ends.min(axis=0), ends.max(axis=0)
    corner = np.array([near_origin(x0, x1), near_origin(y0, y1)])
    walls, grid = loops.walls.copy(), loops.grid.copy()
    walls[:, :4] -= np.tile(corner, 2)
    grid[:2] -= corner
    return replace(loops, walls=walls.astype(np.float32), grid=grid, corner=corner)


@compiled
def near_origin(low: float, high: float) -> float:
    """Where to count from what is spread between two coordinates: 0, or if that is far, nearby."""
    return 0.0 if max(-low, high) < FAR else np.floor(0.5 * (low + high))


def directed_pieces(segments: FloatArray) -> list[Piece]:
    """The walls cut where they meet, each once, in the direction that has free space on its right.

    A wall with free space on both sides comes in both directions, one with none is left out.
    """
    pieces: dict[Piece, None] = {}  # a dict keeps the order, a set does not
    for a, b in _cut_where_they_meet(segments):
        if a == b or (a, b) in pieces or (b, a) in pieces:
            continue
        right, left = free_sides(a[0], a[1], b[0], b[1], BESIDE, segments)
        if right:
            pieces[a, b] = None
        if left:
            pieces[b, a] = None
    return list(pieces)


def linked_walls(pieces: list[Piece]) -> FloatArray:
    """Rows for `half_planes` (pieces, 12), each linked to the walls before and after it."""
    leaving: dict[Spot, list[int]] = defaultdict(list)
    for k, (a, _) in enumerate(pieces):
        leaving[a].append(k)
    ends = np.array(pieces, float).reshape(-1, 2, 2)
    directions = ends[:, 1] - ends[:, 0]
    directions /= np.hypot(directions[:, 0], directions[:, 1])[:, None]
    before, after = -directions, -directions.copy()  # of a loose end: the wall's own other side
    out = np.ones((len(pieces), 2))
    for k, (a, b) in enumerate(pieces):
        turns = [(_turn(directions[k], directions[n], pieces[n][1] == a), n) for n in leaving[b]]
        if turns:
            turn, n = min(turns)  # furthest to the right, around the free space
            after[k], before[n] = directions[n], directions[k]
            out[k, 1] = out[n, 0] = turn >= 0.0
    return np.concatenate([ends.reshape(-1, 4), directions, before, after, out], axis=1)


def _turn(here: FloatArray, there: FloatArray, back: bool) -> float:
    """By how much one turns left from one direction to another; a full turn back counts as left."""
    if back:
        return math.pi
    return math.atan2(here[0] * there[1] - here[1] * there[0], float(here @ there))


def _cut_where_they_meet(segments: FloatArray) -> list[Piece]:
    """The segments in pieces that touch at their ends only, with ends rounded to one spot."""
    pieces: list[Piece] = []
    shares = np.empty(3 * len(segments))
    for k, (a, b) in enumerate(segments):
        cuts = np.sort(shares[: meeting_shares(k, segments, SAME_SPOT, shares)])
        spots = [_spot(a + share * (b - a)) for share in (0.0, *cuts.tolist(), 1.0)]
        pieces += pairwise(spots)
    return pieces


def _spot(point: FloatArray) -> Spot:
    x, y = (np.round(point / SAME_SPOT) * SAME_SPOT).tolist()
    return x, y


@compiled
def meeting_shares(k: int, segments: FloatArray, near: float, shares: FloatArray) -> int:
    """Write where along segment k others meet it, from 0 to 1, and return how often they do."""
    ax, ay = segments[k, 0, 0], segments[k, 0, 1]
    dx, dy = segments[k, 1, 0] - ax, segments[k, 1, 1] - ay
    length = math.hypot(dx, dy)
    if length <= near:
        return 0
    count = 0
    for j in range(segments.shape[0]):
        cx, cy = segments[j, 0, 0] - ax, segments[j, 0, 1] - ay
        ex, ey = segments[j, 1, 0] - ax, segments[j, 1, 1] - ay
        beside_c, beside_e = (dx * cy - dy * cx) / length, (dx * ey - dy * ex) / length
        for beside, x, y in ((beside_c, cx, cy), (beside_e, ex, ey)):
            if abs(beside) <= near:  # it ends on segment k
                shares[count] = (x * dx + y * dy) / length**2
                count += near / length < shares[count] < 1.0 - near / length
        if min(beside_c, beside_e) < -near and max(beside_c, beside_e) > near:
            across = beside_c / (beside_c - beside_e)
            x, y = cx + across * (ex - cx), cy + across * (ey - cy)
            shares[count] = (x * dx + y * dy) / length**2
            count += near / length < shares[count] < 1.0 - near / length
    return count


@compiled
def free_sides(
    ax: float, ay: float, bx: float, by: float, aside: float, segments: FloatArray
) -> tuple[bool, bool]:
    """Whether there is free space right and left of the middle of a wall from a to b."""
    x, y = 0.5 * (ax + bx), 0.5 * (ay + by)
    scale = aside / math.hypot(bx - ax, by - ay)
    dx, dy = (by - ay) * scale, (ax - bx) * scale
    return is_inside(x + dx, y + dy, segments), is_inside(x - dx, y - dy, segments)


@compiled
def near_walls(walls: FloatArray, grid: FloatArray, reach: float) -> tuple[IntArray, IntArray]:
    """Where each list begins, and the lists one after the other."""
    side, columns, cells = grid[2], int(grid[3]), int(grid[3] * grid[4])
    starts = np.zeros(cells + 3, np.int64)
    listed = np.empty(0, np.int64)
    for filling in range(2):  # after counting
        if filling:
            listed = np.empty(starts[cells] + walls.shape[0], np.int64)
        entries = 0
        for cell in range(cells):
            x, y = grid[0] + side * (cell % columns), grid[1] + side * (cell // columns)
            for k in range(walls.shape[0]):
                if matters_in(x, y, side, walls[k], reach):
                    if filling:
                        listed[entries] = k
                    entries += 1
            starts[cell + 1] = entries
    starts[cells + 1] = starts[cells]
    starts[cells + 2] = starts[cells] + walls.shape[0]
    for k in range(walls.shape[0]):
        listed[starts[cells] + k] = k
    return starts, listed


@compiled
def cell_at(x: float, y: float, grid: FloatArray) -> int:
    """The cell a position is in; the number of cells if it is in none, for nothing is near."""
    column, row = (x - grid[0]) / grid[2], (y - grid[1]) / grid[2]
    if 0.0 <= column < grid[3] and 0.0 <= row < grid[4]:
        return int(row) * int(grid[3]) + int(column)
    return int(grid[3]) * int(grid[4])


@compiled
def matters_in(x: float, y: float, side: float, wall: FloatArray, reach: float) -> bool:
    """Whether from somewhere in a cell a wall's free side is in sight within `reach`."""
    half = 0.5 * side
    distance = line_distance(x + half, y + half, wall[0], wall[1], wall[2], wall[3])
    if distance > reach + math.sqrt(2.0) * half + SAME_SPOT:
        return False
    # The corner that lies furthest to the right of the wall.
    dx, dy = wall[2] - wall[0], wall[3] - wall[1]
    corner_x = x + (side if dy > 0.0 else 0.0)
    corner_y = y + (0.0 if dx > 0.0 else side)
    return dx * (corner_y - wall[1]) - dy * (corner_x - wall[0]) < 0.0


@compiled
def seen_distance(x: float, y: float, walls: RealArray, k: int) -> tuple[float, float]:
    """Squares of the distances of wall k and of its line from the free side; else infinite."""
    dx, dy = walls[k, 2] - walls[k, 0], walls[k, 3] - walls[k, 1]
    px, py = x - walls[k, 0], y - walls[k, 1]
    length2, cross, share = dx * dx + dy * dy, dx * py - dy * px, px * dx + py * dy
    if not cross < 0.0:
        return math.inf, math.inf
    aside = cross * cross / length2
    if share <= 0.0:
        return px * px + py * py, aside
    if share >= length2:  # not by what is left of p: two walls are equally far from their corner
        px, py = x - walls[k, 2], y - walls[k, 3]
        return px * px + py * py, aside
    return aside, aside
