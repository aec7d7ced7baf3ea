"""What a Joystick client is told: our values as its JSON, of which the lasting part is kept."""

import json
import math
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import msgspec
import numpy as np

from paseo.errors import BadScenario
from paseo.remote.joystick.states import State, States, Touches
from paseo.world.arrays import BoolArray, FloatArray, IntArray
from paseo.world.cameras import RgbdImage
from paseo.world.motion import Pose
from paseo.world.people import Crowd
from paseo.world.records import Outcome
from paseo.world.scenarios import Scenario
from paseo.world.space.floorplan import FloorPlan
from paseo.world.tracks import INSTANT, Track

CELL = 0.05  # metres, of the map on the wire, which begins at (0, 0)
NEVER = 100000000.0  # the time of a touch that did not happen
PLACE = "%b"  # where a number is put into a form
MAP = b'"map_traversible": %b'
NO_MAP = MAP % b"null"  # inside a name it cannot be: there, quotes are written otherwise
PRECISION = {States.ORIGINAL: np.float32, States.EXACT: np.float64}
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


@dataclass(frozen=True, slots=True)
class Roster:
    """What people are called on the wire, and in which order: as they appear."""

    names: Mapping[int, str]  # by id
    places: Mapping[int, int]

    def name(self, person: int) -> str:
        """What somebody is called; who was only perceived has a name of its own."""
        return self.names.get(person, f"perceived_{person:04d}")

    def place(self, person: int) -> int:
        """Where somebody comes in order."""
        return self.places.get(person, person)


def roster(scenario: Scenario) -> Roster:
    """The names of the original, which count from the first id; of nobody who is not told of."""
    if scenario.sight is not None:
        return Roster({}, {})
    ids = [track.id for track in scenario.tracks]
    steps = {t.id: math.ceil(float(t.times[0]) / scenario.dt - INSTANT) for t in scenario.tracks}
    order = sorted(ids, key=lambda person: (steps[person], person))
    return Roster(
        names={person: f"prerec_{person - ids[0]:04d}" for person in ids},
        places={person: place for place, person in enumerate(order)},
    )


@dataclass(frozen=True, slots=True)
class _Form:
    """A state without its numbers, good for these people and touches."""

    people: tuple[bytes, bytes]  # their ids and radii
    touches: Touches
    order: IntArray  # in which they are told
    text: bytes


