"""The words of the Joystick protocol: our values as its JSON, and its texts as our values."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Any

import msgspec
import numpy as np

from paseo.errors import BadScenario
from paseo.remote.joystick.states import State
from paseo.world.arrays import BoolArray, FloatArray
from paseo.world.motion import Command, Control, Pose, Twist
from paseo.world.people import Crowd
from paseo.world.records import Outcome
from paseo.world.scenarios import Scenario
from paseo.world.space.floorplan import FloorPlan
from paseo.world.tracks import INSTANT, Track

CELL = 0.05  # metres, of the map on the wire, which begins at (0, 0)
NEVER = 100000000.0  # the time of a touch that did not happen
LARGEST = 1e9  # a number beyond it is nonsense
NAMED = "algo: "
SHAPES = {Control.POSITION: "[x, y, theta, v]", Control.VELOCITY: "[v, w]"}
Json = dict[str, Any]


class Ending(StrEnum):
    """Why the robot stopped, in the only four ways that clients understand."""

    TIMEOUT = "Timeout"
    WALL = "Obstacle Collision"
    PERSON = "Pedestrian Collision"
    SUCCESS = "Success"


ENDINGS = {
    Outcome.REACHED_GOAL: Ending.SUCCESS,
    Outcome.HIT_WALL: Ending.WALL,
    Outcome.HIT_PERSON: Ending.PERSON,
    Outcome.OUT_OF_TIME: Ending.TIMEOUT,
    Outcome.PLANNER_FAILED: Ending.TIMEOUT,  # as the original calls an episode that was given up
}


class Signal(Enum):
    """What a client says in one word."""

    READY = "ready"
    SENSE = "sense"
    ABANDON = "abandon"


@dataclass(frozen=True, slots=True)
class Named:
    """The client says what it is called."""

    name: str


@dataclass(frozen=True, slots=True)
class Commands:
    """What the robot is to do in one step, one after the other."""

    commands: tuple[Command, ...]


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A message that is none, and what is wrong with it."""

    fault: str


Message = Signal | Named | Commands | Unreadable


class _Input(msgspec.Struct):
    j_input: list[list[float]]


def read_message(content: bytes, control: Control) -> Message:
    """What a client has said, the commands being of this mode."""
    try:
        text = content.decode().strip("\0 \t\r\n")
    except UnicodeDecodeError as error:
        return Unreadable(f"byte {error.start} is not UTF-8")
    if NAMED in text:
        return Named(text.partition(NAMED)[2].strip())
    if text in {each.value for each in Signal}:
        return Signal(text)
    try:
        rows = msgspec.json.decode(text, type=_Input).j_input
    except (msgspec.DecodeError, RecursionError) as error:
        return Unreadable(f"{_excerpt(text)} is no message: {error}")
    return _commands(rows, control)


def _commands(rows: Sequence[Sequence[float]], control: Control) -> Commands | Unreadable:
    width = 4 if control is Control.POSITION else 2
    if not rows:
        return Unreadable("j_input holds no command, expected at least one")
    for k, row in enumerate(rows):
        if len(row) != width:
            return Unreadable(
                f"j_input[{k}] has {len(row)} numbers, expected {SHAPES[control]}: "
                f"the robot is driven by {control}"
            )
        if not all(abs(number) < LARGEST for number in row):
            return Unreadable(f"j_input[{k}] is {list(row)}, expected numbers below {LARGEST:g}")
    if control is Control.POSITION:
        return Commands(tuple(Pose(x, y, heading) for x, y, heading, _ in rows))
    return Commands(tuple(Twist(forward, turn) for forward, turn in rows))


def _excerpt(text: str) -> str:
    return f"{text[:60]!r}{'...' * (len(text) > 60)}"


@dataclass(frozen=True, slots=True)
class Roster:
    """What people are called on the wire, and in which order: as they appear."""

    names: Mapping[int, str]  # by id
    places: Mapping[int, int]


def roster(scenario: Scenario) -> Roster:
    """The names of the original, which count from the first id."""
    ids = [track.id for track in scenario.tracks]
    steps = {t.id: math.ceil(float(t.times[0]) / scenario.dt - INSTANT) for t in scenario.tracks}
    order = sorted(ids, key=lambda person: (steps[person], person))
    return Roster(
        names={person: f"prerec_{person - ids[0]:04d}" for person in ids},
        places={person: place for place, person in enumerate(order)},
    )


def episodes_text(names: Iterable[str]) -> str:
    """The first thing a client is told."""
    return json.dumps({"episodes": list(names)})


