"""What a run is to do, from the words or values that a person gives."""

import inspect
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec import structs

from paseo.data.settings_file import converted
from paseo.data.store.locations import DataFolder, data_dir
from paseo.data.suites.episodes import Choices
from paseo.data.suites.rules import named_rule
from paseo.data.suites.suite_file import (
    EpisodeEntry,
    RobotEntry,
    SensorEntry,
    Settings,
    SuiteFile,
    find_robot,
    read_suite,
    shipped_episodes,
    shipped_suite,
    shipped_suites,
)
from paseo.data.suites.suite_writing import robot_entry
from paseo.errors import BadFile, BadValue, InputError, UnknownName
from paseo.planners.choices import PlannerChoice, Scalar, parse_planners
from paseo.planners.names import PLANNERS, planner_hash
from paseo.suite.runs.jobs import RunPlan
from paseo.suite.runs.sights import Sensing, sights_of
from paseo.suite.runs.timekeeping import timekeeping_of
from paseo.world.cameras import Camera, CameraSensor, Sight
from paseo.world.clocks import ClockName, Late, Thinking, Timekeeping
from paseo.world.motion import Control, Robot
from paseo.world.scenarios import Gait, Rule, Sensor

# How a planner can be named: as on the command line, by what that means, or by its class.
NamedPlanner = str | PlannerChoice | type[Any]
NO_TARGET = "name a suite or an episode to run; `paseo list suites` shows them"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """How to run; what is None is as the suite says."""

    control: Control | None = None  # None: as each planner declares
    rule: Rule | str | None = None  # who is present
    seed: int | None = None  # instead of the suite's seeds
    limit: int | None = None  # only the first so many episodes
    robot: str | Path | Robot | None = None  # a shipped one by name, or a file
    sensor: Sensor | Mapping[str, Scalar] | None = None  # by the keys of a suite file: range_m, ...
    stop_on_contact: bool = False  # True: end at the first contact
    pause_s: float | None = None  # people who are touched stand so long
    cooldown_s: float | None = None  # then cannot be stopped again so long
    reaction: str | None = None  # how people answer the robot: by which model
    gait: Gait | str | None = None  # how recorded people walk
    reactivities: tuple[float, ...] = ()  # run one after the other
    latencies: tuple[float, ...] = ()  # of planners, declared, in seconds; likewise
    stall_limit_s: float | None = None  # a slower plan() has failed
    hang_limit_s: float | None = None  # a planner silent so long is killed
    memory_limit_mb: float | None = None  # a planner whose process takes more is killed
    data: Path | None = None  # where recordings are; None: $PASEO_DATA
    clock: ClockName | str | None = None  # None: the world waits, unless something is charged
    thinking: Thinking | str | None = None  # what the robot does meanwhile; None: hold
    late: Late | str | None = None  # what a late answer is applied to; None: here
    repeat_limit_s: float | None = None  # None: 2.5 by the clock async, else no limit
    sensing: tuple[Sensing | str, ...] = ()  # run one after the other; empty: told of people
    perceptions: tuple[str, ...] = ()  # who finds people in pictures; likewise
    camera: Camera | Path | str | None = None  # on the robot, by name or a file
    # What the camera gets wrong: by the keys of a file (depth_noise_m, ...), or the file.
    camera_sensor: CameraSensor | Path | Mapping[str, Scalar] | None = None
    camera_fps: float | None = None  # pictures for each second; None: 10
    replay_latency: Path | None = None  # a run whose measured latencies are charged again
    # None of what follows changes results.
    runner: str = "local"  # who carries episodes out
    jobs: int | None = None  # at a time; None: one for each core
    video: bool = False  # also film every episode, into films/ of the run
    time_planning: bool = False  # one worker alone on a core, so that planning times compare
    # What planners that ask models may use, all of them together; None: as much as they like.
    max_usd: float | None = None
    max_tokens_total: int | None = None
    rate_limit_rpm: float | None = None  # requests per minute

    @property
    def timekeeping(self) -> Timekeeping:
        """The clock and its policies; what latencies are declared is not in it."""
        return timekeeping_of(
            self.clock,
            thinking=self.thinking,
            late=self.late,
            repeat_limit_s=self.repeat_limit_s,
            charged_by=self._charged_by,
        )

    @property
    def _charged_by(self) -> str:
        """Which option says how much time is charged; empty: none."""
        given = {"latencies": self.latencies, "replay_latency": self.replay_latency}
        named = [name for name, value in given.items() if value]
        if len(named) > 1:
            raise BadValue(
                "replay_latency charges the latencies of another run; omit latencies",
                parameters=("replay_latency", "latencies"),
            )
        return "".join(named)

    def __post_init__(self) -> None:
        clock = self.timekeeping.clock  # which refuses what does not go together
        if self.time_planning and clock is ClockName.ASYNC:
            raise BadValue(
                "time_planning leaves a planner alone, by the clock 'async' the world runs beside "
                "it; omit one of them",
                parameters=("time_planning", "clock"),
            )
        for name, most, where in (
            ("reactivities", 1.0, "from 0 to 1"),
            ("latencies", math.inf, "of seconds from 0 on"),
        ):
            stops = getattr(self, name)
            if len(set(stops)) < len(stops) or not all(0 <= stop <= most for stop in stops):
                raise BadValue(
                    f"{name} are {stops}, expected different numbers {where}",
                    parameters=(name,),
                )
        if self.time_planning and (self.video or self.jobs not in (None, 1)):
            raise BadValue(
                "time_planning measures with one worker and nothing beside it; omit jobs and video",
                parameters=("time_planning", "jobs", "video"),
            )
        for name in ("max_usd", "rate_limit_rpm"):
            value = getattr(self, name)
            if value is not None and not 0 <= value < math.inf:
                raise BadValue(f"{name} is {value:g}, expected 0 or more", parameters=(name,))
        for name, least in (("seed", 0), ("limit", 1), ("jobs", 1)):
            value = getattr(self, name)
            if value is not None and not least <= value < 2**63:
                raise BadValue(
                    f"{name} is {value}, expected a whole number from {least} on, below 2**63",
                    parameters=(name,),
                )


