"""Surfaces that repeat without a seam, painted by noise: brick, plaster, stone, tiles, asphalt."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from paseo.camera.meshes import ByteArray, Material, Surface
from paseo.world.arrays import FloatArray

SIZE = 512  # texels along each side


def noise(seed: int, roughness: float) -> FloatArray:
    """Clouds, (SIZE, SIZE), of deviation 1; the rougher, the less of them is fine."""
    rng = np.random.default_rng(seed)
    waves = np.fft.fftfreq(SIZE) * SIZE
    steep = np.maximum(np.hypot(waves[:, None], waves[None, :]), 1.5) ** -roughness
    field = np.fft.ifft2(np.fft.fft2(rng.standard_normal((SIZE, SIZE))) * steep).real
    clouds: FloatArray = (field - field.mean()) / field.std()
    return clouds


def laid(
    rows: int, columns: int, *, joint: float, shifted: bool, seed: int
) -> tuple[FloatArray, FloatArray]:
    """Bricks or tiles: a value for each, -1 to 1, and how far a texel is from a joint, 0 to 1.

    A `joint` is as wide as its share of a brick's height.
    """
    v, u = np.mgrid[:SIZE, :SIZE] / SIZE
    row = np.floor(v * rows).astype(int)
    across = u * columns + (0.5 * (row % 2) if shifted else 0.0)
    column = np.floor(across).astype(int) % columns
    each = np.random.default_rng(seed).uniform(-1, 1, (rows, columns))[row, column]
    squat = rows / columns  # how many times longer than high a brick is
    side = np.minimum(across % 1, 1 - across % 1) * squat
    end = np.minimum(v * rows % 1, 1 - v * rows % 1)
    inside: FloatArray = np.clip(np.minimum(side, end) / joint - 0.5, 0, 1)
    return each, inside


def painted(colour: tuple[float, float, float], light: FloatArray) -> ByteArray:
    """A texture of one colour, sRGB 0 to 1, that is lighter and darker here and there."""
    rgb = np.clip(np.array(colour) * light[..., None], 0, 1)
    whole = np.concatenate([rgb, np.ones((*light.shape, 1))], axis=2)
    return np.round(whole * 255).astype(np.uint8)


def heights(field: FloatArray) -> NDArray[np.uint8]:
    """A field from its lowest to its highest as bumps."""
    low, high = field.min(), field.max()
    return np.round((field - low) / max(high - low, 1e-9) * 255).astype(np.uint8)


@cache
def brick(colour: tuple[float, float, float], seed: int) -> Material:
    """A wall of bricks in stretcher bond, 1.4 m to the tile."""
    each, inside = laid(18, 6, joint=0.13, shifted=True, seed=seed)
    grain = noise(seed + 1, 1.0)
    texture = painted(colour, 1 + 0.17 * each + 0.06 * grain)
    mortar = painted((0.66, 0.63, 0.59), 1 + 0.05 * grain)
    mixed = np.where(inside[..., None] > 0.5, texture, mortar)
    bump = heights(2.0 * inside + 0.15 * grain)
    return _material("brick", Surface.WALL, mixed, bump, tile_m=1.4, bump_m=0.012)


@cache
def plaster(colour: tuple[float, float, float], seed: int) -> Material:
    """A rendered wall, weathered a little, 4 m to the tile."""
    grain, stains = noise(seed, 0.6), noise(seed + 1, 1.9)
    texture = painted(colour, 1 + 0.035 * grain + 0.05 * stains)
    return _material("plaster", Surface.WALL, texture, heights(grain), tile_m=4.0, bump_m=0.006)


@cache
def slabs(colour: tuple[float, float, float], seed: int, *, rows: int, tile_m: float) -> Material:
    """A floor of slabs, twice as many rows as columns, with dark joints and some dirt."""
    each, inside = laid(rows, rows // 2, joint=0.035, shifted=True, seed=seed)
    grain, dirt = noise(seed + 1, 0.7), noise(seed + 2, 1.8)
    light = (1 + 0.09 * each + 0.045 * grain + 0.05 * dirt) * (0.62 + 0.38 * inside)
    bump = heights(1.5 * inside + 0.12 * grain + 0.08 * each)
    texture = painted(colour, light)
    return _material("slabs", Surface.FLOOR, texture, bump, tile_m=tile_m, bump_m=0.008)


@cache
def asphalt(colour: tuple[float, float, float], seed: int) -> Material:
    """A floor of asphalt or gravel, 2.5 m to the tile."""
    grain, patches = noise(seed, 0.25), noise(seed + 1, 1.9)
    texture = painted(colour, 1 + 0.16 * grain + 0.07 * patches)
    return _material("asphalt", Surface.FLOOR, texture, heights(grain), tile_m=2.5, bump_m=0.006)


def _material(
    name: str,
    surface: Surface,
    texture: ByteArray,
    bump: ByteArray,
    *,
    tile_m: float,
    bump_m: float,
) -> Material:
    return Material(
        name=name, surface=surface, texture=texture, bump=bump, tile_m=tile_m, bump_m=bump_m
    )
