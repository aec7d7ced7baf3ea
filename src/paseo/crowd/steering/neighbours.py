"""Who is near whom in a crowd of any size: people in order of cells, and each one's nearest."""

import math

import numpy as np

from paseo.compiled import RealArray, compiled_like_numpy, inlined, like
from paseo.crowd.steering.cells import cells_of
from paseo.crowd.steering.half_planes import DX, DY, OTHER_VX, OTHER_VY, REACH, SIDE
from paseo.crowd.steering.wall_loops import near_origin
from paseo.errors import BadValue
from paseo.world.arrays import FloatArray, IntArray

PER_CELL = 2.0  # people in a cell if they are spread evenly
MARGIN = 1.25  # the next one's neighbours are sought so much further than the last one's were
AT_A_TIME = 16  # distances are compared by so many

# Rows of `people` (9, people), who are in order of cells.
X, Y, VX, VY, WANTED_X, WANTED_Y, RADIUS, TOP_SPEED, SHARE = range(9)

Box = tuple[int, int, float, float, float]  # columns, rows, lower left corner, 1 / side of a cell


@compiled_like_numpy
def counted_from(corner: FloatArray, flat: FloatArray, walls: RealArray) -> RealArray:
    """All about people in the precision of walls, with positions from the corner that those have.

    Without walls they may be counted from anywhere.
    """
    x0, y0 = corner[0], corner[1]
    if walls.shape[0] == 0:
        spots = flat[: flat.shape[0] // 4].reshape(-1, 2)
        x0 = near_origin(spots[:, 0].min(), spots[:, 0].max())
        y0 = near_origin(spots[:, 1].min(), spots[:, 1].max())
    numbers = np.empty(flat.shape[0], walls.dtype)
    for k in range(flat.shape[0]):
        numbers[k] = flat[k]
    for k in range(0, flat.shape[0] // 4, 2):
        numbers[k], numbers[k + 1] = flat[k] - x0, flat[k + 1] - y0
    return numbers


@compiled_like_numpy
def cells_around(flat: RealArray, sight: float) -> tuple[IntArray, IntArray, Box]:
    """People in order of their cells, where cells begin, and what the cells are like."""
    count = flat.shape[0] // 8
    positions = flat[: 2 * count].reshape(count, 2)
    for number in flat:
        if not math.isfinite(number):
            raise BadValue("orca: something about a walker is not finite, expected only numbers")
    x0 = y0 = math.inf
    x1 = y1 = -math.inf
    for person in range(count):
        x0, x1 = min(x0, positions[person, 0]), max(x1, positions[person, 0])
        y0, y1 = min(y0, positions[person, 1]), max(y1, positions[person, 1])
    side = min(sight, math.sqrt(PER_CELL * (x1 - x0) * (y1 - y0) / count))
    order, starts, columns, rows, x0, y0, side = cells_of(positions, side)
    return order, starts, (columns, rows, x0, y0, 1.0 / side)


@compiled_like_numpy
def in_order(flat: RealArray, shares: FloatArray, order: IntArray) -> RealArray:
    """People one beside the other in the given order, (9, people)."""
    count = order.shape[0]
    people = np.empty((9, count), flat.dtype)
    for slot in range(count):
        person = order[slot]
        for row in range(6):
            people[row, slot] = flat[2 * count * (row // 2) + 2 * person + row % 2]
        people[RADIUS, slot] = flat[6 * count + person]
        people[TOP_SPEED, slot] = flat[7 * count + person]
        people[SHARE, slot] = shares[person if shares.shape[0] > 1 else 0]
    return people


@inlined
def nearest_others(
    slot: int,
    people: RealArray,
    order: IntArray,
    starts: IntArray,
    box: Box,
    most: int,
    sight: float,
    seek: float,
    near: IntArray,
    ranks: IntArray,
    distances: RealArray,
    others: RealArray,
) -> tuple[int, float]:
    """Write the nearest as `others` of `pair_lines`; how many, and how far to seek next time."""
    while True:
        found = within(slot, people, starts, box, seek, near, distances)
        if found >= most or seek >= sight:
            break
        seek = min(seek + seek + like(0.1, seek), sight)  # it may be 0 after people in one spot
    rank_by_distance(found, distances, near, order, ranks)
    furthest = sight
    x, y, radius = people[X, slot], people[Y, slot], people[RADIUS, slot]
    for k in range(found):
        other, rank = np.uint64(near[k]), np.uint64(ranks[k])
        if ranks[k] < most:
            others[DX, rank], others[DY, rank] = people[X, other] - x, people[Y, other] - y
            others[OTHER_VX, rank], others[OTHER_VY, rank] = people[VX, other], people[VY, other]
            others[REACH, rank] = radius + people[RADIUS, other]
            others[SIDE, rank] = 1.0 if order[slot] < order[other] else -1.0
        if ranks[k] == most - 1:
            furthest = math.sqrt(distances[k])
    return min(found, most), min(like(MARGIN, furthest) * furthest, sight)


@inlined
def within(
    slot: int,
    people: RealArray,
    starts: IntArray,
    box: Box,
    reach: float,
    near: IntArray,
    distances: RealArray,
) -> int:
    """Write slot and squared distance of everybody nearer than `reach`; how many."""
    columns, rows, x0, y0, per_side = box
    x, y = people[X, slot], people[Y, slot]
    left = max(0, int((x - x0 - reach) * per_side))
    right = min(columns - 1, int((x - x0 + reach) * per_side))
    low = max(0, int((y - y0 - reach) * per_side))
    high = min(rows - 1, int((y - y0 + reach) * per_side))
    # What cannot be negative cannot count from the end, which would be asked for each number.
    count = np.uint64(0)
    for row in range(low, high + 1):
        first, end = starts[row * columns + left], starts[row * columns + right + 1]
        for other in range(np.uint64(first), np.uint64(end)):
            dx, dy = people[X, other] - x, people[Y, other] - y
            distance = dx * dx + dy * dy
            near[count], distances[count] = other, distance
            count += np.uint64((distance < reach * reach) & (other != np.uint64(slot)))
    return int(np.int64(count))  # minimum of what can be negative and what cannot: a float


@inlined
def rank_by_distance(
    count: int, distances: RealArray, near: IntArray, order: IntArray, ranks: IntArray
) -> None:
    """Write how many others are nearer than each, or as near and before them in number."""
    padded = (count + AT_A_TIME - 1) // AT_A_TIME * AT_A_TIME
    for k in range(count, padded):
        distances[k] = math.inf
    total = 0
    for k in range(count):
        rank, distance = 0, distances[k]
        for j in range(padded):  # without branches, so that many are compared at once
            rank += distances[j] < distance
        ranks[k] = rank
        total += rank
    if total < count * (count - 1) // 2:  # some are as near as others
        for k in range(count):
            for j in range(count):
                tied = distances[j] == distances[k]
                ranks[k] += tied and order[near[j]] < order[near[k]]
