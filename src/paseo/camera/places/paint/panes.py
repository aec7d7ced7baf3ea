"""What is behind windows and on boards: curtains, signs, posters, far house fronts."""

from functools import cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

from paseo.camera.meshes import ByteArray, Colour, Material, Surface
from paseo.camera.places.paint.stones import heights, noise, painted

TEXELS = 512
WINDOWS = 4  # along each side of their texture
SIGNS = 6  # one below the other
POSTERS = 2
Floats = NDArray[np.float32]
Spread = tuple[float, float, float, float]


def cell(number: int, columns: int, rows: int) -> Spread:
    """The piece of a texture that holds one of its pictures."""
    column, row = number % columns, number // columns % rows
    return column / columns, 1 - (row + 1) / rows, (column + 1) / columns, 1 - row / rows


@cache
def windows() -> Material:
    """Rooms behind glass, 4 by 4: curtains, blinds, plants, or dark."""
    return Material(name="glass", surface=Surface.GLASS, texture=_rooms(), roughness=0.15)


@cache
def _rooms() -> ByteArray:
    rng = np.random.default_rng(4)
    side = TEXELS // WINDOWS
    texture = np.full((TEXELS, TEXELS, 4), 255, np.uint8)
    for number in range(WINDOWS * WINDOWS):
        row, column = divmod(number, WINDOWS)
        room = np.clip(255 * _room(side, number, rng), 0, 255).astype(np.uint8)
        texture[row * side : (row + 1) * side, column * side : (column + 1) * side, :3] = room
    return texture


def _room(side: int, kind: int, rng: np.random.Generator) -> Floats:
    """A room from outside, sRGB 0 to 1, (side, side, 3)."""
    v, u = (each.astype(np.float32) for each in np.ogrid[0 : 1 : side * 1j, 0 : 1 : side * 1j])
    depth = 0.13 + 0.10 * rng.random() + 0.10 * v * u
    room = depth[..., None] * np.array([1.0, 0.96, 0.9], np.float32)
    if kind % 4 != 3:  # the back wall, a door or a shelf in it
        left, top = rng.uniform(0.1, 0.6), rng.uniform(0.25, 0.5)
        back = (u > left) & (u < left + 0.25) & (v > top)
        room = np.where(back[..., None], room * rng.uniform(0.5, 1.9), room)
    folds = (1 + 0.16 * np.sin(u * rng.uniform(50, 80)) + 0.07 * np.sin(u * 23))[..., None]
    cloth = np.array([[0.80, 0.78, 0.72], [0.72, 0.62, 0.50], [0.62, 0.66, 0.70]])[kind % 3]
    curtain = folds * cloth.astype(np.float32) * (0.75 - 0.15 * v)[..., None]
    if kind % 4 == 0:  # drawn aside
        open_half = rng.uniform(0.18, 0.34)
        room = np.where((np.abs(u - 0.5) > open_half)[..., None] + 0 * room > 0, curtain, room)
    elif kind % 4 == 1:  # net over all of it
        room = 0.35 * room + 0.62 * curtain
    elif kind % 4 == 2:  # a blind, half down
        slats = 0.62 + 0.12 * np.sin(v * 160)
        down = v < rng.uniform(0.25, 0.8)
        room = np.where(down[..., None], (slats + 0 * u)[..., None] * np.ones(3), room)
    if kind % 5 == 4:  # plants on the sill
        stalks = 0.92 - 0.08 * np.abs(np.sin(u * 9 + kind)) - 0.03 * np.sin(u * 31) ** 2
        room = np.where((v > stalks)[..., None], np.array([0.15, 0.23, 0.12]), room)
    return room


def _tint(rng: np.random.Generator) -> tuple[int, int, int, int]:
    grey = rng.uniform(50, 190)
    red, green, blue = (0.6 * grey + 0.4 * rng.uniform(30, 210, 3)).astype(int).tolist()
    return red, green, blue, 255


@cache
def signs(words: tuple[str, ...], seed: int) -> Material:
    """Boards with words, one below the other."""
    rng = np.random.default_rng(seed)
    picture = Picture.new("RGBA", (TEXELS, TEXELS))
    pen, high = ImageDraw.Draw(picture), TEXELS // SIGNS
    font = ImageFont.load_default(size=0.6 * high)
    for number in range(SIGNS):
        top = number * high
        ground = (
            rng.uniform(0.1, 0.55) * np.array([200, 210, 230]) + rng.integers(0, 60, 3)
        ).astype(int)
        pen.rectangle([0, top, TEXELS, top + high], (*ground.tolist(), 255))
        word = words[number % len(words)]
        middle = (TEXELS / 2, top + high / 2)
        pen.text(middle, word, (245, 240, 225), font=font, anchor="mm", stroke_width=1)
    return Material(name="sign", surface=Surface.WOOD, texture=np.asarray(picture, np.uint8))


