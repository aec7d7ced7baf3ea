"""The page of the protocol and its schema: held against the messages that are really sent."""

import json
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from paseo.remote.client import Map
from paseo.remote.websocket.messages import (
    ErrorCode,
    ImageNow,
    ObservationTold,
    PeopleNow,
    PoseTold,
    RobotNow,
    Said,
    ScanNow,
    Told,
)
from paseo.remote.websocket.schema import protocol_schema, schema_text
from runs import course
from websocket_server import Stranger, served

REFERENCE = Path(__file__).parents[3] / "docs" / "reference"
Json = dict[str, Any]


def validator(side: str) -> Draft202012Validator:
    schema = json.loads((REFERENCE / "protocol.schema.json").read_text())
    return Draft202012Validator({**schema, "anyOf": [{"$ref": f"#/$defs/{side}"}]})


@pytest.fixture(scope="module")
def traffic(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Json], list[Json]]:
    """All that a client said and heard in a session in which everything happens."""
    folder = tmp_path_factory.mktemp("traffic")
    sensor = {"position_noise_m": 0.1, "miss_rate": 0.3}
    target = course(folder, "one", "two", settings={"sensor": sensor})
    with served(target, folder / "run") as server:
        with Stranger(server.address) as client:
            client.greet("one", control="position", maps=["0" * 64])
            client.say("next", episode="no such")
            client.hear("error")
            client.begin(episode="one")
            client.hear("observation")
            client.say("history", first_step=0, last_step=3)
            client.hear("history")
            client.say("pose", x_m=2.05, y_m=5, heading_rad=0.0, step=0, thinking_s=0.01)
            client.drive()
            client.begin()
            client.hear("observation")
            client.say("abandon", reason="seen enough")
            client.hear("ended")
            client.say("next")
            client.hear("done")
        server.done()
    return client.said, client.heard


def test_the_schema_is_up_to_date() -> None:
    Draft202012Validator.check_schema(protocol_schema())
    stored = (REFERENCE / "protocol.schema.json").read_text()
    assert stored == schema_text(), "run tools/make_protocol_schema.py"


def test_all_that_is_said_and_heard_keeps_the_schema(
    traffic: tuple[list[Json], list[Json]],
) -> None:
    for messages, side in zip(traffic, ("ClientMessage", "ServerMessage"), strict=True):
        check = validator(side)
        for message in messages:
            check.validate(message)
    said, heard = traffic
    every = {"hello", "next", "ready", "twist", "pose", "history", "abandon"}
    assert {each["type"] for each in said} == every
    every = {"welcome", "map", "episode", "observation", "history", "ended", "done", "error"}
    assert {each["type"] for each in heard} == every


def test_the_server_says_nothing_that_the_schema_does_not_name(
    traffic: tuple[list[Json], list[Json]],
) -> None:
    parts = protocol_schema()["$defs"]
    named = {part["properties"]["type"]["enum"][0]: part for part in server_parts(parts)}
    for message in traffic[1]:
        assert message.keys() <= named[message["type"]]["properties"].keys()


def server_parts(parts: Json) -> Iterator[Json]:
    for each in parts["ServerMessage"]["anyOf"]:
        yield parts[each["$ref"].rpartition("/")[2]]


@pytest.mark.parametrize(
    ("side", "kind", "change"),
    [
        ("ClientMessage", "twist", {"forward_mps": "fast"}),
        ("ClientMessage", "twist", {"speed": 1.0}),
        ("ClientMessage", "hello", {"client": ""}),
        ("ClientMessage", "hello", {"maps": ["short"]}),
        ("ClientMessage", "history", {"first_step": -1}),
        ("ServerMessage", "observation", {"robot": {}}),
        ("ServerMessage", "observation", {"people": {"ids": [1.5]}}),
        ("ServerMessage", "ended", {"verdict": "fine"}),
        ("ServerMessage", "error", {"code": 7}),
        ("ServerMessage", "map", {"map": None}),
    ],
)
def test_a_message_with_a_fault_does_not_keep_it(
    traffic: tuple[list[Json], list[Json]], side: str, kind: str, change: Json
) -> None:
    messages = traffic[side == "ServerMessage"]
    good = next(each for each in messages if each["type"] == kind)
    assert validator(side).is_valid(good)
    assert not validator(side).is_valid({**good, **change})


def test_there_is_room_for_scans_and_images() -> None:
    told = ObservationTold(
        step=0,
        time_s=0.0,
        robot=RobotNow(0.0, 0.0, 0.0, 0.0, 0.0),
        people=PeopleNow([], [], [], []),
        scans=[ScanNow(first_rad=-1.0, step_rad=0.1, ranges_m=[1.5, None])],
        image=ImageNow(
            time_s=0.1,
            robot=PoseTold(1.0, 2.0, 0.5),
            width_px=2,
            height_px=1,
            rgb=zlib.compress(bytes(6)),
            depth=zlib.compress(bytes(8)),
        ),
    )
    plain = msgspec.json.decode(msgspec.json.encode(told))
    validator("ServerMessage").validate(plain)
    assert msgspec.convert(plain, Told, builtin_types=()) == told


def blocks(page: str) -> list[Json]:
    """The messages that the page shows."""
    return [json.loads(text) for text in re.findall(r"```json\n(.*?)```", page, re.DOTALL)]


def test_every_message_that_the_page_shows_keeps_the_schema() -> None:
    page = (REFERENCE / "protocol.md").read_text()
    shown = blocks(page)
    for message in shown:
        side = "ClientMessage" if is_said(message) else "ServerMessage"
        validator(side).validate(message)
    types = {each["type"] for each in shown}
    parts = protocol_schema()["$defs"]
    for side in ("ClientMessage", "ServerMessage"):
        assert parts[side]["discriminator"]["mapping"].keys() <= types
    for code in ErrorCode:
        assert f"`{code}`" in page, code


def test_the_map_on_the_page_is_a_room() -> None:
    page = (REFERENCE / "protocol.md").read_text()
    told = next(each for each in blocks(page) if each["type"] == "map")
    room = Map(told)
    assert (room.rows, room.columns, len(room.walls)) == (2, 3, 4)
    assert room.is_free(0.12, 0.07) and not room.is_free(0.16, 0.07)


def is_said(message: Json) -> bool:
    try:
        msgspec.convert(message, Said)
    except msgspec.ValidationError:
        return False
    return True


def test_every_field_of_the_protocol_is_on_the_page() -> None:
    page = (REFERENCE / "protocol.md").read_text()
    for name, part in protocol_schema()["$defs"].items():
        for field in part.get("properties", ()):
            assert re.search(rf"[`\"]{field}[`\"]", page), f"{name}.{field}"
