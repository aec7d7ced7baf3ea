"""Perceptions held against columns whose depth is computed by hand, and their tracker's filter."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from paseo.checks.perceptions import column_pictures
from paseo.checks.pictures import CAMERA, column_picture
from paseo.checks.worlds import CROSSING, NOBODY, small_room
from paseo.errors import PaseoError, UnknownName
from paseo.perception.names import make_perception
from paseo.perception.points import Sighting
from paseo.perception.standing import standing
from paseo.perception.tracking import Manner, Tracker
from paseo.sim.episode import briefing
from paseo.world.cameras import Camera, RgbdImage, Sight, level_camera
from paseo.world.motion import Control, Pose
from paseo.world.people import Crowd
from paseo.world.planning import Observation

POSE = Pose(1.0, 3.0)
LOW = replace(CAMERA, height=0.8, pitch=math.radians(45), near=0.01)  # as the original's


def found(*places: tuple[float, float], camera: Camera = CAMERA) -> list[list[float]]:
    """Where people are found who stand at these places, before a robot that looks along x."""
    room = small_room(NOBODY)
    people = {k: np.array(at) for k, at in enumerate(places)}
    image = column_picture(room.floorplan, people, camera=camera, pose=POSE, time=0.0)
    at = camera.view(POSE).position
    points = Sighting(camera).points(image)
    return sorted(standing(points, room.floorplan, camera, at).tolist())


def perceived(
    name: str, camera: Camera = CAMERA
) -> tuple[list[Crowd], list[dict[int, list[float]]]]:
    """What a perception makes of people who cross, and where they truly are; in each step."""
    room = small_room(CROSSING)
    perception = make_perception(name)
    perception.begin(briefing(replace(room, sight=Sight(camera=camera)), Control.VELOCITY))
    crowds, truth = [], []
    for shown in column_pictures(room, camera):
        crowds.append(perception.people(shown))
        now = np.array([shown.time])
        truth.append({track.id: track.positions_at(now)[0].tolist() for track in room.tracks})
    return crowds, truth


def test_an_empty_room_has_nobody_in_it() -> None:
    assert found() == []
    assert found(camera=LOW) == []


@pytest.mark.parametrize("place", [(3.0, 3.0), (2.0, 2.5), (5.0, 4.0), (7.0, 2.0)])
def test_somebody_is_found_where_they_stand(place: tuple[float, float]) -> None:
    (there,) = found(place)
    assert math.dist(there, place) < 0.12


def test_somebody_is_found_by_a_camera_that_looks_down() -> None:
    (there,) = found((2.0, 3.2), camera=LOW)
    assert math.dist(there, (2.0, 3.2)) < 0.15


def test_people_side_by_side_are_two_and_who_is_behind_another_is_none() -> None:
    beside = found((4.0, 2.7), (4.0, 3.3))
    assert sorted(round(y, 1) for _, y in beside) == [2.7, 3.3]
    assert len(found((2.5, 3.0), (4.0, 3.0))) == 1


def test_what_stands_at_a_wall_or_is_as_low_as_a_bench_is_no_person() -> None:
    assert found((4.0, 6.0)) == []
    flat = np.full((CAMERA.height_px, CAMERA.width_px), np.nan, np.float32)
    flat[35:40, 38:42] = 3.0  # up to 0.6 m high, 3 m ahead
    points = Sighting(CAMERA).points(RgbdImage(0.0, POSE, np.empty((0,), np.uint8), flat))
    view = CAMERA.view(POSE)
    assert not len(standing(points, small_room(NOBODY).floorplan, CAMERA, view.position))


def test_a_place_is_the_same_wherever_the_picture_is_fine_or_coarse() -> None:
    fine = level_camera(640, 480, across=math.radians(90))
    (one,), (other,) = found((3.0, 3.0)), found((3.0, 3.0), camera=fine)
    assert math.dist(one, other) < 0.05


@pytest.mark.parametrize("name", ["ids", "depth"])
def test_people_who_cross_are_followed_with_their_velocities(name: str) -> None:
    crowds, truth = perceived(name)
    last, true = crowds[-1], truth[-1]
    before = truth[-2]
    for place, velocity in zip(last.positions.tolist(), last.velocities.tolist(), strict=True):
        nearest = min(true, key=lambda person: math.dist(true[person], place))
        assert math.dist(true[nearest], place) < 0.25
        really = (np.array(true[nearest]) - before[nearest]) / 0.05
        assert math.dist(really, velocity) < 0.35
    assert len(last) >= 2


def test_with_ids_everybody_keeps_their_name() -> None:
    crowds, truth = perceived("ids")
    for crowd, true in zip(crowds[10:], truth[10:], strict=True):
        for person, place in zip(crowd.ids.tolist(), crowd.positions.tolist(), strict=True):
            assert math.dist(true[person], place) < 0.3


def test_depth_needs_no_ids_and_ids_do() -> None:
    room = replace(small_room(CROSSING), sight=Sight(camera=CAMERA))
    shown = next(column_pictures(room))
    assert shown.image is not None
    image = shown.image
    bare = Observation(
        shown.time, shown.robot, shown.crowd, RgbdImage(0.0, image.pose, image.rgb, image.depth)
    )
    perceptions = {name: make_perception(name) for name in ("depth", "ids")}
    for each in perceptions.values():
        each.begin(briefing(room, Control.VELOCITY))
    perceptions["depth"].people(bare)
    with pytest.raises(PaseoError, match="perception 'ids' failed in people"):
        perceptions["ids"].people(bare)


def test_who_is_unknown_or_fails_is_told_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="no perception is called 'deph'. Did you mean 'depth'"):
        make_perception("deph")
    file = tmp_path / "mine.py"
    file.write_text(
        "class Mine:\n"
        "    def begin(self, briefing): pass\n"
        "    def people(self, observation): return 3\n"
    )
    mine = make_perception(f"{file}:Mine")
    with pytest.raises(PaseoError, match=r"people\(\) returned 3, expected a Crowd"):
        mine.people(next(column_pictures(small_room(NOBODY))))


def test_a_filter_of_constant_velocity_finds_a_steady_walk() -> None:
    tracker = Tracker(Manner(), radius=0.2)
    for step in range(30):
        tracker.update(0.1 * step, np.array([[1.0 + 0.13 * step, 2.0]]))
    crowd = tracker.crowd(3.0)
    assert crowd.ids.tolist() == [1] and crowd.radii.tolist() == [0.2]
    assert crowd.velocities[0] == pytest.approx([1.3, 0.0], abs=0.02)
    assert crowd.positions[0] == pytest.approx([1.0 + 0.13 * 30, 2.0], abs=0.03)


def test_who_was_seen_once_is_not_told_and_who_is_out_of_sight_is_believed_in_for_a_while() -> None:
    tracker, nobody = Tracker(Manner(), radius=0.2), np.empty((0, 2))
    tracker.update(0.0, np.array([[1.0, 2.0]]))
    assert len(tracker.crowd(0.0)) == 0
    tracker.update(0.1, np.array([[1.0, 2.0]]))
    assert len(tracker.crowd(0.1)) == 1
    tracker.update(1.0, nobody)
    assert len(tracker.crowd(1.0)) == 1
    tracker.update(1.1, nobody, is_gone=lambda place: True)
    assert len(tracker.crowd(1.1)) == 0


def test_two_who_pass_keep_their_numbers() -> None:
    tracker = Tracker(Manner(), radius=0.2)
    for step in range(40):
        x = 0.1 * step
        tracker.update(0.1 * step, np.array([[4.0 - x, 0.35], [x, -0.35]])[:: 1 - 2 * (step % 2)])
    crowd = tracker.crowd(3.9)
    assert crowd.ids.tolist() == [1, 2]
    assert crowd.positions[0] == pytest.approx([0.1, 0.35], abs=0.1)


@pytest.mark.parametrize("noise", [0.0, 0.002, 0.01])
def test_noise_is_told_by_the_floor_and_makes_nobody_out_of_walls(noise: float) -> None:
    camera, room = level_camera(160, 120, across=math.radians(90)), small_room(NOBODY)
    exact = column_picture(room.floorplan, {}, camera=camera, pose=POSE, time=0.0)
    chance = np.random.default_rng(0).standard_normal(exact.depth.shape)
    depth = (exact.depth + noise * exact.depth**2 * chance).astype(np.float32)
    image = RgbdImage(0.0, POSE, exact.rgb, depth)
    sighting = Sighting(camera)
    told = sighting.noise(image)
    assert told == pytest.approx(noise, rel=0.1, abs=1e-6)
    at = camera.view(POSE).position
    points = sighting.points(image)
    assert not len(standing(points, room.floorplan, camera, at, noise=told))
    if noise == 0.01:  # who does not know better finds people there
        assert len(standing(points, room.floorplan, camera, at))
