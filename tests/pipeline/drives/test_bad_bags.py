"""Bags that are cut off, damaged, or lack something: a sentence each, and what is there is used."""

import random
from pathlib import Path

import numpy as np
import pytest

from bags import START, bag, by_record, frames, picture, picture_sent, pose_sent
from paseo.errors import BadFile, BadValue, MissingData, PaseoError, UnknownName
from paseo.pipeline.drives.bags.bag import Broken
from paseo.pipeline.drives.bags.unpacking import unpacked
from paseo.pipeline.drives.bags.writing import BagFormat, Sent, write_messages
from paseo.pipeline.drives.info import bag_info
from paseo.pipeline.drives.opening import open_drive
from paseo.pipeline.drives.recorded import RecordedDrive
from paseo.pipeline.drives.settling import Opening

pytestmark = pytest.mark.extra("bags")


ENDS = {BagFormat.ROS1: ".bag", BagFormat.ROS2: ".db3", BagFormat.MCAP: ".mcap"}


def file_of(path: Path) -> Path:
    return next(path.glob("*.db3")) if path.is_dir() else path


def opened(tmp_path: Path, sent: list[Sent]) -> RecordedDrive:
    path = tmp_path / "odd.bag"
    write_messages(path, by_record(sent), BagFormat.ROS1, start=START)
    return open_drive(path)


def poses(until: float = 3.0) -> list[Sent]:
    return [pose_sent(k / 20) for k in range(int(until * 20))]


@pytest.mark.parametrize("form", list(BagFormat))
def test_of_a_bag_that_was_cut_off_the_beginning_is_used(tmp_path: Path, form: BagFormat) -> None:
    whole = file_of(bag(tmp_path, form)).read_bytes()
    counts = []
    for share in np.linspace(0.02, 0.98, 15):
        cut = tmp_path / f"cut{ENDS[form]}"
        cut.write_bytes(whole[: int(len(whole) * share)])
        try:
            drive = open_drive(cut)
        except PaseoError as error:
            assert share < 0.9, error
            continue
        taken = [each.picture for each in drive.frames()]
        assert taken == [each.picture for each in frames()][: len(taken)]
        counts.append(len(taken))
    assert counts == sorted(counts) and len(counts) >= 5


@pytest.mark.parametrize("form", list(BagFormat))
def test_a_damaged_bag_ends_in_a_sentence_or_a_drive(tmp_path: Path, form: BagFormat) -> None:
    path = file_of(bag(tmp_path, form))
    whole, chance = path.read_bytes(), random.Random(0)
    for _ in range(15):
        damaged = bytearray(whole)
        for _ in range(chance.choice([1, 8, 60])):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        path.write_bytes(damaged)
        for reader in (bag_info, lambda each: list(open_drive(each).frames())):
            try:
                reader(path)
            except PaseoError as error:
                assert str(error)


def test_what_was_cut_off_is_told(tmp_path: Path) -> None:
    path = bag(tmp_path)
    path.write_bytes(path.read_bytes()[:20_000])
    notes = " ".join(open_drive(path).notes)
    assert "no index" in notes and "what comes before is used" in notes


@pytest.mark.parametrize("packing", ["bz2", "lz4", "zstd"])
def test_a_chunk_that_unfolds_without_end_is_refused(packing: str) -> None:
    import bz2

    import lz4.frame
    from backports import zstd

    packers = {"bz2": bz2.compress, "lz4": lz4.frame.compress, "zstd": zstd.compress}
    with pytest.raises(Broken, match="unfolds to more"):
        unpacked(packers[packing](bytes(1 << 22)), packing, largest=1 << 20)


def test_an_unknown_packing_is_named() -> None:
    with pytest.raises(Broken, match="'rar', which is not known"):
        unpacked(b"123", "rar")


def test_stamps_that_jump_are_not_used(tmp_path: Path) -> None:
    jumped = [picture_sent(k / 10 - (100 if k > 10 else 0), recorded=k / 10) for k in range(20)]
    drive = opened(tmp_path, [*jumped, *poses()])
    assert "jump by -99.9 s" in " ".join(drive.notes)
    assert drive.frame_times == pytest.approx(np.arange(20) / 10, abs=1e-6)


def test_stamps_of_two_clocks_are_not_used(tmp_path: Path) -> None:
    ahead = [picture_sent(k / 10 + 30, recorded=k / 10) for k in range(20)]
    drive = opened(tmp_path, [*ahead, *poses()])
    assert "are 30.0 s behind those of /image_raw/compressed" in " ".join(drive.notes)
    assert not np.isnan(drive.odometry.at(drive.frame_times)).any()


def test_stamps_that_nobody_sets_are_not_used(tmp_path: Path) -> None:
    unset = [picture_sent(-START, recorded=k / 10) for k in range(20)]
    drive = opened(tmp_path, [*unset, *poses()])
    assert "/image_raw/compressed does not set them" in " ".join(drive.notes)
    assert len(drive.frame_times) == 20


