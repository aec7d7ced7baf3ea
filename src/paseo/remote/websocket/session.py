"""A client as it is seen from the server: heard, told things, and counted against."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice

from msgspec import structs
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from paseo.errors import PaseoError
from paseo.remote.clients import MOST_FAULTS, ClientFailed, ClientSilent, Tell
from paseo.remote.tokens import is_token
from paseo.remote.websocket.encoding import Codec, Encoding, Unreadable, declared_version
from paseo.remote.websocket.messages import (
    LONGEST_SAID,
    MOST_STATES,
    VERSION,
    Abandon,
    CloseCode,
    ErrorCode,
    ErrorTold,
    Hello,
    HistoryTold,
    HistoryWish,
    Next,
    ObservationTold,
    PoseSaid,
    Ready,
    Said,
    Told,
    TwistSaid,
)
from paseo.remote.websocket.telling import observation_told
from paseo.world.planning import Observation

HELLO_S = 10.0  # in which a client must greet
MOST_PEOPLE = 100_000  # told of in one answer about earlier states
OURS_TO_CLOSE = {1002, 1007, 1009}  # no WebSocket, no text, too long: the client's own doing


class ConnectionLost(PaseoError):
    """A client is gone; somebody else may drive in its place."""


class Refused(PaseoError):
    """A client that cannot be served; it is told why, and its connection closed."""

    def __init__(self, code: ErrorCode, closing: CloseCode, sentence: str) -> None:
        super().__init__(sentence)
        self.code, self.closing = code, closing


@dataclass(slots=True, eq=False)
class Client:
    """Whoever is at the other end of one connection."""

    connection: ServerConnection
    codec: Codec[Said]
    limit: float  # seconds in which a message must be taken, and an answer must come
    log: Tell  # what somebody who watches should know
    name: str = "a client"
    maps: set[str] = field(default_factory=set)  # that it has
    shown: dict[int, Observation] = field(default_factory=dict)  # in this episode, by step
    step: int = 0  # the one shown last
    waits: list[float] = field(default_factory=list)  # seconds for each command
    charged: Sequence[float] | None = None  # those that were measured and charged
    faults: int = 0
    pictured: float | None = None  # when the picture was taken that was shown last

    async def tell(self, message: Told) -> None:
        """Tell the client something; `ConnectionLost` if it is gone."""
        try:
            async with asyncio.timeout(self.limit):
                await self.connection.send(self.codec.written(message), text=self.codec.is_text)
        except TimeoutError as error:
            self.connection.transport.abort()
            raise ClientSilent(
                f"the client did not take a message within {self.limit:g} s,"
            ) from error
        except ConnectionClosed as error:
            raise _gone(error) from error

    async def heard(self, what: str, deadline: float) -> bytes:
        """The bytes of the next message; `ClientSilent` if none comes, `what` being awaited."""
        try:
            async with asyncio.timeout_at(deadline):
                return await self.connection.recv(decode=False)
        except TimeoutError as error:
            raise ClientSilent(f"the client did not {what} within {self.limit:g} s,") from error
        except ConnectionClosed as error:
            raise _gone(error) from error

    async def greeted(self, token: str | None) -> Hello:
        """The client's first message; `Refused` where it cannot be let in."""
        self.limit, limit = min(HELLO_S, self.limit), self.limit
        content = await self.heard("say hello", self.deadline)
        self.limit = limit
        version = declared_version(content, self.codec.encoding)
        if version not in (None, VERSION):
            raise _other_version(f"version {version}")
        hello = self.codec.read(content)
        if isinstance(hello, Unreadable) or not isinstance(hello, Hello):
            fault = hello.fault if isinstance(hello, Unreadable) else "it comes later"
            raise Refused(
                ErrorCode.UNREADABLE, CloseCode.UNUSABLE, f"the first message is no hello: {fault}"
            )
        if not is_token(hello.token, token):
            raise Refused(
                ErrorCode.WRONG_TOKEN, CloseCode.TOKEN,
                "this server lets in only who says its token in hello, and "
                + ("none was said" if hello.token is None else "another was said"),
            )  # fmt: skip
        self.name, self.maps = hello.client, set(hello.maps)
        return hello

    @property
    def deadline(self) -> float:
        """Until when an answer must come to what is said now."""
        return asyncio.get_running_loop().time() + self.limit

    async def wish(self) -> Next:
        """Which episode the client wants next; what is left of the one before is let pass."""
        what, deadline = "ask for an episode", self.deadline
        while not isinstance(message := await self._read(what, deadline), Next):
            if isinstance(message, HistoryWish | Unreadable | Hello):
                await self._answer(message, what)
        return message

    async def await_ready(self) -> None:
        """Wait until the client begins."""
        what, deadline = "say it was ready", self.deadline
        while not isinstance(message := await self._read(what, deadline), Ready):
            await self._answer(message, what)

    async def show(self, step: int, observation: Observation) -> None:
        """Show the client what the robot senses; a picture only once, as it can hold it too."""
        image, bare = observation.image, structs.replace(observation, image=None)
        new = image is not None and image.time != self.pictured
        self.pictured = None if image is None else image.time
        self.shown[step], self.step = bare, step  # pictures would fill the memory
        await self.tell(observation_told(step, observation if new else bare))

    async def command(self) -> TwistSaid | PoseSaid:
        """What the robot is to do after the observation shown last."""
        what, asked, step = "send a command", time.monotonic(), self.step
        deadline = self.deadline
        while True:
            message = await self._read(what, deadline)
            if not isinstance(message, TwistSaid | PoseSaid):
                await self._answer(message, what)
            elif message.step not in (None, step):
                fault = f"a command is for step {message.step}, expected {step}"
                await self.blame(ErrorCode.UNEXPECTED, fault)
            else:
                self.waits.append(time.monotonic() - asked)
                return message

    async def _read(self, what: str, deadline: float) -> Said | Unreadable:
        return self.codec.read(await self.heard(what, deadline))

    async def _answer(self, message: Said | Unreadable, what: str) -> None:
        """Answer what may be said at any time; all else counts against the client."""
        if isinstance(message, Abandon):
            raise ClientFailed(message.reason.strip() or "the client abandoned the episode")
        if isinstance(message, HistoryWish):
            await self.recall(message)
        elif isinstance(message, Unreadable):
            await self.blame(ErrorCode.UNREADABLE, message.fault)
        else:
            tag = message.__struct_config__.tag
            fault = f"the message '{tag}' comes too early or too late: the client was to {what}"
            await self.blame(ErrorCode.UNEXPECTED, fault)

    async def recall(self, wish: HistoryWish) -> None:
        """Show again what was shown in this episode."""
        wanted = (step for step in self.shown if wish.first_step <= step <= wish.last_step)
        told: list[ObservationTold] = []
        people = 0
        for step in islice(wanted, MOST_STATES):
            people += len(self.shown[step].crowd)
            if told and people > MOST_PEOPLE:
                break
            told.append(observation_told(step, self.shown[step]))
        await self.tell(HistoryTold(observations=told))

    async def blame(self, code: ErrorCode, fault: str) -> None:
        """Tell the client what was wrong; after too much of it, it has failed."""
        self.faults += 1
        self.log(f"{self.name}: message {self.faults} that cannot be used: {fault}")
        await self.tell(ErrorTold(code=code, sentence=fault))
        if self.faults > MOST_FAULTS:
            raise ClientFailed(
                f"the client sent {self.faults} messages that cannot be used, the last: {fault},"
            )

    def begin(self) -> None:
        """Forget the episode before."""
        self.faults = 0
        self.shown.clear()
        self.pictured = None
        self.waits.clear()
        self.charged = None


def chosen_encoding(offered: str | None) -> Encoding:
    """What a subprotocol stands for, JSON being for those who choose none; `Refused` if nothing."""
    for encoding in Encoding:
        if offered in (None, encoding.subprotocol):
            return encoding
    raise _other_version(f"subprotocol '{offered}'")


def _other_version(what: str) -> Refused:
    known = " or ".join(each.subprotocol for each in Encoding)
    return Refused(
        ErrorCode.UNKNOWN_VERSION, CloseCode.VERSION,
        f"{what} is not spoken here; this server speaks version {VERSION}: {known}",
    )  # fmt: skip


def _gone(error: ConnectionClosed) -> PaseoError:
    """What it means that a connection is closed: a client's own doing, or bad luck."""
    ours = error.sent
    if ours is not None and ours.code in OURS_TO_CLOSE and not error.rcvd_then_sent:
        what = {
            1002: "what is no WebSocket frame",
            1007: "a text that is not UTF-8",
            1009: f"a message of more than {LONGEST_SAID} bytes",
        }[ours.code]
        return ClientFailed(f"the client sent {what},")
    return ConnectionLost(f"the connection is lost ({error})")
