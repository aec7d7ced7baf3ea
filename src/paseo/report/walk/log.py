"""A record as text: a readable log, and every step as CSV or JSON lines."""

import json
import math
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import numpy as np

from paseo.metrics.record.contacts.causes import ContactCause, contact_causes
from paseo.text import in_short
from paseo.text import write_csv as write_rows
from paseo.world.arrays import FloatArray
from paseo.world.cameras import CameraSensor, Sight
from paseo.world.clocks import WAITING, ClockName, Timekeeping, picture_steps
from paseo.world.motion import Robot
from paseo.world.records import Contact, Record
from paseo.world.scenarios import Scenario, Sensor


def readable_log(record: Record) -> str:
    """Settings, task, contacts and ending, one fact to a line."""
    scenario, made = record.scenario, record.provenance
    parameters = ", ".join(f"{key}={value}" for key, value in made.parameters.items())
    lines = [
        f"episode     {scenario.name}" + (f" (rule {scenario.rule})" if scenario.rule else ""),
        f"planner     {made.planner}" + (f" ({parameters})" if parameters else ""),
        f"control     {made.control.value}",
        f"robot       {scenario.robot.name}, radius {scenario.robot.radius:g} m"
        f"{_walls(scenario.robot)}, at most {scenario.robot.max_speed:g} m/s",
        f"floor plan  {scenario.floorplan.name}, {scenario.floorplan.area:.1f} m2 free",
        f"people      {len(scenario.tracks)}, radius {scenario.person_radius:g} m",
        f"sensing     {_sensing(scenario)}",
        f"clock       steps of {scenario.dt:g} s, time limit {scenario.time_limit:g} s",
        f"seed        {scenario.seed}",
        f"start       ({scenario.start.x:.2f}, {scenario.start.y:.2f})",
        f"goal        ({scenario.goal.x:.2f}, {scenario.goal.y:.2f}), "
        f"radius {scenario.goal_radius:g} m",
        f"made by     paseo {made.paseo_version}",
    ]
    if made.timekeeping != WAITING:
        lines.append(f"thinking    {_thinking(made.timekeeping)}")
    lines += [
        f"data        {name} sha256 {digest}" for name, digest in scenario.data_hashes.items()
    ]
    causes = {each.contact: each for each in contact_causes(record)}
    for contact in record.contacts:
        lines.append(_contact_line(contact, scenario.dt))
        if contact in causes:
            lines.append(_cause_line(causes[contact]))
    lines += [
        f"contacts    {record.touches} counted",
        f"ending      {record.outcome.value}: {record.reason}",
        f"verdict     {record.verdict.value}",
    ]
    if made.clock:
        lines.append(f"depends on the wall clock: {made.clock}")
    return "\n".join(map(in_short, lines))


def _thinking(kept: Timekeeping) -> str:
    """How time passed while the planner thought."""
    took = "as long as was measured" if kept.is_measured else f"{kept.latency_s} s"
    how = "while time ran" if kept.clock is ClockName.ASYNC else f"charged with {took}"
    limit = "" if kept.repeat_limit_s is None else f" for at most {kept.repeat_limit_s:g} s"
    return f"{how}; meanwhile {kept.thinking.value}{limit}, late answers {kept.late.value}"


def _walls(robot: Robot) -> str:
    return "" if robot.wall_radius is None else f" (walls from {robot.wall_radius:g} m)"


def _contact_line(contact: Contact, dt: float) -> str:
    lasted = (contact.last_step - contact.first_step + 1) * dt
    note = "" if contact.counted else ", not counted: the person appeared on top of the robot"
    return (
        f"contact     at {contact.first_step * dt:.2f} s with person {contact.person}, robot at "
        f"({contact.x:.2f}, {contact.y:.2f}), for {lasted:.2f} s{note}"
    )


def _cause_line(found: ContactCause) -> str:
    """What led to a contact; below the line that tells where it was."""
    speed = f"robot {found.robot_speed:.2f} m/s, person {found.person_speed:.2f} m/s"
    chance = "could not have been avoided"
    if found.last_chance is not None:
        chance = f"could have been avoided until {found.last_chance:g} s before"
    return (
        f"            {found.cause.value}: {speed}, closing at {found.closing_speed:.2f} m/s; in "
        f"the last second the robot came {found.robot_approach:.2f} m nearer, the person "
        f"{found.person_approach:.2f} m; {chance}"
    )


