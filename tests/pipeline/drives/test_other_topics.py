"""Odometry from transforms or a localization, raw pictures, cameras that are told by half."""

import io
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from bags import CAMERA, START, bag, by_record, picture_sent, pose_sent
from paseo.camera.lens.presets import NOT_MEASURED
from paseo.errors import BadFile, BadValue
from paseo.pipeline.drives.bags.messages import CAMERA as CAMERA_INFO
from paseo.pipeline.drives.bags.messages import LOCATION, RAW, TRANSFORMS, digest
from paseo.pipeline.drives.bags.transforms import heading_and_lean, placed, quaternion
from paseo.pipeline.drives.bags.writing import BagFormat, Sent, stamp, write_messages
from paseo.pipeline.drives.cameras import Mount, drive_camera
from paseo.pipeline.drives.opening import open_drive
from paseo.pipeline.drives.recorded import RecordedDrive
from paseo.pipeline.drives.settling import Opening

pytestmark = pytest.mark.extra("bags")
PICTURES = [picture_sent(k / 10) for k in range(20)]
POSES = [pose_sent(k / 20) for k in range(50)]


def opened(
    tmp_path: Path, sent: list[Sent], opening: Opening | None = None, form: str = "ros1"
) -> RecordedDrive:
    path = tmp_path / ("odd.bag" if form == "ros1" else "odd.mcap")
    write_messages(path, by_record(sent), BagFormat(form), start=START)
    return open_drive(path, opening)


def header(time: float, frame: str = "odom") -> dict[str, Any]:
    return {"stamp": stamp(time, START), "frame_id": frame}


def moved(time: float, carrier: str, part: str, **place: Any) -> Sent:
    transform = {"translation": place.get("translation", {}),
                 "rotation": place.get("rotation", {"w": 1.0})}  # fmt: skip
    each = {"header": header(time, carrier), "child_frame_id": part, "transform": transform}
    return Sent("/tf", TRANSFORMS, time, {"transforms": [each]})


def raw(time: float, encoding: str, pixels: Any, padding: int = 0) -> Sent:
    height, width, bands = pixels.shape
    rows = np.pad(pixels.reshape(height, -1), ((0, 0), (0, padding)))
    fields = {"header": header(time, "camera"), "height": height, "width": width,
              "encoding": encoding, "step": width * bands + padding,
              "data": rows.ravel()}  # fmt: skip
    return Sent("/image_raw", RAW, time, fields)


@pytest.mark.parametrize("form", ["ros1", "mcap"])
def test_without_odometry_transforms_tell_where_the_robot_was(tmp_path: Path, form: str) -> None:
    half = 0.25
    turn = {"z": math.sin(half), "w": math.cos(half)}
    moves = [moved(k / 20, "odom", "base_link", translation={"x": k / 20, "y": 3.0}, rotation=turn)
             for k in range(50)]  # fmt: skip
    drive = opened(tmp_path, [*PICTURES, *moves], form=form)
    assert drive.odometry.at(np.array([1.0]))[0] == pytest.approx([1.0, 3.0, 0.5])
    assert "odometry: transforms of odom to base_link (no topic of odometry)" in drive.notes


@pytest.mark.parametrize("form", ["ros1", "mcap"])
def test_a_localization_of_scand_will_do(tmp_path: Path, form: str) -> None:
    told = [
        Sent("/localization", LOCATION, k / 20,
             {"header": header(k / 20, "map"), "pose": {"x": 1.0, "y": k / 20, "theta": 3.5}})
        for k in range(50)
    ]  # fmt: skip
    drive = opened(tmp_path, [*PICTURES, *told], form=form)
    assert drive.odometry.at(np.array([0.5]))[0] == pytest.approx([1.0, 0.5, 3.5 - 2 * math.pi])


def test_the_definition_of_a_localization_is_that_of_its_authors() -> None:
    assert digest(LOCATION) == "4ce450daa8564e2fb59b919aebbbe26e"


@pytest.mark.parametrize("form", ["ros1", "mcap"])
@pytest.mark.parametrize(
    ("encoding", "seen"),
    [("rgb8", (200, 60, 10)), ("bgr8", (10, 60, 200)), ("mono8", (200, 200, 200)),
     ("bgra8", (10, 60, 200))],
)  # fmt: skip
def test_raw_pictures_become_jpeg(
    tmp_path: Path, encoding: str, seen: tuple[int, ...], form: str
) -> None:
    bands = {"mono8": 1, "bgra8": 4}.get(encoding, 3)
    pixels = np.tile(np.array([200, 60, 10, 255], np.uint8)[:bands], (24, 32, 1))
    sent = [raw(k / 10, encoding, pixels, padding=5) for k in range(20)]
    drive = opened(tmp_path, [*sent, *POSES], form=form)
    with Image.open(io.BytesIO(next(drive.frames()).picture)) as shown:
        assert shown.size == (32, 24)
        assert np.asarray(shown.convert("RGB"), int)[12, 16] == pytest.approx(seen, abs=3)


def test_raw_pictures_of_another_kind_are_refused_by_name(tmp_path: Path) -> None:
    sent = [raw(k / 10, "bayer_rggb8", np.zeros((24, 32, 1), np.uint8)) for k in range(20)]
    with pytest.raises(BadFile, match="its pictures are 'bayer_rggb8', expected JPEG, PNG"):
        opened(tmp_path, [*sent, *POSES])


