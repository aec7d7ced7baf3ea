"""The camera of a drive: as the drive tells it, or out of a file, and how it is mounted."""

import math
from dataclasses import dataclass, replace

import numpy as np

from paseo.camera.lens.camerafile import find_camera
from paseo.camera.lens.presets import NOT_MEASURED
from paseo.errors import BadValue
from paseo.pipeline.drives.bags.transforms import GROUND, HALF_A_PIXEL
from paseo.world.arrays import FloatArray
from paseo.world.cameras import Camera

MODELS = ("plumb_bob", "rational_polynomial", "")
ALIKE = 0.01  # share by which the forms of two pictures may differ
ASIDE, ROLL = 0.05, math.radians(2)  # what is too small to be told


@dataclass(frozen=True, slots=True)
class Mount:
    """Where a camera is on a robot."""

    height: float  # metres above the ground
    pitch: float = 0.0  # radians below the horizon
    forward: float = 0.0  # metres before the middle of the robot
    yaw: float = 0.0  # radians to the left


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lens:
    """What a camera_info tells."""

    width_px: int
    height_px: int
    matrix: FloatArray  # (3, 3)
    distortion: tuple[float, ...]
    model: str
    frame: str  # the part of the robot that takes the picture


def drive_camera(name: str, mount: Mount | None = None) -> Camera:
    """A camera by the name of a preset or a file, mounted as told.

    Of SCAND's robots nobody published how their cameras are mounted: without a `mount` these are
    refused, for every distance would rest on a guess.
    """
    camera = find_camera(name)
    if name in NOT_MEASURED and mount is None:
        raise BadValue(
            f"where the camera '{name}' is on its robot was never published; give its height "
            "and pitch, measured or fitted, or a camera of your own in a file",
            parameters=("height", "pitch"),
        )
    return mounted(camera, mount) if mount else camera


def mounted(camera: Camera, mount: Mount) -> Camera:
    """The same camera elsewhere on the robot."""
    return replace(
        camera, height=mount.height, pitch=mount.pitch, forward=mount.forward, yaw=mount.yaw
    )


def fitted(camera: Camera, size: tuple[int, int] | None) -> tuple[Camera, str]:
    """The camera for pictures of a size, which may have been made smaller, and what was done."""
    if size is None or size == (camera.width_px, camera.height_px):
        return camera, ""
    across, down = size[0] / camera.width_px, size[1] / camera.height_px
    given = f"{camera.width_px}x{camera.height_px}"
    if abs(across / down - 1) > ALIKE:
        raise BadValue(
            f"the camera is of {given} pixels and the pictures of {size[0]}x{size[1]}, expected "
            "the same form; give the camera that took these pictures",
            parameters=("camera",),
        )
    scaled = replace(
        camera,
        width_px=size[0],
        height_px=size[1],
        fx=camera.fx * across,
        fy=camera.fy * down,
        cx=camera.cx * across,
        cy=camera.cy * down,
    )
    return scaled, f"the camera of {given} pixels is taken as one of {size[0]}x{size[1]}"


def told_camera(
    lens: Lens | None, place: tuple[str, FloatArray] | None, mount: Mount | None
) -> tuple[Camera | None, list[str]]:
    """The camera that a drive itself tells; None and why, where that is not all."""
    if lens is None:
        return None, ["no camera is told (camera_info); give one"]
    if lens.model not in MODELS:
        return None, [f"the lens is told as {lens.model!r:.40}, expected plumb_bob; give a camera"]
    notes: list[str] = []
    if mount is None and place is not None:
        mount = _mount(place, notes)
    if mount is None:
        return None, ["nothing tells where the camera is on the robot; give its height and pitch"]
    try:
        matrix = lens.matrix
        camera = Camera(
            width_px=lens.width_px,
            height_px=lens.height_px,
            fx=float(matrix[0, 0]),
            fy=float(matrix[1, 1]),
            cx=float(matrix[0, 2]) + HALF_A_PIXEL,
            cy=float(matrix[1, 2]) + HALF_A_PIXEL,
            distortion=lens.distortion if any(lens.distortion) else (),
        )
        return mounted(camera, mount), notes
    except BadValue as error:
        return None, [f"the camera that is told cannot be ({error}); give one"]


def _mount(place: tuple[str, FloatArray], notes: list[str]) -> Mount | None:
    base, whole = place
    rotation, (x, y, z) = whole[:3, :3], whole[:3, 3]
    if abs(rotation[2, 2]) > 0.7:  # the frame of the housing, which looks along its x
        rotation = rotation @ np.array([[0.0, 0, 1], [-1, 0, 0], [0, -1, 0]])
    right, ahead = rotation[:, 0], rotation[:, 2]
    roll = math.asin(float(np.clip(right[2], -1, 1)))
    if abs(y) > ASIDE:
        notes.append(f"the camera is {y:+.2f} m to the left of the robot's middle; taken as 0")
    if abs(roll) > ROLL:
        notes.append(f"the camera is rolled by {math.degrees(roll):.1f} degrees; taken as 0")
    if base != GROUND:
        notes.append(f"the camera's height is that above {base}, which is taken as the ground")
    if z <= 0:
        notes.append(f"transforms put the camera {z:.2f} m high; give its height")
        return None
    pitch = math.asin(float(np.clip(-ahead[2], -1, 1)))
    return Mount(float(z), pitch, float(x), math.atan2(float(ahead[1]), float(ahead[0])))
