"""Episodes in which time does not wait for the client: the world steps in a thread of its own."""

import asyncio
import time
from concurrent.futures import Future

from paseo.remote.websocket.messages import PoseSaid, TwistSaid
from paseo.remote.websocket.session import Client
from paseo.remote.websocket.telling import command_of, upcoming_of
from paseo.sim.charged import ChargedClock
from paseo.sim.clock import Clock
from paseo.sim.driving import checked
from paseo.sim.episode import EpisodeRun
from paseo.sim.timekeeping import make_clock
from paseo.world.clocks import Timekeeping
from paseo.world.motion import Command
from paseo.world.planning import Observation


class RemoteAsk:
    """A client as a clock sees it: asked from the world's thread, answering by the event loop's.

    How long it thought is what it says, or else how long its answer took.
    """

    def __init__(self, client: Client, dt: float) -> None:
        self._client, self._dt = client, dt
        self._loop = asyncio.get_running_loop()
        self._pending: Future[TwistSaid | PoseSaid] | None = None
        self._upcoming: tuple[Command, ...] | None = None
        self._spent = 0.0

    def __call__(self, observation: Observation) -> Command:
        """Show it, and wait for the answer."""
        begun = time.monotonic()
        self._pending = asyncio.run_coroutine_threadsafe(self._answer(observation), self._loop)
        said = self._pending.result()
        taken = time.monotonic() - begun
        self._spent = taken if said.thinking_s is None else said.thinking_s
        self._upcoming = upcoming_of(said)
        return checked(command_of(said))

    def upcoming(self) -> tuple[Command, ...] | None:
        """What the client said of the steps after its answer."""
        plan = self._upcoming
        return None if plan is None else tuple(checked(each, "upcoming()") for each in plan)

    def thought_s(self) -> None:
        """The clock asks for `thought`, which is its own measure of time."""

    def thought(self) -> float:
        """How long the client has thought since this was asked last; exact, where it says so."""
        spent, self._spent = self._spent, 0.0
        return spent

    def stop(self) -> None:
        """Await no answer any more."""
        if self._pending is not None:
            self._pending.cancel()

    async def _answer(self, observation: Observation) -> TwistSaid | PoseSaid:
        await self._client.show(round(observation.time / self._dt), observation)
        return await self._client.command()


def clock_for(ask: RemoteAsk, timekeeping: Timekeeping, limit: float) -> Clock:
    """The clock by which an episode of a client runs, who must answer within the limit."""
    if timekeeping.is_measured:
        return ChargedClock(timekeeping, now=ask.thought)
    # The client's own limit comes first, and says what it is.
    return make_clock(timekeeping, hang_limit_s=2 * limit)


async def timed_drive(client: Client, run: EpisodeRun, timekeeping: Timekeeping) -> None:
    """Let the client drive to an ending while time passes."""
    dt = run.briefing.dt
    ask = RemoteAsk(client, dt)
    clock = clock_for(ask, timekeeping, client.limit)
    try:
        await asyncio.to_thread(_stepped, run, clock, ask, dt)
    finally:
        client.charged = tuple(clock.charged) if timekeeping.is_measured else None


def _stepped(run: EpisodeRun, clock: Clock, ask: RemoteAsk, dt: float) -> None:
    clock.begin(dt)
    try:
        while run.ending() is None:
            run.advance(clock.command(run.observation, ask))
    finally:
        ask.stop()
        clock.end()
