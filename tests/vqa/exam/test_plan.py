"""An exam's folder: one exam, one process."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from paseo.errors import BadFile, CannotWrite, InputError
from paseo.vqa.exam.plan import AskedScene, ExamFolder, ExamPlan, difference
from paseo.vqa.pictures.pictures import Drawing, Layout
from paseo.vqa.prompts.wording import WordingSource
from paseo.vqa.questions.methods import Method
from paseo.world.scenes import ClipTiming

SCENES = tuple(AskedScene(id=id, hash=f"hash of {id}", people=(1, 2)) for id in ("a", "b"))
PLAN = ExamPlan(
    model="test/answering",
    settings={"temperature": None, "extra": {"effort": "low"}},
    method=Method.CHAIN,
    images=Layout.FRONT,
    drawing=Drawing.PASEO,
    wording=WordingSource.PASEO,
    wording_hash="abc",
    scenes=SCENES,
)


def begun(folder: Path, plan: ExamPlan = PLAN) -> None:
    with ExamFolder(folder) as holder:
        holder.write(holder.hold(plan))


def test_a_plan_comes_back_as_it_was_written(tmp_path: Path) -> None:
    begun(tmp_path / "new" / "exam")
    assert ExamFolder(tmp_path / "new" / "exam").plan() == PLAN


def test_the_file_is_the_same_as_ever(tmp_path: Path) -> None:
    begun(tmp_path, replace(PLAN, paseo_version="1"))
    assert json.loads((tmp_path / "exam.json").read_text()) == {
        "format": "paseo-exam",
        "version": 1,
        "model": "test/answering",
        "settings": {"temperature": None, "extra": {"effort": "low"}},
        "method": "chain",
        "images": "front",
        "drawing": "paseo",
        "wording": "paseo",
        "wording_hash": "abc",
        "repeats": 1,
        "together": 1,
        "largest_px": None,
        "variants": [""],
        "labels_hash": "",
        "name": "",
        "paseo_version": "1",
        "source": "",
        "scenes": [{"id": id, "hash": f"hash of {id}", "people": [1, 2]} for id in ("a", "b")],
    }


def test_a_scene_of_another_length_is_noted_and_comes_back(tmp_path: Path) -> None:
    odd = replace(SCENES[0], clip=ClipTiming(frames=6, period=0.5))
    begun(tmp_path, replace(PLAN, scenes=(odd, SCENES[1])))
    first, second = ExamFolder(tmp_path).plan().scenes
    assert (first.timing, second.timing) == (ClipTiming(6, 0.5), ClipTiming(10, 0.25))


def test_the_file_says_what_it_is(tmp_path: Path) -> None:
    begun(tmp_path)
    content = json.loads((tmp_path / "exam.json").read_text())
    assert (content["format"], content["version"]) == ("paseo-exam", 1)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"model": "test/other"}, "model was 'test/answering', now 'test/other'"),
        ({"method": Method.REASON}, "method was 'chain', now 'reason'"),
        ({"variants": ("", "mirror")}, "other probes were asked for"),
        ({"repeats": 3}, "repeats was 1, now 3"),
        ({"settings": {**PLAN.settings, "temperature": 0.5}}, "temperature was null, now 0.5"),
        ({"settings": {"temperature": None, "extra": {}}}, "effort was 'low', now null"),
        ({"wording_hash": "def"}, "the text of the wording has changed"),
        ({"labels_hash": "def"}, "people's answers have changed"),
        ({"scenes": (replace(SCENES[0], hash="x"),)}, "scene a has changed"),
        ({"scenes": (replace(SCENES[1], people=(1,)),)}, "scene b has changed"),
    ],
)
def test_another_exam_in_the_same_folder_is_refused_and_the_difference_named(
    tmp_path: Path, change: dict[str, Any], words: str
) -> None:
    begun(tmp_path)
    other = replace(PLAN, **change)
    assert difference(PLAN, other) == words
    with pytest.raises(InputError) as told:
        begun(tmp_path, other)
    assert words in str(told.value)
    assert ExamFolder(tmp_path).plan() == PLAN


def test_scenes_may_be_added_and_none_gets_lost(tmp_path: Path) -> None:
    begun(tmp_path, replace(PLAN, scenes=SCENES[:1]))
    begun(tmp_path)
    assert ExamFolder(tmp_path).plan() == PLAN
    begun(tmp_path, replace(PLAN, scenes=SCENES[1:], source="elsewhere"))
    assert ExamFolder(tmp_path).plan() == PLAN


def test_scenes_of_which_none_was_asked_about_are_taken_for_a_mistake(tmp_path: Path) -> None:
    begun(tmp_path)
    others = (replace(SCENES[0], id="c"),)
    with pytest.raises(InputError, match="none of the scenes in elsewhere is part of it"):
        begun(tmp_path, replace(PLAN, scenes=others, source="elsewhere"))


def test_what_the_model_calls_itself_decides_nothing(tmp_path: Path) -> None:
    begun(tmp_path)
    begun(tmp_path, replace(PLAN, name="mine/one"))
    assert ExamFolder(tmp_path).plan() == PLAN


def test_a_second_process_is_kept_out_until_the_first_is_done(tmp_path: Path) -> None:
    with ExamFolder(tmp_path) as first:
        first.hold(PLAN)
        with pytest.raises(InputError, match="in use by another paseo ask"):
            begun(tmp_path)
    begun(tmp_path)


def test_replies_without_their_exam_are_not_added_to(tmp_path: Path) -> None:
    (tmp_path / "replies.sqlite").write_bytes(b"")
    with pytest.raises(InputError, match="no exam.json; choose another out"):
        begun(tmp_path)


@pytest.mark.parametrize(
    "content", ["", "{}", "[]", "null", '{"format": "paseo-exam"}', "[" * 99999]
)
def test_a_damaged_file_is_told_in_a_sentence(tmp_path: Path, content: str) -> None:
    (tmp_path / "exam.json").write_text(content)
    with pytest.raises(BadFile, match="exam.json: is damaged"):
        ExamFolder(tmp_path).plan()


@pytest.mark.parametrize(
    ("change", "problem"),
    [({"settings": {"extra": None}}, "extra settings are no table"), ({"x": 1}, "unknown key 'x'")],
)
def test_a_file_that_is_not_understood_is_told_in_a_sentence(
    tmp_path: Path, change: dict[str, Any], problem: str
) -> None:
    begun(tmp_path)
    content = json.loads((tmp_path / "exam.json").read_text()) | change
    (tmp_path / "exam.json").write_text(json.dumps(content))
    with pytest.raises(BadFile, match=f"exam.json: is damaged .*{problem}.*; restore it"):
        ExamFolder(tmp_path).hold(PLAN)


def test_a_folder_without_an_exam_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no exam"):
        ExamFolder(tmp_path).plan()


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CannotWrite, match="cannot be used"):
        begun(tmp_path / "file" / "exam")
