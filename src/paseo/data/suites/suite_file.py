"""Suite and robot files: which episodes, planners, seeds, robot and settings to run."""

import math
from collections.abc import Collection, Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta, field

from paseo.data.maps.floorplans import map_file
from paseo.data.settings_file import (
    Entry,
    Finite,
    NotNegative,
    Positive,
    Share,
    converted,
    read_mapping,
    read_settings,
)
from paseo.data.store.locations import DataFolder, map_names, recording_names
from paseo.errors import BadFile, InputError, UnknownName
from paseo.world.motion import Control, Pose, Robot
from paseo.world.scenarios import Gait, Pause, Reaction, ReactionModel, Rule, Sensor

Name = Annotated[str, Meta(pattern=r"^[\w.+-]+$(?!\n)", max_length=100)]
Seed = Annotated[int, Meta(ge=0, le=2**63 - 1)]
PersonId = Annotated[int, Meta(ge=-(2**53), le=2**53)]
Row = tuple[Finite, Finite, Finite]
Degrees = Annotated[float, Meta(ge=0, le=360)]
DrivenRow = tuple[NotNegative, Finite, Finite, Finite]
Value = TypeVar("Value")


class PoseEntry(Entry, frozen=True):
    """A pose in the map's frame."""

    x_m: Finite
    y_m: Finite
    heading_rad: Finite = 0.0

    def pose(self) -> Pose:
        """The value it stands for."""
        return Pose(self.x_m, self.y_m, self.heading_rad)


class PlacedRecording(Entry, frozen=True):
    """A recording laid onto the map, from one of its frames on."""

    recording: str  # a known recording, or a file
    first_frame: Annotated[int, Meta(ge=0)] = 0
    transform: tuple[Row, Row] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    ids_above: int = 0  # whom the rule `socnavbench` shows: only people with larger ids
    fps: Positive | None = None  # for files; known recordings know theirs
    format: str | None = None  # csv, obsmat, vsp, socnavbench, trajnet, or file.py:Class
    to_metres: tuple[Row, Row] | None = None  # for files in pixels: affine applied first


class ScriptedPerson(Entry, frozen=True):
    """A person who walks straight between waypoints."""

    id: PersonId
    path: Annotated[list[Row], Meta(min_length=1)]  # time_s, x_m, y_m

    def __post_init__(self) -> None:
        times = [row[0] for row in self.path]
        if any(later <= earlier for earlier, later in pairwise(times)):
            raise ValueError(f"the times of person {self.id} are {times}, expected increasing ones")


class EpisodeEntry(Entry, frozen=True):
    """One episode: a map, the robot's task, and who is there."""

    name: Name
    map: str  # a shipped map, or a file
    start: PoseEntry
    goal: PoseEntry
    time_limit_s: Positive = 60.0
    recordings: list[PlacedRecording] = field(default_factory=list)
    people: list[ScriptedPerson] = field(default_factory=list)
    # How somebody drove the robot that was there: time_s, x_m, y_m, heading_rad.
    driven: Annotated[list[DrivenRow], Meta(max_length=100_000)] = field(default_factory=list)
    note: str = ""

    def __post_init__(self) -> None:
        twice = repeated([person.id for person in self.people])
        if twice is not None:
            raise ValueError(f"two people have the id {twice}, expected unique ids")
        times = [row[0] for row in self.driven]
        if any(later <= earlier for earlier, later in pairwise(times)) or times[:1] not in (
            [],
            [0],
        ):
            raise ValueError("the times of driven must begin with 0 and increase")


class DriftEntry(Entry, frozen=True):
    """How far a robot's odometry may be wrong: deviations of wheels and of a gyroscope."""

    way_share: Share = 0.01
    turn_share: Share = 0.02
    heading_degps: Degrees = 0.1
    heading_deg_per_root_s: Degrees = 0.1


class RobotEntry(Entry, frozen=True):
    """A robot; what is left out is as for the Pioneer 3-DX, which has no acceleration limits."""

    format: Literal["paseo-robot"] = "paseo-robot"
    version: Literal[1] = 1
    name: Name = "pioneer-3dx"
    radius_m: Positive = 0.24
    max_speed_mps: Positive = 1.2
    max_reverse_speed_mps: NotNegative = 0.0
    max_turn_radps: Positive = 1.1
    max_acceleration_mps2: Positive | None = None
    max_turn_acceleration_radps2: Positive | None = None
    sensor_height_m: NotNegative = 0.8
    wall_radius_m: NotNegative | None = None  # walls count from here; left out: from radius_m
    odometry: DriftEntry = DriftEntry()  # of the drive that a suite was cut out of

    def robot(self) -> Robot:
        """The value it stands for."""
        return Robot(
            name=self.name,
            radius=self.radius_m,
            max_speed=self.max_speed_mps,
            max_reverse_speed=self.max_reverse_speed_mps,
            max_turn=self.max_turn_radps,
            max_acceleration=self.max_acceleration_mps2 or math.inf,
            max_turn_acceleration=self.max_turn_acceleration_radps2 or math.inf,
            sensor_height=self.sensor_height_m,
            wall_radius=self.wall_radius_m,
        )


