"""Many clients at once: who gets what, and that nothing is lost or mixed when some die."""

import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from paseo.errors import InputError, PaseoError
from paseo.remote import client as stdlib_client
from paseo.remote.websocket.serving import NobodyCame
from paseo.remote.websocket.sharing import MOST_DEALS
from paseo.suite.runs.planning import RunOptions
from paseo.world.records import Outcome
from runs import course, records
from websocket_server import HASTY, PATIENT, Stranger, served, stored

NAMES = [f"e{number}" for number in range(6)]


def work(address: str, name: str = "worker", **options: Any) -> list[str]:
    """A worker that drives straight; the episodes that it got."""
    ended = stdlib_client.drive(address, stdlib_client.straight, client=name, **options)
    return [each["episode"] for each in ended]


def test_workers_of_one_name_share_the_episodes(tmp_path: Path) -> None:
    with served(course(tmp_path, *NAMES), tmp_path / "run") as server:
        with ThreadPoolExecutor(3) as pool:
            shares = list(pool.map(work, [server.address] * 3))
        run = server.done()
    assert sorted(chain.from_iterable(shares)) == NAMES
    assert [each.episode for each in run.results] == NAMES
    assert {each.planner for each in run.results} == {"worker"}


def test_each_name_is_a_row_with_all_episodes(tmp_path: Path) -> None:
    with served(course(tmp_path, "one", "two"), tmp_path / "run") as server:
        with Stranger(server.address) as slow:
            slow.greet("a")
            slow.begin()
            assert work(server.address, "b") == ["one", "two"]
            assert work(server.address, "straight") == ["one", "two"]
            slow.drive()
            slow.begin()
            slow.drive()
        run = server.done()
    rows = [(each.planner, each.episode) for each in run.results]
    assert set(rows) == {(p, e) for p in ("a", "b", "websocket:straight") for e in ("one", "two")}
    assert [(each.planner, each.episodes) for each in run.summaries] == [
        ("b", 2), ("websocket:straight", 2), ("a", 2),
    ]  # fmt: skip


def test_a_named_episode_is_given_once(tmp_path: Path) -> None:
    with served(course(tmp_path, "one", "two"), tmp_path / "run") as server:
        with Stranger(server.address) as client:
            client.greet()
            assert client.begin(episode="two")["name"] == "two"
            with Stranger(server.address) as other:
                other.greet()
                other.say("next", episode="two")
                assert other.hear("error")["code"] == "taken"
                other.say("next", episode="three")
                assert other.hear("error")["code"] == "unknown episode"
                assert other.begin(episode="one")["name"] == "one"
                other.drive()
            client.drive()
        assert len(server.done().results) == 2


def test_workers_of_one_name_must_drive_alike(tmp_path: Path) -> None:
    with served(course(tmp_path, "one"), tmp_path / "run") as server:
        with Stranger(server.address) as client, Stranger(server.address) as other:
            client.greet()
            other.say("hello", version=1, client="stranger", control="position")
            error = other.hear("error")
            assert error["code"] == "conflict"
            assert error["sentence"] == (
                "others called 'stranger' drive by velocity, this one by position; "
                "give it another name"
            )
            client.begin()
            client.drive()
        server.done()


def test_a_name_under_which_nobody_has_driven_is_free_again(tmp_path: Path) -> None:
    with served(course(tmp_path, "one"), tmp_path / "run") as server:
        with Stranger(server.address) as client:
            client.greet("mine", control="position")
            client.say("next", episode="\x1b[2Jnowhere")
            assert client.hear("error")["sentence"].isprintable()
        server.await_news("a client is gone")
        with Stranger(server.address) as client:
            client.greet("mine", control="velocity")
            client.begin()
            client.drive()
        server.done()


def test_what_a_lost_client_leaves_is_given_to_one_who_waits(tmp_path: Path) -> None:
    with served(course(tmp_path, "one"), tmp_path / "run") as server:
        with Stranger(server.address) as waiting:
            with Stranger(server.address) as first:
                first.greet()
                first.begin()
                first.hear("observation")
                waiting.greet()
                waiting.say("next")
                time.sleep(0.1)
                first.connection.socket.shutdown(socket.SHUT_RDWR)  # no goodbye
            waiting.hear("map")
            waiting.hear("episode")
            waiting.say("ready")
            assert waiting.drive()["verdict"] == "success"
        record = stored(server.done().folder)[0]
    assert not record.lost


def test_an_episode_in_which_clients_keep_dying_ends_as_failed(tmp_path: Path) -> None:
    with served(course(tmp_path, "one", "two"), tmp_path / "run") as server:
        for _ in range(MOST_DEALS):
            with Stranger(server.address) as client:
                client.greet()
                assert client.begin()["name"] == "one"
                client.hear("observation")
        with Stranger(server.address) as client:
            client.greet()
            assert client.begin()["name"] == "two"
            client.drive()
        run = server.done()
    assert [each.outcome for each in run.results] == [Outcome.PLANNER_FAILED, Outcome.REACHED_GOAL]
    assert run.results[0].reason.startswith(f"{MOST_DEALS} connections were lost in it")


