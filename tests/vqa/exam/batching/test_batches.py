"""Exams in batches, against a server that speaks the three providers' protocols."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

import pytest

from batch_servers import Batch, BatchServer, batch_server
from exams import CENT, ESTIMATE, Answering, examiner, replies, scene_folder, session
from exams import exam as one_by_one
from model_servers import Act
from paseo.errors import BadFile, BadValue, InputError
from paseo.vlm.batches import Batches, BatchLimits
from paseo.vlm.failures import ModelError
from paseo.vlm.making import model_class
from paseo.vlm.models import ModelSettings, Prompt, Usage
from paseo.vqa.exam.asking import AskOptions, ask, estimate
from paseo.vqa.exam.batching.ledger import Ledger
from paseo.vqa.exam.batching.running import BatchExam
from paseo.vqa.exam.budget import Budget, Caps, Ending, Tally
from paseo.vqa.exam.plan import ExamOptions
from paseo.vqa.exam.sessions import Request, SceneSession, key_maker
from paseo.vqa.exam.store import ReplyStore
from paseo.vqa.questions.questions import shipped
from paseo.world.scenes import Unreadable

pytestmark = [pytest.mark.extra("openai"), pytest.mark.extra("anthropic"),
              pytest.mark.extra("gemini")]  # fmt: skip
PROVIDERS = ("openai", "anthropic", "gemini")
CHOICES = re.compile(r'^Possible answers[^"]*: (".*")$', re.MULTILINE)
SESSIONS = [session("s1", 1)]
QUESTIONS = 15
NO_CAPS = Caps()


def text_of(body: dict[str, Any]) -> str:
    """The text of a request, whoever's."""
    gemini = body.get("contents")
    parts = gemini[0]["parts"] if gemini else body["messages"][0]["content"]
    return "".join(part.get("text", "") for part in parts)


def last_of(text: str) -> str:
    found = CHOICES.search(text)
    assert found
    return json.dumps({"answer": json.loads(f"[{found[1]}]")[-1]})


def last_choice(key: str, body: dict[str, Any]) -> Act:
    """The last choice, which a chain then tells."""
    return Act(text=last_of(text_of(body)))


