"""A Joystick client written from the page of the protocol alone, and a server to try it on."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from paseo.remote.joystick.serving import serve
from paseo.suite.running import Run

PATIENCE = 30.0  # seconds after which a test that waits has failed


class JoystickClient:
    """Speaks by a fresh connection for each message, and hears by accepting one for each."""

    def __init__(self, folder: Path) -> None:
        self.receive, self.send = str(folder / "recv"), str(folder / "send")
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.listener.settimeout(PATIENCE)
        self.first = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.first.close()
        self.listener.close()

    def call(self) -> None:
        """The first connection, on which nothing is said."""
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                return self.first.connect(self.receive)
            except (FileNotFoundError, ConnectionRefusedError):
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.005)

    def listen(self) -> None:
        Path(self.send).unlink(missing_ok=True)
        self.listener.bind(self.send)
        self.listener.listen(1)

    def episodes(self) -> list[str]:
        """The rest of the handshake: a connection to drop, and one with the names."""
        self.listener.accept()[0].close()
        names: list[str] = self.hear()["episodes"]
        return names

    def greet(self) -> list[str]:
        self.call()
        self.listen()
        return self.episodes()

    def say(self, text: str | bytes) -> None:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as speaker:
            speaker.connect(self.receive)  # waits where the server has too many waiting
            speaker.sendall(text.encode() if isinstance(text, str) else text)

    def hear_text(self) -> str:
        connection, _ = self.listener.accept()
        with connection:
            return b"".join(iter(lambda: connection.recv(1024), b"")).decode()

    def hear(self) -> Any:
        return json.loads(self.hear_text())

    def sense(self) -> Any:
        self.say("sense")
        return self.hear()

    def act(self, *commands: list[float]) -> None:
        self.say(json.dumps({"j_input": list(commands)}, indent=1))

    def begin(self, name: str | None = "Page") -> Any:
        """From the metadata, which is returned, to `ready`."""
        metadata = self.hear()
        if name is not None:
            self.say(f"algo: {name}")
        self.say("ready")
        return metadata

    def drive(self, policy: Callable[[Any], list[float]]) -> Any:
        """Sense and act until the robot is off; the last message."""
        while (state := self.sense())["robot_on"]:
            self.act(policy(state))
        return state


def towards(goal: list[float], *, step: float = 0.055) -> Callable[[Any], list[float]]:
    """Straight on to the goal, in steps of so many metres."""

    def policy(state: Any) -> list[float]:
        x, y, _ = state["robots"]["robot_agent"]["current_config"]
        away = ((goal[0] - x) ** 2 + (goal[1] - y) ** 2) ** 0.5
        share = min(1.0, step / away)
        return [x + share * (goal[0] - x), y + share * (goal[1] - y), 0.0, step / 0.05]

    return policy


def home(metadata: Any) -> Callable[[Any], list[float]]:
    """Straight on to the goal that the metadata tell."""
    return towards(metadata["robots"]["robot_agent"]["goal_config"])


class Serving:
    """A server in a thread, what it says, and what comes of it."""

    def __init__(self) -> None:
        self.run: Future[Run] = Future()
        self.news: list[str] = []

    def hear(self, what: str, done: int, total: int) -> None:
        if not total:
            self.news.append(what)

    def await_news(self, words: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while not any(words in each for each in tuple(self.news)):
            if time.monotonic() > deadline:
                raise TimeoutError(words)
            time.sleep(0.005)

    def done(self) -> Run:
        return self.run.result(PATIENCE)


@contextmanager
def serving(target: str | Path | None, folder: Path, **options: Any) -> Iterator[Serving]:
    """Serve with the sockets and the run in a folder, while the test speaks to the server."""
    started = Serving()
    paths = {"receive": folder / "recv", "send": folder / "send", "out": folder / "run"}

    def work() -> None:
        try:
            run = serve(target, progress=started.hear, **{"wait_s": PATIENCE, **paths, **options})
        except BaseException as error:
            started.run.set_exception(error)
        else:
            started.run.set_result(run)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield started
    finally:
        thread.join(PATIENCE)
        assert not thread.is_alive()