class SensorEntry(Entry, frozen=True):
    """What the robot can tell about people; left out, it sees everybody exactly."""

    range_m: Positive | None = None
    field_of_view_deg: Annotated[float, Meta(gt=0, le=360)] = 360.0
    occlusion: bool = False
    position_noise_m: NotNegative = 0.0
    velocity_noise_mps: NotNegative | None = None  # left out: the number of position_noise_m
    miss_rate: Share = 0.0
    swap_rate: Share = 0.0
    delay_s: NotNegative = 0.0

    def sensor(self) -> Sensor:
        """The value it stands for."""
        velocity_noise = self.velocity_noise_mps
        return Sensor(
            range=self.range_m or math.inf,
            field_of_view=math.radians(self.field_of_view_deg),
            occlusion=self.occlusion,
            position_noise=self.position_noise_m,
            velocity_noise=self.position_noise_m if velocity_noise is None else velocity_noise,
            miss_rate=self.miss_rate,
            swap_rate=self.swap_rate,
            delay=self.delay_s,
        )


class PauseEntry(Entry, frozen=True):
    """People who are touched stand still for a while."""

    duration_s: Positive = 1.0
    cooldown_s: NotNegative = 1.0

    def pause(self) -> Pause:
        """The value it stands for."""
        return Pause(duration=self.duration_s, cooldown=self.cooldown_s)


class ReactionEntry(Entry, frozen=True):
    """People who answer the robot, and how much."""

    # pause, social-force, orca, or a model of your own as file.py:Class
    by: Annotated[str, Meta(min_length=1)] = ReactionModel.SOCIAL_FORCE.value
    reactivity: Share = 1.0  # 0: as recorded, 1 as the model says
    # Of some people, by id.
    of_people: dict[Annotated[str, Meta(pattern=r"^-?\d+$")], Share] = field(default_factory=dict)
    foresight_s: Positive = 1.0  # for pause: who would meet the robot sooner stands

    def reaction(self) -> Reaction:
        """The value it stands for."""
        return Reaction(
            by=self.by,
            reactivity=self.reactivity,
            of_people={int(person): share for person, share in self.of_people.items()},
            foresight=self.foresight_s,
        )


class Settings(Entry, frozen=True):
    """How every episode of the suite is run."""

    dt_s: Positive = 0.05
    person_radius_m: Positive = 0.2
    goal_radius_m: Positive = 0.3
    stop_on_contact: bool = False
    gait: Gait = Gait.RECORDED  # of people in recordings
    pause: PauseEntry | None = None
    reaction: ReactionEntry | None = None
    sensor: SensorEntry = SensorEntry()
    hang_limit_s: Positive = 60.0  # a planner that has not answered by then is killed
    stall_limit_s: Positive | None = None  # a planner that answers later has failed
    memory_limit_mb: Positive | None = None  # a planner whose process takes more is killed


class SuiteFile(Entry, frozen=True):
    """A suite as a user writes it."""

    format: Literal["paseo-suite"]
    version: Literal[1]
    name: Name
    edition: Annotated[int, Meta(ge=1)] = 1  # episodes of another edition are other episodes
    description: str = ""
    include: list[str] = field(default_factory=list)  # shipped suites and episodes
    episodes: list[EpisodeEntry] = field(default_factory=list)
    planners: list[str] = field(default_factory=list)
    seeds: Annotated[tuple[Seed, ...], Meta(min_length=1)] = (0,)
    control: Control | None = None
    rule: Rule = Rule.EVERYONE
    robot: str | RobotEntry = RobotEntry()  # a shipped one, a file, or the robot itself
    settings: Settings = Settings()

    def __post_init__(self) -> None:
        twice = repeated(self.seeds)
        if twice is not None:
            raise ValueError(f"the seed {twice} is there twice, expected unique seeds")

    @property
    def full_name(self) -> str:
        """What runs are called: from the second edition on, it is part of the name."""
        return self.name if self.edition == 1 else f"{self.name}-v{self.edition}"


@cache
def shipped_suites() -> dict[str, SuiteFile]:
    """The suites in the package, by name; not to be modified."""
    folder = files("paseo.data") / "shipped" / "suites"
    suites = [read_settings(Path(str(file)), SuiteFile) for file in folder.iterdir()]
    return {suite.name: suite for suite in sorted(suites, key=lambda suite: suite.name)}


