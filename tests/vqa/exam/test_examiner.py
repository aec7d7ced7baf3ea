"""The examiner: what is told, and how replies are read."""

from dataclasses import replace

import pytest

from exams import examiner, session
from paseo.vlm.models import Reply
from paseo.vqa.questions.methods import Method
from paseo.vqa.questions.questions import question

GOAL, AFFECTED = question("s1", "q_goal_position_begin"), question("s1", "q_robot_affected_p1")


def test_only_a_chain_of_the_models_own_answers_waits() -> None:
    for method in Method:
        waits = bool(examiner(method).needs(AFFECTED))
        assert waits is (method is Method.CHAIN)


def test_people_speak_for_the_model_where_the_method_says_so() -> None:
    said = {("s1", "q_goal_position_begin"): ("to the right",), ("s2", GOAL.key): ("ahead",)}
    told = replace(examiner(Method.CHAIN_HUMAN), people=said)
    prompt = told.prompt(session("s1"), [AFFECTED], {})
    assert '{"answer": "to the right"}' in prompt.text
    assert '{"answer": "ahead"}' not in prompt.text


def test_the_pictures_of_a_session_are_shared_by_its_prompts() -> None:
    sat = session("s1")
    for asked in ([GOAL], [GOAL, AFFECTED]):
        assert examiner().prompt(sat, asked, {}).images is sat.images


@pytest.mark.parametrize(
    ("text", "ending", "option"),
    [
        ('{"answer": "ahead"}', "stop", ("ahead",)),
        ('```json\n{"answer": "Ahead"}\n```', "stop", ("ahead",)),
        ("I cannot help with that.", "refusal", None),
        ("", "stop", None),
    ],
)
def test_a_single_answer_is_read(text: str, ending: str, option: tuple[str, ...] | None) -> None:
    answers = examiner().answers(Reply(text=text, ending=ending), [GOAL])
    assert {key: answer.option for key, answer in answers.items()} == {GOAL.key: option}


def test_several_answers_are_read_each_on_its_own() -> None:
    text = '{"answers": {"q_goal_position_begin": "ahead", "q_robot_affected_p1": "perhaps"}}'
    answers = examiner().answers(Reply(text=text), [GOAL, AFFECTED])
    assert answers[GOAL.key].option == ("ahead",)
    assert answers[AFFECTED.key].invalid
