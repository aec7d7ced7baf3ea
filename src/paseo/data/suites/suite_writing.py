"""Suites into files that people can read and `read_suite` reads again."""

import json
import math
import re
from collections.abc import Callable
from enum import Enum
from typing import Any

import tomli_w
import yaml
from msgspec import NODEFAULT, Struct, structs

from paseo.data.suites.suite_file import RobotEntry, SuiteFile
from paseo.errors import BadValue
from paseo.world.motion import Robot

Content = dict[str, Any]


def suite_bytes(suite: SuiteFile, suffix: str) -> bytes:
    """The content of a suite file whose name ends in `suffix`, without what is as by default."""
    writer = WRITERS.get(suffix.lower())
    if writer is None:
        raise BadValue(
            f"'{suffix}' is no ending of a suite file, expected .toml, .yaml, .yml or .json; "
            "choose another name"
        )
    return writer(_told(suite)).encode()


def robot_entry(robot: Robot) -> RobotEntry:
    """The robot as a suite writes it."""
    return RobotEntry(
        name=robot.name,
        radius_m=robot.radius,
        max_speed_mps=robot.max_speed,
        max_reverse_speed_mps=robot.max_reverse_speed,
        max_turn_radps=robot.max_turn,
        max_acceleration_mps2=_limit(robot.max_acceleration),
        max_turn_acceleration_radps2=_limit(robot.max_turn_acceleration),
        sensor_height_m=robot.sensor_height,
        wall_radius_m=robot.wall_radius,
    )


def _toml(content: Content) -> str:
    """As tomli_w writes it, but rows of numbers on one line."""
    # Strings hold no line breaks as they are, so what begins with one is no part of a string.
    return re.sub(
        r"\[\n([-+.,\de\s]+),\n\s*\]",
        lambda row: f"[{' '.join(row[1].split())}]",
        tomli_w.dumps(content),
    )


def _yaml(content: Content) -> str:
    return yaml.safe_dump(content, sort_keys=False, allow_unicode=True)


def _json(content: Content) -> str:
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


WRITERS: dict[str, Callable[[Content], str]] = {
    ".toml": _toml,
    ".yaml": _yaml,
    ".yml": _yaml,
    ".json": _json,
}


def _limit(value: float) -> float | None:
    return None if math.isinf(value) else value


def _told(entry: Struct) -> Content:
    """The fields that differ from their defaults; msgspec itself leaves out only identical ones."""
    return {
        field.name: _plain(value)
        for field in structs.fields(entry)
        if (value := getattr(entry, field.name)) != _default(field)
    }


def _default(field: structs.FieldInfo) -> object:
    if field.default_factory is not NODEFAULT:
        return field.default_factory()
    return field.default


def _plain(value: object) -> object:
    if isinstance(value, Struct):
        return _told(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value
