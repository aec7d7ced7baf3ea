"""Floor plans: where one can walk, how far the walls are, what can be seen, what is where."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TypeVar

import numpy as np

from paseo.errors import BadValue
from paseo.world.arrays import BoolArray, FloatArray
from paseo.world.motion import Pose
from paseo.world.ranges import FARTHEST, is_on_earth
from paseo.world.space import geometry

CELL_SIZE = 0.05
MAX_CELLS = 64_000_000
A = TypeVar("A", FloatArray, BoolArray)


class PlaceKind(StrEnum):
    """What a named place on a floor plan is."""

    DOOR = "door"
    EXIT = "exit"
    PATH_END = "path end"


class InferredFrom(StrEnum):
    """What a floor plan was guessed from that nobody has measured."""

    TRACKS = "tracks"  # so that it is no witness of where people can walk
    MAP = "map"  # of a place nearby


@dataclass(frozen=True, slots=True)
class Place:
    """A named spot: where people come from or go to."""

    name: str
    kind: PlaceKind
    x: float
    y: float


@dataclass(frozen=True, kw_only=True, eq=False)
class FloorPlan:
    """Free space bounded by walls. The walls are the truth; the grid is for looking up fast."""

    name: str
    walls: FloatArray  # (segments, 2, 2), closed loops around all free space
    free: BoolArray  # (rows, columns), cell centres in free space; row 0 has the smallest y
    cell_size: float
    origin: tuple[float, float]  # lower left corner of cell (0, 0)
    places: tuple[Place, ...] = ()
    source: str = ""
    inferred: InferredFrom | None = None  # None: not guessed

    def __post_init__(self) -> None:
        if self.walls.ndim != 3 or self.walls.shape[1:] != (2, 2):
            raise BadValue(
                f"floor plan '{self.name}': walls must have shape (segments, 2, 2), "
                f"not {self.walls.shape}"
            )
        if not np.isfinite(self.walls).all():
            raise BadValue(f"floor plan '{self.name}': a wall has a coordinate that is not finite")
        if not self.free.any():
            raise BadValue(f"floor plan '{self.name}': there is no free space in it")
        if not (0 < self.cell_size < np.inf and np.isfinite(self.origin).all()):
            raise BadValue(f"floor plan '{self.name}': cell size and origin must be finite")
        spots = [self.bounds[:2], self.bounds[2:], *((place.x, place.y) for place in self.places)]
        if not (is_on_earth(self.walls) and is_on_earth(np.array(spots))):
            raise BadValue(
                f"floor plan '{self.name}': a wall, a place or the grid is more than {FARTHEST:g} "
                "m from the origin, expected metres; move or scale the map"
            )
        # Planners are shown the plan itself: nobody may move its walls.
        object.__setattr__(self, "walls", _read_only(self.walls.astype(np.float64)))
        object.__setattr__(self, "free", _read_only(self.free))

    @cached_property
    def distance(self) -> FloatArray:
        """Signed metres from each cell centre to the nearest wall, (rows, columns)."""
        field = geometry.distance_field(self.walls, self.free, *self.origin, self.cell_size)
        return _read_only(field)

    @property
    def area(self) -> float:
        """Free square metres."""
        return float(self.free.sum()) * self.cell_size**2

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """The grid's edges: x_min, y_min, x_max, y_max."""
        rows, columns = self.free.shape
        x, y = self.origin
        return x, y, x + columns * self.cell_size, y + rows * self.cell_size

    def clearance(self, x: float, y: float) -> float:
        """Metres to the nearest wall, exact; negative in walls and outside the map."""
        return float(geometry.signed_clearance(float(x), float(y), self.walls))

    def grid_clearances(self, points: FloatArray) -> FloatArray:
        """Metres to the nearest wall of many points, (points,), to a cell's width; quick.

        Off the grid, and for points that are NaN, the distance to the grid is taken off.
        """
        cells = np.floor(np.nan_to_num((points - self.origin) / self.cell_size, nan=-1e6))
        rows, columns = self.free.shape
        nearest = np.clip(cells, 0, (columns - 1, rows - 1))
        beyond = np.hypot(*((cells - nearest) * self.cell_size).T)
        column, row = nearest.astype(np.int64).T
        clearances: FloatArray = self.distance[row, column] - beyond
        return clearances

    def sees(self, a: Pose, b: Pose) -> bool:
        """Whether no wall stands between two positions."""
        # In floats: for integers the kernel would be compiled anew.
        ax, ay, bx, by = map(float, (a.x, a.y, b.x, b.y))
        return not geometry.blocked_between(ax, ay, bx, by, self.walls)

    def leaves_room(self, a: Pose, b: Pose, radius: float) -> bool:
        """Whether a disc can go straight from a to b."""
        ax, ay, bx, by = map(float, (a.x, a.y, b.x, b.y))
        return (
            self.sees(a, b)
            and min(self.clearance(ax, ay), self.clearance(bx, by)) >= radius
            and geometry.nearest_wall_end(ax, ay, bx, by, self.walls) >= radius
        )

    def cell(self, x: float, y: float) -> tuple[int, int]:
        """Row and column of the cell a position falls into; it may lie off the grid."""
        return (
            int(np.floor((y - self.origin[1]) / self.cell_size)),
            int(np.floor((x - self.origin[0]) / self.cell_size)),
        )

    def reachable_from(self, x: float, y: float, radius: float) -> BoolArray:
        """The cells whose centres a disc can get to from here, (rows, columns)."""
        open_cells = self.distance >= radius
        row, column = self.cell(x, y)
        rows, columns = self.free.shape
        if not (0 <= row < rows and 0 <= column < columns):
            return np.zeros_like(self.free)
        return geometry.connected(open_cells, row, column)