class Ticking:
    """A clock that goes on when somebody waits."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.waits: list[float] = []
        self.stop_after = 10**9

    def monotonic(self) -> float:
        return self.now

    def time(self) -> float:
        return self.now

    def next_report(self, reports: "SimpleQueue[object]", timeout_s: float | None) -> object:
        assert timeout_s is not None
        self.now += timeout_s
        self.waits.append(timeout_s)
        if len(self.waits) >= self.stop_after:
            return object()
        raise Empty


class Killed(BaseException):
    """The end of a process."""


def interface(server: BatchServer, provider: str) -> Batches:
    cls, name = model_class(f"{provider}/tiny-1")
    return cls(name, ModelSettings(), environment=server.environment(provider)).batches()  # type: ignore[call-arg,attr-defined]


def exam(
    batches: Batches, folder: Path, clock: Ticking | None = None, caps: Caps = NO_CAPS, **how: Any
) -> BatchExam:
    return BatchExam(
        batches,
        examiner(),
        catalogue=shipped(),
        store=ReplyStore(folder / "replies.sqlite"),
        budget=Budget(caps, price=CENT, estimate=ESTIMATE),
        key=key_maker("openai/tiny-1", {}),
        options=ExamOptions(**how),
        reserve=lambda request: Usage(input_tokens=1200, output_tokens=10),
        clock=clock or Ticking(),
        environment={},
    )


def begin() -> tuple[set[str], Iterator[SceneSession | Unreadable]]:
    return set(), iter(SESSIONS)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_chain_is_seven_batches_that_hand_answers_on(tmp_path: Path, provider: str) -> None:
    with batch_server(last_choice) as server:
        tally = exam(interface(server, provider), tmp_path).run(begin)
        assert (tally.answered, tally.invalid, tally.ending) == (QUESTIONS, 0, Ending.COMPLETE)
        assert len(server.batches) == tally.batches == 7
        keys = [line.get("custom_id") or line["key"] for b in server.batches for line in b.requests]
        assert len(keys) == len(set(keys)) == tally.requests == QUESTIONS
        stored = replies(tmp_path)
        assert {each.key for each in stored} == set(keys)
        assert {each.reply.model for each in stored if each.reply} == {"tiny-1-2026"}
        assert {each.reply.usage.input_tokens for each in stored if each.reply} == {1200}
    (tmp_path / "one-by-one").mkdir()
    usual = Answering(
        lambda prompt: last_choice("", {"contents": [{"parts": [{"text": prompt.text}]}]}).text
    )
    usual.name = "openai/tiny-1"
    one_by_one(usual, tmp_path / "one-by-one").run(SESSIONS)
    assert {each.key for each in replies(tmp_path / "one-by-one")} == set(keys), "the same prompts"


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_batch_sent_in_the_moment_of_a_kill_is_adopted(tmp_path: Path, provider: str) -> None:
    with batch_server(last_choice) as server:

        def kill(batch: Batch) -> None:
            server.created = lambda batch: None
            raise OSError  # the connection ends without an answer

        server.created = kill
        batches = interface(server, provider)
        dying = exam(batches, tmp_path)
        dying._post.patiently = _once  # type: ignore[method-assign,assignment]
        with pytest.raises(Killed):
            dying.run(begin)
        tally = exam(interface(server, provider), tmp_path).run(begin)
        assert (tally.answered, tally.ending) == (QUESTIONS, Ending.COMPLETE)
        keys = [line.get("custom_id") or line["key"] for b in server.batches for line in b.requests]
        assert len(keys) == len(set(keys)), "nothing is asked, and paid for, twice"


def _once(do: Any) -> Any:
    try:
        return do()
    except Exception:
        raise Killed from None


@pytest.mark.slow
def test_kill_9_between_post_and_answer_pays_nothing_twice(tmp_path: Path) -> None:
    scenes, out = scene_folder(tmp_path / "scenes", "a"), tmp_path / "exam"
    words = ["ask", "openai/tiny-1", "--scenes", str(scenes), "--images", "grid", "--batch"]
    run = "import sys; from paseo.cli.main import main; sys.exit(main(sys.argv[1:]))"
    with batch_server(last_choice, polls=0) as server:
        environment = {**os.environ, **server.environment("openai")}
        process = subprocess.Popen(
            [sys.executable, "-c", run, *words, "--out", str(out)],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

        def kill(batch: Batch) -> None:
            if len(server.batches) == 2:
                os.kill(process.pid, signal.SIGKILL)
                process.wait()

        server.created = kill
        assert process.wait(timeout=120) == -signal.SIGKILL
        server.created = lambda batch: None
        before = len(server.batches)
        assert before == 2
        with pytest.MonkeyPatch.context() as patch:
            for name, value in server.environment("openai").items():
                patch.setenv(name, value)
            with pytest.raises(InputError, match="still at the provider"):
                ask("openai/tiny-1", scenes, out=out, options=_options(batch=False), resume=True)
            done = ask("openai/tiny-1", scenes, out=out, options=_options(), resume=True)
        assert done.tally.answered == done.questions == 15
        assert len(server.batches) == 7
        keys = [line["custom_id"] for b in server.batches for line in b.requests]
        assert len(keys) == len(set(keys)) == 15


def _options(*, batch: bool = True) -> AskOptions:
    from paseo.vqa.pictures.pictures import Layout

    return AskOptions(images=Layout.GRID, batch=batch)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_what_expired_is_asked_again_and_what_came_is_kept(tmp_path: Path, provider: str) -> None:
    asked: dict[str, int] = {}

    def answer(key: str, body: dict[str, Any]) -> Act | None:
        asked[key] = asked.get(key, 0) + 1
        return last_choice(key, body) if asked[key] > 1 or len(asked) % 2 else None

    with batch_server(answer) as server:
        tally = exam(interface(server, provider), tmp_path).run(begin)
        assert (tally.answered, tally.failed) == (QUESTIONS, 0)
        assert tally.retries == sum(times - 1 for times in asked.values()) > 0
        assert max(asked.values()) == 2
        assert {each.attempts for each in replies(tmp_path)} == {1, 2}


@pytest.mark.parametrize("provider", PROVIDERS)
def test_garbage_and_doubled_results_are_told_and_do_no_harm(tmp_path: Path, provider: str) -> None:
    def mangled(lines: list[bytes]) -> list[bytes]:
        forged = lines[0].replace(b"answer", b"forged")
        return [b"{", b"[1]", b"null", *lines, forged, b'{"custom_id": "x", "key": "x"}', b"\xff"]

    with batch_server(last_choice, mangled=mangled) as server:
        tally = exam(interface(server, provider), tmp_path).run(begin)
        assert (tally.answered, tally.invalid, len(server.batches)) == (QUESTIONS, 0, 7)
        assert "4 lines that cannot be read, 1 results that came twice" in tally.problems[0]


def test_requests_without_results_are_failures_after_some_attempts(tmp_path: Path) -> None:
    with batch_server(last_choice, mangled=lambda lines: []) as server:
        tally = exam(interface(server, "openai"), tmp_path, retries=1).run(begin)
        assert tally.answered == 0
        assert tally.failed + tally.left_out == QUESTIONS
        assert len(server.batches) == 2
        assert "without a result" in tally.problems[-1]


@pytest.mark.parametrize("provider", PROVIDERS)
def test_what_the_provider_will_not_answer_is_a_failure(tmp_path: Path, provider: str) -> None:
    def answer(key: str, body: dict[str, Any]) -> Act:
        return Act(status=400, message="no such pictures please")

    with batch_server(answer) as server:
        tally = exam(interface(server, provider), tmp_path).run(begin)
        assert (tally.answered, len(server.batches)) == (0, 1)
        assert "no such pictures please" in tally.problems[0]


@pytest.mark.parametrize("provider", ["openai", "gemini"])
def test_a_batch_that_is_turned_away_ends_the_exam_in_words(tmp_path: Path, provider: str) -> None:
    with batch_server(last_choice, ending="failed") as server:
        with pytest.raises(ModelError, match="turned away: no "):
            exam(interface(server, provider), tmp_path).run(begin)
        server.ending = "completed"
        assert exam(interface(server, provider), tmp_path).run(begin).answered == QUESTIONS


def test_a_round_that_is_too_large_is_several_batches(tmp_path: Path) -> None:
    with batch_server(last_choice) as server:
        batches: Any = interface(server, "openai")
        batches.limits = BatchLimits(requests=3, content=20_000)
        tally = exam(batches, tmp_path).run(begin)
        assert tally.answered == QUESTIONS
        assert max(len(each.requests) for each in server.batches) == 3


def test_passing_failures_are_waited_out_and_a_batch_is_sent_once(tmp_path: Path) -> None:
    with batch_server(last_choice, statuses=[503, 200, 500, 429, 200, 500]) as server:
        tally = exam(interface(server, "openai"), tmp_path).run(begin)
        assert (tally.answered, len(server.batches)) == (QUESTIONS, 7)


def test_looks_are_farther_apart_and_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paseo.vqa.exam.batching.post.LONGEST_WAIT_S", 400.0)
    clock, late = Ticking(), pytest.raises(ModelError, match="has not ended after")
    with batch_server(last_choice, polls=10**9) as server, late:
        exam(interface(server, "openai"), tmp_path, clock).run(begin)
    assert clock.waits[:3] == [2.0, 3.0, 4.5]
    assert clock.waits[-1] == 60


def test_stopped_exams_leave_their_batch_and_go_on_with_it(tmp_path: Path) -> None:
    clock = Ticking()
    clock.stop_after = 2
    with batch_server(last_choice, polls=5) as server:
        tally = exam(interface(server, "openai"), tmp_path, clock).run(begin)
        assert (tally.ending, tally.answered) == (Ending.STOPPED, 0)
        assert tally.batched == len(server.batches[0].requests)
        tally = exam(interface(server, "openai"), tmp_path).run(begin)
        assert (tally.answered, len(server.batches)) == (QUESTIONS, 7)


def test_whoever_is_stopped_before_sending_sends_nothing(tmp_path: Path) -> None:
    with batch_server(last_choice) as server:
        stopped = exam(interface(server, "openai"), tmp_path)
        stopped.stop()
        assert stopped.run(begin).ending is Ending.STOPPED
        assert not server.batches


def test_a_cap_holds_for_whole_batches(tmp_path: Path) -> None:
    request_usd = CENT.cost_usd(Usage(input_tokens=1200, output_tokens=0))
    with batch_server(last_choice) as server:
        made = exam(interface(server, "openai"), tmp_path, caps=Caps(usd=10.5 * request_usd))
        tally = made.run(begin)
        assert tally.ending is Ending.SPENT
        assert sum(len(each.requests) for each in server.batches) == tally.answered == 10
        assert tally.usd == pytest.approx(10 * request_usd)


@pytest.mark.parametrize(
    "raw",
    [b"[]", b"{}", b'{"id": "../../v1/files"}', b'{"id": 7}', b"<html>", b"\xff", b"[" * 10_000],
)
def test_hostile_answers_end_in_words(tmp_path: Path, raw: bytes) -> None:
    told = pytest.raises(ModelError, match="openai at http")
    with batch_server(last_choice, raw={"/v1/files": raw}) as server, told:
        exam(interface(server, "openai"), tmp_path, retries=1).run(begin)


def test_results_that_do_not_end_are_not_read_to_their_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("paseo.vlm.hosted.batching.wire.LONGEST_LINE", 1000)
    told, line = pytest.raises(ModelError, match="longer than"), b"x" * 10**6
    with batch_server(last_choice, mangled=lambda lines: [line]) as server, told:
        exam(interface(server, "openai"), tmp_path, retries=1).run(begin)


def test_a_dry_run_tells_half_the_price_and_the_rounds(tmp_path: Path) -> None:
    scenes = scene_folder(tmp_path, "a")
    plain = estimate("openai/gpt-4o", scenes)
    halved = estimate("openai/gpt-4o", scenes, options=AskOptions(batch=True))
    assert plain.usd and halved.usd == pytest.approx(plain.usd / 2)
    assert halved.rounds == 7


def test_caps_and_models_that_do_not_go_with_batches_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadValue, match="need max_tokens"):
        AskOptions(batch=True, max_usd=1.0)
    with pytest.raises(BadValue, match="takes no batches"):
        ask("scripted/first", scene_folder(tmp_path, "a"), options=AskOptions(batch=True))


def test_keys_are_neither_in_the_store_nor_in_the_folder(tmp_path: Path) -> None:
    from model_servers import KEY

    def answer(key: str, body: dict[str, Any]) -> Act:
        return Act(text=last_choice(key, body).text + KEY)

    with batch_server(answer) as server:
        tally: Tally = exam(interface(server, "openai"), tmp_path).run(begin)
    assert tally.answered == QUESTIONS
    assert all(KEY.encode() not in each.read_bytes() for each in tmp_path.iterdir())
    assert not (tmp_path / "batch.jsonl").exists()


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE batches SET ids = '[\"../../v1/files\"]'",
        "UPDATE batches SET ids = '{'",
        "UPDATE batches SET sent_s = 'soon'",
        "UPDATE batched SET questions = '[]'",
        "UPDATE batched SET repeat = 'x'",
    ],
)
def test_a_damaged_ledger_is_told_in_a_sentence(tmp_path: Path, damage: str) -> None:
    store = ReplyStore(tmp_path / "replies.sqlite")
    request = Request(
        key="k", variant="", questions=SESSIONS[0].questions[:1], repeat=0, prompt=Prompt(text="")
    )
    ledger = Ledger(store, shipped())
    ledger.intend("tag", [request], now_s=5.0)
    ledger.name("tag", ["b1"])
    (known,) = ledger.in_flight()
    assert (known.ids, known.sent_s, list(known.requests)) == (("b1",), 5.0, ["k"])
    with store.writing() as db:
        db.execute(damage)
    with pytest.raises(BadFile, match="expected the replies of an exam"):
        ledger.in_flight()