def shipped_suite(name: str) -> SuiteFile | None:
    """The suite of this name in the package, with its edition or without; None if there is none."""
    suites = shipped_suites().values()
    return next((suite for suite in suites if name in (suite.name, suite.full_name)), None)


@cache
def shipped_episodes() -> dict[str, EpisodeEntry]:
    """Every episode in the package, by name; not to be modified."""
    return {entry.name: entry for suite in shipped_suites().values() for entry in suite.episodes}


@cache
def shipped_robots() -> dict[str, RobotEntry]:
    """The robots in the package, by name; not to be modified."""
    folder = files("paseo.data") / "shipped" / "robots"
    robots = [read_robot(Path(str(file))) for file in folder.iterdir()]
    return {robot.name: robot for robot in sorted(robots, key=lambda robot: robot.name)}


def read_suite(path: Path, data: DataFolder | None = None) -> SuiteFile:
    """A user's suite, with its includes and files resolved relative to where it lies.

    It may also name crowds of the data folder, as recordings and as maps.
    """
    suite = read_settings(path, SuiteFile)
    folder = path.resolve().parent
    crowds = data.crowds() if data else []
    try:
        episodes = [entry for name in suite.include for entry in _included(name)]
    except UnknownName as error:
        raise BadFile(f"{path}: include: {error}") from error
    for k, entry in enumerate(suite.episodes):
        try:
            episodes.append(_located(entry, folder, crowds))
        except InputError as error:
            raise BadFile(f"{path}: episodes[{k}].{error}") from error
    twice = repeated([entry.name for entry in episodes])
    if twice is not None:
        raise BadFile(f"{path}: episodes: '{twice}' is there twice, expected unique names")
    if not episodes:
        raise BadFile(f"{path}: episodes: there are none; list some under 'include' or 'episodes'")
    return msgspec.structs.replace(
        suite,
        include=[],
        episodes=episodes,
        planners=[_planner_beside(path, planner) for planner in suite.planners],
        robot=_robot_of(suite, path),
    )


def read_robot(path: Path) -> RobotEntry:
    """A robot file."""
    content = read_mapping(path)
    if "format" not in content or "version" not in content:
        raise BadFile(
            f'{path}: expected the lines format = "paseo-robot" and version = 1; add them'
        )
    return converted(content, RobotEntry, where=str(path))


def find_robot(name: str, folder: Path) -> RobotEntry:
    """A shipped robot by its name, or else the robot file of that name in `folder`."""
    robots = shipped_robots()
    if name in robots:
        return robots[name]
    if Path(name).suffix or (folder / name).is_file():
        return read_robot(folder / name)
    raise UnknownName("robot", name, robots)


def _included(name: str) -> list[EpisodeEntry]:
    suite, episodes = shipped_suite(name), shipped_episodes()
    if suite is not None:
        return suite.episodes
    if name not in episodes:
        raise UnknownName("suite or episode", name, [*shipped_suites(), *episodes])
    return [episodes[name]]


def repeated(values: Sequence[Value]) -> Value | None:
    """The first of the values that is there twice, if any."""
    return next((value for k, value in enumerate(values) if value in values[:k]), None)


def _robot_of(suite: SuiteFile, path: Path) -> RobotEntry:
    if isinstance(suite.robot, RobotEntry):
        return suite.robot
    try:
        return find_robot(suite.robot, path.resolve().parent)
    except InputError as error:
        raise BadFile(f"{path}: robot: {error}") from error


def _planner_beside(path: Path, planner: str) -> str:
    """A planner's file is looked for beside the suite, as every other file is."""
    return str(path.parent / planner) if planner.partition(":")[0].endswith(".py") else planner


def _located(entry: EpisodeEntry, folder: Path, crowds: Collection[str]) -> EpisodeEntry:
    """The entry with files made absolute, so that it can be used from anywhere."""
    place = _found("map", entry.map, map_names(crowds), folder)
    recordings = []
    for k, placed in enumerate(entry.recordings):
        key = f"recordings[{k}].recording"
        file = _found(key, placed.recording, recording_names(crowds), folder)
        recordings.append(msgspec.structs.replace(placed, recording=file))
    return msgspec.structs.replace(entry, map=place, recordings=recordings)


def _found(key: str, name: str, known: Collection[str], folder: Path) -> str:
    """A known name as it is, or else the path of the file of that name."""
    if name in known:
        return name
    if (folder / map_file(name)).is_file():
        return str(folder / name)
    if not Path(name).suffix:
        raise InputError(f"{key}: {UnknownName(key.rpartition('.')[2], name, known)}")
    raise InputError(
        f"{key}: there is no file {folder / name}, expected a file or one of {', '.join(known)}"
    )
