"""What is exported: the prompts and pictures of an exam, and votes only where they are given."""

import shutil
from pathlib import Path

import pytest

from editions import GOAL, edition, votes
from exams import small_scene
from paseo.errors import BadValue, MissingData
from paseo.vqa.export.edition import Exhibit, ExportTally
from paseo.vqa.pictures.pictures import Drawing, Layout, pictures
from paseo.vqa.prompts.prompts import prompt_text
from paseo.vqa.prompts.wording import paseo_wording
from paseo.vqa.questions.methods import Method
from paseo.world.scenes import Unreadable


def test_a_scene_has_the_prompts_and_pictures_that_an_exam_would_show(tmp_path: Path) -> None:
    exhibit, _ = edition(tmp_path).exhibits()
    assert isinstance(exhibit, Exhibit) and (exhibit.scene, exhibit.people) == ("yard-1", (1,))
    shown = pictures(small_scene("yard-1"), Layout.GRID, Drawing.PASEO)
    assert exhibit.pictures == shown and len(exhibit.items) == 15
    for item in exhibit.items:
        assert item.prompt == prompt_text(
            item.question, paseo_wording(), method=Method.INDEPENDENT, layout=Layout.GRID
        )
    assert exhibit.items[-1].id == f"yard-1/{exhibit.items[-1].question.key}"


def test_votes_are_there_only_where_labels_were_given(tmp_path: Path) -> None:
    without, _ = edition(tmp_path).exhibits()
    known, unknown = edition(tmp_path, labels=votes(tmp_path, "yard-1")).exhibits()
    assert isinstance(without, Exhibit) and isinstance(known, Exhibit)
    assert isinstance(unknown, Exhibit)
    assert {item.votes for item in (*without.items, *unknown.items)} == {None}
    by_key = {item.question.key: item.votes for item in known.items}
    assert by_key[GOAL] == (1, 6, 3) and by_key["q_robot_moving_direction"] == (10,) + 6 * (0,)


def test_labels_of_other_scenes_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadValue, match="holds votes on none of the scenes"):
        edition(tmp_path, labels=votes(tmp_path, "elsewhere"))


def test_a_bad_scene_is_named_and_the_others_are_counted(tmp_path: Path) -> None:
    edition(tmp_path)
    (tmp_path / "scenes/yard-1/scene.json").write_text("{")
    calls: list[None] = []
    tally = ExportTally(lambda: calls.append(None))
    chosen = edition(tmp_path, labels=votes(tmp_path))
    (kept,) = tally.kept(chosen.exhibits())
    assert kept.scene == "yard-2" and [each.scene for each in tally.unreadable] == ["yard-1"]
    assert (tally.scenes, tally.questions, tally.with_votes) == (1, 15, 15)
    assert tally.reasoning == {"social": 7, "spatial": 5, "spatiotemporal": 3}
    assert len(calls) == 2


def test_a_scene_that_vanishes_meanwhile_does_not_stop_the_others(tmp_path: Path) -> None:
    begun = edition(tmp_path)
    shutil.rmtree(tmp_path / "scenes/yard-1")
    gone, kept = begun.exhibits()
    assert isinstance(gone, Unreadable) and isinstance(kept, Exhibit)


def test_nothing_to_export_is_an_error_that_names_the_first_reason(tmp_path: Path) -> None:
    bare = edition(tmp_path, drawing=Drawing.DATASET)
    with pytest.raises(MissingData, match="no scene can be exported; yard-1: .*drawn by others"):
        list(ExportTally().kept(bare.exhibits()))