def _sensing(scenario: Scenario) -> str:
    if scenario.sight is not None:
        return _seeing(scenario.sight, scenario.dt)
    sensor = scenario.sensor
    if sensor == Sensor():
        return "everybody, exactly"
    parts = [
        f"range {sensor.range:g} m",
        f"field of view {math.degrees(sensor.field_of_view):.0f} degrees",
        "occlusion" if sensor.occlusion else "no occlusion",
        f"noise {sensor.position_noise:g} m and {sensor.velocity_noise:g} m/s",
        f"missed {sensor.miss_rate:.0%}",
        f"swapped {sensor.swap_rate:.0%}",
        f"delay {sensor.delay:g} s",
    ]
    return ", ".join(parts)


def _seeing(sight: Sight, dt: float) -> str:
    """By which camera, and who finds people in its pictures."""
    camera, usual = sight.camera, CameraSensor()
    found = f"people by '{sight.perception}'" if sight.perception else "nobody is told"
    said = [f"camera of {camera.width_px}x{camera.height_px}, {camera.height:g} m high"]
    said += [f"{math.degrees(camera.pitch):g} degrees down"]
    said += [f"a picture every {picture_steps(sight.period, dt) * dt:g} s"]
    for key in (each.name for each in fields(sight.sensor)):
        if (value := getattr(sight.sensor, key)) != getattr(usual, key):
            said.append(f"{key.replace('_', ' ')} {value:g}")
    return f"{found}; {', '.join(said)}"


def csv_rows(record: Record) -> Iterator[list[str]]:
    """Every step of every agent: time_s, agent, x_m, y_m, heading_rad, radius_m; header first.

    A person's heading is the direction of walking; it is empty before the first step.
    """
    yield ["time_s", "agent", "x_m", "y_m", "heading_rad", "radius_m"]
    headings = walking_directions(record.people)
    robot_radius, person_radius = record.scenario.robot.radius, record.scenario.person_radius
    for step, time in enumerate(record.times.tolist()):
        clock = f"{time:.9g}"
        yield [clock, "robot", *map(repr, record.robot[step].tolist()), repr(robot_radius)]
        for column, person in enumerate(record.ids.tolist()):
            x, y = record.people[step, column].tolist()
            if not math.isnan(x):
                heading = float(headings[step, column])
                words = "" if math.isnan(heading) else repr(heading)
                yield [clock, str(person), repr(x), repr(y), words, repr(person_radius)]


def write_csv(record: Record, stream: Any) -> None:
    """Write `csv_rows` to an open text file."""
    write_rows(stream, csv_rows(record))


def json_lines(record: Record) -> Iterator[str]:
    """Every step as one JSON object: time_s, robot, command, people, touching."""
    for step, time in enumerate(record.times.tolist()):
        x, y, heading = record.robot[step].tolist()
        people = {
            str(person): record.people[step, column].tolist()
            for column, person in enumerate(record.ids.tolist())
            if not math.isnan(record.people[step, column, 0])
        }
        touching = [c.person for c in record.contacts if c.first_step <= step <= c.last_step]
        yield json.dumps(
            {
                "time_s": round(time, 9),
                "robot": {"x_m": x, "y_m": y, "heading_rad": heading},
                "command": _command(record, step),
                "people_m": people,
                "touching": touching,
            }
        )


def _command(record: Record, step: int) -> dict[str, float] | None:
    if step >= len(record.commands):
        return None
    a, b, c = record.commands[step].tolist()
    if math.isnan(c):
        return {"forward_mps": a, "turn_radps": b}
    return {"x_m": a, "y_m": b, "heading_rad": c}


def walking_directions(people: FloatArray) -> FloatArray:
    """Heading of each person at each state, (states, people): of the last step that moved."""
    steps = np.diff(people, axis=0, prepend=people[:1] * np.nan)
    moved = np.hypot(steps[..., 0], steps[..., 1]) > 1e-6
    headings: FloatArray = np.where(moved, np.arctan2(steps[..., 1], steps[..., 0]), np.nan)
    for state in range(1, len(headings)):
        standing = np.isnan(headings[state]) & ~np.isnan(people[state, :, 0])
        headings[state, standing] = headings[state - 1, standing]
    return headings
