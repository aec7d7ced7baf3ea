"""Planners as people choose them, with parameters: `straight:speed=0.8`, `my.py:MyPlanner`."""

import inspect
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import SimpleNamespace
from typing import Any, get_type_hints

import msgspec

from paseo.errors import BadValue, UnknownName
from paseo.planners.names import PLANNERS
from paseo.registry.registry import made
from paseo.text import storable
from paseo.world.planning import Planner

Scalar = bool | int | float | str | None


@dataclass(frozen=True, slots=True)
class PlannerChoice:
    """A planner as named on the command line: `straight:speed=0.8`, `my.py:MyPlanner`."""

    reference: str
    parameters: Mapping[str, Scalar] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if storable(self.label) != self.label:
            raise BadValue(
                f"planner '{self.label}': its name holds what is no text, expected UTF-8; rename it"
            )

    @property
    def label(self) -> str:
        """The name as typed, parameters in order."""
        return ":".join([self.reference, *(f"{k}={v}" for k, v in self.parameters.items())])


def parse_planners(text: str) -> list[PlannerChoice]:
    """`NAME[:key=value...][,NAME...]` as choices; names are not looked up yet.

    A `key=value` after a comma belongs to the planner before it, if that has parameters.
    """
    choices = [_parse_planner(part) for part in _parted(text)]
    labels = [choice.label for choice in choices]
    twice = next((label for label in labels if labels.count(label) > 1), None)
    if twice is not None:
        raise BadValue(f"planner '{twice}' is named twice; name each once")
    return choices


def _parted(text: str) -> list[str]:
    """The words for each planner."""
    parts: list[str] = []
    for part in map(str.strip, text.split(",")):
        is_parameter = re.match(r"\w+\s*=", part) and not re.search(r"\.py:\w+(:|$)", part)
        if is_parameter and parts and re.search(r":\s*\w+\s*=", parts[-1]):
            parts[-1] += f":{part}"
        else:
            parts.append(part)
    return parts


def _parse_planner(text: str) -> PlannerChoice:
    name, *rest = text.split(":")
    parameters: dict[str, Scalar] = {}
    for part in rest:
        key, equals, value = map(str.strip, part.partition("="))
        if key in parameters:
            raise BadValue(f"planner '{text}': '{key}' is given twice, expected each key once")
        if equals:
            parameters[key] = value
        elif "model" in parameters and list(parameters)[-1] == "model":
            parameters["model"] = f"{parameters['model']}:{part}"  # my.py:Mine, llama3:8b
        elif parameters:
            raise BadValue(f"planner '{text}': '{part}' is no parameter, expected key=value")
        else:
            name = f"{name}:{part}"
    if not name:
        raise BadValue(f"planner '{text}': the name is missing, expected NAME[:key=value]")
    return PlannerChoice(name, parameters)


def make_planner(choice: PlannerChoice) -> Planner:
    """A new planner; parameters are read as the types its `__init__` declares."""
    cls = PLANNERS.find(choice.reference)
    known = inspect.signature(cls).parameters
    values = {}
    for key, text in choice.parameters.items():
        if key not in known:
            raise UnknownName(f"parameter of planner '{choice.reference}'", key, known)
        try:
            values[key] = msgspec.convert(text, _declared_type(cls, known[key]), strict=False)
        except (msgspec.ValidationError, NameError, TypeError) as error:
            allowed = _allowed(known[key].default)
            raise BadValue(
                f"planner '{choice.reference}': {key}={text}: {error}{allowed}"
            ) from error
    return made(f"planner '{choice.label}'", lambda: cls(**values))


def _declared_type(cls: type[Any], parameter: inspect.Parameter) -> Any:
    """The type a parameter is annotated with, else that of its default, else text."""
    if parameter.annotation is not parameter.empty:
        alone = SimpleNamespace(__annotations__={parameter.name: parameter.annotation})
        return get_type_hints(alone, globalns=vars(sys.modules[cls.__module__]))[parameter.name]
    return type(parameter.default) if isinstance(parameter.default, bool | int | float) else str


def _allowed(default: object) -> str:
    """What may stand in place of a default that is one of a closed set, in words."""
    if not isinstance(default, Enum):
        return ""
    return f", expected {' or '.join(str(each.value) for each in type(default))}"
