"""Tracks on one common clock, a row for each person and tick: what statistics of crowds start from.

The clock ticks every 0.4 s, the annotation step of the ETH recordings: finer steps of hand-made
tracks show the interpolation, not the people.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paseo.world.arrays import BoolArray, FloatArray, IntArray
from paseo.world.tracks import INSTANT, Track

CLOCK = 0.4
MAX_MOMENTS = 4_000_000  # 444 hours of walking; of longer recordings the beginning is taken


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TrackSamples:
    """Who was where at each tick, in order of person and tick."""

    ticks: IntArray  # (moments,), time = tick * CLOCK
    people: IntArray  # (moments,), ids
    positions: FloatArray  # (moments, 2)
    velocities: FloatArray  # (moments, 2), on the way to the next tick; NaN where there is none

    def __len__(self) -> int:
        return len(self.ticks)

    @property
    def speeds(self) -> FloatArray:
        """Metres per second on the way to the next tick, (moments,); NaN where there is none."""
        speeds: FloatArray = np.hypot(self.velocities[:, 0], self.velocities[:, 1])
        return speeds

    def of_people(self, ids: Sequence[int]) -> BoolArray:
        """Which moments belong to these people, (moments,)."""
        return np.isin(self.people, np.array(ids, np.int64))

    def by_tick(self, most: int) -> Iterator[NDArray[np.intp]]:
        """Indices of the moments at one tick, for at most `most` ticks spread over all."""
        order = np.argsort(self.ticks, kind="stable")
        starts = np.nonzero(np.diff(self.ticks[order], prepend=-1))[0]
        groups = np.split(order, starts[1:]) if len(order) else []
        yield from groups[:: self.stride(most)]

    def stride(self, most: int) -> int:
        """How many ticks `by_tick` goes on by."""
        return max(1, -(-len(np.unique(self.ticks)) // most))


def evenly(indices: NDArray[np.intp], most: int) -> NDArray[np.intp]:
    """At most so many of the indices, spread over all."""
    return indices[:: max(1, -(-len(indices) // most))]


def moments(tracks: Sequence[Track]) -> TrackSamples:
    """Everybody at every tick they are present."""
    left = MAX_MOMENTS
    parts: list[TrackSamples] = []
    for track in sorted(tracks, key=lambda track: (track.times[0], track.id)):
        part = _moments_of(track, left)
        parts.append(part)
        left -= min(left, 1 + int((track.times[-1] - track.times[0]) / CLOCK))  # gaps take time too
    parts.sort(key=lambda part: part.people[0] if len(part) else 0)
    if not parts:
        parts = [_moments_of(Track(0, np.zeros(1), np.zeros((1, 2))), 0)]
    return TrackSamples(
        ticks=np.concatenate([part.ticks for part in parts]),
        people=np.concatenate([part.people for part in parts]),
        positions=np.concatenate([part.positions for part in parts]),
        velocities=np.concatenate([part.velocities for part in parts]),
    )


def _moments_of(track: Track, most: int) -> TrackSamples:
    first = int(np.ceil((track.times[0] - INSTANT) / CLOCK))
    last = int(np.floor((track.times[-1] + INSTANT) / CLOCK))
    ticks = np.arange(first, min(last, first + most - 1) + 1, dtype=np.int64)
    positions = track.positions_at(ticks.astype(np.float64) * CLOCK)
    velocities = np.full_like(positions, np.nan)
    velocities[:-1] = np.diff(positions, axis=0) / CLOCK
    present = ~np.isnan(positions[:, 0])
    return TrackSamples(
        ticks=ticks[present],
        people=np.full(int(present.sum()), track.id, np.int64),
        positions=positions[present],
        velocities=velocities[present],
    )
