"""What is behind glass and on boards: curtains, shop windows, signs, posters, far house fronts."""

from functools import cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

from paseo.camera.meshes import ByteArray, Colour, Material, Surface
from paseo.camera.places.paint.stones import heights, noise, painted

TEXELS = 512
WINDOWS = 4  # along each side of their texture
SHOPS = 2
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


@cache
def shops(seed: int) -> Material:
    """Shop windows, 2 by 2: clothes on stands, shelves, a counter, tables."""
    rng = np.random.default_rng(seed)
    picture = Picture.new("RGBA", (TEXELS, TEXELS))
    side = TEXELS // SHOPS
    for number, fill in enumerate((_clothes, _shelves, _counter, _shelves)):
        shop = _shop_room(side, rng)
        fill(ImageDraw.Draw(shop), side, rng)
        picture.paste(shop, (number % SHOPS * side, number // SHOPS * side))
    texture = np.asarray(picture, np.uint8)
    return Material(name="glass", surface=Surface.GLASS, texture=texture, roughness=0.15)


def _shop_room(side: int, rng: np.random.Generator) -> Picture.Image:
    v, u = (each.astype(np.float32) for each in np.ogrid[0 : 1 : side * 1j, 0 : 1 : side * 1j])
    light = 0.50 - 0.22 * v - 0.25 * np.abs(u - 0.5)
    light = np.where(v > 0.86, light * 1.25, light)  # the floor of the window
    for at in (0.2, 0.5, 0.8):
        light = light + 0.4 * np.exp(-(((u - at) / 0.08) ** 2) - ((v - 0.1) / 0.2) ** 2)
    warm = np.array([1.0, rng.uniform(0.84, 0.93), rng.uniform(0.62, 0.8)])
    rgb = np.clip(255 * light[..., None] * warm, 0, 255).astype(np.uint8)
    return Picture.fromarray(rgb).convert("RGBA")


@cache
def halls(seed: int) -> Material:
    """Halls behind glass, 2 by 2: lamps in rows, pillars, a counter, plants."""
    rng = np.random.default_rng(seed)
    picture = Picture.new("RGBA", (TEXELS, TEXELS))
    side = TEXELS // SHOPS
    for number in range(SHOPS * SHOPS):
        hall = _hall(side, rng)
        picture.paste(hall, (number % SHOPS * side, number // SHOPS * side))
    texture = np.asarray(picture, np.uint8)
    return Material(name="glass", surface=Surface.GLASS, texture=texture, roughness=0.12)


def _hall(side: int, rng: np.random.Generator) -> Picture.Image:
    """A deep room that is drawn as one sees it: all lines run to its far end."""
    hall = Picture.new("RGBA", (side, side), (92, 90, 84, 255))
    pen = ImageDraw.Draw(hall)
    pen.polygon([(0, side), (side, side), (0.68 * side, 0.62 * side), (0.32 * side, 0.62 * side)],
                (112, 104, 92))  # fmt: skip
    pen.polygon([(0, 0), (side, 0), (0.68 * side, 0.30 * side), (0.32 * side, 0.30 * side)],
                (120, 118, 110))  # fmt: skip
    pen.rectangle([0.32 * side, 0.30 * side, 0.68 * side, 0.62 * side], (134, 128, 114))
    for depth in (0.15, 0.4, 0.62, 0.8):
        for across in (0.25, 0.5, 0.75):
            x = (across + (0.5 - across) * 0.64 * depth) * side
            y, wide = 0.30 * depth * side, (1 - 0.7 * depth) * 0.05 * side
            pen.ellipse([x - wide, y - wide / 3, x + wide, y + wide / 3], (255, 246, 220))
        for across in (0.02, 0.98):
            x = (across + (0.5 - across) * 0.64 * depth) * side
            wide = (1 - 0.7 * depth) * 0.035 * side
            top, bottom = 0.30 * depth * side, (1 - 0.38 * depth) * side
            pen.rectangle([x - wide, top, x + wide, bottom], (150, 146, 136))
    left = rng.uniform(0.05, 0.6) * side
    long = rng.choice([0.0, 0.2, 0.36]) * side
    if long > 0:
        pen.rectangle([left, 0.66 * side, left + long, 0.80 * side], (86, 58, 38))
        pen.rectangle([left, 0.65 * side, left + long, 0.67 * side], (196, 188, 172))
    pot = float(rng.uniform(0.08, 0.86))
    for _ in range(26):
        x, y = rng.uniform(pot - 0.04, pot + 0.12) * side, rng.uniform(0.58, 0.78) * side
        size = rng.uniform(3, 9)
        pen.ellipse([x - size, y - size, x + size, y + size], (46, int(rng.integers(66, 96)), 40))
    pen.rectangle([pot * side, 0.77 * side, (pot + 0.08) * side, 0.87 * side], (120, 90, 70))
    return hall


def _tint(rng: np.random.Generator) -> tuple[int, int, int, int]:
    grey = rng.uniform(50, 190)
    red, green, blue = (0.6 * grey + 0.4 * rng.uniform(30, 210, 3)).astype(int).tolist()
    return red, green, blue, 255


def _clothes(pen: ImageDraw.ImageDraw, side: int, rng: np.random.Generator) -> None:
    for at in (0.17, 0.40, 0.63, 0.86):
        x, wide = at * side, 0.075 * side
        pen.ellipse([x - 0.03 * side, 0.27 * side, x + 0.03 * side, 0.35 * side], (205, 190, 170))
        coat, skirt = _tint(rng), _tint(rng)
        trunk = [(x - wide, 0.38), (x + wide, 0.38), (x + 0.7 * wide, 0.60), (x - 0.7 * wide, 0.60)]
        pen.polygon([(a, b * side) for a, b in trunk], coat)
        legs = [(x - 0.7 * wide, 0.6), (x + 0.7 * wide, 0.6), (x + wide, 0.83), (x - wide, 0.83)]
        pen.polygon([(a, b * side) for a, b in legs], skirt)
        pen.line([x, 0.83 * side, x, 0.93 * side], (60, 60, 60), 3)


def _shelves(pen: ImageDraw.ImageDraw, side: int, rng: np.random.Generator) -> None:
    for level in (0.32, 0.50, 0.68, 0.86):
        pen.rectangle([0, level * side, side, (level + 0.015) * side], (95, 70, 48))
        x = 0.03 * side
        while x < 0.95 * side:
            wide, high = rng.uniform(0.02, 0.08) * side, rng.uniform(0.06, 0.14) * side
            pen.rectangle([x, level * side - high, x + wide, level * side], _tint(rng))
            x += wide + rng.uniform(0.004, 0.03) * side


def _counter(pen: ImageDraw.ImageDraw, side: int, rng: np.random.Generator) -> None:
    pen.rectangle([0.08 * side, 0.66 * side, 0.92 * side, 0.93 * side], (110, 78, 52))
    pen.rectangle([0.08 * side, 0.63 * side, 0.92 * side, 0.67 * side], (220, 210, 195))
    for at in np.linspace(0.14, 0.86, 8):
        x, high = at * side, rng.uniform(0.04, 0.12) * side
        pen.ellipse([x - 9, 0.63 * side - high, x + 9, 0.63 * side], _tint(rng))
    for at in (0.25, 0.5, 0.75):
        x = at * side
        pen.line([x, 0, x, 0.2 * side], (30, 30, 30), 2)
        pen.ellipse([x - 12, 0.18 * side, x + 12, 0.25 * side], (255, 236, 190))


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
