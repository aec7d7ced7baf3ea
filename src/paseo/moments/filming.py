"""Front views of moments: what the rider's camera sees, and where in the pictures people are."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from paseo.camera.gait.steps.footwork import Footwork, walks_of
from paseo.camera.people.library import Library, place_for
from paseo.camera.view import CameraView, prepare
from paseo.data.scenes.writing import Box
from paseo.moments.candidates import Moment
from paseo.moments.stages import Stage
from paseo.progress import Progress, silent
from paseo.vqa.pictures.photos import jpeg
from paseo.world.cameras import Camera
from paseo.world.motion import Pose, RobotState, Twist
from paseo.world.people import Crowd, Snapshot

BEFORE, AFTER = 2.0, 0.5  # seconds that people walk before and after what is shown
RADIUS = 0.3  # metres, of the robot; its own camera does not see it
FEWEST_PIXELS = 40  # of a person in a picture of a million, for a tracker to have a box
QUALITY = 90  # of JPEGs
NOBODY = Crowd(np.empty(0, np.int64), np.empty((0, 2)), np.empty((0, 2)), np.empty(0))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Filmed:
    """A moment with its pictures."""

    moment: Moment
    pictures: tuple[bytes, ...]  # JPEG
    boxes: tuple[dict[int, Box], ...]  # in each picture, by which of the stage's people


def filmed(
    moments: Sequence[Moment], camera: Camera, progress: Progress = silent
) -> Iterator[Filmed]:
    """Each moment as the camera sees it, those at one place one after the other; needs warp."""
    prepare(progress)
    total = sum(moment.timing.frames for moment in moments)
    done = 0
    ordered = sorted(moments, key=lambda each: each.sighted.stage.floorplan.name)
    for _, there in groupby(ordered, key=lambda each: each.sighted.stage.floorplan.name):
        group = list(there)
        plan = group[0].sighted.stage.floorplan
        view = CameraView(plan, threads=os.cpu_count() or 1, progress=progress)
        for moment in group:
            yield _filmed(moment, camera, view)
            done += moment.timing.frames
            progress("picture", done, total)


def _filmed(moment: Moment, camera: Camera, view: CameraView) -> Filmed:
    stage, rider = moment.sighted.stage, moment.sighted.rider
    times = stage.times[moment.span]
    footwork = _footwork(stage, moment, float(times[0]), float(times[-1]))
    pictures, boxes = [], []
    for time, pose in zip(times.tolist(), rider.poses[moment.span].tolist(), strict=True):
        robot = RobotState(Pose(*pose), Twist(0.0, 0.0), RADIUS)
        image = view.render(Snapshot(time=time, robot=robot, crowd=NOBODY), camera, footwork)
        pictures.append(jpeg(image.rgb, QUALITY))
        boxes.append(_boxes(image.ids, stage, moment))
    return Filmed(moment=moment, pictures=tuple(pictures), boxes=tuple(boxes))


def _footwork(stage: Stage, moment: Moment, first: float, last: float) -> Footwork:
    """How everybody but the rider walks; bodies belong to people, whichever episode shows them."""
    times, places = stage.walked(first - BEFORE, last + AFTER)
    others = [k for k in range(len(stage.ids)) if k != moment.sighted.rider.place]
    here = [k for k in others if not np.isnan(places[:, k, 0]).all()]
    people = Library()
    ids = stage.ids[here]
    legs = [people.leg_length(place_for(id, 0, len(people))) for id in ids.tolist()]
    return walks_of(times, places[:, here], ids, leg_lengths=np.array(legs))


def _boxes(ids: NDArray[np.int32], stage: Stage, moment: Moment) -> dict[int, Box]:
    """What a perfect tracker has: the smallest box around what is seen of each."""
    height, width = ids.shape
    fewest = FEWEST_PIXELS * height * width / 1e6
    found: dict[int, Box] = {}
    for k in moment.asked:
        there = ids == stage.ids[k]
        if there.sum() >= fewest:
            rows, columns = np.flatnonzero(there.any(axis=1)), np.flatnonzero(there.any(axis=0))
            left, right = float(columns[0]), float(columns[-1] + 1)
            found[k] = left, float(rows[0]), right, float(rows[-1] + 1)
    return found
