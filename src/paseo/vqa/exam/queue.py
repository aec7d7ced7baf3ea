"""Requests that wait their turn, or for the time to be tried again."""

import heapq
import math
from dataclasses import dataclass, field
from itertools import count

from paseo.vqa.exam.sessions import QuestionGraph, Request


@dataclass(slots=True, order=True)
class PendingRequest:
    """A request on its way: the oldest sitting first, so that its pictures can be let go."""

    course_number: int
    number: int
    course: QuestionGraph = field(compare=False)
    request: Request = field(compare=False)
    attempts: int = field(default=0, compare=False)
    started: float = field(default=0.0, compare=False)


class RequestQueue:
    """Tickets in the order they are to be served."""

    def __init__(self) -> None:
        self._ready: list[PendingRequest] = []  # a heap
        self._later: list[tuple[float, PendingRequest]] = []  # a heap by time
        self._numbers = count(1)

    def __len__(self) -> int:
        """How many are ready now."""
        return len(self._ready)

    @property
    def empty(self) -> bool:
        """Whether nobody waits, not even for later."""
        return not (self._ready or self._later)

    def add(self, course: QuestionGraph, course_number: int, request: Request) -> None:
        """A request that can be made at once."""
        ticket = PendingRequest(course_number, next(self._numbers), course, request)
        heapq.heappush(self._ready, ticket)

    def add_later(self, ticket: PendingRequest, at: float) -> None:
        """One that is to be made again at a time."""
        heapq.heappush(self._later, (at, ticket))

    def call(self, now: float) -> None:
        """Make those ready whose time has come."""
        while self._later and self._later[0][0] <= now:
            heapq.heappush(self._ready, heapq.heappop(self._later)[1])

    def next(self) -> PendingRequest:
        """The first that is ready; it leaves."""
        return heapq.heappop(self._ready)

    def until_next_call_s(self, now: float) -> float:
        """Seconds until another one gets ready by itself; infinite if none will."""
        return self._later[0][0] - now if self._later else math.inf
