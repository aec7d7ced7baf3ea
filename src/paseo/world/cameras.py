"""Cameras: their optics, where they stand, and what a robot sees by one.

Image coordinates are OpenCV's: u to the right, v down, and the camera looks along +z. The middle
of the first pixel is at (0.5, 0.5); a principal point in the middle of the image is width / 2.
"""

import math
from dataclasses import dataclass, field

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from paseo.errors import BadValue
from paseo.world.arrays import FloatArray
from paseo.world.motion import Pose

MOST_PIXELS, MOST_IN_ALL = 16_384, 2**25  # along a side; in all, of which 8K has about as many
PERIOD = 0.1  # seconds from picture to picture, unless something else is said
SHORTEST, LONGEST = 1e-3, 1e7  # focal lengths in pixels; beyond these rays cannot be told apart
FARTHEST_ASIDE = 1e6  # pixels that the principal point may lie outside of the picture
COEFFICIENTS = (0, 4, 5, 8)  # as many as OpenCV takes: none, k1 k2 p1 p2, k3, k4 k5 k6


@dataclass(frozen=True, slots=True, kw_only=True)
class Camera:
    """A camera on the robot, or at a place of its own.

    On the robot it turns with it. Only what lies between `near` and `far` is seen, measured
    along the line of sight of the middle.
    """

    width_px: int
    height_px: int
    fx: float  # pixels, as fy, cx and cy
    fy: float
    cx: float
    cy: float
    distortion: tuple[float, ...] = ()  # k1 k2 p1 p2 k3 k4 k5 k6 as in OpenCV
    near: float = 0.05
    far: float = 200.0
    height: float = 1.0  # metres above the ground
    pitch: float = 0.0  # radians below the horizon
    yaw: float = 0.0  # radians to the left of the robot's heading
    forward: float = 0.0  # metres before the middle of the robot
    at: Pose | None = None  # None: on the robot

    def __post_init__(self) -> None:
        _check_optics(self)
        _check_place(self)

    def view(self, robot: Pose | None = None) -> "View":
        """Where the camera is in the world while the robot is there."""
        carrier = self.at or robot
        if carrier is None:
            raise BadValue("a camera on the robot needs the robot's pose; give one, or set at")
        heading = carrier.heading + self.yaw
        ahead, aside = math.cos(carrier.heading), math.sin(carrier.heading)
        x, y = carrier.x + self.forward * ahead, carrier.y + self.forward * aside
        return View(position=np.array([x, y, self.height]), rotation=facing(heading, self.pitch))


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """Where a camera stands and looks."""

    position: FloatArray  # (3,) metres
    rotation: FloatArray  # (3, 3); its columns are right, down and forward in the world


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraSensor:
    """How the sensor of a camera differs from a perfect one; as it stands, not at all.

    Noise of depth grows with its square, as that of stereo and structured light does
    (Khoshelham and Elberink 2012); `depth_noise` is its deviation at 1 m.
    """

    max_range: float | None = None  # metres beyond which no depth is told; None: no limit
    min_range: float = 0.0
    depth_noise: float = 0.0  # metres
    depth_holes: float = 0.0  # share of pixels without depth where surfaces are seen edge-on
    exposure: float = 1.0  # times as much light
    noise: float = 0.0  # deviation of a colour in the middle of its range, of 255
    row_noise: float = 0.0  # deviation that all pixels of a row share, of 255

    def __post_init__(self) -> None:
        for name in ("min_range", "depth_noise", "noise", "row_noise"):
            if not 0 <= getattr(self, name) < math.inf:
                raise BadValue(f"a sensor's {name} is {getattr(self, name):g}, expected 0 or more")
        farthest = math.inf if self.max_range is None else self.max_range
        if not farthest > self.min_range:
            raise BadValue(
                f"a sensor sees from {self.min_range:g} to {farthest:g} m, expected max_range "
                "beyond min_range"
            )
        if not 0 <= self.depth_holes <= 1:
            raise BadValue(f"a sensor's depth_holes are {self.depth_holes:g}, expected 0 to 1")
        if not 0 < self.exposure < math.inf:
            raise BadValue(f"a sensor's exposure is {self.exposure:g}, expected over 0")


