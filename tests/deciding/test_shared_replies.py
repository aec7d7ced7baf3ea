"""Replies that are asked for once, and limits that hold whoever asks."""

import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from exams import CENT, ESTIMATE
from paseo.deciding.ledger import Allowance, Ledger, owner_is_gone, owner_of
from paseo.deciding.replies import AskingLimits, SharedReplies
from paseo.errors import CannotGoOn
from paseo.vlm.failures import ModelError, ModelRefusesKey, SlowDown, TryAgain
from paseo.vlm.models import Prompt, Reply
from paseo.vqa.exam.budget import Caps
from paseo.vqa.exam.replies import stored_replies
from paseo.vqa.exam.sessions import key_maker
from paseo.vqa.waypoints.candidates import Candidates

ASKED = (Candidates(places=np.eye(2), horizon=2.0).question("drive"),)
LIMITS = AskingLimits(retries=2, timeout_s=5.0)


class Counting:
    """Answers A after a while, or raises what it is given first."""

    name = "test/counting"

    def __init__(self, *errors: Exception, delay_s: float = 0.0) -> None:
        self.errors, self.delay_s, self.asked = list(errors), delay_s, 0
        self.lock = threading.Lock()

    def ask(self, prompt: Prompt) -> Reply:
        with self.lock:
            self.asked += 1
            if self.errors:
                raise self.errors.pop(0)
        time.sleep(self.delay_s)
        return Reply(text='{"answer": "A"}', latency_s=0.25, usage=ESTIMATE)


def replies(
    model: Counting, path: Path | None, *, slept: list[float] | None = None, **allowed: object
) -> SharedReplies:
    naps = [] if slept is None else slept
    return SharedReplies(
        model,
        reference="test/counting",
        key=key_maker("test/counting", {}),
        path=path,
        allowance=Allowance(**allowed),  # type: ignore[arg-type]
        limits=LIMITS,
        sleep=lambda seconds: naps.append(seconds) if slept is not None else time.sleep(seconds),
    )


def prompt(k: int) -> Prompt:
    return Prompt(text=f"prompt {k}")


def test_a_prompt_is_asked_once_whoever_asks(tmp_path: Path) -> None:
    model = Counting(delay_s=0.05)
    path = tmp_path / "new" / "replies.sqlite"
    answers = []

    def work() -> None:
        own = replies(model, path)
        answers.extend(own.ask(prompt(k), ASKED) for k in range(3))
        own.close()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert model.asked == 3
    assert {each.reply.text for each in answers if each.reply} == {'{"answer": "A"}'}
    assert len(answers) == 12
    assert {each.reply.latency_s for each in answers if each.reply} == {0.25}
    assert len(stored_replies(path)) == 3


def test_money_is_counted_over_all_who_ask(tmp_path: Path) -> None:
    path, model = tmp_path / "replies.sqlite", Counting()
    caps = Caps(usd=0.05)  # five replies of a cent
    first, second = (replies(model, path, caps=caps, price=CENT) for _ in range(2))
    for k in range(5):
        (first, second)[k % 2].ask(prompt(k), ASKED)
    with pytest.raises(CannotGoOn, match="raise max_usd") as told:
        second.ask(prompt(9), ASKED)
    assert "--max-usd" in told.value.spelled(lambda name: f"--{name.replace('_', '-')}")
    assert model.asked == 5
    assert first.ask(prompt(2), ASKED).reply is not None  # what is stored costs nothing


def test_what_is_under_way_counts_until_its_owner_is_long_gone(tmp_path: Path) -> None:
    replies(Counting(), tmp_path / "r.sqlite").ask(prompt(0), ASKED)
    now, naps = [1000.0], []

    def sleep(seconds: float) -> None:
        naps.append(seconds)
        now[0] += max(seconds, 0.5)

    caps = Allowance(caps=Caps(tokens=230), price=None)  # 110 are used, so one more fits
    dead, living = (
        Ledger(tmp_path / "r.sqlite", caps, now=lambda: now[0], sleep=sleep) for _ in range(2)
    )
    assert dead.reserve("a", ESTIMATE, for_s=20.0)
    assert not living.reserve("a", ESTIMATE, for_s=20.0)  # the very same is asked already
    assert living.reserve("b", ESTIMATE, for_s=20.0)  # waits for who never comes back
    assert now[0] > 1020.0
    assert len(naps) > 10


