"""Small drives as bags: twenty pictures in two seconds, a robot that turns, a laser, a camera."""

import io
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from paseo.pipeline.drives.bags.messages import ODOMETRY, PICTURE
from paseo.pipeline.drives.bags.writing import BagContent, BagFormat, Scan, Sent, stamp, write_bag
from paseo.pipeline.drives.drive import Frame, Odometry
from paseo.world.cameras import Camera

START = 1_600_000_000.0
NAMES = {BagFormat.ROS1: "drive.bag", BagFormat.ROS2: "drive", BagFormat.MCAP: "drive.mcap"}
CAMERA = Camera(
    width_px=64,
    height_px=48,
    fx=40.0,
    fy=41.0,
    cx=31.5,
    cy=24.25,
    distortion=(0.1, -0.05, 0.001, -0.002, 0.01),
    height=0.8,
    pitch=math.radians(5),
    yaw=math.radians(-3),
    forward=0.2,
)


def picture(shade: int, size: tuple[int, int] = (64, 48), form: str = "JPEG") -> bytes:
    """A small plain picture."""
    buffer = io.BytesIO()
    Image.new("RGB", size, (shade, 100, 50)).save(buffer, form)
    return buffer.getvalue()


def frames(count: int = 20, every: float = 0.1) -> list[Frame]:
    """Pictures that differ."""
    return [Frame(k, round(k * every, 6), picture(10 * k % 250)) for k in range(count)]


def way(seconds: float = 2.0) -> Odometry:
    """A robot that drives, turns past pi and rocks, from a little before the first picture."""
    times = np.round(np.arange(-5, seconds * 50 + 5) / 50, 6)
    poses = np.column_stack([1 + 0.7 * times, 2 - 0.2 * times, 3 + 0.4 * times])
    return Odometry(times=times, poses=poses, pitches=0.05 * np.sin(3 * times))


def drive(**changes: Any) -> BagContent:
    """A whole drive."""
    return BagContent(**{"frames": frames(), "odometry": way(), "camera": CAMERA,
                         "start": START, "delay": 0.02, **changes})  # fmt: skip


def bag(folder: Path, form: BagFormat = BagFormat.ROS1, **changes: Any) -> Path:
    """The drive as a bag in a folder."""
    path = folder / NAMES[form]
    write_bag(path, drive(**changes), form)
    return path


def wall(seconds: float = 2.0) -> list[Scan]:
    """A laser that meets a wall 3 m before a robot that stands, and somebody who walks by."""
    found = []
    for time in np.arange(0, seconds, 0.1).tolist():
        angles = np.linspace(-0.5, 0.5, 101)
        ranges = 3 / np.cos(angles)
        ranges[np.abs(angles - (time - 1) / 2) < 0.05] = 1.5
        found.append(Scan(time=time, ranges=ranges, first_angle=-0.5, step=0.01))
    return found


def picture_sent(time: float, *, recorded: float | None = None, **fields: Any) -> Sent:
    """A picture at one time by its own clock, at another by the recorder's."""
    header = {"stamp": stamp(time, START), "frame_id": "camera"}
    content = {"header": header, "format": "jpeg",
               "data": np.frombuffer(picture(30), np.uint8), **fields}  # fmt: skip
    return Sent("/image_raw/compressed", PICTURE, time if recorded is None else recorded, content)


def pose_sent(time: float, *, recorded: float | None = None, x: float | None = None) -> Sent:
    """A pose, likewise."""
    place = {"x": time if x is None else x}
    content = {
        "header": {"stamp": stamp(time, START), "frame_id": "odom"},
        "pose": {"pose": {"position": place, "orientation": {"w": 1.0}}},
    }
    return Sent("/odom", ODOMETRY, time if recorded is None else recorded, content)


def by_record(sent: Iterable[Sent]) -> list[Sent]:
    """Messages in the order in which they are recorded."""
    return sorted(sent, key=lambda each: each.time)
