"""Everybody who drives at the same time: their pages, their drives, one after the other."""

import asyncio
import secrets
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Any
from urllib.parse import parse_qs, urlsplit

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from paseo.data.suites.suite_file import EpisodeEntry
from paseo.errors import PaseoError
from paseo.remote.play.drives import Drives
from paseo.remote.play.inputs import Device
from paseo.remote.play.messages import (
    BadMessage,
    Choose,
    Leave,
    Message,
    Press,
    Start,
    countdown_text,
    read,
    scene_text,
    score_text,
    trouble_text,
    welcome_text,
)
from paseo.remote.play.player import Pace, Player, WallPace, driven
from paseo.suite.runs.jobs import world_of
from paseo.suite.runs.results import Result

MOST_PLAYERS = 16  # at a time
MOST_MESSAGES = 400  # of one page in a second
MOST_FAULTS = 10  # messages that are none, of one page
MOST_SHOWN = 8  # drives of people beside a score, the last ones
COUNTDOWN = 3.0  # seconds from the key that starts a drive to its start
PATIENCE = 5.0  # seconds in which a page that was cut off may come back
POLICY, TRY_LATER = 1008, 1013  # why a WebSocket is closed, by their numbers


@dataclass(slots=True, eq=False, kw_only=True)
class Server:
    """People who drive through these episodes, each at their own pace."""

    entries: Sequence[EpisodeEntry]
    drives: Drives
    rivals: Sequence[Result] = ()  # of planners, to be shown beside a score
    tell: Callable[[str], None]  # what somebody who watches should know
    pace: Pace = field(default_factory=WallPace)
    countdown: float = COUNTDOWN
    patience: float = PATIENCE
    _players: dict[str, Player] = field(default_factory=dict)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)
    _numbers: "count[int]" = field(default_factory=lambda: count(1))

    async def handle(self, connection: ServerConnection) -> None:
        """Serve one page for as long as it is connected."""
        path = connection.request.path if connection.request else ""
        player = self._players.get(parse_qs(urlsplit(path).query).get("player", [""])[0])
        if player is None:
            if len(self._players) >= MOST_PLAYERS:
                await connection.close(TRY_LATER, f"{MOST_PLAYERS} people drive here already")
                return
            player = self._newcomer()
        names = [entry.name for entry in self.entries]
        mine = player.connected(welcome_text(player.name, names))
        writing = self._begin(_write(connection, player.unsent))
        try:
            await self._listen(connection, player)
        finally:
            writing.cancel()
            if player.connections == mine:
                self._begin(self._cut_off(player, mine))

    def _newcomer(self) -> Player:
        player = Player(secrets.token_urlsafe(12), self.pace)
        self._players[player.name] = player
        self._begin(self._session(player))
        return player

    def _begin(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        task = asyncio.create_task(work)
        self._tasks.add(task)  # or else it may be collected as garbage
        task.add_done_callback(self._tasks.discard)
        return task

    async def close(self) -> None:
        """Send everybody home; what is being driven is not kept."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _listen(self, connection: ServerConnection, player: Player) -> None:
        faults, heard, second = 0, 0, self.pace.now()
        async for text in connection:
            if self.pace.now() >= second + 1.0:
                heard, second = 0, self.pace.now()
            heard += 1
            if heard > MOST_MESSAGES:
                await connection.close(POLICY, f"more than {MOST_MESSAGES} messages in a second")
                return
            try:
                _hear(player, read(text, len(self.entries)))
            except BadMessage as error:
                faults += 1
                self.tell(f"message {faults} of a page that cannot be used: {error}")
                if faults > MOST_FAULTS:
                    await connection.close(POLICY, f"{faults} messages that cannot be used")
                    return

    async def _cut_off(self, player: Player, connection: int) -> None:
        """Let go what the person held, and the person too if no page comes back."""
        player.here = False
        player.press(Press(0, Device.NOTHING, 0.0, 0.0))
        await self.pace.until(self.pace.now() + self.patience)
        if player.connections == connection:
            player.leave(f"the page was cut off for {self.patience:g} s,", gone=True)

    async def _session(self, player: Player) -> None:
        number = 0
        try:
            while not player.gone:
                number = await self._turn(player, number)
        finally:
            del self._players[player.name]

    async def _turn(self, player: Player, number: int) -> int:
        """Show an episode and let it be driven once; returns which one is wanted next."""
        player.recent.clear()
        entry = self.entries[number]
        try:
            await self._show(player, entry, number)
            ask = await player.asked()
            if isinstance(ask, Start) and not await self._drive(player, entry):
                return number
            while isinstance(ask, Start):  # pressed more than once
                ask = await player.asked()
        except PaseoError as error:
            self.tell(str(error))
            player.tell(trouble_text(str(error)), again=True)
            ask = await player.asked()
        return ask.episode if isinstance(ask, Choose) else number

    async def _show(self, player: Player, entry: EpisodeEntry, number: int) -> None:
        job = self.drives.begin(entry)
        self.drives.drop(job)  # whoever starts first has it
        world, drive = await asyncio.to_thread(world_of, job), next(self._numbers)
        text = await asyncio.to_thread(scene_text, world, number=number, drive=drive)
        player.tell(text, again=True)

    async def _drive(self, player: Player, entry: EpisodeEntry) -> bool:
        """Count down, let the person drive, tell the score; False if it was never begun."""
        job, start = self.drives.begin(entry), self.pace.now() + self.countdown
        try:
            player.over = ""
            player.tell(countdown_text(self.countdown))
            world = await asyncio.to_thread(world_of, job)
            await self.pace.until(start)
            if player.over:
                return False
            done = await driven(player, world)
            result = await asyncio.to_thread(self.drives.keep, job, done.record, done.inputs)
        finally:
            self.drives.drop(job)
        others = [
            *[each for each in self.rivals if each.entry == entry.name],
            *[each for each in self.drives.results if each.entry == entry.name][-MOST_SHOWN:],
        ]
        score = await asyncio.to_thread(score_text, done.record, result, others)
        player.tell(score, again=True)
        self.tell(f"{result.episode}: {result.reason}")
        return True


def _hear(player: Player, message: Message) -> None:
    if isinstance(message, Press):
        player.press(message)
    elif isinstance(message, Leave):
        player.leave("the person gave up")
    else:
        player.ask(message)


async def _write(connection: ServerConnection, texts: "asyncio.Queue[str]") -> None:
    with suppress(ConnectionClosed):
        while True:
            await connection.send(await texts.get())
