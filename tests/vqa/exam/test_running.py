"""Exams: concurrent, resumable, within their limits."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from exams import Answering, FakeClock, exam, first_choice, replies, session
from paseo.errors import BadValue, MissingData
from paseo.vlm.failures import ModelError, ModelRefusesKey, ModelUnknown, SlowDown, TryAgain
from paseo.vlm.models import Prompt, Reply, Usage
from paseo.vqa.exam.budget import Caps, Ending
from paseo.vqa.exam.plan import ExamOptions
from paseo.vqa.exam.running import GRACE
from paseo.vqa.exam.sessions import SceneSession
from paseo.vqa.questions.methods import Method
from paseo.vqa.questions.questions import shipped
from paseo.world.scenes import Unreadable

SESSIONS = [session("s1", 2), session("s2", 1)]
QUESTIONS = 27 + 15


class Holding(Answering):
    """A model that holds every request where `when` says so, until it is told to let some go."""

    def __init__(self, when: Callable[[Prompt], bool] = lambda prompt: True) -> None:
        super().__init__()
        self._when, self._turn = when, threading.Condition()
        self._came = self._free = 0  # how many came, and how many of them may go
        self.rounds = 0

    def ask(self, prompt: Prompt) -> Reply:
        if self._when(prompt):
            with self._turn:
                self.held, self._came = self.held + 1, self._came + 1
                mine = self._came  # who comes later does not take an earlier one's turn
                self._turn.wait_for(lambda: mine <= self._free, timeout=60)
        return super().ask(prompt)

    def let_go(self, most: int | None = None) -> bool:
        """Let so many of those that are held go, or all; whether there were any."""
        with self._turn:
            count = self.held if most is None else min(most, self.held)
            self.rounds, self.held = self.rounds + 1, self.held - count
            self._free += count
            self._turn.notify_all()
        return count > 0


def failing(error: Exception, *, when: str = "", times: int = 10**9) -> Answering:
    """A model that fails where the prompt's id contains `when`, so many times per prompt."""
    failures: Counter[str] = Counter()

    def answer(prompt: Prompt) -> str:
        if when in prompt.id and failures[prompt.id] < times:
            failures[prompt.id] += 1
            raise error
        return first_choice(prompt)

    return Answering(answer)


def test_every_question_is_asked_once_and_stored(tmp_path: Path) -> None:
    model = Answering()
    tally = exam(model, tmp_path).run(SESSIONS)
    assert (tally.answered, tally.requests, tally.ending) == (QUESTIONS, QUESTIONS, Ending.COMPLETE)
    assert len({prompt.id for prompt in model.asked}) == QUESTIONS
    stored = replies(tmp_path)
    assert len(stored) == QUESTIONS
    assert {each.reply.model for each in stored if each.reply} == {"exact-1"}


def test_a_chain_tells_earlier_answers_and_independent_questions_none(tmp_path: Path) -> None:
    for method, told in ((Method.CHAIN, True), (Method.INDEPENDENT, False)):
        model = Answering()
        (tmp_path / method.value).mkdir()
        exam(model, tmp_path / method.value, method=method).run([session(method=method)])
        end = next(p for p in model.asked if "position_end_p1" in p.id)
        assert ('{"answer": "ahead of"}' in end.text) is told


def test_a_second_run_asks_nothing(tmp_path: Path) -> None:
    exam(Answering(), tmp_path).run(SESSIONS)
    before, model = replies(tmp_path), Answering()
    tally = exam(model, tmp_path).run(SESSIONS)
    assert not model.asked
    assert (tally.answered, tally.stored) == (QUESTIONS, QUESTIONS)
    assert tally.tokens == QUESTIONS * 110
    assert replies(tmp_path) == before


def test_a_finished_scene_is_counted_without_being_shown_again(tmp_path: Path) -> None:
    exam(Answering(lambda p: "" if "q_human" in p.id else first_choice(p)), tmp_path).run(SESSIONS)
    again = exam(Answering(), tmp_path)
    again.recall("s1", shipped())
    tally = again.run(SESSIONS[1:])
    assert (tally.answered, tally.stored, tally.requests) == (QUESTIONS, QUESTIONS, 0)
    assert tally.invalid == 3


def test_no_more_are_asked_at_once_than_allowed_and_no_fewer_than_possible(tmp_path: Path) -> None:
    model = Answering(delay_s=0.02)
    exam(model, tmp_path, method=Method.INDEPENDENT, concurrency=6).run(
        [session(method=Method.INDEPENDENT)]
    )
    assert model.most_at_once == 6


