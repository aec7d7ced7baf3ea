"""Drives as they may have been as well: where people were, and how the robot's account drifts."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import shapely

from paseo.pipeline.drives.drift import DRIFT, NONE, Drift, carried, drawn_odometry
from paseo.pipeline.drives.drive import Odometry
from paseo.pipeline.reconstruction import Reconstruction
from paseo.pipeline.smoothing.draws import drawn_tracks
from paseo.pipeline.smoothing.polar import velocities
from paseo.pipeline.smoothing.tracks import SmoothTrack
from paseo.world.arrays import FloatArray


def drawn_drives(
    drive: Reconstruction, rng: np.random.Generator, count: int, *, drift: Drift = DRIFT
) -> Iterator[Reconstruction]:
    """So many drives; without drift the robot's way stays, and only people are drawn.

    Whom the robot had before it at a time it has there in every draw, beside their own doubts:
    what the drift bends is the way, and with it where people are at different times. All begin
    with the same pose of the robot. A camera at a place of its own does not drift.
    """
    drawn = list(drawn_tracks(drive.tracks, rng, count))
    for tracks in drawn:
        if drift == NONE or drive.camera.at is not None:
            yield replace(drive, tracks=tracks)
            continue
        other = drawn_odometry(drive.odometry, drift, rng)
        yield replace(
            drive,
            odometry=other,
            tracks=tuple(_bent(track, drive.odometry, other) for track in tracks),
            scan_points=_points(drive, other),
        )


def _bent(track: SmoothTrack, told: Odometry, other: Odometry) -> SmoothTrack:
    """A track as it would be, had the robot gone the other way."""
    positions, _ = carried(track.states[:, :2], track.times, told, other)
    moved = velocities(track.states)[:, 2:]
    if len(track.times) > 1:
        moved = moved + np.gradient(positions - track.states[:, :2], track.times, axis=0)
    heading = np.unwrap(np.arctan2(moved[:, 1], moved[:, 0]))
    turns = np.round((track.states[:1, 2] - heading[:1]) / (2 * np.pi))
    speed = np.hypot(*moved.T)
    return replace(track, states=np.column_stack([positions, heading + 2 * np.pi * turns, speed]))


def _points(drive: Reconstruction, other: Odometry) -> FloatArray | None:
    """What a laser met, as if it had met each point from where the robot was nearest to it."""
    points, told = drive.scan_points, drive.odometry
    if points is None or not len(points):
        return points
    nearest = shapely.STRtree(shapely.points(told.poses[:, :2])).nearest(shapely.points(points))
    return carried(points, told.times[nearest], told, other)[0]
