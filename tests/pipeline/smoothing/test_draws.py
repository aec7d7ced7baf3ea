"""Walks that are drawn have the mean, the spread and the lasting errors that are known."""

from dataclasses import replace

import numpy as np
import pytest

from paseo.errors import BadValue
from paseo.pipeline.places import Places
from paseo.pipeline.smoothing.draws import drawn_tracks, draws
from paseo.pipeline.smoothing.polar import velocities
from paseo.pipeline.smoothing.smoother import KalmanSmoother
from paseo.pipeline.smoothing.tracks import SmoothTrack
from posterior import joint_posterior, wandering

BELIEVES_ALL = KalmanSmoother(gate=1 - 1e-12, longest_gap=60.0)
TIMES = np.cumsum(np.random.default_rng(1).uniform(0.1, 1.0, 12))


def one_track(seed: int = 2) -> tuple[Places, SmoothTrack]:
    places, _ = wandering(np.random.default_rng(seed), TIMES, BELIEVES_ALL)
    (track,) = BELIEVES_ALL.tracks(places, np.empty(0))
    return places, track


def test_draws_have_the_mean_and_all_covariances_of_the_posterior() -> None:
    places, track = one_track()
    mean, covariance = joint_posterior(places, BELIEVES_ALL, TIMES)
    (found,) = draws([track], np.random.default_rng(0), 20_000)
    drawn = velocities(found).reshape(20_000, -1)
    scale = np.sqrt(np.diag(covariance.reshape(48, 48)))
    assert found.shape == (20_000, 12, 4)
    assert np.abs((drawn.mean(axis=0) - mean.reshape(-1)) / scale).max() < 0.04
    # Between any two moments, not only neighbours.
    apart = np.cov(drawn.T) - covariance.reshape(48, 48)
    assert np.abs(apart / np.outer(scale, scale)).max() < 0.05


def test_neighbours_of_a_draw_are_off_together() -> None:
    _, track = one_track()
    (found,) = draws([track], np.random.default_rng(0), 2000)
    off = found[:, :, 0] - track.states[:, 0]
    assert np.corrcoef(off[:, 5], off[:, 6])[0, 1] > 0.5


def test_same_seed_draws_the_same() -> None:
    _, track = one_track()
    first, second = (draws([track], np.random.default_rng(4), 3)[0] for _ in range(2))
    assert (first == second).all()


def test_draws_can_stand_in_for_tracks() -> None:
    tracks = [one_track(seed)[1] for seed in (2, 3)]
    walks = draws(tracks, np.random.default_rng(4), 3)
    found = list(drawn_tracks(tracks, np.random.default_rng(4), 3))
    assert len(found) == 3
    assert (found[2][1].states == walks[1][2]).all()
    assert found[2][1].person == tracks[1].person


def test_headings_of_draws_are_not_wrapped_and_near_the_tracks_own() -> None:
    _, track = one_track()
    turned = replace(track, states=track.states + [0, 0, 4 * np.pi, 0])
    (found,) = draws([turned], np.random.default_rng(0), 50)
    assert (np.abs(np.diff(found[..., 2], axis=1)) <= np.pi).all()
    assert (np.abs(found[:, 0, 2] - turned.states[0, 2]) <= np.pi + 1e-9).all()


def shared_error(places: Places) -> Places:
    """A common error of 1 m along x, and one of the person's own along y, grown with x."""
    lasting = np.zeros((len(places.times), 2, 2))
    lasting[:, 0, 0], lasting[:, 1, 1] = 1.0, 0.1 * places.positions[:, 0]
    more = places.covariances + lasting @ lasting.transpose(0, 2, 1)
    return replace(places, covariances=more, lasting=lasting, common=1)


def test_errors_that_last_are_not_averaged_away() -> None:
    places, track = one_track()
    (unsure,) = BELIEVES_ALL.tracks(shared_error(places), np.empty(0))
    np.testing.assert_allclose(unsure.states, track.states)
    assert unsure.lasting is not None
    # A shift of all places along x shifts the whole track, and changes no velocity.
    np.testing.assert_allclose(unsure.lasting[:, :, 0], np.tile([1, 0, 0, 0], (12, 1)), atol=1e-9)
    assert (unsure.covariances[:, 0, 0] >= track.covariances[:, 0, 0] + 0.99).all()


def test_common_errors_are_the_same_for_everybody_in_a_draw() -> None:
    tracks = []
    for seed in (2, 3):
        places = shared_error(one_track(seed)[0])
        tracks += BELIEVES_ALL.tracks(places, np.empty(0))
    first, second = draws(tracks, np.random.default_rng(0), 4000)
    off = [
        found[:, 6] - track.states[6] for found, track in zip((first, second), tracks, strict=True)
    ]
    assert np.corrcoef(off[0][:, 0], off[1][:, 0])[0, 1] > 0.7
    assert abs(np.corrcoef(off[0][:, 1], off[1][:, 1])[0, 1]) < 0.1
    spread = np.cov(first[:, 6, :2].T)
    np.testing.assert_allclose(spread, tracks[0].covariances[6, :2, :2], atol=0.08)


def test_tracks_that_were_not_smoothed_cannot_be_drawn() -> None:
    _, track = one_track()
    with pytest.raises(BadValue, match="does not know how its errors hang together"):
        draws([replace(track, gains=None)], np.random.default_rng(0), 1)
    with pytest.raises(BadValue, match="0 draws are none"):
        draws([track], np.random.default_rng(0), 0)
