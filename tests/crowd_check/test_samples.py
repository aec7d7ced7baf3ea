import numpy as np
import pytest

from paseo.crowd_check import samples as module
from paseo.crowd_check.samples import CLOCK, moments
from paseo.world.tracks import Track


def walker(person: int, start: float, end: float, speed: float = 1.0) -> Track:
    times = np.array([start, end])
    return Track(person, times, np.stack([speed * (times - start), np.zeros(2)], axis=1))


def test_everybody_is_there_at_every_tick_from_first_to_last() -> None:
    at = moments([walker(2, 0.4, 2.0), walker(1, 0.1, 0.9)])
    assert at.people.tolist() == [1, 1, 2, 2, 2, 2, 2]
    assert at.ticks.tolist() == [1, 2, 1, 2, 3, 4, 5]
    np.testing.assert_allclose(at.positions[:2, 0], [0.3, 0.7])


def test_speed_is_that_of_the_step_to_the_next_tick_and_unknown_at_the_last() -> None:
    at = moments([walker(1, 0.0, 2.0, speed=1.5)])
    np.testing.assert_allclose(at.speeds[:-1], 1.5)
    assert np.isnan(at.speeds[-1])


def test_who_is_absent_has_no_moments_and_no_speed_across_the_gap() -> None:
    times = np.array([0.0, 0.8, 2.0, 3.2, 4.0])
    positions = np.array([[0, 0], [1, 0], [np.nan, np.nan], [9, 0], [10, 0]], float)
    at = moments([Track(1, times, positions)])
    assert at.ticks.tolist() == [0, 1, 2, 8, 9, 10]
    assert np.isnan(at.speeds[2])
    assert np.nanmax(at.speeds) < 1.3


def test_a_person_seen_between_two_ticks_has_no_moment() -> None:
    assert len(moments([walker(1, 0.1, 0.3)])) == 0
    assert len(moments([])) == 0


def test_ticks_are_taken_evenly_when_there_are_too_many() -> None:
    at = moments([walker(1, 0.0, 100 * CLOCK), walker(2, 0.0, 100 * CLOCK)])
    groups = list(at.by_tick(most=10))
    assert len(groups) <= 10
    assert all(sorted(at.people[group].tolist()) == [1, 2] for group in groups)
    assert [at.ticks[group[0]] for group in groups][:2] == [0, 11]


def test_a_recording_of_centuries_is_cut_not_unfolded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_MOMENTS", 1000)
    at = moments([walker(1, 0.0, 1e10, speed=1e-9), walker(2, 5.0, 9.0)])
    assert len(at) == 1000
