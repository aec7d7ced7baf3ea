"""Replies that exams share."""

import json
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from exams import Answering, replies, scene_folder
from model_servers import KEY, Act, model_server
from paseo.cli.main import main
from paseo.errors import BadFile, BadValue, CannotWrite
from paseo.vlm.models import Reply, Usage
from paseo.vqa.exam.asking import AskOptions, ask
from paseo.vqa.exam.sharing.cache import ReplyCache, who_answers
from paseo.vqa.exam.store import ReplyStore

REPLY = Reply(
    text='{"answer": "yes"}',
    latency_s=1.5,
    usage=Usage(input_tokens=7, output_tokens=3, cached_tokens=2, reasoning_tokens=1),
    ending="stop",
    model="exact-1",
    thoughts="so",
)


def test_a_reply_comes_back_whole_and_the_first_stays(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "shared.sqlite"
    with closing(ReplyCache(file, "w")) as cache:
        assert cache.reply("k") is None
        cache.add([("k", REPLY), ("l", Reply(text="\ud800"))])
        cache.add([("k", Reply(text="later"))])
    with closing(ReplyCache(file, "w")) as again, closing(ReplyCache(file, "x")) as other:
        assert again.reply("k") == REPLY
        assert again.reply("l") is not None
        assert other.reply("k") is None


def test_who_answers_is_more_than_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = {"OPENAI_BASE_URL": "http://localhost:8000/v1/", "OPENAI_API_KEY": KEY}
    there = {"OPENAI_BASE_URL": "http://localhost:9000/v1"}
    same = {"OPENAI_BASE_URL": "http://me:secret@localhost:8000/v1"}
    assert who_answers("openai/m", here) != who_answers("openai/m", there)
    assert who_answers("openai/m", here) == who_answers("openai/m", same)
    assert who_answers("openai/m", here) != who_answers("openai/n", here)
    monkeypatch.chdir(tmp_path)
    named = who_answers("local/llava", {})
    (tmp_path / "llava").mkdir()
    assert who_answers("local/llava", {}) != named
    for model in ("mine.py:Mine", "scripted/first", "recorded/x"):
        with pytest.raises(BadValue, match="its code may change under its name"):
            who_answers(model, {})


def test_many_write_at_once(tmp_path: Path) -> None:
    file = tmp_path / "shared.sqlite"

    def fill(number: int) -> None:
        with closing(ReplyCache(file, "w")) as cache:
            for k in range(20):
                cache.add([(f"{k}", Reply(text=f"{number}")), (f"{number}-{k}", REPLY)])

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(fill, range(4)))
    with closing(sqlite3.connect(file)) as db:
        assert db.execute("SELECT count(*) FROM shared").fetchone() == (20 + 80,)


@pytest.mark.parametrize("content", [b"no database", b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_file_is_told(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "bad").write_bytes(content)
    with pytest.raises(BadFile, match="delete it, or choose another cache"):
        ReplyCache(tmp_path / "bad", "w")
    with pytest.raises(CannotWrite, match="choose another cache"):
        ReplyCache(tmp_path / "bad" / "inside.sqlite", "w")
    with closing(sqlite3.connect(tmp_path / "new")) as db:
        db.execute("PRAGMA user_version = 9")
    with pytest.raises(BadFile, match="newer Paseo"):
        ReplyCache(tmp_path / "new", "w")


@pytest.mark.extra("openai")
def test_a_second_exam_asks_nothing_and_pays_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    scenes = scene_folder(tmp_path / "scenes", "yard-1", "yard-2")
    cache = tmp_path / "shared.sqlite"
    words = ["ask", "openai/gpt-4o", "--scenes", str(scenes), "--images", "grid", "--keep-going",
             "--cache", str(cache), "--max-usd", "5", "--out"]  # fmt: skip
    with model_server(lambda request: Act()) as server:
        for name, value in server.environment("openai").items():
            monkeypatch.setenv(name, value)
        assert main([*words, str(tmp_path / "first"), "--limit", "1"]) == 0
        asked = server.asked
        assert main([*words, str(tmp_path / "second"), "--limit", "1"]) == 0
        assert server.asked == asked
        assert main([*words, str(tmp_path / "third")]) == 0
        assert server.asked == 2 * asked
        assert main([*words, str(tmp_path / "other"), "--limit", "1", "--seed", "3"]) == 0
        assert server.asked == 3 * asked  # other settings, other replies
    said = capsys.readouterr().out
    assert "15 of 15 questions answered, 15 of them before, 15 of these from the cache" in said
    first, second = replies(tmp_path / "first"), replies(tmp_path / "second")
    assert [each.reply for each in first] == [each.reply for each in second]
    assert {each.attempts for each in second} == {0} and {each.cost_usd for each in second} == {0.0}
    with closing(ReplyStore(tmp_path / "second" / "replies.sqlite")) as store:
        assert store.spent() == []
    content = cache.read_bytes()
    assert KEY.encode() not in content and server.url.encode() not in content
    assert b'"answer"' in content or b"answer" in content
    plan = json.loads((tmp_path / "second" / "exam.json").read_text())
    assert "cache" not in json.dumps(plan)


def test_models_of_ones_own_are_not_shared(tmp_path: Path) -> None:
    scenes = scene_folder(tmp_path / "scenes", "yard-1")
    options = AskOptions(cache=tmp_path / "shared.sqlite")
    with pytest.raises(BadValue, match="its code may change"):
        ask(Answering(), scenes, out=tmp_path / "exam", options=options)
    assert not (tmp_path / "exam").exists()


def test_a_file_that_another_exam_holds_is_no_damaged_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("paseo.vqa.exam.sharing.cache.PATIENCE_S", 0.05)
    file = tmp_path / "shared.sqlite"
    with closing(ReplyCache(file, "w")) as cache, closing(sqlite3.connect(file)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(CannotWrite, match="wait for other exams"):
            cache.add([("k", REPLY)])
        other.rollback()
        cache.add([("k", REPLY)])
        assert cache.reply("k") == REPLY
