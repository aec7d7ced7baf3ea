"""How time passes while a planner thinks, as values: which clock, and what the robot does then."""

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from paseo.errors import BadValue
from paseo.world.scenarios import ROUNDING

E = TypeVar("E", bound=StrEnum)

MOST_STEPS = 2**53  # which is longer than any episode
REPEAT_LIMIT_S = 2.5  # by the wall clock: the 50 repetitions of SocNavBench, in its steps of 0.05 s


class ClockName(StrEnum):
    """The clocks an episode can be run by."""

    SYNC = "sync"  # the world waits for the planner
    ASYNC = "async"  # time runs at the wall clock, the world waits for nobody
    CHARGED = "charged"  # thinking takes as much of the world's time as declared or measured


class Thinking(StrEnum):
    """What the robot does while its planner thinks, from the second step of an answer on."""

    HOLD = "hold"  # the last command again
    STOP = "stop"
    FOLLOW = "follow"  # the rest of the last plan; without a plan as HOLD


class Late(StrEnum):
    """What an answer is applied to that comes when the robot has moved on."""

    HERE = "here"  # the robot where it is by then: a position means the step that leads to it
    THERE = "there"  # the world as the planner saw it: a position means that place
    SKIP = "skip"  # the present moment of the plan, as THERE; without a plan as HERE


def named(kind: type[E], word: str, parameter: str) -> E:
    """The member of a closed set that a word names; `BadValue` lists those there are."""
    try:
        return kind(word)
    except ValueError as error:
        known = ", ".join(each.value for each in kind)
        raise BadValue(
            f"{parameter} is '{word}', expected one of {known}", parameters=(parameter,)
        ) from error


@dataclass(frozen=True, slots=True, kw_only=True)
class Timekeeping:
    """By which clock an episode runs, and by which policies."""

    clock: ClockName = ClockName.SYNC
    latency_s: float | None = None  # declared, of every answer; None: as measured
    thinking: Thinking = Thinking.HOLD
    late: Late = Late.HERE
    repeat_limit_s: float | None = None  # from an answer on, then the robot stops; None: no limit

    def __post_init__(self) -> None:
        for name, kind in (("clock", ClockName), ("thinking", Thinking), ("late", Late)):
            object.__setattr__(self, name, named(kind, getattr(self, name), name))
        for name in ("latency_s", "repeat_limit_s"):
            value = getattr(self, name)
            if value is not None and not 0 <= value < math.inf:
                raise BadValue(f"{name} is {value}, expected seconds from 0 on", parameters=(name,))
        if self.latency_s is not None and self.clock is not ClockName.CHARGED:
            raise BadValue(
                f"a latency is charged by the clock 'charged', not by '{self.clock}'",
                parameters=("latency_s", "clock"),
            )

    @property
    def is_measured(self) -> bool:
        """Whether each answer is charged with the time that was measured for it."""
        return self.clock is ClockName.CHARGED and self.latency_s is None

    @property
    def uses_plan(self) -> bool:
        """Whether it matters what a planner plans to do after its answer."""
        return self.thinking is Thinking.FOLLOW or self.late is Late.SKIP

    @property
    def depends(self) -> str:
        """Why a record depends on the wall clock; empty where it does not."""
        asynchronous = self.clock is ClockName.ASYNC
        return "time ran at the wall clock while the planner thought" if asynchronous else ""

    @property
    def in_force(self) -> "Timekeeping":
        """The same in the fewest words: who answers at once needs no clock but the usual one."""
        return WAITING if self.clock is ClockName.SYNC or self.latency_s == 0 else self


WAITING = Timekeeping()  # the world waits


def steps_in(seconds: float, dt: float) -> int:
    """So many whole steps, rounded up; what is more only by rounding does not count."""
    return math.ceil(min(seconds / dt - ROUNDING, MOST_STEPS))


def picture_steps(period: float, dt: float) -> int:
    """Whole steps from one picture of a camera to the next; no step has two."""
    return max(1, steps_in(period, dt))
