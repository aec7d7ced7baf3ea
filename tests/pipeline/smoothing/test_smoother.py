"""Which places are believed, where tracks end, and what becomes of bad input."""

from dataclasses import replace

import numpy as np
import pytest

from paseo.errors import BadValue, UnknownName
from paseo.pipeline.places import Places
from paseo.pipeline.smoothing.names import SMOOTHERS, make_smoother
from paseo.pipeline.smoothing.smoother import KalmanSmoother, Motion, smooth
from paseo.pipeline.smoothing.tracks import SmoothTrack
from paseo.world.arrays import FloatArray

NEVER = np.empty(0)
SEEN = np.arange(0, 10, 0.25)


def seen(
    positions: FloatArray, times: FloatArray = SEEN, *, deviation: float = 0.1, person: int = 7
) -> Places:
    of = np.tile(deviation**2 * np.eye(2), (len(times), 1, 1))
    return Places(person=person, times=times, positions=positions, covariances=of)


def walking(times: FloatArray = SEEN, *, speed: float = 1.2, noise: float = 0.1) -> FloatArray:
    """Along x, seen with noise."""
    along = np.column_stack([speed * times, np.zeros(len(times))])
    return along + np.random.default_rng(3).normal(0, noise, along.shape)


def the_track(places: Places, smoother: KalmanSmoother | None = None) -> SmoothTrack:
    (track,) = (smoother or KalmanSmoother()).tracks(places, NEVER)
    return track


@pytest.mark.parametrize("motion", Motion)
def test_straight_walk_is_straighter_than_it_was_seen(motion: Motion) -> None:
    places = seen(walking())
    track = the_track(places, KalmanSmoother(motion=motion))
    assert np.abs(track.states[:, 1]).mean() < 0.6 * np.abs(places.positions[:, 1]).mean()
    assert track.states[:, 3].mean() == pytest.approx(1.2, abs=0.05)
    assert track.states[:, 2].mean() == pytest.approx(0.0, abs=0.05)
    assert len(track.rejected) == 0 and track.seen_as is None and track.person == 7


@pytest.mark.parametrize("odd", [0, 1, 17, 39])
def test_outlier_is_rejected_wherever_it_is(odd: int) -> None:
    positions = walking()
    clean = the_track(seen(positions))
    positions[odd] += (3.0, 4.0)
    track = the_track(seen(positions))
    assert track.rejected.tolist() == [SEEN[odd]]
    inside = np.isin(clean.times, track.times)
    np.testing.assert_allclose(track.states[:, :2], clean.states[inside, :2], atol=0.15)


def test_three_outliers_in_a_row_are_rejected() -> None:
    positions = walking()
    positions[10:13] += [(2.0, 0.5), (4.0, -1.0), (1.0, 3.0)]
    track = the_track(seen(positions))
    assert track.rejected.tolist() == SEEN[10:13].tolist()


def test_moments_without_a_place_are_known_but_less_so() -> None:
    times = SEEN[(SEEN < 4) | (SEEN >= 6)]
    (track,) = KalmanSmoother().tracks(seen(walking(times), times), SEEN)
    assert track.times.tolist() == SEEN.tolist()
    middle = int(np.searchsorted(track.times, 5.0))
    np.testing.assert_allclose(track.states[middle, :2], (6.0, 0.0), atol=0.2)
    doubt = track.covariances[:, 0, 0]
    assert doubt[middle] > 3 * doubt[8]


def test_long_gap_ends_a_track() -> None:
    times = SEEN[(SEEN < 4) | (SEEN >= 7.25)]
    tracks = smooth([seen(walking(times), times)], times=SEEN)
    assert [track.person for track in tracks] == [7, 8]
    assert [track.seen_as for track in tracks] == [None, 7]
    assert tracks[0].times[-1] == 3.75 and tracks[1].times[0] == 7.25


def test_somebody_who_jumps_is_two_people() -> None:
    positions = walking()
    positions[20:] += (0.0, 6.0)
    first, second = smooth([seen(positions)])
    assert (first.times[-1], second.times[0]) == (4.75, 5.0)
    assert np.abs(first.states[:, 1]).max() < 0.3
    assert np.abs(second.states[:, 1] - 6).max() < 0.3


def test_somebody_who_turns_on_the_spot_stays_one() -> None:
    positions = walking(noise=0.02)
    positions[20:, 0] = 2 * positions[20, 0] - positions[20:, 0]
    track = the_track(seen(positions, deviation=0.02))
    assert len(track.times) == 40
    error = np.linalg.norm(track.states[:, :2] - positions, axis=1)
    assert error.max() < 0.35
    assert np.median(error) < 0.03


def test_somebody_who_stands_has_no_speed_and_no_known_heading() -> None:
    track = the_track(seen(walking(speed=0.0)))
    assert np.median(track.states[:, 3]) < 0.15
    assert track.covariances[20, 2, 2] > 1.0


