"""The log of a real robot among people, from CSV, as a Record that metrics can read."""

import math
import re
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from paseo.data.textfile import bad_line, quoted, text_lines
from paseo.errors import BadFile
from paseo.text import storable
from paseo.world.arrays import FloatArray
from paseo.world.contacts import Contacts
from paseo.world.motion import Control, Pose, Robot, RobotState, Twist
from paseo.world.people import Crowd, Snapshot
from paseo.world.records import Contact, Outcome, Provenance, Record
from paseo.world.scenarios import Missing, Scenario
from paseo.world.space.floorplan import FloorPlan, floor_plan
from paseo.world.tracks import Track, absent_in_gaps

HEADER = ["time_s", "agent", "x_m", "y_m", "heading_rad", "radius_m"]
LONGEST_GAP = 2.0  # seconds, or three usual steps, a person may be lost from sight
GOAL_RADIUS = 0.3
FEWEST_STEPS, MOST_STATES = 1, 1_000_000

Rows = dict[str, list[list[float]]]  # agent: time, x, y, heading, radius


def read_robot_log(
    path: Path, *, goal: Pose | None = None, floorplan: FloorPlan | None = None
) -> Record:
    """The log on a uniform clock of its median step, up to the arrival if there is one.

    Without a goal, a map or people, metrics that need them say so. All people get the largest
    radius of any, so that distances err on the near side.
    """
    rows = _rows(path)
    times, robot, radius = _robot(rows, path)
    # Rounded: a log that steps by 0.05 s is on that clock, not on 0.0500000000000007.
    _check_gaps(times, path)
    dt = round(float(np.median(np.diff(times))), 9) if len(times) > 1 else 1.0
    states = math.floor((times[-1] - times[0]) / dt + 1e-6) + 1
    if states > MOST_STATES:
        raise BadFile(f"{path}: {states} steps of {dt:g} s are too many; thin the log out")
    clock = times[0] + np.arange(states, dtype=np.float64) * dt
    poses = np.stack([np.interp(clock, times, column) for column in robot.T], axis=1)
    arrived, poses = _until_arrival(poses, goal)
    tracks, person_radius = _people(rows, path, start=float(times[0]))
    scenario = _scenario(path, poses, goal, floorplan, tracks, dt, radius, person_radius)
    people = _positions(tracks, len(poses), dt)
    return Record(
        scenario=scenario,
        provenance=Provenance(
            paseo_version="", planner=f"log:{path.name}", control=Control.POSITION
        ),
        outcome=Outcome.REACHED_GOAL if arrived else Outcome.OUT_OF_TIME,
        reason="the log reached the goal" if arrived else "the log ends",
        robot=poses,
        commands=poses[1:].copy(),
        people=people,
        contacts=_contacts(poses, people, scenario),
    )


def _rows(path: Path) -> Rows:
    lines = text_lines(path)
    if [word.strip() for word in lines[0].split(",")] != HEADER:
        raise bad_line(path, "line 1", f"is {quoted(lines[0])}", ",".join(HEADER))
    rows: Rows = {}
    for number, line in enumerate(lines[1:], 2):
        words = [word.strip() for word in line.split(",")]
        if len(words) != len(HEADER):
            raise bad_line(
                path, f"line {number}", f"has {len(words)} columns", f"{len(HEADER)}, as the header"
            )
        time, x, y, heading, radius = _numbers(words, path, number)
        rows.setdefault(words[1], []).append([time, x, y, heading, radius])
    return rows


def _numbers(words: list[str], path: Path, number: int) -> list[float]:
    """Time, x, y, heading and radius; only the heading may be empty."""
    found = []
    for name, word in zip(HEADER, words, strict=True):
        if name == "agent":
            continue
        try:
            value = math.nan if name == "heading_rad" and not word else float(word)
        except ValueError:
            raise bad_line(
                path, f"line {number}", f"{name} is {quoted(word)}", "a number"
            ) from None
        if (name != "heading_rad" or word) and not math.isfinite(value):
            raise bad_line(path, f"line {number}", f"{name} is {quoted(word)}", "a finite number")
        found.append(value)
    return found


def _robot(rows: Rows, path: Path) -> tuple[FloatArray, FloatArray, float]:
    """Times (n,), x, y and unwrapped heading (n, 3), and the radius."""
    if "robot" not in rows:
        raise BadFile(f"{path}: no row has the agent 'robot'; name the robot so")
    table = _ordered(rows["robot"], path, "robot")
    headings = table[:, 3]
    if np.isnan(headings).any():
        steps = np.diff(table[:, 1:3], axis=0, append=table[-1:, 1:3])
        along = np.arctan2(steps[:, 1], steps[:, 0])
        headings = np.where(np.isnan(headings), along, headings)
    radius = float(np.median(table[:, 4]))
    if radius <= 0:
        raise BadFile(f"{path}: the robot's radius is {radius:g} m, expected more than 0")
    return table[:, 0], np.column_stack([table[:, 1:3], np.unwrap(headings)]), radius


