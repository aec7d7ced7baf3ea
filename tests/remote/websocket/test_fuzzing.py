"""Random and mutated messages: nothing hangs, nothing crashes, and no record is wrong."""

import random
import socket
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest

from paseo.remote import client
from paseo.remote.websocket.encoding import Encoding, Unreadable, declared_version, server_codec
from paseo.remote.websocket.messages import Said
from paseo.remote.websocket.serving import NobodyCame
from paseo.suite.rerunning import rerun
from paseo.suite.runs.planning import RunOptions
from paseo.world.recordfile import load_record
from paseo.world.records import Outcome
from runs import course
from websocket_server import served

Json = dict[str, Any]
TWIST = {"type": "twist", "forward_mps": 0.7, "turn_radps": -0.3}
MESSAGES: list[Json] = [
    {"type": "hello", "version": 1, "client": "fuzz", "control": "velocity", "maps": ["0" * 64]},
    {"type": "next"}, {"type": "next", "episode": "e1"}, {"type": "ready"},
    TWIST, {**TWIST, "step": 3, "thinking_s": 0.1},
    {"type": "pose", "x_m": 2.5, "y_m": 5.0, "heading_rad": 0.1},
    {"type": "history", "first_step": 0, "last_step": 10}, {"type": "abandon", "reason": "enough"},
]  # fmt: skip
ODD: list[Any] = [
    None, True, -1, 0, 2**63, -(2**70), 1e308, -1e308, 0.0, "", "x" * 500, [], {}, [[]],
    {"type": "twist"}, "\ud800", "\0", [1] * 300,
]  # fmt: skip
SIDES = {Encoding.JSON: msgspec.json.encode, Encoding.MSGPACK: msgspec.msgpack.encode}


def mutated(chance: random.Random, encoding: Encoding) -> bytes:
    """A message with one fault or several, or no message at all."""
    kind = chance.random()
    if kind < 0.1:
        return chance.randbytes(chance.randrange(200))
    message = dict(chance.choice(MESSAGES))
    if kind < 0.55:
        for _ in range(chance.randrange(1, 3)):
            key = chance.choice([*message, "speed", "type"])
            message[key] = chance.choice(ODD)
            if chance.random() < 0.2:
                message.pop(key)
    content = bytearray(written(message, encoding))
    if kind > 0.4:
        for _ in range(chance.randrange(1, 4)):
            at = chance.randrange(len(content) + 1)
            fresh = chance.choice([chance.randbytes(1), b"9", b" ", b"-", b""])
            content[at : at + chance.randrange(2)] = fresh
    if kind > 0.8:
        del content[chance.randrange(len(content)) :]
    return bytes(content)


def written(message: Json, encoding: Encoding) -> bytes:
    try:
        return bytes(SIDES[encoding](message))
    except (UnicodeEncodeError, OverflowError):
        return repr(message).encode(errors="replace")


@pytest.mark.slow
@pytest.mark.parametrize("encoding", Encoding)
def test_a_hundred_thousand_messages_are_read_or_refused_with_a_sentence(
    encoding: Encoding,
) -> None:
    chance, codec, kinds = random.Random(1), server_codec(encoding), Counter[str]()
    for _ in range(100_000):
        content = mutated(chance, encoding)
        declared_version(content, encoding)
        message = codec.read(content)
        if isinstance(message, Unreadable):
            assert 10 < len(message.fault) < 1000
        else:
            again = codec.read(codec.written(message))
            assert codec.written(again) == codec.written(message)  # NaN is not itself
        kinds[type(message).__name__] += 1
    every = {kind.__name__ for kind in Said.__args__} | {"Unreadable"}
    assert kinds.keys() == every
    assert min(kinds.values()) > 100, "the fuzzer reaches every message"


def spoken(address: str, chance: random.Random, encoding: Encoding, name: str, count: int) -> None:
    """A client that greets, then mostly drives and sometimes says anything; never waits long."""
    kind = client.TEXT if encoding is Encoding.JSON else client.BINARY
    unruly = chance.choice([0.02, 0.5])  # the share of messages that may be anything
    server = client.WebSocket(address, encoding.subprotocol, patience_s=30.0)
    with suppress(client.Closed):
        hello = {"type": "hello", "version": 1, "client": name}
        server.send(written(hello if chance.random() < 0.95 else {}, encoding), kind)
        server.receive()
        for kind_of in ("next", "ready"):
            server.send(written({"type": kind_of}, encoding), kind)
        for _ in range(count):
            if chance.random() < unruly:
                server.send(mutated(chance, encoding), kind)
            else:
                asked = chance.choice([{"type": "next"}, {"type": "ready"}, *[TWIST] * 12])
                server.send(written(asked, encoding), kind)
        for _ in range(count // 4):
            server.receive()
        if chance.random() < 0.5:
            server.close()
    server._socket.close()


def noise(address: str, chance: random.Random) -> None:
    """Bytes that are no WebSocket: before the handshake, or in place of frames."""
    host, _, port = address.rpartition(":")
    with socket.create_connection((host, int(port)), 30.0) as raw, suppress(OSError):
        if chance.random() < 0.5:
            raw.sendall(b"GET / HTTP/1.1\r\n" * chance.randrange(2) + chance.randbytes(300))
        else:
            raw.sendall(
                b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                b"Sec-WebSocket-Key: cGFzZW8gcGFzZW8gcGFzZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
            )
            raw.recv(1000)
            raw.sendall(chance.randbytes(chance.randrange(1, 400)))


@pytest.mark.slow
def test_over_the_socket_the_server_lives_on_and_every_record_is_right(tmp_path: Path) -> None:
    chance = random.Random(2)
    target = course(tmp_path, "e1", "e2", time_limit_s=1.0, seeds=list(range(300)))
    options = RunOptions(hang_limit_s=2.0)
    with served(target, tmp_path / "run", options=options, wait_s=2.0) as server:
        for number in range(120):
            encoding = chance.choice(list(Encoding))
            spoken(server.address, chance, encoding, f"fuzz{number % 3}", 100)
            if number % 2:
                noise(server.address, chance)
            if number % 50 == 0:
                client.drive(server.address, client.straight, client="good", episode="e1")
        with pytest.raises(NobodyCame):
            server.done()
    found = [load_record(each) for each in sorted((tmp_path / "run" / "records").glob("*.npz"))]
    outcomes = Counter(record.outcome for record in found)
    assert outcomes[Outcome.PLANNER_FAILED] > 30
    assert outcomes[Outcome.OUT_OF_TIME] + outcomes[Outcome.REACHED_GOAL] > 30
    assert all(rerun(record).is_identical for record in found)
    good = [each.robot.tobytes() for each in found if each.provenance.planner == "good"]
    assert len(good) == 3 and len(set(good)) == 1
