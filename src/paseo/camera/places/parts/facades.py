"""Fronts of houses with windows, shops and doors in them."""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from paseo.camera.meshes import Material
from paseo.camera.places.paint.interiors import HALLS, SHOPS
from paseo.camera.places.paint.panes import SIGNS, WINDOWS, cell
from paseo.camera.places.parts.lines import UP, Wall
from paseo.camera.places.parts.quads import Quads
from paseo.camera.scene import Lamp

DOOR = (1.7, 2.5)
RECESS = 0.18
LIT = 3  # of so many windows one is lit at dusk
SHINE = 0.45  # how strong the light of a shop is, to the square metre
THICK = 0.30
DEEP = 9.0  # metres that a house goes back where one sees its end
AWNING = (2.95, 2.45, 1.05)  # metres: its upper and its lower edge, and how far it stands out


class Ground(Enum):
    """What the ground floor of a house is for."""

    LIVING = "living"
    SHOPS = "shops"
    GLASS = "glass"  # a hall's


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class House:
    """How a house is built."""

    wall: Material
    base: Material  # of the ground floor and of ledges
    frame: Material
    glass: Material  # WINDOWS by WINDOWS rooms
    lit: Material  # likewise, where somebody is at home at dusk
    shop: Material  # SHOPS across and down, by their signs
    hall: Material  # HALLS likewise
    door: Material
    ground: Ground = Ground.LIVING
    storeys: int = 3
    storey: float = 3.1  # metres
    bay: float = 2.7
    window: tuple[float, float] = (1.24, 1.65)
    shutters: Material | None = None
    balconies: Material | None = None  # their railings
    awning: Material | None = None
    signs: Material | None = None
    roof: Material | None = None


@dataclass(frozen=True, slots=True)
class Opening:
    """A hole in a wall: a window, a shop's front or a door."""

    left: float
    right: float
    bottom: float
    top: float
    is_door: bool = False
    is_shop: bool = False


def add_facade(
    quads: Quads, wall: Wall, house: House, *, doors: list[float], rng: np.random.Generator
) -> None:
    """Add a whole front; a door stands at each of `doors`, metres along it."""
    bays = max(1, round(wall.length / house.bay))
    width = wall.length / bays
    for storey in range(house.storeys):
        low, high = storey * house.storey, (storey + 1) * house.storey
        material = house.base if storey == 0 else house.wall
        for bay in range(bays):
            left, right = bay * width, (bay + 1) * width
            if width < 1.9:
                _rectangle(quads, wall, (left, right, low, high), material)
                continue
            hole = _opening(house, (left, right), storey, doors)
            _pierced(quads, wall, (left, right, low, high), hole, material, house)
            _fill(quads, wall, hole, house, rng)
    top = house.storeys * house.storey
    _back(quads, wall, top + 0.4, house.base)
    _ledge(quads, wall, top, 0.16, 0.16, house.base)
    _ledge(quads, wall, top + 0.16, 0.24, 0.30, house.base)
    _ledge(quads, wall, house.storey - 0.14, 0.14, 0.10, house.base)
    _ledge(quads, wall, 0.0, 0.35, 0.03, house.base)
    if house.roof is not None:
        slope = -wall.front * 4.5 + UP * 2.6
        quads.add(wall.at(0.0, top + 0.38, -0.35), wall.along * wall.length, slope, house.roof)
    _pipes(quads, wall, house, top)


def add_ends(quads: Quads, wall: Wall, house: House, *, left: bool, right: bool) -> None:
    """The sides of a house whose ends are seen, and its flat top."""
    top = house.storeys * house.storey + 0.4
    back = -wall.front * DEEP
    if left:
        quads.add(wall.at(0.0, 0.0, DEEP), -back, UP * top, house.wall)
    if right:
        quads.add(wall.at(wall.length, 0.0), back, UP * top, house.wall)
    quads.add(wall.at(0.0, top), wall.along * wall.length, back, house.base)


