"""PNG files, read back by Pillow."""

import io

import numpy as np
import pytest
from PIL import Image

from paseo.vqa.synthetic.png import png_bytes


@pytest.mark.parametrize("level", [0, 1])
@pytest.mark.parametrize("shape", [(1, 1, 3), (7, 5, 3), (40, 64, 3)])
def test_pillow_reads_the_same_picture(shape: tuple[int, int, int], level: int) -> None:
    picture = np.random.default_rng(0).integers(0, 256, shape, dtype=np.uint8)
    read = Image.open(io.BytesIO(png_bytes(picture, level)))
    assert read.mode == "RGB" and (np.asarray(read) == picture).all()


def test_a_flat_picture_becomes_a_small_file() -> None:
    assert len(png_bytes(np.full((100, 100, 3), 200, np.uint8))) < 500
