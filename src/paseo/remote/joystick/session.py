"""A Joystick client as it is seen from here: greeted, told things, and asked for commands."""

import math
import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from paseo.errors import PaseoError
from paseo.remote.clients import MOST_FAULTS, ClientFailed, ClientSilent, Tell
from paseo.remote.joystick.inbox import CutOff, Inbox
from paseo.remote.joystick.messages import (
    Commands,
    Message,
    Named,
    Signal,
    Unreadable,
    read_message,
)
from paseo.remote.joystick.sockets import NOT_YET, NobodyListens, connected, deliver
from paseo.remote.joystick.telling import episodes_text
from paseo.text import in_a_line
from paseo.world.motion import Command, Control, Pose, Robot, Twist

NAMELESS = "UnknownAlgo"  # what the original calls a client that never says its name
LONGEST_NAME = 100
FAREWELL = 1.0  # seconds in which a client that was silent must take its last message
LINGER = 0.2  # seconds after which a connection on which nothing is said is another client's
ROUNDING = 1e-9  # the share by which a position may lie too far away and is reached all the same
OVER_SPEED = 0.01  # m/s by which a position may lie too far away and still keep its heading


class ClientGone(PaseoError):
    """A client does not take what it is told; somebody else may come in its place."""


@dataclass(slots=True, eq=False)
class Client:
    """Whoever drives the robot from the other end of the two sockets."""

    inbox: Inbox
    send: Path
    control: Control
    limit: float  # seconds in which a message must be taken and a command must come
    tell: Tell  # what somebody who watches should know
    name: str | None = None  # None: not known yet
    waits: list[float] = field(default_factory=list)  # seconds for each command of an episode
    _first: socket.socket | None = None
    _listens: tuple[int, int] | None = None  # by which file, as far as files can be told apart
    _faults: int = 0
    _gone: str = ""

    def greet(self, names: Sequence[str]) -> None:
        """The handshake: a connection on which nothing is said, and one with the episodes."""
        self.name, self._gone = None, ""
        self.inbox.leave()
        try:
            self._first = connected(self.send, within=self.limit, despite=NOT_YET)
        except NobodyListens as error:
            raise ClientGone(str(error)) from error
        finally:
            self.inbox.greeted()
        self._listens = _file_at(self.send)
        self.told(episodes_text(names), within=self.limit)

    def close(self) -> None:
        """Close the connection on which nothing was said."""
        if self._first is not None:
            self._first.close()

    def told(self, content: bytes, *, within: float, until_read: bool = False) -> None:
        """Tell the client something; `ClientGone` if it does not take it in so many seconds."""
        if (now := _file_at(self.send)) != self._listens:
            self._check_not_replaced()
            self._listens = now
        try:
            deliver(
                self.send,
                content,
                within=within,
                until_read=until_read,
                before_waiting=self.inbox.leave,
            )
        except NobodyListens as error:
            raise ClientGone(str(error)) from error

    def announce(self, content: bytes) -> None:
        """Tell the client of the next episode, unless another has come in its place."""
        self._check_not_replaced()
        self.told(content, within=self.limit)

    def farewell(self, content: bytes, *, silent: bool) -> None:
        """Tell the client how an episode ended, and let it come to where it reads that.

        Until then it may have more to say, and must find somebody to say it to.
        """
        try:
            self._check_not_replaced()
            self.told(content, within=FAREWELL if silent else self.limit, until_read=True)
        except ClientGone as gone:
            self._gone = str(gone)

    def _check_not_replaced(self) -> None:
        if self.inbox.newcomer_stays(LINGER):
            raise ClientGone("another has come in its place")

    def check_there(self) -> None:
        """Raise `ClientGone` if the client did not take its farewell."""
        if self._gone:
            raise ClientGone(self._gone)

    def await_ready(self) -> None:
        """Wait until the client begins; whatever else it says was meant for the episode before."""
        self._faults = 0
        self.waits.clear()
        deadline = time.monotonic() + self.limit
        while True:
            message = self._next(deadline, "say it was ready")
            if message is Signal.READY:
                self.name = self.name or NAMELESS
                return
            if isinstance(message, Named):
                self.name = fitting_name(message.name)

    def command(self, state: Callable[[], bytes]) -> Sequence[Command]:
        """What to do in the next step; who asks before that is told the state."""
        asked = time.monotonic()
        while True:
            said = self._meant(self._next(asked + self.limit, "send a command"))
            if isinstance(said, Commands):
                self.waits.append(time.monotonic() - asked)
                return said.commands
            if said is Signal.SENSE:
                self._answer(state())

    def said(self, within: float) -> Commands | Signal | None:
        """The next command or sense; None if none comes in so many seconds."""
        content = self.inbox.get(within)
        return None if content is None else self._meant(self._read(content))

    def check_heard(self, silent: float) -> None:
        """Raise if a client that has sent no command for so many seconds has failed."""
        if silent > self.limit:
            raise ClientSilent(f"the client did not send a command within {self.limit:g} s,")

    def _meant(self, message: Message) -> Commands | Signal | None:
        """What of a message drives the robot; what ends the episode is raised."""
        if isinstance(message, Commands) or message is Signal.SENSE:
            return message
        if message is Signal.ABANDON:
            raise ClientFailed("the client abandoned the episode")
        if isinstance(message, Unreadable):
            self._count(message.fault)
        return None

    def _answer(self, content: bytes) -> None:
        try:
            self.told(content, within=self.limit)
        except ClientGone as error:
            self.tell(str(error))
            raise ClientSilent("the client did not take the state it asked for,") from error

    def _count(self, fault: str) -> None:
        self._faults += 1
        self.tell(f"message {self._faults} of the client that cannot be used: {fault}")
        if self._faults > MOST_FAULTS:
            raise ClientFailed(
                f"the client sent {self._faults} messages that cannot be used, the last: {fault},"
            )

    def _next(self, deadline: float, what: str) -> Message:
        left = deadline - time.monotonic()
        content = self.inbox.get(left) if left > 0 else None  # however much else it says
        if content is None:
            raise ClientSilent(f"the client did not {what} within {self.limit:g} s,")
        return self._read(content)

    def _read(self, content: bytes | CutOff) -> Message:
        if isinstance(content, CutOff):
            return Unreadable(content.fault)
        return read_message(content, self.control)


def _file_at(path: Path) -> tuple[int, int] | None:
    """What tells the file at a path from the next that is made there."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_ctime_ns


def fitting_name(name: str) -> str:
    """The name as one word that fits into a table."""
    return "_".join(in_a_line(name).split())[:LONGEST_NAME] or NAMELESS


def one_step(commands: Sequence[Command], pose: Pose, robot: Robot, dt: float) -> Command:
    """The one command for a step in which the robot is to do all of these.

    Of positions it is the last; of velocities the mean, each lasting as long as the others. A
    position that is only by rounding out of reach keeps its heading.
    """
    last = commands[-1]
    if isinstance(last, Pose):
        return _within_reach(last, pose, robot.max_speed * dt, OVER_SPEED * dt)
    if len(commands) == 1:
        return last
    twists = [each for each in commands if isinstance(each, Twist)]
    return Twist(
        math.fsum(each.forward for each in twists) / len(twists),
        math.fsum(each.turn for each in twists) / len(twists),
    )


def _within_reach(target: Pose, pose: Pose, reach: float, beyond: float) -> Pose:
    distance = pose.distance_to(target)
    if not reach * (1 + ROUNDING) < distance <= reach + beyond:
        return target
    share = reach / distance
    return Pose(
        pose.x + share * (target.x - pose.x), pose.y + share * (target.y - pose.y), target.heading
    )
