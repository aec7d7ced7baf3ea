"""The whole pipeline where the truth is known: drives filmed, written as bags, reconstructed."""

import math
from pathlib import Path

import numpy as np
import pytest

from filmed import (
    CAMERA,
    Faults,
    Filmed,
    film,
    leant,
    smaller,
    told_boxes,
    told_odometry,
    write_drive,
    write_mot,
)
from judged import Judged, by_overlap, judged, laid, true_twin, truly
from paseo.camera.view import CameraView
from paseo.pipeline.drives.bags.writing import BagFormat
from paseo.pipeline.drives.opening import open_drive
from paseo.pipeline.locating.doubts import Doubts
from paseo.pipeline.locating.names import make_source
from paseo.pipeline.locating.placing import places
from paseo.pipeline.reconstructing import Method, reconstruct
from paseo.pipeline.reconstruction import Reconstruction
from paseo.sim.simulate import simulate
from paseo.world.motion import Pose, Twist
from paseo.world.records import Record
from paseo.world.tracks import Track
from staged_boxes import view_of
from worlds import Driver, plan, scenario

pytestmark = pytest.mark.extra("bags")
FORMS = {BagFormat.ROS1: "drive.bag", BagFormat.ROS2: "drive"}
HALL = plan("hall", (0, 0, 30, 14))
NEAR = 10.0  # metres


def drive(people: int = 14, seconds: float = 10.0) -> Record:
    """A robot that weaves through a hall among people who come, cross and walk along."""
    rng = np.random.default_rng(5)
    tracks = []
    for person in range(1, people + 1):
        begin, heading = rng.uniform((5, 2), (24, 12)), rng.uniform(0, math.tau)
        way = rng.uniform(0.3, 1.0) * np.array([math.cos(heading), math.sin(heading)])
        times = np.linspace(0, seconds, 50)
        bounded = np.clip(begin + times[:, None] * way, 1, (29, 13))
        tracks.append(Track(person, times, bounded))
    task = scenario(*tracks, floorplan=HALL, start=Pose(1.0, 7.0), goal=Pose(29.0, 7.0),
                    time_limit=seconds)  # fmt: skip
    return simulate(task, Driver(lambda seen: Twist(0.9, 0.3 * math.cos(seen.time))))


def rebuilt(
    folder: Path, filmed: Filmed, faults: Faults, form: BagFormat, box_px: float
) -> Reconstruction:
    bag, boxes = folder / FORMS[form], folder / "boxes.txt"
    write_drive(bag, filmed, faults, form)
    write_mot(boxes, told_boxes(filmed, faults))

    def placed(odometry, times, seen, camera):  # type: ignore[no-untyped-def]
        return places(odometry, times, seen, camera, Doubts(box_px=box_px))

    return reconstruct(open_drive(bag), make_source(f"mot={boxes}"), Method(placed))


def mean_off(found: Judged) -> float:
    return float(found.off[found.distances < NEAR].mean())


@pytest.fixture(scope="module")
def projected() -> Filmed:
    """Boxes without pictures."""
    return film(drive(), None)


def test_boxes_off_by_5_px_give_places_within_the_wanted_error_from_both_kinds_of_bag(
    projected: Filmed, tmp_path: Path
) -> None:
    faults = Faults(boxes_px=5.0)
    one, other = (rebuilt(tmp_path, projected, faults, form, 5.0) for form in FORMS)
    found = judged(projected, one, truly(projected))
    assert mean_off(found) < 0.35  # the data set's own: 0.67 m
    assert (found.distances < NEAR).sum() > 100
    assert found.lost == found.switches == 0
    for a, b in zip(one.tracks, other.tracks, strict=True):
        np.testing.assert_allclose(a.states, b.states, atol=1e-6)


