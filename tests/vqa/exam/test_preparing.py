"""Scenes made ready for an exam."""

from dataclasses import replace
from pathlib import Path

import pytest

from exams import PRESENTATION, scene_folder, small_scene
from paseo.data.scenes import stored_pictures
from paseo.data.scenes.dataset import open_scenes
from paseo.data.scenes.images import image_size
from paseo.errors import MissingData
from paseo.vlm.models import Picture
from paseo.vqa.exam.preparing import overview, scene_hash, sessions, with_answers_of
from paseo.vqa.exam.sessions import SceneSession
from paseo.vqa.questions.methods import Method
from paseo.vqa.questions.questions import shipped
from paseo.world.scenes import Scene, Unreadable
from tiny_scenes import picture


def first_frame(scene: Scene) -> tuple[Picture, ...]:
    return (Picture(scene.frames[0]),)


def test_an_overview_finds_scenes_and_names_the_unreadable(tmp_path: Path) -> None:
    scene_folder(tmp_path, "a", "b", "c")
    (tmp_path / "b" / "frame_3.jpg").unlink()
    found = overview(open_scenes(tmp_path))
    assert [scene.id for scene in found.scenes] == ["a", "c"]
    assert [scene.people for scene in found.asked] == [(1,), (1,)]
    (bad,) = found.unreadable
    assert bad.scene == "b" and "frame_3" in bad.reason


def test_an_overview_goes_no_further_than_told(tmp_path: Path) -> None:
    found = overview(open_scenes(scene_folder(tmp_path, "a", "b", "c")), limit=2)
    assert [scene.id for scene in found.scenes] == ["a", "b"]


def test_scenes_without_peoples_answers_are_named(tmp_path: Path) -> None:
    found = overview(open_scenes(scene_folder(tmp_path, "a", "b")))
    left = with_answers_of({("a", "q_goal_position_begin"): ("ahead",)}, found)
    assert [scene.id for scene in left.scenes] == ["a"]
    assert [bad.scene for bad in left.unreadable] == ["b"]


@pytest.mark.parametrize(
    "other",
    [
        small_scene("yard-2"),
        small_scene(people=2),
        small_scene(shade=9),
        replace(small_scene(), goal=(5.0, 0.1)),
        replace(small_scene(), robot=small_scene().robot + 1),
        replace(small_scene(), period=0.5),
        replace(small_scene(), composites=tuple(picture() for _ in range(10))),
    ],
)
def test_whatever_changes_in_a_scene_changes_its_hash(other: Scene) -> None:
    assert scene_hash(other) != scene_hash(small_scene())
    assert scene_hash(small_scene()) == scene_hash(small_scene())


def test_each_scene_becomes_a_session_with_all_questions_of_the_method(tmp_path: Path) -> None:
    folder = open_scenes(scene_folder(tmp_path, "a", "b"))
    scenes = overview(folder).scenes
    for method, count in ((Method.CHAIN, 15), (Method.CHAIN_HUMAN, 7)):
        made = list(sessions(scenes, draw=first_frame, catalogue=shipped(), method=method))
        assert all(isinstance(each, SceneSession) and len(each.questions) == count for each in made)


def test_a_scene_that_cannot_be_drawn_or_was_changed_is_named(tmp_path: Path) -> None:
    def draw(scene: Scene) -> tuple[Picture, ...]:
        if scene.id == "b":
            raise MissingData("it came without pictures")
        return first_frame(scene)

    folder = open_scenes(scene_folder(tmp_path, "a", "b", "c"))
    scenes = overview(folder).scenes
    (tmp_path / "a" / "frame_0.jpg").write_bytes(picture(99))
    first, second, third = sessions(scenes, draw=draw, catalogue=shipped(), method=Method.CHAIN)
    assert isinstance(first, Unreadable) and "frame_0.jpg: has changed since" in first.reason
    assert second == Unreadable("b", ("it came without pictures",))
    assert isinstance(third, SceneSession)


def test_scenes_are_read_and_their_pictures_looked_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = open_scenes(scene_folder(tmp_path, "a", "b"))
    looked: list[Path] = []

    def look(content: bytes, where: Path) -> tuple[int, int]:
        looked.append(where)
        return image_size(content, where)

    monkeypatch.setattr(stored_pictures, "image_size", look)
    found = overview(folder)
    assert len(found.asked) == 2
    made = list(
        sessions(found.scenes, draw=PRESENTATION.pictures, catalogue=shipped(), method=Method.CHAIN)
    )
    assert all(isinstance(each, SceneSession) and len(each.images) == 10 for each in made)
    assert len(looked) == len(set(looked)) == 20


def test_the_hash_of_a_scene_is_that_of_earlier_versions() -> None:
    scene = replace(small_scene(), frames=tuple(bytes([k]) for k in range(10)))
    assert scene_hash(scene) == "5dead263578554f70cec83786f7376a7734f3a02ef4994c76aa7b5a68b71f70f"
