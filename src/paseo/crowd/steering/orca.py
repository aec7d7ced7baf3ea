"""ORCA: everybody takes a share of avoiding everybody else.

J. van den Berg, S. J. Guy, M. Lin, D. Manocha: Reciprocal n-body collision avoidance. Robotics
Research (ISRR 2009), Springer Tracts in Advanced Robotics 70, 2011. The order of neighbours and
walls, and what is done when no velocity is safe, are those of the authors' library RVO2.
"""

import math
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

import numpy as np

from paseo.compiled import RealArray, compiled_like_numpy, inlined, like
from paseo.crowd.steering.half_planes import (
    least_bad_velocity,
    nearest_velocity,
    pair_lines,
    wall_line,
)
from paseo.crowd.steering.models import Walkers
from paseo.crowd.steering.neighbours import (
    AT_A_TIME,
    RADIUS,
    SHARE,
    TOP_SPEED,
    VX,
    VY,
    WANTED_X,
    WANTED_Y,
    X,
    Y,
    cells_around,
    counted_from,
    in_order,
    nearest_others,
)
from paseo.crowd.steering.wall_loops import (
    WallLoops,
    cell_at,
    in_single_precision,
    seen_distance,
    wall_loops,
)
from paseo.errors import BadValue, UnknownName
from paseo.world.arrays import FloatArray, IntArray
from paseo.world.space.floorplan import FloorPlan

ROUNDINGS = 1e4  # by which RVO2 may exceed a top speed; in a crush it would by many more
BRISK = 2.5  # m/s; who is faster looks at all walls rather than at lists of those within reach

Spans = tuple[float, float, float, float]  # how far people see, horizon, horizon of walls, dt


class Precision(StrEnum):
    """With how many bits velocities are computed.

    Where half planes nearly miss each other, the last bits decide between two answers.
    """

    SINGLE = "single"  # 32, as RVO2 does: in the open the answers are RVO2's to the last bit
    DOUBLE = "double"  # 64: the answers hardly ever depend on where the map has its origin


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
    # By rounding people may be faster than their top speed: single 0.12 %, double 1e-11 of it.
    precision: Precision = Precision.SINGLE

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
        if self.precision not in set(Precision):
            raise UnknownName("precision of orca", self.precision, Precision)
        self.precision = Precision(self.precision)
        self._learn(wall_loops(np.empty((0, 2, 2)), 0.0))

    def begin(self, floorplan: FloorPlan) -> None:
        """Learn where the walls of a place are; before that there are none."""
        self._learn(_loops_of(floorplan, self.wall_horizon * BRISK + 1.0))

    def _learn(self, loops: WallLoops) -> None:
        single = self.precision is Precision.SINGLE
        self._loops = in_single_precision(loops) if single else loops

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
            loops.walls, loops.grid, loops.starts, loops.listed, loops.reach, loops.corner,
            self.most_neighbours,
            (self.neighbour_distance, self.horizon, self.wall_horizon, float(dt)),
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
    walls: RealArray,
    grid: FloatArray,
    starts: IntArray,
    listed: IntArray,
    listed_reach: float,
    corner: FloatArray,
    most: int,
    spans: Spans,
) -> FloatArray:
    """The velocities of the people from `first` up to `end` for one step, (people, 2).

    `flat` (8 * people,) has all positions, then velocities, wanted velocities, radii, top speeds.
    All is computed in the precision of `walls`.
    """
    count = flat.shape[0] // 8
    velocities = np.empty((count, 2), np.float64)
    if count == 0:
        return velocities
    numbers = counted_from(corner, flat, walls)
    sight, horizon, wall_horizon, dt = spans_like(spans, numbers[0])
    order, cell_starts, box = cells_around(numbers, sight)
    people = in_order(numbers, shares, order)
    # Arrays are handed on one by one: to count who holds a tuple of them takes half the time.
    lines = np.empty((4, walls.shape[0] + most), walls.dtype)
    rivals, others = np.empty_like(lines), np.empty((6, most), walls.dtype)
    near = np.empty(max(count, walls.shape[0]) + AT_A_TIME, np.int64)
    ranks, distances = np.empty_like(near), np.empty(near.shape[0], walls.dtype)
    asides = np.empty(walls.shape[0], walls.dtype)
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


@inlined
def spans_like(spans: Spans, sample: float) -> Spans:
    """The spans in the precision of the sample."""
    sight, horizon, wall_horizon, dt = spans
    return like(sight, sample), like(horizon, sample), like(wall_horizon, sample), like(dt, sample)


@inlined
def best_velocity(
    slot: int,
    people: RealArray,
    others: RealArray,
    found: int,
    horizon: float,
    dt: float,
    lines: RealArray,
    hard: int,
    rivals: RealArray,
) -> tuple[float, float]:
    """A person's velocity among `found` others and the half planes of walls, the first `hard`."""
    velocity, top_speed = (people[VX, slot], people[VY, slot]), people[TOP_SPEED, slot]
    wanted_x, wanted_y = people[WANTED_X, slot], people[WANTED_Y, slot]
    one = like(1.0, top_speed)
    pair_lines(others, found, velocity, people[SHARE, slot], one / horizon, one / dt, lines, hard)
    kept, x, y = nearest_velocity(lines, hard + found, top_speed, wanted_x, wanted_y)
    if kept < hard + found:
        x, y = least_bad_velocity(lines, hard, kept, hard + found, top_speed, (x, y), rivals)
    speed2, fastest = x * x + y * y, top_speed * (1.0 + ROUNDINGS * np.finfo(lines.dtype).eps)
    if speed2 > fastest * fastest:
        scale = top_speed / math.sqrt(speed2)
        x, y = x * scale, y * scale
    return x, y


@compiled_like_numpy
def wall_lines(
    slot: int,
    people: RealArray,
    walls: RealArray,
    grid: FloatArray,
    starts: IntArray,
    listed: IntArray,
    listed_reach: float,
    horizon: float,
    near: IntArray,
    distances: RealArray,
    asides: RealArray,
    lines: RealArray,
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
    per_horizon = like(1.0, horizon) / horizon
    count = int(np.int64(0))  # as a literal it would have everything compiled twice
    for k in range(found):
        count = wall_line(walls, near[k], (x, y), velocity, radius, per_horizon, lines, count)
    return count
