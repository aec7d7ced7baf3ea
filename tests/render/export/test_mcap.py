"""MCAP files, read back with its library and held against Foxglove's own message types."""

import json
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from foxglove_schemas_protobuf.FrameTransform_pb2 import FrameTransform
from foxglove_schemas_protobuf.SceneUpdate_pb2 import SceneUpdate
from mcap.reader import make_reader

from paseo.errors import CannotWrite, PaseoError
from paseo.render.export.mcap import write_mcap
from paseo.world.records import Record

OFFICIAL = {"foxglove.SceneUpdate": SceneUpdate, "foxglove.FrameTransform": FrameTransform}
CLOCKS = {"google.protobuf.Timestamp", "google.protobuf.Duration"}


def messages(path: Path) -> list[tuple[Any, Any, Any]]:
    """Schema, channel and content (as a dict, with the log time in seconds) of every message."""
    with path.open("rb") as stream:
        return [
            (schema, channel, (message.log_time / 1e9, json.loads(message.data)))
            for schema, channel, message in make_reader(stream).iter_messages()
        ]


def check_like(content: dict[str, Any], descriptor: Any) -> None:
    """Every key is a field of Foxglove's type, and every list of it is there."""
    fields = {field.name: field for field in descriptor.fields}
    assert set(content) <= set(fields), set(content) - set(fields)
    for name, field in fields.items():
        if field.is_repeated:
            assert isinstance(content[name], list), name
        values = content.get(name, []) if field.is_repeated else [content[name]]
        for value in values:
            if field.message_type is None:
                assert isinstance(value, str | bool | int | float)
            elif field.message_type.full_name in CLOCKS:
                assert set(value) == {"sec", "nsec"}
            else:
                check_like(value, field.message_type)


def test_messages_are_those_that_foxglove_knows(tmp_path: Path, bump: Record) -> None:
    write_mcap(tmp_path / "x.mcap", [bump])
    seen = set()
    for schema, channel, (time, content) in messages(tmp_path / "x.mcap"):
        seen.add((channel.topic, schema.name))
        assert (schema.encoding, channel.message_encoding) == ("jsonschema", "json")
        if time % 0.5 > 0.04:
            continue  # to check them all takes long
        jsonschema.validate(content, json.loads(schema.data))
        if schema.name in OFFICIAL:
            check_like(content, OFFICIAL[schema.name].DESCRIPTOR)
    assert seen == {
        ("/map", "foxglove.SceneUpdate"), ("/scene", "foxglove.SceneUpdate"),
        ("/tf", "foxglove.FrameTransform"), ("/state", "paseo.State"),
    }  # fmt: skip


def test_every_state_is_there_at_its_time(tmp_path: Path, bump: Record) -> None:
    write_mcap(tmp_path / "x.mcap", [bump])
    found = messages(tmp_path / "x.mcap")
    states = [content for schema, _, content in found if schema.name == "paseo.State"]
    assert [time for time, _ in states] == pytest.approx(bump.times.tolist())
    assert [state["x_m"] for _, state in states] == bump.robot[:, 0].tolist()
    (contact,) = bump.contacts
    assert [state["contacts"] for _, state in states].index(1) == contact.first_step
    nearest = states[0][1]["nearest_person_m"]
    assert nearest == pytest.approx(9.0 - 2.0 - 0.2 - 0.24)


def test_people_and_robot_stand_where_they_are_in_their_size(tmp_path: Path, bump: Record) -> None:
    write_mcap(tmp_path / "x.mcap", [bump])
    found = messages(tmp_path / "x.mcap")
    scenes = [content for _, channel, content in found if channel.topic == "/scene"]
    _, scene = scenes[20]
    entities = {entity["id"]: entity for entity in scene["entities"]}
    (person,) = entities["people"]["cylinders"]
    assert person["pose"]["position"]["x"] == pytest.approx(8.0)
    assert person["size"]["x"] == pytest.approx(0.4)
    (robot,) = entities["robot"]["cylinders"]
    assert robot["size"]["y"] == pytest.approx(0.48)
    assert robot["pose"]["position"]["x"] == bump.robot[20, 0]


def test_several_planners_have_topics_of_their_own(
    tmp_path: Path, bump: Record, standing: Record
) -> None:
    write_mcap(tmp_path / "x.mcap", [bump, standing])
    topics = {channel.topic for _, channel, _ in messages(tmp_path / "x.mcap")}
    assert {"/Straight/scene", "/Stop/scene", "/map", "/tf"} <= topics
    with (tmp_path / "x.mcap").open("rb") as stream:
        about = {each.name: each.metadata for each in make_reader(stream).iter_metadata()}
    assert about["Stop"]["outcome"] == "out of time"


def test_nobody_and_nowhere_to_write(tmp_path: Path, lonely: Record) -> None:
    write_mcap(tmp_path / "x.mcap", [lonely])
    found = messages(tmp_path / "x.mcap")
    states = [content for schema, _, content in found if schema.name == "paseo.State"]
    assert {state["nearest_person_m"] for _, state in states} == {None}
    with pytest.raises(CannotWrite):
        write_mcap(tmp_path / "no" / "x.mcap", [lonely])


def test_without_the_extra_the_line_to_type_is_told(
    tmp_path: Path, bump: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "mcap.writer", None)
    with pytest.raises(PaseoError, match=r"pip install 'paseo\[mcap\]'"):
        write_mcap(tmp_path / "x.mcap", [bump])
    assert list(tmp_path.iterdir()) == []
