"""Scenarios: everything an episode needs except the planner."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from paseo.errors import BadScenario, BadValue
from paseo.world.cameras import Sight
from paseo.world.motion import Pose, Robot
from paseo.world.ranges import AWAY, WIDEST, is_near
from paseo.world.space.floorplan import FloorPlan
from paseo.world.tracks import Track

MAX_STEPS = 1_000_000
ROUNDING = 1e-6  # of a step: 0.3 s in steps of 0.1 s are 2.9999999999999996 in floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Sensor:
    """What the robot can tell about people; the defaults see everybody exactly."""

    range: float = math.inf
    field_of_view: float = math.tau  # radians, centred on the robot's heading
    occlusion: bool = False  # walls and nearer people hide people
    position_noise: float = 0.0  # standard deviation in metres, on each axis
    velocity_noise: float = 0.0  # standard deviation in m/s, on each axis
    miss_rate: float = 0.0  # chance that a visible person is overlooked in one step
    swap_rate: float = 0.0  # chance, per step, that two seen people exchange ids
    delay: float = 0.0  # seconds, in whole steps rounded up; own motion is known at once

    def __post_init__(self) -> None:
        for key in ("range", "field_of_view"):
            if not getattr(self, key) > 0:
                raise BadValue(f"sensor: {key} must be more than 0, not {getattr(self, key)}")
        for key in ("position_noise", "velocity_noise", "delay"):
            if not 0 <= getattr(self, key) < math.inf:
                raise BadValue(f"sensor: {key} must be 0 or more, not {getattr(self, key)}")
        if self.position_noise > WIDEST:
            raise BadValue(
                f"sensor: position_noise is {self.position_noise:g}, expected at most {WIDEST:g}"
            )
        for key in ("miss_rate", "swap_rate"):
            if not 0 <= getattr(self, key) <= 1:
                raise BadValue(f"sensor: {key} must be between 0 and 1, not {getattr(self, key)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause:
    """People who are touched stand still for a while, then walk their whole recording on."""

    duration: float = 1.0
    cooldown: float = 1.0  # seconds after walking on before a touch can stop them again

    def __post_init__(self) -> None:
        if not (0 < self.duration < math.inf and 0 <= self.cooldown < math.inf):
            raise BadValue("pause: duration must be more than 0 and cooldown 0 or more")


class Rule(StrEnum):
    """Who of a recording is present in an episode."""

    EVERYONE = "everyone"
    SOCNAVBENCH = "socnavbench"


class Gait(StrEnum):
    """How recorded people walk from one annotation to the next."""

    RECORDED = "recorded"  # straight, at constant speed, as the file has it
    NATURAL = "natural"  # smooth, and swaying


class Missing(StrEnum):
    """What the log of a real robot may not tell."""

    GOAL = "goal"
    MAP = "map"
    PEOPLE = "people"
    TOP_SPEED = "top speed"


class ReactionModel(StrEnum):
    """How recorded people answer the robot: the models that ship."""

    STOP = "pause"
    SOCIAL_FORCE = "social-force"
    ORCA = "orca"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaction:
    """People who answer the robot: they stop before it, or steer by a model and walk on."""

    by: str = ReactionModel.SOCIAL_FORCE  # or a user's model, by name or as `file.py:Class`
    reactivity: float = 1.0  # 0: as recorded, 1: as the model says
    of_people: Mapping[int, float] = field(default_factory=dict)  # by id, of some
    foresight: float = 1.0  # seconds to contact at which a person stops; only for STOP

    def __post_init__(self) -> None:
        of_some = {f" of person {person}": value for person, value in self.of_people.items()}
        for whose, value in {"": self.reactivity, **of_some}.items():
            if not 0 <= value <= 1:
                raise BadValue(f"the reactivity{whose} must be between 0 and 1, not {value:g}")
        if not 0 < self.foresight < math.inf:
            raise BadValue(f"the foresight must be more than 0 s, not {self.foresight:g}")

    def reactivity_of(self, person: int) -> float:
        """The reactivity of one person."""
        return self.of_people.get(person, self.reactivity)

    @property
    def is_none(self) -> bool:
        """Whether everybody walks as recorded."""
        return self.reactivity == 0 and not any(self.of_people.values())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scenario:
    """One episode: a place, its people, and the robot's task."""

    name: str
    floorplan: FloorPlan
    start: Pose
    goal: Pose
    tracks: tuple[Track, ...] = ()  # time 0 is the start of the episode; in order of id
    groups: tuple[tuple[int, ...], ...] = ()
    time_limit: float = 60.0
    dt: float = 0.05
    robot: Robot = field(default_factory=Robot)
    person_radius: float = 0.2
    goal_radius: float = 0.3
    sensor: Sensor = field(default_factory=Sensor)
    sight: Sight | None = None  # instead of the sensor: nobody tells the robot of people
    pause: Pause | None = None
    reaction: Reaction | None = None
    stop_on_contact: bool = False
    seed: int = 0
    rule: str = ""  # who of a recording is present, by name
    gait: Gait = Gait.RECORDED  # with which the tracks were made
    data_hashes: Mapping[str, str] = field(default_factory=dict)  # recording: sha256
    missing: tuple[Missing, ...] = ()

    def __post_init__(self) -> None:
        for key in ("time_limit", "dt", "person_radius", "goal_radius"):
            value = getattr(self, key)
            if not 0 < value < math.inf:
                raise BadScenario(
                    f"episode '{self.name}': {key} must be a positive number, not {value}"
                )
        self._check_sizes()
        if not 0 <= self.seed < 2**63:
            raise BadScenario(f"episode '{self.name}': seed must be 0 or more, not {self.seed}")
        if not 1 <= self.time_limit / self.dt + ROUNDING <= MAX_STEPS + 1:
            raise BadScenario(
                f"episode '{self.name}': {self.time_limit} s in steps of {self.dt} s is "
                f"{self.time_limit / self.dt:.0f} steps, expected between 1 and {MAX_STEPS}"
            )
        if self.sight is not None and self.sensor != Sensor():
            raise BadScenario(
                f"episode '{self.name}': the robot sees by a camera, so that no sensor tells it of "
                "people; omit one of them"
            )
        ids = [track.id for track in self.tracks]
        if ids != sorted(set(ids)):
            raise BadScenario(f"episode '{self.name}': tracks must be in order of id, each once")

    def _check_sizes(self) -> None:
        """That this is a place on Earth, and its people are at it."""
        for key in ("person_radius", "goal_radius"):
            if getattr(self, key) > WIDEST:
                raise BadScenario(
                    f"episode '{self.name}': {key} is {getattr(self, key):g} m, expected at most "
                    f"{WIDEST:g} m; correct it"
                )
        bounds = self.floorplan.bounds
        tasks = np.array([[self.start.x, self.start.y], [self.goal.x, self.goal.y]])
        if np.isfinite(tasks).all() and not is_near(tasks, bounds):  # else see `check_task`
            raise BadScenario(
                f"episode '{self.name}': the start or the goal is more than {AWAY:g} m from floor "
                f"plan '{self.floorplan.name}'; correct it, or take the map of that place"
            )
        if self.tracks and not is_near(
            np.concatenate([track.positions for track in self.tracks]), bounds
        ):
            far = next(track for track in self.tracks if not is_near(track.positions, bounds))
            raise BadScenario(
                f"episode '{self.name}': person {far.id} is more than {AWAY:g} m from floor plan "
                f"'{self.floorplan.name}', expected metres in the frame of the map; correct the "
                "recording's transform (it shifts, say, UTM coordinates to where the map is)"
            )

    @property
    def steps(self) -> int:
        """How many whole steps fit into the time limit."""
        return math.floor(self.time_limit / self.dt + ROUNDING)