@pytest.mark.parametrize(
    ("wrong", "box_px"),
    [
        (Faults(calibration=0, odometry=0, lean=None), 2.0),
        (Faults(calibration=0, odometry=0, lean=0, boxes_px=10.0), 10.0),
        (Faults(calibration=3, odometry=0, lean=0), 2.0),
    ],
    ids=["lean", "boxes", "calibration"],
)
def test_each_part_that_is_wrong_takes_people_away_from_the_truth(
    projected: Filmed, tmp_path: Path, wrong: Faults, box_px: float
) -> None:
    right = Faults(calibration=0, odometry=0, lean=0)
    off = []
    for name, faults, px in (("right", right, 2.0), ("wrong", wrong, box_px)):
        found = rebuilt(tmp_path / name, projected, faults, BagFormat.ROS1, px)
        off.append(mean_off(judged(projected, found, truly(projected))))
    assert off[0] < 0.2
    assert off[1] > off[0] + 0.02


def test_odometry_that_drifts_harms_places_on_the_map_but_not_those_from_the_robot(
    projected: Filmed, tmp_path: Path
) -> None:
    faults = Faults(calibration=0, odometry=4.0, lean=0)
    found = rebuilt(tmp_path, projected, faults, BagFormat.ROS2, 2.0)
    rows = judged(projected, found, truly(projected))
    assert mean_off(rows) < 0.25
    near = rows.distances < NEAR
    assert rows.off_in_world[near].mean() > 2 * rows.off[near].mean()


@pytest.mark.parametrize("lean", [-0.05, 0.0, 0.03])
def test_leaning_camera_is_where_rotations_written_out_have_it(lean: float) -> None:
    robot = Pose(3.0, -2.0, 0.7)
    ours, theirs = leant(CAMERA, lean).view(robot), view_of(CAMERA, robot, lean, 0.0)
    np.testing.assert_allclose(ours.position, theirs.position, atol=1e-12)
    np.testing.assert_allclose(ours.rotation, theirs.rotation, atol=1e-12)


def test_right_odometry_is_the_true_way_from_where_it_began(projected: Filmed) -> None:
    told = told_odometry(projected, Faults(odometry=0.0, lean=0.0))
    x, y, heading = projected.way.poses[0]
    ahead = np.array([math.cos(heading), math.sin(heading)])
    away = projected.way.poses[:, :2] - [x, y]
    expected = np.column_stack([away @ ahead, away @ [-ahead[1], ahead[0]]])
    np.testing.assert_allclose(told.poses[:, :2], expected, atol=1e-9)


def test_true_twin_of_a_reconstruction_is_the_truth_on_the_map(
    projected: Filmed, tmp_path: Path
) -> None:
    whose = truly(projected)
    found = rebuilt(tmp_path, projected, Faults(), BagFormat.ROS1, 2.0)
    twin, ours = true_twin(projected, found, whose), laid(projected, found)
    assert [each.person for each in twin.tracks] == [each.person for each in ours.tracks]
    assert by_overlap(projected, found) == whose  # true boxes are whose they are
    track = twin.tracks[0]
    number = int(np.argmin(np.abs(projected.times - track.times[0])))
    np.testing.assert_allclose(
        track.states[0, :2], projected.people[number][track.person][:2], atol=1e-9
    )
    apart = np.hypot(*(twin.tracks[0].states - ours.tracks[0].states)[:, :2].T)
    assert 0 < apart.mean() < 1.0


@pytest.fixture(scope="module")
def rendered() -> Filmed:
    """The drive in small pictures."""
    return film(drive(), CameraView(HALL), camera=smaller(CAMERA, 0.5))


@pytest.mark.slow
@pytest.mark.extra("camera")
@pytest.mark.parametrize("form", FORMS)
def test_filmed_drive_is_found_again(form: BagFormat, rendered: Filmed, tmp_path: Path) -> None:
    found = judged(rendered, rebuilt(tmp_path, rendered, Faults(), form, 2.0), truly(rendered))
    assert mean_off(found) < 0.35
    assert found.lost <= 1
    assert np.nanmedian(np.degrees(found.turned)) < 15
    assert (found.distances < NEAR).sum() > 100
