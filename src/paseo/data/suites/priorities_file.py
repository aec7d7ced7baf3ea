"""Priorities files: what matters to a robot builder who must choose a planner."""

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta, field

from paseo.data.settings_file import Entry, Finite, read_settings
from paseo.errors import BadFile


class LimitEntry(Entry, frozen=True):
    """What a metric's mean must keep."""

    at_least: Finite | None = None
    at_most: Finite | None = None


class PrioritiesFile(Entry, frozen=True):
    """Weights and limits by metric name."""

    format: Literal["paseo-priorities"]
    version: Literal[1]
    weights: dict[str, Annotated[float, Meta(gt=0, le=1e9)]] = field(default_factory=dict)
    limits: dict[str, LimitEntry] = field(default_factory=dict)


def read_priorities(path: Path) -> PrioritiesFile:
    """A priorities file; it must weigh something."""
    priorities = read_settings(path, PrioritiesFile)
    if not priorities.weights:
        raise BadFile(f"{path}: weights: there are none; give at least one metric a weight")
    return priorities
