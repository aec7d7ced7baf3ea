"""Covariances tell the truth: exactly of walks by the model, nearly of crowds."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from paseo.data.store.locations import DataFolder
from paseo.errors import BadValue
from paseo.pipeline.places import Places
from paseo.pipeline.smoothing.consistency import bounds_of_mean
from paseo.pipeline.smoothing.polar import cartesian
from paseo.pipeline.smoothing.smoother import (
    KalmanSmoother,
    Smoother,
    normalised_innovations,
)
from paseo.pipeline.smoothing.socialnavsub import SocialNavSubSmoother
from paseo.world.arrays import FloatArray
from posterior import wandering
from sighted import Eye, Sighted, sighted

BELIEVES_ALL = KalmanSmoother(gate=1 - 1e-12, longest_gap=60.0)
HELD_OUT = ("synthetic-eth-2", "synthetic-zara-2")  # no constant was chosen on these


def walks(count: int) -> list[tuple[Places, FloatArray]]:
    rng = np.random.default_rng(11)
    times = [np.cumsum(rng.choice([0.1, 0.25, 1.0, 3.0], 30)) for _ in range(count)]
    return [wandering(rng, each, BELIEVES_ALL) for each in times]


def errors_squared(track_states: FloatArray, spreads: FloatArray, truth: FloatArray) -> FloatArray:
    off = track_states - truth
    return np.einsum("ki,kij,kj->k", off, np.linalg.inv(spreads), off)


def test_innovations_of_a_walk_by_the_model_are_chi_square_across_all_gaps() -> None:
    squares = normalised_innovations([places for places, _ in walks(60)], BELIEVES_ALL)
    low, high = bounds_of_mean(len(squares), freedom=2)
    assert len(squares) == 60 * 29
    assert low < squares.mean() < high
    assert np.mean(squares < 5.991) == pytest.approx(0.95, abs=0.02)


@pytest.mark.parametrize("factor", [0.5, 2.0])
def test_innovations_show_a_wrong_covariance(factor: float) -> None:
    wrong = [replace(places, covariances=factor * places.covariances) for places, _ in walks(60)]
    squares = normalised_innovations(wrong, BELIEVES_ALL)
    low, high = bounds_of_mean(len(squares), freedom=2)
    assert not low < squares.mean() < high


def test_errors_of_states_are_chi_square() -> None:
    middle = []
    for places, truth in walks(200):
        (track,) = BELIEVES_ALL.tracks(places, np.empty(0))
        states, spreads = cartesian(track.states, track.covariances)
        middle.append(errors_squared(states, spreads, truth)[15])  # one of each: independent
    low, high = bounds_of_mean(200, freedom=4)
    assert low < np.mean(middle) < high


def test_bounds_are_those_of_tables() -> None:
    # Chi square of 100 degrees of freedom: 67.33 and 140.17 leave half a percent out each.
    assert bounds_of_mean(50, freedom=2) == pytest.approx((67.33 / 50, 140.17 / 50), abs=2e-3)
    with pytest.raises(BadValue, match="no mean to judge"):
        bounds_of_mean(0, freedom=2)


def met(eye: Eye, drives: int = 3) -> list[Sighted]:
    data = DataFolder(Path())
    return [
        each
        for name in HELD_OUT
        for seed in range(drives)
        for each in sighted(data.recording(name), eye, np.random.default_rng(seed))
        if len(each.places.times) >= 4
    ]


def places_told(smoother: Smoother, seen: Sighted) -> tuple[FloatArray, FloatArray]:
    """The position at each place, the place itself where there is no track, and its squared error
    by the covariance that is told; NaN if there is none."""
    found, squares = seen.places.positions.copy(), np.full(len(seen.truth), np.nan)
    for track in smoother.tracks(seen.places, np.empty(0)):
        inside = np.isin(seen.places.times, track.times)
        at = np.searchsorted(track.times, seen.places.times[inside])
        found[inside] = track.states[at, :2]
        squares[inside] = errors_squared(
            found[inside], track.covariances[at, :2, :2], seen.truth[inside, :2]
        )
    return found, squares


def scores(smoother: Smoother, people: list[Sighted]) -> tuple[float, float]:
    """The mean displacement error, and the share of errors within ellipses of 95 %."""
    told = [places_told(smoother, each) for each in people]
    off = [
        np.linalg.norm(found - each.truth[:, :2], axis=1)
        for (found, _), each in zip(told, people, strict=True)
    ]
    squares = np.concatenate([each for _, each in told])
    inside = squares[~np.isnan(squares)] < 5.991
    return float(np.concatenate(off).mean()), float(inside.mean())


@pytest.mark.slow
@pytest.mark.parametrize("pixels", [5.0, 10.0])
def test_tracks_of_people_seen_from_a_robot_beat_the_authors_by_a_fifth(pixels: float) -> None:
    people = met(Eye(pixels=pixels))
    ours, cover = scores(KalmanSmoother(), people)
    theirs, their_cover = scores(SocialNavSubSmoother(), people)
    raw = np.concatenate([e.places.positions - e.truth[:, :2] for e in people])
    assert ours < 0.8 * theirs
    assert ours < 0.8 * np.linalg.norm(raw, axis=1).mean()
    assert 0.9 < cover < 0.99
    assert their_cover > 0.99  # covariances that say nothing


def test_innovations_of_people_are_near_2_and_those_of_the_authors_constants_are_not() -> None:
    people = [each.places for each in met(Eye(outliers=0, switches=0))]
    ours = normalised_innovations(people, KalmanSmoother())
    assert 1.5 < ours.mean() < 2.3
    constants = np.tile(np.diag(SocialNavSubSmoother().measurement), (1, 1, 1))
    theirs = normalised_innovations(
        [
            replace(each, covariances=np.repeat(constants, len(each.times), axis=0))
            for each in people
        ],
        KalmanSmoother(),
    )
    assert theirs.mean() < 0.5