class Telling:
    """All that a client is told of one episode, with the people that `states` says."""

    def __init__(self, scenario: Scenario, states: States = States.ORIGINAL) -> None:
        self._scenario, self._states = scenario, states
        self._roster = roster(scenario)
        self._form: _Form | None = None

    def metadata(self, state: State) -> bytes:
        """What comes before an episode begins."""
        scenario, crowd = self._scenario, state.crowd_of(self._states)
        free = wire_map(scenario.floorplan)
        rows, columns = free.shape
        environment = {
            "map_scale": CELL,
            "map_name": scenario.floorplan.name,
            "room_center": [columns * CELL / 2, rows * CELL / 2, 0.0],
            "map_traversible": None,
        }
        if scenario.sight is not None:  # as in the original's full render, where all is free
            environment["human_traversible"] = np.ones(free.shape).tolist()
        ends = {track.id: self._ends(track) for track in scenario.tracks}
        both = {"start_config": scenario.start, "goal_config": scenario.goal}
        more = {key: self._numbers(_triple(pose)).tolist() for key, pose in both.items()}
        configs = self._numbers(_configs(crowd)).tolist()
        robot = self._numbers(_triple(state.robot.pose)).tolist()
        told = {
            "robot_on": True,
            "environment": environment,
            "episode_name": scenario.name,
            "pedestrians": self._people(crowd, configs, state.touches, ends),
            "robots": _robots(state, robot, more),
        }
        text = json.dumps({**told, **self._times(state.time_of(self._states))})
        return text.encode().replace(NO_MAP, MAP % _map_text(free), 1)

    def state(self, state: State) -> bytes:
        """The answer to one `sense`."""
        crowd = state.crowd_of(self._states)
        form = self._form_for(state, crowd)
        numbers = self._numbers(_configs(crowd)[form.order]).ravel().tolist()
        numbers += self._numbers(_triple(state.robot.pose)).tolist()
        numbers.append(state.time_of(self._states))
        text = form.text % tuple(msgspec.json.encode(numbers)[1:-1].split(b","))
        return text if state.now.image is None else _with_image(text, state.now.image)

    def termination(self, ending: Ending, state: State) -> bytes:
        """The last thing a client is told."""
        now = state.time_of(self._states)
        told = {"robot_on": False, "termination_cause": ending, "sim_t": now}
        return json.dumps(told).encode()

    def _form_for(self, state: State, crowd: Crowd) -> _Form:
        people, form = (crowd.ids.tobytes(), crowd.radii.tobytes()), self._form
        if form is None or form.touches is not state.touches or form.people != people:
            blank = [PLACE] * 3
            shown = self._people(crowd, [blank] * len(crowd), state.touches, {})
            told = {"robot_on": True, "pedestrians": shown, "robots": _robots(state, blank, {})}
            text = json.dumps({**told, **self._times(PLACE)}).replace(f'"{PLACE}"', PLACE)
            places = [self._roster.place(person) for person in crowd.ids.tolist()]
            order = np.argsort(np.array(places, np.int64), kind="stable")
            form = self._form = _Form(people, state.touches, order, text.encode())
        return form

    def _people(
        self, crowd: Crowd, configs: list[Any], touches: Touches, more: Mapping[int, Json]
    ) -> Json:
        """Everybody shown."""
        name = self._roster.name
        rows = zip(crowd.ids.tolist(), configs, crowd.radii.tolist(), strict=True)
        return {
            name(person): {
                "name": name(person),
                **more.get(person, {}),
                "current_config": config,
                "radius": radius,
                "collision_cooldown": touches.cooldowns.get(person, 0),
                "last_collision_t": touches.people.get(person, NEVER),
            }
            for person, config, radius in sorted(rows, key=lambda row: self._roster.place(row[0]))
        }

    def _times(self, now: float | str) -> Json:
        scenario = self._scenario
        limit = float(scenario.time_limit)
        return {"delta_t": scenario.dt, "episode_max_time": limit, "sim_t": now}

    def _ends(self, track: Track) -> Json:
        """Where a recorded walk begins and ends."""
        walked = np.nan_to_num(np.diff(track.positions, axis=0, append=track.positions[-1:]))
        ends = {"start_config": (0, 0), "goal_config": (-1, max(len(walked) - 2, 0))}
        return {
            key: self._numbers(
                np.append(track.positions[at], math.atan2(walked[piece, 1], walked[piece, 0]))
            ).tolist()
            for key, (at, piece) in ends.items()
        }

    def _numbers(self, exact: FloatArray) -> Any:
        """In the precision of the wire."""
        return exact.astype(PRECISION[self._states])


def _with_image(text: bytes, image: RgbdImage) -> bytes:
    """A state with what the robot's camera shows, under a key that old clients do not look at."""
    height, width = image.depth.shape
    told = {
        "time": image.time,
        "robot": _triple(image.pose).tolist(),
        "width": width,
        "height": height,
        "rgb": zlib.compress(image.rgb.tobytes(), 1),
        "depth": zlib.compress(image.depth.astype("<f4").tobytes(), 1),
    }
    return text[:-1] + b', "image": ' + msgspec.json.encode(told) + b"}"


def episodes_text(names: Iterable[str]) -> bytes:
    """The first thing a client is told."""
    return json.dumps({"episodes": list(names)}).encode()


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


def _map_text(free: BoolArray) -> bytes:
    """The rows as JSON, as `json.dumps` writes them but a hundred times as fast."""
    rows = [row.tobytes()[:-2] for row in np.where(free, b"1.0, ", b"0.0, ")]
    return b"[" + b", ".join(b"[%b]" % row for row in rows) + b"]"


def _robots(state: State, config: list[Any], more: Json) -> Json:
    return {
        "robot_agent": {
            "name": "robot_agent",
            **more,
            "current_config": config,
            "radius": float(state.robot.radius),
            "collision_cooldown": 0,
            "last_collision_t": NEVER if state.touches.robot is None else state.touches.robot,
        }
    }


def _configs(crowd: Crowd) -> FloatArray:
    """Where people are and where they head, (people, 3)."""
    configs: FloatArray = np.empty((len(crowd), 3))
    configs[:, :2] = crowd.positions
    np.arctan2(crowd.velocities[:, 1], crowd.velocities[:, 0], out=configs[:, 2])
    return configs


def _triple(pose: Pose) -> FloatArray:
    return np.array([pose.x, pose.y, pose.heading], np.float64)
