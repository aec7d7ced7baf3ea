"""Metrics of users: by file, by module, or by the entry point of another package."""

from paseo.errors import BadValue
from paseo.metrics.record.metric import Metric
from paseo.registry.registry import Registry


def _fault(found: object) -> str:
    is_metric = isinstance(found, Metric)
    return "" if is_metric else "is no metric; decorate its function with @metric"


OWN_METRICS: Registry[Metric] = Registry(
    kind="metric", group="paseo.metrics", shipped={}, fault=_fault, noun="metric"
)


def find_metric(reference: str) -> Metric:
    """The metric at `file.py:name` or `module:name`."""
    if ":" not in reference:
        raise BadValue(f"metric '{reference}': expected file.py:name, e.g. my_metrics.py:my_metric")
    return OWN_METRICS.find(reference)


def installed_metrics() -> list[Metric]:
    """The metrics that other packages bring by entry point."""
    return OWN_METRICS.installed()
