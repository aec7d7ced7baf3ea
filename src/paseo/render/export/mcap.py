"""Records as MCAP files that Foxglove shows; needs the extra `mcap`."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from paseo.errors import require
from paseo.files import draft
from paseo.render.export import foxglove
from paseo.render.export.foxglove import LINE_LIST, LINE_LOOP, LINE_STRIP, Message
from paseo.render.raster.palette import DARK
from paseo.render.staging.backdrop import Actor, Backdrop, backdrop_of
from paseo.render.staging.playthrough import Moment, Playthrough
from paseo.world.records import Record

TALL, LOW = 1.7, 0.35  # metres: people and robots
PATH_EVERY = 1.0  # seconds of the record between two drawings of the robot's path
SCENE, FRAME, STATE = "foxglove.SceneUpdate", "foxglove.FrameTransform", "paseo.State"
STATE_NUMBERS = (
    "time_s", "x_m", "y_m", "heading_rad", "speed_mps", "nearest_person_m", "people", "contacts",
)  # fmt: skip

Sent = tuple[str, str, float, Message]  # topic, schema, time, content


def write_mcap(path: Path, records: Sequence[Record]) -> None:
    """Write records of one episode; topics begin with the planner where there are several."""
    library = require("mcap.writer", "mcap", "writes .mcap files")
    backdrop = backdrop_of(records, theme=DARK)  # Foxglove's own background is dark
    messages = sorted(_all_messages(backdrop, records), key=lambda sent: sent[2])
    with draft(path) as beside, beside.open("wb") as stream:
        writer = library.Writer(stream)
        writer.start(profile="", library="paseo")
        _write(writer, messages)
        for record, actor in zip(records, backdrop.actors, strict=True):
            writer.add_metadata(actor.name, _about(record))
        writer.finish()


def _write(writer: Any, messages: Sequence[Sent]) -> None:
    schemas: dict[str, int] = {}
    channels: dict[str, int] = {}
    for topic, schema, time, content in messages:
        if schema not in schemas:
            text = json.dumps(_schema(schema)).encode()
            schemas[schema] = writer.register_schema(schema, "jsonschema", text)
        if topic not in channels:
            channels[topic] = writer.register_channel(topic, "json", schemas[schema])
        stamp = round(time * 1e9)
        text = json.dumps(content, separators=(",", ":")).encode()
        writer.add_message(channels[topic], stamp, text, stamp)


def _schema(name: str) -> Message:
    if name == STATE:
        numbers: Message = {key: {"type": "number"} for key in STATE_NUMBERS}
        numbers["nearest_person_m"] = {"type": ["number", "null"]}
        return {"title": name, "type": "object", "properties": numbers}
    black = (0, 0, 0)
    primitives = {
        "cylinders": [foxglove.cylinder(0, 0, 1, 1, black)],
        "arrows": [foxglove.arrow(0, 0, 0, 0, 1, black)],
        "lines": [foxglove.line(LINE_LIST, [(0, 0)], 0.1, black)],
    }
    example = {
        SCENE: foxglove.scene(foxglove.entity(0.0, "", **primitives)),
        FRAME: foxglove.transform(0.0, "", 0.0, 0.0, 0.0),
    }[name]
    return foxglove.schema_of(example, name)


def _all_messages(backdrop: Backdrop, records: Sequence[Record]) -> Iterator[Sent]:
    yield "/map", SCENE, 0.0, foxglove.scene(_place(backdrop))
    for record, actor in zip(records, backdrop.actors, strict=True):
        prefix = f"/{actor.name.replace(' ', '_')}" if len(records) > 1 else ""
        yield from _messages(record, actor, backdrop, prefix)


def _place(backdrop: Backdrop) -> Message:
    theme = backdrop.theme
    lines = []
    if backdrop.floorplan is not None:
        ends = backdrop.floorplan.walls.reshape(-1, 2).tolist()
        lines.append(foxglove.line(LINE_LIST, ends, 0.06, theme.edge))
    if backdrop.goal is not None:
        angles = np.linspace(0, 2 * np.pi, 33)[:-1]
        ring = np.stack([np.cos(angles), np.sin(angles)], axis=1) * backdrop.goal_radius
        around = (ring + (backdrop.goal.x, backdrop.goal.y)).tolist()
        lines.append(foxglove.line(LINE_LOOP, around, 0.05, theme.ink))
    return foxglove.entity(0.0, "place", lines=lines)


def _messages(record: Record, actor: Actor, backdrop: Backdrop, prefix: str) -> Iterator[Sent]:
    playthrough = Playthrough(record)
    robot = f"robot{prefix}"
    drawn = -PATH_EVERY
    for time in record.times.tolist():
        moment = playthrough.at(time)
        pose = moment.snapshot.robot.pose
        entities = [_people(moment, backdrop), _robot(moment, actor)]
        if time - drawn >= PATH_EVERY - 1e-9 or moment.ending:
            drawn = time
            path = foxglove.line(LINE_STRIP, moment.path.tolist(), 0.05, actor.colour, 0.02)
            entities.append(foxglove.entity(time, "path", lines=[path]))
        yield f"{prefix}/scene", SCENE, time, foxglove.scene(*entities)
        yield "/tf", FRAME, time, foxglove.transform(time, robot, pose.x, pose.y, pose.heading)
        yield f"{prefix}/state", STATE, time, _state(moment)


def _people(moment: Moment, backdrop: Backdrop) -> Message:
    crowd, theme = moment.snapshot.crowd, backdrop.theme
    touched, touching = moment.touched, moment.touching
    cylinders, arrows = [], []
    rows = zip(crowd.ids.tolist(), crowd.positions.tolist(), crowd.velocities.tolist(),
               crowd.radii.tolist(), strict=True)  # fmt: skip
    for person, (x, y), (vx, vy), radius in rows:
        shade = theme.contact if person in touching else theme.person
        cylinders.append(foxglove.cylinder(x, y, radius, TALL, shade))
        tip = theme.contact if person in touched else theme.rim
        speed = float(np.hypot(vx, vy))
        if speed > 0.05:
            heading = float(np.arctan2(vy, vx))
            arrows.append(foxglove.arrow(x, y, TALL, heading, 2 * radius, tip))
    time = moment.snapshot.time
    return foxglove.entity(time, "people", cylinders=cylinders, arrows=arrows)


def _robot(moment: Moment, actor: Actor) -> Message:
    robot, time = moment.snapshot.robot, moment.snapshot.time
    x, y = robot.pose.x, robot.pose.y
    body = foxglove.cylinder(x, y, robot.radius, LOW, actor.colour)
    nose = foxglove.arrow(x, y, LOW, robot.pose.heading, 2 * robot.radius, actor.colour)
    return foxglove.entity(time, "robot", cylinders=[body], arrows=[nose])


def _state(moment: Moment) -> Message:
    """Numbers to plot; the distance to the nearest person is between the rims of the discs."""
    robot, crowd = moment.snapshot.robot, moment.snapshot.crowd
    away = np.hypot(*(crowd.positions - (robot.pose.x, robot.pose.y)).T) - crowd.radii
    return {
        "time_s": moment.snapshot.time,
        "x_m": robot.pose.x,
        "y_m": robot.pose.y,
        "heading_rad": robot.pose.heading,
        "speed_mps": robot.twist.forward,
        "nearest_person_m": float(away.min()) - robot.radius if len(crowd) else None,
        "people": len(crowd),
        "contacts": sum(contact.counted for contact in moment.contacts),
    }


def _about(record: Record) -> dict[str, str]:
    made = record.provenance
    return {
        "episode": record.scenario.name,
        "planner": made.planner,
        "parameters": json.dumps(dict(made.parameters)),
        "outcome": record.outcome.value,
        "reason": record.reason,
        "paseo_version": made.paseo_version,
    }
