"""ORCA: everybody takes a share of avoiding everybody else.

J. van den Berg, S. J. Guy, M. Lin, D. Manocha: Reciprocal n-body collision avoidance. Robotics
Research (ISRR 2009), Springer Tracts in Advanced Robotics 70, 2011. The order of neighbours and
walls, and what is done when no velocity is safe, are those of the authors' library RVO2.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from paseo.crowd.cells import cells_of
from paseo.crowd.half_planes import (
    DX,
    DY,
    OTHER_VX,
    OTHER_VY,
    REACH,
    SIDE,
    least_bad_velocity,
    nearest_velocity,
    pair_lines,
    wall_line,
)
from paseo.crowd.steering import Walkers
from paseo.crowd.wall_loops import WallLoops, cell_at, seen_distance, wall_loops
from paseo.errors import BadValue
from paseo.world.compiled import compiled_like_numpy, inlined
from paseo.world.floorplan import FloorPlan
from paseo.world.people import FloatArray, IntArray

BRISK = 2.5  # m/s; who is faster looks at all walls rather than at lists of those within reach
PER_CELL = 2.0  # people in a cell if they are spread evenly
MARGIN = 1.25  # the next one's neighbours are sought so much further than the last one's were
AT_A_TIME = 16  # distances are compared by so many

# Rows of `people` (9, people), who are in order of cells.
X, Y, VX, VY, WANTED_X, WANTED_Y, RADIUS, TOP_SPEED, SHARE = range(9)

Box = tuple[int, int, float, float, float]  # columns, rows, lower left corner, 1 / side of a cell


@dataclass(kw_only=True)
class Orca:
    """People who look ahead and each do their share of avoiding others; walls do nothing.

    Where no velocity is safe, the one is taken that is least unsafe among people and safe from
    walls, if there is one.
    """

    neighbour_distance: float = 10.0  # m, beyond which nobody is noticed
    most_neighbours: int = 10  # only the nearest are
    horizon: float = 5.0  # s, for which people stay free of each other
    wall_horizon: float = 5.0  # s, for which they stay free of walls
    # The share of each avoidance that one takes; the same for all, or one each, (walkers,). With
    # 1.0 one stays free even of those who do nothing.
    responsibility: float | FloatArray = 0.5

    def __post_init__(self) -> None:
        for name in ("neighbour_distance", "horizon", "wall_horizon"):
            if not 0.0 < getattr(self, name) < math.inf:
                raise BadValue(f"orca: {name} is {getattr(self, name)}, expected more than 0")
            setattr(self, name, float(getattr(self, name)))  # or kernels are compiled anew
        if self.most_neighbours < 0:
            raise BadValue(f"orca: most_neighbours is {self.most_neighbours}, expected 0 or more")
        self._shares = np.array(self.responsibility, np.float64).reshape(-1)
        if not np.all((self._shares >= 0.0) & (self._shares <= 1.0)):
            raise BadValue(f"orca: responsibility is {self.responsibility}, expected 0 to 1")
        self._loops = wall_loops(np.empty((0, 2, 2)), 0.0)

    def begin(self, floorplan: FloorPlan) -> None:
        """Learn where the walls of a place are; before that there are none."""
        self._loops = _loops_of(floorplan, self.wall_horizon * BRISK + 1.0)

    def velocities(self, walkers: Walkers, dt: float) -> FloatArray:
        """The velocity of everybody during the next `dt` seconds, (walkers, 2)."""
        return self._asked(0, len(walkers), walkers, dt)

    def velocity_of(self, walker: int, walkers: Walkers, dt: float) -> FloatArray:
        """The velocity of one of them, (2,), as `velocities` has it but without all the others'."""
        if not 0 <= walker < len(walkers):
            raise BadValue(f"orca: there is no walker {walker} among {len(walkers)}")
        velocity: FloatArray = self._asked(walker, walker + 1, walkers, dt)[walker]
        return velocity

    def _asked(self, first: int, end: int, walkers: Walkers, dt: float) -> FloatArray:
        """The velocities from walker `first` up to `end`; those of others are left open."""
        if not 0.0 < dt < math.inf:
            raise BadValue(f"orca: a step of {dt} s makes no sense, expected more than 0")
        if len(self._shares) not in (1, len(walkers)):
            raise BadValue(
                f"orca: there are {len(self._shares)} responsibilities for {len(walkers)} walkers, "
                "expected one for all or one each"
            )
        # End to end: whatever the arrays look like, the kernel gets one kind.
        people = np.concatenate(
            (
                walkers.positions.ravel(),
                walkers.velocities.ravel(),
                walkers.wanted.ravel(),
                walkers.radii,
                walkers.top_speeds,
            ),
            dtype=np.float64,
        )
        if len(people) != 8 * len(walkers):
            raise BadValue(f"orca: something is missing about some of {len(walkers)} walkers")
        loops = self._loops
        return steered(
            first, end, people, self._shares,
            loops.walls, loops.grid, loops.starts, loops.listed, loops.reach,
            self.most_neighbours, self.neighbour_distance, self.horizon, self.wall_horizon,
            float(dt),
        )  # fmt: skip


