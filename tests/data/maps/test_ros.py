"""ROS maps against cells worked out by hand from map_server's rules."""

import math
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from paseo.data.maps.ros import ros_floorplan
from paseo.errors import BadValue

KEYS = {
    "image": "m.pgm",
    "resolution": 0.5,
    "origin": [1.0, 2.0, 0.0],
    "negate": 0,
    "occupied_thresh": 0.65,
    "free_thresh": 0.196,
}


def yaml_of(**keys: object) -> str:
    return "\n".join(f"{key}: {value}" for key, value in (KEYS | keys).items())


def free_cells(folder: Path, pixels: object, **keys: object) -> list[list[int]]:
    """The free grid, top row first like the picture, of an image saved as PNG."""
    Image.fromarray(np.array(pixels, np.uint8)).save(folder / "m.png")
    plan = ros_floorplan(yaml_of(image="m.png", **keys), folder, "m")
    return plan.free[::-1].astype(int).tolist()


@pytest.mark.parametrize(
    "data",
    [
        b"P5\n# map_saver\n3 2\n255\n\xfe\x00\xcd\xfe\xfe\xce",
        b"P2\n3 2\n255\n254 0 205\n254 254 206\n",
    ],
)
def test_pgm_rows_go_from_top_to_bottom_and_only_white_is_free(tmp_path, data):
    (tmp_path / "m.pgm").write_bytes(data)
    plan = ros_floorplan(yaml_of(), tmp_path, "office")
    # 205 is p = 50/255 = 0.19608, just above free_thresh: unknown. 206 is 0.192: free.
    assert plan.free.tolist() == [[True, True, True], [True, False, False]]
    assert (plan.name, plan.cell_size, plan.origin) == ("office", 0.5, (1.0, 2.0))
    assert plan.clearance(1.25, 2.75) == pytest.approx(0.25)
    assert plan.clearance(1.75, 2.75) == pytest.approx(-0.25)


def test_negate_makes_black_free(tmp_path):
    assert free_cells(tmp_path, [[0, 255, 40, 60]], negate=1) == [[1, 0, 1, 0]]


def test_free_means_below_the_threshold_not_at_it(tmp_path):
    assert free_cells(tmp_path, [[203, 204, 205]], free_thresh=0.2) == [[0, 0, 1]]


def test_colours_are_averaged(tmp_path):
    assert free_cells(tmp_path, [[[255, 255, 255], [255, 120, 255], [255, 105, 255]]]) == [
        [1, 1, 0]
    ]


def test_trinary_averages_alpha_like_a_colour(tmp_path):
    # White but transparent: (3 * 255 + 0) / 4 = 191, p = 0.25: unknown. Grey 200: 213.75, free.
    pixels = [[[255, 255, 255, 0], [200, 200, 200, 255], [255, 255, 255, 255]]]
    assert free_cells(tmp_path, pixels) == [[0, 1, 1]]


def test_scale_takes_whatever_is_not_opaque_as_unknown(tmp_path):
    pixels = [[[255, 255, 255, 254], [200, 200, 200, 255], [255, 255, 255, 255]]]
    assert free_cells(tmp_path, pixels, mode="scale") == [[0, 0, 1]]


def test_raw_values_are_percent_and_more_than_100_is_unknown(tmp_path):
    assert free_cells(tmp_path, [[0, 19, 20, 100, 255]], mode="raw") == [[1, 1, 0, 0, 0]]


def test_grey_with_alpha_counts_as_three_colours_and_alpha(tmp_path):
    Image.fromarray(np.array([[[204, 255], [150, 255]]], np.uint8)).save(tmp_path / "m.png")
    plan = ros_floorplan(yaml_of(image="m.png"), tmp_path, "m")
    assert plan.free.tolist() == [[True, False]]  # (3 * 204 + 255) / 4 = 216.75; 176.25


def test_palettes_bits_and_16_bit_greys_are_understood(tmp_path):
    two = Image.fromarray(np.array([[255, 0]], np.uint8))
    deep = Image.fromarray(np.array([[65535, 30000]], np.uint16))
    for image in (two.convert("P"), two.convert("1"), deep):
        image.save(tmp_path / "m.png")
        assert ros_floorplan(yaml_of(image="m.png"), tmp_path, "m").free.tolist() == [[True, False]]


def test_yaw_turns_the_walls_about_the_origin(tmp_path):
    (tmp_path / "m.pgm").write_bytes(b"P5\n4 2\n255\n" + b"\xfe" * 8)  # 2 m by 1 m
    plan = ros_floorplan(yaml_of(origin=[1.0, 2.0, math.pi / 2]), tmp_path, "m")
    assert plan.bounds == pytest.approx((0, 2, 1, 4), abs=0.051)
    assert plan.clearance(0.5, 3.0) == pytest.approx(0.5)
    assert plan.area == pytest.approx(2, rel=0.05)


def test_turning_the_map_keeps_clearances(tmp_path):
    (tmp_path / "m.pgm").write_bytes(b"P5\n3 2\n255\n\xfe\x00\xcd\xfe\xfe\xce")
    flat = ros_floorplan(yaml_of(origin=[0, 0, 0]), tmp_path, "m")
    turned = ros_floorplan(yaml_of(origin=[5, -3, 0.7]), tmp_path, "m")
    for x, y in [(0.2, 0.3), (0.75, 0.6), (1.4, 0.1), (-1.0, 0.5)]:
        u = 5 + x * math.cos(0.7) - y * math.sin(0.7)
        v = -3 + x * math.sin(0.7) + y * math.cos(0.7)
        assert turned.clearance(u, v) == pytest.approx(flat.clearance(x, y))


