"""All metrics of a record at once."""

from collections.abc import Iterable, Sequence

import numpy as np

from paseo.metrics.catalog import METRICS
from paseo.metrics.metric import Better, Measurement, Metric, measured
from paseo.world.records import Record

PLANNING_TIME = Metric(
    name="planning_time",
    unit="s",
    better=Better.LOWER,
    function=lambda record: None,
    formula="wall time of plan(), for each step",
    source="Biswas et al. 2021 (SocNavBench), Table 1",
    original="the total of an episode, printed in Table 2 as time per step",
)


def measure(
    record: Record,
    *,
    metrics: Iterable[Metric] = METRICS,
    planning_s: Sequence[float] | None = None,
) -> dict[str, Measurement]:
    """Every metric by name; `planning_s` are measured times, which a Record does not hold."""
    found = {each.name: measured(each, record) for each in metrics}
    found[PLANNING_TIME.name] = _planning_time(planning_s)
    return found


def _planning_time(seconds: Sequence[float] | None) -> Measurement:
    if not seconds:
        return Measurement(
            metric=PLANNING_TIME, value=None, note="not available: needs measured planning times"
        )
    times = np.array(seconds)
    return Measurement(metric=PLANNING_TIME, value=float(times.mean()), samples=times)
