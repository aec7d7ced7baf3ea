"""The session, by a client written from the page of the protocol: what it may do, what it hears."""

import json
import math
import struct
import zlib
from base64 import b64decode
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from paseo.remote.clients import MOST_FAULTS
from paseo.remote.websocket import hosting
from paseo.remote.websocket.messages import LONGEST_SAID, MOST_STATES
from paseo.suite.rerunning import rerun
from paseo.world.motion import Control
from paseo.world.records import Outcome
from runs import course
from websocket_server import HASTY, PATIENT, Stranger, served, stored


def test_two_episodes_in_a_row_become_an_ordinary_run(tmp_path: Path) -> None:
    with served(course(tmp_path, "one", "two"), tmp_path / "run") as server:
        with Stranger(server.address) as client:
            welcome = client.greet("mine")
            assert (welcome["row"], welcome["episodes"]) == ("mine", ["one", "two"])
            for name in ("one", "two"):
                assert client.begin()["name"] == name
                ended = client.drive()
                assert (ended["outcome"], ended["verdict"]) == ("reached goal", "success")
                assert ended["score"] == {
                    "success": True, "person_contacts": 0, "caused_contacts": 0,
                    "shared_contacts": 0, "walked_into_contacts": 0,
                    "time_to_goal_s": ended["time_s"],
                }  # fmt: skip
            client.say("next")
            client.hear("done")
        run = server.done()
    assert [(each.planner, each.outcome) for each in run.results] == [
        ("mine", Outcome.REACHED_GOAL)
    ] * 2
    for record in stored(run.folder):
        assert record.provenance.control is Control.VELOCITY
        assert rerun(record).is_identical


def test_the_briefing_and_the_map_say_all_that_a_planner_in_process_knows(tmp_path: Path) -> None:
    with served(course(tmp_path, "one", "two"), tmp_path / "run") as server:
        with Stranger(server.address) as client:
            client.greet()
            told = client.begin()
            client.drive()
            client.begin()
            client.drive()
        record = stored(server.done().folder)[0]
    floor = next(each for each in client.heard if each["type"] == "map")
    assert [each["type"] for each in client.heard].count("map") == 1, "the map comes once"
    plan = record.scenario.floorplan
    walls = zlib.decompress(b64decode(floor["walls"]))
    assert list(struct.iter_unpack("<4d", walls)) == [
        tuple(wall) for wall in plan.walls.reshape(-1, 4).tolist()
    ]
    bits = np.unpackbits(np.frombuffer(zlib.decompress(b64decode(floor["free"])), np.uint8))
    free = bits[: floor["rows"] * floor["columns"]].reshape(floor["rows"], floor["columns"])
    assert np.array_equal(free.astype(bool), plan.free)
    assert told["map"] == floor["map"]
    assert told["start"] == {"x_m": 2.0, "y_m": 5.0, "heading_rad": record.scenario.start.heading}
    assert told["robot"]["max_acceleration_mps2"] is None
    assert (told["dt_s"], told["time_limit_s"], told["control"]) == (0.05, 4.0, "velocity")


def test_a_client_that_has_the_map_is_not_told_it(tmp_path: Path) -> None:
    with served(course(tmp_path, "one", "two"), tmp_path / "run") as server:
        with Stranger(server.address) as first:
            first.greet()
            known = first.begin()["map"]
            first.drive()
        with Stranger(server.address) as second:
            second.greet(maps=[known])
            second.begin()
            second.drive()
            assert "map" not in {each["type"] for each in second.heard}
        server.done()


def test_observations_are_those_of_the_record_to_the_last_bit(tmp_path: Path) -> None:
    with served(course(tmp_path, "one"), tmp_path / "run") as server:
        with Stranger(server.address) as client:
            client.greet()
            client.begin()
            client.drive()
        record = stored(server.done().folder)[0]
    shown = [each for each in client.heard if each["type"] == "observation"]
    assert len(shown) == len(record.commands)
    for step, told in enumerate(shown):
        robot, people = told["robot"], told["people"]
        assert (told["step"], told["time_s"]) == (step, record.times[step])
        assert [robot["x_m"], robot["y_m"], robot["heading_rad"]] == record.robot[step].tolist()
        assert people["ids"] == [7]
        assert people["positions_m"] == record.people[step].tolist()
        assert people["velocities_mps"][0] == pytest.approx([0.0, 2.0])


def test_earlier_states_are_shown_again_on_request(tmp_path: Path) -> None:
    with served(course(tmp_path, "one", time_limit_s=8.0), tmp_path / "run") as server:
        with Stranger(server.address) as client:
            client.greet()
            client.begin()
            for _ in range(MOST_STATES + 20):
                client.hear("observation")
                client.say("twist", forward_mps=0.0, turn_radps=0.0)
            client.hear("observation")
            shown = [each for each in client.heard if each["type"] == "observation"]
            for first, last in ((2, 5), (119, 9999), (0, 9999), (500, 600), (5, 2)):
                client.say("history", first_step=first, last_step=last)
                found = client.hear("history")["observations"]
                assert found == shown[first : last + 1][:MOST_STATES]
            client.say("abandon")
            client.hear("ended")
            client.say("history", first_step=0, last_step=0)
            assert client.hear("history")["observations"] == shown[:1]
        server.done()


