"""Moments through a camera: who stands where, who wears which body, and the same bytes again."""

import ast
import gc
import math
import sys
import weakref
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from paseo.camera.lens.image import Image
from paseo.camera.lens.projection import project, unproject
from paseo.camera.meshes import Body
from paseo.camera.people.library import Library, body_for
from paseo.camera.places.places import open_ground
from paseo.camera.view import PAINTING, CameraView
from paseo.errors import BadValue, MissingExtra
from paseo.planners.stop import Stop
from paseo.render.staging.playthrough import Playthrough
from paseo.sim.simulate import simulate
from paseo.world.arrays import FloatArray
from paseo.world.cameras import Camera, level_camera
from paseo.world.motion import Pose
from paseo.world.records import Record
from worlds import ROOM, crossing, scenario, walk

CAMERA = level_camera(160, 120, across=math.radians(75))
BEHIND = walk(2, (0, 8.5, 7), (10, 8.5, 6.9))  # and to the left, hardly moving
LATER = walk(3, (2, 6, 2.5), (10, 6, 7.5))


@pytest.fixture(scope="module")
def record() -> Record:
    """A robot at (2, 5) looks along x at people 1 to 3."""
    return simulate(scenario(crossing(), BEHIND, LATER), Stop())


@pytest.fixture(scope="module")
def view() -> CameraView:
    return quick_view()


def quick_view() -> CameraView:
    from paseo.camera.renderer import Effort

    none = Effort(shadows=False, smooth_edges=False, occlusion=False)
    return CameraView(ROOM, effort=none)


def test_a_view_is_freed_as_soon_as_nobody_has_it(record: Record) -> None:
    """It holds hundreds of megabytes, too few objects for the collector to look for it."""
    gc.disable()
    try:
        view = quick_view()
        view.render(Playthrough(record).at(1.0).snapshot, CAMERA)
        gone = weakref.ref(view)
        del view
        assert gone() is None
    finally:
        gc.enable()


def seen_points(image: Image, person: int, camera: Camera, pose: Pose) -> FloatArray:
    """Where in the world the pixels of somebody are, (pixels, 3)."""
    rows, columns = np.nonzero(image.ids == person)
    pixels = np.stack([columns + 0.5, rows + 0.5], axis=1)
    depth = image.depth[rows, columns].astype(float)
    return unproject(pixels, depth, camera, camera.view(pose))


def same(one: Image, other: Image) -> bool:
    pairs = ((one.rgb, other.rgb), (one.depth, other.depth), (one.ids, other.ids))
    return all(a.tobytes() == b.tobytes() for a, b in pairs)


@pytest.mark.extra("camera")
def test_people_stand_on_the_ground_where_the_snapshot_has_them(
    record: Record, view: CameraView
) -> None:
    snapshot = Playthrough(record).at(3.0).snapshot
    image = view.render(snapshot, CAMERA, view.footwork_of(record))
    assert set(np.unique(image.ids)) == {-1, 1, 2, 3}
    for person, place in zip(snapshot.crowd.ids.tolist(), snapshot.crowd.positions, strict=True):
        points = seen_points(image, person, CAMERA, snapshot.robot.pose)
        assert np.hypot(*(points[:, :2].mean(axis=0) - place)) < 0.25
        assert -0.03 < points[:, 2].min() < 0.12, "neither in the ground nor above it"
        assert points[:, 2].max() == pytest.approx(body_for(person).height, abs=0.12)


@pytest.mark.extra("camera")
def test_a_moment_of_a_record_is_the_same_whatever_was_drawn_before(
    record: Record, view: CameraView
) -> None:
    played, footwork = Playthrough(record), view.footwork_of(record)
    images = [view.render(played.at(time).snapshot, CAMERA, footwork) for time in (0.5, 3.0)]
    other = quick_view()
    again = [
        other.render(played.at(time).snapshot, CAMERA, other.footwork_of(record))
        for time in (3.0, 0.5)
    ]
    assert same(images[0], again[1]) and same(images[1], again[0])
    assert not same(*images)


