"""Leaves: sprays of them with gaps between, hedges, woods far away, and bark."""

from functools import cache

import numpy as np
from PIL import Image as Picture
from PIL import ImageDraw

from paseo.camera.meshes import ByteArray, Colour, Material, Surface
from paseo.camera.places.paint.stones import heights, noise, painted
from paseo.world.arrays import FloatArray

CELLS = 2  # sprays along each side of their texture
TEXELS = 512
LEAF = np.array([[0, 0], [0.3, 0.34], [0.62, 0.3], [1, 0], [0.62, -0.3], [0.3, -0.34]])


@cache
def sprays(colour: Colour, seed: int) -> tuple[Material, Material, Material]:
    """Sprays of leaves, 2 by 2 in a texture: of the outside of a crown, between, of its inside."""
    texture = _sprays(colour, seed)
    outer, middle, inner = (
        Material(
            name=name,
            surface=Surface.LEAF,
            colour=(shade, shade, 0.92 * shade),
            texture=texture,
            alpha_tested=True,
        )
        for name, shade in (("leaves", 1.0), ("leaves", 0.68), ("leaves", 0.36))
    )
    return outer, middle, inner


def _sprays(colour: Colour, seed: int) -> ByteArray:
    rng = np.random.default_rng(seed)
    ground = tuple(int(200 * each) for each in colour)
    picture = Picture.new("RGBA", (TEXELS, TEXELS), (*ground, 0))
    pen = ImageDraw.Draw(picture)
    side = TEXELS / CELLS
    for cell in range(CELLS * CELLS):
        middle = side * (np.array([cell % CELLS, cell // CELLS]) + 0.5)
        _draw_spray(pen, middle, side, colour, rng)
    return np.asarray(picture, np.uint8)


def _draw_spray(
    pen: ImageDraw.ImageDraw,
    middle: FloatArray,
    side: float,
    colour: Colour,
    rng: np.random.Generator,
) -> None:
    """Twigs from the middle, and leaves along them, the dark ones behind."""
    for _ in range(5):
        angle = rng.uniform(0, 2 * np.pi)
        end = middle + 0.42 * side * np.array([np.cos(angle), np.sin(angle)])
        pen.line([*middle, *end], fill=(70, 55, 40, 255), width=2)
    leaves = 170
    away = 0.43 * side * np.sqrt(rng.random(leaves))
    ways = rng.uniform(0, 2 * np.pi, leaves)
    at = middle + away[:, None] * np.stack([np.cos(ways), np.sin(ways)], axis=1)
    bright = np.sort(rng.uniform(0.55, 1.25, leaves))
    for place, light, turn in zip(at, bright, rng.uniform(0, 2 * np.pi, leaves), strict=True):
        length = side * rng.uniform(0.075, 0.115)
        cos, sin = length * np.cos(turn), length * np.sin(turn)
        outline = (LEAF - [0.5, 0]) @ np.array([[cos, sin], [-sin, cos]]) + place
        warm = rng.uniform(0.9, 1.15)
        tint = np.array(colour) * light * [warm, 1.0, 0.9]
        red, green, blue = np.clip(255 * tint, 0, 255).astype(int).tolist()
        pen.polygon([tuple(each) for each in outline.tolist()], fill=(red, green, blue, 255))


@cache
def hedge(colour: Colour, seed: int) -> Material:
    """Leaves so dense that nothing is seen between them, 1.6 m to the tile."""
    texture = _sprays(colour, seed)
    half = TEXELS // 4  # the gaps between sprays are filled by others
    shifted = np.roll(texture, (half, half), axis=(0, 1))
    filled = painted(
        (0.6 * colour[0], 0.6 * colour[1], 0.6 * colour[2]), 1 + 0.2 * noise(seed, 0.7)
    )
    for layer in (shifted, texture):
        leaf = layer[..., 3] > 127
        filled[leaf] = layer[leaf]
    light = filled[..., 1]
    return Material(
        name="hedge",
        surface=Surface.LEAF,
        colour=(0.9, 0.9, 0.85),
        texture=filled,
        bump=heights(light.astype(np.float32)),
        bump_m=0.05,
        tile_m=1.6,
    )


@cache
def woods(colour: Colour, seed: int) -> Material:
    """A row of trees far away, bluish with the air between; once along its texture."""
    rows, columns = 128, 512
    field = noise(seed, 1.0)[:, :columns]
    skyline = 0.62 + 0.13 * noise(seed + 1, 1.9)[0] + 0.05 * noise(seed + 2, 1.0)[0]
    height = 1 - (np.arange(rows)[:, None] + 0.5) / rows
    ragged = height + 0.03 * noise(seed + 3, 0.7)[:rows]
    light = 0.85 + 0.10 * field[:rows] + 0.25 * height
    texture = painted(colour, light)
    texture[..., 3] = np.where(ragged < skyline[None, :], 255, 0)
    return Material(
        name="woods", surface=Surface.WALL, texture=texture, alpha_tested=True, tile_m=60.0
    )


@cache
def bark(colour: Colour, seed: int) -> Material:
    """Furrowed upwards, 0.8 m to the tile."""
    furrows = noise(seed, 1.0)
    furrows = np.repeat(furrows[::8], 8, axis=0)
    grain = noise(seed + 1, 0.7)
    texture = painted(colour, 1 + 0.22 * furrows + 0.08 * grain)
    bump = heights(furrows + 0.3 * grain)
    return Material(
        name="bark", surface=Surface.WALL, texture=texture, bump=bump, bump_m=0.02, tile_m=0.8
    )
