"""What is asked in which order, whatever order answers come in."""

import math
import random
from dataclasses import replace

import pytest

from exams import examiner, session
from paseo.vlm.models import Picture, Prompt, PromptQuestion
from paseo.vqa.exam.sessions import QuestionGraph, Request, RequestQueue, groups, key_maker
from paseo.vqa.questions.answers import Answer
from paseo.vqa.questions.methods import Method

YES = Answer(option=("yes",))
KEY = key_maker("test/answering", {})


def graph(people: int = 1, *, method: Method = Method.CHAIN, together: int = 1) -> QuestionGraph:
    asked = session(people=people, method=method)
    return QuestionGraph(asked, repeat=0, together=together, examiner=examiner(method), key=KEY)


def keys(requests: list[Request]) -> list[str]:
    return [question.key for request in requests for question in request.questions]


def answered(request: Request) -> dict[str, Answer]:
    return {question.key: YES for question in request.questions}


def test_a_chain_begins_with_what_builds_on_nothing() -> None:
    assert keys(graph(people=2).requests()) == [
        "q_robot_moving_direction",
        "q_person_spatial_position_begin_p1",
        "q_person_spatial_position_begin_p2",
        "q_goal_position_begin",
    ]


def test_independent_questions_are_all_open_at_once() -> None:
    assert len(graph(people=2, method=Method.INDEPENDENT).requests()) == 3 + 2 * 12


def test_an_answer_opens_what_waited_for_it_alone_and_for_that_person_alone() -> None:
    asked = graph(people=2)
    asked.requests()
    asked.add({"q_person_spatial_position_begin_p2": YES})
    assert keys(asked.requests()) == ["q_person_spatial_position_end_p2"]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("together", [1, 4])
def test_in_any_order_of_answers_every_question_is_asked_once_after_all_it_needs(
    seed: int, together: int
) -> None:
    rng, asked, done, open_requests = random.Random(seed), graph(3, together=together), set(), []
    total: list[str] = []
    while open_requests := open_requests + asked.requests():
        request = open_requests.pop(rng.randrange(len(open_requests)))
        for question in request.questions:
            assert set(question.needs) <= done
        total += answered(request)
        done |= answered(request).keys()
        asked.add(answered(request))
    assert len(total) == len(set(total)) == 3 + 3 * 12


def test_what_builds_on_a_failed_question_is_given_up_down_to_the_last() -> None:
    asked = graph(people=2)
    begin = next(r for r in asked.requests() if "begin_p1" in r.prompt.id)
    assert asked.drop(begin.questions) == 11  # all others about person 1
    asked.add({"q_person_spatial_position_begin_p2": YES})
    assert keys(asked.requests()) == ["q_person_spatial_position_end_p2"]


def test_questions_are_grouped_by_depth_and_never_with_what_they_need() -> None:
    every = session(people=3).questions
    found = groups(every, lambda question: question.needs, together=5)
    assert sorted(q.key for group in found for q in group) == sorted(q.key for q in every)
    assert max(map(len, found)) == 5
    for group in found:
        inside = {question.key for question in group}
        assert not any(inside & set(question.needs) for question in group)


def test_independent_questions_fill_whole_groups() -> None:
    found = groups(session(people=1).questions, lambda question: (), together=4)
    assert [len(group) for group in found] == [4, 4, 4, 3]


PROMPT = Prompt(text="Where?", images=(Picture(b"1"), Picture(b"2")), id="s1/q")


@pytest.mark.parametrize(
    "other",
    [
        key_maker("test/other", {})(PROMPT, "", 0),
        key_maker("test/answering", {"temperature": 0.5})(PROMPT, "", 0),
        KEY(PROMPT, "mirror", 0),
        KEY(PROMPT, "", 1),
        KEY(Prompt(text="Who?", images=PROMPT.images, id="s1/q"), "", 0),
        KEY(Prompt(text="Where?", images=PROMPT.images[::-1], id="s1/q"), "", 0),
        KEY(Prompt(text="Where?", images=PROMPT.images[:1], id="s1/q"), "", 0),
        KEY(Prompt(text="Where?", images=PROMPT.images, id="s1/q", fps=4.0), "", 0),
        KEY(Prompt(text="Where?", images=PROMPT.images, id="s2/q"), "", 0),
    ],
)
def test_whatever_determines_a_reply_changes_its_key(other: str) -> None:
    assert other != KEY(PROMPT, "", 0)


def test_what_a_prompt_carries_for_scripts_is_no_part_of_its_key() -> None:
    asked = (PromptQuestion(key="q", choices=("yes", "no")),)
    assert KEY(replace(PROMPT, questions=asked), "", 0) == KEY(PROMPT, "", 0)
    assert KEY(PROMPT, "", 0) == "0c13c3ec8161eb97277882ab3a1dadd5328c11ba3b17b7834e80589ba53f05f7"


def test_the_order_of_settings_does_not_change_a_key() -> None:
    first = key_maker("m", {"a": 1, "b": 2})(PROMPT, "", 0)
    assert first == key_maker("m", {"b": 2, "a": 1})(PROMPT, "", 0)


GRAPH = QuestionGraph(
    session(), repeat=0, together=1, examiner=examiner(), key=key_maker("test/answering", {})
)
FIRST, SECOND, THIRD = GRAPH.requests()


def test_older_graphs_go_first_and_requests_of_one_in_their_order() -> None:
    queue = RequestQueue()
    queue.add(GRAPH, 2, FIRST)
    queue.add(GRAPH, 1, SECOND)
    queue.add(GRAPH, 1, THIRD)
    assert [queue.next().request for _ in range(len(queue))] == [SECOND, THIRD, FIRST]
    assert queue.empty


def test_what_is_to_be_tried_again_waits_for_its_time_and_keeps_its_place() -> None:
    queue = RequestQueue()
    queue.add(GRAPH, 1, FIRST)
    again = queue.next()
    queue.add(GRAPH, 2, SECOND)
    queue.add_later(again, 10.0)
    assert queue.until_next_wake_s(4.0) == 6.0
    queue.wake(9.9)
    assert len(queue) == 1
    queue.wake(10.0)
    assert queue.next() is again
    assert queue.until_next_wake_s(10.0) == math.inf


def test_a_queue_with_something_for_later_is_not_empty() -> None:
    queue = RequestQueue()
    queue.add(GRAPH, 1, FIRST)
    queue.add_later(queue.next(), 1.0)
    assert len(queue) == 0
    assert not queue.empty
