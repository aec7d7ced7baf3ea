"""Sun and sky as kernels need them, and the maps of what the sun sees."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from paseo.camera import scene, solar
from paseo.camera.keeping import Keeping
from paseo.camera.kernels import wp
from paseo.camera.kernels.layout import Light, SunMap
from paseo.camera.lamplight import glow, near_ground
from paseo.camera.scene import Place, Sun
from paseo.camera.solar import air_mass
from paseo.world.arrays import FloatArray

DOME = (192, 768)  # rows from the horizon to the zenith, columns around
NOWHERE = -1e30
NOON_SUN = np.array([2.15, 2.00, 1.78])  # where it stands 50 degrees high
USUAL_AIR = 1.305  # which its light then has to pass
# How much of red, green and blue each air overhead takes: molecules and some dust (Bird and
# Hulstrom 1981 give 0.1 to 0.5 over these colours, in hazy air).
THICKNESS = np.array([0.14, 0.21, 0.34])
CLOUD_STEP = 9.0  # towards the sun, where a cloud is compared with itself
USUAL_LIGHT = 2.33  # that then falls on the ground
MOST_BYTES = 192_000_000  # kept of skies and shadows: some fifteen hours of the day
LIGHT = Keeping(
    name="light",
    sources=(Path(__file__).parent, Path(scene.__file__), Path(solar.__file__)),
    most_bytes=MOST_BYTES,
)


def sun_direction(sun: Sun) -> FloatArray:
    """The way to the sun, (3,), unit length."""
    flat = math.cos(sun.elevation)
    return np.array(
        [flat * math.cos(sun.azimuth), flat * math.sin(sun.azimuth), math.sin(sun.elevation)]
    )


def light_of(place: Place, device: str) -> Any:
    """The daylight of a place."""
    day = _day(place)
    table: Any = Light()
    table.towards = wp.vec3(*sun_direction(place.sun))
    for name in ("sun", "sky", "ground", "haze", "low"):
        setattr(table, name, wp.vec3(*getattr(day, name)))
    key = f"sky {place.sun.azimuth!r} {place.sun.elevation!r} {place.clouds!r}"
    dome = LIGHT.kept(key, lambda: {"dome": _dome(place, day).astype(np.float32)})["dome"]
    table.dome = wp.array(dome.reshape(-1, 3), dtype=wp.vec3, device=device)
    table.dome_rows, table.dome_columns = DOME
    table.exposure = day.exposure
    table.lamps = glow(place)
    _put_pools(table, place, device)
    return table


def _put_pools(table: Any, place: Place, device: str) -> None:
    """Tell a table of light what lamps add near the ground, and what houses take away."""
    found = near_ground(place)
    if found is None:
        table.pools = wp.zeros(1, dtype=wp.vec4, device=device)
        return
    grid, cells = found
    rows, columns, _ = cells.shape
    flat = cells.reshape(-1, 4).astype(np.float32)
    table.pools = wp.array(flat, dtype=wp.vec4, device=device)
    table.pool_rows, table.pool_columns = rows, columns
    table.pool_corner, table.pool_cells = wp.vec2(*grid.corner), 1 / grid.cell


@dataclass(frozen=True, slots=True, kw_only=True)
class _Day:
    """The colours of the light at an hour and under a sky, linear; arrays are (3,)."""

    sun: FloatArray
    sky: FloatArray
    ground: FloatArray
    haze: FloatArray
    low: FloatArray  # of the bright part of the sky, around a low sun
    zenith: FloatArray
    warmth: float  # 0 by day, 1 at sunset
    exposure: float


def _day(place: Place) -> _Day:
    """Sunlight loses blue on its way through the air; clouds spread it."""
    height = math.sin(place.sun.elevation)
    warmth = float(np.clip(1 - height / 0.42, 0, 1)) ** 1.5
    overcast = float(np.clip((place.clouds - 0.6) / 0.35, 0, 1))
    lost = np.exp(-THICKNESS * (air_mass(place.sun.elevation) - USUAL_AIR))
    sun = NOON_SUN * np.minimum(lost, 1.12) * (1 - 0.94 * overcast)
    dimmed = 0.42 + 0.58 * min(height / 0.55, 1.0) ** 0.6
    sky = np.array([0.70, 0.79, 0.95]) * dimmed * (1 - warmth * np.array([0.34, 0.26, 0.10]))
    low = np.array([0.80, 0.52, 0.28]) * dimmed * warmth * (1 - overcast)
    haze = np.array([0.66, 0.78, 0.92]) * dimmed * (1 - warmth * np.array([-0.25, 0.08, 0.38]))
    zenith = np.array([0.13, 0.30, 0.72]) * dimmed
    grey = np.array([0.80, 0.83, 0.87]) * dimmed
    sky, haze = (each * (1 - overcast) + grey * overcast for each in (sky, haze))
    fallen = sky + 0.5 * low + sun * max(height, 0.3)
    ground = 0.30 * np.array([1.0, 0.93, 0.84]) * fallen * 0.8
    # As a camera does, but not all the way: an evening stays darker than a noon.
    exposure = 0.61 * (USUAL_LIGHT / float(fallen.mean())) ** 0.55
    return _Day(
        sun=sun,
        sky=sky,
        ground=ground,
        haze=haze,
        low=low,
        zenith=zenith * (1 - overcast) + 0.8 * grey * overcast,
        warmth=warmth,
        exposure=exposure,
    )


def _dome(place: Place, day: _Day) -> FloatArray:
    """The sky in all directions, (rows, columns, 3)."""
    rows, columns = DOME
    rise = np.linspace(0, math.pi / 2, rows)[:, None]
    turn = np.linspace(0, math.tau, columns, endpoint=False)[None, :]
    towards = sun_direction(place.sun)
    way = np.stack(
        [np.cos(rise) * np.cos(turn), np.cos(rise) * np.sin(turn), np.sin(rise) + 0 * turn], axis=2
    )
    near_sun = np.clip(way @ towards, -1, 1)[..., None]
    blend = np.clip(np.sin(rise), 0, 1)[..., None] ** 0.45
    # In the evening the horizon is gold towards the sun and bluish opposite to it.
    side = 0.5 + 0.5 * near_sun
    away = day.haze * np.array([0.78, 0.88, 1.15])
    rim = day.haze * (1 - day.warmth) + (day.haze * side + away * (1 - side)) * day.warmth
    clear = rim * (1 - blend) + day.zenith * blend
    disc = np.clip(near_sun, 0, 1)
    shine = np.minimum(day.sun / NOON_SUN[0], 1.0)
    glow = shine * ((0.35 + 0.5 * day.warmth) * disc ** (24 - 14 * day.warmth) + 6 * disc**1200)
    cover, bright = (each[..., None] for each in _clouds(rise, turn, place))
    cover = cover * np.clip(np.sin(rise) * 6, 0, 1)[..., None]
    lit = 0.26 * day.sun * (0.8 + 0.5 * side + 0.35 * day.warmth)
    return (clear + glow) * (1 - cover) + (0.58 * day.sky + lit * bright) * cover


def _clouds(rise: FloatArray, turn: FloatArray, place: Place) -> tuple[FloatArray, FloatArray]:
    """How thick clouds are in each direction, 0 to 1, and how bright; both (rows, columns).

    They are brighter where they rise towards the sun, and darker where they are thick.
    """
    size = 512
    noise = np.random.default_rng(17).standard_normal((size, size))
    waves = np.fft.fftfreq(size) * size
    steep = np.maximum(np.hypot(waves[:, None], waves[None, :] * 1.6), 3.0) ** -1.75
    field = np.fft.ifft2(np.fft.fft2(noise) * steep).real
    field = (field - field.mean()) / field.std()
    away = 60.0 / np.tan(np.maximum(rise, 0.05))
    x, y = away * np.cos(turn), away * np.sin(turn)
    limit = np.quantile(field, 1 - np.clip(place.clouds, 0.01, 0.99))
    here = _between(field, x, y)
    to_sun = CLOUD_STEP * sun_direction(place.sun)
    beside = _between(field, x + to_sun[0], y + to_sun[1])
    thick: FloatArray = np.clip((here - limit) * 1.1, 0, 0.88)
    bright: FloatArray = np.clip(1.12 + 0.55 * (here - beside) - 0.28 * (here - limit), 0.45, 1.5)
    return thick, bright


def _between(field: FloatArray, x: FloatArray, y: FloatArray) -> FloatArray:
    """A field that repeats, between its values."""
    size = len(field)
    left, low = np.floor(x).astype(np.int64), np.floor(y).astype(np.int64)
    s, t = x - left, y - low
    near = field[low % size, left % size] * (1 - s) + field[low % size, (left + 1) % size] * s
    far = field[(low + 1) % size, left % size] * (1 - s)
    far = far + field[(low + 1) % size, (left + 1) % size] * s
    value: FloatArray = near * (1 - t) + far * t
    return value


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
