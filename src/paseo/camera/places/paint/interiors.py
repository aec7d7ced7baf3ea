"""Rooms behind large panes, as one sees them from the street: shops by their trade, and halls."""

from collections.abc import Sequence
from functools import cache

import numpy as np

from paseo.camera.meshes import ByteArray, Material, Surface
from paseo.camera.places.paint.brush import BACK, Brush, Rng, one_of, shaded
from paseo.camera.places.paint.trades import TRADES, Fill

SHOPS, HALLS = (3, 2), (2, 2)  # rooms along the sides of their textures
SHOP_GLOW, HALL_GLOW = (0.75, 0.54, 0.30), (0.75, 0.58, 0.36)


@cache
def shops(words: tuple[str, ...], seed: int) -> Material:
    """The shops of these trades, six of them, in the order of their signs."""
    rng = np.random.default_rng(seed)
    rooms = [_shop(TRADES[word], rng) for word in words]
    return _panes(rooms, SHOPS, SHOP_GLOW, roughness=0.15)


@cache
def halls(seed: int) -> Material:
    """Halls behind glass: pillars, strips of light, a desk, plants."""
    rng = np.random.default_rng(seed)
    rooms = [_hall(rng) for _ in range(HALLS[0] * HALLS[1])]
    return _panes(rooms, HALLS, HALL_GLOW, roughness=0.12)


def _panes(
    rooms: Sequence[ByteArray],
    counts: tuple[int, int],
    glow: tuple[float, float, float],
    *,
    roughness: float,
) -> Material:
    columns, rows = counts
    grid = [np.concatenate(rooms[k * columns : (k + 1) * columns], axis=1) for k in range(rows)]
    texture = np.ascontiguousarray(np.concatenate(grid))
    return Material(
        name="glass", surface=Surface.GLASS, texture=texture, roughness=roughness, glow=glow
    )


def _shop(fill: Fill, rng: Rng) -> ByteArray:
    walls = one_of(((164, 150, 128), (136, 134, 128), (120, 132, 128), (158, 136, 116)), rng)
    floor = one_of(((118, 84, 56), (128, 122, 114), (94, 70, 50)), rng)
    brush = Brush(walls, floor)
    fill(brush, rng)
    spots = (0.22, 0.5, 0.78)
    for x in spots:
        brush.oval(x, 0.035, 0.018, 0.008, (255, 246, 226))
    return brush.room(spots)


def _hall(rng: Rng) -> ByteArray:
    brush = Brush((146, 144, 138), (122, 116, 106))
    left, top, right, bottom = BACK
    for k in range(1, 5):  # strips of light run to the far end
        x = 0.2 * k
        far = left + (right - left) * x
        strip = [(x - 0.02, 0), (x + 0.02, 0), (far + 0.006, top), (far - 0.006, top)]
        brush.shape(strip, (236, 232, 220))
    for k in range(9):  # and so do the joints of the floor
        x = -0.6 + 0.275 * k
        brush.stroke([(left + (right - left) * k / 8, bottom), (x, 1.0)], (104, 98, 90), 0.004)
    start = float(rng.uniform(0.22, 0.6))
    brush.box(start, 0.34, start + 0.16, bottom, (62, 60, 58))
    brush.box(start + 0.01, 0.355, start + 0.075, bottom, (176, 184, 186))
    brush.box(start + 0.085, 0.355, start + 0.15, bottom, (168, 176, 178))
    for x, wide, low in ((0.06, 0.030, 0.90), (0.90, 0.030, 0.90), (0.20, 0.017, 0.75)):
        brush.box(x, 0.06, x + wide, low, (172, 168, 158))
        brush.box(x + 0.7 * wide, 0.06, x + wide, low, (132, 128, 120))
    if rng.random() < 0.6:
        desk = float(rng.uniform(0.12, 0.55))
        brush.box(desk, 0.66, desk + 0.30, 0.82, (98, 70, 48))
        brush.box(desk - 0.01, 0.645, desk + 0.31, 0.668, (204, 198, 186))
    pot = float(rng.uniform(0.15, 0.85))
    for _ in range(46):
        angle = float(rng.uniform(-1.25, 1.25))
        long = float(rng.uniform(0.06, 0.17))
        tip = (pot + long * np.sin(angle), 0.80 - long * np.cos(angle))
        green = shaded((58, 88, 48), float(rng.uniform(0.6, 1.3)))
        brush.stroke([(pot, 0.80), tip], green, 0.012)
    brush.shape([(pot - 0.04, 0.79), (pot + 0.04, 0.79), (pot + 0.03, 0.88), (pot - 0.03, 0.88)],
                (196, 190, 180))  # fmt: skip
    return brush.room((0.2, 0.5, 0.8))