def test_messagepack_says_the_same_as_json(tmp_path: Path) -> None:
    with served(course(tmp_path, "one"), tmp_path / "run") as server:
        where = f"ws://{server.address}"
        with connect(where, subprotocols=["paseo.v1.msgpack"], max_size=None) as connection:  # type: ignore[list-item]

            def say(**message: Any) -> None:
                connection.send(msgspec.msgpack.encode(message))

            def hear() -> Any:
                return msgspec.msgpack.decode(connection.recv(20.0))

            say(type="hello", version=1, client="packed")
            assert hear()["type"] == "welcome"
            say(type="next")
            assert isinstance(hear()["walls"], bytes)
            assert hear()["type"] == "episode"
            say(type="ready")
            while (told := hear())["type"] == "observation":
                say(type="twist", forward_mps=1.0, turn_radps=0.0)
            assert told["verdict"] == "success"
        server.done()


def test_commands_may_be_sent_ahead_and_those_left_over_do_not_leak(tmp_path: Path) -> None:
    with served(course(tmp_path, "one", "two"), tmp_path / "run") as server:
        with Stranger(server.address) as client:
            client.greet()
            for _ in range(2):
                client.begin()
                for _ in range(30):  # the goal is reached meanwhile
                    client.say("twist", forward_mps=1.0, turn_radps=0.0)
                while client.hear("observation", "ended")["type"] != "ended":
                    pass
        run = server.done()
    assert [len(record.commands) for record in stored(run.folder)] == [15, 15]


def test_a_command_may_name_its_step_and_is_refused_for_another(tmp_path: Path) -> None:
    with served(course(tmp_path, "one"), tmp_path / "run") as server:
        with Stranger(server.address) as client:
            client.greet()
            client.begin()
            client.hear("observation")
            client.say("twist", forward_mps=1.0, turn_radps=0.0, step=0)
            client.hear("observation")
            client.say("twist", forward_mps=1.0, turn_radps=0.0, step=0)
            error = client.hear("error")
            assert error["sentence"] == "a command is for step 0, expected 1"
            client.say("pose", x_m=2.1, y_m=5.0, step=1)
            client.drive()
        server.done()


@pytest.mark.parametrize(
    ("wish", "fixed", "drives"),
    [
        (None, None, "velocity"),
        ("position", None, "position"),
        ("position", "velocity", "velocity"),
    ],
)
def test_the_client_says_how_it_drives_unless_the_run_decides(
    tmp_path: Path, wish: str | None, fixed: str | None, drives: str
) -> None:
    options = replace(PATIENT, control=None if fixed is None else Control(fixed))
    with served(course(tmp_path, "one"), tmp_path / "run", options=options) as server:
        with Stranger(server.address) as client:
            assert client.greet(**({"control": wish} if wish else {}))["control"] == drives
            assert client.begin()["control"] == drives
            client.drive()
        assert [each.control for each in server.done().results] == [drives]


def test_who_gives_up_may_say_why(tmp_path: Path) -> None:
    with served(course(tmp_path, "one", "two"), tmp_path / "run") as server:
        with Stranger(server.address) as client:
            client.greet()
            client.begin()
            client.hear("observation")
            client.say("abandon", reason="no way\nto be found")
            assert client.hear("ended")["reason"] == "no way to be found after 0.00 s"
            client.begin()
            client.hear("observation")
            client.say("abandon")
            assert client.hear("ended")["reason"] == "the client abandoned the episode after 0.00 s"
        verdicts = [each.outcome for each in server.done().results]
    assert verdicts == [Outcome.PLANNER_FAILED] * 2


def test_a_client_that_is_silent_has_failed_and_may_go_on(tmp_path: Path) -> None:
    target = course(tmp_path, "one", "two")
    with served(target, tmp_path / "run", options=HASTY) as server:
        with Stranger(server.address) as client:
            client.greet()
            client.begin()
            client.hear("observation")
            ended = client.hear("ended")
            assert ended["reason"].startswith("the client did not send a command within 0.5 s")
            client.begin()
            assert client.drive()["verdict"] == "success"
        run = server.done()
    record = stored(run.folder)[0]
    assert record.lost
    assert record.provenance.clock == "the client was given 0.5 s for each command"


def test_messages_that_cannot_be_used_are_answered_and_counted(tmp_path: Path) -> None:
    with served(course(tmp_path, "one"), tmp_path / "run") as server:
        with Stranger(server.address) as client:
            client.greet()
            client.begin()
            client.hear("observation")
            bad = [
                "{", "[]", "null", '{"type": "fly"}', '{"type": "twist", "forward_mps": "fast"}',
                '{"type": "twist", "forward_mps": 1, "turn_radps": 0, "speed": 3}',
                '{"type": "twist", "forward_mps": 1e999, "turn_radps": 0}',
                "\u00e9", '{"type": "ready"}', '{"type": "next"}',
            ]  # fmt: skip
            assert len(bad) == MOST_FAULTS
            for each in bad:
                client.connection.send(each)
                assert client.hear("error")["code"] in ("unreadable", "unexpected")
            client.connection.send("one too many")
            client.hear("error")
            ended = client.hear("ended")
            assert ended["outcome"] == "planner failed"
            assert f"sent {MOST_FAULTS + 1} messages that cannot be used" in ended["reason"]
        server.done()


