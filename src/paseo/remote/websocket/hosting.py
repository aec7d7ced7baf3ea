"""What every client of a server goes through: greeted, dealt episodes, driven, and let go."""

import asyncio
from dataclasses import dataclass, field

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from paseo.data.suites.suite_file import EpisodeEntry
from paseo.errors import PlannerFailed
from paseo.progress import Progress
from paseo.remote.clients import ClientFailed, ClientSilent, driven_record
from paseo.remote.logbook import Logbook
from paseo.remote.websocket.encoding import Encoding, server_codec
from paseo.remote.websocket.messages import (
    LONGEST_SAID,
    VERSION,
    CloseCode,
    Done,
    ErrorCode,
    ErrorTold,
    MapTold,
    Welcome,
)
from paseo.remote.websocket.session import (
    Client,
    ConnectionLost,
    Refused,
    chosen_encoding,
)
from paseo.remote.websocket.sharing import (
    MOST_DEALS,
    BadName,
    Conflict,
    NotThere,
    Row,
    Sharing,
    Taken,
)
from paseo.remote.websocket.telling import command_of, ended_told, episode_told, map_told
from paseo.remote.websocket.thinking import timed_drive
from paseo.sim.episode import EpisodeRun
from paseo.sim.simulate import kept_by
from paseo.suite.running import EPISODE
from paseo.suite.runs.jobs import Job, world_of
from paseo.suite.runs.results import Result
from paseo.version import paseo_version
from paseo.world.clocks import ClockName
from paseo.world.records import Provenance, Record

MOST_CLIENTS = 256  # at once, welcome or not yet
LAST_WORD = 5.0  # seconds for a client to hear why it is sent away
NOT_GIVEN = {NotThere: ErrorCode.UNKNOWN_EPISODE, Taken: ErrorCode.TAKEN}