def _opening(house: House, bay: tuple[float, float], storey: int, doors: list[float]) -> Opening:
    left, right = bay
    middle, low = (left + right) / 2, storey * house.storey
    wide, high = house.window
    wide = min(wide, right - left - 0.5)
    if storey > 0:
        sill = 0.25 if house.balconies is not None else 0.85
        top = min(low + sill + high + (0.6 if sill < 0.5 else 0.0), low + house.storey - 0.35)
        return Opening(middle - wide / 2, middle + wide / 2, low + sill, top)
    if any(left <= door < right for door in doors):
        return Opening(middle - DOOR[0] / 2, middle + DOOR[0] / 2, 0.0, DOOR[1], is_door=True)
    if house.ground is Ground.SHOPS:
        return Opening(left + 0.22, right - 0.22, 0.42, 2.45, is_shop=True)
    if house.ground is Ground.GLASS:
        return Opening(left + 0.10, right - 0.10, 0.12, 2.75)
    return Opening(middle - wide / 2, middle + wide / 2, 0.95, 0.95 + high)


def _rectangle(
    quads: Quads, wall: Wall, box: tuple[float, float, float, float], material: Material
) -> None:
    left, right, low, high = box
    quads.add(
        wall.at(left, low), wall.along * (right - left), UP * (high - low), material, (left, low)
    )


def _pierced(
    quads: Quads,
    wall: Wall,
    box: tuple[float, float, float, float],
    hole: Opening,
    material: Material,
    house: House,
) -> None:
    """A part of a wall with a hole in it, and the hole's sides."""
    left, right, low, high = box
    for part in (
        (left, hole.left, low, high),
        (hole.right, right, low, high),
        (hole.left, hole.right, low, hole.bottom),
        (hole.left, hole.right, hole.top, high),
    ):
        _rectangle(quads, wall, part, material)
    width, height = hole.right - hole.left, hole.top - hole.bottom
    across, tall, deep = wall.along * width, UP * height, wall.front * RECESS
    quads.add(wall.at(hole.left, hole.bottom), across, -deep, house.base)
    quads.add(wall.at(hole.left, hole.top, RECESS), across, deep, material)
    quads.add(wall.at(hole.left, hole.bottom), -deep, tall, material)
    quads.add(wall.at(hole.right, hole.bottom, RECESS), deep, tall, material)


