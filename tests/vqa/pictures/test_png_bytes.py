"""PNG files, read back by Pillow."""

import io

import numpy as np
import pytest
from PIL import Image

from paseo.vqa.pictures.photos import png_bytes


def read(content: bytes) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.asarray(Image.open(io.BytesIO(content)).convert("RGB"))


@pytest.mark.parametrize("shape", [(1, 1, 3), (7, 5, 3), (40, 64, 3)])
def test_few_colours_are_read_back_as_they_were(shape: tuple[int, int, int]) -> None:
    picture = np.random.default_rng(0).integers(0, 2, shape, dtype=np.uint8) * 255
    assert (read(png_bytes(picture)) == picture).all()


def test_a_photograph_keeps_its_look() -> None:
    rows, columns = np.mgrid[:90, :160]
    picture = np.stack([rows * 2, columns, 255 - rows], axis=2).astype(np.uint8)
    off = np.abs(read(png_bytes(picture)).astype(int) - picture)
    assert off.mean() < 8 and off.max() < 64


def test_a_flat_picture_becomes_a_small_file() -> None:
    assert len(png_bytes(np.full((100, 100, 3), 200, np.uint8))) < 1500
