"""People who walk as a test wants them to."""

import numpy as np

from paseo.camera.gait.bones.sticks import stick_skeleton
from paseo.camera.gait.quality import Motion, motion_of
from paseo.camera.gait.steps.footwork import Footwork, walks_of
from paseo.world.arrays import FloatArray

STICK = stick_skeleton()
LEG = float(STICK.joints[STICK.names.index("thigh_l"), 2])


def straight(speed: float, seconds: float = 12.0) -> tuple[FloatArray, FloatArray]:
    """Times and places of somebody who walks along x."""
    times = np.arange(0.0, seconds, 0.05)
    return times, np.column_stack([speed * times, np.zeros_like(times)])


def circle(
    speed: float, radius: float = 2.0, seconds: float = 12.0
) -> tuple[FloatArray, FloatArray]:
    """Times and places of somebody who walks round the origin, anticlockwise."""
    times = np.arange(0.0, seconds, 0.05)
    angle = speed / radius * times
    return times, radius * np.column_stack([np.cos(angle), np.sin(angle)])


def feet_along(times: FloatArray, *walks: FloatArray) -> Footwork:
    """The footwork of people 1, 2 ... who are at these places, each (times, 2)."""
    ids = np.arange(1, len(walks) + 1)
    legs = np.full(len(walks), LEG)
    return walks_of(times, np.stack(walks, axis=1), ids, leg_lengths=legs)


def seen(footwork: Footwork, start: float, stop: float, step: float = 0.02) -> Motion:
    """What a camera sees of stick people between two times."""
    frames = np.arange(start, stop, step)
    return motion_of(footwork.at, frames, footwork.ids, [STICK] * len(footwork.ids))
