"""Detections into tracks: ByteTrack (Zhang et al. 2022) as the package `trackers` has it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from paseo.errors import require
from paseo.pipeline.drives.drive import Drive
from paseo.pipeline.locating.seen import Seen, SeenFrame
from paseo.pipeline.locating.sources.steadying import Steadied

NOBODY = -1  # as who a detection is that nobody followed yet
ROW = "row"  # of a detection among those of its frame
FOLLOWS = "follows people from frame to frame"
LOST = 1.0  # seconds after which somebody who is not seen is somebody new
SURE, ENOUGH = 0.5, 0.3  # confidence that begins a track, and that goes first in one
OVERLAP = 0.1  # of boxes in two frames: a robot turns, and at 4 frames a second boxes move far


class Follower:
    """Knows people again by where their boxes were; frames come one after the other.

    With the drive they come from, boxes are compared as if the robot had not turned or rocked.
    """

    def __init__(self, drive: Drive | None = None) -> None:
        trackers = require("trackers", "tracking", FOLLOWS)
        self._boxes = require("supervision", "tracking", FOLLOWS).Detections
        self._tracker: Any = trackers.ByteTrackTracker(
            lost_track_buffer=round(30 * LOST),  # it counts in frames of 1/30 s
            track_activation_threshold=SURE,
            high_conf_det_threshold=ENOUGH,
            minimum_iou_threshold=OVERLAP,
            minimum_consecutive_frames=2,
        )
        self._steadied = None if drive is None else Steadied(drive)

    def known(self, people: Sequence[Seen], time: float) -> tuple[Seen, ...]:
        """The same people as the tracks they belong to; who belongs to none yet is left out."""
        boxes = np.array([each.box for each in people], dtype=float).reshape(-1, 4)
        given = self._boxes(
            xyxy=boxes if self._steadied is None else self._steadied.boxes(boxes, time),
            confidence=np.array([each.confidence for each in people], dtype=float),
            data={ROW: np.arange(len(people))},
        )
        found = self._tracker.update(given, timestamp=time)
        if not len(found):
            return ()
        pairs = zip(found.data[ROW].tolist(), found.tracker_id.tolist(), strict=True)
        return tuple(
            Seen(person=person, box=people[row].box, confidence=people[row].confidence)
            for row, person in pairs
            if person != NOBODY
        )


def followed(frames: Iterable[SeenFrame], drive: Drive) -> Iterator[SeenFrame]:
    """Detections in frames of a drive as tracks."""
    seen: Mapping[int, SeenFrame] = {each.number: each for each in frames}
    follower = Follower(drive)
    for number, time in enumerate(drive.frame_times.tolist()):
        people = seen[number].people if number in seen else ()
        known = follower.known(people, time)
        if known:
            yield SeenFrame(number, known)
