"""Fabrics that repeat: weaves, denim, stripes, plaid, knits, prints, leather, rubber."""

from functools import cache, lru_cache

import numpy as np

from paseo.camera.meshes import BRIGHTEST, ByteArray, Float32Array, Material, Surface
from paseo.camera.people.keeping import kept_texture
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


THREAD = 0.0013  # metres from one thread of a plain weave to the next
CREASES_M = 0.48  # metres that one picture of creases covers
# How deep creases are, metres; what is thick has fewer.
DEPTHS = {
    Weave.KNIT: 0.005,
    Weave.TWEED: 0.005,
    Weave.LEATHER: 0.006,
    Weave.RUBBER: 0.0,
    Weave.JERSEY: 0.0065,
}
DEPTH = 0.008


@lru_cache(maxsize=256)
def fabric_material(name: str, fabric: Fabric, *, calm: float = 0.0) -> Material:
    """The material of a fabric, creased if it is not calm (1); its uv are metres by `TILES`."""
    tile = TILES[fabric.weave]
    surface = Surface.LEATHER if fabric.weave in ROUGH else Surface.CLOTH
    return Material(
        name=name,
        surface=surface,
        texture=_shares(fabric.weave, fabric.seed),
        dyes=(fabric.colour, fabric.second),
        bump=creases(),
        bump_m=(1 - calm) * DEPTHS.get(fabric.weave, DEPTH),
        bump_tiles=CREASES_M / tile,
        tile_m=tile,
        roughness=ROUGH.get(fabric.weave, 0.9),
    )


@cache
def creases() -> ByteArray:
    """Heights of worn cloth, (SIZE, SIZE): creases that cross, here deep and there smooth."""
    return kept_texture("creases", _creases)


def _creases() -> ByteArray:
    rows = np.arange(SIZE)
    folds = np.zeros((SIZE, SIZE), dtype=np.float32)
    for seed, lean in ((60, 1), (61, -1), (63, 0)):
        drawn = noise(seed, SIZE, 2.7, 0.5)[rows[:, None], (rows + lean * rows[:, None]) % SIZE]
        crests = 1 - np.abs(np.sin(3.0 * drawn)) ** 0.9
        folds += (0.1 + ramp(noise(seed + 10, SIZE, 2.4), -0.2, 1.6)) * crests
    low, high = np.percentile(folds, [0.5, 99.5])
    heights: ByteArray = (255 * np.clip((folds - low) / (high - low), 0, 1)).astype(np.uint8)
    return heights


def painted_fabric(fabric: Fabric) -> tuple[ByteArray, ByteArray]:
    """Colours (SIZE, SIZE, 4) and heights (SIZE, SIZE) of one tile."""
    share, shade = _pattern(fabric.weave, fabric.seed)
    texture = np.full((SIZE, SIZE, 4), 255, dtype=np.uint8)
    for channel, (first, second) in enumerate(zip(fabric.colour, fabric.second, strict=True)):
        texture[..., channel] = np.clip((first + (second - first) * share) * shade * 255, 0, 255)
    return texture, creases()


@cache
def _shares(weave: Weave, seed: int) -> ByteArray:
    """How dyes are mixed on one tile, for everybody who wears them."""
    return kept_texture(f"fabric {weave} {seed}", lambda: mixture(*_pattern(weave, seed)))


def mixture(share: Float32Array, shade: Float32Array, alpha: float | ByteArray = 255) -> ByteArray:
    """A texture of dyes: the share of the second one, and the brightness."""
    texture = np.zeros((*share.shape, 4), dtype=np.uint8)
    texture[..., 0] = np.clip(share * 255 + 0.5, 0, 255)
    texture[..., 1] = np.clip(shade * (255 / BRIGHTEST) + 0.5, 0, 255)
    texture[..., 3] = alpha
    return texture


Pattern = tuple[Float32Array, Float32Array]


@cache
def _pattern(weave: Weave, seed: int) -> Pattern:
    """Share of the second colour and brightness of one tile."""
    y, x = ((np.mgrid[:SIZE, :SIZE] + 0.5) / SIZE).astype(np.float32)
    share, shade = _woven(weave, seed, x, y)
    cloudy = 1 + 0.025 * noise(seed + 40, SIZE, 1.5)
    return share.astype(np.float32), (shade * cloudy).astype(np.float32)


