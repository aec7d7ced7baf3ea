"""Where people will be: at constant velocity, less and less surely, and with their companions.

The numbers were measured on the ETH and UCY recordings: the error of constant velocity grows as
time to the power 1.5, by 0.12 m in the first second for who walks, and by half of it for who
stands; who has companions follows their common velocity after about a second.
"""

from dataclasses import dataclass

import numpy as np

from paseo.world.arrays import FloatArray, IntArray
from paseo.world.people import Crowd

TOGETHER = 1.6  # metres between companions at most
ALIKE = 0.4  # m/s by which the velocities of companions differ at most
ALONE = 1.0  # seconds for which everybody keeps their own velocity
FOLLOWING = 0.5  # of the difference to the companions' velocity is taken up later
SPREAD = 0.12  # metres of uncertainty after a second
MOST_SPREAD = 0.2  # metres; more is known by the time it matters
KNOWN = 0.06  # metres of uncertainty here and now
MARGIN = 1.5  # metres beyond where the robot could meet somebody


@dataclass(frozen=True, slots=True, eq=False)
class Forecast:
    """The people who matter, and where they are expected."""

    positions: FloatArray  # (people, times, 2)
    deviations: FloatArray  # (people, times), metres
    velocities: FloatArray  # (people, 2), now
    radii: FloatArray  # (people,)
    pairs: IntArray  # (pairs, 2), companions, by row


def forecast(crowd: Crowd, x: float, y: float, *, times: FloatArray, top_speed: float) -> Forecast:
    """Everybody whom a robot at (x, y) can meet until the last of the `times` ahead."""
    speeds = np.hypot(crowd.velocities[:, 0], crowd.velocities[:, 1])
    distances = np.hypot(crowd.positions[:, 0] - x, crowd.positions[:, 1] - y)
    near = distances < (speeds + top_speed) * times[-1] + MARGIN
    positions, velocities = crowd.positions[near], crowd.velocities[near]
    pairs = companions(positions, velocities)
    drift = FOLLOWING * (_common_velocities(velocities, pairs) - velocities)
    ahead = (
        positions[:, None]
        + velocities[:, None] * times[:, None]
        + drift[:, None] * np.maximum(times - ALONE, 0.0)[:, None]
    )  # (people, times, 2)
    liveliness = np.minimum(0.5 + speeds[near], 1.0)
    spread = np.minimum(SPREAD * times**1.5, MOST_SPREAD)
    return Forecast(
        ahead, KNOWN + liveliness[:, None] * spread, velocities, crowd.radii[near], pairs
    )


def companions(positions: FloatArray, velocities: FloatArray) -> IntArray:
    """Who walks or stands together: near one another and alike in velocity, (pairs, 2) rows."""
    offsets = positions[:, None] - positions  # (people, people, 2)
    unlike = velocities[:, None] - velocities
    together = np.hypot(offsets[..., 0], offsets[..., 1]) < TOGETHER
    together &= np.hypot(unlike[..., 0], unlike[..., 1]) < ALIKE
    return np.argwhere(np.triu(together, 1))


def _common_velocities(velocities: FloatArray, pairs: IntArray) -> FloatArray:
    """The mean velocity of everybody and their companions, (people, 2)."""
    totals, counts = velocities.copy(), np.ones((len(velocities), 1))
    for me, other in ((0, 1), (1, 0)):
        np.add.at(totals, pairs[:, me], velocities[pairs[:, other]])
        np.add.at(counts, pairs[:, me], 1.0)
    common: FloatArray = totals / counts
    return common