def metadata_text(scenario: Scenario, people: Roster, state: State) -> str:
    """All a client is told of an episode before it begins."""
    free = wire_map(scenario.floorplan)
    rows, columns = free.shape
    environment = {
        "map_scale": CELL,
        "map_name": scenario.floorplan.name,
        "room_center": [columns * CELL / 2, rows * CELL / 2, 0.0],
        "map_traversible": free.astype(np.float64).tolist(),
    }
    ends = {track.id: _ends(track) for track in scenario.tracks}
    there, goal = _single(scenario.start), _single(scenario.goal)
    told = {
        "robot_on": True,
        "environment": environment,
        "episode_name": scenario.name,
        "pedestrians": _people(people, state, ends),
        "robots": _robots(state, {"start_config": there, "goal_config": goal}),
    }
    return json.dumps({**told, **_times(scenario, state)})


def state_text(scenario: Scenario, people: Roster, state: State) -> str:
    """The answer to one `sense`."""
    told = {
        "robot_on": True,
        "pedestrians": _people(people, state, {}),
        "robots": _robots(state, {}),
    }
    return json.dumps({**told, **_times(scenario, state)})


def termination_text(ending: Ending, time: float) -> str:
    """The last thing a client is told of an episode."""
    return json.dumps({"robot_on": False, "termination_cause": ending, "sim_t": time})


def wire_map(plan: FloorPlan) -> BoolArray:
    """The free cells from (0, 0) on, (rows, columns); `BadScenario` where the plan begins before.

    What is not on the plan is not free.
    """
    x0, y0, x1, y1 = plan.bounds
    if min(x0, y0) < -CELL / 2:
        raise BadScenario(
            f"floor plan '{plan.name}' begins at ({x0:g}, {y0:g}), but the map of the Joystick "
            "protocol at (0, 0); move the map and all that is on it"
        )
    columns, rows = math.ceil(x1 / CELL - 1e-6), math.ceil(y1 / CELL - 1e-6)
    column = _cells(columns, x0, plan.cell_size, plan.free.shape[1])
    row = _cells(rows, y0, plan.cell_size, plan.free.shape[0])
    padded = np.pad(plan.free, ((0, 1), (0, 1)))
    free: BoolArray = padded[np.ix_(row, column)]
    return free


def _cells(count: int, origin: float, size: float, there: int) -> Any:
    """Into which of a plan's cells the centres of so many cells fall; -1: into none."""
    found = np.floor(((np.arange(count) + 0.5) * CELL - origin) / size).astype(np.int64)
    return np.where((found >= 0) & (found < there), found, -1)


def _times(scenario: Scenario, state: State) -> Json:
    return {
        "delta_t": scenario.dt,
        "episode_max_time": float(scenario.time_limit),
        "sim_t": state.time,
    }


def _robots(state: State, more: Json) -> Json:
    robot = state.robot
    return {
        "robot_agent": {
            "name": "robot_agent",
            **more,
            "current_config": _single(robot.pose),
            "radius": float(robot.radius),
            "collision_cooldown": 0,
            "last_collision_t": NEVER if state.touches.robot is None else state.touches.robot,
        }
    }


def _people(people: Roster, state: State, more: dict[int, Json]) -> Json:
    """Everybody shown."""
    crowd, touches = state.crowd, state.touches
    rows = zip(crowd.ids.tolist(), _configs(crowd), crowd.radii.tolist(), strict=True)
    return {
        people.names[person]: {
            "name": people.names[person],
            **more.get(person, {}),
            "current_config": config,
            "radius": radius,
            "collision_cooldown": touches.cooldowns.get(person, 0),
            "last_collision_t": touches.people.get(person, NEVER),
        }
        for person, config, radius in sorted(rows, key=lambda row: people.places[row[0]])
    }


def _configs(crowd: Crowd) -> list[list[float]]:
    headings = np.arctan2(crowd.velocities[:, 1], crowd.velocities[:, 0])
    configs: list[list[float]] = np.column_stack([crowd.positions, headings]).astype("f4").tolist()
    return configs


def _single(pose: Pose) -> list[float]:
    """In the precision of the wire, which is that of float32."""
    single: list[float] = np.array([pose.x, pose.y, pose.heading], np.float32).tolist()
    return single


def _ends(track: Track) -> Json:
    """Where a recorded walk begins and ends."""
    walked = np.nan_to_num(np.diff(track.positions, axis=0, append=track.positions[-1:]))
    ends = {"start_config": (0, 0), "goal_config": (-1, max(len(walked) - 2, 0))}
    return {key: _config(track.positions[at], walked[piece]) for key, (at, piece) in ends.items()}


def _config(position: FloatArray, walked: FloatArray) -> list[float]:
    x, y = position.tolist()
    dx, dy = walked.tolist()
    return _single(Pose(x, y, math.atan2(dy, dx)))
