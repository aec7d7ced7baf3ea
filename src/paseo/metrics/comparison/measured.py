"""One measured episode of one row, and what it says about its planner."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from paseo.metrics.comparison.clusters import Window
from paseo.metrics.comparison.rows import Row
from paseo.metrics.comparison.statistics import restricted_times
from paseo.metrics.record.metric import Better, Metric, Population
from paseo.world.arrays import FloatArray
from paseo.world.records import Record, Verdict


def _not_in_a_record(record: Record) -> None:
    """The time to the goal; the whole time limit where it was not reached."""


TIME_TO_GOAL = Metric(
    name="time_to_goal",
    unit="s",
    better=Better.LOWER,
    function=_not_in_a_record,
    population=Population.EVERY,
)


@dataclass(frozen=True, slots=True)
class PooledSums:
    """Enough of a distribution to pool it with others."""

    count: int
    total: float
    squares: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredEpisode:
    """One measured episode of one row."""

    row: Row
    episode: str
    seed: int
    window: Window
    verdict: Verdict
    completed: bool
    time_s: float
    time_limit_s: float
    values: Mapping[str, float | None]
    moments: Mapping[str, PooledSums]
    machine: str
    load: str = ""  # who else was at work when planning was timed, in words
    map: str = ""
    flow: str = ""  # how people move where and when the robot drives
    density: str = ""  # how many there are
    record: Path = Path()  # its file
    samples: Mapping[str, FloatArray] = field(default_factory=dict, compare=False)  # if asked for


def compared_value(each: MeasuredEpisode, metric: Metric) -> float | None:
    """What one episode adds to a comparison; None where it says nothing about the planner."""
    if metric is TIME_TO_GOAL:
        times = restricted_times(
            np.array([each.time_s]), np.array([each.completed]), np.array([each.time_limit_s])
        )
        return float(times[0])
    value = finite(each.values[metric.name])
    if value is None or not _belongs(each, metric.population):
        return None
    if metric.per_minute:
        return value / (each.time_s / 60) if each.time_s > 0 else None
    return value


def _belongs(each: MeasuredEpisode, population: Population) -> bool:
    if population is Population.EVERY:
        return True
    if each.verdict is Verdict.PLANNER_FAILED:
        return False  # who fails early has no merit for what did not happen then
    if population is Population.DRIVEN:
        return True
    return each.completed == (population is Population.COMPLETED)


def finite(value: float | None) -> float | None:
    """None for infinities, which the published time to collision has and no mean can hold."""
    return value if value is not None and math.isfinite(value) else None
