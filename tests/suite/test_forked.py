"""Work shared by processes: in order, whoever does it; a failure or a death is told."""

import os
from collections.abc import Iterator

import pytest

from paseo.errors import BadValue, PaseoError
from paseo.suite.forked import shared

MANY = range(60)


@pytest.fixture(autouse=True)
def two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 2)


@pytest.mark.parametrize("count", [0, 1, 7, 8, 60])
def test_answers_come_in_the_order_of_the_tasks(count: int) -> None:
    assert list(shared(lambda task: task * task, range(count))) == [k * k for k in range(count)]


def test_much_work_is_done_by_other_processes() -> None:
    who = set(shared(lambda task: os.getpid(), MANY))
    assert len(who) == 2
    assert os.getpid() not in who


def test_answers_larger_than_a_pipe_get_through() -> None:
    assert [len(each) for each in shared(lambda task: bytes(1 << 18), MANY)] == [1 << 18] * 60


def test_the_sentence_of_a_failure_is_passed_on_once() -> None:
    def refuse(task: int) -> int:
        if task == 31:
            raise BadValue("31 is too much")
        return task

    found: list[int] = []
    with pytest.raises(PaseoError, match="^31 is too much$"):
        found.extend(_kept(shared(refuse, MANY), found))
    assert found == list(range(31))


def _kept(answers: Iterator[int], found: list[int]) -> list[int]:
    for each in answers:
        found.append(each)
    return []


@pytest.mark.parametrize("dies", [0, 1, 30, 59])
def test_a_process_that_dies_is_noticed(dies: int) -> None:
    def die(task: int) -> int:
        return os._exit(3) if task == dies else task

    with pytest.raises(PaseoError, match="a process that measured records died"):
        list(shared(die, MANY))


def test_whoever_has_seen_enough_leaves_no_process_behind() -> None:
    answers = shared(lambda task: (os.getpid(), bytes(1 << 18)), MANY)
    helper, _ = next(answers)
    answers.close()
    with pytest.raises(ProcessLookupError):
        os.kill(helper, 0)