@lru_cache(maxsize=8)
def _loops_of(floorplan: FloorPlan, reach: float) -> WallLoops:
    return wall_loops(floorplan.walls, reach)


@compiled_like_numpy
def steered(
    first: int,
    end: int,
    flat: FloatArray,
    shares: FloatArray,
    walls: FloatArray,
    grid: FloatArray,
    starts: IntArray,
    listed: IntArray,
    listed_reach: float,
    most: int,
    sight: float,
    horizon: float,
    wall_horizon: float,
    dt: float,
) -> FloatArray:
    """The velocities of the people from `first` up to `end` for one step, (people, 2).

    `flat` (8 * people,) has all positions, then velocities, wanted velocities, radii, top speeds.
    """
    count = flat.shape[0] // 8
    velocities = np.empty((count, 2), flat.dtype)
    if count == 0:
        return velocities
    order, cell_starts, box = cells_around(flat, sight)
    people = in_order(flat, shares, order)
    # Arrays are handed on one by one: to count who holds a tuple of them takes half the time.
    lines = np.empty((4, walls.shape[0] + most), flat.dtype)
    rivals, others = np.empty_like(lines), np.empty((6, most), flat.dtype)
    near = np.empty(max(count, walls.shape[0]) + AT_A_TIME, np.int64)
    ranks, distances = np.empty_like(near), np.empty(near.shape[0], flat.dtype)
    asides = np.empty(walls.shape[0], flat.dtype)
    seek = sight
    for slot in range(count):
        if first <= order[slot] < end:
            hard = 0
            if walls.shape[0] > 0:
                hard = wall_lines(
                    slot, people, walls, grid, starts, listed, listed_reach, wall_horizon,
                    near, distances, asides, lines,
                )  # fmt: skip
            found, seek = nearest_others(
                slot, people, order, cell_starts, box, most, sight, seek,
                near, ranks, distances, others,
            )  # fmt: skip
            velocities[order[slot], 0], velocities[order[slot], 1] = best_velocity(
                slot, people, others, found, horizon, dt, lines, hard, rivals
            )
    return velocities


@compiled_like_numpy
def cells_around(flat: FloatArray, sight: float) -> tuple[IntArray, IntArray, Box]:
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
def in_order(flat: FloatArray, shares: FloatArray, order: IntArray) -> FloatArray:
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
def best_velocity(
    slot: int,
    people: FloatArray,
    others: FloatArray,
    found: int,
    horizon: float,
    dt: float,
    lines: FloatArray,
    hard: int,
    rivals: FloatArray,
) -> tuple[float, float]:
    """A person's velocity among `found` others and the half planes of walls, the first `hard`."""
    velocity, top_speed = (people[VX, slot], people[VY, slot]), people[TOP_SPEED, slot]
    wanted_x, wanted_y = people[WANTED_X, slot], people[WANTED_Y, slot]
    pair_lines(others, found, velocity, people[SHARE, slot], 1.0 / horizon, 1.0 / dt, lines, hard)
    kept, x, y = nearest_velocity(lines, hard + found, top_speed, wanted_x, wanted_y)
    if kept < hard + found:
        x, y = least_bad_velocity(lines, hard, kept, hard + found, top_speed, (x, y), rivals)
    speed2 = x * x + y * y
    if speed2 > top_speed * top_speed:  # by rounding
        scale = top_speed / math.sqrt(speed2)
        x, y = x * scale, y * scale
    return x, y


