"""Fabrics that repeat: weaves, denim, stripes, plaid, knits, prints, leather, rubber."""

from functools import lru_cache

import numpy as np

from paseo.camera.meshes import ByteArray, Float32Array, Material, Surface
from paseo.camera.people.looks import Fabric, Weave
from paseo.camera.people.noise import noise, ramp

SIZE = 256
TILES = {  # metres that one picture of a fabric covers
    Weave.PLAIN: 0.10,
    Weave.DENIM: 0.12,
    Weave.STRIPE: 0.125,
    Weave.PLAID: 0.167,
    Weave.KNIT: 0.10,
    Weave.PRINT: 0.335,
    Weave.DOTS: 0.125,
    Weave.TWEED: 0.10,
    Weave.JERSEY: 0.10,
    Weave.LEATHER: 0.15,
    Weave.RUBBER: 0.05,
}
ROUGH = {Weave.LEATHER: 0.45, Weave.RUBBER: 0.7}


@lru_cache(maxsize=256)
def fabric_material(name: str, fabric: Fabric) -> Material:
    """The material of a fabric; its uv are metres by `TILES`."""
    colour, height = painted_fabric(fabric)
    surface = Surface.LEATHER if fabric.weave in ROUGH else Surface.CLOTH
    return Material(
        name=name,
        surface=surface,
        texture=colour,
        bump=height,
        bump_m=0.0012 if fabric.weave in (Weave.KNIT, Weave.TWEED) else 0.0006,
        tile_m=TILES[fabric.weave],
        roughness=ROUGH.get(fabric.weave, 0.9),
    )


@lru_cache(maxsize=256)
def painted_fabric(fabric: Fabric) -> tuple[ByteArray, ByteArray]:
    """Colours (SIZE, SIZE, 4) and heights (SIZE, SIZE) of one tile."""
    y, x = (np.mgrid[:SIZE, :SIZE] + 0.5) / SIZE
    share, shade, height = _pattern(fabric, x.astype(np.float32), y.astype(np.float32))
    first, second = (np.array(each, np.float32) for each in (fabric.colour, fabric.second))
    colour = first + (second - first) * share[..., None]
    cloudy = 1 + 0.025 * noise(fabric.seed + 40, SIZE, 1.5)
    texture = np.full((SIZE, SIZE, 4), 255, dtype=np.uint8)
    texture[..., :3] = np.clip(colour * (shade * cloudy)[..., None] * 255, 0, 255)
    return texture, np.clip(height * 255, 0, 255).astype(np.uint8)


Pattern = tuple[Float32Array, Float32Array, Float32Array]


def _pattern(fabric: Fabric, x: Float32Array, y: Float32Array) -> Pattern:
    """Share of the second colour, shade and height, from the place on the tile."""
    threads = _threads(x, y, 40)
    fine = noise(41, SIZE, 0.1)
    plain = 0.93 + 0.08 * threads + 0.025 * fine
    none = np.zeros_like(x)
    match fabric.weave:
        case Weave.DENIM:
            return _denim(x, y, fine)
        case Weave.STRIPE:
            return _stripes(fabric, y), plain, threads
        case Weave.PLAID:
            return _plaid(x, y), plain, threads
        case Weave.KNIT:
            row, column = y * 16, x * 22
            lean = np.abs((column % 1) - 0.5) * 2
            stitch = np.abs(np.sin((row + 0.6 * lean) * np.pi)) * (0.35 + 0.65 * np.sin((column % 1) * np.pi))
            return none, 0.80 + 0.24 * stitch + 0.02 * fine, stitch
        case Weave.PRINT:
            return _print(fabric), plain, threads
        case Weave.DOTS:
            row = np.floor(y * 4)
            dots = np.hypot((x * 4 + 0.5 * (row % 2)) % 1 - 0.5, (y * 4) % 1 - 0.5)
            return ramp(dots, 0.24, 0.20), plain, threads
        case Weave.TWEED:
            zigzag = (y * 24 + 3 * np.abs((x * 8) % 1 - 0.5)) % 1
            speck = ramp(noise(fabric.seed + 44, SIZE, 0.2), 0.4, 1.4)
            return 0.45 * (zigzag < 0.5) * 0.6 + 0.35 * speck, plain, zigzag * 0.6 + 0.2
        case Weave.LEATHER | Weave.RUBBER:
            grain = noise(45, SIZE, 0.8)
            return none, 0.97 + 0.03 * grain, 0.5 + 0.12 * grain
        case Weave.JERSEY | Weave.PLAIN:
            return none, plain, threads
    raise AssertionError(fabric.weave)


def _threads(x: Float32Array, y: Float32Array, count: int) -> Float32Array:
    """A plain weave: threads over and under each other, 0 to 1."""
    over = (np.floor(x * count) + np.floor(y * count)) % 2
    across = np.abs(np.sin(x * count * np.pi))
    down = np.abs(np.sin(y * count * np.pi))
    return np.where(over > 0, across, down)


def _denim(x: Float32Array, y: Float32Array, fine: Float32Array) -> Pattern:
    twill = ((x + y) * 56) % 1
    worn = noise(43, SIZE, 1.2)
    slub = noise(46, SIZE, 0.5, 0.08)
    share = np.clip(0.16 + 0.20 * (twill < 0.35) + 0.06 * worn + 0.05 * slub + 0.04 * fine, 0, 1)
    return share, np.ones_like(x), 0.3 + 0.5 * twill


def _stripes(fabric: Fabric, y: Float32Array) -> Float32Array:
    count, share = ((2, 0.5), (4, 0.5), (3, 0.22), (6, 0.35))[fabric.seed % 4]
    place = (y * count) % 1
    return ramp(place, 0.0, 0.02) * ramp(place, share + 0.02, share)


def _plaid(x: Float32Array, y: Float32Array) -> Float32Array:
    def bands(place: Float32Array) -> Float32Array:
        wide = (np.abs(place - 0.3) < 0.17) * 0.5
        thin = (np.abs(place - 0.72) < 0.02) * 0.45 + (np.abs(place - 0.82) < 0.02) * 0.3
        return wide + thin

    return np.clip(bands(x) + bands(y), 0, 1).astype(np.float32)


def _print(fabric: Fabric) -> Float32Array:
    """Leaves or blossoms: what rises above a level in soft noise."""
    soft = noise(fabric.seed + 50, SIZE, 2.6)
    veins = noise(fabric.seed + 51, SIZE, 1.8)
    band = np.abs(((soft * 1.6) % 1) - 0.5)
    return np.clip(ramp(band, 0.20, 0.24) * (0.75 + 0.25 * (veins > 0)), 0, 1)
