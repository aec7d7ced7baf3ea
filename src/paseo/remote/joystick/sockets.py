"""Two AF_UNIX sockets, one connection for each message: one is listened at, one is spoken to."""

import errno
import os
import queue
import selectors
import socket
import stat
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from paseo.errors import InputError, PaseoError

LONGEST_PATH = 107  # bytes, which is all that fits into the address of a socket
LARGEST_MESSAGE = 1 << 16  # bytes; what is longer is cut off
LONGEST_MESSAGE = 5.0  # seconds from its first byte to its last
MOST_WAITING = 4096  # messages; whoever sends more waits
MOST_OPEN = 64  # connections; of more, the oldest that says nothing is closed
BACKLOG = 64
CHUNK = 1 << 16
BUSY = (BlockingIOError,)  # of a listener that keeps others waiting
NOT_YET = (*BUSY, FileNotFoundError, ConnectionRefusedError)  # of one who is still to come
PAUSES = (0.0005, 0.02)  # seconds between attempts, the first and the longest


class NobodyListens(PaseoError):
    """Whoever is spoken to has not listened for too long."""


@dataclass(frozen=True, slots=True)
class CutOff:
    """A message that was too long, or took too long, and so is none."""

    fault: str


@dataclass(slots=True, eq=False)
class _Connection:
    socket: socket.socket
    number: int
    content: bytearray = field(default_factory=bytearray)
    since: float = 0.0  # when its first byte came
    fault: str = ""
    ended: bool = False

    @property
    def is_silent(self) -> bool:
        return not self.ended and not self.content


class Inbox:
    """Messages in the order of their connections, read by a thread that never stops reading.

    A connection on which nothing is said keeps nobody waiting.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._listener = _bound(path)
        self._inode = path.stat().st_ino
        self._messages: queue.Queue[bytes | CutOff] = queue.Queue(MOST_WAITING)
        self._selector = selectors.DefaultSelector()
        self._order: list[_Connection] = []
        self._accepted = self._said = self._greeted = 0  # numbers of connections
        self._closing = threading.Event()
        self.called = threading.Event()  # somebody has connected
        self._wake, self._woken = socket.socketpair()
        self._thread = threading.Thread(target=self._read, name="joystick inbox", daemon=True)

    def __enter__(self) -> Self:
        self._listener.setblocking(False)
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._selector.register(self._woken, selectors.EVENT_READ)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._wake.send(b"!")
        self._thread.join()
        for each in (*(c.socket for c in self._order), self._listener, self._wake, self._woken):
            each.close()
        self._selector.close()
        with suppress(OSError):
            if self._path.stat().st_ino == self._inode:  # nobody else's by now
                self._path.unlink()

    def get(self, within: float) -> bytes | CutOff | None:
        """The next message; None if none comes in so many seconds."""
        try:
            return self._messages.get(timeout=max(0.0, within))
        except queue.Empty:
            return None

    def greeted(self) -> None:
        """Note that whoever has connected so far is answered."""
        self._greeted = self._accepted

    @property
    def newcomer(self) -> bool:
        """Whether somebody has connected, and says nothing, since the last message."""
        known = max(self._said, self._greeted)
        return any(each.is_silent and each.number > known for each in tuple(self._order))

    def newcomer_stays(self, within: float) -> bool:
        """Whether there is a newcomer, and no word from it or anybody else for so many seconds."""
        deadline = time.monotonic() + within
        while self.newcomer:
            if time.monotonic() > deadline:
                return True
            time.sleep(PAUSES[1])
        return False

    def forget(self) -> None:
        """Drop what has not been asked for, and all who have connected but a newcomer."""
        while self.get(0) is not None:
            pass
        self.called.clear()
        if self.newcomer:
            self.called.set()

    def _read(self) -> None:
        while not self._closing.is_set():
            begun = any(each.content for each in self._order)
            ready = self._selector.select(LONGEST_MESSAGE / 10 if begun else None)
            for key, _ in ready:
                if key.fileobj is self._listener:
                    self._accept()
                elif key.fileobj is not self._woken:
                    self._receive(key.data)
            self._cut_slow()
            self._hand_on()

    def _accept(self) -> None:
        with suppress(OSError):  # whoever it was has gone again
            fresh, _ = self._listener.accept()
            fresh.setblocking(False)
            self._accepted += 1
            connection = _Connection(fresh, self._accepted)
            self._order.append(connection)
            self._selector.register(fresh, selectors.EVENT_READ, connection)
            self._receive(connection)
            self.called.set()
        if len(self._order) > MOST_OPEN:
            idle = (each for each in self._order if each.is_silent)
            if (oldest := next(idle, None)) is not None:
                self._end(oldest)

    def _receive(self, connection: _Connection) -> None:
        """Read what is there; what is beyond the largest message is read and dropped."""
        try:
            while chunk := connection.socket.recv(CHUNK):
                connection.since = connection.since or time.monotonic()
                self._said = max(self._said, connection.number)
                if len(connection.content) + len(chunk) > LARGEST_MESSAGE:
                    connection.fault = f"a message has more than {LARGEST_MESSAGE} bytes"
                    return self._end(connection)
                connection.content += chunk
        except BlockingIOError:
            return None
        except OSError as error:
            connection.fault = f"a message broke off ({error.strerror})"
        return self._end(connection)

    def _end(self, connection: _Connection) -> None:
        connection.ended = True
        self._selector.unregister(connection.socket)
        connection.socket.close()

    def _cut_slow(self) -> None:
        now = time.monotonic()
        for each in self._order:
            if each.content and not each.ended and now - each.since > LONGEST_MESSAGE:
                each.fault = f"a message did not end within {LONGEST_MESSAGE:g} s"
                self._end(each)

    def _hand_on(self) -> None:
        """Hand on what has ended, up to the first that is still being said."""
        left: list[_Connection] = []
        for each in self._order:
            if not each.ended or any(other.content for other in left):
                left.append(each)
            elif each.fault or each.content:
                self._put(CutOff(each.fault) if each.fault else bytes(each.content))
        self._order = left

    def _put(self, message: bytes | CutOff) -> None:
        while not self._closing.is_set():
            with suppress(queue.Full):
                return self._messages.put(message, timeout=0.1)


def _bound(path: Path) -> socket.socket:
    """A socket that listens at the path; a file that a dead process left there is replaced."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        try:
            listener.bind(str(path))
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
            _check_stale(path)
            path.unlink()
            listener.bind(str(path))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise InputError(
            f"{path}: no socket can be made there ({error.strerror}); choose another receive",
            parameters=("receive",),
        ) from error
    except InputError:
        listener.close()
        raise
    return listener


