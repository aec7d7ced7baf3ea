"""Runs in the smallest world: a room, three short episodes, and planners that fail."""

import json
import os
import subprocess
import sys
import time
import uuid
from pathlib import Path
from typing import Any

import pytest

from paseo.cli.main import main

PASEO = str(Path(sys.executable).with_name("paseo"))
ROOM = "0 0\n10 0\n10 10\n0 10\n"

# Each drives on for three steps, then does what it is named after.
FAILING = '''
import os, re, signal, sys, time
from paseo import Twist


class Careless:
    """Drives on, then acts."""

    def begin(self, briefing):
        self.asked = 0

    def plan(self, observation):
        self.asked += 1
        return Twist(0.5, 0.0) if self.asked <= 3 else self.act()

    def act(self):
        return Twist(0.5, 0.0)


class Crash(Careless):
    def act(self):
        raise RuntimeError("out of ideas\\nsecond line")


class Nonsense(Careless):
    def act(self):
        return "left"


class Words(Careless):
    def act(self):
        return Twist("fast", 0.0)


class Overflows(Careless):
    def act(self):
        return Twist(10**400, 0)


class Forks(Careless):
    def act(self):
        if self.asked == 4 and os.fork() == 0:
            time.sleep(0.3)  # the copy goes on as well, and ends in the middle of another episode
        return Twist(0.5, 0.0)


class SendsStrays(Careless):
    def act(self):
        import gc
        from multiprocessing.connection import Connection
        for pipe in gc.get_objects():
            if self.asked == 4 and isinstance(pipe, Connection):
                pipe.send(("another episode", None))
        return Twist(0.5, 0.0)


class ClosesFiles(Careless):
    def act(self):
        os.closerange(3, 256)
        return Twist(0.5, 0.0)


class DiesUnasked(Careless):
    def act(self):
        return DiesWhenLookedAt(0.5, 0.0)


class DiesWhenLookedAt(Twist):
    @property
    def forward(self):
        os._exit(4)


class Quits(Careless):
    def act(self):
        sys.exit(0)


class Interrupts(Careless):
    def act(self):
        raise KeyboardInterrupt


class Loops(Careless):
    def act(self):
        while True:
            pass


class HoldsLock(Careless):
    def act(self):
        re.match(r"(a+)+$", "a" * 40 + "b")  # for hours, in C, with the interpreter's lock


class Exits(Careless):
    def act(self):
        os._exit(3)


class KillsItself(Careless):
    def act(self):
        os.kill(os.getpid(), signal.SIGKILL)


class Stalls(Careless):
    def act(self):
        time.sleep(0.4)
        return Twist(0.5, 0.0)


class NeverBegins(Careless):
    def begin(self, briefing):
        while True:
            pass


class CannotBeMadeTwice(Careless):
    def __init__(self):
        try:
            os.close(os.open(__file__ + ".device", os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            raise RuntimeError("no device left") from None


class Talks(Careless):
    def act(self):
        print("I am thinking")
        return Twist(0.5, 0.0)


class GoesElsewhere(Careless):
    def act(self):
        os.chdir("/")
        return Twist(0.5, 0.0)


class Sleeps(Careless):
    def plan(self, observation):
        time.sleep(0.002)
        return Twist(0.5, 0.0)
'''


def suite(folder: Path, **changes: Any) -> Path:
    """A suite of three short episodes in a room, each with somebody crossing."""
    (folder / "room.txt").write_text(ROOM)
    crossing = {"id": 1, "path": [[0.0, 5.0, 1.0], [4.0, 5.0, 9.0]]}
    episodes = [
        {
            "name": name,
            "map": "room.txt",
            "start": {"x_m": 2.0, "y_m": y},
            "goal": {"x_m": 8.0, "y_m": y},
            "time_limit_s": 2.0,
            "people": [crossing],
        }
        for name, y in (("one", 3.0), ("two", 5.0), ("three", 7.0))
    ]
    content = {"format": "paseo-suite", "version": 1, "name": "room", "episodes": episodes}
    path = folder / "suite.json"
    path.write_text(json.dumps({**content, **changes}))
    return path


def failing(folder: Path, name: str) -> str:
    """How to name one of the planners that fail."""
    (folder / "failing.py").write_text(FAILING)
    return f"{folder / 'failing.py'}:{name}"


def refused(capsys: pytest.CaptureFixture[str], *words: object, code: int = 2) -> str:
    """The one sentence with which a command is refused; nothing else is printed."""
    try:
        assert main([str(word) for word in words]) == code
    except SystemExit as error:
        assert error.code == code
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1, printed.err
    assert printed.err.startswith("paseo")
    return printed.err


def results(capsys: pytest.CaptureFixture[str], *words: object) -> list[dict[str, Any]]:
    """The results of a run that works."""
    assert main([str(word) for word in ("run", *words, "--json")]) == 0
    return json.loads(capsys.readouterr().out)["results"]


def records(folder: Path) -> dict[str, bytes]:
    """The bytes of every record of a run, by file name."""
    return {file.name: file.read_bytes() for file in (folder / "records").glob("*.npz")}


def started(*words: object, **options: Any) -> tuple[subprocess.Popen[str], str]:
    """A command as a process group of its own, and the mark that all its processes carry."""
    mark = uuid.uuid4().hex
    environment = {**os.environ, "PASEO_TEST_MARK": mark}
    process = subprocess.Popen(
        [PASEO, *map(str, words)],
        env=environment,
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )
    return process, mark


def alive(mark: str) -> list[int]:
    """Processes that carry the mark and are not merely waiting to be buried."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            dead = "\nState:\tZ" in (folder / "status").read_text()
            if not dead and mark.encode() in (folder / "environ").read_bytes():
                found.append(int(folder.name))
        except OSError:
            continue
    return found


def all_gone(mark: str, looks: int = 3000) -> bool:
    """Whether no process carries the mark any more; those that stay are looked at so often."""
    for _ in range(looks):
        if not alive(mark):
            return True
        time.sleep(0.02)
    return False


def course(folder: Path, *names: str, time_limit_s: float = 4.0, **changes: Any) -> Path:
    """A suite of episodes in which the goal is a metre ahead, and somebody crosses behind it."""
    entries = [
        {
            "name": name,
            "map": "room.txt",
            "start": {"x_m": 2.0, "y_m": 5.0},
            "goal": {"x_m": 3.0, "y_m": 5.0},
            "time_limit_s": time_limit_s,
            "people": [{"id": 7, "path": [[0.0, 5.0, 1.0], [4.0, 5.0, 9.0]]}],
        }
        for name in names
    ]
    return suite(folder, episodes=entries, **changes)
