"""The sockets: order, bounds, and paths that cannot be used."""

import socket
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from paseo.errors import InputError
from paseo.remote.joystick.inbox import BACKLOG, CHUNK, LONGEST_PATH, CutOff, Inbox
from paseo.remote.joystick.serving import serve
from paseo.remote.joystick.sockets import NobodyListens, connected, deliver

OPEN = Path("/proc/self/fd")
LONG = 10.0  # seconds that no test waits unless it fails


@pytest.fixture
def inbox(tmp_path: Path) -> Iterator[Inbox]:
    with Inbox(tmp_path / "recv") as opened:
        yield opened


def test_messages_come_in_the_order_of_their_connections(inbox: Inbox, tmp_path: Path) -> None:
    texts = [f"message {k}" for k in range(300)]
    for text in texts:
        deliver(tmp_path / "recv", text.encode(), within=LONG)
    assert [inbox.get(LONG) for _ in texts] == [text.encode() for text in texts]
    assert inbox.get(0) is None


def test_one_who_says_nothing_keeps_nobody_waiting(inbox: Inbox, tmp_path: Path) -> None:
    with connected(tmp_path / "recv", within=LONG):
        assert inbox.called.wait(LONG)
        assert inbox.newcomer
        deliver(tmp_path / "recv", b"sense", within=LONG)
        assert inbox.get(LONG) == b"sense"
        assert not inbox.newcomer, "whoever it was has spoken"


def test_what_was_begun_first_is_handed_on_first(inbox: Inbox, tmp_path: Path) -> None:
    with connected(tmp_path / "recv", within=LONG) as slow:
        slow.sendall(b"fir")
        deliver(tmp_path / "recv", b"second", within=LONG)
        assert inbox.get(0.05) is None
        slow.sendall(b"st")
    assert [inbox.get(LONG), inbox.get(LONG)] == [b"first", b"second"]


def test_a_message_without_end_is_cut_off(
    inbox: Inbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("paseo.remote.joystick.inbox.LONGEST_MESSAGE", 0.1)
    with connected(tmp_path / "recv", within=LONG) as slow:
        slow.sendall(b"{")
        assert inbox.get(LONG) == CutOff("a message did not end within 0.1 s")
        deliver(tmp_path / "recv", b"ready", within=LONG)
        assert inbox.get(LONG) == b"ready"


def test_a_message_that_is_too_long_is_cut_off(inbox: Inbox, tmp_path: Path) -> None:
    with pytest.raises(NobodyListens, match="did not take a message"):
        deliver(tmp_path / "recv", b"x" * 10_000_000, within=LONG)
    assert inbox.get(LONG) == CutOff("a message has more than 65536 bytes")


@pytest.mark.skipif(not OPEN.is_dir(), reason="counts open files as Linux shows them")
def test_many_silent_connections_do_not_add_up(inbox: Inbox, tmp_path: Path) -> None:
    before = len(list(OPEN.iterdir()))
    callers = [connected(tmp_path / "recv", within=LONG) for _ in range(200)]
    deliver(tmp_path / "recv", b"sense", within=LONG)
    assert inbox.get(LONG) == b"sense"
    held = len(list(OPEN.iterdir())) - before - len(callers)
    for each in callers:
        each.close()
    assert held <= 66


def test_who_turns_away_leaves_the_reading_to_the_thread(inbox: Inbox, tmp_path: Path) -> None:
    assert inbox.get(0) is None
    inbox.leave()
    for _ in range(3 * BACKLOG):  # more than can wait at a door that nobody opens
        deliver(tmp_path / "recv", b"sense", within=LONG)
    assert [inbox.get(LONG) for _ in range(3 * BACKLOG)] == [b"sense"] * 3 * BACKLOG


def test_who_must_wait_to_be_heard_leaves_the_reading_first(inbox: Inbox, tmp_path: Path) -> None:
    """Or both would wait for ever: the client until it is read, the server until it is heard."""
    assert inbox.get(0) is None
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.bind(str(tmp_path / "send"))
        client.listen(1)
        said: list[int] = []

        def speak_and_then_listen() -> None:
            for k in range(3 * BACKLOG):
                deliver(tmp_path / "recv", b"sense", within=LONG)
                said.append(k)
            for _ in range(5):
                with client.accept()[0] as heard:
                    while heard.recv(CHUNK):
                        pass

        speaker = threading.Thread(target=speak_and_then_listen)
        speaker.start()
        for _ in range(5):
            deliver(tmp_path / "send", b"{}", within=LONG, before_waiting=inbox.leave)
        speaker.join(LONG)
    assert len(said) == 3 * BACKLOG


def test_nobody_listens(tmp_path: Path) -> None:
    with pytest.raises(NobodyListens, match=r"nobody listens at .*send \(No such"):
        deliver(tmp_path / "send", b"sense", within=0.02)


def test_a_socket_that_a_dead_process_left_is_replaced(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as dead:
        dead.bind(str(tmp_path / "recv"))
    with Inbox(tmp_path / "recv") as inbox:
        deliver(tmp_path / "recv", b"sense", within=LONG)
        assert inbox.get(LONG) == b"sense"
        assert stat.S_ISSOCK((tmp_path / "recv").stat().st_mode)
    assert not (tmp_path / "recv").exists()


def test_paths_that_cannot_be_used_are_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("keep")
    (tmp_path / "folder").mkdir()
    long = tmp_path / ("x" * LONGEST_PATH)
    with Inbox(tmp_path / "recv"):
        for path, words in {
            tmp_path / "recv": "another program listens there, perhaps another paseo serve",
            tmp_path / "file": "is no socket but a file",
            tmp_path / "folder": "is no socket but a folder",
            tmp_path / "file" / "recv": r"no socket can be made there \(Not a directory",
            tmp_path / "none" / "recv": r"no socket can be made there \(No such file",
            long: f"a socket's path at most {LONGEST_PATH}",
        }.items():
            with pytest.raises(InputError, match=words):
                serve("scripted_eth_along", receive=path, send=tmp_path / "s", out=tmp_path / "run")
        with pytest.raises(InputError, match="shorter send"):
            serve("scripted_eth_along", receive=tmp_path / "r", send=long, out=tmp_path / "run")
        with pytest.raises(InputError, match="send: no client can listen there, for .* no folder"):
            serve("scripted_eth_along", receive=tmp_path / "r", send=tmp_path / "none" / "send")
        with pytest.raises(InputError, match="receive and send are both"):
            serve("scripted_eth_along", receive=long, send=long, out=tmp_path / "run")
    assert (tmp_path / "file").read_text() == "keep"
    assert not (tmp_path / "run").exists()
