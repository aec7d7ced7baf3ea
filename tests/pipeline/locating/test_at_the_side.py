"""Somebody whom the side of the picture cuts is where their whole body is, not where they show."""

import math
from dataclasses import replace

import numpy as np
import pytest

from paseo.camera.lens.projection import project
from paseo.pipeline.drives.drive import Odometry
from paseo.pipeline.locating.doubts import DOUBTS
from paseo.pipeline.locating.placing import places
from paseo.pipeline.locating.seen import Seen, SeenFrame
from paseo.world.arrays import FloatArray
from paseo.world.motion import Pose
from staged_boxes import CAMERA

# A column a third as broad as it is tall, drawn through the lens point by point.
TALL, RADIUS = DOUBTS.body_height, DOUBTS.body_height / 6
ROUND = np.linspace(0, 2 * math.pi, 60)
STILL = Odometry(times=np.array([0.0, 10.0]), poses=np.zeros((2, 3)), longest_gap=20.0)
EYE = np.array([CAMERA.forward, 0.0])


def box_at(place: FloatArray) -> FloatArray:
    rim = place + RADIUS * np.column_stack([np.cos(ROUND), np.sin(ROUND)])
    column = np.vstack([np.column_stack([rim, np.full(60, up)]) for up in (0.0, TALL)])
    u, v, _ = project(column, CAMERA, CAMERA.view(Pose(0.0, 0.0, 0.0))).T
    return np.array([u.min(), v.min(), u.max(), v.max()])


def at_side(distance: float, share: float, sign: float) -> tuple[FloatArray, FloatArray]:
    """Where somebody is of whom such a share is in the picture, and their box in it."""
    for degrees in np.arange(30.0, 60.0, 0.1):
        angle = sign * math.radians(degrees)
        place = EYE + distance * np.array([math.cos(angle), math.sin(angle)])
        box = box_at(place)
        cut = np.clip(box, 0, [CAMERA.width_px, CAMERA.height_px] * 2)
        if (cut[2] - cut[0]) / (box[2] - box[0]) < share:
            return place, cut
    raise AssertionError("nobody is cut")


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("distance", [3.0, 6.0])
@pytest.mark.parametrize("share", [0.9, 0.6, 0.4])
def test_a_body_that_is_cut_is_placed_by_its_middle(
    share: float, distance: float, sign: float
) -> None:
    truth, (left, top, right, bottom) = at_side(distance, share, sign)
    frames = [SeenFrame(0, [Seen(person=1, box=(left, top, right, bottom))])]
    (found,) = places(STILL, np.array([1.0]), frames, CAMERA, replace(DOUBTS, step=RADIUS))
    aside = np.array([-(truth - EYE)[1], (truth - EYE)[0]]) / distance
    off = float(aside @ (found.positions[0] - truth))
    # Half of what does not show: by so much the middle of the box itself would be off.
    assert abs(off) < max(0.35 * (1 - share) * RADIUS, 0.05)
    assert abs(off) < 2 * math.sqrt(aside @ found.covariances[0] @ aside)
