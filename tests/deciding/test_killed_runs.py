"""`kill -9` loses no reply that a driving model gave, and workers spend from one purse."""

import json
import os
import re
import signal
import time
from pathlib import Path

import pytest

from model_servers import Act, Request, model_server
from paseo.vqa.exam.replies import stored_replies
from runs import all_gone, records, started, suite

pytestmark = [pytest.mark.slow, pytest.mark.extra("openai")]
WORDS = "vlm:model=openai/tiny-1,view=text,every_s=0.25"


def said(request: Request) -> Act:
    letters = re.findall(r'"([A-Z])"', request.text)
    return Act(text=json.dumps({"answer": letters[len(request.text) % len(letters)]}))


def test_what_was_paid_for_outlives_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = suite(tmp_path)
    with model_server(said, delay_s=0.05) as server:
        for name, value in server.environment("openai").items():
            monkeypatch.setenv(name, value)
        out, whole, kills = tmp_path / "out", tmp_path / "whole", 0
        words = ("run", file, "--planner", WORDS, "--out", out, "--jobs", "2")
        while kills < 3:
            resume = ("run", "--resume", "--out", out, "--jobs", "2")
            process, mark = started(*(resume if (out / "run.json").exists() else words))
            before = server.answered
            while server.answered < before + 4 and process.poll() is None:
                time.sleep(0.01)
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            assert all_gone(mark)
            kills += 1
            stored = len(stored_replies(out / "replies.sqlite"))
            # At most what each of two workers had under way at each kill was asked for nothing.
            assert server.asked - stored <= 2 * kills
        for last in (("--resume", "--out", out), (file, "--planner", WORDS, "--out", whole)):
            process, _ = started("run", *last, "--jobs", "2")
            assert process.communicate(timeout=600)[1].count("Traceback") == 0
            assert process.returncode == 0
        assert records(out) == records(whole)


def test_two_workers_spend_from_one_purse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with model_server(said, delay_s=0.05) as server:
        out = tmp_path / "out"
        words = ("run", suite(tmp_path), "--planner", WORDS, "--out", out, "--jobs", "2")
        # A process of its own: workers have the environment of the first run of a process.
        for name, value in server.environment("openai").items():
            monkeypatch.setenv(name, value)
        process, _ = started(*words, "--max-tokens-total", "2000")
        printed = process.communicate(timeout=600)
        assert process.returncode == 1
        assert "another request would pass the limit; raise --max-usd" in printed[1]
        replies = [each.reply for each in stored_replies(out / "replies.sqlite")]
        used = sum(
            each.usage.input_tokens + each.usage.output_tokens
            for each in replies
            if each and each.usage
        )
        assert 0 < used <= 2000
        assert server.asked == len(replies)
