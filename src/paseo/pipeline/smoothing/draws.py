"""Whole walks drawn from what is known of tracks, with errors that last as they really do."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from paseo.errors import BadValue
from paseo.pipeline.smoothing.polar import cartesian
from paseo.pipeline.smoothing.tracks import SmoothTrack
from paseo.world.arrays import FloatArray


def draws(
    tracks: Sequence[SmoothTrack], rng: np.random.Generator, count: int
) -> tuple[FloatArray, ...]:
    """For each track so many walks, (count, samples, 4), as its `states`.

    Backward sampling (Frühwirth-Schnatter 1994): the last state is drawn, and each before it given
    the one after. In the same draw, errors that are common to everybody are the same for all.
    """
    if count < 1:
        raise BadValue(f"{count} draws are none, expected 1 or more")
    common = rng.normal(size=(count, max((track.common for track in tracks), default=0)))
    return tuple(_walks(track, rng, common) for track in tracks)


def drawn_tracks(
    tracks: Sequence[SmoothTrack], rng: np.random.Generator, count: int
) -> Iterator[tuple[SmoothTrack, ...]]:
    """The same, one draw after the other, as tracks that go where the draw goes."""
    walks = draws(tracks, rng, count)
    for number in range(count):
        pairs = zip(tracks, walks, strict=True)
        yield tuple(replace(track, states=walk[number]) for track, walk in pairs)


def _walks(track: SmoothTrack, rng: np.random.Generator, common: FloatArray) -> FloatArray:
    means, spreads = cartesian(track.states, track.covariances)
    deviations = np.zeros((len(common), *means.shape))
    if track.lasting is not None:
        spreads = spreads - track.lasting @ track.lasting.transpose(0, 2, 1)
        own = rng.normal(size=(len(common), track.lasting.shape[2] - track.common))
        errors = np.hstack([common[:, : track.common], own])
        deviations += np.einsum("kie,ne->nki", track.lasting, errors)
    found = means + deviations + _passing(track, spreads, rng, len(common))
    heading = np.unwrap(np.arctan2(found[..., 3], found[..., 2]), axis=1)
    # As near to the track's own first heading as whole turns allow.
    turns = np.round((track.states[:1, 2] - heading[:, :1]) / (2 * np.pi))
    speed = np.hypot(found[..., 2], found[..., 3])
    return np.dstack([found[..., :2], heading + 2 * np.pi * turns, speed])


def _passing(
    track: SmoothTrack, spreads: FloatArray, rng: np.random.Generator, count: int
) -> FloatArray:
    """Deviations of x, y and velocity, (count, samples, 4), that do not last."""
    gains = track.gains
    if gains is None:
        raise BadValue(
            f"the track of person {track.person} does not know how its errors hang together, "
            "expected one that was smoothed; smooth its places again"
        )
    given = spreads.copy()
    given[:-1] -= gains @ spreads[1:] @ gains.transpose(0, 2, 1)
    deviations = np.einsum("kij,nkj->nki", _roots(given), rng.normal(size=(count, len(given), 4)))
    for k in range(len(given) - 2, -1, -1):
        deviations[:, k] += deviations[:, k + 1] @ gains[k].T
    return deviations


def _roots(covariances: FloatArray) -> FloatArray:
    """Matrices whose squares these are; rounding leaves less than nothing here and there."""
    values, vectors = np.linalg.eigh((covariances + covariances.transpose(0, 2, 1)) / 2)
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0))[:, None, :])