def test_numbers_that_nobody_can_follow_fail_as_in_process(tmp_path: Path) -> None:
    with served(course(tmp_path, "one"), tmp_path / "run") as server:
        where = f"ws://{server.address}"
        with connect(where, subprotocols=["paseo.v1.msgpack"], max_size=None) as connection:  # type: ignore[list-item]
            for message in (
                {"type": "hello", "version": 1, "client": "nan"},
                {"type": "next"},
                {"type": "ready"},
                {"type": "twist", "forward_mps": math.nan, "turn_radps": 0.0},
            ):
                connection.send(msgspec.msgpack.encode(message))
            while (told := msgspec.msgpack.decode(connection.recv(20.0)))["type"] != "ended":
                pass
        server.done()
    assert "plan() answered Twist(forward=nan, turn=0.0), expected finite" in told["reason"]


def refusal(address: str, *messages: str, subprotocol: str | None = "paseo.v1.json") -> Any:
    """What a client is told that is sent away, and how its connection is closed."""
    with Stranger(address, subprotocol) as client:
        for message in messages:
            client.connection.send(message)
        told = client.hear("error")
        with pytest.raises(ConnectionClosed) as closed:
            client.connection.recv(20.0)
        assert closed.value.rcvd is not None
        return told["code"], told["sentence"], closed.value.rcvd.code


def test_who_cannot_be_let_in_hears_one_sentence(tmp_path: Path) -> None:
    hello = {"type": "hello", "version": 1, "client": "x"}
    with served(
        course(tmp_path, "one"), tmp_path / "run", token="sesame-open", options=HASTY
    ) as server:
        where = server.address
        code, sentence, closing = refusal(where, json.dumps(hello))
        assert (code, closing) == ("wrong token", 4401)
        assert sentence.endswith("in hello, and none was said")
        code, sentence, closing = refusal(where, json.dumps({**hello, "token": "sesame-shut"}))
        assert (code, closing) == ("wrong token", 4401)
        assert "sesame" not in sentence
        assert not any("sesame" in each for each in server.news)
        slip = {"type": "hello", "token": "sesame-open", "version": 1, "name": "x"}
        code, sentence, closing = refusal(where, json.dumps(slip))
        assert (code, closing) == ("unreadable", 4400)
        assert "unknown field `name`" in sentence.replace("'", "`")
        assert "sesame" not in sentence
        assert not any("sesame" in each for each in server.news)
        code, sentence, closing = refusal(where, json.dumps({**hello, "version": 2, "new": 1}))
        assert (code, closing) == ("unknown version", 4426)
        assert sentence.startswith("version 2 is not spoken here; this server speaks version 1")
        code, sentence, closing = refusal(where, subprotocol="paseo.v2.json")
        assert (code, closing) == ("unknown version", 4426)
        assert "subprotocol 'paseo.v2.json' is not spoken here" in sentence
        for name in ("a,b", "a\nb", " a", "a:k=v:c", "=cmd()", "@x"):
            named = {**hello, "token": "sesame-open", "client": name}
            code, sentence, closing = refusal(where, json.dumps(named))
            assert (code, closing) == ("unreadable", 4400)
            assert sentence.startswith("a client cannot be called ")
        code, sentence, closing = refusal(where, '{"type": "next"}')
        assert (code, closing) == ("unreadable", 4400)
        code, sentence, closing = refusal(where)
        assert (code, closing) == ("too slow", 4408)
        assert "did not say hello within 0.5 s" in sentence
        with Stranger(where) as client:
            client.greet(token="sesame-open")
            client.begin()
            client.drive()
        server.done()


def test_more_clients_than_can_be_served_are_turned_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hosting, "MOST_CLIENTS", 1)
    with served(course(tmp_path, "one"), tmp_path / "run") as server:
        with Stranger(server.address) as client:
            client.greet()
            code, sentence, closing = refusal(server.address)
            assert (code, closing) == ("full", 1013)
            assert sentence.startswith("1 clients are here; come again")
            client.begin()
            client.drive()
        server.done()


def test_a_message_that_is_too_long_ends_the_connection_and_the_episode(tmp_path: Path) -> None:
    with served(course(tmp_path, "one"), tmp_path / "run") as server:
        with Stranger(server.address) as client:
            client.greet()
            client.begin()
            client.hear("observation")
            client.connection.send("x" * (LONGEST_SAID + 1))
            with pytest.raises(ConnectionClosed) as closed:
                client.connection.recv(20.0)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1009
        run = server.done()
    assert f"sent a message of more than {LONGEST_SAID} bytes" in run.results[0].reason
