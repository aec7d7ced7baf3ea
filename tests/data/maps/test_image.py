"""Occupancy images with a scale, against cells worked out by hand."""

import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from paseo.data.maps.image import image_floorplan
from paseo.errors import BadValue
from paseo.world.space.floorplan import FloorPlan


def plan_of(folder: Path, pixels: object, scale: str | None = "0.5") -> FloorPlan:
    Image.fromarray(np.array(pixels, np.uint8)).save(folder / "hall.png")
    return image_floorplan(folder / "hall.png", scale)


def test_the_scale_gives_the_cell_size_and_the_corner_is_the_origin(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, [[255, 255], [255, 255]])
    assert (plan.name, plan.cell_size, plan.origin) == ("hall", 0.5, (0.0, 0.0))
    assert plan.bounds == (0, 0, 1, 1)
    assert plan.source == "image hall.png, 0.5 m per pixel"
    assert plan.clearance(0.5, 0.4) == pytest.approx(0.4)


def test_a_scale_with_a_corner_moves_the_map(tmp_path: Path) -> None:
    assert plan_of(tmp_path, [[255, 255]], "2,-10,-5.5").bounds == (-10, -5.5, -6, -3.5)


def test_the_top_row_has_the_largest_y(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, [[255, 255, 0], [255, 0, 0]])
    assert plan.free.tolist() == [[True, False, False], [True, True, False]]
    assert plan.clearance(0.75, 0.75) > 0 > plan.clearance(0.75, 0.25)


def test_brighter_than_half_is_free(tmp_path: Path) -> None:
    assert plan_of(tmp_path, [[127, 128]]).free.tolist() == [[False, True]]


def test_the_brightness_of_colours_is_their_average(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, [[[255, 127, 0], [255, 128, 0], [0, 255, 255]]])  # 382, 383 and 510
    assert plan.free.tolist() == [[False, True, True]]


def test_what_is_more_than_half_transparent_is_not_free(tmp_path: Path) -> None:
    pixels = [[[255, 255, 255, 255], [255, 255, 255, 128], [255, 255, 255, 127], [0, 0, 0, 255]]]
    assert plan_of(tmp_path, pixels).free.tolist() == [[True, True, False, False]]


def test_pgm_and_16_bits_are_understood(tmp_path: Path) -> None:
    (tmp_path / "a.pgm").write_bytes(b"P2\n3 1\n255\n254 0 205\n")
    assert image_floorplan(tmp_path / "a.pgm", "1").free.tolist() == [[True, False, True]]
    Image.fromarray(np.array([[32767, 32768]], np.uint16)).save(tmp_path / "b.png")
    assert image_floorplan(tmp_path / "b.png", "1").free.tolist() == [[False, True]]


def test_an_image_without_a_scale_is_answered_with_the_name_to_write(tmp_path: Path) -> None:
    with pytest.raises(BadValue, match=r"does not tell its scale, .*; write hall\.png@0\.05 if"):
        plan_of(tmp_path, [[255]], None)


@pytest.mark.parametrize(
    ("scale", "expected"),
    [
        ("", r"scale is '', expected metres per pixel and maybe x and y .* hall\.png@0\.05,-10"),
        ("x", "scale is 'x', expected metres per pixel and maybe"),
        ("0.05m", "scale is '0.05m', expected metres per pixel and maybe"),
        ("0,05", "scale is '0,05', expected metres per pixel and maybe"),
        ("0.05,1,2,3", "expected metres per pixel and maybe x and y"),
        ("0.05,,", "expected metres per pixel and maybe x and y"),
        ("0", "scale is '0', expected 0.001 to 10 metres per pixel"),
        ("-0.05", "scale is '-0.05', expected 0.001 to 10"),
        ("inf", "scale is 'inf', expected 0.001 to 10"),
        ("nan", "scale is 'nan', expected 0.001 to 10"),
        ("1e9", "scale is '1e9', expected 0.001 to 10"),
        ("0.05,nan,0", "expected a lower left corner within 10000000 m"),
        ("0.05,0,-1e9", "expected a lower left corner within 10000000 m"),
        ("7" * 9000, "scale is '7777.{36}\\.\\.\\.', expected"),
    ],
)
def test_a_bad_scale_is_named_with_what_was_expected(
    tmp_path: Path, scale: str, expected: str
) -> None:
    with pytest.raises(BadValue, match=expected) as caught:
        plan_of(tmp_path, [[255]], scale)
    assert "\n" not in str(caught.value)
    assert "; " in str(caught.value)


def test_an_image_without_free_space_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadValue, match="no pixel is free, expected some .* brighter than half"):
        plan_of(tmp_path, [[0, 100]])


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (None, r"hall\.png cannot be read \(No such file"),
        (b"", r"hall\.png cannot be read"),
        (b"\xff\xd8\xff\xe0 a JPEG in disguise", r"hall\.png cannot be read"),
        (b"P5\n9000 9000\n255\n1", "9000 x 9000 pixels, expected at most"),
    ],
)
def test_a_file_that_is_no_such_image_is_named(
    tmp_path: Path, data: bytes | None, problem: str
) -> None:
    if data is not None:
        (tmp_path / "hall.png").write_bytes(data)
    with pytest.raises(BadValue, match=problem):
        image_floorplan(tmp_path / "hall.png", "0.05")


def test_an_image_of_nothing_but_grain_is_refused_before_its_walls_are_drawn(
    tmp_path: Path,
) -> None:
    rows, columns = np.indices((1500, 1500))
    with pytest.raises(BadValue, match="4497000 pixels' edges .* at most 4000000; remove"):
        plan_of(tmp_path, (rows + columns) % 2 * 255)


def test_an_image_at_which_the_decoder_stumbles_is_told_in_a_sentence(tmp_path: Path) -> None:
    plan_of(tmp_path, [[255, 255]])
    file = tmp_path / "hall.png"
    name, held = b"iCCP", b"icc\0"  # a profile that ends before it begins
    profile = struct.pack(">I", len(held)) + name + held
    profile += struct.pack(">I", zlib.crc32(name + held))
    content = file.read_bytes()
    file.write_bytes(content[:-12] + profile + content[-12:])  # where only IEND may follow
    with pytest.raises(BadValue, match=r"hall.png cannot be read .*expected a whole PGM or PNG"):
        image_floorplan(file, "0.5")
