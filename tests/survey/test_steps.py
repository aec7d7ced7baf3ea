"""What is asked on which page."""

import pytest

from paseo.survey.study.content import CHECKS
from paseo.survey.study.scenes import ShownScene
from paseo.survey.study.steps import steps_about, steps_of
from paseo.vqa.questions.questions import questions, shipped

# SocialNav-SUB's survey asks in this order: where they are, the goal, what they do, what comes.
ORDER = """
q_robot_moving_direction
q_person_spatial_position_begin_p1 q_person_spatial_position_end_p1 q_person_distance_change_p1
q_person_spatial_position_begin_p2 q_person_spatial_position_end_p2 q_person_distance_change_p2
q_goal_position_begin q_goal_position_end
q_obstructing_path_p1 q_obstructing_end_position_p1
q_obstructing_path_p2 q_obstructing_end_position_p2
q_robot_affected_p1 q_robot_action_p1 q_person_affected_p1 q_person_action_p1
q_robot_affected_p2 q_robot_action_p2 q_person_affected_p2 q_person_action_p2
q_robot_suggested_affected_p1 q_robot_suggested_action_p1 q_human_future_action_prediction_p1
q_robot_suggested_affected_p2 q_robot_suggested_action_p2 q_human_future_action_prediction_p2
"""


def scene(id: str, *people: int) -> ShownScene:
    return ShownScene(
        id=id, people=list(people), frames=1, period_s=0.25, introduction="", sha256=""
    )


def test_questions_come_in_the_order_of_the_original_survey() -> None:
    pages = [step.keys for step in steps_about(scene("a", 1, 2), shipped())]
    assert pages == [tuple(line.split()) for line in ORDER.strip().splitlines()]


@pytest.mark.parametrize("people", [(), (3,), (1, 2, 5, 13)])
def test_every_question_is_asked_once(people: tuple[int, ...]) -> None:
    keys = [key for step in steps_about(scene("a", *people), shipped()) for key in step.keys]
    assert sorted(keys) == sorted(each.key for each in questions("a", people))
    assert len(set(keys)) == len(keys)


def test_a_part_is_explained_where_it_begins() -> None:
    opens = [
        (step.part, step.person) for step in steps_about(scene("a", 1, 2), shipped()) if step.opens
    ]
    assert opens == [(0, None), (1, None), (2, 1), (3, 1)]


@pytest.mark.parametrize("scenes", [("a",), ("a", "b", "c", "d")])
def test_everybody_is_checked_once_in_each_half(scenes: tuple[str, ...]) -> None:
    for person in range(1, 40):
        pages = steps_of([scene(id, 1) for id in scenes], shipped(), seed=0, person=person)
        every = [step for steps in pages for step in steps]
        places = {step.check.key: k for k, step in enumerate(every) if step.check}
        assert list(places) == list(CHECKS)
        assert places["check_1"] < len(every) // 2 <= places["check_2"]


def test_the_two_checks_ask_for_different_answers_that_are_among_the_choices() -> None:
    for person in range(1, 20):
        pages = steps_of([scene("a", 1)], shipped(), seed=5, person=person)
        checks = [step.check for step in pages[0] if step.check]
        assert len({check.choice for check in checks}) == 2
        assert all(check.choice in check.choices for check in checks)


def test_checks_are_where_they_were_for_who_comes_back() -> None:
    scenes = [scene("a", 1), scene("b", 1)]
    assert steps_of(scenes, shipped(), seed=1, person=7) == steps_of(
        scenes, shipped(), seed=1, person=7
    )
    assert steps_of(scenes, shipped(), seed=1, person=7) != steps_of(
        scenes, shipped(), seed=1, person=8
    )
