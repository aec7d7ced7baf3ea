"""How far a robot's account of its way may be wrong, and ways that it may have gone as well."""

import math
from dataclasses import dataclass, fields, replace

import numpy as np

from paseo.errors import BadValue
from paseo.pipeline.drives.drive import Odometry
from paseo.world.arrays import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """Deviations of what wheels and a gyroscope tell; the first three stay the same for a drive.

    After `t` seconds, in which the robot turned by `a`, the heading's variance is
    `turning² t² + turns² a² + wander² t`.
    """

    way: float = 0.01  # as a share: wheels that are larger or smaller than told
    turns: float = 0.02  # as a share, of all turns
    turning: float = math.radians(0.1)  # rad/s by which a gyroscope turns at rest
    wander: float = math.radians(0.1)  # rad in a second, new at every moment; grows with its root

    def __post_init__(self) -> None:
        for each in fields(self):
            if not 0 <= getattr(self, each.name) < math.inf:
                raise BadValue(
                    f"a drift's {each.name} is {getattr(self, each.name):g}, expected 0 or more"
                )


DRIFT, NONE = Drift(), Drift(way=0.0, turns=0.0, turning=0.0, wander=0.0)


def drawn_odometry(told: Odometry, drift: Drift, rng: np.random.Generator) -> Odometry:
    """The way as it may have been as well, from the same first pose on."""
    way, turns, turning = rng.normal(0, [drift.way, drift.turns, drift.turning])
    spans, steps = np.diff(told.times), np.diff(told.poses, axis=0)
    wander = rng.normal(0, drift.wander, len(spans)) * np.sqrt(spans)
    turned = np.append(0.0, np.cumsum(turns * steps[:, 2] + turning * spans + wander))
    moved = (1 + way) * rotated(steps[:, :2], (turned[:-1] + turned[1:]) / 2)
    off = np.vstack([np.zeros(2), np.cumsum(moved - steps[:, :2], axis=0)])
    return replace(told, poses=told.poses + np.column_stack([off, turned]))


def carried(
    points: FloatArray, times: FloatArray, told: Odometry, other: Odometry
) -> tuple[FloatArray, FloatArray]:
    """Points, (times, 2), as the robot had them before it then, had it gone the other way.

    With by how much the world is turned then, (times,). In gaps the robot is taken to go evenly.
    """
    here, there = (_evenly(each, times) for each in (told, other))
    turned = there[:, 2] - here[:, 2]
    away = points - here[:, :2]
    # As a difference, so that the same way leaves points just where they are.
    return points + (there - here)[:, :2] + (rotated(away, turned) - away), turned


def rotated(vectors: FloatArray, angles: FloatArray) -> FloatArray:
    """Vectors, (rows, 2), each turned by its angle."""
    cos, sin = np.cos(angles), np.sin(angles)
    x, y = vectors.T
    return np.column_stack([cos * x - sin * y, sin * x + cos * y])


def _evenly(odometry: Odometry, times: FloatArray) -> FloatArray:
    return np.column_stack([np.interp(times, odometry.times, each) for each in odometry.poses.T])
