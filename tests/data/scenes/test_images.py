"""Pictures are looked at before they are decoded."""

import struct
import zlib
from pathlib import Path

import numpy as np
import pytest

from paseo.data.scenes.images import check_box, image_size
from paseo.errors import BadFile
from tiny_scenes import picture

HERE = Path("a.png")


def chunk(kind: bytes, data: bytes) -> bytes:
    """A part of a PNG, with the right sum."""
    sum_ = struct.pack(">I", zlib.crc32(kind + data))
    return struct.pack(">I", len(data)) + kind + data + sum_


def png(*parts: bytes, size: tuple[int, int] = (4, 4)) -> bytes:
    """A PNG of this size and these parts."""
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", *size, 8, 2, 0, 0, 0))
    return b"".join([b"\x89PNG\r\n\x1a\n", header, *parts, chunk(b"IEND", b"")])


def bomb(width: int, height: int) -> bytes:
    """A PNG of a few bytes whose header promises that many pixels."""
    return png(chunk(b"IDAT", zlib.compress(bytes(1000))), size=(width, height))


@pytest.mark.parametrize("form", ["JPEG", "PNG"])
def test_the_size_of_a_whole_picture_is_told(form: str) -> None:
    assert image_size(picture(size=(17, 5), form=form), HERE) == (17, 5)


@pytest.mark.parametrize("size", [(20_000, 20_000), (60_000, 60_000), (2**31 - 1, 2**31 - 1)])
def test_a_bomb_is_refused_by_its_header(size: tuple[int, int]) -> None:
    with pytest.raises(BadFile, match="a.png: promises more than 33554432 pixels"):
        image_size(bomb(*size), HERE)


@pytest.mark.parametrize("form", ["JPEG", "PNG"])
@pytest.mark.parametrize("left", [0, 10, 0.5, -30])
def test_a_picture_that_was_cut_short_is_no_whole_picture(form: str, left: float) -> None:
    whole = picture(size=(64, 64), form=form)
    kept = whole[: int(len(whole) * left) if isinstance(left, float) else left]
    with pytest.raises(BadFile, match="is no whole picture .*expected a JPEG or PNG; replace it"):
        image_size(kept, HERE)


def test_a_picture_without_pixels_is_no_whole_picture() -> None:
    with pytest.raises(BadFile, match="is no whole picture .*expected a JPEG or PNG; replace it"):
        image_size(png(), HERE)  # at which the decoder stumbles with an IndexError


@pytest.mark.parametrize("form", ["GIF", "BMP", "TIFF", "WEBP"])
def test_other_formats_are_not_tried(form: str) -> None:
    with pytest.raises(BadFile, match="expected a JPEG or PNG"):
        image_size(picture(form=form), HERE)


@pytest.mark.parametrize(
    ("box", "sentence"),
    [
        ((-8, -8, 0, 0), None),  # a corner of it is in the picture
        ((64, 36, 70, 40), None),
        ((5, 5, 5, 5), None),
        ((-8, 0, -1, 9), "the box -8, 0, -1, 9 is outside the picture of 64 x 36 pixels"),
        ((0, -8, 9, -1), "is outside"),
        ((65, 0, 70, 9), "is outside"),
        ((0, 37, 9, 40), "is outside"),
        ((9, 0, 8, 9), "the box is 9, 0, 8, 9, expected left, top, right, bottom"),
        ((0, 9, 8, 8), "expected left, top, right, bottom"),
    ],
)
def test_a_box_must_show_a_part_of_the_picture(
    box: tuple[float, ...], sentence: str | None
) -> None:
    if sentence is None:
        check_box(np.array(box, np.float64), (64, 36), "person 1")
        return
    with pytest.raises(BadFile, match=f"person 1: .*{sentence}"):
        check_box(np.array(box, np.float64), (64, 36), "person 1")
