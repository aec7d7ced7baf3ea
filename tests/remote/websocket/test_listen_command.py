"""`paseo serve --listen` and `paseo drive` as they are typed, and what they refuse."""

import http.client
import json
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from paseo.cli.main import main
from paseo.listening import Address, bound_to, listener
from paseo.remote import client
from runs import PASEO, course, refused, suite
from websocket_server import PATIENCE, Stranger, served


def free_port() -> int:
    with listener(Address("localhost", 0)) as door:
        return bound_to(Address("localhost", 0), door).port


def awaited(address: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            host, _, port = address.rpartition(":")
            return socket.create_connection((host, int(port)), 1.0).close()
        except OSError:
            time.sleep(0.02)
    raise TimeoutError(address)


def test_a_planner_drives_a_served_suite_and_the_run_is_like_any_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    with served(suite(tmp_path), out, token="sesame-open") as server:
        words = ["drive", "straight", "--connect", server.address, "--token", "sesame-open"]
        assert main([*words, "--episode", "two"]) == 0
        assert capsys.readouterr().out == "two\tT\n"
        assert main(words) == 0
        assert capsys.readouterr().out == "one\tT\nthree\tT\n"
        server.done()
    assert main(["rerun", str(next((out / "records").glob("one*.npz")))]) == 0
    assert main(["compare", str(out)]) == 0
    assert "websocket:straight" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_when_it_is_stopped_it_says_how_to_go_on(tmp_path: Path, number: signal.Signals) -> None:
    where, out = f"localhost:{free_port()}", tmp_path / "run"
    command = [PASEO, "serve", "--listen", where, "--out", str(out), "--json"]
    with subprocess.Popen([*command, str(suite(tmp_path))], stdout=-1, stderr=-1) as server:
        awaited(where)
        with Stranger(where) as stranger:
            stranger.greet("mine")
            stranger.begin()
            stranger.drive()
            stranger.begin()
            stranger.hear("observation")
            server.send_signal(number)
            out_text, err = server.communicate(timeout=PATIENCE)
    assert (server.returncode, out_text) == (128 + number, b"")
    assert f"stopped; finish with: paseo serve --resume --listen {where} --out {out}" in str(err)
    assert b"Traceback" not in err
    with subprocess.Popen([*command, "--resume"], stdout=-1, stderr=-1) as server:
        awaited(where)
        client.drive(where, client.straight, client="mine")
        out_text, _ = server.communicate(timeout=PATIENCE)
    results = json.loads(out_text)["results"]
    assert [each["episode"] for each in results] == ["one", "two", "three"]


def test_what_cannot_be_served_is_refused_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PASEO_TOKEN", raising=False)
    path = suite(tmp_path)
    serve = ["serve", path, "--out", tmp_path / "run", "--listen"]
    assert "--listen is 'nowhere', expected HOST:PORT" in refused(capsys, *serve, "nowhere")
    said = refused(capsys, *serve, "0.0.0.0:8765")
    assert "0.0.0.0:8765 can be reached from other machines" in said
    assert "give --token, or set PASEO_TOKEN, or make --listen localhost:8765" in said
    assert "--token must be one word" in refused(capsys, *serve, "0.0.0.0:1", "--token", "short")
    with listener(Address("localhost", 0)) as door:
        taken = str(bound_to(Address("localhost", 0), door))
        said = refused(capsys, *serve, taken)
        assert f"{taken}: another program listens there" in said
        assert "choose another --listen" in said
    said = refused(capsys, *serve, "localhost:0", "--receive", tmp_path / "recv")
    assert "with --listen omit --receive, which the other protocol has" in said
    assert not (tmp_path / "run").exists()


def test_who_cannot_drive_hears_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PASEO_TOKEN", "sesame-shut")
    where = f"localhost:{free_port()}"
    said = refused(capsys, "drive", "straight", "--connect", where, code=1)
    assert f"no server answers at {where}" in said and "start paseo serve" in said
    assert "--connect is '1'" in refused(capsys, "drive", "straight", "--connect", "1")
    assert "'strait'" in refused(capsys, "drive", "strait", "--connect", where)
    with served(course(tmp_path, "one"), tmp_path / "run", token="sesame-open") as server:
        said = refused(capsys, "drive", "stop", "--connect", server.address)
        assert "the server says: this server lets in only who says its token" in said
        words = ["drive", "stop", "--connect", server.address, "--token", "sesame-open"]
        said = refused(capsys, *words, "--episode", "two")
        assert "there is no episode 'two'" in said
        assert main(words) == 0
        server.done()


def test_who_is_no_websocket_client_is_told_so(tmp_path: Path) -> None:
    with served(course(tmp_path, "one"), tmp_path / "run") as server:
        host, _, port = server.address.rpartition(":")
        browser = http.client.HTTPConnection(host, int(port), timeout=PATIENCE)
        browser.request("GET", "/")
        answer = browser.getresponse()
        assert answer.status == 426
        assert b"Paseo speaks WebSocket here" in answer.read()
        with socket.create_connection((host, int(port)), PATIENCE) as raw:
            raw.sendall(b"\x16\x03\x01 no HTTP at all\r\n\r\n")
            while raw.recv(1000):
                pass
        where = f"ws://{server.address}"
        with (
            pytest.raises(InvalidStatus, match="403"),
            connect(where, origin=Origin("http://elsewhere.example")),
        ):
            pass
        with connect(where, origin=Origin("http://localhost:9000")):
            pass
        client.drive(server.address, client.straight)
        server.done()
    assert "a page of another machine was turned away" in server.news


def test_a_token_is_neither_told_nor_stored(tmp_path: Path) -> None:
    with served(course(tmp_path, "one"), tmp_path / "run", token="sesame-open") as server:
        client.drive(server.address, client.straight, token="sesame-open")
        server.done()
    assert not any("sesame" in each for each in server.news)
    for file in (tmp_path / "run").rglob("*"):
        assert not file.is_file() or b"sesame" not in file.read_bytes()
