"""Watching a planner from outside: when it was last asked, and what it answered so far."""

import time
from multiprocessing.sharedctypes import RawArray
from typing import Any

import numpy as np

from paseo.errors import PlannerFailed
from paseo.world.motion import Command, Pose, Twist
from paseo.world.people import FloatArray
from paseo.world.planning import Briefing, Observation, Planner

ASKED_AT, ANSWERS, FIRST_COMMAND = 0, 1, 2


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
    """A planner whose every call is timed and noted down."""

    def __init__(self, planner: Planner, notes: Notebook, stall_limit: float | None) -> None:
        self._planner, self._limit = planner, stall_limit
        self._notes = notes.values()
        self._notes[:FIRST_COMMAND] = 0
        self._commands = self._notes[FIRST_COMMAND:].reshape(-1, 3)
        self.seconds: list[float] = []
        self.stalled = False

    def begin(self, briefing: Briefing) -> None:
        """Pass it on, watched."""
        self._notes[ASKED_AT] = time.monotonic()
        self._planner.begin(briefing)
        self._notes[ASKED_AT] = 0

    def plan(self, observation: Observation) -> Command:
        """Pass it on, timed, noted, and refused if it took too long."""
        asked = time.monotonic()
        self._notes[ASKED_AT] = asked
        command = self._planner.plan(observation)
        self.seconds.append(time.monotonic() - asked)
        if self._limit is not None and self.seconds[-1] > self._limit:
            self.stalled = True
            raise PlannerFailed(
                f"plan() took {self.seconds[-1]:.3f} s, the limit is {self._limit:g} s,"
            )
        if isinstance(command, Pose):
            self._commands[len(self.seconds) - 1] = command.x, command.y, command.heading
        elif isinstance(command, Twist):
            self._commands[len(self.seconds) - 1] = command.forward, command.turn, np.nan
        self._notes[ANSWERS] = len(self.seconds)
        self._notes[ASKED_AT] = 0
        return command


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
