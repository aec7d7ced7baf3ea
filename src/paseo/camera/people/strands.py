"""Textures of hair, lashes and eyes."""

from functools import cache

import numpy as np

from paseo.camera.meshes import ByteArray, Colour, Float32Array
from paseo.camera.people.fabrics import mixture
from paseo.camera.people.keeping import kept_texture
from paseo.camera.people.noise import noise, ramp

STRANDS = 90  # hairs on a strip
SILVER: Colour = (0.62, 0.62, 0.62)  # of hair that has turned grey


@cache
def hair_strips(grey: float, seed: int) -> ByteArray:
    """Four strips of hairs side by side, (256, 256, 4): dense at the root (top), then thin.

    Its dyes are the hair's own colour and `SILVER`.
    """
    return kept_texture(f"strips {grey} {seed}", lambda: _strips(grey, seed))


def _strips(grey: float, seed: int) -> ByteArray:
    shade, rank = _hairs(seed)
    silver = ramp(rank, grey + 0.25, grey - 0.25) * min(1.0, 1.6 * grey)
    alpha = np.where(shade == 0, 0, 255).astype(np.uint8)
    return mixture(silver, np.where(shade == 0, 1, shade).astype(np.float32), alpha)


def _hairs(seed: int) -> tuple[Float32Array, Float32Array]:
    """The brightness of every hair, 0 between them, and its rank by when it turns grey."""
    size = 256
    rng = np.random.default_rng([seed, 1])
    row = np.linspace(0, 1, size)
    shade, rank = np.zeros((2, size, size), dtype=np.float32)
    for strip in range(4):
        for _ in range(STRANDS):
            start, bend = rng.uniform(3, 61), rng.normal(0, 5)
            sway = rng.normal(0, 1.5) * np.sin(row * rng.uniform(3, 9) + rng.uniform(0, 6))
            middle = 32 + (start - 32) * (1 - 0.45 * row**2) + bend * row**2 + sway
            end = 1 - 0.35 * rng.random() ** 1.8 - 0.18 * abs(start - 32) / 32
            rows = np.nonzero((row < end) & (row >= 0.14 * rng.random()))[0]
            bright, when, thick = rng.uniform(0.62, 1.3), rng.random(), 1 + (rng.random() < 0.55)
            for offset in range(thick):
                column = np.clip(middle[rows].astype(int) + offset, 1, 62) + 64 * strip
                shade[rows, column], rank[rows, column] = bright, when
    return shade, rank


@cache
def hair_shell(grey: float, seed: int) -> ByteArray:
    """Hair from the hairline (bottom) inwards, (256, 256, 4): ragged at the line, then closed.

    Its dyes are the hair's own colour and `SILVER`.
    """
    return kept_texture(f"shell {grey} {seed}", lambda: _shell(grey, seed))


def _shell(grey: float, seed: int) -> ByteArray:
    size = 256
    inward = np.linspace(1, 0, size)[:, None]
    streaks = noise(seed, size, 0.55, 0.22)
    fine = noise(seed + 1, size, 0.15, 0.12)
    cover = inward + 0.035 * streaks + 0.05 * fine > 0.10
    some = np.clip(0.5 + 0.3 * noise(seed + 2, size, 0.3, 0.12), 0, 1)
    alpha = np.where(cover, 255, 0).astype(np.uint8)
    return mixture(np.clip(grey * 2 * some, 0, 1), 0.80 + 0.13 * streaks + 0.10 * fine, alpha)


@cache
def lashes() -> ByteArray:
    """A row of lashes from the lid (v = 0) up, (64, 128, 4)."""
    rng = np.random.default_rng(3)
    image = np.zeros((64, 128, 4), dtype=np.uint8)
    image[..., :3] = 22
    rows = np.arange(64)
    for start in np.arange(2, 126, 3.2):
        bend, length = rng.normal(0, 5), rng.uniform(0.45, 0.95)
        used = rows < 64 * length
        column = (start + bend * (rows / 64) ** 2).astype(int)
        image[63 - rows[used], np.clip(column[used], 0, 127), 3] = 255
        image[63 - rows[used][: 64 // 3], np.clip(column[used][: 64 // 3] + 1, 0, 127), 3] = 255
    return image


@cache
def eyeball(iris: Colour, seed: int) -> ByteArray:
    """An eye from the front, (128, 128, 4): pupil, iris with its dark rim, white with pink rims."""
    return kept_texture(f"eye {iris} {seed}", lambda: _eyeball(iris, seed))


def _eyeball(iris: Colour, seed: int) -> ByteArray:
    size = 128
    y, x = (np.mgrid[:size, :size] + 0.5) / size * 2 - 1
    radius, turn = np.hypot(x, y), np.arctan2(y, x)
    white = np.array([0.70, 0.66, 0.64]) - ramp(radius, 0.45, 0.9)[..., None] * [0.16, 0.24, 0.24]
    rays = 1 + 0.22 * np.sin(turn * 23 + 3 * np.sin(turn * 5 + seed)) * ramp(radius, 0.1, 0.3)
    ring = 1 - 0.65 * ramp(radius, 0.33, 0.44)
    colour = np.array(iris) * (rays * ring)[..., None]
    image = white + (colour - white) * ramp(radius, 0.47, 0.43)[..., None]
    image *= 1 - 0.97 * ramp(radius, 0.21, 0.17)[..., None]
    glint = ramp(np.hypot(x + 0.13, y + 0.16), 0.09, 0.05)[..., None]
    image = image + (1 - image) * 0.6 * glint
    image *= 1 - 0.55 * ramp(-y, 0.05, 0.6)[..., None]  # the upper lid's shade
    out = np.full((size, size, 4), 255, dtype=np.uint8)
    out[..., :3] = np.clip(image * 255, 0, 255)
    return out
