"""What is written as a bag of any format is read back as it was, also by `rosbags` itself."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bags import CAMERA, START, bag, drive, frames, wall, way
from paseo.errors import BadValue
from paseo.pipeline.drives.bags.writing import BagFormat, write_bag
from paseo.pipeline.drives.drive import Odometry
from paseo.pipeline.drives.opening import open_drive
from paseo.pipeline.drives.settling import Opening

pytestmark = pytest.mark.extra("bags")
FORMATS = list(BagFormat)


@pytest.mark.parametrize("form", FORMATS)
def test_what_is_written_is_read_back(tmp_path: Path, form: BagFormat) -> None:
    found = open_drive(bag(tmp_path, form))
    assert [(each.number, each.picture) for each in found.frames()] == [
        (each.number, each.picture) for each in frames()
    ]
    assert found.frame_times == pytest.approx([each.time for each in frames()], abs=1e-9)
    assert found.odometry.times == pytest.approx(way().times, abs=1e-9)
    assert found.odometry.poses == pytest.approx(way().poses, abs=1e-9)
    assert found.odometry.pitches == pytest.approx(way().pitches, abs=1e-9)
    assert found.start == pytest.approx(START)


@pytest.mark.parametrize("form", FORMATS)
def test_the_camera_comes_out_of_camera_info_and_transforms(
    tmp_path: Path, form: BagFormat
) -> None:
    camera = open_drive(bag(tmp_path, form)).camera
    assert camera is not None
    for name in ("fx", "fy", "cx", "cy", "distortion", "height", "pitch", "yaw", "forward"):
        assert getattr(camera, name) == pytest.approx(getattr(CAMERA, name), abs=1e-9), name


@pytest.mark.parametrize("form", FORMATS)
def test_rosbags_itself_reads_what_is_written(tmp_path: Path, form: BagFormat) -> None:
    from rosbags.highlevel import AnyReader

    with AnyReader([bag(tmp_path, form)]) as reader:
        told = {each.topic: each.msgcount for each in reader.connections}
        pictures = [each for each in reader.connections if each.topic == "/image_raw/compressed"]
        _, when, raw = next(iter(reader.messages(connections=pictures)))
        message = reader.deserialize(raw, pictures[0].msgtype)
    assert told == {"/image_raw/compressed": 20, "/odom": 110, "/camera_info": 1, "/tf_static": 1}
    assert message.data.tobytes() == frames()[0].picture  # type: ignore[attr-defined]
    assert when == round((START + 0.02) * 1e9)


@pytest.mark.parametrize("form", FORMATS)
def test_a_laser_tells_what_stands_and_not_who_walks_by(tmp_path: Path, form: BagFormat) -> None:
    still = Odometry(times=np.arange(0, 5, 0.05), poses=np.tile([1.0, 2.0, 0.0], (100, 1)))
    path = bag(tmp_path, form, odometry=still, frames=frames(48), scans=wall(4.8))
    points = open_drive(path).scan_points
    assert points is not None and len(points) > 20
    assert np.abs(points[:, 0] - 4.0).max() < 0.11, "the wall is 3 m before a robot at x = 1"


def test_pictures_may_be_packed_in_chunks(tmp_path: Path) -> None:
    from rosbags.rosbag1 import Reader as Reader1
    from rosbags.rosbag1 import Writer as Writer1

    from paseo.pipeline.drives.bags.bag import Wire
    from paseo.pipeline.drives.bags.messages import store

    plain = bag(tmp_path)
    for packing in (Writer1.CompressionFormat.BZ2, Writer1.CompressionFormat.LZ4):
        packed = tmp_path / f"{packing.name}.bag"
        writer = Writer1(packed)
        writer.set_compression(packing)
        with Reader1(plain) as reader, writer:
            made = {each.id: writer.add_connection(each.topic, each.msgtype,
                                                   typestore=store(Wire.ROS1))
                    for each in reader.connections}  # fmt: skip
            for connection, time, data in reader.messages():
                writer.write(made[connection.id], time, data)
        assert [each.picture for each in open_drive(packed).frames()] == [
            each.picture for each in frames()
        ]


@pytest.mark.parametrize("mode", ["MESSAGE", "STORAGE"])
def test_ros_2_may_pack_messages_or_chunks(tmp_path: Path, mode: str) -> None:
    from rosbags.rosbag2 import CompressionFormat, CompressionMode, Reader, StoragePlugin, Writer

    from paseo.pipeline.drives.bags.bag import Wire
    from paseo.pipeline.drives.bags.messages import store

    packed = tmp_path / "packed"
    plugin = StoragePlugin.SQLITE3 if mode == "MESSAGE" else StoragePlugin.MCAP
    writer = Writer(packed, version=9, storage_plugin=plugin)
    writer.set_compression(CompressionMode[mode], CompressionFormat.ZSTD)
    with Reader(bag(tmp_path, BagFormat.ROS2)) as reader, writer:
        made = {each.id: writer.add_connection(each.topic, each.msgtype, typestore=store(Wire.CDR))
                for each in reader.connections}  # fmt: skip
        for connection, time, data in reader.messages():
            writer.write(made[connection.id], time, data)
    assert [each.picture for each in open_drive(packed).frames()] == [
        each.picture for each in frames()
    ]


def test_a_rate_takes_pictures_evenly_and_numbers_them_anew(tmp_path: Path) -> None:
    found = open_drive(bag(tmp_path), Opening(fps=4))
    assert found.frame_times == pytest.approx([0.0, 0.3, 0.5, 0.8, 1.0, 1.3, 1.5, 1.8], abs=1e-6)
    assert [each.number for each in found.frames()] == list(range(8))
    assert [each.picture for each in found.frames()] == [
        frames()[k].picture for k in (0, 3, 5, 8, 10, 13, 15, 18)
    ]


def test_frames_go_on_where_somebody_stopped(tmp_path: Path) -> None:
    found = open_drive(bag(tmp_path))
    assert list(found.frames(first=7)) == list(found.frames())[7:]


def test_a_bag_is_not_written_over(tmp_path: Path) -> None:
    path = bag(tmp_path)
    with pytest.raises(BadValue, match="is there already"):
        write_bag(path, drive())


def test_odometry_in_the_plane_tells_nothing_of_pitch(tmp_path: Path) -> None:
    flat = replace(way(), pitches=None)
    assert open_drive(bag(tmp_path, odometry=flat)).odometry.pitches is None