def test_a_chain_takes_no_longer_than_its_longest_path(tmp_path: Path) -> None:
    model = Holding()
    clock = FakeClock(model)
    clock.idle = model.let_go  # all that can be asked at once is under way
    tally = exam(model, tmp_path, concurrency=64, clock=clock).run([session("s", 4)])
    assert (tally.answered, model.rounds) == (51, 7)


def test_repeats_are_asked_and_stored_apart(tmp_path: Path) -> None:
    tally = exam(Answering(), tmp_path, repeats=3).run([session()])
    assert tally.answered == 45
    assert Counter(each.repeat for each in replies(tmp_path)) == {0: 15, 1: 15, 2: 15}


def test_several_questions_go_into_one_request(tmp_path: Path) -> None:
    model = Answering()
    tally = exam(model, tmp_path, method=Method.INDEPENDENT, together=4).run(
        [session(method=Method.INDEPENDENT)]
    )
    assert (tally.answered, tally.invalid, len(model.asked)) == (15, 0, 4)


def test_passing_failures_are_tried_again_a_counted_number_of_times(tmp_path: Path) -> None:
    tally = exam(failing(TryAgain("no luck"), times=2), tmp_path, retries=2).run([session()])
    assert (tally.answered, tally.failed, tally.retries) == (15, 0, 30)
    assert {each.attempts for each in replies(tmp_path)} == {3}


def test_what_still_fails_is_stored_as_a_failure_and_asked_again_later(tmp_path: Path) -> None:
    broken = failing(TryAgain("no luck"), when="goal_position_begin")
    tally = exam(broken, tmp_path, retries=1).run([session()])
    assert tally.failed == 1
    assert tally.left_out == 10  # the goal at the end, and all but three about the person
    assert tally.problems == ["s1/q_goal_position_begin: no luck (2 attempts)"]
    assert [each.problem for each in replies(tmp_path) if not each.reply] == [
        "no luck (2 attempts)"
    ]
    model = Answering()
    again = exam(model, tmp_path).run([session()])
    assert (again.answered, len(model.asked)) == (15, 11)
    assert all(each.reply for each in replies(tmp_path))


def test_a_final_failure_is_not_tried_again(tmp_path: Path) -> None:
    model = failing(ModelError("too many pictures"), when="q_human_future")
    tally = exam(model, tmp_path).run([session()])
    assert (tally.failed, tally.retries, tally.answered) == (1, 0, 14)


def test_a_model_of_ones_own_that_crashes_fails_questions_and_not_the_exam(tmp_path: Path) -> None:
    tally = exam(failing(ZeroDivisionError("oh"), when="q_human"), tmp_path).run([session()])
    assert tally.problems == [
        "s1/q_human_future_action_prediction_p1: the model failed with ZeroDivisionError: oh"
    ]


def test_a_model_that_returns_no_reply_is_told(tmp_path: Path) -> None:
    class Wordless(Answering):
        def ask(self, prompt: Prompt) -> Reply:
            return "yes"  # type: ignore[return-value]

    tally = exam(Wordless(), tmp_path).run([session()])
    assert "ask() returned str, expected a Reply" in tally.problems[0]


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (Reply(text=None), "text is None"),  # type: ignore[arg-type]
        (Reply(text="", usage=Usage(input_tokens=2**70, output_tokens=0)), "input_tokens is"),
        (Reply(text="", usage=Usage(input_tokens=0, output_tokens=-9)), "output_tokens is -9"),
        (Reply(text="", latency_s=float("nan")), "latency_s is nan"),
    ],
)
def test_a_reply_that_cannot_be_stored_fails_its_question(
    tmp_path: Path, reply: Reply, told: str
) -> None:
    class Strange(Answering):
        def ask(self, prompt: Prompt) -> Reply:
            return reply

    tally = exam(Strange(), tmp_path).run([session()])
    assert (tally.answered, tally.failed, tally.tokens) == (0, 3, 0)
    assert told in tally.problems[0]


def test_a_model_that_tries_to_end_the_program_fails_its_question(tmp_path: Path) -> None:
    def leave(prompt: Prompt) -> str:
        raise SystemExit(3)

    tally = exam(Answering(leave), tmp_path).run([session()])
    assert (tally.failed, tally.left_out) == (3, 12)
    assert "SystemExit: 3" in tally.problems[0]


