"""A floor plan as a place to look at."""

import zlib
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import shapely

from paseo.camera.meshes import Material
from paseo.camera.places.openness import openness
from paseo.camera.places.paint.stones import asphalt
from paseo.camera.places.parts import edges
from paseo.camera.places.parts.facades import Ground, add_ends, add_facade
from paseo.camera.places.parts.furniture import wall_lamp
from paseo.camera.places.parts.lines import UP, Wall, line
from paseo.camera.places.parts.quads import Part, Quads
from paseo.camera.places.parts.trees import plant, shrub
from paseo.camera.places.styles import BUILT, STYLES, Compass, Edge, Style
from paseo.camera.places.surroundings import (
    OPEN_END,
    Margin,
    Wood,
    build_beyond,
    lay_horizon,
    wood_of,
)
from paseo.camera.scene import Place, Sun
from paseo.errors import BadValue
from paseo.world.arrays import FloatArray
from paseo.world.cameras import View
from paseo.world.space.floorplan import FloorPlan

SMALL = 3.0  # metres; blocked areas that are no wider are troughs with plants
BEYOND = 0.4  # metres that the floor goes on under the walls
OPEN = 100.0  # metres each way of ground without a plan
LOOK = 0.12  # metres before a wall where one must be able to walk
ON_RIM = 0.3  # metres from a map's bounds within which a wall is at its rim
NEAR_GATE = 3.2  # metres from a rim within which a way out leads over it
GAP = 1.3  # metres to both sides of it where nothing stands on the rim
SHORTEST = 1.2  # metres of it that are worth building
SHADED = 9.0  # metres beyond the rim where shadows fall
HOUSE_END = 12.0  # metres that a house goes on beyond the rim,
SHORT_END = 1.5  # or where it would keep the evening sun away
OUTWARD = {
    Compass.NORTH: (0.0, 1.0),
    Compass.EAST: (1.0, 0.0),
    Compass.SOUTH: (0.0, -1.0),
    Compass.WEST: (-1.0, 0.0),
}


@dataclass(frozen=True, slots=True, eq=False)
class _Site:
    """A plan that is being built on."""

    plan: FloorPlan
    style: Style
    quads: Quads
    wood: Wood
    masses: tuple[shapely.Polygon, ...]  # blocked areas within the bounds
    rng: np.random.Generator

    def side_of(self, wall: Wall) -> Compass | None:
        """The side of the map whose rim a wall is; None: it is within."""
        x0, y0, x1, y1 = self.plan.bounds
        ends = np.stack([wall.at(0.0, 0.0), wall.at(wall.length, 0.0)])[:, :2]
        rims = {
            Compass.NORTH: ends[:, 1] - y1,
            Compass.EAST: ends[:, 0] - x1,
            Compass.SOUTH: ends[:, 1] - y0,
            Compass.WEST: ends[:, 0] - x0,
        }
        for side, off in rims.items():
            if (np.abs(off) < ON_RIM).all() and wall.front[:2] @ OUTWARD[side] < -0.9:
                return side
        return None

    def is_open(self, side: Compass) -> bool:
        """Whether no houses are at that side."""
        return side in self.style.sides


def place_of(plan: FloorPlan, *, sun: Sun | None = None) -> Place:
    """The plan with its walls built up, its floor laid, and what is around it.

    The same plan always gives the same place. Nothing stands where one can walk, but what is
    higher than heads, or nearer to a wall than a hand's breadth.
    """
    number = BUILT.get(plan.name, zlib.crc32(plan.name.encode()) % len(STYLES))
    style = STYLES[number]()
    rng = np.random.default_rng(zlib.crc32(plan.name.encode()))
    quads = Quads([style.floor, style.house.wall])
    site = _Site(plan, style, quads, wood_of(style, rng), _masses(plan), rng)
    walls = [_wall(plan, segment) for segment in plan.walls]
    _lay_floor(site)
    if plan.name in BUILT:
        _build_rim(site, walls)
        _build_masses(site)
    else:
        for wall in walls:
            _build_house(site, wall, (0.0, 0.0))
    x0, y0, x1, y1 = plan.bounds
    shaded = (x0 - SHADED, y0 - SHADED, x1 + SHADED, y1 + SHADED)
    houses = [wall for wall in walls if _is_house(site, wall)]
    return Place(
        name=plan.name,
        mesh=quads.mesh(),
        materials=tuple(quads.materials),
        sun=sun or Sun(),
        lamps=tuple(quads.lamps),
        openness=openness(houses, style.house.storeys * style.house.storey, shaded),
        shaded=shaded,
    )


