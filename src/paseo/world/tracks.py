"""Recorded walks: tracks of single people and recordings of many."""

from dataclasses import dataclass, replace

import numpy as np

from paseo.errors import BadValue
from paseo.world.arrays import FloatArray

INSTANT = 1e-9  # seconds within which two clock readings are the same moment


@dataclass(frozen=True, slots=True, eq=False)
class Track:
    """One person's walk, straight between samples; a NaN sample means absent until the next."""

    id: int
    times: FloatArray  # (samples,), increasing
    positions: FloatArray  # (samples, 2)

    def __post_init__(self) -> None:
        samples = len(self.times)
        if not (
            samples and self.times.shape == (samples,) and self.positions.shape == (samples, 2)
        ):
            raise BadValue(
                f"track {self.id}: {samples} times need as many positions (x, y), "
                f"not {self.positions.shape}"
            )
        if not (np.isfinite(self.times).all() and (np.diff(self.times) > 0).all()):
            raise BadValue(f"track {self.id}: times must be finite and increasing")
        absent = np.isnan(self.positions)
        if np.isinf(self.positions).any() or absent[[0, -1]].any() or np.diff(absent).any():
            raise BadValue(
                f"track {self.id}: positions must be finite, or NaN in both x and y "
                "somewhere between the first and the last"
            )

    def positions_at(self, times: FloatArray) -> FloatArray:
        """Where the person is at each time, (times, 2); NaN while absent."""
        inside = (times >= self.times[0] - INSTANT) & (times <= self.times[-1] + INSTANT)
        result = np.full((len(times), 2), np.nan)
        for axis in (0, 1):
            result[inside, axis] = np.interp(times[inside], self.times, self.positions[:, axis])
        return result

    def velocities(self) -> FloatArray:
        """The speed vector of each straight piece, (samples - 1, 2); NaN across a gap."""
        steps: FloatArray = np.diff(self.positions, axis=0) / np.diff(self.times)[:, None]
        return steps

    def gaps(self, longest: float) -> FloatArray:
        """Pieces longer than `longest` seconds, as rows of start and end time, (gaps, 2)."""
        known = self.times[~np.isnan(self.positions[:, 0])]
        wide = np.nonzero(np.diff(known) > longest)[0]
        return np.stack([known[wide], known[wide + 1]], axis=1)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Recording:
    """Everybody who was filmed in one place."""

    name: str
    fps: float
    tracks: tuple[Track, ...]  # in order of id; times in seconds, frame / fps
    groups: tuple[tuple[int, ...], ...] = ()  # ids of people who walk together

    def __post_init__(self) -> None:
        ids = [track.id for track in self.tracks]
        if ids != sorted(set(ids)):
            raise BadValue(f"recording '{self.name}': people must be in order of id, each once")


def absent_in_gaps(track: Track, longest: float) -> Track:
    """The track with the person absent, rather than gliding, in gaps longer than `longest` s."""
    gaps = track.gaps(longest)
    places = np.searchsorted(track.times, gaps[:, 0]) + 1
    bridged = track.times[places] == gaps[:, 1]  # in the others the person is absent already
    if not bridged.any():
        return track
    gaps, places = gaps[bridged], places[bridged]
    return replace(
        track,
        times=np.insert(track.times, places, gaps.mean(axis=1)),
        positions=np.insert(track.positions, places, np.nan, axis=0),
    )


def resampled(track: Track, times: FloatArray) -> Track:
    """The track on another clock, from the person's first to last time on it."""
    positions = track.positions_at(times)
    present = np.nonzero(~np.isnan(positions[:, 0]))[0]
    if len(present) == 0:
        raise BadValue(f"track {track.id}: the person is at none of the wanted times")
    span = slice(present[0], present[-1] + 1)
    return Track(track.id, times[span], positions[span])


def transformed(track: Track, matrix: FloatArray) -> Track:
    """The track moved by an affine (2, 3): `matrix[:, :2] @ [x, y] + matrix[:, 2]`."""
    return replace(track, positions=track.positions @ matrix[:, :2].T + matrix[:, 2])


def at_rate(recording: Recording, fps: float) -> Recording:
    """The same frames played at another frame rate."""
    if not 0.01 <= fps <= 1e5:
        raise BadValue(f"{fps:g} frames per second make no sense, expected 0.01 to 100000")
    slower = recording.fps / fps
    tracks = tuple(replace(track, times=track.times * slower) for track in recording.tracks)
    return replace(recording, fps=fps, tracks=tracks)
