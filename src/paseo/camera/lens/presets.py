"""The cameras that ship, by name."""

import math

from paseo.errors import UnknownName
from paseo.world.cameras import Camera, level_camera

PRESETS = {
    # The field of view of the depth camera that most indoor robots carry, an Intel RealSense D435.
    "realsense": level_camera(320, 180, across=math.radians(87)),
    "level": level_camera(640, 480, across=math.radians(75)),
    # As the original renders by default: square, looking down from its robot's head.
    "socnavbench": Camera(
        width_px=64,
        height_px=64,
        fx=32.0,
        fy=32.0,
        cx=32.0,
        cy=32.0,
        near=0.01,
        far=20.0,
        height=0.80,
        pitch=math.radians(45),
    ),
    # The height of the camera was never published; this is about a Spot's back.
    "socialnavsub": Camera(
        width_px=1280, height_px=720, fx=623.3087, fy=624.91863, cx=640.0, cy=360.0, height=0.85
    ),
    # SCAND's Jackal as its author gives it (SocialNavSUB issue 3). Its place is a guess.
    "scand_jackal": Camera(
        width_px=1280,
        height_px=720,
        fx=623.3087,
        fy=624.91863,
        cx=636.79787,
        cy=366.72814,
        distortion=(0.077320, -0.031735, 0.001695, -0.000278, 0.0),
        height=0.5,
    ),
    # What the data set uses for SCAND's Spot: the Jackal's focal lengths with a middle of its own.
    # The Spot's true lens is not known, and its place is a guess.
    "scand_spot": Camera(
        width_px=1280, height_px=720, fx=623.3087, fy=624.91863, cx=640.0, cy=360.0, height=0.85
    ),
}
# Of these nobody published height, pitch and offset: who measures by them must give their own.
NOT_MEASURED = frozenset({"scand_jackal", "scand_spot"})


def preset(name: str) -> Camera:
    """The camera of this name that ships."""
    if name not in PRESETS:
        raise UnknownName("camera", name, PRESETS)
    return PRESETS[name]
