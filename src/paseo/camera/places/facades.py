"""Walls with windows, shops and doors in them."""

from dataclasses import dataclass

import numpy as np

from paseo.camera.places.quads import Quads
from paseo.world.arrays import FloatArray

UP = np.array([0.0, 0.0, 1.0])
BAY, STOREY = 2.7, 3.1  # metres, about
DOOR = (1.7, 2.5)
RECESS = 0.16
THICK = 0.30


@dataclass(frozen=True, slots=True, eq=False)
class Wall:
    """A wall as seen from where one walks: its left end, the way along it, its front."""

    start: FloatArray  # (3,), on the ground
    along: FloatArray  # (3,), unit length
    front: FloatArray  # (3,), unit length
    length: float
    joined: tuple[bool, bool] = (False, False)  # whether the house goes on beyond its ends

    def at(self, across: float, up: float, depth: float = 0.0) -> FloatArray:
        """A point so far along, so high, and so deep in the wall."""
        return self.start + self.along * across + UP * up - self.front * depth


@dataclass(frozen=True, slots=True)
class Opening:
    """A hole in a wall: a window, a shop's front or a door."""

    left: float
    right: float
    bottom: float
    top: float
    is_door: bool = False


@dataclass(frozen=True, slots=True)
class Palette:
    """Places of a facade's materials."""

    wall: int
    base: int
    frame: int
    glass: int
    door: int


def add_facade(
    quads: Quads, wall: Wall, palette: Palette, *, storeys: int, doors: list[float]
) -> None:
    """Add a whole facade; a door stands at each of `doors`, metres along it."""
    bays = max(1, round(wall.length / BAY))
    width = wall.length / bays
    for storey in range(storeys):
        low, high = storey * STOREY, (storey + 1) * STOREY
        material = palette.base if storey == 0 else palette.wall
        for bay in range(bays):
            left, right = bay * width, (bay + 1) * width
            opening = _opening(left, right, low, doors) if width > 1.9 else None
            if opening is None:
                _rectangle(quads, wall, (left, right, low, high), material)
            else:
                _pierced(quads, wall, (left, right, low, high), opening, material, palette)
    _back(quads, wall, storeys * STOREY + 0.35, palette.base)
    _ledge(quads, wall, storeys * STOREY, 0.35, 0.22, palette.base)
    _ledge(quads, wall, STOREY - 0.1, 0.12, 0.10, palette.base)
    _ledge(quads, wall, 0.0, 0.30, 0.04, palette.base)


def _opening(left: float, right: float, low: float, doors: list[float]) -> Opening:
    middle = (left + right) / 2
    if low > 0:
        return Opening(middle - 0.62, middle + 0.62, low + 0.85, low + 2.45)
    if any(left <= door < right for door in doors):
        return Opening(middle - DOOR[0] / 2, middle + DOOR[0] / 2, 0.0, DOOR[1], is_door=True)
    return Opening(left + 0.35, right - 0.35, 0.55, 2.65)


def _rectangle(
    quads: Quads, wall: Wall, box: tuple[float, float, float, float], material: int
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
    material: int,
    palette: Palette,
) -> None:
    """A part of a wall with a hole in it, and what stands in the hole."""
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
    inner = wall.at(hole.left, hole.bottom, RECESS)
    quads.add(wall.at(hole.left, hole.bottom), across, -deep, palette.base)
    quads.add(wall.at(hole.left, hole.top, RECESS), across, deep, material)
    quads.add(wall.at(hole.left, hole.bottom), -deep, tall, material)
    quads.add(wall.at(hole.right, hole.bottom, RECESS), deep, tall, material)
    quads.add(inner, across, tall, palette.door if hole.is_door else palette.glass)
    _frame(quads, wall, hole, palette.frame)
    if not hole.is_door:
        sill = np.stack([wall.along * (width + 0.16), -wall.front * 0.10, UP * 0.05])
        corner = wall.at(hole.left - 0.08, hole.bottom - 0.05, -0.10)
        quads.box(corner, sill, palette.base)


def _frame(quads: Quads, wall: Wall, hole: Opening, material: int) -> None:
    """Bars around a hole and through its middle."""
    thick = 0.06
    width, height = hole.right - hole.left, hole.top - hole.bottom
    depth = RECESS - 0.03
    uprights = [hole.left, hole.right - thick, (hole.left + hole.right - thick) / 2]
    if width > 2.0:
        uprights += [hole.left + width / 4, hole.right - width / 4]
    for left in uprights:
        quads.add(wall.at(left, hole.bottom, depth), wall.along * thick, UP * height, material)
    levels = [hole.bottom, hole.top - thick, hole.bottom + 0.72 * height]
    for low in levels:
        quads.add(wall.at(hole.left, low, depth), wall.along * width, UP * thick, material)


def _back(quads: Quads, wall: Wall, height: float, material: int) -> None:
    """The top and the back of a wall, around its corners: no sun comes through the seams."""
    left = -THICK if wall.joined[0] else 0.0
    right = wall.length + (THICK if wall.joined[1] else 0.0)
    across = wall.along * (right - left)
    quads.add(wall.at(right, 0.0, THICK), -across, UP * height, material)
    quads.add(wall.at(left, height), across, -wall.front * THICK, material)


def _ledge(quads: Quads, wall: Wall, low: float, height: float, out: float, material: int) -> None:
    edges = np.stack([wall.along * wall.length, -wall.front * out, UP * height])
    quads.box(wall.at(0.0, low, -out), edges, material)