def _woven(weave: Weave, seed: int, x: Float32Array, y: Float32Array) -> Pattern:
    """Share of the second colour, and shade, from the place on the tile."""
    fine = noise(41, SIZE, 0.1)
    plain = 0.95 + 0.06 * _threads(x, y, round(TILES[weave] / THREAD)) + 0.025 * fine
    none = np.zeros_like(x)
    match weave:
        case Weave.DENIM:
            return _denim(x, y, fine)
        case Weave.STRIPE:
            return _stripes(seed, y), plain
        case Weave.PLAID:
            return _plaid(x, y), plain
        case Weave.KNIT:
            row, column = y * 22, x * 30
            lean = np.abs((column % 1) - 0.5) * 2
            stitch = np.abs(np.sin((row + 0.6 * lean) * np.pi)) * (
                0.35 + 0.65 * np.sin((column % 1) * np.pi)
            )
            return none, 0.78 + 0.28 * stitch + 0.02 * fine
        case Weave.PRINT:
            return _print(seed), plain
        case Weave.DOTS:
            row = np.floor(y * 4)
            dots = np.hypot((x * 4 + 0.5 * (row % 2)) % 1 - 0.5, (y * 4) % 1 - 0.5)
            return ramp(dots, 0.24, 0.20), plain
        case Weave.TWEED:
            zigzag = (y * 24 + 3 * np.abs((x * 8) % 1 - 0.5)) % 1
            speck = ramp(noise(seed + 44, SIZE, 0.2), 0.4, 1.4)
            return 0.45 * (zigzag < 0.5) * 0.6 + 0.35 * speck, plain
        case Weave.LEATHER | Weave.RUBBER:
            return none, 0.97 + 0.03 * noise(45, SIZE, 0.8)
        case Weave.JERSEY | Weave.PLAIN:
            return none, plain
    raise AssertionError(weave)


def _threads(x: Float32Array, y: Float32Array, count: int) -> Float32Array:
    """A plain weave: threads over and under each other, 0 to 1; even where texels are too large."""
    if count > SIZE // 3:
        return np.full_like(x, 0.5)
    over = (np.floor(x * count) + np.floor(y * count)) % 2
    across = np.abs(np.sin(x * count * np.pi))
    down = np.abs(np.sin(y * count * np.pi))
    return np.where(over > 0, across, down)


def _denim(x: Float32Array, y: Float32Array, fine: Float32Array) -> Pattern:
    twill = ((x + y) * 56) % 1
    worn = noise(43, SIZE, 1.2)
    slub = noise(46, SIZE, 0.5, 0.08)
    share = np.clip(0.16 + 0.20 * (twill < 0.35) + 0.06 * worn + 0.05 * slub + 0.04 * fine, 0, 1)
    return share, np.ones_like(x)


def _stripes(seed: int, y: Float32Array) -> Float32Array:
    count, share = ((2, 0.5), (4, 0.5), (3, 0.22), (6, 0.35))[seed % 4]
    place = (y * count) % 1
    return ramp(place, 0.0, 0.02) * ramp(place, share + 0.02, share)


def _plaid(x: Float32Array, y: Float32Array) -> Float32Array:
    def bands(place: Float32Array) -> Float32Array:
        wide = (np.abs(place - 0.3) < 0.17) * 0.5
        thin = (np.abs(place - 0.72) < 0.02) * 0.45 + (np.abs(place - 0.82) < 0.02) * 0.3
        return wide + thin

    return np.clip(bands(x) + bands(y), 0, 1).astype(np.float32)


def _print(seed: int) -> Float32Array:
    """Scattered blossoms and leaves; those over an edge go on at the other side."""
    rng = np.random.default_rng([seed, 50])
    share = np.zeros((SIZE, SIZE), dtype=np.float32)
    reach = np.arange(-24, 25)  # texels around a blossom
    for place in range(34):
        petals = (5, 6, 2)[place % 3]
        middle, size, phase = rng.random(2) * SIZE, rng.uniform(0.035, 0.085), rng.uniform(0, 6)
        rows, columns = (int(each) + reach for each in middle)
        down, across = (rows - middle[0])[:, None] / SIZE, (columns - middle[1])[None] / SIZE
        radius, turn = np.hypot(across, down), np.arctan2(down, across)
        edge = size * (0.62 + 0.38 * np.cos(petals * (turn + phase)))
        inner = ramp(radius, 0.16 * size, 0.22 * size)
        cover = ramp(radius, edge, edge - 0.008) * (0.35 + 0.65 * inner)
        patch = np.ix_(rows % SIZE, columns % SIZE)
        share[patch] = np.maximum(share[patch], cover)
    return share
