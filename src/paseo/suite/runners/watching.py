"""Watching a planner from outside: when it was last asked, and what it answered so far."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.sharedctypes import RawArray
from typing import Any

import numpy as np

from paseo.errors import PlannerFailed
from paseo.sim.clock import Ask, Clock
from paseo.world.arrays import FloatArray
from paseo.world.clocks import Timekeeping
from paseo.world.motion import Command, Pose, Twist
from paseo.world.planning import (
    Briefing,
    Observation,
    Planner,
    RunPlace,
    decisions_of,
    keep_in,
    thought_s,
    upcoming,
)

ASKED_AT, COMMANDS, NOTED_AT, FIRST_COMMAND = 0, 1, 2, 3
COLUMNS = 4  # a command as in a Record, and the seconds charged for what was asked in that step


class Notebook:
    """Shared memory in which a worker notes its planner's calls, and what the robot does."""

    def __init__(self, steps: int) -> None:
        self._memory: Any = RawArray("d", FIRST_COMMAND + COLUMNS * steps)

    def values(self) -> FloatArray:
        """The memory itself, (3 + 4 * steps,)."""
        return np.frombuffer(self._memory)

    def asked_at(self) -> float | None:
        """The monotonic time at which the planner was asked something it has not answered."""
        return float(self.values()[ASKED_AT]) or None

    def noted_at(self) -> float:
        """The monotonic time of the last sign of life: an order, a question or an answer."""
        return float(self.values()[NOTED_AT])

    def begin(self) -> None:
        """Forget what was noted of the order before."""
        values = self.values()
        values[:FIRST_COMMAND] = 0
        values[NOTED_AT] = time.monotonic()

    @contextmanager
    def awaiting(self, what: str) -> Iterator[None]:
        """Note since when an answer is awaited, for as long as it is."""
        values = self.values()
        values[ASKED_AT] = values[NOTED_AT] = time.monotonic()
        try:
            yield
        except KeyboardInterrupt as error:  # the planner's own: Ctrl-C does not reach workers
            raise PlannerFailed(f"{what} raised KeyboardInterrupt") from error
        finally:
            values[ASKED_AT] = 0
            values[NOTED_AT] = time.monotonic()

    def commands(self) -> FloatArray:
        """A copy of the commands so far, (steps, 3), as in a Record."""
        return self._rows()[:, :3].copy()

    def charged(self) -> tuple[float, ...]:
        """The seconds that were charged for each answer so far, where they are."""
        seconds = self._rows()[:, 3]
        return tuple(seconds[~np.isnan(seconds)].tolist())

    def _rows(self) -> FloatArray:
        values = self.values()
        rows = values[FIRST_COMMAND:].reshape(-1, COLUMNS)
        # The planner shares this memory and may have written anything there.
        return rows[: int(np.clip(np.nan_to_num(values[COMMANDS]), 0, len(rows)))]


class LatePlanner:
    """A planner that is made when it begins: that it cannot be made is a failure of its own."""

    def __init__(self, make: Callable[[], Planner], place: RunPlace | None = None) -> None:
        self._make, self._place = make, place

    def begin(self, briefing: Briefing) -> None:
        """Make the planner, tell it where the run is if it wants to know, and pass it on."""
        self._planner = self._make()
        keep_in(self._planner, self._place)
        self._planner.begin(briefing)

    def plan(self, observation: Observation) -> Command:
        """Pass it on."""
        return self._planner.plan(observation)

    def upcoming(self) -> Sequence[Command] | None:
        """Pass it on."""
        return upcoming(self._planner)

    def thought_s(self) -> float | None:
        """Pass it on."""
        return thought_s(self._planner)

    def decisions(self) -> bytes:
        """Pass it on; nothing where it was never made."""
        return decisions_of(getattr(self, "_planner", None))


class WatchedPlanner:
    """A planner whose every call is noted down while it lasts."""

    def __init__(self, planner: Planner, notes: Notebook) -> None:
        self._planner, self._notes = planner, notes

    def begin(self, briefing: Briefing) -> None:
        """Pass it on, watched."""
        with self._notes.awaiting("begin()"):
            self._planner.begin(briefing)

    def plan(self, observation: Observation) -> Command:
        """Pass it on, watched."""
        with self._notes.awaiting("plan()"):
            return self._planner.plan(observation)

    def upcoming(self) -> Sequence[Command] | None:
        """Pass it on, watched."""
        with self._notes.awaiting("upcoming()"):
            return upcoming(self._planner)

    def thought_s(self) -> float | None:
        """Pass it on, watched."""
        with self._notes.awaiting("thought_s()"):
            return thought_s(self._planner)

    def decisions(self) -> bytes:
        """Pass it on, watched."""
        with self._notes.awaiting("decisions()"):
            return decisions_of(self._planner)


class NotedClock:
    """A clock whose every command is noted down before the robot follows it."""

    def __init__(self, clock: Clock, notes: Notebook) -> None:
        self._clock, self._memory = clock, notes.values()
        self._rows = self._memory[FIRST_COMMAND:].reshape(-1, COLUMNS)
        notes.begin()

    @property
    def timekeeping(self) -> Timekeeping:
        """That of the clock."""
        return self._clock.timekeeping

    @property
    def charged(self) -> Sequence[float]:
        """What the clock has charged."""
        return self._clock.charged

    def begin(self, dt: float) -> None:
        """Pass it on."""
        self._step = 0
        self._clock.begin(dt)

    def command(self, observation: Observation, ask: Ask) -> Command:
        """Pass it on, and note down what the robot is to do."""
        known = len(self._clock.charged)
        command = self._clock.command(observation, ask)
        charged = self._clock.charged[known:]
        seconds = charged[0] if charged else np.nan
        if isinstance(command, Twist):
            self._rows[self._step] = command.forward, command.turn, np.nan, seconds
        else:
            self._rows[self._step] = command.x, command.y, command.heading, seconds
        self._step += 1
        self._memory[COMMANDS] = self._step
        return command

    def end(self) -> None:
        """Pass it on."""
        self._clock.end()


class TimedPlanner:
    """A planner whose every answer is timed, and refused if it took too long.

    The limit is one of the clock on the wall; processor time is that of all its threads.
    """

    def __init__(
        self,
        planner: Planner,
        stall_limit: float | None,
        *,
        clock: Callable[[], float] = time.monotonic,
        processor: Callable[[], float] = time.process_time,
    ) -> None:
        self._planner, self._limit = planner, stall_limit
        self._clock, self._processor = clock, processor
        self.seconds: list[float] = []
        self.processor_seconds: list[float] = []
        self.stalled = False

    def begin(self, briefing: Briefing) -> None:
        """Pass it on."""
        self._planner.begin(briefing)

    def plan(self, observation: Observation) -> Command:
        """Pass it on, timed."""
        asked, used = self._clock(), self._processor()
        command = self._planner.plan(observation)
        self.processor_seconds.append(self._processor() - used)
        self.seconds.append(self._clock() - asked)
        if self._limit is not None and self.seconds[-1] > self._limit:
            self.stalled = True
            raise PlannerFailed(
                f"plan() took {self.seconds[-1]:.3f} s, the limit is {self._limit:g} s,"
            )
        return command

    def upcoming(self) -> Sequence[Command] | None:
        """Pass it on; that the plan is told takes no time."""
        return upcoming(self._planner)

    def thought_s(self) -> float | None:
        """Pass it on."""
        return thought_s(self._planner)

    def decisions(self) -> bytes:
        """Pass it on."""
        return decisions_of(self._planner)


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
