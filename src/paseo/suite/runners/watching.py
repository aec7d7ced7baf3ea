"""Watching a planner from outside: when it was last asked, and what it answered so far."""

import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.sharedctypes import RawArray
from typing import Any, TypeVar

import numpy as np

from paseo.errors import PlannerFailed
from paseo.world.arrays import FloatArray
from paseo.world.motion import Command, Pose, Twist
from paseo.world.planning import Briefing, Observation, Planner

ASKED_AT, ANSWERS, FIRST_COMMAND = 0, 1, 2
PROCESS_DOWN = "the planner took its process down"
Told = TypeVar("Told")
Answer = TypeVar("Answer")


class Notebook:
    """Shared memory in which a worker notes its planner's calls and answers."""

    def __init__(self, steps: int) -> None:
        self._memory: Any = RawArray("d", FIRST_COMMAND + 3 * steps)

    def values(self) -> FloatArray:
        """The memory itself, (2 + 3 * steps,)."""
        return np.frombuffer(self._memory)

    def asked_at(self) -> float | None:
        """The monotonic time at which the planner was asked something it has not answered."""
        return float(self.values()[ASKED_AT]) or None

    def commands(self) -> FloatArray:
        """A copy of the answers so far, (answers, 3), as in a Record."""
        values = self.values()
        end = FIRST_COMMAND + 3 * int(values[ANSWERS])
        return values[FIRST_COMMAND:end].reshape(-1, 3).copy()


class WatchedPlanner:
    """A planner whose every call, its making included, is timed and noted down."""

    def __init__(
        self, make: Callable[[], Planner], notes: Notebook, stall_limit: float | None
    ) -> None:
        self._make, self._limit = make, stall_limit
        self._notes = notes.values()
        self._notes[:FIRST_COMMAND] = 0
        self._commands = self._notes[FIRST_COMMAND:].reshape(-1, 3)
        self.seconds: list[float] = []
        self.stalled = False

    def begin(self, briefing: Briefing) -> None:
        """Make the planner and pass it on, watched."""
        self._watched("begin()", self._begin, briefing)

    def _begin(self, briefing: Briefing) -> None:
        self._planner = self._make()
        self._planner.begin(briefing)

    def plan(self, observation: Observation) -> Command:
        """Pass it on, timed, noted, and refused if it took too long."""
        asked = time.monotonic()
        command = self._watched("plan()", self._planner.plan, observation)
        self.seconds.append(time.monotonic() - asked)
        if self._limit is not None and self.seconds[-1] > self._limit:
            self.stalled = True
            raise PlannerFailed(
                f"plan() took {self.seconds[-1]:.3f} s, the limit is {self._limit:g} s,"
            )
        with suppress(TypeError, ValueError, OverflowError):  # the simulation will say what it is
            if isinstance(command, Pose):
                self._commands[len(self.seconds) - 1] = command.x, command.y, command.heading
            elif isinstance(command, Twist):
                self._commands[len(self.seconds) - 1] = command.forward, command.turn, np.nan
        self._notes[ANSWERS] = len(self.seconds)
        return command

    def _watched(self, what: str, call: Callable[[Told], Answer], told: Told) -> Answer:
        """The answer; while it is awaited, the notebook says since when."""
        self._notes[ASKED_AT] = time.monotonic()
        try:
            return call(told)
        except KeyboardInterrupt as error:  # the planner's own: Ctrl-C does not reach workers
            raise PlannerFailed(f"{what} raised KeyboardInterrupt") from error
        finally:
            self._notes[ASKED_AT] = 0


class Replayed:
    """Gives the answers of a planner that is gone, up to where it went silent."""

    def __init__(self, commands: FloatArray, failure: str) -> None:
        self._commands, self._failure = commands, failure

    def begin(self, briefing: Briefing) -> None:
        """Start from the first answer; there is none if the planner never began."""
        self._next = iter(self._commands.tolist())

    def plan(self, observation: Observation) -> Command:
        """The next answer, or the failure."""
        row: list[float] | None = next(self._next, None)
        if row is None:
            raise PlannerFailed(self._failure)
        return Twist(row[0], row[1]) if np.isnan(row[2]) else Pose(*row)
