"""The table of trajectories that a robot can drive from each of some speeds and turn rates."""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from paseo.compiled import compiled
from paseo.planners.sampling.trajectories import (
    COLUMNS,
    SHORTEST,
    TURN_FIRST,
    Limits,
    fitted,
    roll_out,
)
from paseo.world.arrays import FloatArray, IntArray

SPEEDS, TURNS = 7, 3  # starts; turns only for robots that cannot change theirs at once
STEPS, SAMPLES = 60, 24  # of a whole horizon: to roll out and to keep


@dataclass(frozen=True, slots=True, eq=False)
class Trajectories:
    """Those from one start, without the start itself."""

    samples: FloatArray  # (trajectories, samples, 3), poses from the origin, facing +x
    counts: IntArray  # (trajectories,), samples that are valid
    splines: FloatArray  # (trajectories, columns), to roll out again

    def end(self, index: int) -> FloatArray:
        """The last pose of one of them."""
        return self.samples[index, self.counts[index] - 1]


@dataclass(frozen=True, slots=True, eq=False)
class Lattice:
    """Trajectories from all starts."""

    speeds: FloatArray  # (speeds,)
    turns: FloatArray  # (turns,)
    starts: tuple[Trajectories, ...]  # for each speed and each turn
    interval: float  # seconds between samples

    def from_start(self, forward: float, turn: float) -> Trajectories:
        """The trajectories from the nearest start."""
        speed = int(np.abs(self.speeds - forward).argmin())
        return self.starts[speed * len(self.turns) + int(np.abs(self.turns - turn).argmin())]


@lru_cache(maxsize=2)
def lattice(candidates: int, horizon: float, limits: Limits, dt: float) -> Lattice:
    """Trajectories of at most `horizon` seconds, about `candidates` from each start."""
    speeds = np.linspace(0.0, limits.speed, SPEEDS)
    turns = np.zeros(1)
    if limits.turn_acceleration * SHORTEST < limits.turn:
        turns = limits.turn_acceleration * np.linspace(-SHORTEST, SHORTEST, TURNS)
    elif math.isfinite(limits.turn_acceleration):
        turns = limits.turn * np.linspace(-1.0, 1.0, TURNS)
    step = dt * max(1, round(horizon / STEPS / dt))
    every = max(1, round(horizon / SAMPLES / step))
    points = waypoints(candidates, horizon * limits.speed / 1.5)
    starts = []
    for speed in speeds.tolist():
        splines = fitted_to(points, speed, horizon, limits)
        for turn in turns.tolist():
            samples, counts = rolled_out(splines, speed, turn, step, every, horizon, limits)
            starts.append(Trajectories(samples, counts, splines))
    return Lattice(speeds, turns, tuple(starts), every * step)


def waypoints(count: int, reach: float) -> FloatArray:
    """About `count` waypoints: turn on the spot before, x, y and heading, (waypoints, 4).

    Most lie ahead, more densely straight ahead, each with headings about the one that an arc
    has there; the others lie straight ahead after a turn on the spot.
    """
    scale = (count / 3000.0) ** (1.0 / 3.0)
    longest, sides, turns, aside = (int(n * scale) for n in (12, 8, 6, 15))
    lengths = reach * (np.arange(1, longest + 1) / longest) ** 1.3
    side, bend = np.linspace(-1.0, 1.0, 2 * sides + 1), np.linspace(-1.0, 1.0, 2 * turns + 1)
    length, bearing, turn = np.meshgrid(
        lengths, math.radians(75.0) * side * abs(side), math.radians(90.0) * bend * abs(bend)
    )
    ahead = np.stack(
        [0.0 * length, length * np.cos(bearing), length * np.sin(bearing), 2.0 * bearing + turn],
        axis=-1,
    ).reshape(-1, 4)
    turned, metres = np.meshgrid(np.linspace(-math.pi, math.pi, 2 * aside), lengths)
    after = np.stack([turned, metres, 0.0 * metres, 0.0 * metres], axis=-1).reshape(-1, 4)
    return np.concatenate([ahead[abs(ahead[:, 3]) <= 1.1 * math.pi], after])


@compiled
def fitted_to(points: FloatArray, forward: float, horizon: float, limits: Limits) -> FloatArray:
    """Splines from a speed to the waypoints, (splines, columns), without those that last longer."""
    splines = np.zeros((points.shape[0], COLUMNS))
    shortest = min(SHORTEST, 0.25 * horizon)
    kept = 0
    for k in range(points.shape[0]):
        splines[kept, : points.shape[1]] = points[k]
        start = forward if points[k, TURN_FIRST] == 0.0 else 0.0
        if fitted(splines[kept], start, horizon, shortest, limits):
            kept += 1
    return splines[:kept].copy()


@compiled
def rolled_out(
    splines: FloatArray,
    forward: float,
    turn: float,
    step: float,
    every: int,
    horizon: float,
    limits: Limits,
) -> tuple[FloatArray, IntArray]:
    """Samples of the trajectories along splines, (splines, samples, 3), and how many are valid."""
    most = math.ceil(horizon / (every * step) - 1e-9) + 1
    samples = np.zeros((splines.shape[0], most, 3))
    counts = np.zeros(splines.shape[0], np.int64)
    for k in range(splines.shape[0]):
        poses, _ = roll_out(splines[k], forward, turn, step, horizon, limits)
        steps = poses.shape[0] - 1
        for at in range(every, steps + every, every):
            samples[k, counts[k]] = poses[min(at, steps)]
            counts[k] += 1
    return samples, counts