# What decides the results, and so cannot be changed when a run is resumed.
DECIDING = (
    "control", "data", "rule", "seed", "limit", "robot", "sensor", "stop_on_contact",
    "pause_s", "cooldown_s", "gait", "stall_limit_s", "hang_limit_s", "memory_limit_mb", "reaction",
    "reactivities", "sensing", "perceptions", "camera", "camera_sensor", "camera_fps",
    "latencies", "clock", "thinking", "late", "repeat_limit_s", "replay_latency",
)  # fmt: skip


def decided(options: RunOptions) -> list[str]:
    """The options given that decide the results."""
    usual = RunOptions()
    return [name for name in DECIDING if getattr(options, name) != getattr(usual, name)]


def plan_run(
    target: str | Path | None,
    planners: NamedPlanner | Sequence[NamedPlanner] | None,
    options: RunOptions,
) -> RunPlan:
    """The plan of running a shipped suite or episode, or a suite file; nothing is begun yet."""
    if target is None:
        raise InputError(NO_TARGET)
    data = data_dir(options.data).resolve()
    suite = _suite(target, data)
    chosen = named_planners(suite.planners if planners is None else planners)
    if not chosen:
        raise InputError(
            f"'{suite.name}' names no planner; add planners, e.g. planners='straight'",
            parameters=("planners",),
        )
    settings = _settings(options, suite.settings)
    return RunPlan(
        name=suite.full_name,
        episodes=tuple(suite.episodes[: options.limit]),
        planners=chosen,
        planner_hashes={each.reference: planner_hash(each.reference) for each in chosen},
        seeds=suite.seeds if options.seed is None else (options.seed,),
        control=Control(options.control) if options.control else suite.control,
        choices=Choices(
            rule=named_rule(options.rule or suite.rule),
            robot=_robot(options.robot, suite),
            settings=settings,
        ),
        data=data,
        reactivities=options.reactivities,
        timekeeping=options.timekeeping,
        latencies=_latencies(options.latencies, suite.episodes[: options.limit]),
        sights=_sights(options, settings.dt_s),
    )


def _sights(options: RunOptions, dt: float) -> tuple[Sight | None, ...]:
    sights = sights_of(
        options.sensing,
        options.perceptions,
        camera=options.camera,
        camera_sensor=options.camera_sensor,
        camera_fps=options.camera_fps,
        dt=dt,
    )
    if sights and None not in sights and options.sensor is not None:
        raise BadValue(
            "a robot that has to see for itself is told nothing by a sensor; omit sensor, or "
            "choose sensing schematic",
            parameters=("sensor", "sensing"),
        )
    return sights


