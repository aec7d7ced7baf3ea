"""Where people will be: at constant velocity, less and less surely, and with their companions."""

import math
from dataclasses import dataclass

import numpy as np

from paseo.world.people import Crowd, FloatArray

TOGETHER = 1.6  # metres between companions at most
ALIKE = 0.4  # m/s by which their velocities differ at most
STANDING = 0.3  # m/s


@dataclass(frozen=True, slots=True, eq=False)
class Forecast:
    """The people who matter, and where they are expected."""

    positions: FloatArray  # (people, steps, 2)
    deviations: FloatArray  # (people, steps), metres
    radii: FloatArray  # (people,)
    directions: FloatArray  # (people, 2), unit vectors
    speeds: FloatArray  # (people,)
    pairs: FloatArray  # (pairs, 2), companions, as rows of positions


def forecast(
    crowd: Crowd, x: float, y: float, *, times: FloatArray, top_speed: float, spread: float, most: float
) -> Forecast:
    """Everybody whom a robot at (x, y) could meet, at the given times ahead."""
    offsets = crowd.positions - (x, y)
    speeds = np.hypot(crowd.velocities[:, 0], crowd.velocities[:, 1])
    reach = (speeds + top_speed) * times[-1] + 1.5
    near = np.hypot(offsets[:, 0], offsets[:, 1]) < reach
    positions, velocities, speeds = crowd.positions[near], crowd.velocities[near], speeds[near]
    ahead = positions[:, None] + velocities[:, None] * times[:, None]
    growth = np.minimum(spread * times**1.5, most)
    deviations = growth * np.minimum(0.5 + speeds, 1.0)[:, None]
    return Forecast(
        ahead,
        deviations,
        crowd.radii[near],
        velocities / np.maximum(speeds, 1e-9)[:, None],
        speeds,
        companions(positions, velocities),
    )


def companions(positions: FloatArray, velocities: FloatArray) -> FloatArray:
    """Pairs of people who walk or stand together, (pairs, 2), by their rows."""
    apart = np.hypot(*(positions[:, None] - positions).T)
    unlike = np.hypot(*(velocities[:, None] - velocities).T)
    a, b = np.nonzero(np.triu((apart < TOGETHER) & (unlike < ALIKE), 1))
    return np.column_stack([a, b]).astype(np.float64)
