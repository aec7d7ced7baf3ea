"""How single people walk: how much they turn, how direct their way is, how even their pace."""

import numpy as np

from paseo.crowd_check.samples import CLOCK, TrackSamples
from paseo.world.arrays import FloatArray, IntArray

STANDING = 0.2  # m/s
TURNING = 0.5  # m/s; slower people turn on the spot, which is no curve
SHORTEST_WAY = 2.0  # metres; who walks less has hardly a way
FEWEST_STEPS = 5  # faster than STANDING, 2 s; of fewer, a spread says little


def curvatures(at: TrackSamples) -> FloatArray:
    """|Heading change| / mean step length of steps of 0.8 s that follow one another.

    Only where both are faster than TURNING. Steps begin at the first tick of each stay.
    """
    breaks = (np.diff(at.people) != 0) | (np.diff(at.ticks) != 1)
    starts = np.concatenate([[0], np.nonzero(breaks)[0] + 1, [len(at)]])
    within = np.arange(len(at)) - np.repeat(starts[:-1], np.diff(starts))
    left = np.repeat(np.diff(starts), np.diff(starts)) - within - 1  # ticks until the stay ends
    k = np.nonzero((within % 2 == 0) & (left >= 4))[0]
    one, other = at.positions[k + 2] - at.positions[k], at.positions[k + 4] - at.positions[k + 2]
    lengths = np.hypot(one[:, 0], one[:, 1]), np.hypot(other[:, 0], other[:, 1])
    fast = np.minimum(*lengths) > TURNING * 2 * CLOCK
    turns = np.arctan2(other[:, 1], other[:, 0]) - np.arctan2(one[:, 1], one[:, 0])
    turns = np.abs((turns + np.pi) % (2 * np.pi) - np.pi)
    found: FloatArray = turns[fast] / ((lengths[0] + lengths[1])[fast] / 2)
    return found


def path_efficiencies(at: TrackSamples) -> FloatArray:
    """Straight distance over way walked, of everybody who walks SHORTEST_WAY at least."""
    first, last = _stays(at)
    ways = np.add.reduceat(np.nan_to_num(at.speeds), first) * CLOCK if len(at) else np.empty(0)
    straight = at.positions[last] - at.positions[first]
    far = ways >= SHORTEST_WAY
    efficiencies: FloatArray = np.hypot(straight[far, 0], straight[far, 1]) / ways[far]
    return np.minimum(efficiencies, 1.0)  # who is out of sight for a while walks on unseen


def speed_variations(at: TrackSamples) -> FloatArray:
    """Standard deviation over mean of each person's speed while walking, FEWEST_STEPS at least."""
    first, _ = _stays(at)
    if not len(at):
        return np.empty(0)
    walking = at.speeds > STANDING  # NaN is not
    speeds = np.where(walking, at.speeds, 0.0)
    steps = np.add.reduceat(walking.astype(np.float64), first)
    enough = steps >= FEWEST_STEPS
    means = np.add.reduceat(speeds, first)[enough] / steps[enough]
    squares = np.add.reduceat(speeds * speeds, first)[enough] / steps[enough]
    variations: FloatArray = np.sqrt(np.maximum(squares - means * means, 0.0)) / means
    return variations


def _stays(at: TrackSamples) -> tuple[IntArray, IntArray]:
    """Everybody's first and last moment, (people,), as indices."""
    change = np.diff(at.people) != 0
    edge = np.ones(min(len(at), 1), np.bool_)
    first, last = np.concatenate([edge, change]), np.concatenate([change, edge])
    return np.nonzero(first)[0], np.nonzero(last)[0]
