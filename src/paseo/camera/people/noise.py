"""Noise that repeats at the edges of a picture, the same for the same seed."""

from functools import cache

import numpy as np

from paseo.camera.meshes import Float32Array


def noise(seed: int, size: int, roughness: float, stretch: float = 1.0) -> Float32Array:
    """Noise of mean 0 and deviation 1, (size, size).

    Seeds move one and the same noise about, which is much faster than to make another.

    Its power falls with frequency to the power of `roughness` (0 is white, 2 like clouds); a
    stretch over 1 draws it out from top to bottom.
    """
    across, down = np.random.default_rng(seed).integers(0, size, 2)
    return np.roll(_noise(size, roughness, stretch), (down, across), axis=(0, 1))


@cache
def _noise(size: int, roughness: float, stretch: float) -> Float32Array:
    white = np.random.default_rng(size).standard_normal((size, size))
    rows = np.fft.fftfreq(size)[:, None] * size * stretch
    columns = np.fft.rfftfreq(size)[None] * size
    frequency = np.maximum(np.hypot(rows, columns), 1.0)
    spectrum = np.fft.rfft2(white) / frequency**roughness
    spectrum[0, 0] = 0
    plain = np.fft.irfft2(spectrum, s=(size, size))
    return (plain / plain.std()).astype(np.float32)


def bump(
    x: Float32Array, y: Float32Array, *, at: tuple[float, float], wide: tuple[float, float]
) -> Float32Array:
    """A bell over two coordinates, 1 at its middle."""
    return np.exp(-(((x - at[0]) / wide[0]) ** 2) - ((y - at[1]) / wide[1]) ** 2)


def ramp(x: Float32Array, low: float | Float32Array, high: float | Float32Array) -> Float32Array:
    """0 below `low`, 1 above `high`, smooth between; falls if `low` is over `high`."""
    part = np.clip((x - low) / (high - low), 0, 1)
    return part * part * (3 - 2 * part)
