"""What stands in streets: benches, lamps, bins, planters, bicycles, shelters, columns."""

from dataclasses import dataclass

import numpy as np

from paseo.camera.meshes import Material, Surface
from paseo.camera.places.paint.panes import POSTERS, cell
from paseo.camera.places.paint.stones import plain
from paseo.camera.places.parts.lines import UP, Wall, line
from paseo.camera.places.parts.quads import Part, Quads
from paseo.camera.places.parts.trees import Sprays, limb, plant, shrub
from paseo.camera.scene import Lamp
from paseo.world.arrays import FloatArray

STREET_LAMP, WALL_LAMP = 5.0, 1.8  # how strong they are


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stuff:
    """What furniture is made of."""

    wood: Material
    metal: Material
    stone: Material
    soil: Material
    lamp: Material
    glass: Material
    poster: Material
    leaves: Sprays
    tyre: Material


def bench(quads: Quads, at: Wall, stuff: Stuff) -> None:
    """A bench 1.7 m long whose sitters look to the front; `at` is its left front leg."""
    for board in range(4):
        plank = at.edges(1.7, 0.095, 0.035)
        quads.closed_box(at.at(0.0, 0.43, 0.02 + 0.11 * board), plank, stuff.wood)
    for board in range(3):
        up, depth = 0.56 + 0.12 * board, 0.46 + 0.03 * board
        quads.closed_box(at.at(0.0, up, depth), at.edges(1.7, 0.03, 0.095), stuff.wood)
    for across in (0.18, 1.46):
        quads.box(at.at(across, 0.0, 0.04), at.edges(0.06, 0.06, 0.43), stuff.metal)
        quads.box(at.at(across, 0.0, 0.42), at.edges(0.06, 0.06, 0.9), stuff.metal)
        quads.closed_box(at.at(across, 0.38, 0.04), at.edges(0.06, 0.42, 0.05), stuff.metal)


def lamp(quads: Quads, foot: FloatArray, stuff: Stuff, *, height: float = 4.2) -> None:
    """A street lamp with a round head."""
    quads.put(limb(foot, foot + UP * 0.5, 0.10, 0.075, 10, stuff.metal))
    quads.put(limb(foot + UP * 0.5, foot + UP * height, 0.055, 0.04, 8, stuff.metal))
    head = foot + UP * height
    quads.lamps.append(Lamp(head, STREET_LAMP))
    quads.put(limb(head, head + UP * 0.32, 0.07, 0.19, 10, stuff.lamp))
    quads.put(limb(head + UP * 0.32, head + UP * 0.42, 0.23, 0.05, 10, stuff.metal))


def bin_(quads: Quads, foot: FloatArray, stuff: Stuff) -> None:
    """A litter bin."""
    quads.put(limb(foot, foot + UP * 0.82, 0.20, 0.24, 12, stuff.metal))
    quads.put(limb(foot + UP * 0.82, foot + UP * 0.93, 0.255, 0.17, 12, stuff.metal))
    quads.put(_disc(foot + UP * 0.93, 0.17, stuff.soil))


def planter(
    quads: Quads, at: Wall, stuff: Stuff, *, rng: np.random.Generator, long: float = 1.3
) -> None:
    """A trough with shrubs in it; `at` is its left front corner."""
    quads.box(at.at(0.0, 0.0), at.edges(long, 0.6, 0.5), stuff.stone)
    quads.closed_box(at.at(-0.03, 0.5, -0.03), at.edges(long + 0.06, 0.09, 0.05), stuff.stone)
    quads.add(at.at(0.05, 0.501, 0.05), at.along * (long - 0.1), -at.front * 0.5, stuff.soil)
    for across in np.arange(0.3, long, 0.42):
        middle = at.at(float(across), 0.42, 0.3)
        green = shrub(0.62, float(rng.uniform(0.55, 0.85)), stuff.leaves, rng)
        plant(quads, green, middle, turn=float(rng.uniform(0, 6)), scale=1.0)


def bicycle(quads: Quads, at: Wall, stuff: Stuff, frame: Material) -> None:
    """A bicycle that leans on nothing, as in a stand; its hind wheel is at `at`."""
    hind, fore = at.at(0.0, 0.34), at.at(1.02, 0.34)
    pedals, saddle, bars = at.at(0.42, 0.30), at.at(0.28, 0.92), at.at(0.86, 0.98)
    neck = at.at(0.84, 0.78)
    for hub in (hind, fore):
        quads.put(_ring(hub, at.along, 0.33, 0.022, stuff.tyre))
        for angle in np.linspace(0, np.pi, 5)[:-1]:
            way = 0.32 * (np.cos(angle) * at.along + np.sin(angle) * UP)
            quads.put(limb(hub - way, hub + way, 0.004, 0.004, 3, stuff.metal))
    tubes = ((hind, pedals), (pedals, saddle), (pedals, neck), (saddle, neck), (saddle, hind),
             (neck, fore), (neck, bars))  # fmt: skip
    for start, end in tubes:
        quads.put(limb(start, end, 0.017, 0.017, 6, frame))
    quads.put(limb(bars - 0.26 * at.front, bars + 0.26 * at.front, 0.014, 0.014, 6, stuff.metal))
    seat = at.edges(0.26, 0.13, 0.06)
    quads.closed_box(saddle - 0.12 * at.along + 0.065 * at.front, seat, stuff.tyre)


