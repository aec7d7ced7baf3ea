"""Pictures from files that may hold anything."""

import io
import struct
import zlib

import numpy as np
import pytest
from PIL import Image

from marked_scenes import picture
from paseo.errors import BadFile
from paseo.vqa.pictures.photos import jpeg, photo, photo_size, scaled


def bomb(side: int) -> bytes:
    """A PNG that says it has so many pixels on each side."""
    header = b"IHDR" + struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    parts = header, b"IDAT" + zlib.compress(bytes(9))
    chunks = [struct.pack(">I", len(part) - 4) + part + struct.pack(">I", zlib.crc32(part))
              for part in parts]  # fmt: skip
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


@pytest.mark.parametrize(
    "content",
    [b"", b"version https://git-lfs", picture(9, form="GIF"), bomb(20_000), bomb(6_000)],
)
def test_what_is_no_jpeg_or_png_or_too_large_is_refused(content: bytes) -> None:
    with pytest.raises(BadFile, match="scene yard, frame 3: the picture cannot be read"):
        photo_size(content, "scene yard, frame 3")


@pytest.mark.parametrize("form", ["PNG", "JPEG"])
def test_a_picture_that_breaks_off_is_refused(form: str) -> None:
    noise = np.random.default_rng(0).integers(0, 255, (64, 64, 3), np.uint8)
    buffer = io.BytesIO()
    Image.fromarray(noise).save(buffer, form)
    with pytest.raises(BadFile, match="frame 3: .* fetch or export it again"):
        photo(buffer.getvalue()[: len(buffer.getvalue()) // 2], "frame 3")


def test_pictures_become_rgb_with_white_where_they_are_transparent() -> None:
    buffer = io.BytesIO()
    Image.new("RGBA", (4, 3), (255, 0, 0, 0)).save(buffer, "PNG")
    assert photo(buffer.getvalue(), "here").tolist() == [[[255] * 3] * 4] * 3
    assert photo(picture(50), "here").shape == (180, 320, 3)


@pytest.mark.parametrize("form", ["PNG", "JPEG"])
def test_pictures_are_scaled_smoothly(form: str) -> None:
    small = photo(picture(50, form=form), "here", (80, 45))
    assert small.shape == (45, 80, 3)
    assert np.abs(small.astype(int) - 50).max() <= 1
    frame = np.zeros((4, 4, 3), np.uint8)
    assert scaled(frame, (4, 4)) is frame


def test_the_same_frame_gives_the_same_file() -> None:
    frame = np.random.default_rng(0).integers(0, 255, (40, 60, 3), np.uint8)
    assert jpeg(frame) == jpeg(frame.copy())
    assert photo_size(jpeg(frame), "here") == (60, 40)


def test_a_picture_at_which_the_decoder_stumbles_is_told_in_a_sentence() -> None:
    profile = b"iCCP" + b"icc\0"  # ends before it begins
    part = struct.pack(">I", 4) + profile + struct.pack(">I", zlib.crc32(profile))
    whole = picture(9, form="PNG")
    with pytest.raises(BadFile, match="scene yard: the picture cannot be read"):
        photo(whole[:-12] + part + whole[-12:], "scene yard")
