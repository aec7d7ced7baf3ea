import io
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from exams import small_scene
from original_birdseye import original_birdseye, staged
from paseo.data.scenes.dataset import open_scenes, readable
from paseo.data.scenes.scene_file import write_scene
from paseo.data.scenes.socialnavsub import TIMING
from paseo.vqa.baselines.rule_sheets import (
    Source,
    pictured_sighting,
    rule_sheets,
    rules_sheet,
)
from paseo.vqa.baselines.sightings import Sighting
from paseo.vqa.pictures.pictures import Drawing, Layout, drawing_of
from paseo.vqa.questions.questions import questions
from paseo.vqa.scores.breakdown import apart
from paseo.vqa.synthetic import Profile, make_dataset, truths
from paseo.world.scenes import Scene
from readers import reader

CROSSING = staged(
    {1: np.linspace((3.0, 2.0), (5.0, -1.0), TIMING.frames)},
    robot=np.linspace((0, 0, 0), (2.0, 0, 0), TIMING.frames),
    goal=(9.0, 1.0),
)


def with_composites(scene: Scene) -> Scene:
    """The scene with pictures as the data set's own."""
    front = np.full((720, 1280, 3), 128, np.uint8)
    composites: list[bytes] = []
    for frame in range(TIMING.frames):
        both = np.concatenate([front, original_birdseye(scene, frame, dpi=300)])
        packed = io.BytesIO()
        Image.fromarray(both).save(packed, "PNG", compress_level=1)
        composites.append(packed.getvalue())
    return replace(scene, composites=tuple(composites))


def test_a_sheet_answers_every_question_of_every_scene() -> None:
    scenes = [CROSSING, staged({2: (3.0, 0.0), 7: (1.0, 4.0)}, id="other")]
    sheet = rules_sheet(scenes, source=Source.TRACKS)
    asked = [*questions("staged", [1]), *questions("other", [2, 7])]
    assert list(sheet.answers) == [(each.scene, each.key) for each in asked]
    assert sheet.model == "rules (tracks)" and not sheet.drawing


@pytest.mark.slow
def test_pictures_and_tracks_agree_and_a_scene_that_cannot_be_read_has_invalid_answers() -> None:
    broken = replace(CROSSING, id="broken", frames=(b"not a picture",) * TIMING.frames)
    tracks = rules_sheet([CROSSING], source=Source.TRACKS)
    pictures = rules_sheet([broken, CROSSING], source=Source.PICTURES)
    assert apart(tracks, pictures) == ((), len(tracks.answers))
    (answer,) = pictures.answers["broken", "q_obstructing_path_p1"]
    assert answer.invalid and "scene broken, frame 0" in answer.problem
    assert (pictures.model, pictures.engine, pictures.method) == (
        "rules (pictures)",
        "rapidocr",
        None,
    )
    assert (pictures.images, pictures.drawing) == (Layout.BEV, Drawing.PASEO)


def test_two_drawings_are_never_in_one_sheet() -> None:
    first = replace(CROSSING, id="first", composites=(b"not a picture",) * TIMING.frames)
    sheet = rules_sheet([first, CROSSING], source=Source.PICTURES)
    (answer,) = sheet.answers["staged", "q_robot_moving_direction"]
    assert sheet.drawing is Drawing.DATASET
    assert answer.invalid and "no pictures drawn by others" in answer.problem


def test_rules_from_tracks_need_no_extra() -> None:
    code = (
        "import sys; sys.modules.update(dict.fromkeys(['cv2', 'rapidocr_onnxruntime']));"
        "from paseo.vqa.baselines.rule_sheets import Source, rules_sheet;"
        "rules_sheet([], source=Source.TRACKS); rules_sheet([], source=Source.PICTURES)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "Source.TRACKS" not in run.stderr.splitlines()[-1]
    assert "pip install 'paseo[ocr]'" in run.stderr.splitlines()[-1]


def test_rules_on_a_folder_draw_all_scenes_alike_and_tell_what_they_could_not_try(
    tmp_path: Path,
) -> None:
    drawn, bare = small_scene("a"), small_scene("b")
    write_scene(replace(drawn, composites=drawn.frames), tmp_path)
    write_scene(bare, tmp_path)
    scenes = [each for each in readable(open_scenes(tmp_path)) if isinstance(each, Scene)]
    assert drawing_of(scenes[:1]) is Drawing.DATASET
    assert drawing_of(scenes) is Drawing.PASEO
    (tmp_path / "b" / "scene.json").write_text("{")
    made = rule_sheets(open_scenes(tmp_path), engine=None)
    assert [sheet.model for sheet in made.sheets] == ["rules (tracks)", "geometry"]
    assert [each.scene for each in made.unreadable] == ["b"]


def marks_found(scene: Scene, seen: Sighting) -> tuple[int, int]:
    """How many marks were found within 0.2 m of the truth, of how many that were drawn."""
    pairs = [(scene.robot[:, :2], seen.robot[:, :2]), (np.array([scene.goal]), seen.goal[None])]
    pairs += [(each.positions, seen.people[each.number]) for each in scene.people]
    gaps = np.concatenate([np.hypot(*(found - true)[~np.isnan(true[:, 0])].T)
                           for true, found in pairs])  # fmt: skip
    return int((gaps <= 0.2).sum()), len(gaps)


@pytest.fixture(scope="module")
def synthetic(tmp_path_factory: pytest.TempPathFactory) -> list[Scene]:
    out: Path = tmp_path_factory.mktemp("synthetic") / "scenes"
    make_dataset(out, seed=5, profile=Profile.FULL)
    folder = open_scenes(out)
    return [folder.read(id) for id in folder.ids]


@pytest.mark.slow
@pytest.mark.parametrize("drawing", list(Drawing))
@pytest.mark.extra("ocr", "camera")
def test_on_synthetic_pictures_ocr_finds_the_marks_and_the_rules_agree(
    synthetic: list[Scene], drawing: Drawing
) -> None:
    # The data set's own pictures: matplotlib's, as the original draws them.
    scenes = synthetic if drawing is not Drawing.DATASET else [
        with_composites(scene) for scene in synthetic
    ]  # fmt: skip
    counts = [marks_found(scene, pictured_sighting(scene, drawing, reader())) for scene in scenes]
    found, drawn = np.sum(counts, axis=0)
    assert found >= 0.95 * drawn and drawn > 300
    tracks = rules_sheet(scenes, source=Source.TRACKS)
    pictures = rules_sheet(scenes, source=Source.PICTURES, drawing=drawing)
    assert len(apart(tracks, pictures)[0]) <= 0.05 * len(tracks.answers)
    right = {(id, key): option for id, each in truths(5).items() for key, option in each.items()}
    found = {place: answer[0].option for place, answer in tracks.answers.items()}
    assert sum(found[place] == right[place] for place in right) > 0.85 * len(right)
