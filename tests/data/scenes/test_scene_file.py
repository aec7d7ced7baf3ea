"""Scenes as folders of Paseo's own: what is written comes back, damage is told."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paseo.data.scenes.dataset import open_scenes
from paseo.data.scenes.scene_file import read_scene, scene_text, write_scene
from paseo.errors import BadFile, BadValue, CannotWrite, InputError
from paseo.world.scenes import ClipTiming, Scene
from tiny_scenes import picture


@pytest.fixture
def scene(dataset: Path) -> Scene:
    """With a camera, gaps, and composites in another format than the frames."""
    composites = tuple(picture(step, form="PNG") for step in range(10))
    return replace(open_scenes(dataset).read("33_Spot_45_3"), composites=composites)


def test_what_is_written_comes_back_to_the_last_bit(scene: Scene, tmp_path: Path) -> None:
    place = write_scene(scene, tmp_path / "new" / "scenes")
    assert place == tmp_path / "new" / "scenes" / "33_Spot_45_3"
    back = read_scene(place)
    for field in ("id", "goal", "camera", "period"):
        assert getattr(back, field) == getattr(scene, field)
    for field in ("frames", "composites"):
        assert tuple(getattr(back, field)) == tuple(getattr(scene, field))
    assert (back.robot == scene.robot).all()
    for one, other in zip(back.people, scene.people, strict=True):
        assert one.number == other.number
        np.testing.assert_array_equal(one.positions, other.positions)
        np.testing.assert_array_equal(one.boxes, other.boxes)
    assert scene_text(back) == scene_text(scene)
    assert (place / "frame_9.jpg").is_file() and (place / "composite_9.png").is_file()


def test_a_scene_of_another_length_and_period_comes_back_and_the_usual_period_is_not_written(
    scene: Scene, tmp_path: Path
) -> None:
    assert b"period_s" not in scene_text(scene)
    people = tuple(
        replace(each, positions=each.positions[:6], boxes=each.boxes[:6]) for each in scene.people
    )
    short = replace(
        scene, frames=scene.frames[:6], robot=scene.robot[:6], people=people, composites=(),
        period=0.5,
    )  # fmt: skip
    back = read_scene(write_scene(short, tmp_path))
    assert back.timing == ClipTiming(frames=6, period=0.5)
    assert scene_text(back) == scene_text(short) != scene_text(replace(short, period=0.25))


def test_a_picture_that_changed_since_the_scene_was_read_is_refused(
    scene: Scene, tmp_path: Path
) -> None:
    place = write_scene(scene, tmp_path)
    back = read_scene(place)
    (place / "frame_3.jpg").write_bytes(picture(200))
    assert back.frames[2] == scene.frames[2]
    with pytest.raises(BadFile, match=r"frame_3\.jpg: has changed since the scene was read"):
        back.frames[3]


def test_a_scene_that_is_there_is_never_replaced(scene: Scene, tmp_path: Path) -> None:
    place = write_scene(scene, tmp_path)
    before = {path: path.read_bytes() for path in place.iterdir()}
    with pytest.raises(BadValue, match="33_Spot_45_3: is there already; give the scene another id"):
        write_scene(replace(scene, goal=(0.0, 0.0)), tmp_path)
    assert {path: path.read_bytes() for path in place.iterdir()} == before


def test_where_nothing_can_be_written_nothing_is_left(scene: Scene, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(CannotWrite, match="cannot be written .*nothing was left there"):
        write_scene(scene, tmp_path / "file" / "scenes")
    assert [path.name for path in tmp_path.iterdir() if path.name != "sub"] == ["file"]


def changed(**changes: Any) -> Callable[[Path], Any]:
    def change(place: Path) -> None:
        about = json.loads((place / "scene.json").read_text())
        (place / "scene.json").write_text(json.dumps({**about, **changes}))

    return change


NOBODY = {"number": 1, "frames": [None] * 10}
SOMEBODY = {"number": 1, "frames": [{"x_m": 1, "y_m": 2, "box_px": [1, 1, 5, 5]}] + [None] * 9}
OUTSIDE = {"number": 1, "frames": [{"x_m": 1, "y_m": 2, "box_px": [70, 1, 75, 5]}] + [None] * 9}


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda place: (place / "frame_3.jpg").unlink(), r"frame_3\.jpg: is not there; import"),
        (lambda place: (place / "composite_3.png").unlink(), "composite_3.jpg: is not there"),
        (lambda place: (place / "composite_0.png").unlink(), "composite_0.jpg: is not there"),
        (lambda place: (place / "frame_3.jpg").write_bytes(picture(size=(8, 8))), "has 8 x 8 pix"),
        (lambda place: (place / "scene.json").write_text(""), "line 1 is missing"),
        (changed(format="other"), "format: invalid enum value 'other', expected \"paseo-scene\""),
        (changed(version=2), "version: invalid enum value 2"),
        (changed(id="../up"), "an id is made of letters"),
        (changed(colour="red"), "unknown key 'colour'"),
        (changed(robot=[]), "robot: expected `array` of length >= 2"),
        (changed(goal_m=[1e9, 0]), r"goal_m\[0\]: expected `float` <= 10000"),
        (changed(goal_m=[float("nan"), 0]), r"goal_m\[0\]: expected `float`"),
        (changed(people=[NOBODY]), "scene.json: person 1: is in no frame of the scene; import"),
        (changed(people=[SOMEBODY] * 2), "in order of their numbers, each once"),
        (changed(people=[OUTSIDE]), "person 1, frame 0: the box 70, 1, 75, 5 is outside"),
    ],
)
def test_damage_is_told(
    spoil: Callable[[Path], Any], sentence: str, scene: Scene, tmp_path: Path
) -> None:
    place = write_scene(scene, tmp_path)
    spoil(place)
    with pytest.raises(InputError, match=sentence):
        read_scene(place)


def test_without_a_camera_all_frames_are_as_large_as_the_first(
    scene: Scene, tmp_path: Path
) -> None:
    frames = (picture(size=(9, 9)),) + scene.frames[1:]
    place = write_scene(replace(scene, camera=None, people=(), frames=frames), tmp_path)
    with pytest.raises(BadFile, match=r"frame_1\.jpg: has 64 x 36 pixels, expected 9 x 9"):
        read_scene(place)