def _fill(quads: Quads, wall: Wall, hole: Opening, house: House, rng: np.random.Generator) -> None:
    """What stands in a hole, and around it."""
    width, height = hole.right - hole.left, hole.top - hole.bottom
    inner = wall.at(hole.left, hole.bottom, RECESS)
    across, tall = wall.along * width, UP * height
    number = int(rng.integers(0, 1 << 16))
    if hole.is_door:
        quads.show(inner, across, tall, house.door, cell(number, *HALLS))
    elif hole.is_shop:
        quads.show(inner, across, tall, house.shop, cell(number, *SHOPS))
        _shine(quads, wall, hole)
        _shop_trim(quads, wall, hole, house, number)
    elif house.ground is Ground.GLASS and hole.bottom < 0.5:
        for half in (0, 1):
            left, low, right, high = cell(number // 2 + half, *HALLS)
            hall = (left, low, right, high) if number % 2 else (right, low, left, high)
            quads.show(inner + half * across / 2, across / 2, tall, house.hall, hall)
        _shine(quads, wall, hole)
    else:
        glass = house.lit if number // 16 % LIT == 0 else house.glass
        quads.show(inner, across, tall, glass, cell(number, WINDOWS, WINDOWS))
    _frame(quads, wall, hole, house.frame)
    if hole.is_door or hole.is_shop:
        return
    if hole.bottom > house.storey and house.balconies is not None:
        _balcony(quads, wall, hole, house)
        return
    sill = wall.edges(width + 0.16, 0.09, 0.05)
    quads.closed_box(wall.at(hole.left - 0.08, hole.bottom - 0.05, -0.09), sill, house.base)
    if house.shutters is not None and hole.bottom > house.storey:
        for left in (hole.left - 0.56, hole.right + 0.06):
            leaf = wall.edges(0.5, 0.04, height)
            quads.closed_box(wall.at(left, hole.bottom, -0.04), leaf, house.shutters)


def _shine(quads: Quads, wall: Wall, hole: Opening) -> None:
    """The light that comes out of a large window at dusk."""
    middle = wall.at((hole.left + hole.right) / 2, (hole.bottom + hole.top) / 2)
    strength = SHINE * (hole.right - hole.left) * (hole.top - hole.bottom)
    quads.lamps.append(Lamp(middle, strength, wall.front))


def _shop_trim(quads: Quads, wall: Wall, hole: Opening, house: House, number: int) -> None:
    """A sign above a shop's window, and an awning before every other one."""
    width = hole.right - hole.left
    if house.signs is not None:
        board = wall.at(hole.left, hole.top + 0.06, -0.05)
        quads.show(board, wall.along * width, UP * 0.40, house.signs, cell(number, 1, SIGNS))
        quads.add(wall.at(hole.left, hole.top + 0.46, -0.05), wall.along * width,
                  -wall.front * 0.05, house.frame)  # fmt: skip
    if house.awning is not None and number % 3 != 0:
        high, low, out = AWNING
        down = wall.front * out - UP * (high - low)
        wide = wall.along * (width + 0.3)
        quads.add(wall.at(hole.left - 0.15, low, -out), wide, -down, house.awning)
        quads.add(wall.at(hole.left - 0.15, low - 0.2, -out), wide, UP * 0.2, house.awning)


def _balcony(quads: Quads, wall: Wall, hole: Opening, house: House) -> None:
    """A slab with a railing before a high window."""
    assert house.balconies is not None
    left, width, out = hole.left - 0.3, hole.right - hole.left + 0.6, 0.55
    slab = wall.edges(width, out, 0.14)
    quads.closed_box(wall.at(left, hole.bottom - 0.16, -out), slab, house.base)
    low = hole.bottom
    for across in np.linspace(0.02, width - 0.05, max(4, round(width / 0.16))):
        rod = wall.edges(0.025, 0.025, 0.95)
        quads.box(wall.at(left + float(across), low, -out + 0.02), rod, house.balconies)
    rail = wall.edges(width, 0.05, 0.05)
    quads.closed_box(wall.at(left, low + 0.95, -out), rail, house.balconies)
    for across in (left, left + width - 0.03):
        side = wall.edges(0.03, out, 0.05)
        quads.closed_box(wall.at(across, low + 0.95, -out), side, house.balconies)


def _frame(quads: Quads, wall: Wall, hole: Opening, material: Material) -> None:
    """Bars around a hole and through its middle."""
    thick = 0.06
    width, height = hole.right - hole.left, hole.top - hole.bottom
    depth = RECESS - 0.035
    uprights = [hole.left, hole.right - thick]
    if not hole.is_shop or width > 2.6:
        uprights.append((hole.left + hole.right - thick) / 2)
    for left in uprights:
        bar = wall.at(left, hole.bottom, depth)
        quads.add(bar, wall.along * thick, UP * height, material)
    levels = [hole.bottom, hole.top - thick]
    if not hole.is_shop:
        levels.append(hole.bottom + 0.72 * height)
    for low in levels:
        quads.add(wall.at(hole.left, low, depth), wall.along * width, UP * thick, material)


def _pipes(quads: Quads, wall: Wall, house: House, top: float) -> None:
    """A gutter's pipe down the wall, every 11 m or so."""
    count = int(wall.length // 11)
    for k in range(count):
        across = (k + 0.5) * wall.length / count
        bay = wall.length / max(1, round(wall.length / house.bay))
        across = round(across / bay) * bay  # between windows
        pipe = wall.edges(0.09, 0.08, top)
        quads.box(wall.at(across - 0.045, 0.0, -0.08), pipe, house.frame)


def _back(quads: Quads, wall: Wall, height: float, material: Material) -> None:
    """The top and the back of a wall, around its corners: no sun comes through the seams."""
    left = -THICK if wall.joined[0] else 0.0
    right = wall.length + (THICK if wall.joined[1] else 0.0)
    across = wall.along * (right - left)
    quads.add(wall.at(right, 0.0, THICK), -across, UP * height, material)
    quads.add(wall.at(left, height), across, -wall.front * THICK, material)


def _ledge(
    quads: Quads, wall: Wall, low: float, height: float, out: float, material: Material
) -> None:
    corner, edges = wall.at(0.0, low, -out), wall.edges(wall.length, out, height)
    if low > 2.0:
        quads.closed_box(corner, edges, material)
    else:
        quads.box(corner, edges, material)
