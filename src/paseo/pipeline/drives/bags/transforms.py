"""Transforms between a robot's parts, and what follows for its camera and its laser."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from paseo.world.arrays import FloatArray

HALF_A_PIXEL = 0.5  # ROS puts the middle of the first pixel at (0, 0), Paseo at (0.5, 0.5)
BASES = ("base_footprint", "base_link", "base", "body", "chassis_link")
GROUND = "base_footprint"
WORLDS = ("odom", "odom_combined", "vision", "map", "world")
MOST_FRAMES = 2000
LONGEST_CHAIN = 50


@dataclass(slots=True)
class Transforms:
    """Where each part of a robot is on the part that carries it."""

    carriers: dict[str, str] = field(default_factory=dict)  # by part
    places: dict[str, FloatArray] = field(default_factory=dict)  # by part, (4, 4) on its carrier

    def add(self, carrier: str, part: str, place: FloatArray) -> None:
        """Note a part, the first time that it is told."""
        if part not in self.carriers and len(self.carriers) < MOST_FRAMES:
            self.carriers[part], self.places[part] = carrier, place

    def on_robot(self, part: str) -> tuple[str, FloatArray] | None:
        """The part of the robot's middle and the place, (4, 4), of another on it; None: unknown."""
        whole, base, found = np.eye(4), part, None
        for _ in range(LONGEST_CHAIN):
            if base in BASES:
                found = base, whole  # the one that is nearest to the ground counts
            if base not in self.carriers or self.carriers[base] in WORLDS:
                break
            whole, base = self.places[base] @ whole, self.carriers[base]
        return found


def placed(translation: Iterable[float], turn: Iterable[float]) -> FloatArray | None:
    """The place, (4, 4), of a translation and a quaternion x, y, z, w; None: these are none."""
    x, y, z, w = turn
    norm = math.sqrt(x * x + y * y + z * z + w * w)
    move = np.array(list(translation), float)
    if not (0.5 < norm < 2 and np.isfinite(move).all()):
        return None
    x, y, z, w = x / norm, y / norm, z / norm, w / norm
    place = np.eye(4)
    place[:3, :3] = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    place[:3, 3] = move
    return place


def transform(message: Any) -> tuple[str, str, FloatArray | None]:
    """The carrier, the part and the place of a TransformStamped."""
    move, turn = message.transform.translation, message.transform.rotation
    place = placed((move.x, move.y, move.z), (turn.x, turn.y, turn.z, turn.w))
    return bare(message.header.frame_id), bare(message.child_frame_id), place


def bare(frame: str) -> str:
    """The name of a part without the slash that old recordings put before it."""
    return frame.strip("/")


def quaternion(rotation: FloatArray) -> FloatArray:
    """The quaternion x, y, z, w, (4,), of a rotation (3, 3) (Shepperd 1978)."""
    trace = float(np.trace(rotation))
    values = [*np.diag(rotation), trace]
    largest = int(np.argmax(values))
    turn = np.empty(4)
    if largest == 3:
        turn[3] = 1 + trace
        turn[:3] = (
            rotation[2, 1] - rotation[1, 2],
            rotation[0, 2] - rotation[2, 0],
            rotation[1, 0] - rotation[0, 1],
        )
    else:
        i, j, k = largest, (largest + 1) % 3, (largest + 2) % 3
        turn[i] = 1 - trace + 2 * rotation[i, i]
        turn[j] = rotation[j, i] + rotation[i, j]
        turn[k] = rotation[k, i] + rotation[i, k]
        turn[3] = rotation[k, j] - rotation[j, k]
    return turn / np.linalg.norm(turn)


def heading_and_lean(turn: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Heading and lean forward (nose down) in radians of quaternions x, y, z, w, (samples, 4)."""
    x, y, z, w = turn.T
    heading = np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
    lean = np.arcsin(np.clip(2 * (w * y - z * x), -1, 1))
    return heading, lean
