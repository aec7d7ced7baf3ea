"""Smooth paths at even ticks from positions at any times."""

from dataclasses import dataclass

import numpy as np

from paseo.camera.gait.steps.stepping import TICK
from paseo.world.arrays import FloatArray

SMOOTHING = 0.2  # seconds; what is faster than this is noise of clicks and clocks, not walking
END = 0.4  # seconds at each end whose mean velocity goes on beyond it


@dataclass(frozen=True, slots=True, eq=False)
class Span:
    """One person from appearing to disappearing."""

    person: int  # the column in the positions
    first: int  # tick
    path: FloatArray  # (ticks, 2), at least two


def spans_of(times: FloatArray, positions: FloatArray) -> list[Span]:
    """Everybody's spans, in order of column, then time; from positions (times, people, 2)."""
    spans = []
    there = ~np.isnan(positions[:, :, 0])
    for person in range(positions.shape[1]):
        edges = np.flatnonzero(np.diff(there[:, person].astype(np.int64), prepend=0, append=0))
        for start, stop in edges.reshape(-1, 2):
            clock, places = times[start:stop], positions[start:stop, person]
            first = int(np.ceil(clock[0] / TICK - 1e-6))
            last = max(int(np.floor(clock[-1] / TICK + 1e-6)), first + 1)
            if len(clock) == 1:
                clock, places = clock[0] + np.array([0.0, TICK]), np.repeat(places, 2, axis=0)
            at = np.arange(first, last + 1, dtype=np.float64) * TICK
            spans.append(Span(person, first, smoothed(through(clock, places, at))))
    return spans


def through(times: FloatArray, places: FloatArray, at: FloatArray) -> FloatArray:
    """Places on a cubic through samples, (at, 2)."""
    slopes = np.gradient(places, times, axis=0)
    piece = np.clip(np.searchsorted(times, at, side="right") - 1, 0, len(times) - 2)
    lasts = (times[piece + 1] - times[piece])[:, None]
    share = (at - times[piece])[:, None] / lasts
    step = places[piece + 1] - places[piece]
    begin, end = slopes[piece] * lasts, slopes[piece + 1] * lasts
    bend = 3.0 * step - 2.0 * begin - end
    twist = begin + end - 2.0 * step
    return np.asarray(places[piece] + share * (begin + share * (bend + share * twist)), np.float64)


def smoothed(path: FloatArray) -> FloatArray:
    """The path without what is faster than `SMOOTHING`; bends keep their radius.

    A bell curve pulls bends inwards; what it took away is smoothed and given back.
    """
    reach = round(4.0 * SMOOTHING / TICK)
    bell = np.exp(-0.5 * (np.arange(-reach, reach + 1) * TICK / SMOOTHING) ** 2)
    bell /= bell.sum()
    kernel = -np.convolve(bell, bell)
    kernel[reach:-reach] += 2.0 * bell
    some = min(round(END / TICK), len(path) - 1)
    ahead = np.arange(1, 2 * reach + 1)[:, None] / some
    before = path[0] - ahead[::-1] * (path[some] - path[0])
    after = path[-1] + ahead * (path[-1] - path[-1 - some])
    whole = np.concatenate([before, path, after])
    return np.column_stack([np.convolve(whole[:, axis], kernel, "valid") for axis in (0, 1)])