def test_where_all_clocks_jump_back_the_longer_part_is_used(tmp_path: Path) -> None:
    early = [picture_sent(50 + k / 10) for k in range(8)] + [
        pose_sent(50 + k / 20) for k in range(16)
    ]
    late = [picture_sent(k / 10) for k in range(20)] + poses(2.0)
    path = tmp_path / "back.bag"
    write_messages(path, by_record(early) + by_record(late), BagFormat.ROS1, start=START)
    drive = open_drive(path)
    assert "the clock jumps back; the part with most pictures is used (19 of 28" in " ".join(
        drive.notes
    )
    assert drive.start == pytest.approx(START + 0.1)
    assert drive.odometry.times[-1] < 3, "what lies between two topics' jumps is left out"


def test_one_message_from_another_time_is_left_out(tmp_path: Path) -> None:
    sent = [picture_sent(k / 10 - (500 if k == 7 else 0), recorded=k / 10) for k in range(20)]
    path = tmp_path / "one.bag"
    write_messages(path, by_record([*sent, *poses()]), BagFormat.ROS1, start=START)
    drive = open_drive(path)
    assert len(drive.frame_times) in (19, 20), "by stamps without it, or by times of recording"
    assert (np.diff(drive.frame_times) > 0).all()


def test_pictures_that_come_twice_or_late_are_left_out(tmp_path: Path) -> None:
    sent = [picture_sent(k / 10, recorded=k / 10) for k in range(20)]
    sent += [picture_sent(0.5, recorded=0.75), picture_sent(1.0, recorded=1.05)]
    drive = opened(tmp_path, [*sent, *poses()])
    assert "2 messages of /image_raw/compressed came twice or out of order" in " ".join(drive.notes)
    assert drive.frame_times == pytest.approx(np.arange(20) / 10, abs=1e-6)


def test_odometry_of_another_day_is_refused(tmp_path: Path) -> None:
    pictures = [picture_sent(k / 10) for k in range(20)]
    with pytest.raises(BadFile, match="have no time in common .* expected one clock"):
        opened(tmp_path, [*pictures, *[pose_sent(k / 20 + 90_000) for k in range(50)]])


def test_pictures_of_another_size_are_left_out(tmp_path: Path) -> None:
    small = np.frombuffer(picture(9, (32, 24)), np.uint8)
    sent = [picture_sent(k / 10, **({"data": small} if k in (3, 4) else {})) for k in range(20)]
    drive = opened(tmp_path, [*sent, *poses()])
    assert "2 pictures are not of 64x48 pixels as the others; left out" in drive.notes
    assert len(list(drive.frames())) == 18


def test_what_is_no_picture_is_left_out(tmp_path: Path) -> None:
    noise = np.arange(50, dtype=np.uint8)
    sent = [picture_sent(k / 10, **({"data": noise} if k == 3 else {})) for k in range(20)]
    drive = opened(tmp_path, [*sent, *poses()])
    assert "1 messages of /image_raw/compressed cannot be read; left out" in drive.notes
    assert len(list(drive.frames())) == 19


def test_gaps_and_leaps_are_told(tmp_path: Path) -> None:
    pictures = [picture_sent(k / 10) for k in range(40) if not 10 < k < 30]
    leap = [pose_sent(k / 20, x=k / 20 + (5 if k > 60 else 0)) for k in range(80)]
    notes = " ".join(opened(tmp_path, [*pictures, *leap]).notes)
    assert "no picture for 2.0 s after 1.0 s" in notes
    assert "odometry leaps by 5.05 m" in notes


def test_a_bag_without_pictures_says_what_it_holds(tmp_path: Path) -> None:
    with pytest.raises(MissingData, match=r"has no pictures .* it holds /odom \(nav_msgs"):
        opened(tmp_path, poses())


def test_a_bag_without_odometry_says_what_would_do(tmp_path: Path) -> None:
    with pytest.raises(MissingData, match="has no odometry that can be read"):
        opened(tmp_path, [picture_sent(k / 10) for k in range(20)])


def test_a_topic_that_is_not_there_is_refused_with_what_is(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="Did you mean '/odom'"):
        open_drive(bag(tmp_path), Opening(topics={"odometry": "/odm"}))
    with pytest.raises(BadValue, match="holds nav_msgs/msg/Odometry, expected sensor_msgs"):
        open_drive(tmp_path / "drive.bag", Opening(topics={"image": "/odom"}))


def test_a_topic_of_another_definition_is_not_read(tmp_path: Path) -> None:
    path = bag(tmp_path)
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"cd5e73d190d741a2f92e81eda573aca7", b"0" * 32))
    assert any("/odom has another definition" in each for each in bag_info(path).warnings)
    with pytest.raises(MissingData, match="has no odometry"):
        open_drive(path)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.bag", b"", "is empty"),
        ("a.bag", b"hello", "does not begin like a bag"),
        ("a.bag", b"#ROSBAG V1.2\n", "before 2.0"),
        ("a.mcap", b"\x28\xb5\x2f\xfd...", "packed as a whole"),
        ("a.db3", b"SQLite format 3\0", "cannot be read as a bag in SQLite"),
        ("a.txt", b"hello", "is no drive by its name"),
    ],
)
def test_what_is_no_bag_is_refused(tmp_path: Path, name: str, content: bytes, words: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(BadFile, match=words):
        open_drive(tmp_path / name)