def check_task(scenario: Scenario) -> None:
    """Raise `BadScenario` where the robot cannot stand at its start or get to its goal."""
    plan, robot = scenario.floorplan, scenario.robot
    if scenario.missing:
        raise BadScenario(
            f"episode '{scenario.name}': its {' and '.join(scenario.missing)} is not known, so it "
            "can be measured but not run"
        )
    for what, pose in (("start", scenario.start), ("goal", scenario.goal)):
        if not all(map(math.isfinite, (pose.x, pose.y, pose.heading))):
            raise BadScenario(f"episode '{scenario.name}': the {what} is not a finite pose")
    for what, pose, needed in (
        ("start", scenario.start, robot.needed_clearance),
        ("goal", scenario.goal, 0.0),
    ):
        clearance = plan.clearance(pose.x, pose.y)
        if clearance < needed:
            place = "inside a wall" if clearance < 0 else f"{clearance:.2f} m from a wall"
            wanted = f"at least {needed:g} m of clearance" if needed else "free space"
            raise BadScenario(
                f"episode '{scenario.name}': the {what} ({pose.x:g}, {pose.y:g}) is {place} of "
                f"floor plan '{plan.name}', expected {wanted}; move it"
            )
    if not _goal_is_reachable(scenario):
        raise BadScenario(
            f"episode '{scenario.name}': no way leads from the start to the goal "
            f"({scenario.goal.x:g}, {scenario.goal.y:g}) on floor plan '{plan.name}' for a robot "
            f"that needs {robot.needed_clearance:g} m of clearance; move the goal or use a smaller "
            "robot"
        )


def _goal_is_reachable(scenario: Scenario) -> bool:
    plan, goal, needed = scenario.floorplan, scenario.goal, scenario.robot.needed_clearance
    if plan.leaves_room(scenario.start, goal, needed):
        return True  # straight on: no need to search
    # Half a cell is forgiven: a passage exactly as wide as the robot may fall between centres.
    # With no less than half a cell left, no step from centre to centre goes through a wall.
    room = max(needed, plan.cell_size) - plan.cell_size / 2
    reached = plan.reachable_from(scenario.start.x, scenario.start.y, room)
    reach = math.ceil(scenario.goal_radius / plan.cell_size)
    row, column = plan.cell(goal.x, goal.y)
    first = np.array([max(row - reach, 0), max(column - reach, 0)])
    around = reached[first[0] : row + reach + 1, first[1] : column + reach + 1]
    cells = np.argwhere(around) + first  # (cells, 2): row, column
    centres = plan.origin + (cells[:, ::-1] + 0.5) * plan.cell_size
    away = np.hypot(*(centres - (goal.x, goal.y)).T)
    near = centres[away <= scenario.goal_radius + plan.cell_size]
    return any(plan.sees(Pose(x, y), goal) for x, y in near.tolist())
