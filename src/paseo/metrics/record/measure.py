"""All metrics of a record at once."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from paseo.metrics.record.catalog import METRICS
from paseo.metrics.record.metric import Better, Measurement, Metric, Variant, measured
from paseo.world.arrays import FloatArray
from paseo.world.records import Record

SOURCE = "Biswas et al. 2021 (SocNavBench), Table 1"


def _median_not_in_a_record(record: Record) -> None:
    """How long the planner took for a step, the median."""


def _late_not_in_a_record(record: Record) -> None:
    """How long the planner took for all but the slowest twentieth of steps."""


def _total_not_in_a_record(record: Record) -> None:
    """How long the planner took in the whole episode; Table 2 calls it time per step."""


PLANNING_TIME = Metric(
    name="planning_time",
    unit="s",
    better=Better.LOWER,
    function=_median_not_in_a_record,
    formula="median over steps of the processor time of plan(), all its threads",
    source=SOURCE,
    original="wall time, the total of an episode, printed in Table 2 as time per step",
)
PLANNING_TIME_P95 = Metric(
    name="planning_time_p95",
    unit="s",
    better=Better.LOWER,
    function=_late_not_in_a_record,
    formula="95th percentile over steps of the processor time of plan(), all its threads",
    source="this project",
)
PLANNING_TIMES = (PLANNING_TIME, PLANNING_TIME_P95)
PUBLISHED_PLANNING_TIME = Metric(
    name="planning_time",
    unit="s",
    better=Better.LOWER,
    function=_total_not_in_a_record,
    source=SOURCE,
    variant=Variant.PUBLISHED,
)
_SUMMED: dict[Metric, Callable[[FloatArray], float]] = {
    PLANNING_TIME: lambda times: float(np.median(times)),
    PLANNING_TIME_P95: lambda times: float(np.percentile(times, 95)),
    PUBLISHED_PLANNING_TIME: lambda times: float(times.sum()),
}


def measure(
    record: Record,
    *,
    metrics: Iterable[Metric] = METRICS,
    planning_s: Sequence[float] | None = None,
) -> dict[str, Measurement]:
    """Every metric by name; `planning_s` are processor times, which a Record does not hold."""
    chosen = tuple(metrics)
    found = {each.name: measured(each, record) for each in chosen}
    for each in _planning_times(chosen):
        found[each.name] = _planning_time(each, planning_s)
    return found


def with_planning_time(metrics: Iterable[Metric]) -> tuple[Metric, ...]:
    """The metrics, and last the planning times in the same variant."""
    chosen = tuple(metrics)
    return (*chosen, *_planning_times(chosen))


def _planning_times(metrics: Sequence[Metric]) -> tuple[Metric, ...]:
    published = any(each.variant is Variant.PUBLISHED for each in metrics)
    return (PUBLISHED_PLANNING_TIME,) if published else PLANNING_TIMES


def _planning_time(metric: Metric, seconds: Sequence[float] | None) -> Measurement:
    if not seconds:
        note = "not available: needs measured planning times"
        return Measurement(metric=metric, value=None, note=note)
    times = np.array(seconds)
    samples = times if metric is PLANNING_TIME else None
    return Measurement(metric=metric, value=_SUMMED[metric](times), samples=samples)