def _latencies(latencies: Sequence[float], episodes: Sequence[EpisodeEntry]) -> tuple[float, ...]:
    """As floats that are written alike; none may outlast an episode."""
    shortest = min(episodes, key=lambda each: each.time_limit_s)
    longest = max(latencies, default=0.0)
    if longest > shortest.time_limit_s:
        raise BadValue(
            f"a latency of {longest:g} s outlasts episode '{shortest.name}', whose time limit is "
            f"{shortest.time_limit_s:g} s; choose shorter ones",
            parameters=("latencies",),
        )
    return tuple(each + 0.0 for each in latencies)


def named_planners(planners: NamedPlanner | Sequence[NamedPlanner]) -> tuple[PlannerChoice, ...]:
    """The planners that are meant, each once."""
    named: Sequence[Any] = [planners]
    if isinstance(planners, Sequence) and not isinstance(planners, str):
        named = planners
    choices = [choice for each in named for choice in _named(each)]
    labels = [choice.label for choice in choices]
    twice = next((label for label in labels if labels.count(label) > 1), None)
    if twice is not None:
        raise BadValue(f"planner '{twice}' is named twice; name each once")
    return tuple(choices)


def _named(planner: object) -> list[PlannerChoice]:
    if isinstance(planner, PlannerChoice):
        return [planner]
    if isinstance(planner, str):
        return parse_planners(planner)
    if inspect.isclass(planner):
        return [PlannerChoice(_reference(planner))]
    raise BadValue(
        f"{planner!r:.80} is no name of a planner, expected a text such as straight or "
        "my.py:MyPlanner, or a class: a run makes a new planner for every episode"
    )


def _reference(kind: type[Any]) -> str:
    """The name that processes of their own find a class by."""
    target = f"{kind.__module__}:{kind.__qualname__}"
    if kind.__module__ == "__main__" or "." in kind.__qualname__:
        raise BadValue(
            f"planner class {kind.__name__} cannot be imported by other processes; put it at the "
            f"top of a file of its own, then name that: my.py:{kind.__name__}"
        )
    known = {place: name for name, place in PLANNERS.targets().items()}
    return known.get(target, target)


def _suite(target: str | Path, data: Path) -> SuiteFile:
    name = str(target)
    episodes, shipped = shipped_episodes(), shipped_suite(name)
    if shipped is not None:
        return shipped
    if name in episodes:
        return SuiteFile(format="paseo-suite", version=1, name=name, episodes=[episodes[name]])
    if Path(target).suffix or Path(target).is_file():
        return read_suite(Path(target), DataFolder(data))
    raise UnknownName("suite or episode", name, [*shipped_suites(), *episodes])


def _robot(robot: str | Path | Robot | None, suite: SuiteFile) -> RobotEntry:
    if isinstance(robot, Robot):
        return robot_entry(robot)
    found = suite.robot if robot is None else find_robot(str(robot), Path())
    assert isinstance(found, RobotEntry)  # read_suite has read the file a suite may name
    return found


def _settings(options: RunOptions, settings: Settings) -> Settings:
    """The suite's settings with those of the options laid over them."""
    changes: dict[str, Any] = {}
    if options.sensor is not None:
        changes["sensor"] = structs.asdict(_sensor(options.sensor))
    if options.stop_on_contact:
        changes["stop_on_contact"] = True
    pause = {"duration_s": options.pause_s, "cooldown_s": options.cooldown_s}
    if pause.keys() - {key for key, value in pause.items() if value is None}:
        changes["pause"] = {key: value for key, value in pause.items() if value is not None}
    if options.reaction is not None:
        changes["reaction"] = {"by": str(options.reaction)}
    for key in ("gait", "stall_limit_s", "hang_limit_s", "memory_limit_mb"):
        if getattr(options, key) is not None:
            changes[key] = getattr(options, key)
    try:
        given = converted(changes, Settings, where="options")
    except BadFile as error:
        raise BadValue(str(error), parameters=("options",)) from error
    return structs.replace(settings, **{key: getattr(given, key) for key in changes})


def _sensor(sensor: Sensor | Mapping[str, Scalar]) -> SensorEntry:
    if isinstance(sensor, Sensor):
        values: dict[str, Scalar] = {
            "range_m": None if math.isinf(sensor.range) else sensor.range,
            "field_of_view_deg": math.degrees(sensor.field_of_view),
            "occlusion": sensor.occlusion,
            "position_noise_m": sensor.position_noise,
            "velocity_noise_mps": sensor.velocity_noise,
            "miss_rate": sensor.miss_rate,
            "swap_rate": sensor.swap_rate,
            "delay_s": sensor.delay,
        }
    else:
        values = dict(sensor)
    try:
        return converted(values, SensorEntry, where="sensor")
    except BadFile as error:
        raise BadValue(str(error), parameters=("sensor",)) from error