def test_what_was_under_way_in_a_process_that_was_killed_is_free_at_once(tmp_path: Path) -> None:
    replies(Counting(), tmp_path / "r.sqlite").close()
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    owner = owner_of(child.pid)
    assert not owner_is_gone(owner)
    assert owner_is_gone(f"{owner}9")  # another process of that number
    assert not owner_is_gone("elsewhere/1/2")
    dead = Ledger(tmp_path / "r.sqlite", Allowance())
    dead._owner = owner
    assert dead.reserve("a", ESTIMATE, for_s=900.0)
    living = Ledger(tmp_path / "r.sqlite", Allowance())
    assert not living.reserve("a", ESTIMATE, for_s=900.0)
    child.kill()
    child.wait()
    assert owner_is_gone(owner)
    assert living.reserve("a", ESTIMATE, for_s=900.0)


def test_requests_per_minute_hold_for_all_together(tmp_path: Path) -> None:
    now, naps = [1000.0], []
    replies(Counting(), tmp_path / "r.sqlite").close()
    allowed = Allowance(per_minute=30.0)
    ledgers = [
        Ledger(tmp_path / "r.sqlite", allowed, now=lambda: now[0], sleep=naps.append)
        for _ in range(3)
    ]
    for k, ledger in enumerate(ledgers):
        ledger.reserve(f"k{k}", ESTIMATE, for_s=9.0)
    assert naps == pytest.approx([0.0, 2.0, 4.0])
    ledgers[0].slow_down(100.0)
    ledgers[1].reserve("later", ESTIMATE, for_s=9.0)
    assert naps[-1] == pytest.approx(100.0)


def test_what_passes_is_tried_again_and_what_does_not_ends_the_run(tmp_path: Path) -> None:
    slept: list[float] = []
    model = Counting(TryAgain("late"), SlowDown("busy", retry_after_s=7.0))
    found = replies(model, tmp_path / "a.sqlite", slept=slept).ask(prompt(0), ASKED)
    assert found.reply is not None
    assert found.key == stored_replies(tmp_path / "a.sqlite")[0].key
    assert stored_replies(tmp_path / "a.sqlite")[0].attempts == 3
    assert any(7.0 <= each <= 8.0 for each in slept)
    for error in (ModelRefusesKey("no such key sk-abcdefghijklmnopqrst"), TryAgain("late")):
        own = replies(Counting(*[error] * 9), tmp_path / "b.sqlite", slept=[])
        with pytest.raises(CannotGoOn, match="go on with resume") as told:
            own.ask(prompt(1), ASKED)
        assert "sk-abc" not in str(told.value)


def test_what_a_model_refuses_for_good_is_no_reply_and_is_kept_as_a_failure(
    tmp_path: Path,
) -> None:
    path = tmp_path / "replies.sqlite"
    own = replies(Counting(ModelError("not that picture"), ValueError("boom")), path)
    assert own.ask(prompt(0), ASKED).problem == "not that picture"
    assert "ValueError: boom" in own.ask(prompt(1), ASKED).problem
    assert [each.reply for each in stored_replies(path)] == [None, None]
    assert own.ask(prompt(0), ASKED).reply is not None  # asked again, it may have an answer


def test_keys_are_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret-0123456789")

    class Leaking(Counting):
        def ask(self, prompt: Prompt) -> Reply:
            return Reply(text='{"answer": "A"} sk-very-secret-0123456789')

    path = tmp_path / "replies.sqlite"
    reply = replies(Leaking(), path).ask(prompt(0), ASKED).reply
    assert reply is not None
    assert "secret" not in reply.text
    assert reply.latency_s > 0  # measured, where the model does not say
    assert b"secret-0123" not in path.read_bytes()


def test_without_a_store_replies_are_kept_in_memory() -> None:
    model = Counting()
    own = replies(model, None)
    assert own.ask(prompt(0), ASKED) == own.ask(prompt(0), ASKED)
    assert model.asked == 1
