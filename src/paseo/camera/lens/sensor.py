"""What a real sensor makes of a picture: noise, holes, a range, blur, exposure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from paseo.camera.lens.image import Image
from paseo.errors import BadValue
from paseo.world.cameras import CameraSensor

FULL_WELL = 255.0
SHOTS = 6  # moments that blur is made of
BANDS = 8  # of rows that a rolling shutter reads at once
SLOWEST = 1.0  # seconds that a shutter is open, or rows are read, at most


@dataclass(frozen=True, slots=True)
class Shutter:
    """How long a picture takes, in seconds; as it stands, no time at all."""

    open: float = 0.0  # what moves meanwhile is blurred
    readout: float = 0.0  # from the first row to the last; what moves leans

    def __post_init__(self) -> None:
        for name in ("open", "readout"):
            if not 0 <= getattr(self, name) <= SLOWEST:
                raise BadValue(
                    f"a shutter's {name} is {getattr(self, name):g} s, expected 0 to {SLOWEST:g}"
                )


def watched(take: Callable[[float], Image], time: float, shutter: Shutter) -> Image:
    """The picture that is read out at a time; `take` has perfect ones of any time before.

    A shutter that stays open mixes the light of `SHOTS` moments, a rolling one reads `BANDS`
    bands of rows one after the other; depth, ids and normals are of a band's last moment.
    """
    bands = BANDS if shutter.readout else 1
    shots = SHOTS if shutter.open else 1
    read = [time - shutter.readout * (bands - 1 - k) / max(bands - 1, 1) for k in range(bands)]
    taken = [
        motion_blurred([take(max(end - shutter.open * k / shots, 0.0)) for k in range(shots)[::-1]])
        for end in read
    ]
    return rolling(taken) if bands > 1 else taken[0]


def _delays(shutter: float, shots: int) -> list[float]:
    """How long before the end each moment of an open shutter is, the first one first."""
    return [shutter * k / shots for k in reversed(range(shots))]


def sensed(image: Image, sensor: CameraSensor, rng: np.random.Generator) -> Image:
    """The picture as the sensor tells it; ids and normals stay the truth."""
    return replace(image, rgb=exposed(image.rgb, sensor, rng), depth=ranged(image, sensor, rng))


def exposed(
    rgb: NDArray[np.uint8], sensor: CameraSensor, rng: np.random.Generator
) -> NDArray[np.uint8]:
    """Colours with another exposure and with noise, of which darkness has less."""
    if sensor.exposure == 1 and not sensor.noise and not sensor.row_noise:
        return rgb
    height, width, _ = rgb.shape
    light = (rgb / FULL_WELL) ** 2.2 * sensor.exposure
    bright = FULL_WELL * np.clip(light, 0, 1) ** (1 / 2.2)
    if sensor.noise:
        # Photons come by chance: the deviation grows with the root of the light.
        deviation = sensor.noise * np.sqrt(0.15 + 1.7 * bright / FULL_WELL)
        bright = bright + deviation * rng.standard_normal((height, width, 3))
    if sensor.row_noise:
        bright = bright + sensor.row_noise * rng.standard_normal((height, 1, 1))
    return np.clip(np.round(bright), 0, 255).astype(np.uint8)


def ranged(image: Image, sensor: CameraSensor, rng: np.random.Generator) -> NDArray[np.float32]:
    """Depth within the sensor's range, with its noise and its holes; NaN where it tells none."""
    depth = image.depth.astype(np.float64)
    if sensor.depth_noise:
        depth = depth + sensor.depth_noise * depth**2 * rng.standard_normal(depth.shape)
    if sensor.depth_holes:
        depth[_steep(image.depth) & (rng.random(depth.shape) < sensor.depth_holes)] = np.nan
    farthest = np.inf if sensor.max_range is None else sensor.max_range
    with np.errstate(invalid="ignore"):
        depth[~((depth >= sensor.min_range) & (depth <= farthest))] = np.nan
    return depth.astype(np.float32)


def _steep(depth: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Where depth jumps or falls away within a pixel or two: no sensor gets an answer there."""
    jump = np.zeros(depth.shape, bool)
    with np.errstate(invalid="ignore"):
        for found, lines in ((jump, depth), (jump.T, depth.T)):
            wide = ~(np.abs(np.diff(lines, axis=0)) < 0.04 * np.minimum(lines[1:], lines[:-1]))
            found[1:] |= wide
            found[:-1] |= wide
    return jump


def motion_blurred(images: Sequence[Image]) -> Image:
    """Pictures taken while the shutter was open as one: their mean light; the rest of the last."""
    if not images:
        raise BadValue("no picture was taken while the shutter was open, expected one at least")
    if len(images) == 1:
        return images[0]
    light = np.mean([(image.rgb / FULL_WELL) ** 2.2 for image in images], axis=0)
    rgb = np.round(FULL_WELL * light ** (1 / 2.2)).astype(np.uint8)
    return replace(images[-1], rgb=rgb)


def rolling(images: Sequence[Image]) -> Image:
    """Pictures taken one after the other as one whose rows are read from the first to the last."""
    if not images:
        raise BadValue("a rolling shutter read no picture, expected one at least")
    height = len(images[0].rgb)
    source = np.minimum(np.arange(height) * len(images) // height, len(images) - 1)
    rows = np.arange(height)
    return Image(
        rgb=np.stack([each.rgb for each in images])[source, rows],
        depth=np.stack([each.depth for each in images])[source, rows],
        ids=np.stack([each.ids for each in images])[source, rows],
        normals=np.stack([each.normals for each in images])[source, rows],
    )
