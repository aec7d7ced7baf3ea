"""Sense-act round trips through the Joystick sockets with 44 people, beside a bare echo.

    python benchmarks/remote/joystick.py [ROUND_TRIPS]

Wanted: 2,000 round trips a second with a client in Python, and at most 0.6 ms of the server's
processor time for each, a tenth of what the original needs. The echo answers as many bytes over
the same two sockets, one connection for each message, and does nothing else; the client is the
same, and lean: the original's makes objects of every person. On a busy machine client and server
wait for others most of the time: both are measured several times, in turn, and the best counts.
"""

import json
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paseo.data.store.locations import DataFolder
from paseo.data.suites.episodes import scenario
from paseo.planners.choices import PlannerChoice
from paseo.remote.joystick.serving import serve
from paseo.remote.joystick.states import first_state
from paseo.remote.joystick.telling import Telling
from paseo.sim.episode import EpisodeRun
from paseo.suite.runs.jobs import jobs_of
from paseo.suite.runs.planning import RunOptions, plan_run
from paseo.world.motion import Control

PEOPLE, ROUNDS, SIDE = 44, 3, 20.0
WANTED_RATE, WANTED_CPU_MS = 2000.0, 0.6
DT = 0.05


@dataclass(frozen=True, slots=True)
class Speed:
    """Of one run."""

    rate: float  # round trips a second
    cpu_ms: float  # of the server, for each

    def __str__(self) -> str:
        return f"{self.rate:7.0f} round trips/s, {self.cpu_ms:6.3f} ms of the server's processor"


def suite(folder: Path, trips: int) -> Path:
    """A short episode and a long one, which differ by so many steps; nobody leaves."""
    (folder / "room.txt").write_text(f"0 0\n{SIDE} 0\n{SIDE} {SIDE}\n0 {SIDE}\n")
    last = (trips + 20) * DT
    episode = {
        "map": "room.txt",
        "start": {"x_m": 2.0, "y_m": 1.0},
        "goal": {"x_m": 18.0, "y_m": 1.0},
        "people": [
            {"id": k + 1, "path": [[0.0, 1 + k % 11, 4 + k // 11], [last, 2 + k % 11, 9 + k // 11]]}
            for k in range(PEOPLE)
        ],
    }
    content = {
        "format": "paseo-suite",
        "version": 1,
        "name": "trips",
        "episodes": [
            {**episode, "name": "short", "time_limit_s": DT},
            {**episode, "name": "long", "time_limit_s": (trips + 1) * DT},
        ],
    }
    path = folder / "trips.json"
    path.write_text(json.dumps(content))
    return path


def said(path: str, text: str) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as speaker:
        speaker.connect(path)
        speaker.sendall(text.encode())


def heard(listener: socket.socket) -> Any:
    connection, _ = listener.accept()
    with connection:
        return json.loads(b"".join(iter(lambda: connection.recv(1 << 16), b"")))


def drive(receive: str, send: str) -> None:
    """The client: two episodes, of which the second is timed; prints round trips and seconds."""
    with (
        socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as first,
        socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener,
    ):
        while True:
            try:
                first.connect(receive)
                break
            except OSError:
                time.sleep(0.01)
        listener.bind(send)
        listener.listen(1)
        listener.accept()[0].close()
        for _ in heard(listener)["episodes"]:
            heard(listener)
            said(receive, "ready")
            begun, trips = time.perf_counter(), 0
            while True:
                said(receive, "sense")
                state = heard(listener)
                if not state["robot_on"]:
                    break
                x, y, _ = state["robots"]["robot_agent"]["current_config"]
                assert len(state["pedestrians"]) == PEOPLE
                said(receive, json.dumps({"j_input": [[x, y, 0.1, 0.0]]}, indent=1))
                trips += 1
        print(trips, time.perf_counter() - begun)


def timed(folder: Path, work: Any) -> Speed:
    """What a client sees of whoever serves, and how long that worked between two episodes' ends."""
    paths = str(folder / "recv"), str(folder / "send")
    (folder / "send").unlink(missing_ok=True)
    command = [sys.executable, __file__, "client", *paths]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as client:
        ends = work(folder)
        trips, seconds = map(float, client.communicate(timeout=60)[0].split())
    return Speed(trips / seconds, 1000 * (ends[-1] - ends[-2]) / trips)


def served(folder: Path) -> list[float]:
    """Serve with Paseo; the processor time at the end of each episode."""
    ends: list[float] = []

    def note(what: str, done: int, total: int) -> None:
        if total:
            ends.append(time.process_time())

    with tempfile.TemporaryDirectory() as out:
        serve(
            folder / "trips.json",
            receive=folder / "recv",
            send=folder / "send",
            out=Path(out) / "run",
            options=RunOptions(control=Control.POSITION),
            progress=note,
        )
    return ends


def echoed(folder: Path, trips: int, state: bytes) -> list[float]:
    """Answer what a server would, of the same length, and no more."""
    off = json.dumps({"robot_on": False}).encode()
    ends: list[float] = []
    (folder / "recv").unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(str(folder / "recv"))
        listener.listen(8)

        def hear() -> None:
            connection, _ = listener.accept()
            with connection:
                while connection.recv(1 << 16):
                    pass

        def say(content: bytes) -> None:
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as speaker:
                speaker.connect(str(folder / "send"))
                if content:
                    speaker.sendall(content)

        greeting, _ = listener.accept()
        while True:
            try:
                say(b"")
                break
            except OSError:
                time.sleep(0.01)
        say(json.dumps({"episodes": ["short", "long"]}).encode())
        for steps in (1, trips + 1):
            say(state)
            hear()
            for _ in range(steps):
                hear()
                say(state)
                hear()
            hear()
            say(off)
            ends.append(time.process_time())
        greeting.close()
    (folder / "recv").unlink()
    return ends


def a_state(folder: Path) -> bytes:
    """What Paseo says of 44 people."""
    job = jobs_of(plan_run(folder / "trips.json", PlannerChoice("straight"), RunOptions()))[0]
    world = scenario(job.episode, job.choices, DataFolder(job.data), seed=job.seed)
    run = EpisodeRun(world, Control.POSITION)
    return Telling(world).state(first_state(run.observation))


def main() -> int:
    trips = int(sys.argv[1]) if len(sys.argv) > 1 else 4000
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        suite(folder, trips)
        state = a_state(folder)
        pairs = [
            (timed(folder, served), timed(folder, lambda where: echoed(where, trips, state)))
            for _ in range(ROUNDS)
        ]
    ours, bare = zip(*pairs, strict=True)
    for name, runs in (("paseo", ours), ("bare echo", bare)):
        print(name)
        for each in runs:
            print(f"  {each}")
    best = Speed(max(each.rate for each in ours), min(each.cpu_ms for each in ours))
    share = statistics.median(mine.rate / echo.rate for mine, echo in pairs)
    print(f"a state has {len(state)} bytes; {share:.2f} of the echo's rate (median)")
    print(f"best of {ROUNDS}: {best} (wanted: {WANTED_RATE:.0f}/s and {WANTED_CPU_MS} ms)")
    return 0 if best.rate >= WANTED_RATE and best.cpu_ms <= WANTED_CPU_MS else 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["client"]:
        drive(*sys.argv[2:4])
    else:
        sys.exit(main())
