"""`kill -9` at 50 random moments of exams against a server: nothing stored is lost."""

import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from exams import replies, scene_folder
from model_servers import Act, ModelServer, Request, model_server

pytestmark = pytest.mark.extra("openai")

KILLS = 50
# Exams run in forks of a process that has loaded everything, so that killing them fifty times
# does not take long. For each line, a folder, the answer is the exam's process; for the next
# line, how it ended: until then its number belongs to no other process.
FORKING = """
import os, sys
from paseo.cli.main import main
import openai, paseo.vqa.exam.asking, paseo.report.exam.outcome, paseo.vlm.hosted.openai
import paseo.vqa.pictures.views, paseo.vqa.pictures.photos
while out := sys.stdin.readline().rstrip():
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        words = ["ask", "openai/tiny-1", "--scenes", sys.argv[1], "--images", "grid", "--out", out]
        resume = ["--resume"] if os.path.exists(out + "/exam.json") else []
        os._exit(main([*words, *resume, "--concurrency", "4"]))
    print(child, flush=True)
    sys.stdin.readline()
    _, status = os.waitpid(child, 0)
    print("killed" if os.WIFSIGNALED(status) else os.WEXITSTATUS(status), flush=True)
"""
CHOICES = re.compile(r'^Possible answers[^"]*: (".*")$', re.MULTILINE)


class Witness:
    """Answers by the hash of what it is asked, and notes it all."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self._lock = threading.Lock()

    def __call__(self, request: Request) -> Act:
        seal = sha256(request.content).hexdigest()
        with self._lock:
            self.asked.append(seal)
        found = CHOICES.search(request.text)
        assert found
        choices = json.loads(f"[{found[1]}]")
        answer = choices[int(seal, 16) % len(choices)]
        return Act(text=json.dumps({"answer": answer, "seal": seal}))


class Exams:
    """Exams in processes that can be killed."""

    def __init__(self, scenes: Path, server: ModelServer) -> None:
        environment = {**os.environ, **server.environment("openai")}
        self._process = subprocess.Popen(
            [sys.executable, "-c", FORKING, str(scenes)],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def begin(self, out: Path) -> int:
        return int(self._answer(f"{out}\n"))

    def ending(self) -> str:
        return self._answer("how did it end?\n")

    def _answer(self, line: str) -> str:
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(line)
        self._process.stdin.flush()
        return self._process.stdout.readline().strip()

    def close(self) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait(timeout=30)


@pytest.fixture
def exams(tmp_path: Path) -> Iterator[tuple[Exams, Witness]]:
    scenes, witness = scene_folder(tmp_path / "scenes", "a", "b", "c", "d"), Witness()
    with model_server(witness, delay_s=0.02) as server:
        made = Exams(scenes, server)
        yield made, witness
        made.close()


def wait_for_a_random_moment(witness: Witness, rng: random.Random) -> None:
    """Some time after the exam has asked some questions; or just some time."""
    requests, until = len(witness.asked) + rng.randint(1, 25), time.monotonic() + rng.uniform(0, 4)
    while len(witness.asked) < requests and time.monotonic() < until:
        time.sleep(0.001)
    time.sleep(rng.uniform(0, 0.03))


def seals(out: Path) -> dict[str, str]:
    """What was asked, by the key of each stored reply."""
    return {each.key: json.loads(each.reply.text)["seal"] for each in replies(out) if each.reply}


@pytest.mark.slow
def test_killed_exams_lose_nothing_ask_nothing_twice_and_end_alike(
    tmp_path: Path, exams: tuple[Exams, Witness]
) -> None:
    exam, witness = exams
    exam.begin(tmp_path / "whole")
    assert exam.ending() == "0"
    expected = seals(tmp_path / "whole")
    assert len(expected) == 4 * 15
    rng, kills, partly, number = random.Random(0), 0, 0, 0
    while kills < KILLS:
        out, ending = tmp_path / f"killed-{number}", "killed"
        while ending == "killed":
            before, asked_before = seals(out), len(witness.asked)
            process = exam.begin(out)
            if kills < KILLS:
                wait_for_a_random_moment(witness, rng)
                os.kill(process, signal.SIGKILL)
            ending = exam.ending()
            after = seals(out)
            assert before.items() <= after.items(), "a stored reply was lost"
            assert not set(before.values()) & set(witness.asked[asked_before:]), "asked twice"
            kills += ending == "killed"
            partly += 0 < len(after) < len(expected)
        assert ending == "0"
        assert seals(out) == expected
        number += 1
    assert partly >= KILLS / 4, "most were killed before or after asking; change the times"