@dataclass(slots=True, eq=False)
class Host:
    """Serves each connection in turn with all others, and writes what comes of them."""

    book: Logbook
    sharing: Sharing
    token: str | None
    limit: float  # seconds in which a client must answer
    progress: Progress
    failure: Exception | None = None  # not of a client, so that it ends the run
    is_closing: bool = False
    here: set[asyncio.Task[None]] = field(default_factory=set)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    _writing: asyncio.Lock = field(default_factory=asyncio.Lock)
    _maps: dict[str, MapTold] = field(default_factory=dict)  # by what suites call them

    def log(self, news: str) -> None:
        """Tell whoever watches."""
        self.progress(news, 0, 0)

    async def handle(self, connection: ServerConnection) -> None:
        """Serve one client until nothing is left for it, or it is gone."""
        task = asyncio.current_task()
        assert task is not None
        self.here.add(task)
        codec = server_codec(Encoding.JSON)
        try:
            codec = server_codec(chosen_encoding(connection.subprotocol))
            if len(self.here) > MOST_CLIENTS:
                sentence = f"{MOST_CLIENTS} clients are here; come again when some have gone"
                raise Refused(ErrorCode.FULL, CloseCode.FULL, sentence)
            client = Client(connection, codec, self.limit, self.log)
            await self._serve(client)
        except (Refused, ClientFailed) as reason:
            self.log(f"a client is sent away: {reason}")
            code, closing = _codes(reason)
            told = codec.written(ErrorTold(code=code, sentence=str(reason).rstrip(",")))
            await _last_word(connection, told, codec.is_text, closing)
        except ConnectionLost as gone:
            self.log(f"a client is gone: {gone}")
        except Exception as failure:  # ours, or of somebody's people: not to be waited out
            self.failure = failure
        finally:
            self.here.discard(task)
            self.wake()

    def wake(self) -> None:
        """Let everybody who waits look again."""
        self.changed.set()
        self.changed = asyncio.Event()

    async def _serve(self, client: Client) -> None:
        hello = await client.greeted(self.token)
        try:
            row = self.sharing.join(hello)
        except Conflict as conflict:
            raise Refused(ErrorCode.CONFLICT, CloseCode.CONFLICT, str(conflict)) from conflict
        except BadName as error:
            raise Refused(ErrorCode.UNREADABLE, CloseCode.UNUSABLE, str(error)) from error
        try:
            await client.tell(self._welcome(row))
            self._count()
            while (job := await self._dealt(client, row)) is not None:
                await self._drive(client, row, job)
            await client.tell(Done())
        finally:
            self.sharing.leave(row)

    def _welcome(self, row: Row) -> Welcome:
        return Welcome(
            version=VERSION,
            server=f"Paseo {paseo_version()}",
            row=row.label,
            control=row.provenance.control,
            episodes=list(dict.fromkeys(job.episode.name for job in row.jobs)),
            left=len(self.sharing.left(row)),
            clock=row.jobs[0].timekeeping.clock,
            wants_upcoming=row.jobs[0].timekeeping.uses_plan,
            answer_within_s=self.limit,
            longest_message_bytes=LONGEST_SAID,
        )

    async def _dealt(self, client: Client, row: Row) -> Job | None:
        """The next episode of a client; None where nothing is left for it."""
        wish = await client.wish()
        while True:
            try:
                job = self.sharing.deal(row, wish.episode)
            except (NotThere, Taken) as error:
                await client.blame(NOT_GIVEN[type(error)], str(error))
                wish = await client.wish()
                continue
            if job is not None or not self.sharing.left(row):
                return job
            await _either(self.changed, client)

    async def _drive(self, client: Client, row: Row, job: Job) -> None:
        """One episode with the client at the wheel; its result is on disk when this returns."""
        run = await asyncio.to_thread(_episode, job, row.provenance)
        failure: PlannerFailed | None = None
        lost: ConnectionLost | None = None
        try:
            await self._driven(client, run, job)
        except PlannerFailed as failed:
            failure = failed
        except ConnectionLost as gone:
            if self.is_closing or self.sharing.drop(job):
                raise
            lost = gone
            failure = ClientSilent(f"{MOST_DEALS} connections were lost in it, the last")
        record = driven_record(run, kept_by(job.timekeeping, row.provenance), failure, self.limit)
        result = await self._kept(job, record, client)
        if failure is not None:
            self.log(f"{result.episode}: {record.reason}")
        if lost is not None:
            raise lost
        await client.tell(ended_told(result, len(record.commands), run.snapshot.robot))

    async def _driven(self, client: Client, run: EpisodeRun, job: Job) -> None:
        client.begin()
        await self._brief(client, run, job.episode)
        if run.ending() is not None:
            return
        await client.await_ready()
        timekeeping = job.timekeeping.in_force
        if timekeeping.clock is not ClockName.SYNC:
            await timed_drive(client, run, timekeeping)
        while run.ending() is None:
            await client.show(len(client.waits), run.observation)
            run.advance(command_of(await client.command()))

    async def _brief(self, client: Client, run: EpisodeRun, entry: EpisodeEntry) -> None:
        briefing = run.briefing
        if entry.map not in self._maps:
            self._maps[entry.map] = map_told(briefing.floorplan)
        told = self._maps[entry.map]
        if told.map not in client.maps:
            await client.tell(told)
            client.maps.add(told.map)
        await client.tell(episode_told(entry.name, told.map, briefing))

    async def _kept(self, job: Job, record: Record, client: Client) -> Result:
        async with self._writing:
            result = await asyncio.to_thread(_write, self.book, job, record, client)
        self.sharing.settle(job)
        self._count()
        self.wake()
        return result

    def _count(self) -> None:
        rows = self.sharing.rows
        total = sum(len(row.jobs) for row in rows)
        left = sum(len(self.sharing.left(row)) for row in rows)
        self.progress(EPISODE, total - left, total)


def _episode(job: Job, made: Provenance) -> EpisodeRun:
    return EpisodeRun(world_of(job), made.control)


def _write(book: Logbook, job: Job, record: Record, client: Client) -> Result:
    book.begin_row(job)
    return book.keep(job, record, client.waits, client.charged)


def _codes(reason: Refused | ClientFailed) -> tuple[ErrorCode, CloseCode]:
    if isinstance(reason, Refused):
        return reason.code, reason.closing
    if isinstance(reason, ClientSilent):
        return ErrorCode.TOO_SLOW, CloseCode.SILENT
    return ErrorCode.UNREADABLE, CloseCode.UNUSABLE


async def _either(changed: asyncio.Event, client: Client) -> None:
    """Wait until something has changed; `ConnectionLost` if the client goes meanwhile."""
    waiting = [
        asyncio.create_task(changed.wait()),
        asyncio.create_task(client.connection.wait_closed()),
    ]
    try:
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        if waiting[1].done():
            raise ConnectionLost("it left while others drove")
    finally:
        for task in waiting:
            task.cancel()


async def _last_word(
    connection: ServerConnection, told: bytes, is_text: bool, code: CloseCode
) -> None:
    """Say why, and close; whether it is heard is the client's affair."""
    try:
        async with asyncio.timeout(LAST_WORD):
            await connection.send(told, text=is_text)
            await connection.close(code)
    except (TimeoutError, ConnectionClosed):
        connection.transport.abort()
