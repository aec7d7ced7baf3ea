"""Tracks as people who walk, and on for a little while."""

from dataclasses import replace

import numpy as np
import pytest

from handmade_drive import HandmadeDrive, Walker, reconstructed, straight
from paseo.pipeline.episodes.walking import drive_recording, known_walks

COMING = Walker(person=9, start=(20.0, -2.0), velocity=(-0.8, 0.1))
DRIVE = HandmadeDrive(walkers=[Walker(person=5, start=(8.0, 1.0)), COMING], seconds=15.0)


def test_people_walk_on_for_two_seconds_as_they_did() -> None:
    tracks = reconstructed(DRIVE).tracks
    for seen, walk in zip(
        known_walks(tracks, 100.0), drive_recording("y", tracks, 100.0).tracks, strict=True
    ):
        walker = next(each for each in DRIVE.walkers if each.person == walk.id)
        assert walk.positions == pytest.approx(walker.places(walk.times))
        assert walk.times[-1] == pytest.approx(seen.times[-1] + 2.0)
        assert walk.times[0] == pytest.approx(max(seen.times[0] - 2.0, 0.0))
        assert np.diff(walk.times) == pytest.approx(0.1)


def test_who_may_be_seen_under_another_id_does_not_walk_on_beside_themselves() -> None:
    first = replace(COMING, unseen=((6.0, 99.0),))
    second = replace(COMING, person=10, unseen=((0.0, 6.3),))
    drive = replace(DRIVE, walkers=[first, second], way=straight(0.0))
    tracks = reconstructed(drive).tracks
    before, after = drive_recording("y", tracks, 100.0).tracks
    assert before.times[-1] < after.times[0] + 1.0
    times = np.arange(80, 150) / 10
    assert np.isnan(before.positions_at(times)[:, 0]).all()
    assert np.isnan(after.positions_at(times[:0])[:, 0]).all() and after.times[0] > 5.8


def test_when_the_clock_begins_changes_nothing() -> None:
    crowds = []
    for starts in (0.0, 100.0, 1.6e9):
        drive = replace(DRIVE, starts=starts)
        crowds.append(drive_recording("yard", reconstructed(drive).tracks, starts).tracks)
    for early, late, today in zip(*crowds, strict=True):
        assert early.times.tolist() == late.times.tolist() == today.times.tolist()
        assert late.positions == pytest.approx(early.positions, abs=1e-9)
        assert today.positions == pytest.approx(early.positions, abs=1e-5)
