"""What `paseo bag info` tells of a recording."""

import json
from pathlib import Path

import pytest

from bags import START, bag, by_record, picture, picture_sent, pose_sent
from paseo.cli.main import main
from paseo.pipeline.drives.bags.messages import CAMERA as CAMERA_INFO
from paseo.pipeline.drives.bags.messages import PICTURE
from paseo.pipeline.drives.bags.writing import BagFormat, write_messages
from paseo.pipeline.drives.info import bag_info

pytestmark = pytest.mark.extra("bags")


@pytest.mark.parametrize("form", list(BagFormat))
def test_topics_rates_and_gaps_are_told(tmp_path: Path, form: BagFormat) -> None:
    info = bag_info(bag(tmp_path, form))
    topics = {each.name: each for each in info.topics}
    assert topics["/odom"].messages == 110
    assert topics["/odom"].hz == pytest.approx(50)
    assert topics["/image_raw/compressed"].longest_gap == pytest.approx(0.1)
    assert info.duration == pytest.approx(2.2)
    assert {each.role: each.topic for each in info.uses} == {
        "image": "/image_raw/compressed",
        "odometry": "/odom",
        "camera_info": "/camera_info",
        "transforms": "/tf_static",
    }
    assert list(info.warnings) == []


def test_topics_of_scands_jackal_are_known_by_name(tmp_path: Path) -> None:
    names = {"image": "/camera/rgb/image_raw/compressed",
             "odometry": "/jackal_velocity_controller/odom"}  # fmt: skip
    reasons = {each.topic: each.reason for each in bag_info(bag(tmp_path, topics=names)).uses}
    assert reasons[names["image"]] == "known as the camera of SCAND's Jackal"
    assert reasons[names["odometry"]] == "known as the odometry of SCAND's Jackal"


def test_of_unknown_topics_colour_and_number_decide(tmp_path: Path) -> None:
    sent = [pose_sent(k / 10) for k in range(20)]
    for topic, count in (("/front/depth", 9), ("/rear/picture", 3), ("/front/picture", 6)):
        for k in range(count):
            sent.append(picture_sent(k / 10)._replace(topic=topic, type=PICTURE))
    for topic in ("/rear/camera_info", "/front/camera_info"):
        fields = {"width": 64, "height": 48}
        sent.append(pose_sent(0.0)._replace(topic=topic, type=CAMERA_INFO, fields=fields))
    path = tmp_path / "a.bag"
    write_messages(path, by_record(sent), BagFormat.ROS1, start=START)
    uses = {each.role: each for each in bag_info(path).uses}
    assert uses["image"].topic == "/front/picture"
    assert uses["image"].reason == "most messages of 2 that would do"
    assert uses["camera_info"].topic == "/front/camera_info"


def test_gaps_and_missing_topics_are_warned_of(tmp_path: Path) -> None:
    path = tmp_path / "a.bag"
    sent = [picture_sent(k / 10) for k in range(60) if not 20 < k < 50]
    write_messages(path, sent, BagFormat.ROS1, start=START)
    warnings = bag_info(path).warnings
    assert "/image_raw/compressed: 3.0 s without a message" in warnings
    assert "no topic for odometry" in warnings


def test_the_command_prints_tables_and_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = bag(tmp_path)
    assert main(["bag", "info", str(path)]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("drive.bag: bag, 2.2 s, from 2020-09-13 12:26:39 UTC, 132 messages")
    assert "known as the camera of SCAND's Spot" in shown
    assert main(["bag", "info", str(path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["use"]["odometry"]["topic"] == "/odom"
    assert told["topics"][0]["name"] == "/camera_info"


def test_the_command_refuses_what_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bag", "info", "nowhere.bag"]) == 2
    assert "cannot be read (No such file or directory)" in capsys.readouterr().err


def test_a_folder_of_pictures_is_told_too(tmp_path: Path) -> None:
    (tmp_path / "0.jpg").write_bytes(picture(5))
    info = bag_info(tmp_path)
    assert info.kind == "folder" and info.topics[0].messages == 1
    assert len(info.warnings) == 2
