import io
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from original_birdseye import original_birdseye, staged
from paseo.data.scenes.dataset import open_scenes
from paseo.vqa.baselines.rule_sheets import (
    Disagreement,
    Source,
    disagreements,
    pictured_sighting,
    rules_sheet,
)
from paseo.vqa.baselines.sightings import Sighting
from paseo.vqa.pictures.pictures import Drawing
from paseo.vqa.questions.questions import questions
from paseo.vqa.synthetic import Profile, make_dataset, truths
from paseo.world.scenes import FRAMES, Scene
from readers import reader

CROSSING = staged(
    {1: np.linspace((3.0, 2.0), (5.0, -1.0), FRAMES)},
    robot=np.linspace((0, 0, 0), (2.0, 0, 0), FRAMES),
    goal=(9.0, 1.0),
)


def with_composites(scene: Scene) -> Scene:
    """The scene with pictures as the data set's own."""
    front = np.full((720, 1280, 3), 128, np.uint8)
    composites: list[bytes] = []
    for frame in range(FRAMES):
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


def test_pictures_and_tracks_agree_and_a_scene_that_cannot_be_read_has_invalid_answers() -> None:
    broken = replace(CROSSING, id="broken", frames=(b"not a picture",) * FRAMES)
    tracks = rules_sheet([CROSSING], source=Source.TRACKS)
    pictures = rules_sheet([broken, CROSSING], source=Source.PICTURES)
    assert disagreements(tracks, pictures) == ()
    (answer,) = pictures.answers["broken", "q_obstructing_path_p1"]
    assert answer.invalid and "scene broken, frame 0" in answer.problem
    assert (pictures.model, pictures.images, pictures.drawing) == (
        "rules (pictures)",
        "bev",
        "paseo",
    )


def test_two_drawings_are_never_in_one_sheet() -> None:
    first = replace(CROSSING, id="first", composites=(b"not a picture",) * FRAMES)
    sheet = rules_sheet([first, CROSSING], source=Source.PICTURES)
    (answer,) = sheet.answers["staged", "q_robot_moving_direction"]
    assert sheet.drawing == "dataset"
    assert answer.invalid and "no pictures drawn by others" in answer.problem


def test_disagreements_name_the_question_and_both_answers() -> None:
    aside = staged({1: (3.0, 4.0)})
    first, second = (rules_sheet([each], source=Source.TRACKS) for each in (CROSSING, aside))
    found = disagreements(first, second)
    assert Disagreement(
        scene="staged", question="q_obstructing_path_p1", first=("yes",), second=("no",)
    ) in found  # fmt: skip
    nothing = rules_sheet([], source=Source.TRACKS)
    assert {each.second for each in disagreements(first, nothing)} == {None}


def test_rules_from_tracks_need_no_extra() -> None:
    code = (
        "import sys; sys.modules.update(dict.fromkeys(['cv2', 'rapidocr_onnxruntime']));"
        "from paseo.vqa.baselines.rule_sheets import Source, rules_sheet;"
        "rules_sheet([], source=Source.TRACKS); rules_sheet([], source=Source.PICTURES)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "Source.TRACKS" not in run.stderr.splitlines()[-1]
    assert "pip install 'paseo[ocr]'" in run.stderr.splitlines()[-1]


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
@pytest.mark.extra("ocr")
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
    assert len(disagreements(tracks, pictures)) <= 0.05 * len(tracks.answers)
    assert {scene.id: {key: answer[0].option for (id, key), answer in tracks.answers.items()
                       if id == scene.id} for scene in scenes} == truths(5)  # fmt: skip
