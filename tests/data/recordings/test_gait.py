"""A natural gait: through the annotations within their error, smooth, swaying, seeded."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paseo.data.recordings.gait import ANNOTATION_ERROR, annotations, natural_walk
from paseo.world.arrays import FloatArray
from paseo.world.tracks import Track, transformed
from worlds import plan, walk

DT = 0.05
TIMES = np.arange(1201) * DT
SQUARE = plan("square", (-60, -60, 60, 60))
TURNING = walk(7, (0, 0, 0), (1.2, 1.5, 0), (2.4, 2.6, 1.0), (3.6, 2.6, 2.4), (5, 2.6, 2.4))


def natural(track: Track, *, seed: int = 0, times: FloatArray = TIMES) -> Track:
    return natural_walk(track, times, plan=SQUARE, seed=seed)


def straight(speed: float, *, person: int = 1) -> Track:
    return walk(person, (0, 0, 0), (20, 20 * speed, 0))


@st.composite
def strolls(draw: st.DrawFn) -> Track:
    """Anybody's walk: annotations at any pace, some of it standing."""
    steps = draw(st.lists(st.tuples(st.floats(0.3, 6), st.floats(-1.5, 1.5), st.floats(-1.5, 1.5)),
                          min_size=1, max_size=8))  # fmt: skip
    clock = np.cumsum([0.0, *(lasts for lasts, _, _ in steps)])
    places = np.cumsum([(0.0, 0.0), *((t * u, t * v) for t, u, v in steps)], axis=0)
    return Track(draw(st.integers(-5, 900)), clock, places)


@settings(max_examples=60)
@given(strolls(), st.integers(0, 9))
def test_the_walk_is_within_the_error_of_annotations_at_them_and_between(
    track: Track, seed: int
) -> None:
    found = natural(track, seed=seed, times=np.union1d(TIMES, track.times))
    off = np.hypot(*(found.positions - track.positions_at(found.times)).T)
    assert off.max() < ANNOTATION_ERROR
    assert (found.times[0], found.times[-1]) == (track.times[0], track.times[-1])


def test_a_straight_walk_only_sways_to_the_sides_once_in_a_stride() -> None:
    found = natural(straight(1.3))
    ahead, aside = found.positions.T
    np.testing.assert_allclose(ahead, 1.3 * found.times, atol=1e-9)
    assert 0.005 < np.abs(aside).max() < 0.06
    turns = np.count_nonzero(np.diff(np.sign(aside)))
    assert turns / 2 / 20 == pytest.approx(0.95, abs=0.05)  # strides in a second


def test_who_stands_does_not_sway() -> None:
    found = natural(walk(1, (0, 3, 4), (10, 3, 4)))
    np.testing.assert_array_equal(found.positions, np.broadcast_to((3, 4), found.positions.shape))


def test_slow_walkers_sway_wider_than_fast_ones() -> None:
    slow, fast = (np.abs(natural(straight(speed)).positions[:, 1]).max() for speed in (0.7, 1.6))
    assert slow / fast == pytest.approx(0.035 / 0.019, rel=0.05)


def test_no_step_is_a_jolt_as_it_is_at_the_corners_of_a_recording() -> None:
    def jolt(track: Track) -> float:
        times = TIMES[TIMES <= 4.8]
        velocities = np.diff(track.positions_at(times), axis=0) / DT
        return float(np.hypot(*np.diff(velocities, axis=0).T).max())

    assert jolt(natural(TURNING)) < jolt(TURNING) / 2  # who stops dead still stops hard
    turning = walk(7, (0, 0, 0), (1.2, 1.5, 0), (2.4, 2.8, 0.8), (3.6, 3.6, 2.0), (4.8, 3.7, 3.5))
    assert jolt(turning) > 0.6
    assert jolt(natural(turning)) < 0.15


def test_the_same_seed_gives_the_same_walk_and_another_seed_or_person_another() -> None:
    one, again, seeded = (
        natural(straight(1.3)),
        natural(straight(1.3)),
        natural(straight(1.3), seed=1),
    )
    other = natural(straight(1.3, person=2))
    assert one.positions.tobytes() == again.positions.tobytes()
    assert np.abs(one.positions - seeded.positions).max() > 0.005
    assert np.abs(one.positions - other.positions).max() > 0.005


@settings(max_examples=30)
@given(strolls(), st.floats(-4, 4), st.floats(-20, 20))
def test_neither_origin_nor_direction_of_the_map_matters(
    track: Track, angle: float, shift: float
) -> None:
    cos, sin = math.cos(angle), math.sin(angle)
    matrix = np.array([[cos, -sin, shift], [sin, cos, -shift]])
    here, there = transformed(natural(track), matrix), natural(transformed(track, matrix))
    np.testing.assert_allclose(there.positions, here.positions, atol=1e-6)


def test_frames_that_a_file_fills_in_between_annotations_do_not_matter() -> None:
    times = np.round(np.arange(0, 5.01, 0.04), 2)
    filled = Track(7, times, np.round(TURNING.positions_at(times), 4))
    assert times[annotations(filled.times, filled.positions)].tolist() == [0, 1.2, 2.4, 3.6, 5.0]
    np.testing.assert_allclose(natural(filled).positions, natural(TURNING).positions, atol=1e-3)


def test_who_is_absent_stays_absent() -> None:
    torn = walk(1, (0, 0, 0), (2, 2, 0), (3, math.nan, math.nan), (4, 5, 0), (6, 7, 0))
    found = natural(torn).positions_at(TIMES[:121])
    np.testing.assert_array_equal(np.isnan(found), np.isnan(torn.positions_at(TIMES[:121])))


def test_nobody_is_pushed_into_a_wall() -> None:
    """Past a wall 0.1 m away there is no room to sway; two metres on there is."""
    beside = plan("beside", (-5, -0.1, 30, 20), (-5, -0.1, 0, 20))
    track = walk(1, (0, 1, 0), (5, 7, 0), (12, 14, 6))
    found = natural_walk(track, TIMES, plan=beside, seed=3)
    times = TIMES[TIMES <= 12]
    before, after = (beside.grid_clearances(each.positions_at(times)) for each in (track, found))
    assert (after >= np.minimum(before, 0.2)).all()
    assert np.abs(found.positions_at(times) - track.positions_at(times))[200:].max() > 0.005


def test_one_sample_is_all_there_is() -> None:
    assert natural(walk(1, (3, 1, 2))).positions.tolist() == [[1, 2]]
