"""A client at the wheel, as the clocks of a simulation see it."""

import time
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial

from paseo.remote.clients import ClientFailed
from paseo.remote.joystick.messages import Commands, Signal
from paseo.remote.joystick.session import Client, ClientGone, one_step
from paseo.remote.joystick.states import State
from paseo.remote.joystick.telling import Telling
from paseo.sim.clock import Ask, Clock
from paseo.sim.holding import Answer, CommandHold
from paseo.sim.timekeeping import make_clock
from paseo.world.clocks import ClockName, Timekeeping
from paseo.world.motion import Command
from paseo.world.planning import Observation
from paseo.world.scenarios import Scenario

MOST_LATE = 64  # messages that are read when a step is due already
MOST_AHEAD = 4096  # commands that wait for their step


class Asking:
    """The client: who senses is told `state`, and its next command is waited for."""

    def __init__(self, client: Client, telling: Telling, world: Scenario, state: State) -> None:
        self.client, self.state = client, state
        self._telling, self._world = telling, world

    def __call__(self, observation: Observation) -> Command:
        """The answer to what is observed; `ClientFailed` if there is none."""
        commands = self.client.command(partial(self._telling.state, self.state))
        return self.one_step(commands, observation)

    def upcoming(self) -> None:
        """Nothing is known of what it plans."""

    def thought_s(self) -> None:
        """The clock knows best."""

    def content(self) -> bytes:
        """The state in the words of the protocol."""
        return self._telling.state(self.state)

    def one_step(self, commands: Sequence[Command], observation: Observation) -> Command:
        """What all these commands for a step come to."""
        world = self._world
        return one_step(commands, observation.robot.pose, world.robot, world.dt)


class WallWheel:
    """The world steps every `dt` of the wall clock, whatever the client does.

    As in the original, each step takes one of the commands that have come, and who senses is told
    the state in which all commands before are done; what is late stays late. Without a new command
    the last is in force, up to the limit for repetitions, and then the robot stands.
    """

    charged = ()

    def __init__(
        self,
        asking: Asking,
        timekeeping: Timekeeping,
        *,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.timekeeping = timekeeping
        self._asking, self._client, self._now = asking, asking.client, now

    def begin(self, dt: float) -> None:
        """Time begins to run with the first step, which is due at once."""
        self._dt, self._step = dt, 0
        self._hold = CommandHold(self.timekeeping, dt)
        self._said: deque[Commands | Signal] = deque()  # commands and senses, as they came
        self._due = self._commanded = self._now()

    def command(self, observation: Observation, ask: Ask) -> Command:
        """Listen until the step is due; then the next command, or what is in force."""
        begun = self._now()
        self._listen()
        step, at = self._step, self._now()
        self._step += 1
        self._due = max(begun, self._due) + self._dt
        if self._said and isinstance(self._said[0], Commands):
            command = self._asking.one_step(self._said[0].commands, observation)
            self._said.popleft()
            self._hold.take(Answer(command, step, observation.robot.pose), step)
            self._client.waits.append(at - self._commanded)
            self._commanded = at
        self._client.check_heard(at - self._commanded)
        return self._hold.command(step, observation.robot.pose)

    def end(self) -> None:
        """There is nothing to end."""

    def _listen(self) -> None:
        """Hear what the client says, and answer, until the step is due."""
        takes, late = True, 0
        while late < MOST_LATE:  # who says more than can be heard holds up nobody
            while takes and self._said and self._said[0] is Signal.SENSE:
                takes = self._is_told()
            left = self._due - self._now()
            late += left <= 0
            said = self._client.said(max(0.0, left))
            if said is not None:
                self._said.append(said)
            elif left <= 0:
                break
        while not takes and self._said and self._said[0] is Signal.SENSE:
            self._said.popleft()  # commands must not wait behind it
        if len(self._said) > MOST_AHEAD:
            raise ClientFailed(f"the client is {MOST_AHEAD} commands ahead,")

    def _is_told(self) -> bool:
        """Answer the sense that is next; one that is not taken in time is passed over."""
        self._said.popleft()
        try:
            self._client.told(self._asking.content(), within=max(0.0, self._due - self._now()))
        except ClientGone as gone:
            self._client.tell(str(gone))
            return False
        return True


def clock_for(asking: Asking, timekeeping: Timekeeping) -> Clock:
    """The clock by which the client is asked."""
    if timekeeping.clock is ClockName.ASYNC:
        return WallWheel(asking, timekeeping)
    return make_clock(timekeeping)
