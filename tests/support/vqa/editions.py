"""Small editions for tests of exports: plain scenes with one person each."""

from pathlib import Path
from typing import Any

from ballots import label_file, write_labels
from exams import scene_folder
from paseo.data.scenes.dataset import open_scenes
from paseo.vqa.exam.preparing import overview
from paseo.vqa.export.edition import Edition
from paseo.vqa.pictures.pictures import Drawing, Layout
from paseo.vqa.prompts.presentation import Presentation
from paseo.vqa.prompts.wording import paseo_wording
from paseo.vqa.questions.questions import shipped
from paseo.vqa.questions.votes import Labels, read_labels

GOAL, AFFECTED = "q_goal_position_begin", "q_robot_affected_p1"


def edition(place: Path, *ids: str, **changes: Any) -> Edition:
    """The scenes with these ids, two unless told otherwise, in grids of our own drawing."""
    scenes = place / "scenes"
    if not scenes.exists():
        scene_folder(scenes, *(ids or ("yard-1", "yard-2")))
    folder = open_scenes(scenes)
    labels = changes.pop("labels", None)
    usual = {"layout": Layout.GRID, "drawing": Drawing.PASEO, "wording": paseo_wording()}
    presentation = Presentation(**(usual | changes))
    return Edition(
        folder=folder,
        found=overview(folder),
        presentation=presentation,
        catalogue=shipped(),
        labels=labels,
    )


def votes(place: Path, *ids: str) -> Labels:
    """Ten people's votes on each question of the scenes, some of them divided."""
    split = {GOAL: {"ahead": 1, "to the left": 6, "to the right": 3}, AFFECTED: {"no": 4, "yes": 6}}
    every = {id: label_file(id, **split) for id in ids or ("yard-1", "yard-2")}
    return read_labels(write_labels(place / "labels", every))
