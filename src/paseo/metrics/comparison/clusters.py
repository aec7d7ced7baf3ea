"""Crowd windows that overlap in time on the same recording, joined: they share their people."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from paseo.world.arrays import IntArray

FEWEST = 8  # clusters; with fewer, intervals and p are rough


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of a recording, in its own seconds."""

    recording: str
    begin_s: float
    end_s: float


Window = tuple[Stretch, ...]  # what an episode shows: a stretch of each of its recordings


def clusters(windows: Sequence[Window]) -> IntArray:
    """The cluster of each window, numbered by appearance; those that share film are in one."""
    leader = list(range(len(windows)))

    def first(k: int) -> int:
        while leader[k] != k:
            k = leader[k]
        return k

    for a, b in _overlapping(windows):
        low, high = sorted((first(a), first(b)))
        leader[high] = low
    _, numbers = np.unique([first(k) for k in range(len(windows))], return_inverse=True)
    return numbers.astype(np.int64)


def _overlapping(windows: Sequence[Window]) -> list[tuple[int, int]]:
    """Pairs of windows that share film; enough of them to know who belongs together."""
    stretches = sorted(
        (each.recording, each.begin_s, each.end_s, k)
        for k, window in enumerate(windows)
        for each in window
    )
    found = []
    last = None  # the stretch that reaches furthest so far
    for each in stretches:
        if last and each[0] == last[0] and each[1] < last[2]:
            found.append((last[3], each[3]))
            last = max(last, each, key=lambda stretch: stretch[2])
        else:
            last = each
    return found
