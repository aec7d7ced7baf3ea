"""One presentation: pictures, words, and requests that carry what they ask."""

from dataclasses import replace

from exams import PRESENTATION, small_scene
from paseo.data.scenes.socialnavsub import TIMING
from paseo.vlm.models import Picture, PromptQuestion
from paseo.vqa.pictures.pictures import Drawing, Layout, pictures
from paseo.vqa.prompts.prompts import prompt_text, prompt_text_for_many
from paseo.vqa.prompts.wording import paseo_wording
from paseo.vqa.questions.methods import Method
from paseo.vqa.questions.questions import question
from paseo.world.scenes import ClipTiming

MOVING, ACTION = (
    question("s", "q_robot_moving_direction"),
    question("s", "q_person_action_p11"),
)
PICTURES = (Picture(b"a"), Picture(b"b"))


def test_a_request_has_the_pictures_and_an_id_and_films_have_a_rate() -> None:
    film = replace(PRESENTATION, layout=Layout.VIDEO)
    made = film.prompt([ACTION], "text", PICTURES, timing=TIMING)
    assert (made.text, made.images, made.fps) == ("text", PICTURES, 4.0)
    assert made.id == "s/q_person_action_p11"
    assert film.prompt([ACTION], "", (), timing=ClipTiming(6, 0.5)).fps == 2.0
    two = PRESENTATION.prompt([MOVING, ACTION], "text", PICTURES, timing=TIMING)
    assert (two.fps, two.id) == (None, "s/q_robot_moving_direction,q_person_action_p11")


def test_a_request_carries_what_it_asks() -> None:
    made = PRESENTATION.prompt([MOVING, ACTION], "text", PICTURES, timing=TIMING)
    assert made.questions == (
        PromptQuestion(key=MOVING.key, choices=MOVING.kind.choices, several=True),
        PromptQuestion(key=ACTION.key, choices=ACTION.kind.choices, several=False),
    )


def test_the_words_are_those_of_one_question_or_of_several() -> None:
    how, ours = {"method": Method.REASON, "layout": Layout.FRONT}, paseo_wording()
    one = PRESENTATION.text([ACTION], timing=TIMING, method=Method.REASON)
    assert one == prompt_text(ACTION, ours, **how)  # type: ignore[arg-type]
    many = PRESENTATION.text([MOVING, ACTION], timing=TIMING, method=Method.REASON)
    assert many == prompt_text_for_many([MOVING, ACTION], ours, **how)  # type: ignore[arg-type]
    longer = PRESENTATION.text([ACTION], timing=ClipTiming(20, 0.25), method=Method.REASON)
    assert "There are 20 pictures" in longer and "There are ten pictures" in one


def test_the_pictures_are_those_of_its_layout_and_drawing() -> None:
    shown = replace(PRESENTATION, layout=Layout.GRID, largest_px=64).pictures(small_scene())
    assert shown == pictures(small_scene(), Layout.GRID, Drawing.PASEO, largest_px=64)
