"""Commands that are stopped from outside: TERM and HUP do what Ctrl-C does."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

INTERRUPTED = 130  # the exit code after Ctrl-C, as shells give it: 128 and the signal's number
SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)
)  # Windows has no SIGHUP
TWICE = 0.5  # seconds within which two signals are one: `timeout` and terminals send it twice


class Stop:
    """Which signal has stopped a command, if one has."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._first: tuple[signal.Signals, float] | None = None
        self._terminals = [each for each in (1, 2) if os.isatty(each)]

    @property
    def words(self) -> str:
        """How the command ended, for whoever reads along."""
        return "interrupted" if self._first is None else f"stopped by {self._first[0].name}"

    def exit_code(self, code: int) -> int:
        """The code, of the signal that came where it is that of Ctrl-C."""
        if code != INTERRUPTED or self._first is None:
            return code
        return 128 + self._first[0]

    def handle(self, number: int, frame: FrameType | None) -> None:
        """Do what Ctrl-C does at this moment; end the process the second time."""
        now = self._clock()
        if self._first is not None:
            if now - self._first[1] > TWICE:
                signal.signal(number, signal.SIG_DFL)
                signal.raise_signal(number)
            return
        self._first = signal.Signals(number), now
        _let_go(self._terminals)
        as_ctrl_c = signal.getsignal(signal.SIGINT)
        if not callable(as_ctrl_c):  # a shell that starts something in the background ignores it
            raise KeyboardInterrupt
        as_ctrl_c(signal.SIGINT, frame)


@contextmanager
def stopped_like_ctrl_c(clock: Callable[[], float] = time.monotonic) -> Iterator[Stop]:
    """While this lasts, TERM and HUP stop what runs here as Ctrl-C would, and a second ends it.

    One that is ignored, as `nohup` has it, stays ignored.
    """
    stop = Stop(clock)
    if threading.current_thread() is not threading.main_thread():  # only that hears signals
        yield stop
        return
    heard = [each for each in SIGNALS if signal.getsignal(each) is not signal.SIG_IGN]
    before = {each: signal.signal(each, stop.handle) for each in heard}
    try:
        yield stop
    finally:
        for each, handler in before.items():
            signal.signal(each, signal.SIG_DFL if handler is None else handler)


def leave_to_parent() -> None:
    """In a process that was forked: what stops all of a command is its parent's to handle."""
    for each in (signal.SIGINT, *SIGNALS):
        signal.signal(each, signal.SIG_IGN)


def _let_go(terminals: list[int]) -> None:
    """Have nobody fail who still says something to a terminal that was closed."""
    gone = [each for each in terminals if not os.isatty(each)]
    with suppress(OSError):
        for each in gone:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, each)
            os.close(nowhere)