def check_length(path: Path, parameter: str) -> None:
    """Raise where the path is too long for a socket; `parameter` is who named it."""
    length = len(os.fsencode(path))
    if length > LONGEST_PATH:
        raise InputError(
            f"{path}: has {length} bytes, but a socket's path at most {LONGEST_PATH}; choose a "
            f"shorter {parameter}",
            parameters=(parameter,),
        )


def _check_stale(path: Path) -> None:
    """Raise where the path is in use, by a program or as a file of another kind."""
    if not stat.S_ISSOCK(path.lstat().st_mode):
        raise InputError(
            f"{path}: is no socket but a file; choose another receive", parameters=("receive",)
        )
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.setblocking(False)
        with suppress(ConnectionRefusedError):
            with suppress(BlockingIOError):  # so busy that it keeps others waiting
                probe.connect(str(path))
            raise InputError(
                f"{path}: another program listens there, perhaps another paseo serve; stop it or "
                "choose another receive",
                parameters=("receive",),
            )


def connected(
    path: Path, *, within: float, despite: tuple[type[OSError], ...] = BUSY
) -> socket.socket:
    """A connection to whoever listens at the path; `NobodyListens` if that cannot be had.

    Attempts are made for so many seconds `despite` these errors: by default, only where whoever
    listens is busy.
    """
    deadline, pause = time.monotonic() + within, PAUSES[0]
    while True:
        speaker = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        speaker.setblocking(False)
        try:
            speaker.connect(str(path))
            return speaker
        except OSError as error:
            speaker.close()
            left = deadline - time.monotonic()
            if left <= 0 or not isinstance(error, despite):
                raise NobodyListens(f"nobody listens at {path} ({error.strerror})") from error
        time.sleep(min(pause, left))
        pause = min(2 * pause, PAUSES[1])


def deliver(path: Path, text: str, *, within: float, until_read: bool = False) -> None:
    """Send one message over a connection of its own; `NobodyListens` if it is not taken.

    With `until_read` it is also waited, in the same seconds, for the other end to be closed.
    """
    deadline = time.monotonic() + within
    with connected(path, within=within) as speaker:
        speaker.settimeout(max(0.05, deadline - time.monotonic()))
        try:
            speaker.sendall(text.encode())
        except OSError as error:
            raise NobodyListens(
                f"whoever listens at {path} did not take a message ({error.strerror or error})"
            ) from error
        if until_read:
            with suppress(OSError):
                speaker.shutdown(socket.SHUT_WR)
                speaker.recv(1)
