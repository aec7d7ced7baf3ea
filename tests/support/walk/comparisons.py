"""Measured episodes by hand, for comparing planners."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from paseo.metrics.comparison.asking import EVERYTHING, Asked
from paseo.metrics.comparison.clusters import Stretch
from paseo.metrics.comparison.comparison import Comparison, compare
from paseo.metrics.comparison.measured import MeasuredEpisode, PooledSums
from paseo.metrics.comparison.rows import Row
from paseo.metrics.record.catalog import METRICS
from paseo.metrics.record.measure import PLANNING_TIMES
from paseo.metrics.record.metric import Metric
from paseo.world.motion import Control, Robot
from paseo.world.records import Verdict

NAMES = [*(each.name for each in METRICS), *(each.name for each in PLANNING_TIMES)]


def row(planner: str = "a", **changes: Any) -> Row:
    """A row of robot `r`, moved freely; of a reference's robot nothing is known."""
    usual = {"control": Control.POSITION, "rule": "", "robot": Robot(name="r")}
    return Row(**{"planner": planner, **usual, **changes})


def episode(
    name: str = "e0",
    planner: str | Row = "a",
    *,
    verdict: Verdict = Verdict.SUCCESS,
    values: dict[str, float | None] | None = None,
    window: str | None = None,
    **changes: Any,
) -> MeasuredEpisode:
    """Every metric is 1 unless told otherwise; each episode has a window of its own."""
    arrived = verdict in (Verdict.SUCCESS, Verdict.PERSON_COLLISION)
    given = {
        "row": row(planner) if isinstance(planner, str) else planner,
        "episode": name,
        "seed": 0,
        "window": (Stretch(window or name, 0.0, 60.0),),
        "verdict": verdict,
        "completed": arrived,
        "time_s": 10.0,
        "time_limit_s": 60.0,
        "values": {**dict.fromkeys(NAMES, 1.0), "success": float(arrived), **(values or {})},
        "moments": {},
        "machine": "m",
    }
    return MeasuredEpisode(**{**given, **changes})


def moments(samples: Iterable[float]) -> PooledSums:
    values = np.array(list(samples), float)
    return PooledSums(len(values), float(values.sum()), float((values**2).sum()))


def compared(
    *measured: MeasuredEpisode,
    metrics: Sequence[Metric] = METRICS,
    asked: Asked = EVERYTHING,
    draws: int = 500,
) -> Comparison:
    return compare(measured, metrics, np.random.default_rng(0), asked=asked, draws=draws)


def two_planners(windows: int = 12, *, asked: Asked = EVERYTHING) -> Comparison:
    """`b` is half as fast as `a` everywhere; in energy they differ by chance."""
    rng = np.random.default_rng(4)
    measured = []
    for k in range(windows):
        for planner, speed in (("a", 1.0), ("b_2", 0.5)):
            values = {"speed": speed + rng.normal(0, 0.05), "energy": rng.normal(10, 1)}
            measured.append(episode(f"e{k}", planner, values=values))
    return compared(*measured, asked=asked)