def test_numbers_as_yaml_cpp_writes_them_and_keys_of_other_tools_are_read(tmp_path):
    (tmp_path / "m.pgm").write_bytes(b"P5\n1 1\n255\n\xfe")
    text = yaml_of(resolution="5e-2", origin="[1e-05, 0, 0]", negate="false", saved_by="slam")
    assert ros_floorplan(text, tmp_path, "m").cell_size == 0.05


def test_the_image_path_may_be_absolute(tmp_path):
    (tmp_path / "m.pgm").write_bytes(b"P5\n1 1\n255\n\xfe")
    elsewhere = tmp_path / "elsewhere"
    assert ros_floorplan(yaml_of(image=tmp_path / "m.pgm"), elsewhere, "m").free.all()


@pytest.mark.parametrize(
    ("keys", "problem"),
    [
        ({"resolution": 0}, "resolution is 0, expected metres per pixel"),
        ({"resolution": -0.05}, "resolution is -0.05"),
        ({"resolution": ".nan"}, "resolution is nan"),
        ({"resolution": 1e300}, r"resolution is 1e\+300"),
        ({"resolution": "fine"}, "resolution: it is a text, expected metres per pixel"),
        ({"origin": [0, 0]}, r"origin: it has not 3 numbers, expected \[x, y, yaw\]"),
        ({"origin": "[0, .inf, 0]"}, "origin is .*inf"),
        ({"negate": 2}, "negate: it is an integer, expected 0 or 1"),
        ({"mode": "ternary"}, "mode: .*'ternary', expected trinary, scale or raw"),
        ({"free_thresh": 0.9}, "expected 0 < free_thresh <= occupied_thresh"),
        ({"free_thresh": 0.001}, "no pixel of m.pgm is free"),
        ({"image": "none.pgm"}, "none.pgm cannot be read .No such file"),
        ({"image": "."}, "cannot be read"),
        ({"image": "[1]"}, "image: it is a list, expected a path"),
        ({"image": "!!python/name:os.system"}, "line 1: could not determine a constructor"),
    ],
)
def test_each_wrong_key_is_named_with_what_was_expected(tmp_path, keys, problem):
    (tmp_path / "m.pgm").write_bytes(b"P5\n1 1\n255\n\xfe")
    with pytest.raises(BadValue, match=problem):
        ros_floorplan(yaml_of(**keys), tmp_path, "m")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "top level: it is empty, expected image"),
        ("- 1", "top level: it is a list"),
        ("image: m.pgm", "missing required field `resolution`"),
        ("image: [m.pgm", "line 2: .*expected YAML"),
        ("image: 2024-13-45", "expected YAML"),
        ("[" * 9000, "expected YAML"),
    ],
)
def test_text_that_is_no_map_yaml_is_named(tmp_path, text, problem):
    with pytest.raises(BadValue, match=problem):
        ros_floorplan(text, tmp_path, "m")


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "m.pgm cannot be read"),
        (b"GIF89a", "m.pgm cannot be read"),
        (b"P5\n3 2\n255\n\xfe\x00", "m.pgm cannot be read .*whole PGM or PNG"),
        (b"P2\n3 2\n255\n254 0 205", "m.pgm cannot be read"),
        (b"P2\n1 1\n255\nx", "m.pgm cannot be read"),
        (b"P5\n9000 9000\n255\n1", "9000 x 9000 pixels, expected at most"),
        (b"P5\n12000 12000\n255\n1", "12000 x 12000 pixels, expected at most"),
        (b"P5\n99999 99999\n255\n1", "m.pgm cannot be read .*exceeds limit"),
    ],
)
def test_a_broken_or_absurd_image_is_named_before_it_is_decoded(tmp_path, data, problem):
    (tmp_path / "m.pgm").write_bytes(data)
    with pytest.raises(BadValue, match=problem):
        ros_floorplan(yaml_of(), tmp_path, "m")


def test_a_png_cut_off_before_its_last_pixel_is_named(tmp_path):
    noise = np.random.default_rng(0).integers(0, 256, (20, 20), np.uint8)
    Image.fromarray(noise).save(tmp_path / "whole.png")
    whole = (tmp_path / "whole.png").read_bytes()
    for cut in range(0, len(whole) - 40, 5):
        (tmp_path / "m.png").write_bytes(whole[:cut])
        with pytest.raises(BadValue, match=r"m\.png cannot be read"):
            ros_floorplan(yaml_of(image="m.png"), tmp_path, "m")


@pytest.mark.parametrize("yaw", [0.0, 0.7])
def test_an_image_of_nothing_but_grain_is_refused(tmp_path, yaw):
    rows, columns = np.indices((1500, 1500))
    grain = ((rows + columns) % 2 * 255).astype(np.uint8)
    Image.fromarray(grain).save(tmp_path / "m.png")
    with pytest.raises(BadValue, match="4497000 pixels' edges .* expected at most 4000000"):
        ros_floorplan(yaml_of(image="m.png", origin=[0, 0, yaw]), tmp_path, "m")
