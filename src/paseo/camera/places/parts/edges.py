"""Edges that are no houses: kerbs, low walls, hedges, railings, rows of bollards.

All of it stands behind the line of the floor plan, where nobody walks.
"""

import numpy as np

from paseo.camera.meshes import Material
from paseo.camera.places.parts.lines import UP, Wall
from paseo.camera.places.parts.quads import Quads
from paseo.camera.places.parts.trees import Sprays, cards, limb

KERB = (0.25, 0.12)  # metres deep and high


def kerb(quads: Quads, wall: Wall, stone: Material, *, high: float = KERB[1]) -> None:
    """A row of kerbstones."""
    _run(quads, wall, (0.0, KERB[0]), (0.0, high), stone)


def low_wall(
    quads: Quads, wall: Wall, stone: Material, cap: Material, *, high: float = 0.55
) -> None:
    """A wall to sit on, with a coping."""
    _run(quads, wall, (0.03, 0.42), (0.0, high), stone)
    _run(quads, wall, (0.0, 0.45), (high, high + 0.07), cap)


def hedge(
    quads: Quads,
    wall: Wall,
    green: Material,
    leaves: Sprays,
    *,
    rng: np.random.Generator,
    high: float = 1.0,
) -> None:
    """A clipped hedge, with leaves that stand out of it."""
    deep = (0.12, 0.75)
    _run(quads, wall, deep, (0.0, high), green)
    count = int(wall.length * 26)
    across = rng.uniform(0, wall.length, count)
    along_top = rng.random(count) < 0.6
    up = np.where(along_top, high - 0.02, rng.uniform(0.08, high, count))
    depth = np.where(along_top, rng.uniform(deep[0] + 0.06, deep[1], count), deep[0] + 0.07)
    at = wall.start + np.outer(across, wall.along) + np.outer(up, UP) - np.outer(depth, wall.front)
    normals = np.where(along_top[:, None], UP + 0.4 * wall.front, wall.front + 0.4 * UP)
    sizes = np.where(along_top, rng.uniform(0.16, 0.34, count), 0.26)
    if count:
        quads.put(cards(at, normals, sizes, leaves[0], rng))


def railing(quads: Quads, wall: Wall, metal: Material, stone: Material) -> None:
    """Kerbstones with a railing on them."""
    kerb(quads, wall, stone)
    posts = max(2, round(wall.length / 1.5) + 1)
    for across in np.linspace(0.06, wall.length - 0.06, posts):
        foot = wall.at(float(across), KERB[1] - 0.02, 0.14)
        quads.put(limb(foot, foot + UP * 0.98, 0.024, 0.024, 6, metal))
    for up in (0.45, 0.75, 1.06):
        start, end = wall.at(0.02, up, 0.14), wall.at(wall.length - 0.02, up, 0.14)
        quads.put(limb(start, end, 0.018, 0.018, 6, metal))


def bollards(quads: Quads, wall: Wall, metal: Material, stone: Material) -> None:
    """A flat kerb with bollards on it."""
    kerb(quads, wall, stone, high=0.10)
    count = max(2, round(wall.length / 1.6))
    for k in range(count):
        bollard(quads, wall.at((k + 0.5) * wall.length / count, 0.08, 0.14), metal)


def bollard(quads: Quads, foot: np.ndarray, metal: Material) -> None:
    """A post with a round head."""
    quads.put(limb(foot, foot + UP * 0.82, 0.06, 0.055, 10, metal))
    quads.put(limb(foot + UP * 0.82, foot + UP * 0.90, 0.075, 0.02, 10, metal))
    quads.put(limb(foot + UP * 0.60, foot + UP * 0.66, 0.068, 0.066, 10, metal))


def _run(
    quads: Quads,
    wall: Wall,
    deep: tuple[float, float],
    high: tuple[float, float],
    material: Material,
) -> None:
    """A long box behind the line, around the corners where what is behind goes on."""
    left = -deep[1] if wall.joined[0] else 0.0
    right = wall.length + (deep[1] if wall.joined[1] else 0.0)
    corner = wall.at(left, high[0], deep[0])
    quads.box(corner, wall.edges(right - left, deep[1] - deep[0], high[1] - high[0]), material)
