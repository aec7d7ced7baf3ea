"""The seam for clocks: how much time passes in the world while a planner thinks."""

from collections.abc import Sequence
from typing import Protocol

from paseo.world.clocks import WAITING, Timekeeping
from paseo.world.motion import Command
from paseo.world.planning import Observation


class Ask(Protocol):
    """The planner as a clock sees it."""

    def __call__(self, observation: Observation) -> Command:
        """Ask it, and wait for its answer; `PlannerFailed` if there is none that can be used."""

    def upcoming(self) -> tuple[Command, ...] | None:
        """What it plans to do after that answer, step by step; None if it does not say."""

    def thought_s(self) -> float | None:
        """How long that answer took, if the planner knows better than a clock; else None."""


class Clock(Protocol):
    """Decides what the robot does in each step, depending on how long its planner takes."""

    @property
    def timekeeping(self) -> Timekeeping:
        """What the record says of it."""

    @property
    def charged(self) -> Sequence[float]:
        """The seconds that were charged for each answer of the episode, where they are."""

    def begin(self, dt: float) -> None:
        """Start an episode whose steps last `dt`; forget the one before."""

    def command(self, observation: Observation, ask: Ask) -> Command:
        """What the robot does for the next `dt`; `ask` may be called, or not in this step."""

    def end(self) -> None:
        """The episode is over: nothing may go on in the background."""


class SyncClock:
    """Thinking takes no time: the world stands still until the planner has answered."""

    timekeeping = WAITING
    charged = ()

    def begin(self, dt: float) -> None:
        """There is nothing to remember."""

    def command(self, observation: Observation, ask: Ask) -> Command:
        """The planner's answer to what it sees now."""
        return ask(observation)

    def end(self) -> None:
        """There is nothing to end."""
