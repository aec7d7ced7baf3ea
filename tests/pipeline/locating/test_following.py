"""People followed by where their boxes were, while the robot turns."""

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from paseo.pipeline.drives.drive import Odometry
from paseo.pipeline.locating.seen import Seen, SeenFrame
from paseo.pipeline.locating.sources.steadying import Steadied
from paseo.pipeline.locating.sources.tracking import NOBODY, followed
from paseo.world.motion import Pose
from staged_boxes import CAMERA, box_of, view_of


@pytest.mark.slow
@pytest.mark.extra("tracking")
def test_who_stands_is_known_again_by_a_robot_that_turns_and_rocks_fast() -> None:
    """A body is as broad as 50 pixels here, and the robot turns by 100 between two pictures."""
    times = np.arange(12) * 0.2
    poses = np.column_stack([np.zeros((12, 2)), 0.16 * np.arange(12)])
    leans = 0.05 * (-1.0) ** np.arange(12)
    odometry = Odometry(times=times, poses=poses, pitches=leans)
    frames = []
    for number, (pose, lean) in enumerate(zip(poses, leans, strict=True)):
        view = view_of(CAMERA, Pose(*pose.tolist()), float(lean), 0.0)
        places = [7 * np.array([math.cos(at), math.sin(at)]) for at in (0.3, 0.9, 1.4)]
        boxes = [box_of(at, CAMERA, view, tall=1.7, step=0.1) for at in places]
        seen = [(k, tuple(box.tolist())) for k, box in enumerate(boxes) if box is not None]
        people = [Seen(person=k, box=box) for k, box in seen if box[0] > 0 and box[2] < 1280]  # type: ignore[arg-type]
        frames.append(SeenFrame(number, people))
    turning = SimpleNamespace(camera=CAMERA, odometry=odometry, frame_times=times)

    def names(drive: object) -> list[set[int]]:
        """By which numbers each of the three goes."""
        found: list[set[int]] = [set(), set(), set()]
        lost = [SeenFrame(f.number, [replace(p, person=NOBODY) for p in f.people]) for f in frames]
        who = {(f.number, p.box): p.person for f in frames for p in f.people}
        for frame in followed(lost, drive):  # type: ignore[arg-type]
            for each in frame.people:
                found[who[frame.number, each.box]].add(each.person)
        return found

    assert sorted(names(turning), key=min) == [{0}, {1}, {2}]
    unsteadied = names(SimpleNamespace(**(vars(turning) | {"camera": None})))
    assert sum(map(len, unsteadied)) != 3 or set.intersection(*unsteadied)


@pytest.mark.parametrize("yaw", [0.0, 3.0])
def test_panorama_stands_still_while_the_robot_turns_right_around(yaw: float) -> None:
    camera = replace(CAMERA, yaw=yaw, distortion=())
    times = np.linspace(0, 10, 101)
    poses = np.column_stack([np.zeros((101, 2)), 0.9 * times])
    drive = SimpleNamespace(camera=camera, odometry=Odometry(times=times, poses=poses))
    steadied = Steadied(drive)  # type: ignore[arg-type]
    first = steadied.boxes(np.array([[600.0, 200.0, 680.0, 500.0]]), 0.0)
    assert (first[:, 2:] > first[:, :2]).all()
    later = steadied.boxes(np.array([[600.0, 200.0, 680.0, 500.0]]), 7.0)
    np.testing.assert_allclose(later[:, [1, 3]], first[:, [1, 3]])
    np.testing.assert_allclose(first[:, [0, 2]] - later[:, [0, 2]], 0.9 * 7 * camera.fx)
    wide = steadied.boxes(np.array([[-9000.0, 0.0, -8000.0, 9000.0]]), 1.0)
    assert np.isfinite(wide).all()
