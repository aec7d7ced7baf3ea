"""Worker processes as the process that gives orders sees them: hired, watched, dismissed."""

import json
import multiprocessing
import os
import socket
import struct
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import connection, forkserver
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from paseo.data.suites.suite_file import EpisodeEntry
from paseo.errors import PaseoError
from paseo.suite.runners.answers import Answer, received
from paseo.suite.runners.strays import end_orphans, end_session, is_child, parent_of
from paseo.suite.runners.watching import Notebook
from paseo.suite.runners.worker import Introduction, Order, work

FAREWELL = 2.0  # seconds in which a process whose pipe has closed must have ended
UNKNOWN = 255  # the exit code, by `multiprocessing`, of a process whose server is gone
STALLED = 10  # seconds in which another byte of a message must have come
MOST_HIRES = 5  # tries to start a process; the server they are forked from may be killed meanwhile
PAUSE = 0.2  # seconds before the next
MEGABYTE = 1_000_000
AHEAD = "PASEO_AHEAD"  # tells the server, by its environment, what workers will read
MOST_AHEAD = 8  # recordings, and maps; more are not kept


class Witness:
    """Sees whether a process lives, whatever became of the one that started it."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._handle: int | None = None  # None: the system shows none
        if sys.platform == "linux":
            with suppress(OSError):
                self._handle = os.pidfd_open(pid)

    def sees(self) -> bool:
        """Whether it can tell."""
        return self._handle is not None

    def saw_end(self, within: float = 0.0) -> bool:
        """Whether the process has ended, or does so within some seconds."""
        return self._handle is not None and bool(connection.wait([self._handle], within))

    def leave(self) -> None:
        """Look no longer."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


@dataclass(slots=True)
class Worker:
    """A process that carries out orders, for one planner only.

    It outlives the server that it was forked from, which alone would have known its exit code.
    """

    process: BaseProcess
    pipe: Connection
    notes: Notebook
    witness: Witness
    server: Witness | None  # of the process it was forked from
    planner: str | None = None  # whom it has served; None: nobody yet
    order: Order | Introduction | None = None
    is_gone: bool = field(default=False, init=False)  # its end of the pipe is closed

    def give(self, order: Order | Introduction) -> None:
        """Have an order carried out."""
        self.order, self.planner = order, order.planner
        self.notes.begin()
        try:
            self.pipe.send(order)
        except (ConnectionError, BlockingIOError):
            self.is_gone = True

    def answer(self) -> Answer | None:
        """What it has sent, if that answers its order."""
        try:
            answer = received(self.pipe)
        except BlockingIOError:  # a planner began to send something and does not go on
            self.process.kill()
            self.is_gone = True
            return None
        except (EOFError, OSError):
            self.is_gone = True
            return None
        if answer is None or self.order is None or answer.key != self.order.key:
            return None  # a stray, sent by what the planner left behind
        return answer

    def is_alive(self) -> bool:
        """Whether the process lives."""
        return not self.witness.saw_end() if self.witness.sees() else self.process.is_alive()

    def has_died(self) -> bool:
        """Whether no answer can come any more."""
        # A pipe that has closed can be read, so the second half asks whether an answer is left.
        return self.is_gone or not (self.is_alive() or self.pipe.poll())

    def exit_code(self) -> int | None:
        """Of a process that has died; None where nobody knows it any more."""
        self.process.join(FAREWELL)
        code = self.process.exitcode
        # So it is told where the server, which closes its files first, is about to have ended.
        patience = FAREWELL if code == UNKNOWN else 0.0
        return None if self.server and self.server.saw_end(patience) else code

    def silent_s(self) -> float:
        """Seconds since the planner was asked what it has not answered; 0: it has."""
        asked_at = self.notes.asked_at()
        return 0.0 if asked_at is None else time.monotonic() - asked_at

    def still_s(self) -> float:
        """Seconds without any sign of life, whoever is at work."""
        return time.monotonic() - self.notes.noted_at()

    def memory_mb(self) -> float:
        """What it has in memory, in millions of bytes; 0 where the system does not tell."""
        try:
            pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        except (OSError, ValueError, IndexError):
            return 0.0
        return pages * os.sysconf("SC_PAGE_SIZE") / MEGABYTE

    def dismiss(self) -> None:
        """End it, and all that its planner started."""
        self.process.kill()
        if self.process.pid is not None and sys.platform != "win32":
            end_session(self.process.pid)  # also where its server was killed and knows it no more
        self.process.join()
        self.pipe.close()
        self.witness.leave()
        if self.server is not None:
            end_orphans(self.server.pid)
            self.server.leave()


def hired(steps: int) -> Worker:
    """A new worker, for episodes of so many steps at the most."""
    notes = Notebook(steps)
    for _ in range(MOST_HIRES):
        try:
            process, pipe = _launched(notes)
        except (EOFError, ConnectionError):
            time.sleep(PAUSE)  # the server was killed; when it has ended, another is started
            continue
        assert process.pid is not None
        server = parent_of(process.pid)
        above = None if server is None else Witness(server)
        worker = Worker(process, pipe, notes, Witness(process.pid), above)
        if server is None or is_child(server) or sys.platform != "linux":
            return worker
        worker.dismiss()  # its server was killed, and somebody else's process has adopted it
    raise PaseoError(
        f"no worker process could be started in {MOST_HIRES} tries: something kills them; see to "
        "it that the system lets them run"
    )


def expect(data: Path, episodes: Iterable[EpisodeEntry]) -> None:
    """Have the server that workers are forked from read ahead what each of them would read.

    One that is running already knows what it was told then.
    """
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return
    _context()
    listed = tuple(episodes)
    placed = dict.fromkeys(each.recording for entry in listed for each in entry.recordings)
    maps = dict.fromkeys(entry.map for entry in listed)
    ahead = [str(data), [*placed][:MOST_AHEAD], [*maps][:MOST_AHEAD]]
    os.environ[AHEAD] = json.dumps(ahead)
    try:
        forkserver.ensure_running()
    finally:
        del os.environ[AHEAD]


def _launched(notes: Notebook) -> tuple[BaseProcess, Connection]:
    context = _context()
    ours, theirs = context.Pipe()
    process = context.Process(target=work, args=(theirs, notes), daemon=True)
    process.start()
    theirs.close()
    _limit_waiting(ours)
    return process, ours


def _limit_waiting(pipe: Connection) -> None:
    """Have nobody wait for the rest of a message for longer than `STALLED`, where pipes can."""
    if sys.platform == "linux":
        limit = struct.pack("ll", STALLED, 0)  # a timeval: seconds and microseconds
        with socket.socket(fileno=os.dup(pipe.fileno())) as same:
            same.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, limit)
            same.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, limit)


def _context() -> Any:
    """Workers forked from a clean server that has imported everything, where that exists."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["paseo.suite.runners.nursery"])
    return context
