"""From pixels to directions over the ground: the lens undone, the camera and the robot levelled."""

import math
from dataclasses import replace

import numpy as np

from paseo.camera.lens.projection import undistorted
from paseo.world.arrays import FloatArray
from paseo.world.cameras import Camera, facing

STEP_PX, STEP = 0.25, 1e-5  # for slopes: in pixels, and in radians or as a share
SLOPES = ("u", "v", "pitch", "focal")


def directions(pixels: FloatArray, camera: Camera, tilts: FloatArray) -> FloatArray:
    """How far below the horizon and left of the robot's heading, (points, 2), pixels look.

    `pixels` are u and v, (points, 2); `tilts` are the robot's pitch and roll, (points, 2). NaN for
    what the lens cannot show.
    """
    flat = undistorted(
        (pixels - [camera.cx, camera.cy]) / [camera.fx, camera.fy], camera.distortion
    )
    rays = np.column_stack([flat, np.ones(len(flat))]) @ facing(camera.yaw, camera.pitch).T
    forward, left, up = levelled(rays, tilts).T
    return np.column_stack([np.arctan2(-up, np.hypot(forward, left)), np.arctan2(left, forward)])


def levelled(vectors: FloatArray, tilts: FloatArray) -> FloatArray:
    """Vectors of the robot's body, (points, 3) forward, left and up, seen by a robot that is level.

    It pitches its nose down and rolls its right side down, about the middle of its feet.
    """
    (pitch, roll), (x, y, z) = tilts.T, vectors.T
    y, z = y * np.cos(roll) - z * np.sin(roll), y * np.sin(roll) + z * np.cos(roll)
    x, z = x * np.cos(pitch) + z * np.sin(pitch), z * np.cos(pitch) - x * np.sin(pitch)
    return np.column_stack([x, y, z])


def eye(camera: Camera, tilts: FloatArray) -> FloatArray:
    """Where the camera is, (points, 3), seen by a robot that is level."""
    place = np.array([camera.forward, 0.0, camera.height])
    return levelled(np.broadcast_to(place, (len(tilts), 3)), tilts)


def slopes(pixels: FloatArray, camera: Camera, tilts: FloatArray) -> FloatArray:
    """How directions change, (points, 2, 4), with u, v, the camera's pitch and its focal length.

    Per pixel, per radian, and for a focal length that is larger by a share of itself.
    """
    here = directions(pixels, camera, tilts)
    # Towards the horizon, so that the pitch stays within what a camera may have.
    sign = -math.copysign(1.0, camera.pitch)
    pitched = replace(camera, pitch=camera.pitch + sign * STEP)
    longer = replace(camera, fx=camera.fx * (1 + STEP), fy=camera.fy * (1 + STEP))
    moved = (
        (directions(pixels + [STEP_PX, 0.0], camera, tilts), STEP_PX),
        (directions(pixels + [0.0, STEP_PX], camera, tilts), STEP_PX),
        (directions(pixels, pitched, tilts), sign * STEP),
        (directions(pixels, longer, tilts), STEP),
    )
    turn = 2 * math.pi
    found = np.stack([(there - here) / step for there, step in moved], axis=2)
    for place, (there, step) in enumerate(moved):  # a bearing may pass behind
        change = there[:, 1] - here[:, 1]
        found[:, 1, place] = (change - turn * np.round(change / turn)) / step
    return found