@pytest.mark.extra("camera")
def test_live_people_are_followed_and_two_cameras_see_the_same_pose(
    record: Record, view: CameraView
) -> None:
    played = Playthrough(record)
    aside = replace(CAMERA, at=Pose(5.0, 1.0, math.pi / 2))
    for time in (2.8, 2.9, 3.0):
        snapshot = played.at(time).snapshot
        first, beside = view.render(snapshot, CAMERA), view.render(snapshot, aside)
        assert same(first, view.render(snapshot, CAMERA))
    one = seen_points(first, 1, CAMERA, snapshot.robot.pose)
    other = seen_points(beside, 1, aside, snapshot.robot.pose)
    assert np.hypot(*(one[:, :2].mean(axis=0) - other[:, :2].mean(axis=0))) < 0.2
    assert one[:, 2].max() == pytest.approx(other[:, 2].max(), abs=0.06)


@pytest.mark.extra("camera")
def test_the_robot_is_seen_from_elsewhere_and_not_by_its_own_camera(
    record: Record, view: CameraView
) -> None:
    snapshot = Playthrough(record).at(0.5).snapshot  # at (2, 5)
    behind = replace(CAMERA, at=Pose(2.0, 1.5, math.pi / 2))
    image = view.render(snapshot, behind)
    column, row, _ = project(np.array([[2.0, 5.0, 0.5]]), behind, behind.view())[0]
    pixel = int(row), int(column)
    assert image.depth[pixel] == pytest.approx(3.5 - snapshot.robot.radius, abs=0.03)
    assert image.ids[pixel] == -1, "it is no person"
    inside = replace(CAMERA, height=0.5, near=0.001)
    assert np.nanmin(view.render(snapshot, inside).depth) > 0.3


class Asked(Library):
    """The people that ship, and who of them was needed."""

    needed: ClassVar[set[int]] = set()

    def body(self, place: int) -> Body:
        self.needed.add(place)
        return super().body(place)


@pytest.mark.extra("camera")
def test_only_those_who_may_be_seen_need_bodies(record: Record) -> None:
    view = CameraView(ROOM, people=Asked())
    snapshot, footwork = Playthrough(record).at(3.0).snapshot, view.footwork_of(record)
    view.render(snapshot, replace(CAMERA, yaw=math.pi), footwork)
    assert Asked.needed == set()
    view.render(snapshot, CAMERA, footwork)
    assert len(Asked.needed) == 3


class Unpainted(Library):
    """The people that ship, as if none of them was ever painted."""

    def is_kept(self, place: int) -> bool:
        return False


class Painted(Library):
    """And as if all were."""

    def is_kept(self, place: int) -> bool:
        return True


@pytest.mark.extra("camera")
@pytest.mark.parametrize(("people", "times"), [(Unpainted(), 1), (Painted(), 0)])
def test_painting_is_told_once_where_it_takes_long(
    record: Record, people: Library, times: int
) -> None:
    snapshot, told = Playthrough(record).at(3.0).snapshot, list[str]()
    view = CameraView(
        open_ground(5.0, 5.0), people=people, progress=lambda what, *_: told.append(what)
    )
    for _ in range(2):
        view.render(snapshot, CAMERA)
    assert told.count(PAINTING) == times
    assert view.dressed == (3, 0), "who ships is never plain"


@pytest.mark.extra("camera")
def test_a_camera_in_a_wall_is_told_and_open_ground_has_none(
    record: Record, view: CameraView
) -> None:
    snapshot = Playthrough(record).at(1.0).snapshot
    outside = replace(CAMERA, at=Pose(-0.5, 5.0))
    with pytest.raises(BadValue, match=r"stands in a wall of 'room' at \(-0.50, 5.00\) m; move it"):
        view.render(snapshot, outside)
    with pytest.raises(BadValue, match=r"\(-0.30, 5.00\) m, where its forward_m = 0.2 puts it"):
        view.render(snapshot, replace(outside, forward=0.2))
    field = CameraView(open_ground(5.0, 5.0)).render(snapshot, outside)
    assert np.isnan(field.depth[:50]).any() and (field.ids == 1).any()


def test_without_warp_the_extra_to_install_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    hidden = ("paseo.camera.kernels", "paseo.camera.renderer")
    for name in [each for each in sys.modules if each.startswith(hidden)]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "warp", None)
    with pytest.raises(MissingExtra, match=r"pip install 'paseo\[camera\]'"):
        CameraView(ROOM)


def test_tests_of_the_camera_can_be_collected_without_its_extra() -> None:
    for file in Path(__file__).parent.rglob("*.py"):
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                words = ast.unparse(node)
                needs = ("warp", "embreex", "paseo.camera.kernels", "paseo.camera.renderer")
                assert not any(each in words for each in needs), f"{file.name}: {words}"
