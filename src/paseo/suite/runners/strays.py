"""Processes that a planner left behind, which end with its worker."""

import ctypes
import multiprocessing
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

PROCESSES = Path("/proc")
ADOPT = 36  # PR_SET_CHILD_SUBREAPER of prctl(2)


def adopt_orphans() -> None:
    """Have processes whose parents end become this one's children, where the system can."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(ADOPT, 1, 0, 0, 0)


def end_session(leader: int) -> None:
    """Kill a worker, which leads a session, and all that stayed in it."""
    for member in [leader, *(pid for pid, _, session in _processes() if session == leader)]:
        _kill(member)


def end_orphans(adopter: int) -> None:
    """Kill those who left their session and whose parents ended, so that `adopter` has them.

    Children of its own, which it was asked for, are known to `multiprocessing`, or have not left.
    Whom a process adopts that is no child of ours, such as the first of the system, is not ours.
    """
    if not is_child(adopter):
        return
    known = {child.pid for child in multiprocessing.active_children()}
    found = list(_processes())
    ours = {session for pid, _, session in found if pid == adopter}
    for pid, parent, session in found:
        if parent == adopter and pid not in known and session not in ours:
            end_session(session)
            _kill(pid)


def is_child(process: int) -> bool:
    """Whether this very process started another."""
    return parent_of(process) == os.getpid()


def parent_of(process: int) -> int | None:
    """Who started a process, or has adopted it."""
    return next((parent for pid, parent, _ in _processes() if pid == process), None)


def _kill(process: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.kill(process, signal.SIGKILL)


def _processes() -> Iterator[tuple[int, int, int]]:
    """The pid, the parent and the session of every process; none where the system keeps it."""
    if sys.platform != "linux":
        return
    for folder in PROCESSES.iterdir():
        if folder.name.isdecimal():
            with suppress(OSError, ValueError):  # it has ended meanwhile
                # The name, in brackets, may hold anything; what follows it does not.
                words = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()
                yield int(folder.name), int(words[1]), int(words[3])
