"""Drive a robot of Paseo from outside: copy this one file next to your planner.

It needs Python 3.9 or newer and nothing else. Start `paseo serve SUITE --listen localhost:8765`,
then:

    from client import connect

    with connect("localhost:8765", client="my-planner") as session:
        for episode in session:
            for observation in episode:
                episode.act(forward_mps=0.8, turn_radps=0.0)
            print(episode.name, episode.ended["verdict"])

Start it several times to share the episodes. What observations and briefings hold is told in
docs/reference/protocol.md. To see it work: `python client.py straight localhost:8765`.
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import hashlib
import json
import math
import os
import random
import socket
import struct
import sys
import zlib
from array import array
from collections.abc import Callable, Iterator
from typing import Any

VERSION = 1
SUBPROTOCOL = "paseo.v1.json"
LONGEST_MESSAGE = 1 << 24  # bytes that the server may send
LARGEST_WALLS = 1 << 26  # bytes of a map's walls
MOST_CELLS, MOST_PIXELS = 64_000_000, 1_500_000  # of a map and of a picture
PATIENCE_S = 60.0  # without any sign of life; the server gives one every 20 s
MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # of RFC 6455
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10

Message = dict[str, Any]


class Refused(Exception):
    """The server cannot use what was said; the sentence says why."""


class Closed(Exception):
    """The connection is no more."""


def unpacked(packed: bytes, *, least: int, most: int, piece: int = 1) -> bytes:
    """What a server compressed: whole pieces, from `least` to `most` bytes; more never are."""
    try:
        content = zlib.decompressobj().decompress(packed, most + 1) if most >= 0 else b""
    except zlib.error as error:
        raise Closed(f"the server sent what cannot be unpacked ({error})") from error
    if not least <= len(content) <= most or len(content) % piece:
        raise Closed("the server sent a map or a picture that is not as large as it says")
    return content


class WebSocket:
    """A connection that carries whole messages, as RFC 6455 frames them."""

    def __init__(self, address: str, subprotocol: str, patience_s: float = PATIENCE_S) -> None:
        host, _, port = address.rpartition(":")
        self._socket = socket.create_connection((host.strip("[]"), int(port)), patience_s)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._held = b""
        try:
            self._open(address, subprotocol)
        except BaseException:
            self._socket.close()
            raise

    def send(self, content: bytes, kind: int = TEXT) -> None:
        """Send one message."""
        length = len(content)
        if length < 126:
            head = struct.pack("!BB", 0x80 | kind, 0x80 | length)
        elif length < 1 << 16:
            head = struct.pack("!BBH", 0x80 | kind, 0x80 | 126, length)
        else:
            head = struct.pack("!BBQ", 0x80 | kind, 0x80 | 127, length)
        mask = os.urandom(4)
        pattern = (mask * (length // 4 + 1))[:length]
        hidden = int.from_bytes(content, "big") ^ int.from_bytes(pattern, "big")
        try:
            self._socket.sendall(head + mask + hidden.to_bytes(length, "big"))
        except OSError as error:
            raise Closed(f"the connection is lost ({error})") from error

    def receive(self) -> bytes:
        """The next message; `Closed` if there is none."""
        content = b""
        while True:
            last, kind, part = self._frame()
            if kind == PING:
                self.send(part, PONG)
            elif kind == CLOSE:
                code = struct.unpack("!H", part[:2])[0] if len(part) >= 2 else 1005
                why = part[2:].decode(errors="replace") or "no reason given"
                raise Closed(f"the server closed the connection ({code}: {why})")
            elif kind != PONG:
                content += part
                if len(content) > LONGEST_MESSAGE:
                    raise Closed(f"the server sent more than {LONGEST_MESSAGE} bytes")
                if last:
                    return content

    def close(self) -> None:
        """Say goodbye, without waiting for an answer."""
        with contextlib.suppress(Closed):
            self.send(struct.pack("!H", 1000), CLOSE)
        self._socket.close()

    def _open(self, address: str, subprotocol: str) -> None:
        key = base64.b64encode(os.urandom(16))
        lines = (
            "GET / HTTP/1.1",
            f"Host: {address}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key.decode()}",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Protocol: {subprotocol}",
        )
        self._socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        while b"\r\n\r\n" not in self._held:
            self._more(most=1 << 16)
        answer, _, self._held = self._held.partition(b"\r\n\r\n")
        accept = base64.b64encode(hashlib.sha1(key + MAGIC).digest())
        if b" 101 " not in answer.split(b"\r\n")[0] or accept not in answer:
            said = (answer + b"\n" + self._held).decode(errors="replace")
            raise Refused(f"{address} is no server of Paseo: it answered {said[:300]!r}")

    def _frame(self) -> tuple[bool, int, bytes]:
        first, second = self._take(2)
        length = second & 0x7F
        if length == 126:
            length = struct.unpack("!H", self._take(2))[0]
        elif length == 127:
            length = struct.unpack("!Q", self._take(8))[0]
        if length > LONGEST_MESSAGE:
            raise Closed(f"the server sent more than {LONGEST_MESSAGE} bytes")
        return bool(first & 0x80), first & 0x0F, self._take(length)

    def _take(self, count: int) -> bytes:
        while len(self._held) < count:
            self._more(most=LONGEST_MESSAGE + 1024)
        taken, self._held = self._held[:count], self._held[count:]
        return taken

    def _more(self, most: int) -> None:
        try:
            chunk = self._socket.recv(1 << 16)
        except OSError as error:
            raise Closed(f"the server is silent or gone ({error})") from error
        if not chunk or len(self._held) > most:
            raise Closed("the server hung up")
        self._held += chunk


class Map:
    """Where one can walk."""

    def __init__(self, told: Message) -> None:
        self.name: str = told["name"]
        self.cell_m: float = told["cell_m"]
        self.origin_m: list[float] = told["origin_m"]
        self.rows: int = told["rows"]
        self.columns: int = told["columns"]
        walls = base64.b64decode(told["walls"])
        numbers = unpacked(walls, least=0, most=LARGEST_WALLS, piece=32)
        #: x1, y1, x2, y2 of each segment, in metres
        self.walls: list[tuple[float, ...]] = list(struct.iter_unpack("<4d", numbers))
        size = (self.rows * self.columns + 7) // 8
        free = base64.b64decode(told["free"])
        self._free = unpacked(free, least=size, most=min(size, MOST_CELLS))

    def is_free(self, x: float, y: float) -> bool:
        """Whether the cell at this position is free; off the map nothing is."""
        column = math.floor((x - self.origin_m[0]) / self.cell_m)
        row = math.floor((y - self.origin_m[1]) / self.cell_m)
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            return False
        byte, bit = divmod(row * self.columns + column, 8)
        return bool(self._free[byte] >> (7 - bit) & 1)


class Picture:
    """What the robot's camera showed; the camera is told in `briefing["camera"]`."""

    def __init__(self, told: Message) -> None:
        self.time_s: float = told["time_s"]  # when it was taken
        self.robot: Message = told["robot"]  # where the robot was then
        self.width_px: int = told["width_px"]
        self.height_px: int = told["height_px"]
        #: red, green and blue of each pixel, row by row from the top
        size = self.width_px * self.height_px
        most, colours = min(size, MOST_PIXELS), base64.b64decode(told["rgb"])
        self.rgb: bytes = unpacked(colours, least=3 * size, most=3 * most)
        #: metres along the line of sight of the middle, likewise; NaN where none is told
        depths = base64.b64decode(told["depth"])
        self.depth_m = array("f", unpacked(depths, least=4 * size, most=4 * most))
        if sys.byteorder == "big":
            self.depth_m.byteswap()


