"""Sun and sky as kernels need them, and the maps of what the sun sees."""

import math
from typing import Any

import numpy as np

from paseo.camera.kernels import wp
from paseo.camera.kernels.layout import Light, SunMap
from paseo.camera.scene import Place, Sun
from paseo.world.arrays import FloatArray

DOME = (192, 768)  # rows from the horizon to the zenith, columns around
NOWHERE = -1e30


def sun_direction(sun: Sun) -> FloatArray:
    """The way to the sun, (3,), unit length."""
    flat = math.cos(sun.elevation)
    return np.array(
        [flat * math.cos(sun.azimuth), flat * math.sin(sun.azimuth), math.sin(sun.elevation)]
    )


def light_of(place: Place, device: str) -> Any:
    """The daylight of a place."""
    height = math.sin(place.sun.elevation)
    warmth = float(np.clip(1 - height / 0.55, 0, 1))  # 0 at noon, 1 at sunset
    sun = np.array([2.15, 2.00, 1.78]) * (1 - warmth * np.array([0.25, 0.55, 0.80]))
    sky = np.array([0.70, 0.79, 0.95]) * (1 - warmth * np.array([0.30, 0.40, 0.35]))
    ground = np.array([0.50, 0.46, 0.41]) * (1 - 0.5 * warmth)
    haze = np.array([0.66, 0.78, 0.92]) * (1 - warmth * np.array([0.0, 0.25, 0.45]))
    dome = _dome(place, haze=haze, warmth=warmth)
    table: Any = Light()
    table.towards = wp.vec3(*sun_direction(place.sun))
    table.sun, table.sky = wp.vec3(*sun), wp.vec3(*sky)
    table.ground, table.haze = wp.vec3(*ground), wp.vec3(*haze)
    table.dome = wp.array(dome.reshape(-1, 3).astype(np.float32), dtype=wp.vec3, device=device)
    table.dome_rows, table.dome_columns = DOME
    table.exposure = 0.61 + 0.25 * warmth
    return table


def _dome(place: Place, *, haze: FloatArray, warmth: float) -> FloatArray:
    """The sky in all directions, (rows, columns, 3)."""
    rows, columns = DOME
    rise = np.linspace(0, math.pi / 2, rows)[:, None]
    turn = np.linspace(0, math.tau, columns, endpoint=False)[None, :]
    zenith = np.array([0.13, 0.30, 0.72]) * (1 - 0.4 * warmth)
    blend = np.clip(np.sin(rise), 0, 1)[..., None] ** 0.45
    clear = haze * (1 - blend) + zenith * blend
    towards = sun_direction(place.sun)
    way = np.stack(
        [np.cos(rise) * np.cos(turn), np.cos(rise) * np.sin(turn), np.sin(rise) + 0 * turn], axis=2
    )
    near_sun = np.clip(way @ towards, 0, 1)[..., None]
    glow = np.array([1.0, 0.85, 0.6]) * (0.35 * near_sun**24 + 3.0 * near_sun**900)
    cover = (
        _clouds(rise, turn, place.clouds)[..., None] * np.clip(np.sin(rise) * 6, 0, 1)[..., None]
    )
    white = np.array([1.15, 1.13, 1.12]) * (1 - warmth * np.array([0.0, 0.2, 0.35]))
    return (clear + glow) * (1 - cover) + white * cover


def _clouds(rise: FloatArray, turn: FloatArray, share: float) -> FloatArray:
    """How thick clouds are in each direction, (rows, columns), 0 to 1."""
    size = 512
    noise = np.random.default_rng(17).standard_normal((size, size))
    waves = np.fft.fftfreq(size) * size
    steep = np.maximum(np.hypot(waves[:, None], waves[None, :] * 1.6), 3.0) ** -1.75
    field = np.fft.ifft2(np.fft.fft2(noise) * steep).real
    field = (field - field.mean()) / field.std()
    away = 60.0 / np.tan(np.maximum(rise, 0.05))
    x = (away * np.cos(turn)).astype(np.int64) % size
    y = (away * np.sin(turn)).astype(np.int64) % size
    limit = np.quantile(field, 1 - np.clip(share, 0.01, 0.99))
    thick: FloatArray = np.clip((field[y, x] - limit) * 1.1, 0, 0.85)
    return thick


def sun_map(towards: FloatArray, corners: FloatArray, *, finest: float, most: int) -> Any:
    """An empty map, as the sun sees it, that holds all corners, (corners, 3).

    It has texels of `finest` metres, or larger ones where more than `most` would be needed
    along a side.
    """
    level = np.array([0.0, 0.0, 1.0]) if abs(towards[2]) < 0.9 else np.array([1.0, 0.0, 0.0])
    across = np.cross(level, towards)
    across /= np.linalg.norm(across)
    along = np.cross(towards, across)
    flat = corners @ np.stack([across, along], axis=1)
    low, high = flat.min(axis=0), flat.max(axis=0)
    table: Any = SunMap()
    # In steps, so that the texels stay where they are while people walk on.
    coarser = max(float((high - low).max()) / (most - 3) / finest, 1.0)
    table.texel = finest * 2 ** (math.ceil(4 * math.log2(coarser)) / 4)
    low = (np.floor(low / table.texel) - 1) * table.texel
    table.across, table.along = wp.vec3(*across), wp.vec3(*along)
    table.low = wp.vec2(*low)
    table.width, table.height = (int(each) + 2 for each in (high - low) / table.texel)
    return table
