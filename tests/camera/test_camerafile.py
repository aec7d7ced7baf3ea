"""Cameras from files."""

import math
from pathlib import Path

import pytest

from paseo.camera.lens.camerafile import camera_entry, read_camera
from paseo.errors import BadFile
from paseo.world.motion import Pose

OPTICS = "width_px = 320\nheight_px = 240\nfx_px = 200\nfy_px = 201\ncx_px = 160\ncy_px = 120\n"


def test_a_file_says_all_that_a_camera_needs(tmp_path: Path):
    file = tmp_path / "camera.toml"
    file.write_text(
        OPTICS + "distortion = [-0.1, 0, 0, 0]\npitch_down_deg = 30\nnear_m = 0.2\n"
        "[at]\nx_m = 1\ny_m = 2\nheading_deg = 90\n"
    )
    camera = read_camera(file)
    assert (camera.width_px, camera.fy, camera.near) == (320, 201, 0.2)
    assert camera.pitch == pytest.approx(math.radians(30))
    assert camera.at == Pose(1, 2, math.pi / 2)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (OPTICS.replace("fx_px = 200", "fx_px = 0"), "fx is 0 pixels"),
        (OPTICS + "zoom = 2", "no key of a camera is called 'zoom'. Known: at, cx_px, cy_px"),
        (OPTICS + "heigth_m = 2", "Did you mean 'height_m'"),
        (OPTICS + "[at]\nx_m = 1\ny_m = 1\nz_m = 2", r"in \[at\] is called 'z_m'. Did you mean"),
        ("height_px = 1", "expected width_px, height_px, fx_px, fy_px, cx_px, cy_px; correct"),
        (OPTICS + "[at]\nx_m = 1", "missing required field `y_m`"),
        (OPTICS + "[at]\nx_m = 1\ny_m = 1\nheading_deg = 1e9", "Expected `float` <= 3600"),
        ("width_px = ", "is no camera"),
    ],
)
def test_a_file_that_is_no_camera_is_told_with_what_is_wrong(
    tmp_path: Path, text: str, sentence: str
):
    file = tmp_path / "camera.toml"
    file.write_text(text)
    with pytest.raises(BadFile, match=sentence):
        read_camera(file)


@pytest.mark.parametrize("heading", [-3600, 3600, 3599.9, 127.3])
def test_a_heading_that_is_taken_is_taken_again_as_it_is_told(tmp_path: Path, heading: float):
    """From degrees to radians and back it is another number, which may lie out of range."""
    file = tmp_path / "camera.toml"
    file.write_text(OPTICS + f"[at]\nx_m = 1\ny_m = 1\nheading_deg = {heading}\n")
    told = camera_entry(read_camera(file))["at"]
    assert told == {"x_m": 1.0, "y_m": 1.0, "heading_deg": heading}


def test_a_file_that_is_no_utf_8_is_told(tmp_path: Path):
    file = tmp_path / "camera.toml"
    file.write_bytes(OPTICS.encode() + b"# H\xf6he\n")
    with pytest.raises(BadFile, match=r"no text in UTF-8 \(byte \d+ is none\); save it as such"):
        read_camera(file)


def test_a_missing_file_is_told(tmp_path: Path):
    with pytest.raises(BadFile, match="cannot be read"):
        read_camera(tmp_path / "none.toml")
