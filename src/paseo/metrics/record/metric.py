"""What a metric is: a function of a Record, with its unit, its direction and its source."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from paseo.errors import NotAvailable, PaseoError
from paseo.text import error_words
from paseo.world.arrays import FloatArray
from paseo.world.records import Record

Value = float | FloatArray | None
Function = Callable[[Record], Value]


class Better(StrEnum):
    """Which way is good."""

    HIGHER = "higher"
    LOWER = "lower"
    NEITHER = "neither"


class Variant(StrEnum):
    """By the paper's definition, or as the released original computes it."""

    DEFINITION = "definition"
    PUBLISHED = "published"


class Population(StrEnum):
    """The episodes over which a metric says something when planners are compared."""

    EVERY = "every"  # also those whose planner failed, as not to have succeeded
    DRIVEN = "driven"  # whatever the ending, unless the planner failed
    COMPLETED = "completed"
    INCOMPLETE = "incomplete"


class Group(StrEnum):
    """Which of the paper's tables shows a metric; all are in the table of intervals."""

    PATH = "path"
    MOTION = "motion"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """A named measurement; call it with a Record.

    It returns a number, an array for a distribution over the episode, or None where it is
    undefined; it may raise `NotAvailable` with what it lacks.
    """

    name: str
    unit: str
    better: Better
    function: Function
    formula: str = ""
    source: str = ""
    original: str = ""  # what SocNavBench computes instead
    variant: Variant = Variant.DEFINITION
    population: Population = Population.DRIVEN
    per_minute: bool = False  # what adds up is compared per minute: ending early is no merit
    pooled: bool = False  # mean and deviation are over the steps of all episodes together
    group: Group = Group.OTHER
    share: bool = False  # lies from 0 to 1, and so do its means and their intervals

    def __call__(self, record: Record) -> Value:
        """The value for one record."""
        return self.function(record)

    @property
    def summary(self) -> str:
        """The first sentence of its docstring."""
        return (self.function.__doc__ or "").strip().partition("\n")[0]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Measurement:
    """What a metric found in one record; `note` says why where there is no value."""

    metric: Metric
    value: float | None  # of a distribution, the mean; of planning times, the median
    samples: FloatArray | None = None  # the distribution itself
    note: str = ""


def metric(
    *,
    unit: str,
    better: str,
    formula: str = "",
    source: str = "",
    original: str = "",
    variant: str = Variant.DEFINITION,
    population: str = Population.DRIVEN,
    per_minute: bool = False,
    pooled: bool = False,
    group: str = Group.OTHER,
    share: bool = False,
) -> Callable[[Function], Metric]:
    """Make a function of a Record a Metric; `better` is 'higher', 'lower' or 'neither'.

    The last five say how planners are compared by it: see `Metric`.
    """

    def decorated(function: Function) -> Metric:
        return Metric(
            name=function.__name__,
            unit=unit,
            better=Better(better),
            function=function,
            formula=formula,
            source=source,
            original=original,
            variant=Variant(variant),
            population=Population(population),
            per_minute=per_minute,
            pooled=pooled,
            group=Group(group),
            share=share,
        )

    return decorated


def measured(each: Metric, record: Record) -> Measurement:
    """The metric's value for a record, or why there is none; never a made-up number."""
    try:
        value = each(record)
    except NotAvailable as reason:
        return Measurement(metric=each, value=None, note=f"not available: {reason}")
    except Exception as error:
        raise PaseoError(
            f"metric '{each.name}' raised {error_words(error)}; "
            "paseo.checks.check_metric helps to find out why"
        ) from error
    if not _is_value(value):
        raise PaseoError(
            f"metric '{each.name}' returned {value!r:.60}, expected a number, an array of one "
            "dimension, or None"
        )
    if isinstance(value, np.ndarray):
        samples = value[~np.isnan(value)]  # NaN is absent
        if len(samples):
            return Measurement(metric=each, value=float(np.mean(samples)), samples=samples)
        return Measurement(metric=each, value=None, samples=samples, note=EMPTY)
    if value is None or np.isnan(value):
        return Measurement(metric=each, value=None, note=EMPTY)
    return Measurement(metric=each, value=float(value))


def _is_value(value: object) -> bool:
    if isinstance(value, np.ndarray):
        return value.ndim == 1 and np.issubdtype(value.dtype, np.number)
    return value is None or isinstance(value, bool | int | float | np.number | np.bool_)


EMPTY = "not available: undefined for this record"
