"""A person at the wheel: what is held, what is told, and a drive at the pace of the clock."""

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Protocol

from paseo.remote.play.drives import MADE
from paseo.remote.play.inputs import LET_GO, Held, Pressed, twist
from paseo.remote.play.messages import Choose, Leave, Press, Start, held, state_text
from paseo.sim.episode import EpisodeRun
from paseo.world.motion import Control
from paseo.world.records import Record
from paseo.world.scenarios import Scenario

MOST_UNSENT = 200  # messages for a page
MOST_ASKS = 8  # of a page, while nobody listens
SLIP = 0.25  # seconds; a machine that was late by more does not catch up


class Pace(Protocol):
    """The clock that people live by."""

    def now(self) -> float:
        """Seconds, since whenever."""

    async def until(self, moment: float) -> None:
        """Wait for a moment, if it is not over."""


class WallPace:
    """The clock on the wall."""

    def now(self) -> float:
        """Seconds since the machine was started, or so."""
        return time.monotonic()

    async def until(self, moment: float) -> None:
        """Sleep; others go on meanwhile."""
        await asyncio.sleep(max(0.0, moment - self.now()))


@dataclass(slots=True, eq=False)
class Player:
    """Somebody with a page, which may be cut off and come back."""

    name: str  # only their page knows it
    pace: Pace
    unsent: "asyncio.Queue[str]" = field(default_factory=lambda: asyncio.Queue(MOST_UNSENT))
    asks: "asyncio.Queue[Start | Choose | Leave]" = field(
        default_factory=lambda: asyncio.Queue(MOST_ASKS)
    )
    presses: list[tuple[float, Press]] = field(default_factory=list)  # with when they came
    recent: list[str] = field(default_factory=list)  # what a page that comes back must know
    connections: int = 0  # so far; the last one counts
    here: bool = True
    driving: bool = False
    over: str = ""  # why the drive ends before its ending; empty: it does not
    gone: bool = False  # for good

    def connected(self, welcome: str) -> int:
        """A page has come, or come back, and is told what it must know; the number of times."""
        self.connections += 1
        self.here, self.unsent = True, asyncio.Queue(MOST_UNSENT)
        for text in (welcome, *self.recent):
            self.tell(text)
        return self.connections

    def tell(self, text: str, *, again: bool = False) -> None:
        """Say something to the page if it is there; `again` also when it comes back.

        Of more than a page takes, it misses the oldest.
        """
        if again:
            self.recent.append(text)
        if self.here:
            if self.unsent.full():
                self.unsent.get_nowait()
            self.unsent.put_nowait(text)

    def press(self, press: Press) -> None:
        """Note what is held from now on; while nobody drives, only the last counts."""
        before = self.presses if self.driving else []
        self.presses = [*before, (self.pace.now(), press)]

    def ask(self, ask: Start | Choose | Leave) -> None:
        """Note what the person wants; who asks for too much at once is not heard."""
        with suppress(asyncio.QueueFull):
            self.asks.put_nowait(ask)

    async def asked(self) -> Start | Choose | None:
        """What the person wants next; None if they are gone."""
        while not self.gone:
            ask = await self.asks.get()
            if not isinstance(ask, Leave):
                return ask
        return None

    def leave(self, why: str, *, gone: bool = False) -> None:
        """End the drive, if there is one; and all the rest, if the person is gone."""
        self.over, self.gone = why, gone
        self.ask(Leave())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Driven:
    """A drive from its start to its end."""

    record: Record
    inputs: Sequence[Pressed]


async def driven(player: Player, world: Scenario) -> Driven:
    """Let the person drive, one step of the world in each `dt` of the clock.

    At the beginning of a step it is looked what is held; the page is told at once where that leads.
    """
    run, pace = EpisodeRun(world, Control.VELOCITY), player.pace
    started = due = pace.now()
    inputs: list[Pressed] = []
    step = number = 0
    holding = LET_GO
    player.driving = True
    while run.ending() is None and not player.over:
        for when, press in _taken(player):
            holding, number = held(press, world), press.number
            inputs.append(_pressed(holding, step, max(0.0, when - started)))
        run.advance(twist(holding, run.snapshot.robot, world.robot, world.dt))
        step += 1
        player.tell(state_text(run, world, step=step, number=number))
        late = pace.now() - due
        due = due + world.dt + (late if late > SLIP else 0.0)
        await pace.until(due)
    player.driving = False
    return Driven(record=_record(run, player), inputs=inputs)


def _taken(player: Player) -> list[tuple[float, Press]]:
    taken, player.presses = player.presses, []
    return taken


def _pressed(holding: Held, step: int, seconds: float) -> Pressed:
    return Pressed(
        ms=round(1000.0 * seconds, 3), step=step, by=holding.by, x=holding.x, y=holding.y
    )


def _record(run: EpisodeRun, player: Player) -> Record:
    if run.ending() is not None:
        return run.record(MADE)
    record = run.record(MADE, failure=f"{player.over} after {run.snapshot.time:.2f} s")
    return replace(record, lost=player.gone)
