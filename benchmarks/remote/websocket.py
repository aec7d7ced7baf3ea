"""Observation-command round trips over WebSocket with 44 people, beside a bare echo.

    python benchmarks/remote/websocket.py [ROUND_TRIPS]

Wanted: 1,500 round trips a second with the client in Python that people copy
(paseo.remote.client: JSON, standard library only), and at most 0.6 ms of the server's processor
time for each. The echo is the same library at the other end of the same transport: it answers
each command with the bytes of one observation, and does nothing else. Both are measured several
times, in turn, and the best of each counts. The server's processor time includes the writing of
the record. `paseo drive` is measured as well, in both encodings.
"""

import asyncio
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from joystick import PEOPLE, ROUNDS, Speed, suite
from websockets.asyncio.server import ServerConnection
from websockets.asyncio.server import serve as serve_sockets

from paseo.listening import Address
from paseo.remote import client
from paseo.remote.websocket.encoding import Encoding
from paseo.remote.websocket.serving import serve

WANTED_RATE, WANTED_CPU_MS = 1500.0, 0.6
Opened = Callable[[Address], None]


def drive(address: str) -> None:
    """The client: two episodes, of which the second is timed; prints round trips and seconds."""
    with client.connect(address) as session:
        for episode in session:
            begun, trips = time.perf_counter(), 0
            for observation in episode:
                assert len(observation["people"]["ids"]) == PEOPLE
                seconds = time.perf_counter() - begun  # without the writing of the record
                episode.act(0.0, 0.1)
                trips += 1
    print(trips, seconds)


def drive_planner(address: str, encoding: str) -> None:
    """The same by a planner of Paseo that stands still."""
    from paseo.remote.websocket.driving import drive

    ends = [time.perf_counter()]
    drive(
        "stop",
        address,
        encoding=Encoding(encoding),
        progress=lambda *_: ends.append(time.perf_counter()),
    )
    print(TRIPS + 1, time.perf_counter() - ends[-1])


def timed(work: Callable[[Opened], list[float]], *words: str) -> Speed:
    """What a client sees of whoever serves, and how long that worked between two episodes' ends."""
    started: list[subprocess.Popen[str]] = []

    def start(where: Address) -> None:
        command = [sys.executable, __file__, "client", str(TRIPS), str(where), *words]
        started.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))

    ends = work(start)
    trips, seconds = map(float, started[0].communicate(timeout=120)[0].split())
    return Speed(trips / seconds, 1000 * (ends[-1] - ends[-2]) / trips)


def served(folder: Path, opened: Opened) -> list[float]:
    """Serve with Paseo; the processor time at the end of each episode."""
    ends: list[float] = []

    def note(what: str, done: int, total: int) -> None:
        if total:
            ends.append(time.process_time())

    with tempfile.TemporaryDirectory() as out:
        target = folder / "trips.json"
        serve(target, listen="localhost:0", out=Path(out) / "run", progress=note, opened=opened)
    return ends


def recorded(folder: Path) -> dict[str, bytes]:
    """One message of each kind that Paseo sends in the short episode."""
    found: dict[str, bytes] = {}

    def listen(where: Address) -> None:
        command = [sys.executable, __file__, "record", str(TRIPS), str(where)]
        done = subprocess.Popen(command, stdout=subprocess.PIPE)
        started.append(done)

    started: list[subprocess.Popen[bytes]] = []
    served(folder, listen)
    for line in started[0].communicate(timeout=120)[0].splitlines():
        kind, _, content = line.partition(b"\t")
        found[kind.decode()] = content
    return found


def record(address: str) -> None:
    """Print the first message of each kind."""
    socket, seen = client.WebSocket(address, client.SUBPROTOCOL), set()
    socket.send(b'{"type":"hello","version":1,"client":"python"}')
    answers = ["next", None, "ready", "abandon", "next", "abandon", "next", None]
    for answer in answers:
        content = socket.receive()
        kind = content.split(b'"')[3]
        if kind not in seen:
            seen.add(kind)
            sys.stdout.buffer.write(kind + b"\t" + content + b"\n")
        if answer is not None:
            socket.send(b'{"type":"%s"}' % answer.encode())


def echoed(messages: dict[str, bytes], opened: Opened) -> list[float]:
    """Answer what a server would, of the same length, and no more."""
    ends: list[float] = []

    async def handle(connection: ServerConnection) -> None:
        async def say(kind: str) -> None:
            await connection.send(messages[kind], text=True)

        await connection.recv(decode=False)
        await say("welcome")
        await connection.recv(decode=False)
        await say("map")
        for steps in (1, TRIPS + 1):
            await say("episode")
            await connection.recv(decode=False)
            for _ in range(steps):
                await say("observation")
                await connection.recv(decode=False)
            await say("ended")
            await connection.recv(decode=False)
            ends.append(time.process_time())
        await say("done")
        finished.set()

    finished = asyncio.Event()

    async def run() -> None:
        async with serve_sockets(handle, "localhost", 0, compression=None) as sockets:
            opened(Address("localhost", sockets.sockets[0].getsockname()[1]))
            await finished.wait()

    asyncio.run(run())
    return ends


def main() -> int:
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        suite(folder, TRIPS)
        messages = recorded(folder)
        pairs = [
            (
                timed(lambda opened: served(folder, opened)),
                timed(lambda opened: echoed(messages, opened)),
            )
            for _ in range(ROUNDS)
        ]
        drives = {each: timed(lambda opened: served(folder, opened), each) for each in Encoding}
    ours, bare = zip(*pairs, strict=True)
    for name, runs in (("paseo", ours), ("bare echo", bare)):
        print(name)
        for each in runs:
            print(f"  {each}")
    for encoding, speed in drives.items():
        print(f"paseo drive stop, {encoding}\n  {speed}")
    best = Speed(max(each.rate for each in ours), min(each.cpu_ms for each in ours))
    share = statistics.median(mine.rate / echo.rate for mine, echo in pairs)
    print(f"an observation has {len(messages['observation'])} bytes")
    print(f"{share:.2f} of the echo's rate (median)")
    print(f"best of {ROUNDS}: {best} (wanted: {WANTED_RATE:.0f}/s and {WANTED_CPU_MS} ms)")
    return 0 if best.rate >= WANTED_RATE and best.cpu_ms <= WANTED_CPU_MS else 1


if __name__ == "__main__":
    TRIPS = int(next((word for word in sys.argv[1:] if word.isdigit()), "4000"))
    if sys.argv[1:2] == ["record"]:
        record(sys.argv[3])
    elif sys.argv[1:2] == ["client"]:
        drive(sys.argv[3]) if len(sys.argv) == 4 else drive_planner(*sys.argv[3:5])
    else:
        sys.exit(main())
