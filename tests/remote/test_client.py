"""The client that people copy: one file that needs nothing, and its sister in C++."""

import ast
import base64
import json
import math
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from paseo.listening import Address, bound_to, listener
from paseo.remote import client
from runs import course
from websocket_server import Stranger, served, stored

FILE = Path(client.__file__)
CPP = Path(__file__).parents[2] / "examples" / "cpp" / "straight.cpp"


def test_it_imports_nothing_but_the_standard_library_and_is_python_3_9() -> None:
    tree = ast.parse(FILE.read_text(), feature_version=(3, 9))
    imported = {
        name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [])
        + ([each.name for each in node.names] if isinstance(node, ast.Import) else [])
    }
    assert imported <= sys.stdlib_module_names


@pytest.mark.parametrize("plan", ["straight", "random"])
def test_copied_somewhere_it_drives_without_any_package(tmp_path: Path, plan: str) -> None:
    copied = tmp_path / "elsewhere" / "client.py"
    copied.parent.mkdir()
    copied.write_text(FILE.read_text())
    with served(course(tmp_path, "one", "two"), tmp_path / "run") as server:
        command = [sys.executable, "-I", "-S", str(copied), plan, server.address]
        done = subprocess.run(command, capture_output=True, text=True, env={}, timeout=60)
        run = server.done()
    told = [f"{each.episode}\t{each.verdict}" for each in run.results]
    assert (done.stdout.splitlines(), done.stderr) == (told, "")
    assert {each.planner for each in run.results} == {f"{plan}-client"}


def test_random_drives_the_same_way_each_time(tmp_path: Path) -> None:
    commands = []
    for folder in ("first", "second"):
        with served(course(tmp_path, "one"), tmp_path / folder) as server:
            client.drive(server.address, client.wander)
            commands.append(stored(server.done().folder)[0].commands.tobytes())
    assert commands[0] == commands[1]


def test_a_session_is_two_loops(tmp_path: Path) -> None:
    with served(course(tmp_path, "one", "two", "three"), tmp_path / "run") as server:
        with client.connect(server.address, client="mine", control="position") as session:
            for episode in session:
                assert episode.map.is_free(2.0, 5.0)
                assert not episode.map.is_free(-1.0, 5.0)
                assert len(episode.map.walls) == 4
                for observation in episode:
                    robot = observation["robot"]
                    if episode.name == "two":
                        episode.abandon("enough")
                        break
                    if episode.name == "three":
                        break
                    assert episode.history(0, 0)[0]["step"] == 0
                    episode.go(robot["x_m"] + 0.05, robot["y_m"])
        run = server.done()
    assert [each.reason[:25] for each in run.results] == [
        "the robot reached the goa", "enough after 0.00 s", "the client went on withou",
    ]  # fmt: skip


def test_each_observation_is_answered_once(tmp_path: Path) -> None:
    with served(course(tmp_path, "one"), tmp_path / "run") as server:
        with client.connect(server.address) as session:
            episode = next(iter(session))
            with pytest.raises(RuntimeError, match="no observation to answer"):
                episode.act(1.0, 0.0)
            with pytest.raises(RuntimeError, match="answer each observation once"):
                for _ in episode:
                    pass
            episode.abandon()
        server.done()


def test_what_the_server_refuses_is_raised(tmp_path: Path) -> None:
    with served(course(tmp_path, "one"), tmp_path / "run", token="sesame-open") as server:
        with pytest.raises(client.Refused, match="lets in only who says its token"):
            client.connect(server.address)
        with client.connect(server.address, token="sesame-open") as session:
            for episode in session:
                episode.abandon()
        server.done()


def test_where_no_server_of_paseo_is_it_says_so() -> None:
    with listener(Address("localhost", 0)) as door:
        where = str(bound_to(Address("localhost", 0), door))
        with pytest.raises(client.Closed, match="silent or gone"):
            client.connect(where, patience_s=0.1)
    with pytest.raises(OSError, match="refused"):
        client.connect(where)


