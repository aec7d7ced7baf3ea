"""Drives written as bags with the message types of ROS, by `rosbags`: ROS 1, ROS 2 and MCAP."""

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from paseo.errors import BadValue, require
from paseo.files import cannot_write, folder_beside
from paseo.pipeline.drives.bags.bag import Wire
from paseo.pipeline.drives.bags.heads import PNG
from paseo.pipeline.drives.bags.messages import (
    CAMERA,
    ODOMETRY,
    PICTURE,
    PURPOSE,
    SCAN,
    TRANSFORMS,
    store,
)
from paseo.pipeline.drives.bags.transforms import HALF_A_PIXEL, quaternion
from paseo.pipeline.drives.drive import Frame, Odometry
from paseo.world.arrays import FloatArray
from paseo.world.cameras import Camera, facing


class BagFormat(StrEnum):
    """What kind of bag is written."""

    ROS1 = "ros1"  # a file, .bag
    ROS2 = "ros2"  # a folder with a file of SQLite
    MCAP = "mcap"  # a file, .mcap


class Sent(NamedTuple):
    """A message to be written: its fields by name, what is left out is zero or empty."""

    topic: str
    type: str
    time: float  # when it is recorded, seconds from the start
    fields: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scan:
    """One turn of a laser in the middle of the robot, from its right to its left."""

    time: float
    ranges: FloatArray  # (beams,), metres; infinite: nothing was met
    first_angle: float  # radians to the left of the heading
    step: float  # radians from beam to beam


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BagContent:
    """What a robot records on a drive; times are seconds from `start`."""

    frames: Iterable[Frame]
    odometry: Odometry
    camera: Camera | None = None  # told as camera_info, and as a transform from base_link
    scans: Sequence[Scan] = ()
    start: float = 1_700_000_000.0  # seconds since 1970
    delay: float = 0.0  # seconds from when something is measured to when it is recorded
    topics: Mapping[str, str] = field(default_factory=dict)  # other names, by those of TOPICS


TOPICS = {
    "image": "/image_raw/compressed",
    "odometry": "/odom",
    "camera_info": "/camera_info",
    "scan": "/scan",
}
OPTICAL, LASER = "camera_optical_frame", "laser"


def write_bag(path: Path, content: BagContent, form: BagFormat = BagFormat.ROS1) -> None:
    """Write a drive as a bag; `CannotWrite` if that fails, and nothing is left of it.

    Frames are taken one by one: as many as one likes fit into memory.
    """
    names = {**TOPICS, **content.topics}
    streams = (
        _fixed(content, names),
        (_picture(each, names["image"], content) for each in content.frames),
        _odometry(content, names["odometry"]),
        (_scan(each, names["scan"], content) for each in content.scans),
    )
    sent = heapq.merge(*streams, key=lambda each: each.time)
    write_messages(path, sent, form, start=content.start)


def write_messages(path: Path, sent: Iterable[Sent], form: BagFormat, *, start: float) -> None:
    """Write messages as a bag, in the order in which they come."""
    if path.exists():
        raise BadValue(f"{path}: is there already; choose another name")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with folder_beside(path) as beside:
            whole = beside / path.stem
            _write(whole, sent, form, round(start * 1e9))
            (whole / f"{path.stem}.mcap" if form is BagFormat.MCAP else whole).rename(path)
    except OSError as error:
        raise cannot_write(path, error) from error


def stamp(time: float, start: float) -> dict[str, int]:
    """A time as ROS writes it."""
    seconds, rest = divmod(round(start * 1e9) + round(time * 1e9), 10**9)
    return {"sec": seconds, "nanosec": rest}


def _write(whole: Path, sent: Iterable[Sent], form: BagFormat, start: int) -> None:
    wire = Wire.ROS1 if form is BagFormat.ROS1 else Wire.CDR
    known = store(wire)
    serialize = known.serialize_ros1 if wire is Wire.ROS1 else known.serialize_cdr
    with _writer(whole, form) as writer:
        connections: dict[str, Any] = {}
        for topic, kind, time, fields in sent:
            if topic not in connections:
                connections[topic] = writer.add_connection(topic, kind, typestore=known)
            message = _message(known, kind, fields)
            writer.write(connections[topic], start + round(time * 1e9), serialize(message, kind))


def _writer(whole: Path, form: BagFormat) -> Any:
    if form is BagFormat.ROS1:
        return require("rosbags.rosbag1", "bags", PURPOSE, package="rosbags").Writer(whole)
    library = require("rosbags.rosbag2", "bags", PURPOSE, package="rosbags")
    plugins = library.StoragePlugin
    plugin = plugins.MCAP if form is BagFormat.MCAP else plugins.SQLITE3
    return library.Writer(whole, version=9, storage_plugin=plugin)


