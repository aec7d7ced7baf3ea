"""A floor plan as a place to look at."""

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from paseo.camera.meshes import Material, Surface
from paseo.camera.places.facades import Palette, Wall, add_facade
from paseo.camera.places.quads import Quads
from paseo.camera.places.textures import asphalt, brick, plaster, slabs
from paseo.camera.scene import Place, Sun
from paseo.errors import BadValue
from paseo.world.arrays import FloatArray
from paseo.world.cameras import View
from paseo.world.space.floorplan import FloorPlan

PILLAR = 3.0  # metres; what is no wider stands free and is one storey high
BEYOND = 2.0  # metres that the floor goes on under the walls
OPEN = 100.0  # metres each way of ground without a plan
LOOK = 0.12  # metres before a wall where one must be able to walk


@dataclass(frozen=True, slots=True)
class Style:
    """What a place is built of."""

    wall: Material
    base: Material
    floor: Material
    frame: tuple[float, float, float]
    storeys: int


WHITE, DARK = (0.75, 0.74, 0.70), (0.03, 0.035, 0.04)
# Ways to build; a plan's name decides for one. Paint takes time: only what is used is made.
STYLES: tuple[Callable[[], Style], ...] = (
    lambda: Style(
        brick((0.60, 0.30, 0.22), 1),
        plaster((0.55, 0.55, 0.54), 6),
        slabs((0.66, 0.64, 0.61), 7, rows=8, tile_m=3.2),
        WHITE,
        3,
    ),
    lambda: Style(
        plaster((0.90, 0.87, 0.80), 4),
        plaster((0.66, 0.66, 0.65), 3),
        slabs((0.70, 0.69, 0.67), 9, rows=12, tile_m=3.6),
        DARK,
        2,
    ),
    lambda: Style(
        plaster((0.84, 0.72, 0.52), 2),
        plaster((0.55, 0.55, 0.54), 6),
        slabs((0.74, 0.66, 0.54), 8, rows=6, tile_m=2.4),
        WHITE,
        3,
    ),
    lambda: Style(
        brick((0.72, 0.62, 0.47), 5),
        plaster((0.66, 0.66, 0.65), 3),
        asphalt((0.40, 0.40, 0.41), 10),
        DARK,
        2,
    ),
    lambda: Style(
        plaster((0.66, 0.66, 0.65), 3),
        plaster((0.55, 0.55, 0.54), 6),
        asphalt((0.62, 0.56, 0.47), 11),
        DARK,
        4,
    ),
)
BUILT = {"Zara": 0, "ETH": 4, "DoubleHotel": 2, "HotelSmall": 1, "Univ": 3}


def place_of(plan: FloorPlan, *, sun: Sun | None = None) -> Place:
    """The plan with its walls built up, its doors in them, and its floor laid."""
    style = _style(BUILT.get(plan.name, zlib.crc32(plan.name.encode()) % len(STYLES)))
    materials = [style.floor, style.wall, style.base, *_fittings(style)]
    quads = Quads(materials)
    _lay_floor(quads, plan)
    palette = Palette(wall=1, base=2, frame=3, glass=4, door=5)
    doors = np.array([[place.x, place.y] for place in plan.places]).reshape(-1, 2)
    for segment, size in zip(plan.walls, _loop_sizes(plan.walls), strict=True):
        wall = _wall(plan, segment)
        storeys = style.storeys if size > PILLAR else 1
        add_facade(quads, wall, palette, storeys=storeys, doors=_doors(wall, doors))
    return Place(name=plan.name, mesh=quads.mesh(), materials=tuple(materials), sun=sun or Sun())


def open_ground(x: float, y: float, *, sun: Sun | None = None) -> Place:
    """Nothing but a floor around a point, for moments whose floor plan is not known."""
    floor = asphalt((0.62, 0.56, 0.47), 11)
    quads = Quads([floor])
    corner = np.array([x - OPEN, y - OPEN, 0.0])
    quads.add(corner, np.array([2 * OPEN, 0.0, 0.0]), np.array([0.0, 2 * OPEN, 0.0]), 0)
    return Place(name="open ground", mesh=quads.mesh(), materials=(floor,), sun=sun or Sun())


def check_view(plan: FloorPlan, view: View) -> None:
    """`BadValue` if a camera stands inside a wall, from where nothing can be seen."""
    x, y, _ = (float(each) for each in view.position)
    if plan.clearance(x, y) < 0:
        raise BadValue(
            f"the camera stands in a wall of '{plan.name}' at ({x:.2f}, {y:.2f}) m; move it to "
            "where one can walk"
        )


@cache
def _style(number: int) -> Style:
    return STYLES[number]()


def _fittings(style: Style) -> tuple[Material, Material, Material]:
    return (
        Material(name="frame", surface=Surface.WOOD, colour=style.frame),
        Material(name="glass", surface=Surface.GLASS, colour=(0.03, 0.04, 0.05), roughness=0.2),
        Material(name="door", surface=Surface.WOOD, colour=(0.10, 0.055, 0.03)),
    )


def _lay_floor(quads: Quads, plan: FloorPlan) -> None:
    x0, y0, x1, y1 = plan.bounds
    corner = np.array([x0 - BEYOND, y0 - BEYOND, 0.0])
    right = np.array([x1 - x0 + 2 * BEYOND, 0.0, 0.0])
    quads.add(corner, right, np.array([0.0, y1 - y0 + 2 * BEYOND, 0.0]), 0)


def _loop_sizes(walls: FloatArray) -> list[float]:
    """How wide the loop of each wall is; a loop goes on where the last wall ended."""
    loops: list[list[FloatArray]] = []
    for wall in walls:
        if loops and np.allclose(loops[-1][-1][1], wall[0]):
            loops[-1].append(wall)
        else:
            loops.append([wall])
    return [float(np.ptp(loop, axis=(0, 1)).max()) for loop in loops for _ in loop]


def _wall(plan: FloorPlan, segment: FloatArray) -> Wall:
    """A wall whose front is where one can walk."""
    start, end = segment
    length = float(np.hypot(*(end - start)))
    along = (end - start) / max(length, 1e-9)
    right = np.array([along[1], -along[0]])
    middle = (start + end) / 2
    before = plan.grid_clearances(np.stack([middle + LOOK * right, middle - LOOK * right]))
    if before[0] < before[1]:
        start, along, right = end, -along, -right
    ends = np.stack([start - LOOK * along, start + (length + LOOK) * along])
    left_joined, right_joined = plan.grid_clearances(ends - LOOK * right) < 0
    return Wall(
        start=np.array([*start, 0.0]),
        along=np.array([*along, 0.0]),
        front=np.array([*right, 0.0]),
        length=length,
        joined=(bool(left_joined), bool(right_joined)),
    )


def _doors(wall: Wall, doors: FloatArray) -> list[float]:
    """How far along a wall those doors are that are near it."""
    off = doors - wall.start[:2]
    across, away = off @ wall.along[:2], np.abs(off @ wall.front[:2])
    near = (away < 1.5) & (across > 0) & (across < wall.length)
    return [float(each) for each in across[near]]