@cache
def posters(seed: int) -> Material:
    """Posters, 2 by 2: shapes and stripes in loud colours."""
    rng = np.random.default_rng(seed)
    picture = Picture.new("RGBA", (TEXELS, TEXELS))
    pen, side = ImageDraw.Draw(picture), TEXELS // POSTERS
    for number in range(POSTERS * POSTERS):
        x, y = number % POSTERS * side, number // POSTERS * side
        pen.rectangle([x, y, x + side, y + side], (240, 238, 230, 255))
        pen.rectangle([x + 8, y + 8, x + side - 8, y + side - 8], _tint(rng))
        for _ in range(4):
            a, b = rng.uniform(0.1, 0.6, 2) * side
            size = rng.uniform(0.1, 0.35) * side
            pen.ellipse([x + a, y + b, x + a + size, y + b + size], _tint(rng))
        for line in range(3):
            low = y + (0.74 + 0.07 * line) * side
            pen.rectangle([x + 24, low, x + side * rng.uniform(0.5, 0.9), low + 7], (250, 250, 245))
    return Material(name="poster", surface=Surface.WOOD, texture=np.asarray(picture, np.uint8))


@cache
def awning(colour: Colour, seed: int) -> Material:
    """Striped cloth, 1.6 m to the tile, so that its stripes are wider than a pixel for long."""
    u = np.arange(TEXELS)[None, :] / TEXELS + np.zeros((TEXELS, 1))
    light = 1 + 0.04 * noise(seed, 1.0)
    stripes = (np.floor(u * 8) % 2 == 0)[..., None]
    texture = np.where(stripes, painted(colour, light), painted((0.92, 0.90, 0.85), light))
    return Material(name="awning", surface=Surface.CLOTH, texture=texture, tile_m=1.6)


@cache
def house_front(wall: Colour, frame: Colour, seed: int) -> Material:
    """A whole front for houses far away: 4 bays of 2.7 m and 3 storeys of 3.1 m."""
    rng = np.random.default_rng(seed)
    light = 1 + 0.02 * noise(seed, 0.7) + 0.05 * noise(seed + 1, 1.9)
    texture, bump = painted(wall, light), np.full((TEXELS, TEXELS), 1.0)
    rooms = _rooms()
    wide, high = TEXELS // 4, TEXELS // 3
    for storey in range(3):
        for bay in range(4):
            left, top = bay * wide + round(0.27 * wide), storey * high + round(0.20 * high)
            _paint_window(texture, bump, (top, left), _thumbnail(rooms, rng), frame)
        texture[storey * high : storey * high + 3, :, :3] = 0.8 * np.array(wall) * 255
    return Material(
        name="front",
        surface=Surface.WALL,
        texture=texture,
        bump=heights(bump),
        bump_m=0.12,
        tile_m=10.8,
    )


def _thumbnail(rooms: ByteArray, rng: np.random.Generator) -> ByteArray:
    """One of the rooms, as large as a window of a house far away, and dimmer."""
    side = TEXELS // WINDOWS
    row, column = rng.integers(0, WINDOWS, 2) * side
    room = Picture.fromarray(rooms[row : row + side, column : column + side, :3])
    small = np.asarray(room.resize((60, 92), Picture.Resampling.BOX), np.float32)
    sheen = np.linspace(40, 8, 92, dtype=np.float32)[:, None, None] * [0.8, 0.95, 1.15]
    return np.clip(0.62 * small + sheen, 0, 255).astype(np.uint8)


def _paint_window(
    texture: ByteArray,
    bump: NDArray[np.float64],
    at: tuple[int, int],
    room: ByteArray,
    frame: Colour,
) -> None:
    top, left = at
    high, wide, _ = room.shape
    bars = np.array(frame) * 255
    texture[top - 4 : top + high + 4, left - 4 : left + wide + 4, :3] = bars
    texture[top : top + high, left : left + wide, :3] = room
    texture[top : top + high, left + wide // 2 - 1 : left + wide // 2 + 2, :3] = bars
    texture[top + high // 3 : top + high // 3 + 3, left : left + wide, :3] = bars
    texture[top : top + 6, left : left + wide, :3] //= 2  # the lintel's shadow
    below = slice(top + high + 4, top + high + 9)
    texture[below, left - 7 : left + wide + 7, :3] = np.clip(bars + 60, 0, 225)
    bump[top - 4 : top + high + 4, left - 4 : left + wide + 4] = 0.0
