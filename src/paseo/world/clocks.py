"""How time passes while a planner thinks, as values: which clock, and what the robot does then."""

import math
from dataclasses import dataclass
from enum import StrEnum

from paseo.errors import BadValue

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Timekeeping:
    """By which clock an episode runs, and by which policies."""

    clock: ClockName = ClockName.SYNC
    latency_s: float | None = None  # declared, of every answer; None: as measured
    thinking: Thinking = Thinking.HOLD
    late: Late = Late.HERE
    repeat_limit_s: float | None = None  # from an answer on, then the robot stops; None: no limit

    def __post_init__(self) -> None:
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
    def in_force(self) -> "Timekeeping":
        """The same in the fewest words: who answers at once needs no clock but the usual one."""
        return WAITING if self.clock is ClockName.SYNC or self.latency_s == 0 else self


WAITING = Timekeeping()  # the world waits