@inlined
def nearest_others(
    slot: int,
    people: FloatArray,
    order: IntArray,
    starts: IntArray,
    box: Box,
    most: int,
    sight: float,
    seek: float,
    near: IntArray,
    ranks: IntArray,
    distances: FloatArray,
    others: FloatArray,
) -> tuple[int, float]:
    """Write the nearest as `others` of `pair_lines`; how many, and how far to seek next time."""
    while True:
        found = within(slot, people, starts, box, seek, near, distances)
        if found >= most or seek >= sight:
            break
        seek = min(2.0 * seek + 0.1, sight)  # it may be 0 after people in one spot
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
    return min(found, most), min(MARGIN * furthest, sight)


@inlined
def within(
    slot: int,
    people: FloatArray,
    starts: IntArray,
    box: Box,
    reach: float,
    near: IntArray,
    distances: FloatArray,
) -> int:
    """Write slot and squared distance of everybody nearer than `reach`; how many."""
    columns, rows, x0, y0, per_side = box
    x, y = people[X, slot], people[Y, slot]
    left = max(0, int((x - reach - x0) * per_side))
    right = min(columns - 1, int((x + reach - x0) * per_side))
    low = max(0, int((y - reach - y0) * per_side))
    high = min(rows - 1, int((y + reach - y0) * per_side))
    # What cannot be negative cannot count from the end, which would be asked for each number.
    count = np.uint64(0)
    for row in range(low, high + 1):
        first, end = starts[row * columns + left], starts[row * columns + right + 1]
        for other in range(np.uint64(first), np.uint64(end)):
            dx, dy = people[X, other] - x, people[Y, other] - y
            distance = dx * dx + dy * dy
            near[count], distances[count] = other, distance
            count += np.uint64((distance < reach * reach) & (other != np.uint64(slot)))
    return int(count)


@inlined
def rank_by_distance(
    count: int, distances: FloatArray, near: IntArray, order: IntArray, ranks: IntArray
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


@compiled_like_numpy
def wall_lines(
    slot: int,
    people: FloatArray,
    walls: FloatArray,
    grid: FloatArray,
    starts: IntArray,
    listed: IntArray,
    listed_reach: float,
    horizon: float,
    near: IntArray,
    distances: FloatArray,
    asides: FloatArray,
    lines: FloatArray,
) -> int:
    """Write the half planes of the walls within reach, the nearest first; how many.

    Of two walls whose corner is nearest, first the one that is seen less from the side.
    """
    x, y, radius = people[X, slot], people[Y, slot], people[RADIUS, slot]
    velocity = (people[VX, slot], people[VY, slot])
    reach = horizon * people[TOP_SPEED, slot] + radius
    cell = cell_at(x, y, grid) if reach <= listed_reach else starts.shape[0] - 2
    found = 0
    for entry in range(starts[cell], starts[cell + 1]):
        distance, aside = seen_distance(x, y, walls, listed[entry])
        if distance < reach * reach:
            k = found
            while k > 0 and (distance, -aside) < (distances[k - 1], -asides[k - 1]):
                near[k], distances[k], asides[k] = near[k - 1], distances[k - 1], asides[k - 1]
                k -= 1
            near[k], distances[k], asides[k] = listed[entry], distance, aside
            found += 1
    count = int(np.int64(0))  # as a literal it would have everything compiled twice
    for k in range(found):
        count = wall_line(walls, near[k], (x, y), velocity, radius, 1.0 / horizon, lines, count)
    return count
