"""Time that runs at the clock on the wall, while the planner thinks in a thread of its own."""

import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue
from threading import TIMEOUT_MAX, Thread
from typing import Protocol

from paseo.errors import PlannerFailed
from paseo.sim.clock import Ask
from paseo.sim.holding import Answer, CommandHold, answered
from paseo.world.clocks import Timekeeping
from paseo.world.motion import Command
from paseo.world.planning import Observation

HANG_LIMIT_S = 60.0

Think = Callable[[], Answer]


class Pace:
    """Lets steps begin at least `dt` of the wall clock apart; time that is lost stays lost.

    As in the original there is no catching up: after a hold-up the world would else run faster than
    the planner's own clock.
    """

    def __init__(
        self,
        dt: float,
        *,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._dt, self._now, self._sleep = dt, now, sleep
        self._due: float | None = None  # when the next step may begin

    def wait(self) -> None:
        """Return when the next step is to begin; the first does at once."""
        at = self._now()
        if self._due is not None and at < self._due:
            self._sleep(self._due - at)
            at = self._due
        self._due = at + self._dt


class Thinker(Protocol):
    """Somebody who thinks while the world goes on."""

    def think(self, work: Think) -> "Future[Answer]":
        """Begin to think, and return at once."""

    def close(self, within: float) -> None:
        """Think no more; what is under way is waited for, but not for ever."""


class ThinkingThread:
    """One thread, for planners that keep to theirs; it does not keep Python from ending."""

    def __init__(self) -> None:
        self._work: SimpleQueue[tuple[Think, Future[Answer]] | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name="planner", daemon=True)
        self._thread.start()

    def think(self, work: Think) -> "Future[Answer]":
        """Begin to think, and return at once."""
        future: Future[Answer] = Future()
        self._work.put((work, future))
        return future

    def close(self, within: float) -> None:
        """Let the thread end, and wait so many seconds for it."""
        self._work.put(None)
        self._thread.join(min(within, TIMEOUT_MAX))

    def _run(self) -> None:
        while (given := self._work.get()) is not None:
            work, future = given
            try:
                future.set_result(work())
            except BaseException as error:  # it is raised where the answer is looked for
                future.set_exception(error)


@dataclass(frozen=True, slots=True)
class _Question:
    since: float
    answer: "Future[Answer]"


class AsyncClock:
    """The world steps every `dt` of the wall clock and waits for nobody.

    A planner that is free is shown the present step, so that what it answers at once is done in the
    next; one that has not answered for `hang_limit_s` has failed, and is left alone.
    """

    charged = ()

    def __init__(
        self,
        timekeeping: Timekeeping,
        *,
        hang_limit_s: float = HANG_LIMIT_S,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        thinker: Callable[[], Thinker] = ThinkingThread,
    ) -> None:
        self.timekeeping = timekeeping
        self._limit, self._now, self._sleep, self._made = hang_limit_s, now, sleep, thinker

    def begin(self, dt: float) -> None:
        """Time begins to run with the first step."""
        self._step = 0
        self._pace = Pace(dt, now=self._now, sleep=self._sleep)
        self._hold = CommandHold(self.timekeeping, dt)
        self._question: _Question | None = None
        self._thinker = self._made()

    def command(self, observation: Observation, ask: Ask) -> Command:
        """Wait until the step is due; then what the last answer makes of it."""
        self._pace.wait()
        step, pose = self._step, observation.robot.pose
        self._step += 1
        if self._question is not None:
            self._heard(self._question, step)
        if self._question is None:
            work = partial(answered, ask, observation, step, policy=self.timekeeping)
            self._question = _Question(self._now(), self._thinker.think(work))
        return self._hold.command(step, pose)

    def end(self) -> None:
        """Wait for a planner that still thinks, no longer than it may take."""
        thought = 0.0 if self._question is None else self._now() - self._question.since
        self._thinker.close(max(0.0, self._limit - thought))

    def _heard(self, question: _Question, step: int) -> None:
        """Put an answer in force that has come; `PlannerFailed` if none will."""
        if question.answer.done():
            self._hold.take(question.answer.result(), step)
            self._question = None
        elif self._now() - question.since > self._limit:
            raise PlannerFailed(f"plan() did not return within {self._limit:g} s,")