@pytest.mark.parametrize("error", [ModelRefusesKey("wrong key"), ModelUnknown("no such model")])
def test_a_wrong_key_or_name_stops_at_once(tmp_path: Path, error: ModelError) -> None:
    model = failing(error, when="s3")
    with pytest.raises(type(error), match=str(error)):
        exam(model, tmp_path, concurrency=2).run([session("s1"), session("s3", 9), session("s4")])
    assert sum("s3" in prompt.id for prompt in model.asked) <= 2
    assert len(replies(tmp_path)) == sum("s1" in prompt.id for prompt in model.asked) > 0


def test_slow_down_lets_everybody_pause_for_as_long_as_asked(tmp_path: Path) -> None:
    refused = threading.Event()

    def answer(prompt: Prompt) -> str:
        if not refused.is_set():
            refused.set()
            raise SlowDown("slowly", retry_after_s=30.0)
        times.append(clock.now)
        return first_choice(prompt)

    times: list[float] = []
    model = Answering(answer)
    clock = FakeClock(model)
    begin = clock.now
    tally = exam(model, tmp_path, concurrency=1, clock=clock).run([session()])
    assert tally.answered == 15
    assert 30.0 <= min(times) - begin <= 30.1


def test_a_server_that_takes_few_at_once_is_found_out_and_everything_answered(
    tmp_path: Path,
) -> None:
    model = Answering(delay_s=0.01)
    ask = model.ask

    def bounded(prompt: Prompt) -> Reply:
        if model.at_once >= 4:
            raise SlowDown("too many")
        return ask(prompt)

    model.ask = bounded  # type: ignore[method-assign]
    running_exam = exam(model, tmp_path, concurrency=32, method=Method.INDEPENDENT)
    tally = running_exam.run([session("s1", 8, method=Method.INDEPENDENT)])
    assert (tally.answered, tally.failed) == (99, 0)
    assert tally.at_once < 32


def test_a_rate_limit_is_kept(tmp_path: Path) -> None:
    model = Answering()
    clock = FakeClock(model)
    begin = clock.now
    exam(model, tmp_path, per_minute=12, clock=clock).run([session()])
    assert clock.now - begin == pytest.approx(14 * 5.0)


@pytest.mark.parametrize("caps", [Caps(usd=0.10), Caps(tokens=1100)])
def test_a_cap_ends_the_exam_before_it_is_passed_and_more_money_goes_on(
    tmp_path: Path, caps: Caps
) -> None:
    tally = exam(Answering(delay_s=0.01), tmp_path, caps=caps).run(SESSIONS)
    assert (tally.ending, tally.answered) == (Ending.SPENT, 10)
    model = Answering()
    again = exam(model, tmp_path, caps=Caps(usd=0.20)).run(SESSIONS)
    assert (again.ending, again.answered, len(model.asked)) == (Ending.SPENT, 20, 10)
    assert exam(Answering(), tmp_path).run(SESSIONS).ending is Ending.COMPLETE


def test_a_cap_holds_for_a_model_that_takes_far_more_than_estimated(tmp_path: Path) -> None:
    class Thinking(Answering):
        def ask(self, prompt: Prompt) -> Reply:
            return replace(super().ask(prompt), usage=Usage(input_tokens=100, output_tokens=900))

    capped = exam(Thinking(delay_s=0.02), tmp_path, caps=Caps(tokens=5500), concurrency=32)
    tally = capped.run(SESSIONS)
    assert (tally.ending, tally.tokens) == (Ending.SPENT, 5000)


def test_fifty_useless_replies_in_a_row_pause_the_exam(tmp_path: Path) -> None:
    model = Answering(lambda prompt: "")
    tally = exam(model, tmp_path, concurrency=2).run([session(f"s{k}", 3) for k in range(5)])
    assert tally.ending is Ending.USELESS
    assert 50 <= len(model.asked) <= 52


def test_several_useless_answers_in_one_reply_count_each(tmp_path: Path) -> None:
    model = Answering(lambda prompt: "")
    many = [session(f"s{k}", 3, method=Method.INDEPENDENT) for k in range(5)]
    asked = exam(model, tmp_path, concurrency=1, together=13, method=Method.INDEPENDENT)
    assert asked.run(many).ending is Ending.USELESS
    assert len(model.asked) == 4  # 13 each


def test_an_exam_keeps_going_when_told_to_or_when_useful_replies_come_between(
    tmp_path: Path,
) -> None:
    many = [session(f"s{k}", 3) for k in range(3)]
    told = exam(Answering(lambda prompt: ""), tmp_path, patience=None).run(many)
    assert (told.ending, told.invalid) == (Ending.COMPLETE, 3 * 39)
    mixed = Answering(lambda p: first_choice(p) if "_p3" in p.id else "")
    (tmp_path / "mixed").mkdir()
    assert exam(mixed, tmp_path / "mixed", patience=45).run(many).ending is Ending.COMPLETE


