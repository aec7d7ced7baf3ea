"""Clocks: how much time passes in the world while a planner thinks."""

from collections.abc import Callable
from typing import ClassVar, Protocol

from paseo.errors import BadValue
from paseo.world.clocks import ClockName
from paseo.world.motion import Command
from paseo.world.planning import Observation

Ask = Callable[[Observation], Command]  # asks the planner, and waits for its answer


class Clock(Protocol):
    """Decides what the robot does in each step, depending on how long its planner takes."""

    name: ClassVar[ClockName]

    def begin(self, dt: float) -> None:
        """Start an episode whose steps last `dt`; forget the one before."""

    def command(self, observation: Observation, ask: Ask) -> Command:
        """What the robot does for the next `dt`; `ask` may be called, or not in this step."""


class SyncClock:
    """Thinking takes no time: the world stands still until the planner has answered."""

    name: ClassVar[ClockName] = ClockName.SYNC

    def begin(self, dt: float) -> None:
        """There is nothing to remember."""

    def command(self, observation: Observation, ask: Ask) -> Command:
        """The planner's answer to what it sees now."""
        return ask(observation)


CLOCKS: dict[ClockName, Callable[[], Clock]] = {ClockName.SYNC: SyncClock}


def make_clock(name: ClockName | str) -> Clock:
    """A new clock of this name."""
    known = [each.value for each in CLOCKS]
    try:
        return CLOCKS[ClockName(name)]()
    except (KeyError, ValueError) as error:
        raise BadValue(
            f"no clock called '{name}' can be used yet, expected {' or '.join(known)}"
        ) from error
