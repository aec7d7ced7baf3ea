"""Surfaces that repeat without a seam, painted by noise: brick, plaster, stone, asphalt, grass."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from paseo.camera.meshes import ByteArray, Colour, Material, Surface
from paseo.world.arrays import FloatArray

SIZE = 512  # texels along each side
MORTAR = (0.66, 0.63, 0.59)


def noise(seed: int, roughness: float) -> FloatArray:
    """Clouds, (SIZE, SIZE), of deviation 1; the rougher, the less of them is fine.

    Seeds of one roughness are the same clouds, seen from elsewhere: paint is to be cheap.
    """
    down, right = np.random.default_rng(seed).integers(0, SIZE, 2).tolist()
    shifted: FloatArray = np.roll(_clouds(roughness), (down, right), axis=(0, 1))
    return shifted


@cache
def _clouds(roughness: float) -> FloatArray:
    rng = np.random.default_rng(round(100 * roughness))
    down, across = np.fft.fftfreq(SIZE) * SIZE, np.fft.rfftfreq(SIZE) * SIZE
    steep = np.maximum(np.hypot(down[:, None], across[None, :]), 1.5) ** -roughness
    white = rng.standard_normal((SIZE, SIZE), dtype=np.float32)
    field = np.fft.irfft2(np.fft.rfft2(white) * steep.astype(np.float32)).astype(np.float32)
    clouds: FloatArray = (field - field.mean()) / field.std()
    return clouds


def laid(
    rows: int, columns: int, *, joint: float, shifted: bool, seed: int
) -> tuple[FloatArray, FloatArray]:
    """Bricks or tiles: a value for each, -1 to 1, and how far a texel is from a joint, 0 to 1.

    A `joint` is as wide as its share of a brick's height.
    """
    v, u = (each.astype(np.float32) / np.float32(SIZE) for each in np.ogrid[:SIZE, :SIZE])
    row = np.floor(v * rows).astype(np.int32)
    half = (row % 2).astype(np.float32) / 2 if shifted else np.float32(0)
    across = u * np.float32(columns) + half
    column = np.floor(across).astype(np.int32) % columns
    values = np.random.default_rng(seed).uniform(-1, 1, (rows, columns)).astype(np.float32)
    each = values[row, column]
    squat = rows / columns  # how many times longer than high a brick is
    side = np.minimum(across % 1, 1 - across % 1) * squat
    end = np.minimum(v * rows % 1, 1 - v * rows % 1)
    inside: FloatArray = np.clip(np.minimum(side, end) / joint - 0.5, 0, 1)
    return each, inside


def painted(colour: Colour, light: FloatArray) -> ByteArray:
    """A texture of one colour, sRGB 0 to 1, that is lighter and darker here and there."""
    texture = np.full((*light.shape, 4), 255, np.uint8)
    bright = 255 * np.asarray(light, np.float32)
    for channel, value in enumerate(colour):
        texture[..., channel] = np.clip(value * bright + 0.5, 0, 255)
    return texture


def heights(field: FloatArray) -> NDArray[np.uint8]:
    """A field from its lowest to its highest as bumps."""
    low, high = float(field.min()), float(field.max())
    scale = np.float32(255 / max(high - low, 1e-9))
    return (np.asarray(field - low, np.float32) * scale + np.float32(0.5)).astype(np.uint8)


@cache
def brick(colour: Colour, seed: int) -> Material:
    """A wall of bricks in stretcher bond, 1.4 m to the tile."""
    each, inside = laid(18, 6, joint=0.13, shifted=True, seed=seed)
    grain, stains = noise(seed + 1, 1.0), noise(seed + 2, 1.9)
    texture = painted(colour, 1 + 0.17 * each + 0.06 * grain + 0.05 * stains)
    mortar = painted(MORTAR, 1 + 0.05 * grain + 0.05 * stains)
    mixed = np.where(inside[..., None] > 0.5, texture, mortar)
    bump = heights(2.0 * inside + 0.15 * grain)
    return _material("brick", Surface.WALL, mixed, bump, tile_m=1.4, bump_m=0.012)


@cache
def plaster(colour: Colour, seed: int) -> Material:
    """A rendered wall, weathered a little, 4 m to the tile."""
    grain, stains = noise(seed, 0.7), noise(seed + 1, 1.9)
    texture = painted(colour, 1 + 0.03 * grain + 0.045 * stains)
    return _material("plaster", Surface.WALL, texture, heights(grain), tile_m=4.0, bump_m=0.004)


@cache
def concrete(colour: Colour, seed: int) -> Material:
    """Cast concrete in panels with the marks of boards and of rain, 4.8 m to the tile."""
    each, inside = laid(4, 2, joint=0.012, shifted=False, seed=seed)
    boards, board_joints = laid(32, 1, joint=0.12, shifted=False, seed=seed + 1)
    grain, stains = noise(seed, 0.7), noise(seed + 2, 1.9)
    running = np.roll(stains, SIZE // 3, axis=1)[:1].repeat(SIZE, axis=0)  # rain runs down
    light = 1 + 0.03 * each + 0.02 * boards + 0.03 * grain + 0.06 * stains + 0.025 * running
    bump = heights(3 * inside + 0.5 * board_joints + 0.15 * grain)
    texture = painted(colour, light * (0.72 + 0.28 * inside))
    return _material("concrete", Surface.WALL, texture, bump, tile_m=4.8, bump_m=0.010)


@cache
def ashlar(colour: Colour, seed: int) -> Material:
    """Cut stone in courses, 2.4 m to the tile."""
    each, inside = laid(6, 3, joint=0.05, shifted=True, seed=seed)
    grain, stains = noise(seed + 1, 1.0), noise(seed + 2, 1.9)
    light = (1 + 0.07 * each + 0.05 * grain + 0.05 * stains) * (0.70 + 0.30 * inside)
    bump = heights(2.5 * inside + 0.2 * grain)
    return _material("ashlar", Surface.WALL, painted(colour, light), bump, tile_m=2.4, bump_m=0.015)


@cache
def slabs(colour: Colour, seed: int, *, rows: int, tile_m: float, square: bool = False) -> Material:
    """A floor of slabs, twice as long as wide or square, with dark joints and some dirt."""
    columns = rows if square else rows // 2
    each, inside = laid(rows, columns, joint=0.026, shifted=not square, seed=seed)
    grain, dirt = noise(seed + 1, 0.7), noise(seed + 2, 1.9)
    light = (1 + 0.085 * each + 0.05 * grain + 0.075 * dirt) * (0.74 + 0.26 * inside)
    bump = heights(1.5 * inside + 0.12 * grain + 0.08 * each)
    texture = painted(colour, light)
    return _material("slabs", Surface.FLOOR, texture, bump, tile_m=tile_m, bump_m=0.008)


@cache
def cobbles(colour: Colour, seed: int) -> Material:
    """A floor of small cut stones, 2 m to the tile."""
    each, inside = laid(18, 12, joint=0.16, shifted=True, seed=seed)
    grain, dirt = noise(seed + 1, 0.7), noise(seed + 2, 1.9)
    light = (1 + 0.11 * each + 0.06 * grain + 0.06 * dirt) * (0.70 + 0.30 * inside)
    bump = heights(np.sqrt(inside) + 0.1 * grain + 0.1 * each)
    return _material(
        "cobbles", Surface.FLOOR, painted(colour, light), bump, tile_m=2.0, bump_m=0.014
    )


@cache
def asphalt(colour: Colour, seed: int) -> Material:
    """A floor of asphalt or gravel, 2.5 m to the tile."""
    grain, patches = noise(seed, 0.3), noise(seed + 1, 1.9)
    texture = painted(colour, 1 + 0.13 * grain + 0.08 * patches)
    return _material("asphalt", Surface.FLOOR, texture, heights(grain), tile_m=2.5, bump_m=0.006)


@cache
def grass(colour: Colour, seed: int) -> Material:
    """A lawn, 3 m to the tile."""
    blades = noise(seed, 0.3)
    tufts, dry = noise(seed + 1, 1.0), noise(seed + 2, 1.9)
    texture = painted(colour, 1 + 0.20 * blades + 0.13 * tufts)
    straw = np.clip(0.06 * dry + 0.05 * tufts, 0, 0.25)
    for channel, more in ((0, 130), (1, 70)):
        lighter = texture[..., channel] + more * straw
        texture[..., channel] = np.clip(lighter, 0, 255)
    return _material("grass", Surface.GRASS, texture, heights(blades), tile_m=3.0, bump_m=0.03)


@cache
def roof_tiles(colour: Colour, seed: int) -> Material:
    """A roof, 3 m to the tile."""
    each, inside = laid(12, 16, joint=0.2, shifted=True, seed=seed)
    light = (1 + 0.2 * each + 0.05 * noise(seed, 1.0)) * (0.6 + 0.4 * inside)
    return _material(
        "roof", Surface.WALL, painted(colour, light), heights(inside), tile_m=3.0, bump_m=0.03
    )


def plain(name: str, surface: Surface, colour: Colour, *, roughness: float = 0.6) -> Material:
    """A material of one colour, linear."""
    return Material(name=name, surface=surface, colour=colour, roughness=roughness)


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
