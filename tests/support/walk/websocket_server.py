"""A server of Paseo's protocol in a thread, and small courses to drive through."""

import csv
import json
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from joystick_client import Serving
from paseo.listening import Address
from paseo.remote.websocket.serving import serve
from paseo.suite.runs.planning import RunOptions
from paseo.world.recordfile import load_record
from paseo.world.records import Record

PATIENCE = 30.0  # seconds after which a test that waits has failed
PATIENT, HASTY = RunOptions(hang_limit_s=20.0), RunOptions(hang_limit_s=0.5)


class Served(Serving):
    """A server at an address, what it says, and what comes of it."""

    def __init__(self) -> None:
        super().__init__()
        self.where: Future[Address] = Future()
        self.count = 0  # of results

    def hear(self, what: str, done: int, total: int) -> None:
        super().hear(what, done, total)
        self.count = done or self.count

    @property
    def address(self) -> str:
        return str(self.where.result(PATIENCE))


@contextmanager
def served(target: str | Path | None, out: Path, **options: Any) -> Iterator[Served]:
    """Serve at any free port while the test speaks to the server."""
    started = Served()
    asked = {"listen": "localhost:0", "options": PATIENT, "wait_s": PATIENCE, **options}

    def work() -> None:
        try:
            run = serve(
                target, out=out, progress=started.hear, opened=started.where.set_result, **asked
            )
        except BaseException as error:
            started.run.set_exception(error)
            if not started.where.done():
                started.where.set_exception(error)
        else:
            started.run.set_result(run)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        yield started
    finally:
        thread.join(PATIENCE)
        assert not thread.is_alive()


def stored(folder: Path) -> list[Record]:
    """The records of a run, in the order of its table."""
    with (folder / "results.csv").open() as table:
        return [load_record(folder / "records" / row["record"]) for row in csv.DictReader(table)]


class Stranger:
    """A client written from the page of the protocol alone, over a library of somebody else."""

    def __init__(self, address: str, subprotocol: str | None = "paseo.v1.json") -> None:
        offered: list[Any] = [subprotocol] if subprotocol else []
        self._open = connect(
            f"ws://{address}", subprotocols=offered or None, compression=None, max_size=None
        )
        self.heard: list[dict[str, Any]] = []
        self.said: list[dict[str, Any]] = []

    def __enter__(self) -> "Stranger":
        self.connection: ClientConnection = self._open.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    def say(self, kind: str, **fields: Any) -> None:
        self.said.append({"type": kind, **fields})
        self.connection.send(json.dumps({"type": kind, **fields}))

    def hear(self, *kinds: str) -> dict[str, Any]:
        """The next message, which must be of these types."""
        told: dict[str, Any] = json.loads(self.connection.recv(PATIENCE))
        self.heard.append(told)
        assert not kinds or told["type"] in kinds, told
        return told

    def greet(self, client: str = "stranger", **fields: Any) -> dict[str, Any]:
        self.say("hello", version=1, client=client, **fields)
        return self.hear("welcome")

    def begin(self, **wish: Any) -> dict[str, Any]:
        """From `next` to `ready`; what the episode is."""
        self.say("next", **wish)
        told = self.hear("map", "episode")
        if told["type"] == "map":
            told = self.hear("episode")
        self.say("ready")
        return told

    def drive(self) -> dict[str, Any]:
        """Straight on, to the end."""
        while (told := self.hear("observation", "ended"))["type"] == "observation":
            self.say("twist", forward_mps=1.0, turn_radps=0.0)
        return told