def open_ground(x: float, y: float, *, sun: Sun | None = None) -> Place:
    """Nothing but a floor around a point, for moments whose floor plan is not known."""
    floor = asphalt((0.62, 0.56, 0.47), 11)
    quads = Quads([floor])
    corner = np.array([x - OPEN, y - OPEN, 0.0])
    quads.add(corner, np.array([2 * OPEN, 0.0, 0.0]), np.array([0.0, 2 * OPEN, 0.0]), floor)
    return Place(name="open ground", mesh=quads.mesh(), materials=(floor,), sun=sun or Sun())


def check_view(plan: FloorPlan, view: View, *, forward: float = 0.0) -> None:
    """`BadValue` if a camera stands inside a wall, from where nothing can be seen.

    The sentence names how far `forward` of its place it is, where that is not 0.
    """
    x, y, _ = (float(each) for each in view.position)
    if plan.clearance(x, y) < 0:
        why = f", where its forward_m = {forward:g} puts it" if forward else ""
        raise BadValue(
            f"the camera stands in a wall of '{plan.name}' at ({x:.2f}, {y:.2f}) m{why}; move it "
            "to where one can walk"
        )


def _masses(plan: FloorPlan) -> tuple[shapely.Polygon, ...]:
    """The blocked areas within a plan's bounds."""
    rings = shapely.polygonize(shapely.linestrings(plan.walls)).geoms
    free = shapely.Polygon()
    for ring in rings:
        free = free.symmetric_difference(shapely.Polygon(ring.exterior))
    solid = shapely.box(*plan.bounds).difference(free)
    parts = getattr(solid, "geoms", [solid])
    return tuple(part for part in parts if part.area > 0.02 and part.geom_type == "Polygon")


def _lay_floor(site: _Site) -> None:
    x0, y0, x1, y1 = site.plan.bounds
    corner = np.array([x0 - BEYOND, y0 - BEYOND, 0.0])
    right = np.array([x1 - x0 + 2 * BEYOND, 0.0, 0.0])
    site.quads.add(corner, right, np.array([0.0, y1 - y0 + 2 * BEYOND, 0.0]), site.style.floor)
    lay_horizon(site.quads, site.style, np.array([(x0 + x1) / 2, (y0 + y1) / 2]))


def _build_rim(site: _Site, walls: list[Wall]) -> None:
    """All walls, and what is behind the open ones."""
    by_side: dict[Compass, list[Wall]] = {}
    for wall in walls:
        side = site.side_of(wall)
        if side is not None and site.is_open(side):
            by_side.setdefault(side, []).append(wall)
            _build_edge(site, wall, site.style.sides[side].edge)
        elif _is_house(site, wall):
            _build_house(site, wall, _ends(site, wall))
    for side, pieces in by_side.items():
        margin = _margin(site, side, pieces)
        build_beyond(
            site.quads, margin, site.style.sides[side].beyond, site.style, site.wood, site.rng
        )


def _is_house(site: _Site, wall: Wall) -> bool:
    """Whether a house stands on a wall of the plan."""
    if site.plan.name not in BUILT:
        return True
    side = site.side_of(wall)
    if side is not None:
        return not site.is_open(side)
    return not site.style.beds and _mass_size(site, wall) > SMALL


def _build_edge(site: _Site, wall: Wall, edge: Edge) -> None:
    """What stands on an open rim, with gaps where people come and go."""
    style, quads = site.style, site.quads
    for left, right in _between_gates(wall.length, _gates(site.plan, wall)):
        piece = wall.piece(left, right)
        if edge is Edge.LOW_WALL:
            edges.low_wall(quads, piece, style.low, style.kerb)
        elif edge is Edge.HEDGE:
            edges.kerb(quads, piece, style.kerb, high=0.10)
            edges.hedge(quads, piece, style.green, style.stuff.leaves, rng=site.rng)
        elif edge is Edge.RAILING:
            edges.railing(quads, piece, style.stuff.metal, style.kerb)
        else:
            edges.bollards(quads, piece, style.stuff.metal, style.kerb)


