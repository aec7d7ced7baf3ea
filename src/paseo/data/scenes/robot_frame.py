"""The robot's first frame, x forward and y left, in which all of a scene is given."""

import numpy as np

from paseo.world.arrays import FloatArray

MOST_METRES = 10_000.0  # from the origin of whatever frame; more is an accident


def seen_from(pose: FloatArray, points: FloatArray) -> FloatArray:
    """Points (..., 2) of the frame in which `pose` (x, y, heading) is given, as the robot's."""
    forward = np.array([np.cos(pose[2]), np.sin(pose[2])])
    left = np.array([-forward[1], forward[0]])
    away = points - pose[:2]
    seen: FloatArray = np.stack([away @ forward, away @ left], axis=-1)
    return seen


def from_the_first(poses: FloatArray) -> FloatArray:
    """Poses (frames, 3) in the frame of the first; headings from -pi to pi."""
    turned = poses[:, 2] - poses[0, 2]
    headings = np.arctan2(np.sin(turned), np.cos(turned))
    return np.column_stack([seen_from(poses[0], poses[:, :2]), headings])