class RgbdImage(Struct, frozen=True, eq=False):
    """What the robot's camera shows: colours and depth, not to be written to.

    The camera was on the robot, which stood at `pose`; `camera.view(image.pose)` says where.
    """

    time: float  # when it was taken, which may be some steps ago
    pose: Pose
    rgb: NDArray[np.uint8]  # (height, width, 3)
    depth: NDArray[np.float32]  # (height, width), metres along the line of sight of the middle; NaN
    ids: NDArray[np.int32] | None = None  # whom a pixel shows, -1: nobody; never for a planner


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """How a robot sees that is told nothing of people: by a camera on it."""

    camera: Camera
    sensor: CameraSensor = field(default_factory=CameraSensor)
    period: float = PERIOD  # seconds from picture to picture, in whole steps; held meanwhile
    perception: str = ""  # who finds people in pictures: by name, or `file.py:Class`; empty: nobody

    def __post_init__(self) -> None:
        if self.camera.at is not None:
            raise BadValue(
                "the robot sees by a camera that stands at a place of its own; omit at, so that "
                "it is on the robot",
                parameters=("camera",),
            )
        if not 0 < self.period < math.inf:
            raise BadValue(
                f"pictures are taken every {self.period:g} s, expected over 0",
                parameters=("camera_fps",),
            )

    @property
    def label(self) -> str:
        """In one word what a planner is given of people."""
        return self.perception or "image"


def facing(heading: float, pitch: float) -> FloatArray:
    """The rotation, (3, 3), of a level camera that looks along `heading` and `pitch` down."""
    ahead = np.array([math.cos(heading), math.sin(heading), 0.0])
    right = np.array([math.sin(heading), -math.cos(heading), 0.0])
    up = np.array([0.0, 0.0, 1.0])
    forward = math.cos(pitch) * ahead - math.sin(pitch) * up
    return np.stack([right, np.cross(forward, right), forward], axis=1)


def level_camera(width_px: int, height_px: int, *, across: float) -> Camera:
    """A camera without distortion that sees so many radians from left to right."""
    if not 0 < across < math.pi:
        raise BadValue(f"a lens sees {across:g} rad across, expected between 0 and pi")
    focal = width_px / 2 / math.tan(across / 2)
    return Camera(
        width_px=width_px,
        height_px=height_px,
        fx=focal,
        fy=focal,
        cx=width_px / 2,
        cy=height_px / 2,
    )


def _check_optics(camera: Camera) -> None:
    width, height = camera.width_px, camera.height_px
    if not (0 < width <= MOST_PIXELS and 0 < height <= MOST_PIXELS):
        raise BadValue(
            f"a camera of {width}x{height} pixels cannot be, expected 1 to {MOST_PIXELS} each way"
        )
    if width * height > MOST_IN_ALL:
        raise BadValue(
            f"a picture of {width}x{height} pixels does not fit into memory, expected at most "
            f"{MOST_IN_ALL:,} in all; take fewer"
        )
    for key in ("fx", "fy"):
        focal = getattr(camera, key)
        if not SHORTEST <= focal <= LONGEST:
            raise BadValue(
                f"a camera's {key} is {focal:g} pixels, expected {SHORTEST:g} to {LONGEST:g}"
            )
    for key in ("cx", "cy"):
        if not abs(getattr(camera, key)) <= FARTHEST_ASIDE:
            raise BadValue(
                f"a camera's {key} is {getattr(camera, key):g} pixels, expected at most "
                f"{FARTHEST_ASIDE:g} either way"
            )
    if not all(map(math.isfinite, camera.distortion)):
        raise BadValue("a camera's distortion must be finite numbers")
    if len(camera.distortion) not in COEFFICIENTS:
        raise BadValue(
            f"a camera has {len(camera.distortion)} coefficients of distortion, expected 0, 4 "
            "(k1 k2 p1 p2), 5 (k3) or 8 (k4 k5 k6)"
        )
    if not 0 < camera.near < camera.far < math.inf:
        raise BadValue(
            f"a camera sees from {camera.near:g} to {camera.far:g} m, expected near over 0 and "
            "far beyond it"
        )


def _check_place(camera: Camera) -> None:
    if not 0 < camera.height <= 1000:
        raise BadValue(f"a camera hangs {camera.height:g} m high, expected over 0 and up to 1000")
    if not abs(camera.pitch) <= math.pi / 2:
        raise BadValue(
            f"a camera looks {math.degrees(camera.pitch):g} degrees down, expected -90 to 90"
        )
    at = camera.at
    if at is not None and not all(map(math.isfinite, (at.x, at.y, at.heading))):
        raise BadValue(f"a camera stands at ({at.x:g}, {at.y:g}) m, expected finite numbers")
    if not (math.isfinite(camera.yaw) and math.isfinite(camera.forward)):
        raise BadValue("a camera's yaw and forward must be finite numbers")
