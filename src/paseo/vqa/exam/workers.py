"""Threads around an exam: some ask the model, one prepares scenes; all report to one queue."""

import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from queue import SimpleQueue
from typing import Generic, Protocol, TypeVar

from paseo.text import error_words
from paseo.vlm.faults import reply_faults
from paseo.vlm.models import Prompt, Reply, VisionModel

Tag = TypeVar("Tag")
Item = TypeVar("Item")


class Clock(Protocol):
    """What an exam knows of time."""

    def monotonic(self) -> float:
        """Seconds that only ever grow."""
        ...

    def time(self) -> float:
        """Seconds since 1970."""
        ...

    def next_report(self, reports: "SimpleQueue[object]", timeout_s: float | None) -> object:
        """What comes next, waited for at most so long; raises `queue.Empty` then."""
        ...


class WallClock:
    """The time that everybody has."""

    def monotonic(self) -> float:
        """Seconds since some moment."""
        return time.monotonic()

    def time(self) -> float:
        """Seconds since 1970."""
        return time.time()

    def next_report(self, reports: "SimpleQueue[object]", timeout_s: float | None) -> object:
        """What comes next."""
        return reports.get(timeout=timeout_s)


WALL = WallClock()


@dataclass(frozen=True, slots=True)
class Arrived(Generic[Tag]):
    """What came of a request."""

    tag: Tag
    outcome: Reply | Exception


@dataclass(frozen=True, slots=True)
class Prepared(Generic[Item]):
    """The next thing that was made ahead; an error ends it, and so does None, after the last."""

    item: Item | BaseException | None


class Stop:
    """Somebody wants the exam to end."""


class Askers(Generic[Tag]):
    """Threads that put prompts to a model and report to a queue.

    They are daemons: a request that hangs must not keep the process from ending.
    """

    def __init__(self, model: VisionModel, reports: "SimpleQueue[object]") -> None:
        self._model, self._reports = model, reports
        self._tasks: SimpleQueue[tuple[Tag, Prompt] | None] = SimpleQueue()
        self._threads = 0

    def ask(self, tag: Tag, prompt: Prompt, *, under_way: int) -> None:
        """Have a free thread, or a new one, ask; `under_way` are busy."""
        if under_way >= self._threads:
            threading.Thread(target=self._work, daemon=True).start()
            self._threads += 1
        self._tasks.put((tag, prompt))

    def forget(self, hanging: int) -> None:
        """Count no longer on so many threads that were asked and do not come back."""
        self._threads -= hanging

    def dismiss(self) -> None:
        """Let the threads end when they are done."""
        self._tasks.put(None)

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None:
            tag, prompt = task
            self._reports.put(Arrived(tag, _asked(self._model, prompt)))
        self._tasks.put(None)  # for the next


def _asked(model: VisionModel, prompt: Prompt) -> Reply | Exception:
    begin = time.monotonic()
    try:
        reply = model.ask(prompt)
    except Exception as error:
        return error
    except BaseException as error:  # else nobody would ever hear of it
        return RuntimeError(error_words(error))
    if faults := reply_faults(reply):
        return TypeError(faults[0])
    if reply.latency_s:
        return reply
    return replace(reply, latency_s=time.monotonic() - begin)


class Ahead(Generic[Item]):
    """A thread that goes through `items`, at most `most` ahead of what was asked for."""

    def __init__(
        self, items: Iterable[Item], reports: "SimpleQueue[object]", *, most: int = 2
    ) -> None:
        self._items, self._reports = items, reports
        self._room = threading.Semaphore(most)
        self._closed = False
        threading.Thread(target=self._work, daemon=True).start()

    def more(self) -> None:
        """One that was made is used up: make another."""
        self._room.release()

    def close(self) -> None:
        """Make no more."""
        self._closed = True
        self._room.release()

    def _work(self) -> None:
        try:
            iterator = iter(self._items)
            while True:
                self._room.acquire()
                if self._closed:
                    return
                item = next(iterator, None)
                self._reports.put(Prepared(item))
                if item is None:
                    return
        except BaseException as error:
            self._reports.put(Prepared(error))
