"""The socket that clients listen at: a connection of its own for each message."""

import socket
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from paseo.errors import PaseoError

BUSY = (BlockingIOError,)  # of a listener that keeps others waiting
NOT_YET = (*BUSY, FileNotFoundError, ConnectionRefusedError)  # of one who is still to come
PAUSES = (0.0005, 0.02)  # seconds between attempts, the first and the longest


class NobodyListens(PaseoError):
    """Whoever is spoken to has not listened for too long."""


def _nothing() -> None:
    """What is done before a wait, unless somebody says."""


def connected(
    path: Path,
    *,
    within: float,
    despite: tuple[type[OSError], ...] = BUSY,
    before_waiting: Callable[[], None] = _nothing,
) -> socket.socket:
    """A connection to whoever listens at the path; `NobodyListens` if that cannot be had.

    Attempts are made for so many seconds `despite` these errors: by default, only where whoever
    listens is busy.
    """
    deadline, pause = time.monotonic() + within, PAUSES[0]
    while True:
        speaker = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
        try:
            speaker.connect(str(path))
            return speaker
        except OSError as error:
            speaker.close()
            left = deadline - time.monotonic()
            if left <= 0 or not isinstance(error, despite):
                raise NobodyListens(f"nobody listens at {path} ({error.strerror})") from error
        before_waiting()
        time.sleep(min(pause, left))
        pause = min(2 * pause, PAUSES[1])


def deliver(
    path: Path,
    content: bytes,
    *,
    within: float,
    until_read: bool = False,
    before_waiting: Callable[[], None] = _nothing,
) -> None:
    """Send one message over a connection of its own; `NobodyListens` if it is not taken.

    With `until_read` it is also waited, in the same seconds, for the other end to be closed.
    """
    deadline = time.monotonic() + within
    with connected(path, within=within, before_waiting=before_waiting) as speaker:
        try:
            sent = _sent_at_once(speaker, content)
            if sent < len(content) or until_read:
                before_waiting()
                speaker.settimeout(max(0.05, deadline - time.monotonic()))
                speaker.sendall(content[sent:])
        except OSError as error:
            raise NobodyListens(
                f"whoever listens at {path} did not take a message ({error.strerror or error})"
            ) from error
        if until_read:
            with suppress(OSError):
                speaker.shutdown(socket.SHUT_WR)
                speaker.recv(1)


def _sent_at_once(speaker: socket.socket, content: bytes) -> int:
    try:
        return speaker.send(content)
    except BlockingIOError:
        return 0
