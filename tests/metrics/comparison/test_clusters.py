import math

from paseo.metrics.comparison.clusters import Stretch, clusters


def stretch(begin: float, end: float, recording: str = "hall") -> tuple[Stretch, ...]:
    return (Stretch(recording, begin, end),)


def test_windows_that_overlap_in_time_are_joined_and_others_are_not() -> None:
    windows = [stretch(0, 60), stretch(100, 160), stretch(59, 101), stretch(160, 220)]
    assert clusters(windows).tolist() == [0, 0, 0, 1]  # the third bridges; touching is no overlap
    assert clusters(windows[:2]).tolist() == [0, 1]
    assert clusters([]).tolist() == []


def test_a_long_window_reaches_over_a_short_one() -> None:
    assert clusters([stretch(0, 100), stretch(10, 20), stretch(50, 70)]).tolist() == [0, 0, 0]


def test_recordings_are_apart_unless_an_episode_shows_both() -> None:
    one, other = stretch(0, 60, "hall"), stretch(0, 60, "street")
    assert clusters([one, other]).tolist() == [0, 1]
    assert clusters([one, other, (*one, *other)]).tolist() == [0, 0, 0]


def test_twenty_windows_of_a_short_recording_are_hardly_more_than_two() -> None:
    windows = [stretch(6.0 * k, 6.0 * k + 60) for k in range(20)]
    assert set(clusters(windows).tolist()) == {0}


def test_a_recording_of_unknown_rate_is_one_cluster() -> None:
    assert clusters([stretch(0, math.inf), stretch(0, math.inf)]).tolist() == [0, 0]
