"""The words of a choice, and reading it."""

import numpy as np
import pytest

from paseo.vlm.models import Reply
from paseo.vqa.pictures.pictures import Layout
from paseo.vqa.prompts.wording import paseo_wording
from paseo.vqa.questions.questions import question
from paseo.vqa.waypoints.candidates import Candidates
from paseo.vqa.waypoints.prompting import read_waypoint, waypoint_text

CHOICE = Candidates(places=np.array([[1.0, 0.0], [2.0, 0.0], [3.0, 0.0]]), horizon=2.5)
ASKED = CHOICE.question("s1")


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ('{"answer": "B"}', "B"),
        ('```json\n{"answer": "B"}\n```', "B"),
        ('{"answer": "waypoint B"}', "B"),
        ("B", "B"),
        ("The robot should go to waypoint C.", "C"),
        ("A person stands there, so C", "C"),
        ("A robot should wait.", None),
        ("A or B", None),
        ("Not B", None),
        ("A is the safest.", "A"),
        ('{"answer": "D"}', None),
        ("b", None),
        ("", None),
        ("I cannot help with that.", None),
    ],
)
def test_a_letter_is_read_where_only_one_can_be_meant(text: str, letter: str | None) -> None:
    answer = read_waypoint(Reply(text=text), ASKED)
    assert answer.option == (None if letter is None else (letter,))


def test_what_was_cut_off_is_no_choice() -> None:
    assert read_waypoint(Reply(text="Waypoint B", ending="length"), ASKED).invalid


def test_the_words_say_where_the_marks_are_and_what_was_answered() -> None:
    told = [(question("s1", "q_obstructing_path_p2"), ("yes",))]
    text = waypoint_text(ASKED, paseo_wording(), layout=Layout.GRID_BEV, horizon=2.5, told=told)
    assert "lower right in the upper part, and in the map yellow diamonds" in text
    assert "person 2" in text
    assert '{"answer": "yes"}' in text
    assert 'Possible answers: "A", "B", "C"' in text
    assert "{" not in text.replace('{"answer"', "")