def _build_house(site: _Site, wall: Wall, ends: tuple[float, float]) -> None:
    style, quads = site.style, site.quads
    places = np.array([[place.x, place.y] for place in site.plan.places]).reshape(-1, 2)
    doors = [each + ends[0] for each in _near(wall, places, 1.5)]
    if wall.length > 2:
        band = wall.at(0.0, 0.003, -0.55)
        quads.add(band, wall.along * wall.length, -wall.front * 0.55, style.band)
    if style.house.awning is None or style.house.ground is not Ground.SHOPS:
        for across in np.arange(1.35, wall.length - 0.7, 5.4).tolist():
            wall_lamp(quads, wall, across, style.stuff)
    longer = wall.longer(*ends)
    add_facade(quads, longer, style.house, doors=doors, rng=site.rng)
    if max(ends) > 0:
        add_ends(quads, longer, style.house, left=ends[0] > 0, right=ends[1] > 0)


def _build_masses(site: _Site) -> None:
    """Blocked areas that are no houses: lawns with trees, and troughs with plants."""
    for mass in site.masses:
        x0, y0, x1, y1 = mass.bounds
        if max(x1 - x0, y1 - y0) <= SMALL:
            _build_trough(site, mass, height=0.55)
        elif site.style.beds:
            _build_bed(site, mass)


def _build_trough(site: _Site, mass: shapely.Polygon, *, height: float) -> None:
    """Stone around earth in which shrubs grow, or a tree where it is large enough."""
    _fence(site, mass, height)
    _fill(site.quads, mass, height - 0.06, site.style.stuff.soil)
    middle = np.array([*mass.representative_point().coords[0], 0.0])
    leaves = site.style.stuff.leaves
    if mass.area > 0.5:
        site.wood.plant(site.quads, middle, site.rng)
    x0, y0, x1, y1 = mass.bounds
    for x in np.arange(x0 + 0.12, x1 - 0.1, 0.24).tolist():
        for y in np.arange(y0 + 0.12, y1 - 0.1, 0.24).tolist():
            green = shrub(0.50, float(site.rng.uniform(0.45, 0.75)), leaves, site.rng)
            spot = np.array([x, y, height - 0.12])
            plant(site.quads, green, spot, turn=float(site.rng.uniform(0, 6)), scale=1.0)


def _build_bed(site: _Site, mass: shapely.Polygon) -> None:
    """A lawn behind kerbstones, with trees and shrubs well inside."""
    _fence(site, mass, 0.14)
    _fill(site.quads, mass, 0.10, site.style.lawn)
    inside = mass.buffer(-0.7)
    x0, y0, x1, y1 = mass.bounds
    planted: list[FloatArray] = []
    for spot in site.rng.uniform((x0, y0), (x1, y1), (60, 2)):
        apart = min((float(np.hypot(*(spot - each))) for each in planted), default=9.0)
        if inside.contains(shapely.Point(spot)) and apart > 1.9:
            planted.append(spot)
            at = np.array([*spot, 0.08])
            if len(planted) % 3 == 1:
                site.wood.plant(site.quads, at, site.rng)
            else:
                green = shrub(1.1, 0.8, site.style.stuff.leaves, site.rng)
                plant(site.quads, green, at, turn=0.0, scale=1.0)


def _fence(site: _Site, mass: shapely.Polygon, height: float) -> None:
    """Stone around an area, within its outline."""
    x0, y0, x1, y1 = site.plan.bounds
    ring = np.array(shapely.geometry.polygon.orient(mass).exterior.coords)
    for start, end in pairwise(ring):
        middle = (start + end) / 2
        at_rim = min(middle[0] - x0, x1 - middle[0], middle[1] - y0, y1 - middle[1]) < 0.02
        along = end - start
        length = float(np.hypot(*along))
        if at_rim or length < 1e-3:
            continue
        x, y = start.tolist()
        run = line(x, y, float(np.arctan2(along[1], along[0])), length)
        thick = min(0.15, 0.2 * float(np.sqrt(mass.area)))
        site.quads.box(run.at(0, 0), run.edges(length, thick, height), site.style.kerb)


