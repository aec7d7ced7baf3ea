"""Rows of a comparison in words: whatever tells one from another, and no more."""

import math
from collections.abc import Callable, Sequence
from dataclasses import fields, replace

from paseo.metrics.comparison.cautions import Caution
from paseo.metrics.comparison.comparison import Comparison
from paseo.metrics.comparison.rows import Row, RowSettings
from paseo.suite.runs.sights import Sensing
from paseo.text import in_a_line
from paseo.world.cameras import CameraSensor, Sight
from paseo.world.clocks import ClockName, Timekeeping, picture_steps
from paseo.world.motion import Robot
from paseo.world.scenarios import Sensor

# What is said of robots only where they differ in it.
SELDOM = {
    "max_reverse_speed": "backwards {} m/s",
    "max_turn_acceleration": "{} rad/s^2",
    "sensor_height": "sensors at {} m",
}
SAID = {
    Caution.MACHINES: "planning times come from different machines and cannot be compared",
    Caution.EPISODES: "rows ran different episodes; differences use those that both ran",
}


def labels(rows: Sequence[Row]) -> dict[Row, str]:
    """What each row is called among the others."""
    return {row: label(row, rows) for row in rows}


def label(row: Row, rows: Sequence[Row]) -> str:
    """The planner, with whatever else tells its row from another of the same planner."""
    twins = [other for other in rows if other.planner == row.planner]
    words = {
        "control": row.control,
        "rule": row.rule or "no rule",
        "robot": robot_words(row, rows),
        "settings": settings_words(row, rows) or "usual settings",
        "reactivity": "replayed" if row.reactivity is None else f"reactivity {row.reactivity:g}",
        "clock": clock_words(row.clock),
        "latency_s": "no latency" if row.latency_s is None else f"latency {row.latency_s:g} s",
        "sight": sight_words(row.sight, [other.sight for other in rows], dt=row.settings.dt),
    }
    extra = [said for key, said in words.items() if len({getattr(o, key) for o in twins}) > 1]
    if row.is_reference:
        extra.insert(0, "reference, own episodes")
    return in_a_line(row.planner + (f" ({', '.join(extra)})" if extra else ""))


def sight_words(sight: Sight | None, others: Sequence[Sight | None], *, dt: float) -> str:
    """What the robot is given of people; also by which camera, where others see by another."""
    words = f"sensing {sensing_word(None if sight is None else sight.label)}"
    cameras = {replace(each, perception="") for each in others if each is not None}
    if sight is None or len(cameras) == 1:
        return words
    camera, usual = sight.camera, CameraSensor()
    told = [f"camera {camera.width_px}x{camera.height_px}, fx {camera.fx:g} px"]
    told += [f"{camera.height:g} m high", f"{math.degrees(camera.pitch):g} degrees down"]
    told += [f"every {picture_steps(sight.period, dt) * dt:g} s"]
    for key in (each.name for each in fields(CameraSensor)):
        if (value := getattr(sight.sensor, key)) != getattr(usual, key):
            told.append(f"{key.replace('_', ' ')} {value:g}")
    return f"{words} by a {', '.join(told)}"


def sensing_word(label: str | None) -> str:
    """What a robot is given of people, in the one word that tables have for it."""
    return Sensing.SCHEMATIC.value if label is None else label


def clock_words(kept: Timekeeping) -> str:
    """The clock, and what it does with a robot whose planner thinks."""
    if kept.clock is ClockName.SYNC:
        return "clock sync"
    limit = "" if kept.repeat_limit_s is None else f" for {kept.repeat_limit_s:g} s at most"
    return f"clock {kept.clock}: {kept.thinking} while thinking{limit}; late answers {kept.late}"


def robot_words(row: Row, rows: Sequence[Row]) -> str:
    """The robot's name and limits, with all that tells it from the robots of other rows."""
    robot = row.robot
    if robot is None:
        return "whoever is followed"
    others = [other.robot for other in rows if other.robot is not None]
    said = _told(robot, others)
    walls = "" if robot.wall_radius is None else f" (walls from {said('wall_radius')} m)"
    words = [
        robot.name,
        f"radius {said('radius')} m{walls}",
        f"{said('max_speed')} m/s",
        f"{said('max_turn')} rad/s",
        f"{said('max_acceleration')} m/s^2",
    ]
    for key, text in SELDOM.items():
        if len({getattr(other, key) for other in others}) > 1:
            words.append(text.format(said(key)))
    return ", ".join(words)


def settings_words(row: Row, rows: Sequence[Row]) -> str:
    """What differs from the usual settings; nothing where nothing does."""
    settings, usual = row.settings, RowSettings()
    said = _told(settings, [other.settings for other in rows])
    words = {
        "dt": f"steps of {said('dt')} s",
        "stop_on_contact": "ends on contact",
        "pause": f"people pause {settings.pause}",
        "reaction": _reaction_words(settings, [other.settings for other in rows]),
        "sensor": f"sees by {_sensor_words(settings.sensor)}",
        "person_radius": f"people of {said('person_radius')} m",
        "goal_radius": f"goal of {said('goal_radius')} m",
        "gait": f"people of {settings.gait} gait",
    }
    return ", ".join(
        word for key, word in words.items() if getattr(settings, key) != getattr(usual, key)
    )


def _reaction_words(settings: RowSettings, others: Sequence[RowSettings]) -> str:
    words = f"people answer by {settings.reaction}"
    answering = [other for other in others if other.reaction is not None]
    if settings.reactivity_of:
        words += ", others for some people"
        if len({other.reactivity_of for other in answering if other.reactivity_of}) > 1:
            words += f" ({', '.join(f'{id}: {much}' for id, much in settings.reactivity_of)})"
    if len({other.foresight for other in answering}) > 1:
        words += f", foresight {_told(settings, answering)('foresight')} s"
    return words


def _sensor_words(sensor: Sensor) -> str:
    """What differs from seeing everybody exactly."""
    usual, words = Sensor(), []
    for key in (each.name for each in fields(Sensor)):
        value, name = getattr(sensor, key), key.replace("_", " ")
        if value != getattr(usual, key):
            words.append(name if value is True else f"{name} {value:g}")
    return ", ".join(words)


def _told(mine: Robot | RowSettings, others: Sequence[Robot | RowSettings]) -> Callable[[str], str]:
    """How to write a field: in short, unless another's, though different, would look the same."""

    def said(key: str) -> str:
        value = getattr(mine, key)
        if value is None:
            return "none"
        numbers = {getattr(other, key) for other in others} - {None, value}
        alike = any(f"{number:g}" == f"{value:g}" for number in numbers)
        return repr(value) if alike else f"{value:g}"

    return said


def warnings(comparison: Comparison) -> list[str]:
    """What makes rows hard to compare, in sentences without a full stop."""
    rows = [each.row for each in comparison.summaries if not each.row.is_reference]
    words: dict[Caution, Callable[[Row], str]] = {
        Caution.RULES: lambda row: row.rule or "none",
        Caution.ROBOTS: lambda row: robot_words(row, rows),
        Caution.CONTROLS: lambda row: row.control,
        Caution.SETTINGS: lambda row: settings_words(row, rows) or "the usual",
        Caution.CLOCKS: lambda row: clock_words(row.clock),
    }
    found = []
    for caution in comparison.warnings:
        if caution in SAID:
            found.append(SAID[caution])
        else:
            kinds = sorted({words[caution](row) for row in rows})
            found.append(f"rows differ in their {caution} ({', '.join(kinds)})")
    return found
