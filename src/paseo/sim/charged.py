"""Thinking time charged to the world: as declared, as measured, or as it was measured before."""

import time
from collections.abc import Callable, Sequence

from paseo.errors import InputError
from paseo.sim.clock import Ask
from paseo.sim.holding import Answer, CommandHold, answered
from paseo.world.clocks import Timekeeping, steps_in
from paseo.world.motion import Command
from paseo.world.planning import Observation

DIGITS = 7  # of seconds that are charged, so that what is kept of them is what was charged


class ChargedClock:
    """An answer that took L is in force L later, in whole steps rounded up.

    The planner is asked again in the very step in which its answer comes into force. L is what the
    timekeeping declares, or else what `latencies` say one after the other, or else what the planner
    says it took, or else measured: seconds of the clock on the wall, which a robot feels also where
    its planner waits for others.
    """

    def __init__(
        self,
        timekeeping: Timekeeping,
        *,
        latencies: Sequence[float] | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.timekeeping = timekeeping
        self._stored = latencies
        self._now = now
        self.charged: list[float] = []  # seconds, for each answer of the episode

    def begin(self, dt: float) -> None:
        """Nothing is asked yet, and the robot stands."""
        self._dt, self._step = dt, 0
        self._hold = CommandHold(self.timekeeping, dt)
        self._awaited: tuple[Answer, int] | None = None  # and the step in which it comes
        self.charged = []

    def command(self, observation: Observation, ask: Ask) -> Command:
        """The answer that has come, or what the robot does while it waits for one."""
        step, pose = self._step, observation.robot.pose
        self._step += 1
        self._receive(step)
        if self._awaited is None:
            self._awaited = self._asked(observation, ask, step)
            self._receive(step)
        return self._hold.command(step, pose)

    def end(self) -> None:
        """There is nothing to end."""

    def _receive(self, step: int) -> None:
        """Put the answer in force that is awaited for this step."""
        if self._awaited is not None and self._awaited[1] <= step:
            self._hold.take(self._awaited[0], step)
            self._awaited = None

    def _asked(self, observation: Observation, ask: Ask, step: int) -> tuple[Answer, int]:
        begun = self._now()
        answer = answered(ask, observation, step, policy=self.timekeeping)
        measured = self._now() - begun
        told = ask.thought_s()
        took = self._latency(measured if told is None else told)
        self.charged.append(took)
        return answer, step + steps_in(took, self._dt)

    def _latency(self, measured: float) -> float:
        if self.timekeeping.latency_s is not None:
            return self.timekeeping.latency_s
        if self._stored is None:
            return round(measured, DIGITS)
        if len(self.charged) == len(self._stored):
            raise InputError(
                f"the planner was asked more often than the {len(self._stored)} times for which "
                "latencies are kept: it is not the one they were measured with",
                parameters=("replay_latency",),
            )
        return self._stored[len(self.charged)]
