"""Records as .rrd files for the Rerun viewer; needs the extra `rerun`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from paseo.errors import require
from paseo.files import draft
from paseo.render.raster.palette import DARK, Rgb
from paseo.render.staging.backdrop import Actor, Backdrop, backdrop_of
from paseo.render.staging.playthrough import people_velocities
from paseo.world.arrays import FloatArray
from paseo.world.records import Record

TALL, LOW = 1.7, 0.35  # metres: people and robots
TIME = "time"  # the timeline


def write_rrd(path: Path, records: Sequence[Record]) -> None:
    """Write records of one episode, each planner below a name of its own."""
    rerun = require("rerun", "rerun", "writes .rrd files", package="rerun-sdk")
    backdrop = backdrop_of(records, theme=DARK)  # Rerun's own background is dark
    with draft(path) as beside:
        stream = rerun.RecordingStream("paseo", recording_id=backdrop.title)
        stream.set_log_time_enabled(False)  # when it was exported is nobody's interest
        stream.set_log_tick_enabled(False)
        stream.save(beside)
        _log_place(rerun, stream, backdrop)
        for record, actor in zip(records, backdrop.actors, strict=True):
            _log_record(rerun, stream, record, actor, backdrop)
        stream.flush()
        stream.disconnect()


def _log_place(rerun: Any, stream: Any, backdrop: Backdrop) -> None:
    theme = backdrop.theme
    stream.log("/", rerun.ViewCoordinates.RIGHT_HAND_Z_UP, static=True)
    if backdrop.floorplan is not None:
        walls = _on_floor(backdrop.floorplan.walls)
        lines = rerun.LineStrips3D(walls, colors=[theme.edge], radii=[0.03])
        stream.log("map/walls", lines, static=True)
    for name, pose, radius in (
        ("start", backdrop.start, 0.1), ("goal", backdrop.goal, backdrop.goal_radius),
    ):  # fmt: skip
        if pose is not None:
            disc = rerun.Cylinders3D(
                centers=[(pose.x, pose.y, 0.0)], lengths=[0.02], radii=[radius],
                colors=[theme.faint], labels=[name],
            )  # fmt: skip
            stream.log(f"map/{name}", disc, static=True)


def _log_record(rerun: Any, stream: Any, record: Record, actor: Actor, backdrop: Backdrop) -> None:
    name, clock = actor.name, [rerun.TimeColumn(TIME, duration=record.times)]
    places = _on_floor(record.robot[:, :2])
    path = rerun.LineStrips3D([places], colors=[actor.colour], radii=[0.02])
    stream.log(f"{name}/path", path, static=True)
    radius = record.scenario.robot.radius
    body = rerun.Cylinders3D.columns(
        centers=places + (0, 0, LOW / 2), lengths=np.full(len(places), LOW),
        radii=np.full(len(places), radius), colors=[actor.colour] * len(places),
    )  # fmt: skip
    stream.send_columns(f"{name}/robot", clock, body)
    ahead = np.stack([np.cos(record.robot[:, 2]), np.sin(record.robot[:, 2])], axis=1)
    nose = rerun.Arrows3D.columns(
        origins=places + (0, 0, LOW), vectors=_on_floor(ahead * 2 * radius),
        colors=[actor.colour] * len(places),
    )  # fmt: skip
    stream.send_columns(f"{name}/heading", clock, nose)
    _log_people(rerun, stream, record, name, backdrop)
    for contact in record.contacts:
        stream.set_time(TIME, duration=contact.first_step * record.scenario.dt)
        mark = rerun.Points3D([(contact.x, contact.y, LOW)], radii=[0.12],
                              colors=[backdrop.theme.contact])  # fmt: skip
        stream.log(f"{name}/contacts/{contact.person}", mark)


def _log_people(rerun: Any, stream: Any, record: Record, name: str, backdrop: Backdrop) -> None:
    present = ~np.isnan(record.people[:, :, 0])  # (states, people)
    count = int(present.sum())
    if count == 0:
        return
    clock = [rerun.TimeColumn(TIME, duration=record.times)]
    places = _on_floor(record.people[present])
    lengths = present.sum(axis=1)
    shades = _shades(record, backdrop)[present]
    body = rerun.Cylinders3D.columns(
        centers=places + (0, 0, TALL / 2), lengths=np.full(count, TALL),
        radii=np.full(count, record.scenario.person_radius), colors=shades,
    ).partition(lengths)  # fmt: skip
    stream.send_columns(f"{name}/people", clock, body)
    arrows = rerun.Arrows3D.columns(
        origins=places + (0, 0, TALL), vectors=_on_floor(people_velocities(record)[present]),
        colors=shades,
    ).partition(lengths)  # fmt: skip
    stream.send_columns(f"{name}/velocities", clock, arrows)


def _shades(record: Record, backdrop: Backdrop) -> Any:
    """The colour of everybody at each state, (states, people, 3): red while touched."""
    theme = backdrop.theme
    shades = np.full((*record.people.shape[:2], 3), theme.person, np.uint8)
    columns = {person: k for k, person in enumerate(record.ids.tolist())}
    red: Rgb = theme.contact
    for contact in record.contacts:
        shades[contact.first_step : contact.last_step + 1, columns[contact.person]] = red
    return shades


def _on_floor(points: FloatArray) -> FloatArray:
    """Points (..., 2) as (..., 3), at height 0."""
    return np.concatenate([points, np.zeros((*points.shape[:-1], 1))], axis=-1)