class Episode:
    """One drive: iterate over it for observations, and answer each with `act` or `go`."""

    def __init__(self, session: Session, briefing: Message, floor: Map) -> None:
        self.briefing, self.map = briefing, floor
        self.name: str = briefing["name"]
        self.ended: Message = {}  # what came of it, once it is over
        self.picture: Picture | None = None  # the last that the robot's camera showed
        self._session = session
        self._owed: int | None = None  # the step that awaits a command

    def __iter__(self) -> Iterator[Message]:
        self._session.say({"type": "ready"})
        while True:
            told = self._session.hear("observation", "ended")
            if told["type"] == "ended":
                self.ended = told
                return
            self._owed = told["step"]
            if "image" in told:
                self.picture = Picture(told.pop("image"))
            yield told
            if self._owed is not None:
                raise RuntimeError("answer each observation once, with act() or go()")

    def act(self, forward_mps: float, turn_radps: float, **more: Any) -> None:
        """Drive like this for one step; `more` may be thinking_s and upcoming."""
        said = {"type": "twist", "forward_mps": forward_mps, "turn_radps": turn_radps}
        self._answer({**said, **more})

    def go(self, x_m: float, y_m: float, heading_rad: float = 0.0, **more: Any) -> None:
        """Go there, as far as one step allows; `more` likewise."""
        said = {"type": "pose", "x_m": x_m, "y_m": y_m, "heading_rad": heading_rad}
        self._answer({**said, **more})

    def history(self, first_step: int, last_step: int) -> list[Message]:
        """Earlier observations of this episode, at most 100."""
        self._session.say({"type": "history", "first_step": first_step, "last_step": last_step})
        found: list[Message] = self._session.hear("history")["observations"]
        return found

    def abandon(self, reason: str = "") -> None:
        """Give this episode up."""
        self._session.say({"type": "abandon", "reason": reason[:300]})
        while not self.ended:
            told = self._session.hear("observation", "ended")
            self.ended = told if told["type"] == "ended" else {}

    def _answer(self, command: Message) -> None:
        if self._owed is None:
            raise RuntimeError("there is no observation to answer")
        command["step"], self._owed = self._owed, None
        self._session.say(command)