def _read_only(array: A) -> A:
    """A copy that nobody can make writable again: its memory is that of bytes."""
    return np.frombuffer(array.tobytes(), array.dtype).reshape(array.shape)


def told_inferred(source: str) -> InferredFrom | None:
    """What a floor plan was guessed from, by the words of its source.

    For files that have no field for it: records, and maps from before there was one.
    """
    if source.startswith("Inferred from"):
        return InferredFrom.TRACKS
    return InferredFrom.MAP if source.startswith("The geometry is inferred") else None


def floor_plan(
    name: str,
    walls: FloatArray,
    *,
    places: tuple[Place, ...] = (),
    source: str = "",
    inferred: InferredFrom | None = None,
) -> FloorPlan:
    """A floor plan from wall segments (segments, 2, 2) that close around free space."""
    low = np.floor(walls.min(axis=(0, 1)) / CELL_SIZE) * CELL_SIZE
    columns, rows = np.ceil((walls.max(axis=(0, 1)) - low) / CELL_SIZE - 1e-9).tolist()
    if not rows * columns <= MAX_CELLS:  # in floats: integers would overflow
        raise BadValue(
            f"floor plan '{name}' would need {rows * columns:.0f} cells of {CELL_SIZE} m, at most "
            f"{MAX_CELLS} are allowed: are its coordinates in metres?"
        )
    x0, y0 = float(low[0]), float(low[1])
    free = geometry.inside_grid(walls, x0, y0, CELL_SIZE, int(rows), int(columns))
    return FloorPlan(
        name=name,
        walls=walls,
        free=free,
        cell_size=CELL_SIZE,
        origin=(x0, y0),
        places=places,
        source=source,
        inferred=inferred,
    )


def traced_walls(free: BoolArray, cell_size: float, origin: tuple[float, float]) -> FloatArray:
    """The edges between free and blocked cells as the longest straight segments, (n, 2, 2)."""
    padded = np.pad(free, 1).astype(np.int8)
    lines = []
    for axis in (0, 1):
        change = np.diff(padded, axis=axis) != 0
        edges = change[:, 1:-1] if axis == 0 else change[1:-1, :].T
        starts_ends = np.diff(np.pad(edges, ((0, 0), (1, 1))).astype(np.int8), axis=1)
        line, start = np.nonzero(starts_ends == 1)
        _, end = np.nonzero(starts_ends == -1)
        first, last = (start, line), (end, line)
        if axis == 1:
            first, last = first[::-1], last[::-1]
        lines.append(np.stack([np.stack(first, axis=-1), np.stack(last, axis=-1)], axis=1))
    walls: FloatArray = np.concatenate(lines) * cell_size + np.array(origin)
    return walls
