"""Records: everything that happened in one episode, and what to call it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from paseo.errors import BadValue, NotAvailable
from paseo.world.arrays import FloatArray, IntArray
from paseo.world.clocks import WAITING, Timekeeping
from paseo.world.motion import Control, Pose
from paseo.world.ranges import AWAY, is_near
from paseo.world.scenarios import Missing, Scenario
from paseo.world.space.floorplan import FloorPlan


class Outcome(StrEnum):
    """How an episode ended. Touching people is counted beside it, and spoils success."""

    REACHED_GOAL = "reached goal"
    HIT_WALL = "hit wall"
    HIT_PERSON = "hit person"  # only where the scenario stops on contact
    OUT_OF_TIME = "out of time"
    PLANNER_FAILED = "planner failed"


class Verdict(StrEnum):
    """The five boxes an episode can fall into; T, PC and EC as in SocNavBench's Table 2."""

    SUCCESS = "success"
    TIMEOUT = "T"
    PERSON_COLLISION = "PC"
    WALL_COLLISION = "EC"
    PLANNER_FAILED = "planner failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact:
    """One touch of one person, from when the discs overlap until they part."""

    person: int
    first_step: int
    last_step: int
    x: float  # the robot when it began
    y: float
    counted: bool  # False where the person appeared on top of the robot


class Cause(StrEnum):
    """Whose doing a contact was."""

    CAUSED = "caused"  # by the robot
    SHARED = "shared"
    WALKED_INTO = "walked into"  # a robot that stood or gave way


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Who made a record, and how to make it again."""

    paseo_version: str
    planner: str  # a registered name, or file.py:Class
    control: Control
    parameters: Mapping[str, bool | int | float | str | None] = field(default_factory=dict)
    planner_hash: str = ""  # sha256 of a planner's file, empty for registered planners
    clock: str = ""  # why the record depends on the wall clock; empty where it does not
    transport: str = ""  # how another program drove the robot; empty: the planner was here
    timekeeping: Timekeeping = WAITING  # how time passed while the planner thought


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Record:
    """What happened, at times 0, dt, 2 dt ... to the end."""

    scenario: Scenario
    provenance: Provenance
    outcome: Outcome
    reason: str  # one sentence on the ending
    robot: FloatArray  # (states, 3): x, y, heading
    commands: FloatArray  # (states - 1, 3): x, y, heading of a Pose or forward, turn, NaN
    people: FloatArray  # (states, people, 2), NaN while absent; in order of `ids`
    seen: FloatArray | None = None  # what the planner was shown of them; None if just that, or
    # if it had to see for itself; then, what a perception told it:
    perceived: FloatArray | None = None  # (sightings, 4): state, id by the perception, x, y
    contacts: tuple[Contact, ...] = ()
    lost: bool = False  # the planner hung, stalled or died: asked again, it might do so again

    def __post_init__(self) -> None:
        states, people = len(self.robot), len(self.scenario.tracks)
        shapes = {
            "robot": (self.robot, (states, 3)),
            "commands": (self.commands, (states - 1, 3)),
            "people": (self.people, (states, people, 2)),
            "seen": (self.people if self.seen is None else self.seen, (states, people, 2)),
        }
        if self.perceived is not None:
            shapes["perceived"] = (self.perceived, (len(self.perceived), 4))
        if states == 0:
            raise BadValue("record: it has no states, expected at least the one at the start")
        for name, (array, shape) in shapes.items():
            if array.shape != shape:
                raise BadValue(f"record: {name} has shape {array.shape}, expected {shape}")
        if not np.isfinite(self.robot).all() or np.isinf(self.people).any():
            raise BadValue("record: the robot or a person is at a place that is not finite")
        self._check_places()
        if self.lost and self.outcome is not Outcome.PLANNER_FAILED:
            raise BadValue(f"record: its planner was lost, but it ended as '{self.outcome}'")
        known = set(self.ids.tolist())
        for contact in self.contacts:
            ordered = 0 <= contact.first_step <= contact.last_step < states
            if contact.person not in known or not ordered:
                raise BadValue(f"record: {contact} is with nobody or at no time of this record")

    def _check_places(self) -> None:
        """That nothing is told that is farther than the world."""
        nobody = np.empty((0, 2))
        told = {
            "robot": self.robot[:, :2],
            "people": self.people,
            "seen": nobody if self.seen is None else self.seen,
            "perceived": nobody if self.perceived is None else self.perceived[:, 2:],
            "contacts": np.array([(each.x, each.y) for each in self.contacts]).reshape(-1, 2),
        }
        for name, places in told.items():
            if not is_near(places, self.scenario.floorplan.bounds):
                raise BadValue(f"record: {name} has a place more than {AWAY:g} m from the map")

    @property
    def times(self) -> FloatArray:
        """Seconds since the start, (states,)."""
        return np.arange(len(self.robot), dtype=np.float64) * self.scenario.dt

    @property
    def ids(self) -> IntArray:
        """Ids of the people, in the order of `people`'s columns."""
        return np.array([track.id for track in self.scenario.tracks], np.int64)

    @property
    def touches(self) -> int:
        """How many contacts count against the robot."""
        return sum(contact.counted for contact in self.contacts)

    @property
    def verdict(self) -> Verdict:
        """The one box this episode falls into."""
        if self.outcome is Outcome.REACHED_GOAL:
            return Verdict.PERSON_COLLISION if self.touches else Verdict.SUCCESS
        return {
            Outcome.HIT_PERSON: Verdict.PERSON_COLLISION,
            Outcome.HIT_WALL: Verdict.WALL_COLLISION,
            Outcome.OUT_OF_TIME: Verdict.TIMEOUT,
            Outcome.PLANNER_FAILED: Verdict.PLANNER_FAILED,
        }[self.outcome]

    @property
    def is_success(self) -> bool:
        """Whether the robot reached its goal and touched nobody."""
        return self.verdict is Verdict.SUCCESS

    def require_goal(self) -> Pose:
        """The goal; `NotAvailable` where it is not known, as in the log of a real robot."""
        if Missing.GOAL in self.scenario.missing:
            raise NotAvailable("needs the goal")
        return self.scenario.goal

    def require_people(self) -> None:
        """Raise `NotAvailable` where nobody was looked for, as in a log without people."""
        if Missing.PEOPLE in self.scenario.missing:
            raise NotAvailable("needs people in the log")

    def require_top_speed(self) -> float:
        """The robot's top speed; `NotAvailable` where it is not known."""
        if Missing.TOP_SPEED in self.scenario.missing:
            raise NotAvailable("needs the robot's top speed")
        return self.scenario.robot.max_speed

    def require_floorplan(self) -> FloorPlan:
        """The floor plan; `NotAvailable` where it is not known."""
        if Missing.MAP in self.scenario.missing:
            raise NotAvailable("needs the map")
        return self.scenario.floorplan