def test_too_few_places_are_no_track() -> None:
    assert smooth([seen(walking()[:2], SEEN[:2])]) == ()
    assert smooth([seen(np.empty((0, 2)), NEVER)]) == ()
    assert smooth([]) == ()


def test_places_that_became_no_track_are_told_by_the_next() -> None:
    times = np.append(SEEN, 20.0)
    (track,) = smooth([seen(np.vstack([walking(), [(9.0, 9.0)]]), times)])
    assert track.rejected.tolist() == [20.0]


@pytest.mark.parametrize("motion", Motion)
def test_tracks_turn_and_move_with_the_world(motion: Motion) -> None:
    smoother, positions = KalmanSmoother(motion=motion), walking()
    positions[9] += (2.0, 2.0)
    angle, shift = 2.1, np.array([40.0, -70.0])
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    before = the_track(seen(positions), smoother)
    after = the_track(seen(positions @ turn.T + shift), smoother)
    np.testing.assert_allclose(after.states[:, :2], before.states[:, :2] @ turn.T + shift)
    np.testing.assert_allclose(np.cos(after.states[:, 2] - before.states[:, 2]), np.cos(angle))
    np.testing.assert_allclose(after.states[:, 3], before.states[:, 3])
    assert after.rejected.tolist() == before.rejected.tolist()


def test_same_places_on_a_later_clock_are_the_same_track() -> None:
    here = the_track(seen(walking()))
    later = the_track(seen(walking(), SEEN + 1.7e9))
    np.testing.assert_allclose(later.states, here.states, atol=1e-4)


def test_progress_is_told() -> None:
    told: list[tuple[str, int, int]] = []
    smooth([seen(walking())], progress=lambda *each: told.append(each))
    assert told == [("smoothing tracks", 0, 1), ("smoothing tracks", 1, 1)]


def test_covariance_that_is_none_is_a_sentence() -> None:
    with pytest.raises(BadValue, match=r"place of person 7 has a covariance that is not positive"):
        smooth([replace(seen(walking()), covariances=np.zeros((40, 2, 2)))])


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("gate", 1.0, "gate is 1, expected between 0 and 1"),
        ("acceleration", 0.0, "acceleration is 0, expected over 0"),
        ("longest_gap", float("nan"), "longest_gap is nan"),
        ("fewest", 1, "track of 1 places is none"),
    ],
)
def test_constants_without_sense_are_refused(field: str, value: float, words: str) -> None:
    with pytest.raises(BadValue, match=words):
        KalmanSmoother(**{field: value})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "change",
    [
        {"times": SEEN[::-1]},
        {"times": SEEN[:5]},
        {"positions": np.full((40, 2), np.nan)},
        {"covariances": np.ones((40, 2))},
        {"lasting": np.ones((40, 3, 1))},
        {"lasting": np.ones((40, 2, 1)), "common": 2},
        {"origins": np.ones((39, 2))},
    ],
)
def test_places_that_do_not_add_up_are_refused(change: dict[str, FloatArray]) -> None:
    with pytest.raises(BadValue, match="places of person 7"):
        replace(seen(walking()), **change)


def test_smoothers_are_known_by_name() -> None:
    for name in SMOOTHERS:
        assert len(make_smoother(name).tracks(seen(walking()), NEVER)) == 1
    with pytest.raises(UnknownName, match="no smoother is called 'pasoe'"):
        make_smoother("pasoe")


def from_afar(rows: int, *, seed: int) -> Places:
    """Somebody who stands 8 m off, by pixels that are 10 off of the 78 that they are from the
    horizon; the covariance is that of the distance as it was measured."""
    depth = 623 / (623 / 8 + np.random.default_rng(seed).normal(0, 10, rows))
    positions = np.column_stack([depth, np.zeros(rows)])
    of = np.array([np.diag([(d * d / 623 * 10) ** 2, (d / 623 * 10) ** 2]) for d in depth])
    times = np.arange(rows) / 10
    return Places(person=1, times=times, positions=positions, covariances=of)


def test_what_is_placed_too_near_by_chance_counts_no_more_where_the_camera_is_told() -> None:
    seen_from = {"origins": np.zeros((60, 2))}
    drawn_near, right = [], []
    for seed in range(30):
        places = from_afar(60, seed=seed)
        drawn_near.append(the_track(places).states[:, 0].mean())
        right.append(the_track(replace(places, **seen_from)).states[:, 0].mean())
    assert np.mean(drawn_near) < 7.7
    assert np.mean(right) == pytest.approx(8.0, abs=0.1)


def test_places_that_are_where_people_are_do_not_change_with_the_camera() -> None:
    exact = np.column_stack([5 + SEEN, np.full(len(SEEN), 2.0)])
    places = seen(exact)
    plain, told = the_track(places), the_track(replace(places, origins=np.zeros((40, 2))))
    np.testing.assert_allclose(told.states, plain.states, atol=2e-3)
    off = told.covariances[:, :2, :2] - plain.covariances[:, :2, :2]
    assert np.abs(off).max() < 1e-4
