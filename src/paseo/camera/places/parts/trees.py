"""Trees, shrubs and hedges, with leaves that let light and sight through."""

from dataclasses import dataclass

import numpy as np

from paseo.camera.meshes import Material
from paseo.camera.places.paint.leaves import CELLS
from paseo.camera.places.parts.quads import Part, Quads
from paseo.world.arrays import FloatArray

CLUMPS = 15
Sprays = tuple[Material, Material, Material]  # of the outside, between, of the inside


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """How a tree is shaped, in metres."""

    height: float = 7.0
    crown: float = 2.4  # its radius
    trunk: float = 0.16  # its radius at the ground
    slender: float = 1.0  # how many times higher than wide the crown is
    cards: int = 300  # sprays of leaves


def grown(growth: Growth, leaves: Sprays, bark: Material, rng: np.random.Generator) -> list[Part]:
    """A tree at the origin."""
    middle = np.array([0.0, 0.0, growth.height - growth.crown * growth.slender])
    stretch = np.array([1.0, 1.0, growth.slender]) * growth.crown
    ways = rng.standard_normal((CLUMPS, 3))
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    ways[:, 2] = np.maximum(ways[:, 2], -0.45)
    clumps = middle + stretch * ways * rng.uniform(0.35, 0.72, (CLUMPS, 1))
    fork = np.array([*rng.uniform(-0.12, 0.12, 2), max(middle[2] - 0.55 * stretch[2], 1.7)])
    stems = [limb(np.zeros(3), fork, growth.trunk, 0.62 * growth.trunk, 8, bark)]
    for clump in clumps[:8]:
        stems.append(limb(fork, clump, 0.45 * growth.trunk, 0.012, 4, bark))
    return [*stems, *_foliage(middle, stretch, clumps, growth, leaves, rng)]


def shrub(width: float, height: float, leaves: Sprays, rng: np.random.Generator) -> list[Part]:
    """Leaves from the ground up, at the origin."""
    growth = Growth(height=height, crown=width / 2, slender=height / width, cards=36)
    middle = np.array([0.0, 0.0, height / 2])
    stretch = np.array([width / 2, width / 2, height / 2])
    clumps = middle + stretch * rng.uniform(-0.5, 0.5, (5, 3))
    return _foliage(middle, stretch, clumps, growth, leaves, rng)


def limb(
    start: FloatArray, end: FloatArray, thick: float, thin: float, sides: int, bark: Material
) -> Part:
    """A round stem from a point to another, thinner at its end."""
    way = (end - start) / np.linalg.norm(end - start)
    right = np.cross(way, [1.0, 0.0, 0.0] if abs(way[0]) < 0.8 else [0.0, 1.0, 0.0])
    right /= np.linalg.norm(right)
    angles = np.linspace(0, 2 * np.pi, sides + 1)
    rim = np.cos(angles)[:, None] * right + np.sin(angles)[:, None] * np.cross(way, right)
    points = np.concatenate([start + thick * rim, end + thin * rim])
    low = np.arange(sides)
    high = low + sides + 1
    triangles = np.concatenate(
        [np.stack([low, low + 1, high + 1], axis=1), np.stack([low, high + 1, high], axis=1)]
    )
    around = max(round(2 * np.pi * thick / bark.tile_m), 1) * angles / (2 * np.pi)
    along = float(np.linalg.norm(end - start)) / bark.tile_m
    uv = np.concatenate(
        [np.stack([around, 0 * around], axis=1), np.stack([around, along + 0 * around], axis=1)]
    )
    return Part(points, triangles, uv, np.concatenate([rim, rim]), bark)


def _foliage(
    middle: FloatArray,
    stretch: FloatArray,
    clumps: FloatArray,
    growth: Growth,
    leaves: Sprays,
    rng: np.random.Generator,
) -> list[Part]:
    """Sprays of leaves around clumps; those inside the crown are darker."""
    count = growth.cards
    own = clumps[np.arange(count) % len(clumps)]
    off = rng.standard_normal((count, 3))
    off /= np.linalg.norm(off, axis=1, keepdims=True)
    size = 0.46 * growth.crown
    at = own + off * size * rng.uniform(0.25, 1.05, (count, 1)) * stretch / stretch.max()
    at[:, 2] = np.maximum(at[:, 2], 0.12 * size)
    outward = (at - middle) / stretch
    depth = np.linalg.norm(outward, axis=1)
    lit = depth + 0.25 * outward[:, 2] + rng.uniform(-0.1, 0.1, count)
    normals = outward / np.maximum(depth, 1e-6)[:, None] + 0.5 * off + [0.0, 0.0, 0.35]
    wide = size * rng.uniform(0.75, 1.15, count)
    bounds = (np.inf, 0.78, 0.5, -np.inf)
    parts = []
    for place, material in enumerate(leaves):
        these = (lit < bounds[place]) & (lit >= bounds[place + 1])
        if these.any():
            parts.append(cards(at[these], normals[these], wide[these], material, rng))
    return parts


def cards(
    at: FloatArray,
    normals: FloatArray,
    sizes: FloatArray,
    material: Material,
    rng: np.random.Generator,
) -> Part:
    """Squares around points that show a spray each, turned at random; their light is given."""
    count = len(at)
    face = rng.standard_normal((count, 3)) + 0.6 * normals
    face[:, 2] += 1.4 * (normals[:, 2] < 0.15)  # those below lie flat: none hangs like a string
    face /= np.linalg.norm(face, axis=1, keepdims=True)
    right = np.cross(face, rng.standard_normal((count, 3)))
    right /= np.linalg.norm(right, axis=1, keepdims=True)
    half = sizes[:, None] / 2
    a, b = right * half, np.cross(face, right) * half
    points = np.stack([at - a - b, at + a - b, at + a + b, at - a + b], axis=1).reshape(-1, 3)
    first = 4 * np.arange(count)[:, None]
    triangles = np.concatenate([first + [0, 1, 2], first + [0, 2, 3]], axis=1).reshape(-1, 3)
    corner = rng.integers(0, CELLS, (count, 1, 2)) / CELLS
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) / CELLS
    unit = normals / np.linalg.norm(normals, axis=1, keepdims=True)
    return Part(
        points, triangles, (corner + square).reshape(-1, 2), np.repeat(unit, 4, axis=0), material
    )


def plant(quads: Quads, parts: list[Part], at: FloatArray, *, turn: float, scale: float) -> None:
    """Put a tree somewhere."""
    for part in parts:
        quads.put(part.moved(at, turn=turn, scale=scale))