class Session:
    """A welcome client: iterate over it for episodes, until none is left."""

    def __init__(self, connection: WebSocket, hello: Message, episode: str | None) -> None:
        self._connection, self._episode = connection, episode
        self._maps: dict[str, Map] = {}
        self.say(hello)
        self.welcome = self.hear("welcome")

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def __iter__(self) -> Iterator[Episode]:
        while True:
            wish = {} if self._episode is None else {"episode": self._episode}
            self.say({"type": "next", **wish})
            told = self.hear("episode", "done")
            if told["type"] == "done":
                return
            episode = Episode(self, told, self._maps[told["map"]])
            yield episode
            if not episode.ended:
                episode.abandon("the client went on without it")
            if self._episode is not None:
                return

    def say(self, message: Message) -> None:
        """Send one message."""
        self._connection.send(json.dumps(message, allow_nan=False).encode())

    def hear(self, *kinds: str) -> Message:
        """The next message of these types; `Refused` if the server reports an error."""
        while True:
            told: Message = json.loads(self._connection.receive())
            if told["type"] in kinds:
                return told
            if told["type"] == "error":
                raise Refused(told["sentence"])
            if told["type"] == "map":
                self._maps[told["map"]] = Map(told)


def connect(
    address: str,
    *,
    client: str = "python",
    token: str | None = None,
    control: str | None = None,
    episode: str | None = None,
    patience_s: float = PATIENCE_S,
) -> Session:
    """A session at HOST:PORT under the name `client`, for any episodes or one of this name.

    `control` is velocity or position; the token is by default that of PASEO_TOKEN.
    """
    hello: Message = {"type": "hello", "version": VERSION, "client": client}
    token = token or os.environ.get("PASEO_TOKEN")
    hello.update({"token": token} if token else {})
    hello.update({"control": control} if control else {})
    connection = WebSocket(address, SUBPROTOCOL, patience_s)
    try:
        return Session(connection, hello, episode)
    except BaseException:
        connection.close()
        raise


Plan = Callable[[Episode, Message], tuple[float, float]]


def drive(address: str, plan: Plan, **options: Any) -> list[Message]:
    """Drive all episodes by a function that answers with m/s forward and rad/s of turn."""
    found = []
    with connect(address, **options) as session:
        for episode in session:
            for observation in episode:
                episode.act(*plan(episode, observation))
            found.append(episode.ended)
    return found


def straight(episode: Episode, observation: Message) -> tuple[float, float]:
    """Turn to the goal and go there, whoever is in the way."""
    robot, goal, limits = observation["robot"], episode.briefing["goal"], episode.briefing["robot"]
    away_x, away_y = goal["x_m"] - robot["x_m"], goal["y_m"] - robot["y_m"]
    off = math.remainder(math.atan2(away_y, away_x) - robot["heading_rad"], math.tau)
    dt = episode.briefing["dt_s"]
    speed = min(limits["max_speed_mps"], math.hypot(away_x, away_y) / dt)
    return speed * max(0.0, math.cos(off)), off / dt


def wander(episode: Episode, observation: Message) -> tuple[float, float]:
    """Anywhere, by chance: the same way each time in the same episode."""
    limits = episode.briefing["robot"]
    chance = random.Random(f"{episode.briefing['seed']} {observation['step']}")
    most = limits["max_turn_radps"] or 1.0
    return chance.uniform(0.0, limits["max_speed_mps"]), chance.uniform(-most, most)


PLANS = {"straight": straight, "random": wander}


def main() -> int:
    """Drive by one of the plans above."""
    parser = argparse.ArgumentParser(description="Drive a robot of Paseo from outside.")
    parser.add_argument("plan", choices=sorted(PLANS))
    parser.add_argument("address", metavar="HOST:PORT")
    parser.add_argument("--client", help="the name in tables (default: the plan's)")
    parser.add_argument("--episode", help="only this one")
    said = parser.parse_args()
    name = said.client or f"{said.plan}-client"
    try:
        for ended in drive(said.address, PLANS[said.plan], client=name, episode=said.episode):
            print(ended["episode"], ended["verdict"], sep="\t")
    except (Refused, Closed, OSError) as error:
        print(f"client: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
