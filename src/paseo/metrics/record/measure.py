"""All metrics of a record at once."""

from collections.abc import Iterable, Sequence

import numpy as np

from paseo.metrics.record.catalog import METRICS
from paseo.metrics.record.metric import Better, Measurement, Metric, Variant, measured
from paseo.world.records import Record

SOURCE = "Biswas et al. 2021 (SocNavBench), Table 1"


def _not_in_a_record(record: Record) -> None:
    """How long the planner took."""


PLANNING_TIME = Metric(
    name="planning_time",
    unit="s",
    better=Better.LOWER,
    function=_not_in_a_record,
    formula="wall time of plan(), for each step",
    source=SOURCE,
    original="the total of an episode, printed in Table 2 as time per step",
)


def _total_not_in_a_record(record: Record) -> None:
    """How long the planner took in the whole episode; Table 2 calls it time per step."""


PUBLISHED_PLANNING_TIME = Metric(
    name="planning_time",
    unit="s",
    better=Better.LOWER,
    function=_total_not_in_a_record,
    source=SOURCE,
    variant=Variant.PUBLISHED,
)


def measure(
    record: Record,
    *,
    metrics: Iterable[Metric] = METRICS,
    planning_s: Sequence[float] | None = None,
) -> dict[str, Measurement]:
    """Every metric by name; `planning_s` are measured times, which a Record does not hold."""
    *chosen, planning = with_planning_time(metrics)
    found = {each.name: measured(each, record) for each in chosen}
    found[planning.name] = _planning_time(planning, planning_s)
    return found


def with_planning_time(metrics: Iterable[Metric]) -> tuple[Metric, ...]:
    """The metrics, and last the planning time in the same variant."""
    chosen = tuple(metrics)
    published = any(each.variant is Variant.PUBLISHED for each in chosen)
    return (*chosen, PUBLISHED_PLANNING_TIME if published else PLANNING_TIME)


def _planning_time(metric: Metric, seconds: Sequence[float] | None) -> Measurement:
    if not seconds:
        note = "not available: needs measured planning times"
        return Measurement(metric=metric, value=None, note=note)
    times = np.array(seconds)
    if metric.variant is Variant.PUBLISHED:
        return Measurement(metric=metric, value=float(times.sum()))
    return Measurement(metric=metric, value=float(times.mean()), samples=times)
