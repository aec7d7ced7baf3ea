"""The socket that clients speak to: one connection for each message, read all the time."""

import errno
import os
import selectors
import socket
import stat
import threading
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from paseo.errors import InputError

LONGEST_PATH = 107  # bytes, which is all that fits into the address of a socket
LARGEST_MESSAGE = 1 << 16  # bytes; what is longer is cut off
LONGEST_MESSAGE = 5.0  # seconds from its first byte to its last
MOST_WAITING = 4096  # messages; whoever sends more waits
MOST_OPEN = 64  # connections; of more, the oldest that says nothing is closed
BACKLOG = 64
CHUNK = 1 << 12
PAUSE = 0.02  # seconds


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
    watched: bool = False  # by the selector: what comes at once need not be

    @property
    def is_silent(self) -> bool:
        return not self.ended and not self.content


class Inbox:
    """Messages in the order of their connections.

    A thread reads them whenever nobody else does. Who asks for one reads from then on, which is
    faster by two changes of thread, and must `leave` before it turns to what may take long. A
    connection on which nothing is said keeps nobody waiting.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._listener = _bound(path)
        self._inode = path.stat().st_ino
        self._messages: deque[bytes | CutOff] = deque()
        self._selector = selectors.DefaultSelector()
        self._order: list[_Connection] = []
        self._accepted = self._said = self._greeted = 0  # numbers of connections
        self.called = threading.Event()  # somebody has connected
        self._reading = threading.Lock()  # held by whoever reads
        self._left, self._attended = threading.Event(), False
        self._closing = False
        self._wake, self._woken = socket.socketpair()
        self._thread = threading.Thread(target=self._read, name="joystick inbox", daemon=True)

    def __enter__(self) -> Self:
        for each in (self._listener, self._woken):
            each.setblocking(False)
            self._selector.register(each, selectors.EVENT_READ)
        self._left.set()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing = True
        self._wake.send(b"!")
        self.leave()
        self._thread.join()
        for each in (*(c.socket for c in self._order), self._listener, self._wake, self._woken):
            each.close()
        self._selector.close()
        with suppress(OSError):
            if self._path.stat().st_ino == self._inode:  # nobody else's by now
                self._path.unlink()

    def get(self, within: float) -> bytes | CutOff | None:
        """The next message; None if none comes in so many seconds."""
        self._attend()
        left, deadline = within, time.monotonic() + within
        while not self._messages:
            self._turn(max(0.0, left))
            if left <= 0:
                break
            left = deadline - time.monotonic()
        return self._messages.popleft() if self._messages else None

    def leave(self) -> None:
        """Let the thread read again, until the next `get`."""
        if self._attended:
            self._attended = False
            self._reading.release()
            self._left.set()

    def _attend(self) -> None:
        if not self._attended:
            self._left.clear()
            self._wake.send(b"!")
            self._reading.acquire()
            self._attended = True

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
        self._attend()
        for _ in range(2 * BACKLOG):  # whoever has come by now is seen
            if not self._turn(0.0):
                break
        deadline = time.monotonic() + within
        while self.newcomer and time.monotonic() < deadline:
            self._turn(PAUSE)  # also if more wait than usual: somebody may have spoken
        self.leave()
        return self.newcomer

    def forget(self) -> None:
        """Drop what has not been asked for, and all who have connected but a newcomer."""
        while self.get(0) is not None:
            pass
        self.called.clear()
        if self.newcomer:
            self.called.set()
        self.leave()

    def _read(self) -> None:
        while self._left.wait() and not self._closing:
            with self._reading:
                full = len(self._messages) >= MOST_WAITING
                if not full:
                    self._turn(None)
            if full:
                time.sleep(PAUSE)

    def _turn(self, within: float | None) -> bool:
        """Read what comes next, be it all of a message or a part; False: nothing came."""
        if any(each.content for each in self._order):
            within = min(LONGEST_MESSAGE / 10, LONGEST_MESSAGE if within is None else within)
        ready = self._selector.select(within)
        for key, _ in ready:
            if key.fileobj is self._listener:
                self._accept()
            elif key.fileobj is self._woken:
                self._woken.recv(CHUNK)
            else:
                self._receive(key.data)
        if self._order:
            self._cut_slow()
            self._hand_on()
        return bool(ready)

    def _accept(self) -> None:
        with suppress(OSError):  # whoever it was has gone again
            fresh, _ = self._listener.accept()
            self._accepted += 1
            connection = _Connection(fresh, self._accepted)
            self._order.append(connection)
            self._receive(connection)
            if not connection.ended:
                connection.watched = True
                self._selector.register(fresh, selectors.EVENT_READ, connection)
            self.called.set()
        if len(self._order) > MOST_OPEN:
            idle = (each for each in self._order if each.is_silent)
            if (oldest := next(idle, None)) is not None:
                self._end(oldest)

    def _receive(self, connection: _Connection) -> None:
        """Read what is there; what is beyond the largest message is read and dropped."""
        try:
            while chunk := connection.socket.recv(CHUNK, socket.MSG_DONTWAIT):
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
        if connection.watched:
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
                self._messages.append(CutOff(each.fault) if each.fault else bytes(each.content))
        self._order = left


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
    mode = path.lstat().st_mode
    if not stat.S_ISSOCK(mode):
        kind = "folder" if stat.S_ISDIR(mode) else "file"
        raise InputError(
            f"{path}: is no socket but a {kind}; choose another receive", parameters=("receive",)
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
