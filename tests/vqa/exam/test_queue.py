"""Requests that wait their turn."""

import math

from exams import examiner, sitting
from paseo.vqa.exam.queue import RequestQueue
from paseo.vqa.exam.sessions import QuestionGraph, key_maker

COURSE = QuestionGraph(
    sitting(), repeat=0, together=1, examiner=examiner(), key=key_maker("test/answering", {})
)
FIRST, SECOND, THIRD = COURSE.requests()


def test_older_courses_go_first_and_requests_of_one_in_their_order() -> None:
    room = RequestQueue()
    room.add(COURSE, 2, FIRST)
    room.add(COURSE, 1, SECOND)
    room.add(COURSE, 1, THIRD)
    assert [room.next().request for _ in range(len(room))] == [SECOND, THIRD, FIRST]
    assert room.empty


def test_what_is_to_be_tried_again_waits_for_its_time_and_keeps_its_place() -> None:
    room = RequestQueue()
    room.add(COURSE, 1, FIRST)
    again = room.next()
    room.add(COURSE, 2, SECOND)
    room.add_later(again, 10.0)
    assert room.until_next_call_s(4.0) == 6.0
    room.call(9.9)
    assert len(room) == 1
    room.call(10.0)
    assert room.next() is again
    assert room.until_next_call_s(10.0) == math.inf


def test_a_room_with_somebody_for_later_is_not_empty() -> None:
    room = RequestQueue()
    room.add(COURSE, 1, FIRST)
    room.add_later(room.next(), 1.0)
    assert len(room) == 0
    assert not room.empty
