"""A drive at the rate of scenes."""

from dataclasses import replace

import numpy as np
import pytest

from handmade_drive import HandmadeDrive, Walker, reconstructed, straight
from paseo.data.scenes.socialnavsub import TIMING
from paseo.errors import BadValue
from paseo.pipeline.mining.stretches import cut_box, stretches

WALKER = Walker(person=3, start=(9.0, 1.0), velocity=(-0.2, 0.0))


def test_every_other_frame_of_eight_a_second_is_taken() -> None:
    drive = HandmadeDrive(walkers=[WALKER], seconds=5.0)
    (only,) = stretches(reconstructed(drive), TIMING)
    assert only.frames.tolist() == list(range(0, 41, 2))
    assert only.times == pytest.approx(100 + np.arange(21) / 4)
    assert only.robot[:, 0] == pytest.approx(np.arange(21) / 4)


@pytest.mark.parametrize("fps", [4.0, 7.0, 10.0, 15.0, 29.97])
def test_pictures_of_any_rate_are_near_their_moments_and_told_for_their_own_time(
    fps: float,
) -> None:
    drive = HandmadeDrive(walkers=[WALKER], seconds=6.0, fps=fps)
    (only,) = stretches(reconstructed(drive), TIMING)
    assert np.abs(np.diff(only.times) - 0.25).max() <= 0.15
    assert only.times == pytest.approx(drive.frame_times[only.frames])
    assert only.robot[:, 0] == pytest.approx(only.times - 100, abs=1e-9)
    (person,) = only.people
    shown = ~np.isnan(person.positions[:, 0])
    assert person.positions[shown] == pytest.approx(WALKER.places(only.times - 100)[shown])


def test_a_gap_in_the_odometry_parts_a_drive() -> None:
    drive = HandmadeDrive(walkers=[WALKER], seconds=12.0, no_odometry=(5.0, 6.5))
    first, second = stretches(reconstructed(drive), TIMING)
    assert (first.number, second.number) == (0, 1)
    assert first.times[-1] == 105.0 and second.times[0] == 106.5


def test_a_gap_in_the_pictures_parts_a_drive() -> None:
    drive = HandmadeDrive(walkers=[WALKER], seconds=12.0)
    whole = reconstructed(drive)
    times = whole.frame_times[(whole.frame_times < 104.0) | (whole.frame_times > 105.0)]
    first, second = stretches(replace(whole, frame_times=times, seen={}), TIMING)
    assert first.times[-1] < 104.0 and second.times[0] > 105.0
    assert len(set(first.frames.tolist()) & set(second.frames.tolist())) == 0


def test_too_slow_pictures_make_no_stretch() -> None:
    drive = HandmadeDrive(walkers=[WALKER], seconds=30.0, fps=2.0)
    assert stretches(reconstructed(drive), TIMING) == ()


def test_a_clip_and_one_frame_is_the_least() -> None:
    long, short = (HandmadeDrive(walkers=[WALKER], seconds=s) for s in (2.5, 2.25))
    assert len(stretches(reconstructed(long), TIMING)) == 1
    assert not stretches(reconstructed(short), TIMING)


def test_somebody_is_there_only_where_a_picture_shows_them() -> None:
    hidden = replace(WALKER, unseen=((1.0, 1.6),))
    drive = HandmadeDrive(walkers=[hidden], seconds=4.0, way=straight(0.0))
    (only,) = stretches(reconstructed(drive), TIMING)
    (person,) = only.people
    absent = np.isnan(person.positions[:, 0])
    assert only.times[absent].tolist() == [101.0, 101.25, 101.5]
    assert (np.isnan(person.boxes[:, 0]) == absent).all()


def test_boxes_are_cut_to_the_picture() -> None:
    assert cut_box((-5.0, 10.0, 20.0, 90.0), (64, 48)) == (0.0, 10.0, 20.0, 48.0)
    assert cut_box((70.0, 10.0, 80.0, 20.0), (64, 48)) is None
    assert cut_box((float("nan"), 10.0, 80.0, 20.0), (64, 48)) is None


def test_a_drive_without_frames_is_refused() -> None:
    whole = reconstructed(HandmadeDrive(walkers=[], seconds=3.0))
    with pytest.raises(BadValue, match="has no frames"):
        stretches(replace(whole, frame_times=np.empty(0)), TIMING)
