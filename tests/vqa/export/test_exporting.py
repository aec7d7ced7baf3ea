"""Exports as a function."""

from pathlib import Path

import pytest

from ballots import label_file, write_labels
from exams import scene_folder
from paseo.errors import BadValue
from paseo.vqa.export.exporting import ExportFormat, ExportOptions, export_scenes
from paseo.vqa.pictures.pictures import Layout


def test_scenes_are_exported_and_what_was_left_out_is_told(tmp_path: Path) -> None:
    scenes = scene_folder(tmp_path / "scenes", "a", "b", "c")
    (scenes / "b" / "scene.json").write_text("{")
    labels = write_labels(tmp_path / "labels", {"a": label_file("a"), "c": {}})
    told: list[tuple[str, int, int]] = []
    done = export_scenes(
        scenes,
        tmp_path / "out",
        to=ExportFormat.INSPECT,
        options=ExportOptions(images=Layout.GRID, labels=labels),
        progress=lambda *now: told.append(now),
    )
    assert (done.scenes, done.questions, done.with_votes) == (2, 30, 15)
    assert [each.scene for each in done.unreadable] == ["b"]
    assert [each.scene for each in done.unlabelled] == ["c"]
    assert (told[0], told[-1]) == (("looking through", 0, 3), ("drawing", 3, 3))
    assert (tmp_path / "out" / "task.py").is_file()


def test_films_cannot_go_into_a_task(tmp_path: Path) -> None:
    scenes = scene_folder(tmp_path / "scenes", "a")
    with pytest.raises(BadValue, match="images video: a task for inspect_ai shows pictures"):
        export_scenes(
            scenes,
            tmp_path / "out",
            to=ExportFormat.INSPECT,
            options=ExportOptions(images=Layout.VIDEO),
        )
    assert not (tmp_path / "out").exists()
