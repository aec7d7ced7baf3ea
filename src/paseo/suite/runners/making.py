"""Making planners in the process of the command, where nobody else could end one that hangs."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from paseo.errors import BadValue

AGAIN = 0.1  # seconds until a planner that caught the first alarm gets the next
LONGEST = 1e6  # seconds; timers refuse what is much longer


class _TooLong(BaseException):
    """Not an Exception, which a planner might catch."""


@contextmanager
def made_within(limit: float, planner: str) -> Iterator[None]:
    """Raise `BadValue` if what is made inside takes longer than `limit` seconds.

    Only the main thread can be interrupted, and not on Windows; elsewhere there is no limit.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGALRM, _alarm)
    try:
        signal.setitimer(signal.ITIMER_REAL, min(limit, LONGEST), AGAIN)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
    except _TooLong:
        raise BadValue(
            f"planner '{planner}' did not get made within {limit:g} s; do in begin() what takes "
            "long, or raise hang_limit_s",
            parameters=("hang_limit_s",),
        ) from None
    finally:
        signal.signal(signal.SIGALRM, before)


def _alarm(_signal: int, _frame: FrameType | None) -> None:
    raise _TooLong