def test_a_worker_that_hangs_keeps_nobody_else_waiting(tmp_path: Path) -> None:
    with served(course(tmp_path, *NAMES[:3]), tmp_path / "run", options=HASTY) as server:
        with Stranger(server.address) as hanging:
            hanging.greet("worker")
            hanging.begin()
            assert work(server.address) == NAMES[1:3]
            hanging.hear("observation")
            assert hanging.hear("ended")["outcome"] == "planner failed"
        server.done()


def test_where_nobody_comes_the_rest_can_be_resumed(tmp_path: Path) -> None:
    target = course(tmp_path, "one", "two", "three")
    with served(target, tmp_path / "run", wait_s=3.0) as server:
        with Stranger(server.address) as client:
            client.greet("mine")
            client.begin()
            client.drive()
        with pytest.raises(NobodyCame, match=r"no client has come to localhost:\d+ within 3 s"):
            server.done()
    done = records(tmp_path / "run")
    with served(None, tmp_path / "run", resume=True, options=RunOptions()) as server:
        with Stranger(server.address) as client:
            client.say("hello", version=1, client="mine", control="position")
            assert client.hear("error")["code"] == "conflict"
        with Stranger(server.address) as client:
            client.say("hello", version=1, client="mine", planner={"reference": "other"})
            assert client.hear("error")["code"] == "conflict"
        assert work(server.address, "mine") == ["two", "three"]
        assert len(server.done().results) == 3
    assert records(tmp_path / "run").items() >= done.items()


def test_a_run_that_is_resumed_cannot_be_changed(tmp_path: Path) -> None:
    with (
        served(course(tmp_path, "one"), tmp_path / "run", resume=True) as server,
        pytest.raises(InputError, match="target, hang_limit_s would change the run"),
    ):
        server.done()


@pytest.mark.slow
def test_sixty_four_clients_at_once_drive_as_one_would(tmp_path: Path) -> None:
    names = [f"e{number:02}" for number in range(64)]
    target = course(tmp_path, *names)
    together = threading.Barrier(64)

    def at_once(address: str) -> list[str]:
        found = []
        with stdlib_client.connect(address, client="worker") as session:
            for episode in session:
                if not found:
                    together.wait(60.0)  # all 64 are in an episode now
                for observation in episode:
                    episode.act(*stdlib_client.straight(episode, observation))
                found.append(episode.ended["episode"])
        return found

    with served(target, tmp_path / "many") as server, ThreadPoolExecutor(64) as pool:
        shares = list(pool.map(at_once, [server.address] * 64))
        server.done()
    assert sorted(chain.from_iterable(shares)) == names
    with served(target, tmp_path / "one") as server:
        work(server.address)
        server.done()
    assert records(tmp_path / "many") == records(tmp_path / "one")


KILLED = """
import sys
sys.path.insert(0, {folder!r})
import client
client.drive({address!r}, client.straight, client="worker")
"""


@pytest.mark.slow
def test_clients_killed_at_random_lose_no_result_and_mix_none(tmp_path: Path) -> None:
    names = [f"e{number:03}" for number in range(200)]
    target = course(tmp_path, *names)
    folder = str(Path(stdlib_client.__file__).parent)
    chance, killed = random.Random(16), 0
    with served(target, tmp_path / "killed") as server:
        script = KILLED.format(folder=folder, address=server.address)

        def start() -> "subprocess.Popen[bytes]":
            return subprocess.Popen([sys.executable, "-I", "-S", "-c", script], stderr=-3)

        workers = [start() for _ in range(3)]
        while not server.run.done():
            enough = server.count + chance.randrange(1, 8)
            while server.count < enough and not server.run.done():
                time.sleep(0.002)
            time.sleep(chance.uniform(0.0, 0.03))
            victim = chance.randrange(len(workers))
            os.kill(workers[victim].pid, signal.SIGKILL)
            workers[victim].wait()
            workers[victim] = start()
            killed += 1
        for worker in workers:
            worker.wait(30.0)
        run = server.done()
    assert killed > 20
    assert sum("a client is gone" in each for each in server.news) > 5
    assert [each.episode for each in run.results] == names
    lines = (run.folder / "results.jsonl").read_text().splitlines()
    assert sorted(json.loads(line)["episode"] for line in lines) == names, "each once"
    with served(target, tmp_path / "whole") as server:
        work(server.address)
        server.done()
    assert records(tmp_path / "killed") == records(tmp_path / "whole")


def test_what_breaks_on_the_side_of_the_server_ends_the_run(tmp_path: Path) -> None:
    (tmp_path / "people.py").write_text(
        "class Nobody:\n"
        "    def begin(self, scenario): raise RuntimeError('out of people')\n"
        "    def step(self, snapshot, dt): return None\n"
    )
    options = RunOptions(reaction=f"{tmp_path / 'people.py'}:Nobody", hang_limit_s=20.0)
    with (
        served(course(tmp_path, "one"), tmp_path / "run", options=options) as server,
        Stranger(server.address) as client,
    ):
        client.greet()
        client.say("next")
        with pytest.raises(PaseoError, match="out of people"):
            server.done()


def test_a_client_may_leave_between_episodes(tmp_path: Path) -> None:
    with served(course(tmp_path, "one", "two"), tmp_path / "run", options=PATIENT) as server:
        for name in ("one", "two"):
            assert work(server.address, episode=name) == [name]
        assert len(server.done().results) == 2