def _check_gaps(times: FloatArray, path: Path) -> None:
    """A robot that is lost from its own log cannot be scored meanwhile."""
    steps = np.diff(times)
    if len(steps) and steps.max() > max(LONGEST_GAP, 10 * float(np.median(steps))):
        start = float(times[int(steps.argmax())])
        raise BadFile(
            f"{path}: the robot is not logged for {steps.max():g} s after {start:g} s; "
            "cut the log there and measure the parts"
        )


def _ordered(rows: list[list[float]], path: Path, agent: str) -> FloatArray:
    table = np.array(sorted(rows))
    if (np.diff(table[:, 0]) <= 0).any():
        raise BadFile(f"{path}: {agent} is there twice at one time; keep one row for each time")
    return table


def _people(rows: Rows, path: Path, start: float) -> tuple[tuple[Track, ...], float]:
    """Tracks that begin at the robot's time 0, in order of id, and the largest radius."""
    tracks, radii = [], []
    for agent, given in rows.items():
        if agent == "robot":
            continue
        table = _ordered(given, path, agent)
        track = Track(_number(agent, path), table[:, 0] - start, table[:, 1:3].copy())
        usual = float(np.median(np.diff(track.times))) if len(track.times) > 1 else 0.0
        tracks.append(absent_in_gaps(track, max(LONGEST_GAP, 3 * usual)))
        radii.extend(table[:, 4].tolist())
    radius = max(radii, default=0.2)
    if min(radii, default=radius) <= 0:
        raise BadFile(f"{path}: a person's radius is {min(radii):g} m, expected more than 0")
    return tuple(sorted(tracks, key=lambda track: track.id)), radius


def _number(agent: str, path: Path) -> int:
    if not re.fullmatch(r"-?[0-9]{1,18}", agent):
        raise BadFile(
            f"{path}: agent {quoted(agent)}, expected 'robot' or a person's number of up to 18 "
            "digits; rename it"
        )
    return int(agent)


def _until_arrival(poses: FloatArray, goal: Pose | None) -> tuple[bool, FloatArray]:
    if goal is None:
        return False, poses
    near = np.hypot(poses[:, 0] - goal.x, poses[:, 1] - goal.y) <= GOAL_RADIUS
    return bool(near.any()), poses[: int(near.argmax()) + 1] if near.any() else poses


def _scenario(
    path: Path,
    poses: FloatArray,
    goal: Pose | None,
    floorplan: FloorPlan | None,
    tracks: tuple[Track, ...],
    dt: float,
    radius: float,
    person_radius: float,
) -> Scenario:
    known = {
        Missing.GOAL: goal,
        Missing.MAP: floorplan,
        Missing.PEOPLE: tracks or None,
        Missing.TOP_SPEED: None,
    }
    if floorplan is not None and floorplan.clearance(*poses[0, :2].tolist()) < 0:
        raise BadFile(
            f"{path}: the robot starts outside the free space of map '{floorplan.name}'; is the "
            "log in the map's frame?"
        )
    fastest = np.hypot(*np.diff(poses[:, :2], axis=0).T) / dt if len(poses) > 1 else np.zeros(1)
    return Scenario(
        name=storable(path.stem),
        floorplan=floorplan or _open_floor(poses, path),
        start=Pose(*poses[0].tolist()),
        goal=goal or Pose(*poses[-1].tolist()),
        tracks=tracks,
        time_limit=max(len(poses) - 1, FEWEST_STEPS) * dt,
        dt=dt,
        robot=Robot(name="logged", radius=radius, max_speed=max(float(fastest.max()), 1e-3)),
        person_radius=person_radius,
        goal_radius=GOAL_RADIUS,
        missing=tuple(what for what, value in known.items() if value is None),
    )


def _open_floor(poses: FloatArray, path: Path) -> FloorPlan:
    """A stand-in for a map that is not known; metrics that need one do not look at it."""
    x, y = poses[:, :2].mean(axis=0)
    if not (abs(x) < 1e6 and abs(y) < 1e6):
        raise BadFile(f"{path}: coordinates are beyond 1000 km; are they in metres?")
    corners = np.array([[x - 1, y - 1], [x + 1, y - 1], [x + 1, y + 1], [x - 1, y + 1]])
    return floor_plan("unknown", np.stack([corners, np.roll(corners, -1, axis=0)], axis=1))


def _positions(tracks: Iterable[Track], states: int, dt: float) -> FloatArray:
    clock = np.arange(states, dtype=np.float64) * dt
    columns = [track.positions_at(clock) for track in tracks]
    return np.stack(columns, axis=1) if columns else np.empty((states, 0, 2))


def _contacts(poses: FloatArray, people: FloatArray, scenario: Scenario) -> tuple[Contact, ...]:
    ids = np.array([track.id for track in scenario.tracks], np.int64)
    watch = Contacts(ids)
    radii = np.full(len(ids), scenario.person_radius)
    row = np.empty((len(ids), 2))
    for step, pose in enumerate(poses.tolist()):
        here = ~np.isnan(people[step, :, 0])
        crowd = Crowd(ids[here], people[step, here], people[step, here] * 0.0, radii[here])
        robot = RobotState(Pose(*pose), Twist(0.0, 0.0), scenario.robot.radius)
        watch.update(step, Snapshot(step * scenario.dt, robot, crowd), row)
    return watch.all(len(poses) - 1)
