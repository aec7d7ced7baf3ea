import numpy as np
import pytest

from paseo.data.suites.suite_file import PlacedRecording
from paseo.suite.sampling.windows import MOST_WINDOWS, window_of, windows_of
from paseo.world.tracks import Recording, Track
from worlds import scenario, walk


def recording(*tracks: Track, fps: float = 10.0) -> Recording:
    return Recording(name="hall", fps=fps, tracks=tracks)


def test_windows_begin_at_every_frame_from_which_the_recording_lasts_long_enough() -> None:
    windows = windows_of(recording(walk(1, (2, 0, 0), (5, 3, 0)), walk(2, (3, 0, 0), (8, 3, 0))), 4)
    np.testing.assert_array_equal(windows.first_frames, np.arange(20, 41))
    assert windows.ends_after is None


def test_how_many_are_at_once_is_worked_out_by_hand() -> None:
    windows = windows_of(recording(walk(1, (0, 0, 0), (4, 3, 0)), walk(2, (2, 0, 0), (8, 3, 0))), 4)
    at_once = dict(zip(windows.first_frames.tolist(), windows.mean_at_once, strict=True))
    assert at_once[0] == pytest.approx((4 + 2) / 4)
    assert at_once[20] == pytest.approx((2 + 4) / 4)
    assert at_once[40] == pytest.approx(4 / 4)


def test_a_person_is_not_counted_while_absent() -> None:
    away = walk(1, (0, 0, 0), (1, 1, 0), (2, np.nan, np.nan), (3, 3, 0), (4, 4, 0))
    assert windows_of(recording(away), 4).mean_at_once.tolist() == pytest.approx([2 / 4])


def test_a_recording_that_is_too_short_has_one_window_and_tells_when_it_ends() -> None:
    windows = windows_of(recording(walk(1, (2, 0, 0), (5, 3, 0))), 12)
    assert windows.first_frames.tolist() == [20]
    assert windows.mean_at_once.tolist() == pytest.approx([3 / 12])
    assert windows.ends_after == pytest.approx(3.0)


@pytest.mark.parametrize("fps", [0.7, 3.0, 12.5, 15.0, 25.0, 29.97, 30.0])
@pytest.mark.parametrize("frames", [97, 450, 1499])
def test_rounding_never_lets_a_window_reach_beyond_the_end(fps: float, frames: int) -> None:
    whole = recording(walk(1, (3 / fps, 0, 0), (frames / fps, 3, 0)), fps=fps)
    for length in (1 / 3, 7 / fps, 3.0):
        windows = windows_of(whole, length)
        left = frames / fps - windows.first_frames[-1] / fps
        assert windows.ends_after is None
        assert length <= left < length + 1.001 / fps


def test_of_a_recording_of_endless_frames_only_some_are_looked_at() -> None:
    windows = windows_of(recording(walk(1, (0, 0, 0), (1e7, 3, 0)), fps=1e5), 60)
    assert len(windows.first_frames) <= MOST_WINDOWS
    assert windows.first_frames[0] == 0
    assert windows.first_frames[-1] == round((1e7 - 60) * 1e5)


def test_a_window_holds_everybody_of_its_time_on_the_map() -> None:
    gone, first = walk(1, (0, 0, 0), (2, 2, 0)), walk(2, (1, 0, 0), (5, 4, 0))
    later, too_late = walk(3, (6, 0, 0), (9, 3, 0)), walk(4, (20, 0, 0), (22, 2, 0))
    placed = PlacedRecording(
        recording="hall", first_frame=30, transform=((0.0, -1.0, 10.0), (1.0, 0.0, 5.0))
    )
    window = window_of(placed, recording(gone, first, later, too_late), scenario())
    assert [track.id for track in window.scenario.tracks] == [2, 3]
    np.testing.assert_allclose(window.at_start, [[10.0, 7.0]])  # person 2 has walked 2 m
    np.testing.assert_allclose(window.scenario.tracks[1].times, [3.0, 6.0])
    assert window.people.ids == (2, 3)
    assert (~np.isnan(window.people.positions[..., 0])).sum(axis=1).max() == 1
    assert window.placed == placed


def test_a_window_may_be_empty() -> None:
    both = recording(walk(1, (0, 0, 0), (2, 2, 0)), walk(2, (60, 0, 0), (61, 2, 0)))
    window = window_of(PlacedRecording(recording="hall", first_frame=100), both, scenario())
    assert window.scenario.tracks == ()
    assert window.at_start.shape == (0, 2)
