"""What the server bears: many episodes, clients that are killed, and messages of all kinds."""

import json
import math
import random
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from joystick_client import PATIENCE, JoystickClient, serving
from paseo.suite.rerunning import rerun
from paseo.suite.runs.planning import RunOptions
from paseo.world.recordfile import load_record
from paseo.world.records import Outcome, Record
from runs import suite

OPEN = Path("/proc/self/fd")
STEP = 0.055  # metres

pytestmark = pytest.mark.slow


def course(folder: Path, count: int, *, time_limit_s: float) -> Path:
    """Many episodes, each with a goal of its own and somebody who stands behind it."""
    entries = [
        {
            "name": f"e{k:04d}",
            "map": "room.txt",
            "start": {"x_m": 2.0, "y_m": 5.0},
            "goal": {"x_m": 3.0, "y_m": 4.0 + 0.001 * k},
            "time_limit_s": time_limit_s,
            "people": [{"id": 7, "path": [[0.0, 5.0, 5.0], [9.0, 5.0, 5.0]]}],
        }
        for k in range(count)
    ]
    return suite(folder, episodes=entries)


def number_of(name: str) -> int:
    return int(name.removeprefix("e"))


def record_of(folder: Path, name: str) -> Record:
    return load_record(folder / "run" / "records" / f"{name}--Page--0.npz")


def resident() -> int:
    """Bytes of memory that this process holds."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


@pytest.mark.skipif(not OPEN.is_dir(), reason="counts open files and memory as Linux shows them")
def test_a_thousand_episodes_leak_neither_files_nor_memory(tmp_path: Path) -> None:
    held: list[tuple[int, int]] = []
    with (
        serving(course(tmp_path, 1000, time_limit_s=0.1), tmp_path) as server,
        JoystickClient(tmp_path) as client,
    ):
        for name in client.greet():
            assert client.begin()["episode_name"] == name
            while client.sense()["robot_on"]:
                client.act([2.0, 5.0, 0.0, 0.0])
            held.append((len(list(OPEN.iterdir())), resident()))
        results = server.done().results
    assert [each.outcome for each in results] == [Outcome.OUT_OF_TIME] * 1000
    files, memory = zip(*held[200:], strict=True)
    assert max(files) <= files[0] + 5, "a message may be under way"
    assert max(memory) - memory[0] < 800 * 40_000, "the results of an episode take far less"


DRIVER = """
import json, socket, sys
receive, send, step = sys.argv[1], sys.argv[2], float(sys.argv[3])
first = socket.socket(socket.AF_UNIX)
first.connect(receive)
listener = socket.socket(socket.AF_UNIX)
listener.bind(send)
listener.listen(1)
listener.accept()[0].close()
def say(text):
    with socket.socket(socket.AF_UNIX) as speaker:
        speaker.connect(receive)
        speaker.sendall(text.encode())
def hear():
    connection, _ = listener.accept()
    with connection:
        return json.loads(b"".join(iter(lambda: connection.recv(1024), b"")))
for name in hear()["episodes"]:
    goal = hear()["robots"]["robot_agent"]["goal_config"]
    say("algo: Page")
    say("ready")
    while True:
        say("sense")
        state = hear()
        if not state["robot_on"]:
            break
        x, y, _ = state["robots"]["robot_agent"]["current_config"]
        share = min(1.0, step / max(1e-9, ((goal[0] - x) ** 2 + (goal[1] - y) ** 2) ** 0.5))
        x, y, mark = x + share * (goal[0] - x), y + share * (goal[1] - y), 0.0001 * int(name[1:])
        say(json.dumps({"j_input": [[x, y, mark, 1.0]]}))
