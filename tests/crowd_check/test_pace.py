import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from paseo.crowd_check.pace import SPACINGS, TOP_SPEEDS, WalkingPace, _within_t4, pace, walkers
from paseo.crowd_check.samples import moments
from paseo.data.store.locations import DataFolder
from paseo.world.tracks import Recording, Track, at_rate, transformed
from walkers import ABREAST, corridor_crowd


def pace_of(recording: Recording) -> WalkingPace:
    return pace(recording.tracks, moments(recording.tracks))


def scaled(recording: Recording, factor: float) -> Recording:
    matrix = np.array([[factor, 0, 0], [0, factor, 0]])
    return replace(recording, tracks=tuple(transformed(t, matrix) for t in recording.tracks))


@pytest.mark.recordings
@pytest.mark.parametrize("name", TOP_SPEEDS)
def test_what_ships_is_what_the_recordings_measure(name: str, data_dir: Path) -> None:
    measured = pace_of(DataFolder(data_dir).recording(name))
    assert measured.top_speed == pytest.approx(TOP_SPEEDS[name], abs=6e-4)
    assert measured.spacing == pytest.approx(SPACINGS[name], abs=6e-4)


def test_people_who_walk_as_textbooks_say_are_plausible() -> None:
    # An oracle that is not our own: 1.34 m/s with a spread of 0.26 m/s (Weidmann 1993).
    for seed in range(5):
        assert pace_of(corridor_crowd(seed=seed)).implausibility < 0.95


def test_a_rate_changes_the_speed_and_not_the_spacing() -> None:
    crowd = corridor_crowd()
    right, slow = pace_of(crowd), pace_of(at_rate(crowd, crowd.fps * 0.6))
    assert right.top_speed and slow.top_speed
    assert slow.top_speed / right.top_speed == pytest.approx(0.6, rel=0.01)
    assert right.spacing == pytest.approx(ABREAST)
    assert slow.spacing == pytest.approx(ABREAST)


def test_a_scale_changes_both() -> None:
    crowd = corridor_crowd()
    right, large = pace_of(crowd), pace_of(scaled(crowd, 3.0))
    assert right.top_speed and large.top_speed
    assert large.top_speed / right.top_speed == pytest.approx(3.0)
    assert large.spacing == pytest.approx(3 * ABREAST)


def test_moving_and_turning_the_crowd_changes_nothing() -> None:
    crowd = corridor_crowd()
    c, s = math.cos(0.7), math.sin(0.7)
    matrix = np.array([[c, -s, 1000.0], [s, c, -50.0]])
    turned = replace(crowd, tracks=tuple(transformed(t, matrix) for t in crowd.tracks))
    first, second = pace_of(crowd), pace_of(turned)
    assert second.top_speed == pytest.approx(first.top_speed)
    assert second.spacing == pytest.approx(first.spacing)


def test_people_who_stand_about_do_not_count_as_walkers() -> None:
    crowd = corridor_crowd(20)
    standing = [
        Track(1000 + k, np.array([0.0, 60.0]), np.array([[5.0 + k, 1.0], [5.1 + k, 1.0]]))
        for k in range(30)
    ]
    everybody = [*crowd.tracks, *standing]
    assert set(walkers(everybody, moments(everybody))) == {track.id for track in crowd.tracks}


def test_a_detour_is_no_crossing() -> None:
    times = np.arange(3.0) * 20
    detour = Track(1, times, np.array([[0.0, 0.0], [10.0, 30.0], [20.0, 0.0]]))
    straight = Track(2, times, np.array([[0.0, 0.0], [10.0, 1.0], [20.0, 0.0]]))
    assert walkers([detour, straight], moments([detour, straight])) == [2]


def test_with_too_few_walkers_nothing_is_claimed() -> None:
    found = pace_of(corridor_crowd(36))
    assert (found.top_speed, found.implausibility, found.speed_ratio) == (None, 0.0, None)


def test_people_alone_have_no_spacing_and_scale_and_rate_stay_open() -> None:
    crowd = corridor_crowd(700)
    alone = pace_of(replace(crowd, tracks=crowd.tracks[::14]))
    assert alone.spacing is None
    assert alone.scale_is_likelier() == 0.5


def test_the_t_distribution_is_that_of_the_tables() -> None:
    # Two-sided 95 % and 99 % points of Student's t with 4 degrees of freedom.
    assert _within_t4(2.776) == pytest.approx(0.95, abs=1e-4)
    assert _within_t4(-4.604) == pytest.approx(0.99, abs=1e-4)
    assert _within_t4(0.0) == 0
    assert _within_t4(1e9) == pytest.approx(1.0)


def test_people_gone_within_a_tick_have_no_pace() -> None:
    brief = [
        Track(k, np.array([0.05, 0.35]), np.array([[0.0, k], [0.5, float(k)]])) for k in range(60)
    ]
    assert pace(brief, moments(brief)).top_speed is None