def bicycle_stand(
    quads: Quads, at: Wall, stuff: Stuff, *, count: int, rng: np.random.Generator
) -> None:
    """Hoops across the line, with bicycles at some of them."""
    for k in range(count):
        foot = at.at(0.75 * k, 0.0, 0.5)
        back = -at.front * 0.7
        for start, end in (
            (foot, foot + UP * 0.75),
            (foot + UP * 0.75, foot + back + UP * 0.75),
            (foot + back + UP * 0.75, foot + back),
        ):
            quads.put(limb(start, end, 0.024, 0.024, 6, stuff.metal))
        if rng.random() < 0.7:
            red, green, blue = (rng.uniform(0.02, 0.3, 3)).tolist()
            paint = plain("bicycle", Surface.METAL, (red, green, blue))
            heading = float(np.arctan2(-at.front[1], -at.front[0]))
            spot = at.at(0.75 * k + 0.10, 0.0, 0.35)
            bicycle(quads, line(float(spot[0]), float(spot[1]), heading), stuff, paint)


def column(quads: Quads, middle: FloatArray, stuff: Stuff, *, radius: float, height: float) -> None:
    """A round column with posters, under a small roof."""
    sides = 16
    quads.put(limb(middle, middle + UP * 0.35, 1.06 * radius, 1.04 * radius, sides, stuff.stone))
    around = limb(middle + UP * 0.35, middle + UP * height, radius, radius, sides, stuff.poster)
    turns = np.tile(np.linspace(0, 1, sides + 1), 2)
    ups = np.repeat([0.0, 1.0], sides + 1)
    uv = np.stack([turns, ups], axis=1)
    quads.put(Part(around.points, around.triangles, uv, around.normals, stuff.poster))
    top = middle + UP * height
    quads.put(limb(top, top + UP * 0.18, 1.12 * radius, 1.12 * radius, sides, stuff.metal))
    quads.put(limb(top + UP * 0.18, top + UP * 0.55, 1.12 * radius, 0.05, sides, stuff.metal))


def shelter(quads: Quads, at: Wall, stuff: Stuff, *, rng: np.random.Generator) -> None:
    """A stop's shelter, 4.2 m long, open to the front; `at` is its left front corner."""
    long, deep, high = 4.2, 1.5, 2.45
    for across in (0.0, long / 2, long):
        for depth in (0.1, deep):
            foot = at.at(across, 0.0, depth)
            quads.put(limb(foot, foot + UP * high, 0.035, 0.035, 8, stuff.metal))
    quads.closed_box(at.at(-0.2, high, -0.15), at.edges(long + 0.4, deep + 0.3, 0.10), stuff.metal)
    for across in (0.08, long / 2 + 0.08):
        pane = at.at(across, 0.25, deep)
        quads.add(pane, at.along * (long / 2 - 0.16), UP * 0.9, stuff.glass)
        quads.add(
            pane + at.along * (long / 2 - 0.16), at.along * (0.16 - long / 2), UP * 0.9, stuff.glass
        )
    board = at.at(long + 0.01, 0.5, 0.3)
    number = int(rng.integers(0, 4))
    spread = cell(number, POSTERS, POSTERS)
    quads.show(board, -at.front * 1.0, UP * 1.6, stuff.poster, spread)
    quads.show(board - at.front, at.front * 1.0, UP * 1.6, stuff.poster, spread)
    bench(quads, at.piece(0.6, 2.4), stuff)


def wall_lamp(quads: Quads, wall: Wall, across: float, stuff: Stuff) -> None:
    """A lamp on an arm, above heads."""
    root = wall.at(across, 2.75)
    arm = root + wall.front * 0.4
    quads.lamps.append(Lamp(arm, WALL_LAMP))
    quads.put(limb(root, arm, 0.018, 0.018, 6, stuff.metal))
    quads.put(limb(arm - UP * 0.30, arm - UP * 0.02, 0.10, 0.14, 8, stuff.lamp))
    quads.put(limb(arm - UP * 0.02, arm + UP * 0.07, 0.16, 0.03, 8, stuff.metal))


def _disc(middle: FloatArray, radius: float, material: Material) -> Part:
    angles = np.linspace(0, 2 * np.pi, 13)[:-1]
    flat = np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1)
    points = middle + radius * flat
    triangles = np.array([[0, k, k + 1] for k in range(1, 11)])
    return Part(points, triangles, flat[:, :2], np.tile(UP, (12, 1)), material)


def _ring(
    middle: FloatArray, along: FloatArray, radius: float, thick: float, material: Material
) -> Part:
    """An upright ring of a square profile."""
    angles = np.linspace(0, 2 * np.pi, 17)
    spoke = np.cos(angles)[:, None] * along + np.sin(angles)[:, None] * UP
    aside = np.cross(along, UP)
    corners = [
        middle + (radius + a * thick) * spoke + b * thick * aside
        for a, b in ((1, -1), (1, 1), (-1, 1), (-1, -1), (1, -1))
    ]
    points = np.concatenate(corners)
    count = len(angles)
    triangles = []
    for row in range(4):
        for k in range(count - 1):
            a, b = row * count + k, (row + 1) * count + k
            triangles += [[a, a + 1, b + 1], [a, b + 1, b]]
    outward = np.concatenate([spoke, spoke, -spoke, -spoke, spoke])
    return Part(points, np.array(triangles), np.zeros((len(points), 2)), outward, material)
