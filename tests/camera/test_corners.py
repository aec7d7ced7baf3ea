"""Cameras and people at the edge of what can be: a right picture, or a sentence."""

import hashlib
import math
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from paseo.camera.lens.image import Image
from paseo.camera.people.library import Library
from paseo.camera.places.places import open_ground
from paseo.camera.view import CameraView
from paseo.cli.main import main
from paseo.errors import BadFile, BadValue
from paseo.world.cameras import Camera, level_camera
from paseo.world.motion import Pose, RobotState, Twist
from paseo.world.people import Crowd, Snapshot
from worlds import ROOM

pytestmark = pytest.mark.extra("camera")
CAMERA = level_camera(64, 48, across=math.radians(75))
ROBOT = RobotState(Pose(5.0, 5.0, 0.0), Twist(0.0, 0.0), 0.3)


def snapshot(*people: tuple[int, float, float]) -> Snapshot:
    """People by id and place."""
    places = np.array([each[1:] for each in people], float).reshape(-1, 2)
    ids = np.array([each[0] for each in people], int)
    return Snapshot(0.0, ROBOT, Crowd(ids, places, 0 * places, np.full(len(people), 0.3)))


def bare_view(place: object = None) -> CameraView:
    from paseo.camera.renderer import Effort

    none = Effort(shadows=False, smooth_edges=False, occlusion=False)
    return CameraView(place or open_ground(5.0, 5.0), effort=none)


@pytest.fixture(scope="module")
def ground() -> CameraView:
    return bare_view()


def seen(view: CameraView, camera: Camera, *people: tuple[int, float, float]) -> Image:
    return view.render(snapshot(*people), camera)


def test_straight_down_the_floor_is_as_far_as_the_camera_is_high(ground: CameraView) -> None:
    image = seen(ground, replace(CAMERA, pitch=math.pi / 2, height=7.0))
    assert image.depth == pytest.approx(np.full((48, 64), 7.0), abs=1e-4)
    assert image.normals[..., 2] == pytest.approx(np.ones((48, 64)), abs=1e-4)


def test_straight_up_there_is_only_sky(ground: CameraView) -> None:
    image = seen(ground, replace(CAMERA, pitch=-math.pi / 2), (1, 7.0, 5.0))
    assert np.isnan(image.depth).all() and (image.ids == -1).all()
    assert image.rgb.min() > 30


def test_one_pixel_shows_what_the_middle_of_the_picture_shows(ground: CameraView) -> None:
    small = replace(CAMERA, width_px=1, height_px=1, fx=1.0, fy=1.0, cx=0.5, cy=0.5)
    image = seen(ground, small, (1, 7.0, 5.0))
    assert image.ids.tolist() == [[1]]
    assert image.depth[0, 0] == pytest.approx(2.0, abs=0.3)


def test_a_row_as_wide_as_can_be_is_drawn(ground: CameraView) -> None:
    wide = replace(CAMERA, width_px=16384, height_px=2, fx=8000.0, cx=8192.0, cy=1.0)
    image = seen(ground, wide, (1, 7.0, 5.0))
    assert image.ids.shape == (2, 16384) and (image.ids == 1).any()


def test_a_camera_above_the_roofs_looks_down_on_a_house_that_it_could_not_stand_in() -> None:
    view = bare_view(ROOM)
    outside = replace(CAMERA, at=Pose(-2.0, 5.0), pitch=1.2)
    with pytest.raises(BadValue, match="stands in a wall of 'room'"):
        seen(view, outside)
    above = seen(view, replace(outside, height=60.0))
    assert np.isfinite(above.depth).any() and np.nanmin(above.depth) > 30


def test_who_stands_in_the_camera_hides_everything(ground: CameraView) -> None:
    inside = seen(ground, replace(CAMERA, height=1.2), (4, 5.0, 5.0), (5, 8.0, 5.0))
    assert (inside.ids == 4).mean() > 0.9
    assert np.nanmin(inside.depth) >= CAMERA.near - 1e-6


def test_ids_as_large_as_a_picture_holds_and_one_more(ground: CameraView) -> None:
    image = seen(ground, CAMERA, (2**31 - 1, 7.0, 5.0))
    assert image.ids.max() == 2**31 - 1
    with pytest.raises(BadValue, match="person 2147483648 does not fit into a picture of ids"):
        seen(bare_view(), CAMERA, (2**31, 7.0, 5.0))


def test_a_library_that_was_changed_is_not_used(tmp_path: Path) -> None:
    shipped = Library().file
    copy = tmp_path / "people.npz"
    copy.write_bytes(shipped.read_bytes()[:-1] + b"?")
    (tmp_path / "people.sha256").write_text(shipped.with_suffix(".sha256").read_text())
    with pytest.raises(BadFile, match="does not match its checksum .* reinstall paseo"):
        CameraView(ROOM, people=Library(copy)).render(snapshot((1, 7.0, 5.0)), CAMERA)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("fx_px = 0", "fx is 0 pixels, expected 0.001 to 1e+07"),
        ("near_m = 300", "sees from 300 to 200 m, expected near over 0 and far beyond it"),
        ("width_px = 99999", "99999x48 pixels cannot be, expected 1 to 16384 each way"),
        ("[at]\nx_m = -50\ny_m = 0\nheading_deg = 0", "stands in a wall of 'Zara' at (-50.00"),
    ],
)
def test_the_command_tells_what_is_wrong_with_a_camera(
    line: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = {
        "width_px": "width_px = 64",
        "height_px": "height_px = 48",
        "fx_px": "fx_px = 42",
        "fy_px": "fy_px = 42",
        "cx_px": "cx_px = 32",
        "cy_px": "cy_px = 24",
    }
    file = tmp_path / "camera.toml"
    file.write_text("\n".join((lines | {line.split(" =")[0]: line}).values()) + "\n")
    words = ["--time-s", "1", "--camera", str(file), "--out", str(tmp_path / "out")]
    assert main(["render", "past_queue_zara", *words]) == 2
    said = capsys.readouterr().err
    assert sentence in said and "Traceback" not in said
    assert not (tmp_path / "out").exists()


SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
import test_corners
print(test_corners.digest(threads=int(sys.argv[2])))
"""


def digest(*, threads: int) -> str:
    """Of all arrays of a picture with all effort."""
    view = CameraView(ROOM, threads=threads)
    image = seen(view, CAMERA, (1, 7.0, 5.0), (2, 8.0, 6.0), (3, 6.5, 4.5))
    arrays = (image.rgb, image.depth, image.ids, image.normals)
    return hashlib.sha256(b"".join(each.tobytes() for each in arrays)).hexdigest()


@pytest.mark.slow
def test_another_process_with_more_threads_makes_the_same_bytes() -> None:
    words = [sys.executable, "-c", SCRIPT, str(Path(__file__).parent), "2"]
    paths = {"PYTHONPATH": ":".join(filter(None, sys.path))}
    done = subprocess.run(
        words, env={**os.environ, **paths}, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == digest(threads=1)