def test_a_camera_that_is_given_wins(tmp_path: Path) -> None:
    given = replace(CAMERA, height=0.4)
    assert open_drive(bag(tmp_path), Opening(camera=given)).camera == given
    found = open_drive(tmp_path / "drive.bag", Opening(camera=given, mount=Mount(0.5))).camera
    assert found is not None and (found.height, found.pitch) == (0.5, 0.0)


def test_a_given_camera_of_another_form_is_refused(tmp_path: Path) -> None:
    given = drive_camera("scand_jackal", Mount(0.4))
    with pytest.raises(BadValue, match="of 1280x720 pixels and the pictures of 64x48"):
        open_drive(bag(tmp_path), Opening(camera=given))


@pytest.mark.parametrize("name", sorted(NOT_MEASURED))
def test_cameras_of_scand_ask_where_they_are(name: str) -> None:
    with pytest.raises(BadValue, match="was never published; give its height"):
        drive_camera(name)
    assert drive_camera(name, Mount(0.7, 0.1, 0.2)).pitch == 0.1


def test_scands_jackal_is_as_its_author_gives_it() -> None:
    camera = drive_camera("scand_jackal", Mount(0.5))
    assert (camera.fx, camera.fy) == (623.3087, 624.91863)
    assert (camera.cx, camera.cy) == (636.79787, 366.72814)
    assert camera.distortion == (0.077320, -0.031735, 0.001695, -0.000278, 0.0)


def lens(**fields: Any) -> Sent:
    matrix = [40.0, 0, 31.0, 0, 41.0, 23.0, 0, 0, 1]
    told = {"header": header(0.0, "camera"), "width": 64, "height": 48,
            "distortion_model": "plumb_bob", "d": [0.1, 0, 0, 0, 0], "k": matrix,
            "p": [50.0, 0, 30.0, 0, 0, 51.0, 22.0, 0, 0, 0, 1, 0], **fields}  # fmt: skip
    return Sent("/camera_info", CAMERA_INFO, 0.0, told)


def test_a_lens_without_a_place_asks_for_one(tmp_path: Path) -> None:
    drive = opened(tmp_path, [*PICTURES, *POSES, lens()])
    assert drive.camera is None
    assert (
        "nothing tells where the camera is on the robot; give its height and pitch" in drive.notes
    )


def test_a_mount_completes_a_lens(tmp_path: Path) -> None:
    camera = opened(tmp_path, [*PICTURES, *POSES, lens()], Opening(mount=Mount(0.9, 0.1))).camera
    assert camera is not None
    assert (camera.cx, camera.cy, camera.height) == (31.5, 23.5, 0.9), "half a pixel from ROS"


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"distortion_model": "equidistant"}, "the lens is told as 'equidistant'"),
        ({"k": [0.0] * 9}, "no camera is told"),
        ({"width": 100}, "does not fit"),
    ],
)
def test_a_lens_that_cannot_be_is_told(tmp_path: Path, fields: dict[str, Any], words: str) -> None:
    mount = Opening(mount=Mount(0.9))
    drive = opened(tmp_path, [*PICTURES, *POSES, lens(**fields)], mount)
    assert drive.camera is None
    assert words in " ".join(drive.notes)


def test_a_camera_in_the_frame_of_its_housing_is_turned(tmp_path: Path) -> None:
    up = {"y": math.sin(0.1), "w": math.cos(0.1)}  # nose down by 0.2
    place = moved(0.0, "base_link", "camera", translation={"x": 0.3, "z": 0.6}, rotation=up)
    camera = opened(tmp_path, [*PICTURES, *POSES, lens(), place]).camera
    assert camera is not None
    assert (camera.height, camera.forward) == (0.6, 0.3)
    assert camera.pitch == pytest.approx(0.2)


def test_quaternions_are_those_of_scipys_convention() -> None:
    # By hand: a turn by 90 degrees about each axis.
    half = math.sqrt(0.5)
    quarter = placed((0, 0, 0), (0, 0, half, half))
    assert quarter is not None
    assert quarter[:3, :3] == pytest.approx(np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]]), abs=1e-12)
    rng = np.random.default_rng(0)
    for turn in rng.normal(size=(50, 4)):
        turn = turn / np.linalg.norm(turn)
        whole = placed((0, 0, 0), turn)
        assert whole is not None
        again = quaternion(whole[:3, :3])
        assert abs(float(turn @ again)) == pytest.approx(1)
    heading, lean = heading_and_lean(np.array([[0, half, 0, half], [0, 0, half, half]]))
    assert lean == pytest.approx([math.pi / 2, 0])
    assert heading[1] == pytest.approx(math.pi / 2)


def test_a_camera_is_scaled_to_smaller_pictures(tmp_path: Path) -> None:
    large = replace(CAMERA, width_px=128, height_px=96, fx=80.0, fy=82.0, cx=63.0, cy=48.5)
    drive = open_drive(bag(tmp_path), Opening(camera=large))
    assert drive.camera == CAMERA
    assert "the camera of 128x96 pixels is taken as one of 64x48" in drive.notes
