"""A scene of another length and frame rate than the data set's, all the way through."""

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from exams import PRESENTATION, Answering, first_choice
from marked_scenes import picture
from paseo.data.scenes.scene_file import write_scene
from paseo.vqa.baselines.rule_sheets import Source, rules_sheet
from paseo.vqa.baselines.sightings import headings_of_motion
from paseo.vqa.exam.asking import AskOptions, ask
from paseo.vqa.exam.plan import ExamFolder
from paseo.vqa.exam.results import probe_results
from paseo.vqa.exam.transcript import prompt_texts, transcript
from paseo.vqa.pictures.birdseye import heading_of
from paseo.vqa.pictures.pictures import Drawing, Layout, drawn
from paseo.vqa.probes.mirror import mirrored
from paseo.vqa.probes.probe import Probe
from paseo.world.scenes import ClipTiming, NumberedPerson, Scene

SIX = ClipTiming(frames=6, period=0.5)


@pytest.fixture
def scene() -> Scene:
    """Three seconds: the robot drives ahead at 1 m/s, somebody comes towards it."""
    times = SIX.period * np.arange(SIX.frames)
    still = np.zeros(SIX.frames)
    walker = NumberedPerson(
        number=1,
        positions=np.stack([6 - 0.4 * times, still], axis=1),
        boxes=np.tile([100.0, 60.0, 140.0, 120.0], (SIX.frames, 1)),
    )
    return Scene(
        id="six",
        frames=tuple(picture(20 * k) for k in range(SIX.frames)),
        period=SIX.period,
        robot=np.stack([times, still, still], axis=1),
        goal=(8.0, 0.0),
        people=(walker,),
    )


@pytest.mark.parametrize("layout", Layout)
def test_every_layout_shows_as_many_frames_as_there_are(scene: Scene, layout: Layout) -> None:
    frames = list(drawn(scene, layout, Drawing.PASEO))
    assert len(frames) == (1 if layout in (Layout.GRID, Layout.GRID_BEV) else 6)


def test_a_grid_holds_the_first_and_the_last_frame(scene: Scene) -> None:
    (grid,) = drawn(scene, Layout.GRID, Drawing.PASEO)
    height, width = grid.shape[0] // 2, grid.shape[1] // 2
    corners = [(0, 0), (0, width), (height, 0), (height, width)]
    shades = [int(grid[row + height - 5, column + width - 5, 0]) for row, column in corners]
    assert shades == [0, 40, 60, 100]


def test_what_counts_as_walking_depends_on_the_time_between_frames(scene: Scene) -> None:
    (walker,) = scene.people
    assert heading_of(walker, 2, scene.period) is not None  # 0.4 m/s
    assert heading_of(walker, 2, 1.0) is None  # the same steps at 0.2 m/s
    slow = np.stack([0.05 * np.arange(6), 0.05 * np.arange(6)], axis=1)
    assert headings_of_motion(slow, 0.1)[-1] == pytest.approx(np.pi / 4)
    assert headings_of_motion(slow, 1.0)[-1] == 0.0  # too slow to tell


def test_rules_answer_from_first_to_last_frame(scene: Scene) -> None:
    answers = rules_sheet([scene], source=Source.TRACKS).answers
    assert answers["six", "q_person_distance_change_p1"][0].option == ("closer to",)
    assert answers["six", "q_obstructing_path_p1"][0].option == ("yes",)


def test_a_mirror_keeps_the_timing(scene: Scene) -> None:
    assert mirrored(scene).timing == SIX
    first = Image.open(io.BytesIO(mirrored(scene).frames[5]))
    assert first.getpixel((0, 0)) == (100, 100, 100)


def test_an_exam_about_it_tells_the_model_and_notes_it(scene: Scene, tmp_path: Path) -> None:
    write_scene(scene, tmp_path / "scenes")
    model = Answering(first_choice)
    film = AskOptions(images=Layout.VIDEO, probes=(Probe.MIRROR,))
    done = ask(model, tmp_path / "scenes", out=tmp_path / "exam", options=film)
    assert (done.tally.answered, done.tally.failed) == (30, 0)
    assert {(len(prompt.images), prompt.fps) for prompt in model.asked} == {(6, 2.0)}
    text = model.asked[0].text
    assert "lasts about 3 seconds" in text and "a film of 6 frames, 2 per second" in text
    assert ExamFolder(tmp_path / "exam").plan().scenes[0].timing == SIX
    shown = prompt_texts(transcript(tmp_path / "exam"))
    assert set(shown) <= {prompt.text for prompt in model.asked}
    (mirror,) = probe_results(tmp_path / "exam")
    assert mirror.unpaired == 0


def test_the_words_are_the_same_for_scenes_of_the_usual_length() -> None:
    usual = PRESENTATION.wording
    assert usual.about(ClipTiming(frames=10, period=0.25)) == usual
