"""The people of a drive as they may also have walked, and episodes among them.

They are drawn from how sure their tracks are, and from how far the robot's odometry may be wrong.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from msgspec import structs

from paseo.data.store.locations import DataFolder
from paseo.data.suites.suite_file import (
    DriftEntry,
    EpisodeEntry,
    PlacedRecording,
    PoseEntry,
    Row,
)
from paseo.pipeline.drawing import drawn_drives
from paseo.pipeline.drives.drift import DRIFT, NONE, Drift, carried
from paseo.pipeline.drives.drive import Odometry
from paseo.pipeline.episodes.crowd import drive_floorplan, kept_reconstruction
from paseo.pipeline.episodes.walking import FPS, crowd_start, drive_recording, known_walks
from paseo.pipeline.reconstruction import Reconstruction
from paseo.world.arrays import FloatArray
from paseo.world.space.floorplan import FloorPlan, InferredFrom
from paseo.world.tracks import Recording

UNMOVED = PlacedRecording(recording="").transform


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DrawnCrowd:
    """A crowd that may have been there as well."""

    recording: Recording
    start: float  # what the drive's clock says at its first frame
    told: Odometry
    way: Odometry  # the robot's, in this draw
    floorplan: FloorPlan | None = None  # guessed from this draw; None: that of the crowd stays

    def carried(self, poses: FloatArray, since: FloatArray) -> FloatArray:
        """Poses, (times, 3), of the told frame so many seconds after the crowd's start, in this."""
        places, turned = carried(poses[:, :2], self.start + since, self.told, self.way)
        return np.column_stack([places, poses[:, 2] + turned])


def drift_of(entry: DriftEntry) -> Drift:
    """What a robot's file tells of its odometry."""
    return Drift(
        way=entry.way_share,
        turns=entry.turn_share,
        turning=math.radians(entry.heading_degps),
        wander=math.radians(entry.heading_deg_per_root_s),
    )


def drawn_crowds(
    reconstruction: Reconstruction,
    name: str,
    count: int,
    *,
    seed: int,
    drift: Drift = DRIFT,
    guessed: bool = False,
) -> list[DrawnCrowd]:
    """So many crowds that may have been there as well, on the same clock; all of that name.

    A floor plan that was `guessed` from the drive is guessed again from each draw.
    """
    start, rng = crowd_start(reconstruction), np.random.default_rng(seed)
    return [
        DrawnCrowd(
            recording=drive_recording(name, drawn.tracks, start),
            start=start,
            told=reconstruction.odometry,
            way=drawn.odometry,
            floorplan=drive_floorplan(name, known_walks(drawn.tracks, start), drawn)
            if guessed and drift != NONE
            else None,
        )
        for drawn in drawn_drives(reconstruction, rng, count, drift=drift)
    ]


def drawn_crowd(
    crowd: str, count: int, *, seed: int, data: DataFolder, drift: Drift = DRIFT
) -> list[DrawnCrowd]:
    """The same of a crowd in the data folder that was made of a drive."""
    known, guessed = kept_reconstruction(crowd, data), data.floorplan(crowd).inferred
    is_guessed = guessed is InferredFrom.TRACKS
    return drawn_crowds(known, crowd, count, seed=seed, drift=drift, guessed=is_guessed)


def drawn_episode(
    entry: EpisodeEntry, drawn: Sequence[DrawnCrowd], names: Sequence[str]
) -> EpisodeEntry:
    """An episode among a draw of each of its crowds, which are called by these names then.

    One that was cut out of a drive, on a floor plan that was guessed from it, is bent with people
    and floor plan. Any other stays where it is: people are laid on it as the robot had them before
    it when the episode begins, and drift from there.
    """
    if entry.driven and len(drawn) == 1 and drawn[0].floorplan is not None:
        (placed,) = entry.recordings
        if (entry.map, placed.transform) == (placed.recording, UNMOVED):
            return _bent(entry, drawn[0], names[0])
    recordings = [
        structs.replace(each, recording=name, transform=_laid(each, draw))
        for each, draw, name in zip(entry.recordings, drawn, names, strict=True)
    ]
    return structs.replace(entry, recordings=recordings)


def _bent(entry: EpisodeEntry, drawn: DrawnCrowd, name: str) -> EpisodeEntry:
    rows, (placed,) = np.array(entry.driven), entry.recordings
    since = placed.first_frame / FPS + rows[:, 0]
    poses = drawn.carried(rows[:, 1:], since)
    start, goal = (
        PoseEntry(*pose)
        for pose in drawn.carried(
            np.array([[e.x_m, e.y_m, e.heading_rad] for e in (entry.start, entry.goal)]),
            since[[0, -1]],
        ).tolist()
    )
    return structs.replace(
        entry,
        map=name,
        start=start,
        goal=goal,
        recordings=[structs.replace(placed, recording=name)],
        driven=[tuple(row) for row in np.column_stack([rows[:, 0], poses]).tolist()],
    )


def _laid(placed: PlacedRecording, drawn: DrawnCrowd) -> tuple[Row, Row]:
    """The transform of a recording after which people are, at first, before the same robot."""
    since = np.array([placed.first_frame / FPS])
    corners = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    bent = drawn.carried(corners, np.repeat(since, 3))[:, :2]
    there = np.column_stack([bent[1] - bent[0], bent[2] - bent[0], bent[0]])
    back = np.linalg.inv(np.vstack([there, [0.0, 0.0, 1.0]]))
    x, y = (np.array(placed.transform) @ back).tolist()
    return tuple(x), tuple(y)