def _fill(quads: Quads, area: shapely.Polygon, up: float, material: Material) -> None:
    """An area as triangles at a height."""
    corners = []
    for piece in shapely.delaunay_triangles(area).geoms:
        inside = piece.intersection(area)
        if inside.geom_type == "Polygon" and inside.area > 1e-6:
            ring = np.array(shapely.geometry.polygon.orient(inside).exterior.coords)[:-1]
            corners += [ring[[0, k, k + 1]] for k in range(1, len(ring) - 1)]
    flat = np.concatenate(corners)
    points = np.column_stack([flat, np.full(len(flat), up)])
    triangles = np.arange(len(flat)).reshape(-1, 3)
    normals = np.tile(UP, (len(flat), 1))
    quads.put(Part(points, triangles, flat / material.tile_m, normals, material))


def _mass_size(site: _Site, wall: Wall) -> float:
    """How wide the blocked area behind a wall is; without end where it is outside the map."""
    behind = shapely.Point(wall.at(wall.length / 2, 0.0, LOOK)[:2])
    for mass in site.masses:
        if mass.buffer(0.05).contains(behind):
            x0, y0, x1, y1 = mass.bounds
            return max(x1 - x0, y1 - y0)
    return np.inf


def _ends(site: _Site, wall: Wall) -> tuple[float, float]:
    """How far a house goes on at both ends of its wall, where these are at an open rim."""
    x0, y0, x1, y1 = site.plan.bounds
    rims = ((Compass.NORTH, 1, y1), (Compass.EAST, 0, x1), (Compass.SOUTH, 1, y0),
            (Compass.WEST, 0, x0))  # fmt: skip
    found = []
    for across, sign in ((0.0, -1.0), (wall.length, 1.0)):
        end, way = wall.at(across, 0.0), sign * wall.along
        goes_on = [
            SHORT_END if site.style.sides[side].vista else HOUSE_END
            for side, axis, rim in rims
            if abs(end[axis] - rim) < ON_RIM
            and way[:2] @ OUTWARD[side] > 0.9
            and site.is_open(side)
        ]
        found.append(max(goes_on, default=0.0))
    return found[0], found[1]


def _margin(site: _Site, side: Compass, pieces: list[Wall]) -> Margin:
    """The strip behind an open side, as long as its walls, and longer at open corners."""
    first = pieces[0]
    spots = np.array([[w.at(0.0, 0.0), w.at(w.length, 0.0)] for w in pieces]).reshape(-1, 3)
    across = (spots - first.start) @ first.along
    low, high = float(across.min()), float(across.max())
    whole = Wall(first.at(low, 0.0), first.along, first.front, high - low)
    ends = tuple(OPEN_END if each > 0 else 0.0 for each in _ends(site, whole))
    gates, vista = tuple(_gates(site.plan, whole)), site.style.sides[side].vista
    return Margin(whole, (ends[0], ends[1]), gates, vista)


def _gates(plan: FloorPlan, wall: Wall) -> list[float]:
    """Where along a rim people come and go."""
    places = np.array([[place.x, place.y] for place in plan.places]).reshape(-1, 2)
    return _near(wall, places, NEAR_GATE)


def _between_gates(length: float, gates: list[float]) -> list[tuple[float, float]]:
    """The pieces of a line outside of its gaps."""
    pieces, start = [], 0.0
    for gate in sorted(gates):
        if gate - GAP - start > SHORTEST:
            pieces.append((start, gate - GAP))
        start = max(start, gate + GAP)
    if length - start > SHORTEST:
        pieces.append((start, length))
    return pieces


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


def _near(wall: Wall, places: FloatArray, within: float) -> list[float]:
    """How far along a wall those places are that are near it."""
    off = places - wall.start[:2]
    across, away = off @ wall.along[:2], np.abs(off @ wall.front[:2])
    near = (away < within) & (across > 0) & (across < wall.length)
    return [float(each) for each in across[near]]