"""


def test_clients_killed_at_random_moments_lose_and_mix_no_result(tmp_path: Path) -> None:
    """Every command carries the number of the episode it is meant for, as its heading."""
    rng, count = random.Random(16), 200
    target = course(tmp_path, count, time_limit_s=4.0)
    killed = 0
    with serving(target, tmp_path, options=RunOptions(hang_limit_s=0.3)) as server:
        while not server.run.done():
            (tmp_path / "send").unlink(missing_ok=True)
            words = [str(tmp_path / "recv"), str(tmp_path / "send"), str(STEP)]
            command = [sys.executable, "-S", "-E", "-c", DRIVER, *words]
            with subprocess.Popen(command, stderr=subprocess.DEVNULL) as client:
                try:
                    client.wait(rng.uniform(0.05, 0.4))
                except subprocess.TimeoutExpired:
                    client.send_signal(signal.SIGKILL)
                    killed += 1
        results = server.done().results
    assert killed > 10
    assert [each.episode for each in results] == [f"e{k:04d}" for k in range(count)]
    reached = [each for each in results if each.outcome is Outcome.REACHED_GOAL]
    assert len(reached) > 50
    assert {each.outcome for each in results} <= {Outcome.REACHED_GOAL, Outcome.PLANNER_FAILED}
    for result in results:
        record = load_record(tmp_path / "run" / "records" / result.record)
        assert record.scenario.name == result.episode
        marks = record.commands[:, 2]
        assert (marks == 0.0001 * number_of(result.episode)).all(), "no command of another episode"
        assert rerun(record).is_identical


WORDS = [
    b"sense",
    b"abandon",
    b"algo: Page",
    b'{"j_input": [[2.05, 5.0, 0.1, 1.0]]}',
    b'{\n "j_input": [\n  [\n   2.1,\n   5.0,\n   0.0,\n   1.2\n  ]\n ]\n}',
    b'{"j_input": [[2.0, 5.0, 0.0, 0.0], [2.1, 5.1, 0.2, 1.0]]}',
    b'{"j_input": [[0.5, 0.5]]}',
]


def mutated(word: bytes, rng: random.Random) -> bytes:
    """The word with some bytes lost, doubled, swapped or made up."""
    content = bytearray(word)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(content) + 1)
        match rng.randrange(4):
            case 0:
                del content[at : at + rng.randint(1, 5)]
            case 1:
                content[at:at] = content[at : at + rng.randint(1, 9)]
            case 2:
                content[at:at] = rng.randbytes(rng.randint(1, 3))
            case _:
                content[at:at] = rng.choice([b"9", b"-", b"e", b"[", b"]", b"{", b",", b"NaN"])
    return bytes(content)


def made_up(rng: random.Random) -> bytes:
    """A message, in most cases one that cannot be used; the client's name stays the same."""
    kind = rng.random()
    if kind < 0.01:
        return b"ready"
    if kind < 0.45:
        return rng.choice(WORDS)
    word = rng.randbytes(rng.randrange(60)) if kind < 0.6 else mutated(rng.choice(WORDS), rng)
    if kind < 0.601:
        word = word * 5000  # some are longer than is read
    return b"sense" if b"algo: " in word else word


class Listening:
    """Hears all that the server says, whatever it is about, and checks that it is JSON."""

    def __init__(self, client: JoystickClient) -> None:
        self._client, self.heard = client, 0
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        while text := self._client.hear_text():
            json.loads(text)
            self.heard += 1

    def close(self) -> None:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as last:
            last.connect(self._client.send)  # and says nothing, as no server does
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()


def babble(client: JoystickClient, rng: random.Random, count: int) -> None:
    for _ in range(count):
        try:
            client.say(made_up(rng))
        except (BrokenPipeError, ConnectionResetError):
            continue  # it was cut off


def test_messages_of_all_kinds_neither_hang_nor_crash_nor_falsify(tmp_path: Path) -> None:
    """100,000 messages, and a client that drives on its own in between."""
    rng = random.Random(16)
    target = course(tmp_path, 1200, time_limit_s=0.5)
    good: list[str] = []
    with serving(target, tmp_path, options=RunOptions(hang_limit_s=5.0), wait_s=1.0) as server:
        for _ in range(10):
            with JoystickClient(tmp_path) as client:
                client.greet()
                client.say("algo: Page")
                listening = Listening(client)
                babble(client, rng, 10_000)
                listening.close()
                assert listening.heard > 50
            server.await_last("waiting for a client")  # not to be taken for the one before
            good.append(driven_well(tmp_path))
        with pytest.raises(Exception, match="no client has come"):
            server.done()
    records = [load_record(path) for path in (tmp_path / "run" / "records").glob("*.npz")]
    assert len(records) > 400
    for record in records:
        assert rerun(record).is_identical
    for name in good:
        record = record_of(tmp_path, name)
        assert record.outcome is Outcome.OUT_OF_TIME
        assert record.commands.tolist() == [
            [2.0 + 0.01 * step, 5.0, math.pi / 7] for step in range(1, 11)
        ]


def driven_well(folder: Path) -> str:
    """One episode by a client that came after one that babbled; its name."""
    with JoystickClient(folder) as client:
        name = str(client.greet()[0])
        assert client.begin()["episode_name"] == name
        for step in range(1, 11):
            client.act([2.0 + 0.01 * step, 5.0, math.pi / 7, 0.2])
        last: Any = client.sense()
        assert last["termination_cause"] == "Timeout"
        return name