def test_stopping_stores_what_is_under_way_and_the_rest_is_asked_later(tmp_path: Path) -> None:
    def answer(prompt: Prompt) -> str:
        if len(model.asked) >= 10:
            begun.stop()
        return first_choice(prompt)

    model = Answering(answer, delay_s=0.02)
    begun = exam(model, tmp_path, concurrency=4)
    tally = begun.run(SESSIONS)
    assert (tally.ending, tally.dropped) == (Ending.STOPPED, 0)
    assert len(replies(tmp_path)) == len(model.asked) < QUESTIONS
    rest = Answering()
    assert exam(rest, tmp_path).run(SESSIONS).answered == QUESTIONS
    assert len(model.asked) + len(rest.asked) == QUESTIONS


def test_a_request_that_hangs_is_dropped_after_a_while(tmp_path: Path) -> None:
    model = Holding()
    clock = FakeClock(model)
    begun = exam(model, tmp_path, concurrency=2, clock=clock)

    def stop() -> bool:
        clock.idle = lambda: False
        begun.stop()
        return True

    clock.idle = stop
    begin, tally = clock.now, begun.run([session()])
    model.let_go()
    assert (tally.ending, tally.dropped) == (Ending.STOPPED, 2)
    assert clock.now - begin == GRACE


def test_a_model_that_hangs_fails_its_questions_and_not_the_exam(tmp_path: Path) -> None:
    model = Holding(lambda prompt: "goal_position_end" in prompt.id)
    clock = FakeClock(model)
    tally = exam(model, tmp_path, concurrency=1, stall_s=90.0, clock=clock).run([session()])
    model.let_go()
    assert (tally.answered, tally.failed, tally.left_out) == (5, 1, 9)
    assert "given up: nothing came from the model within 90 s" in tally.problems[0]
    again = Answering()
    assert exam(again, tmp_path).run([session()]).answered == 15
    assert len(again.asked) == 10


def test_a_model_that_only_ever_hangs_pauses_the_exam(tmp_path: Path) -> None:
    model = Holding()
    asked = exam(model, tmp_path, concurrency=4, stall_s=90.0, patience=6)
    tally = asked.run([session(f"s{k}") for k in range(9)])
    model.let_go()
    assert (tally.ending, tally.failed) == (Ending.USELESS, 8)


def test_a_model_that_answers_one_at_a_time_is_not_given_up(tmp_path: Path) -> None:
    model = Holding()
    clock = FakeClock(model)

    def one() -> bool:
        clock.now += 80.0
        return model.let_go(1)

    clock.idle = one
    many = exam(
        model, tmp_path, method=Method.INDEPENDENT, concurrency=15, stall_s=90.0, clock=clock
    )
    tally = many.run([session(method=Method.INDEPENDENT)])
    assert (tally.answered, tally.failed, model.rounds) == (15, 0, 15)


def test_unreadable_scenes_are_named_and_the_others_go_on(tmp_path: Path) -> None:
    bad = Unreadable("s0", ("its pictures are missing",))
    tally = exam(Answering(), tmp_path).run([bad, *SESSIONS, bad])
    assert tally.unreadable == [bad, bad]
    assert tally.answered == QUESTIONS


def test_an_error_while_preparing_scenes_is_raised_and_replies_are_kept(tmp_path: Path) -> None:
    def scenes() -> Iterator[SceneSession]:
        yield session()
        raise MissingData("the disk was taken out")

    with pytest.raises(MissingData, match="the disk was taken out"):
        exam(Answering(), tmp_path).run(scenes())


def test_scenes_are_prepared_only_a_few_ahead(tmp_path: Path) -> None:
    lead = []

    def scenes() -> Iterator[SceneSession]:
        for number in range(20):
            lead.append(number - len(model.asked) / 15)
            yield session(f"s{number}")

    model = Answering(delay_s=0.002)
    assert exam(model, tmp_path, concurrency=2).run(scenes()).answered == 300
    assert max(lead) <= 5


def test_replies_are_the_same_whatever_the_concurrency(tmp_path: Path) -> None:
    answers = []
    for concurrency in (1, 16):
        folder = tmp_path / str(concurrency)
        folder.mkdir()
        exam(Answering(), folder, concurrency=concurrency).run(SESSIONS)
        answers.append([(each.key, each.reply) for each in replies(folder)])
    assert answers[0] == answers[1]


def test_an_absurd_concurrency_is_refused() -> None:
    with pytest.raises(BadValue, match="expected 1 to 512"):
        ExamOptions(concurrency=100_000)