def test_a_long_message_goes_in_one_piece(tmp_path: Path) -> None:
    with served(course(tmp_path, "one"), tmp_path / "run") as server:
        for length in (1, 125, 126, 4000, 65_000):
            socket = client.WebSocket(server.address, client.SUBPROTOCOL)
            socket.send(b"x" * length)
            told = json.loads(socket.receive())
            assert told["code"] == "unreadable"
            with pytest.raises(client.Closed, match="4400"):
                socket.receive()
            socket.close()
        with Stranger(server.address) as stranger:
            stranger.greet()
            stranger.begin()
            stranger.drive()
        server.done()


@pytest.mark.compiler
def test_the_example_in_cpp_is_short_compiles_without_a_warning_and_drives_alike(
    tmp_path: Path,
) -> None:
    assert CPP.read_text().count("\n") <= 150
    program = tmp_path / "straight"
    flags = ["-std=c++17", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    subprocess.run(["g++", *flags, "-o", program, CPP], check=True, timeout=120)
    robots = []
    with served(course(tmp_path, "one", "two"), tmp_path / "cpp", token="sesame-open") as server:
        host, _, port = server.address.rpartition(":")
        done = subprocess.run(
            [program, host, port], capture_output=True, text=True, timeout=60, check=True,
            env={"PASEO_TOKEN": "sesame-open"},
        )  # fmt: skip
        assert [json.loads(line)["verdict"] for line in done.stdout.splitlines()] == ["success"] * 2
        robots.append(stored(server.done().folder)[0].robot)
    with served(course(tmp_path, "one", "two"), tmp_path / "python") as server:
        client.drive(server.address, client.straight)
        robots.append(stored(server.done().folder)[0].robot)
    assert math.dist(robots[0].ravel(), robots[1].ravel()) < 1e-9


def told_map(**changes: object) -> dict[str, object]:
    walls = base64.b64encode(zlib.compress(bytes(64))).decode()
    free = base64.b64encode(zlib.compress(b"\xff")).decode()
    told = {"name": "a", "cell_m": 1.0, "origin_m": [0.0, 0.0], "rows": 2, "columns": 4}
    return {**told, "walls": walls, "free": free, **changes}


def told_picture(**changes: object) -> dict[str, object]:
    rgb = base64.b64encode(zlib.compress(bytes(3 * 6))).decode()
    depth = base64.b64encode(zlib.compress(bytes(4 * 6))).decode()
    told = {"time_s": 0.0, "robot": {}, "width_px": 3, "height_px": 2, "rgb": rgb, "depth": depth}
    return {**told, **changes}


def test_a_map_and_a_picture_are_unpacked() -> None:
    assert len(client.Map(told_map()).walls) == 2
    assert client.Map(told_map()).is_free(3.5, 1.5)
    assert len(client.Picture(told_picture()).depth_m) == 6


LARGE = base64.b64encode(zlib.compress(bytes(client.LARGEST_WALLS + 32), 1)).decode()


@pytest.mark.parametrize(
    "changes",
    [
        {"walls": LARGE},
        {"walls": base64.b64encode(zlib.compress(bytes(31))).decode()},
        {"free": LARGE},
        {"rows": 1 << 40, "free": LARGE},
        {"rows": -1},
        {"free": "AAAA"},
    ],
)
def test_a_map_that_unfolds_to_more_than_it_says_is_refused(changes: dict[str, object]) -> None:
    with pytest.raises(client.Closed, match="the server sent"):
        client.Map(told_map(**changes))


@pytest.mark.parametrize(
    "changes", [{"rgb": LARGE}, {"depth": LARGE}, {"width_px": 1 << 30}, {"height_px": -2}]
)
def test_a_picture_that_unfolds_to_more_than_it_says_is_refused(
    changes: dict[str, object],
) -> None:
    with pytest.raises(client.Closed, match="the server sent"):
        client.Picture(told_picture(**changes))
