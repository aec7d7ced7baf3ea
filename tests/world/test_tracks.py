"""Tracks: where people are between samples, when they are absent, and other clocks and maps."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paseo.errors import BadValue
from paseo.world.tracks import (
    Recording,
    Track,
    absent_in_gaps,
    at_rate,
    resampled,
    transformed,
)
from worlds import walk

# Known from 0 to 1 s and from 3 to 4 s.
INTERRUPTED = walk(1, (0, 0, 0), (1, 2, 0), (2, np.nan, np.nan), (3, 6, 0), (4, 6, 1))
coordinates = st.floats(-50, 50)


@st.composite
def walks(draw):
    steps = draw(st.lists(st.floats(0.01, 3), min_size=1, max_size=8))
    times = np.cumsum([draw(st.floats(-5, 5)), *steps])
    places = draw(st.lists(st.tuples(coordinates, coordinates), min_size=len(times), max_size=9))
    return Track(1, times, np.array(places[: len(times)]))


def test_people_walk_straight_between_samples_and_are_absent_outside():
    track = walk(1, (1, 0, 0), (2, 2, 4))
    places = track.positions_at(np.array([0.9, 1.0, 1.25, 2.0, 2.1]))
    np.testing.assert_array_equal(
        places, [[np.nan, np.nan], [0, 0], [0.5, 1], [2, 4], [np.nan, np.nan]]
    )


def test_a_nan_sample_means_absent_from_the_sample_before_to_the_one_after():
    places = INTERRUPTED.positions_at(np.array([1, 1.001, 2, 2.999, 3.0]))
    np.testing.assert_array_equal(places[:, 0], [2, np.nan, np.nan, np.nan, 6])


def test_one_sample_is_one_moment():
    places = walk(1, (2, 3, 4)).positions_at(np.array([1.99, 2.0, 2.01]))
    np.testing.assert_array_equal(places[:, 1], [np.nan, 4, np.nan])


def test_velocities_are_the_slopes_and_unknown_across_gaps():
    np.testing.assert_array_equal(
        INTERRUPTED.velocities(), [[2, 0], [np.nan, np.nan], [np.nan, np.nan], [0, 1]]
    )


def test_gaps_are_the_pieces_longer_than_asked():
    assert INTERRUPTED.gaps(1.5).tolist() == [[1, 3]]
    assert INTERRUPTED.gaps(2.0).tolist() == []


def test_people_are_absent_in_long_gaps_and_glide_through_short_ones():
    track = absent_in_gaps(walk(1, (0, 0, 0), (1, 1, 0), (5, 5, 0), (6, 6, 0), (9, 9, 0)), 3.0)
    places = track.positions_at(np.array([0.5, 1.0, 1.1, 3.0, 4.9, 5.0, 7.5]))
    np.testing.assert_allclose(places[:, 0], [0.5, 1, np.nan, np.nan, np.nan, 5, 7.5])


@given(walks(), st.floats(0.01, 3))
def test_marking_gaps_twice_is_marking_them_once(track, longest):
    once = absent_in_gaps(track, longest)
    twice = absent_in_gaps(once, longest)
    np.testing.assert_array_equal(once.times, twice.times)
    np.testing.assert_array_equal(once.positions, twice.positions)


@given(walks(), st.floats(0.05, 1))
def test_another_clock_finds_people_where_they_were(track, dt):
    clock = np.arange(-10, 40, dt)
    if np.isnan(track.positions_at(clock)).all():
        with pytest.raises(BadValue, match="at none of the wanted times"):
            resampled(track, clock)
        return
    again = resampled(track, clock)
    assert set(again.times) <= set(clock)
    np.testing.assert_array_equal(again.positions, track.positions_at(again.times))


@given(walks(), st.floats(-4, 4), coordinates, coordinates)
def test_turning_and_moving_the_map_turns_and_moves_the_walk(track, angle, x, y):
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    moved = transformed(track, np.column_stack([turn, [x, y]]))
    np.testing.assert_allclose(moved.positions, track.positions @ turn.T + [x, y], atol=1e-9)
    np.testing.assert_allclose(moved.velocities(), track.velocities() @ turn.T, atol=1e-9)
    np.testing.assert_array_equal(moved.times, track.times)


@pytest.mark.parametrize(
    ("times", "positions", "problem"),
    [
        ([], np.empty((0, 2)), "0 times need"),
        ([0.0, 1.0], np.zeros((3, 2)), "2 times need as many positions"),
        ([0.0], np.zeros((1, 3)), "1 times need as many positions"),
        ([[0.0], [1.0]], np.zeros((2, 2)), "2 times need"),
        ([1.0, 1.0], np.zeros((2, 2)), "finite and increasing"),
        ([1.0, 0.0], np.zeros((2, 2)), "finite and increasing"),
        ([0.0, np.nan], np.zeros((2, 2)), "finite and increasing"),
        ([0.0, np.inf], np.zeros((2, 2)), "finite and increasing"),
        ([0.0, 1.0], [[0, 0], [np.inf, 0]], "positions must be finite"),
        ([0.0, 1.0], [[np.nan, np.nan], [0, 0]], "between the first and the last"),
        ([0.0, 1.0], [[0, 0], [np.nan, np.nan]], "between the first and the last"),
        ([0.0, 1.0, 2.0], [[0, 0], [1, np.nan], [2, 0]], "NaN in both x and y"),
    ],
)
def test_a_track_that_is_none_is_refused(times, positions, problem):
    with pytest.raises(BadValue, match=f"track 5: .*{problem}"):
        Track(5, np.array(times), np.array(positions, float))


@pytest.mark.parametrize("ids", [(2, 1), (1, 1)])
def test_a_recording_lists_each_person_once_in_order(ids):
    with pytest.raises(BadValue, match="recording 'plaza': people must be in order of id"):
        Recording(name="plaza", fps=25, tracks=tuple(walk(i, (0, 0, 0)) for i in ids))


def test_at_another_rate_the_frames_stay_and_the_seconds_stretch():
    track = Track(1, np.array([0.0, 6.0]), np.array([[0.0, 0.0], [6.0, 0.0]]))
    slow = at_rate(Recording(name="x", fps=25.0, tracks=(track,)), 15.0)
    assert slow.fps == 15.0
    assert slow.tracks[0].times.tolist() == [0.0, 10.0]
    assert slow.tracks[0].velocities().tolist() == [[0.6, 0.0]]