def _message(known: Any, kind: str, fields: Mapping[str, Any]) -> Any:
    """The message that `rosbags` writes; ROS 1 spells some fields in capitals."""
    made = {}
    for name, (form, inner) in known.fielddefs[kind][1]:
        value = fields.get(name.lower())
        if form.name == "NAME":
            made[name] = _message(known, inner, value or {})
        elif form.name == "BASE":
            made[name] = value if value is not None else "" if inner[0] == "string" else 0
        elif inner[0][0].name == "NAME":
            made[name] = [_message(known, inner[0][1], each) for each in value or ()]
        else:
            length = inner[1] if form.name == "ARRAY" else 0
            held = np.zeros(length) if value is None else value
            made[name] = np.asarray(held, inner[0][1][0])
    return known.types[kind](**made)


def _header(time: float, frame: str, content: BagContent) -> dict[str, object]:
    return {"stamp": stamp(time, content.start), "frame_id": frame}


def _picture(frame: Frame, topic: str, content: BagContent) -> Sent:
    fields = {
        "header": _header(frame.time, OPTICAL, content),
        "format": "png" if frame.picture.startswith(PNG) else "jpeg",
        "data": np.frombuffer(frame.picture, np.uint8),
    }
    return Sent(topic, PICTURE, frame.time + content.delay, fields)


def _odometry(content: BagContent, topic: str) -> Iterator[Sent]:
    odometry = content.odometry
    leans = np.zeros(len(odometry.times)) if odometry.pitches is None else odometry.pitches
    for time, (x, y, heading), lean in zip(odometry.times, odometry.poses, leans, strict=True):
        ahead, up = np.array([np.cos(heading / 2), np.sin(heading / 2)]), lean / 2
        turn = {
            "x": -ahead[1] * np.sin(up),
            "y": ahead[0] * np.sin(up),
            "z": ahead[1] * np.cos(up),
            "w": ahead[0] * np.cos(up),
        }
        pose = {"position": {"x": x, "y": y}, "orientation": turn}
        fields = {
            "header": _header(time, "odom", content),
            "child_frame_id": "base_link",
            "pose": {"pose": pose},
        }
        yield Sent(topic, ODOMETRY, time + content.delay, fields)


def _scan(scan: Scan, topic: str, content: BagContent) -> Sent:
    fields = {
        "header": _header(scan.time, LASER, content),
        "angle_min": scan.first_angle,
        "angle_max": scan.first_angle + scan.step * (len(scan.ranges) - 1),
        "angle_increment": scan.step,
        "range_min": 0.02,
        "range_max": 100.0,
        "ranges": scan.ranges,
    }
    return Sent(topic, SCAN, scan.time + content.delay, fields)


def _fixed(content: BagContent, names: Mapping[str, str]) -> Iterator[Sent]:
    """What does not change: the camera's lens, and where camera and laser are on the robot."""
    time, camera = float(content.odometry.times[0]), content.camera
    at_middle = {"rotation": {"w": 1.0}}
    moves = [_transform(LASER, at_middle, time, content)]
    if camera is not None:
        turn = quaternion(facing(camera.yaw, camera.pitch))
        place = {"x": camera.forward, "z": camera.height}
        rotation = dict(zip("xyzw", turn.tolist(), strict=True))
        where = {"translation": place, "rotation": rotation}
        moves.append(_transform(OPTICAL, where, time, content))
        yield Sent(names["camera_info"], CAMERA, time, _lens(camera, time, content))
    yield Sent("/tf_static", TRANSFORMS, time, {"transforms": moves})


def _transform(
    child: str, transform: Mapping[str, object], time: float, content: BagContent
) -> dict[str, object]:
    header = _header(time, "base_link", content)
    return {"header": header, "child_frame_id": child, "transform": transform}


def _lens(camera: Camera, time: float, content: BagContent) -> dict[str, object]:
    cx, cy = camera.cx - HALF_A_PIXEL, camera.cy - HALF_A_PIXEL
    matrix = np.array([[camera.fx, 0, cx], [0, camera.fy, cy], [0, 0, 1]])
    return {
        "header": _header(time, OPTICAL, content),
        "width": camera.width_px,
        "height": camera.height_px,
        "distortion_model": "rational_polynomial" if len(camera.distortion) == 8 else "plumb_bob",
        "d": list(camera.distortion) or [0.0] * 5,
        "k": matrix.ravel(),
        "r": np.eye(3).ravel(),
        "p": np.column_stack([matrix, np.zeros(3)]).ravel(),
    }
