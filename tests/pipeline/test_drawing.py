"""Drives as they may have been as well."""

from dataclasses import replace

import numpy as np
import pytest

from handmade_drive import HandmadeDrive, Walker, reconstructed
from paseo.data.scenes.robot_frame import seen_from
from paseo.pipeline.drawing import drawn_drives
from paseo.pipeline.drives.drift import NONE, Drift
from paseo.pipeline.smoothing.draws import drawn_tracks
from paseo.pipeline.smoothing.polar import velocities
from paseo.world.motion import Pose

WALKERS = [
    Walker(person=1, start=(9.0, 1.2), velocity=(-0.4, 0.1)),
    Walker(person=2, start=(18.0, -2.5), velocity=(0.0, 1.0)),
]
POINTS = np.array([[2.0, 1.5], [19.0, 1.5]])
KNOWN = reconstructed(HandmadeDrive(walkers=WALKERS, deviation=0.2), POINTS)
STRONG = Drift(way=0.05, turning=0.02, turns=0.0, wander=0.0)


def test_without_drift_only_people_are_drawn_and_as_they_were() -> None:
    before = list(drawn_tracks(KNOWN.tracks, np.random.default_rng(4), 3))
    found = list(drawn_drives(KNOWN, np.random.default_rng(4), 3, drift=NONE))
    for tracks, drive in zip(before, found, strict=True):
        assert drive.odometry is KNOWN.odometry and drive.scan_points is KNOWN.scan_points
        for one, other in zip(tracks, drive.tracks, strict=True):
            assert (one.states == other.states).all()


def test_drift_moves_the_world_and_nobody_from_before_the_robot() -> None:
    still, bent = (
        next(drawn_drives(KNOWN, np.random.default_rng(4), 1, drift=drift))
        for drift in (NONE, STRONG)
    )
    moved = []
    for one, other in zip(still.tracks, bent.tracks, strict=True):
        poses = (each.odometry.at(one.times) for each in (still, bent))
        for here, there, at, then in zip(*poses, one.states, other.states, strict=True):
            assert seen_from(there, then[:2]) == pytest.approx(seen_from(here, at[:2]), abs=1e-9)
        moved.append(np.hypot(*(one.states - other.states)[-1, :2]))
    assert max(moved) > 0.2  # in the frame of the drive


def test_people_are_as_fast_as_they_get_on() -> None:
    drive = replace(KNOWN, tracks=reconstructed(HandmadeDrive(walkers=WALKERS)).tracks)
    (bent,) = drawn_drives(drive, np.random.default_rng(1), 1, drift=STRONG)
    for track in bent.tracks:
        walked = np.gradient(track.states[:, :2], track.times, axis=0)
        assert velocities(track.states)[1:-1, 2:] == pytest.approx(walked[1:-1], abs=1e-5)


def test_what_a_laser_met_is_bent_with_the_way_beside_it() -> None:
    (bent,) = drawn_drives(KNOWN, np.random.default_rng(4), 1, drift=STRONG)
    assert bent.scan_points is not None
    for point, moved in zip(POINTS, bent.scan_points, strict=True):
        nearest = np.argmin(np.hypot(*(KNOWN.odometry.poses[:, :2] - point).T))
        here, there = KNOWN.odometry.poses[nearest], bent.odometry.poses[nearest]
        assert seen_from(there, moved) == pytest.approx(seen_from(here, point), abs=1e-9)


def test_a_camera_at_a_place_of_its_own_does_not_drift() -> None:
    standing = replace(KNOWN, camera=replace(KNOWN.camera, at=Pose(0.0, 0.0, 0.0)))
    (found,) = drawn_drives(standing, np.random.default_rng(4), 1, drift=STRONG)
    (tracks,) = drawn_tracks(KNOWN.tracks, np.random.default_rng(4), 1)
    assert found.odometry is KNOWN.odometry
    assert (found.tracks[0].states == tracks[0].states).all()


def test_the_same_seed_draws_the_same_drive() -> None:
    one, other = (next(drawn_drives(KNOWN, np.random.default_rng(4), 1)) for _ in range(2))
    assert (one.odometry.poses == other.odometry.poses).all()
    assert (one.odometry.poses != KNOWN.odometry.poses).any()
