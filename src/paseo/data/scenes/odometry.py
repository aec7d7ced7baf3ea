"""The robot's odometry in SocialNav-SUB: a pickle of arrays, of which nothing is run."""

import io
from pathlib import Path
from typing import Any

import numpy as np

from paseo.data.scenes.robot_frame import MOST_METRES, from_the_first
from paseo.errors import BadFile
from paseo.parsing.pickles import PickledArray, PickleLimits, unpickled
from paseo.world.arrays import FloatArray

LARGEST_PICKLE = 16 << 20  # bytes
# A few arrays, of some ten steps each.
MOST = PickleLimits(steps=10_000, objects=64, bytes_made=2 * LARGEST_PICKLE)


def robot_poses(content: bytes, clip: range, where: Path) -> FloatArray:
    """The robot's poses (frames, 3) in the frames of a clip, seen from the first of them.

    The heading is the odometry's: it is known of a robot that stands, and a constant offset of it
    falls out. It also is what turns positions into the robot's frame, here as in the original.
    """
    poses = pickled_poses(content, where)
    if len(poses) < clip.stop:
        raise BadFile(
            f"{where}: ends after {len(poses)} frames, expected at least {clip.stop} for a "
            f"scene that begins at frame {clip.start}; fetch the file again"
        )
    poses = poses[clip.start : clip.stop]
    if not (np.abs(poses) <= MOST_METRES).all():  # not so for NaN either
        raise _unlike(where, "holds numbers that are no positions and angles")
    return from_the_first(poses)


def pickled_poses(content: bytes, where: Path) -> FloatArray:
    """The robot's poses (frames, 3) as a pickle of arrays holds them, all frames of it."""
    odometry = _unpickled(content, where)
    if not isinstance(odometry, dict):
        raise _unlike(where, f"holds a {type(odometry).__name__}")
    positions, yaws = (_array(odometry.get(key), key, where) for key in ("position", "yaw"))
    if yaws.ndim == 2 and yaws.shape[1] == 1:
        yaws = yaws[:, 0]
    if positions.ndim != 2 or positions.shape[1] != 2 or yaws.shape != positions.shape[:1]:
        raise _unlike(where, f"has positions {positions.shape} and yaws {yaws.shape}")
    return np.column_stack([positions, yaws])


def _unpickled(content: bytes, where: Path) -> Any:
    try:
        return unpickled(io.BytesIO(content), MOST)
    except Exception as error:  # a broken pickle raises whatever comes to mind
        raise BadFile(
            f"{where}: is refused and nothing of it was run ({str(error)[:120]}), expected a "
            "pickle of numpy arrays; fetch the file again"
        ) from error


def _array(value: object, key: str, where: Path) -> FloatArray:
    if not isinstance(value, PickledArray) or value.array is None:
        raise _unlike(where, f"has no array '{key}'")
    return value.array.astype(np.float64)


def _unlike(where: Path, problem: str) -> BadFile:
    return BadFile(
        f"{where}: {problem}, expected arrays 'position' (frames, 2) in metres and 'yaw' (frames) "
        "in radians; fetch the file again"
    )
