"""How the robot moved: speed, energy, smoothness, standing."""

import numpy as np

from paseo.metrics.record.endings import SOCNAVBENCH
from paseo.metrics.record.metric import metric
from paseo.metrics.record.paths import GUIDELINES, steps_of
from paseo.world.arrays import FloatArray
from paseo.world.records import Record

STALLED_BELOW = 0.05  # m/s


def velocities(record: Record) -> FloatArray:
    """The robot's velocity in each step, (states - 1, 2)."""
    return steps_of(record) / record.scenario.dt


def norms(vectors: FloatArray) -> FloatArray:
    """Lengths of vectors, (n, 2) to (n,)."""
    return np.hypot(vectors[:, 0], vectors[:, 1])


@metric(
    unit="m/s",
    better="higher",
    formula="|p[k+1] - p[k]| / dt for each step",
    source=SOCNAVBENCH,
    original="leaves out the first and the last step",
    pooled=True,
    group="motion",
)
def speed(record: Record) -> FloatArray:
    """Speed in each step; the mean is the paper's average speed."""
    return norms(velocities(record))


@metric(
    unit="J",
    better="lower",
    formula="sum of |v|^2 dt, for unit mass",
    source=SOCNAVBENCH,
    original="sum of |v|^2 without dt, 20 times as much; Table 4 prints that",
    population="completed",
    group="motion",
)
def energy(record: Record) -> float:
    """What the motion cost."""
    return float((velocities(record) ** 2).sum() * record.scenario.dt)


@metric(
    unit="m/s^2",
    better="lower",
    formula="|v[k+1] - v[k]| / dt, norm of the vector",
    source=SOCNAVBENCH,
    original="the vectors themselves, without a norm",
    pooled=True,
    group="motion",
)
def acceleration(record: Record) -> FloatArray:
    """Acceleration between steps; the mean is the paper's average acceleration."""
    return norms(np.diff(velocities(record), axis=0) / record.scenario.dt)


@metric(
    unit="m/s^3",
    better="lower",
    formula="|a[k+1] - a[k]| / dt, norm of the vector",
    source=SOCNAVBENCH,
    original="the vectors themselves, without a norm",
    pooled=True,
    group="motion",
)
def jerk(record: Record) -> FloatArray:
    """Change of acceleration; the mean is the paper's average jerk."""
    return norms(np.diff(velocities(record), n=2, axis=0) / record.scenario.dt**2)


@metric(
    unit="s",
    better="lower",
    formula=f"time at less than {STALLED_BELOW} m/s",
    source=f"{GUIDELINES}, stalled time (ST)",
    per_minute=True,
)
def stalled_time(record: Record) -> float:
    """How long the robot stood."""
    return float((norms(velocities(record)) < STALLED_BELOW).sum() * record.scenario.dt)
