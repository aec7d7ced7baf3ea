"""What a comparison is asked: which rows, metrics and episodes, and what is claimed beforehand."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from itertools import combinations

from paseo.errors import BadValue, UnknownName
from paseo.metrics.comparison.families import PRIMARY
from paseo.metrics.comparison.measured import TIME_TO_GOAL, MeasuredEpisode
from paseo.metrics.comparison.rows import Row, named
from paseo.metrics.comparison.sweeps.dials import Dial, comparable
from paseo.metrics.record.measure import with_planning_time
from paseo.metrics.record.metric import Metric


class By(StrEnum):
    """What episodes can be parted by."""

    MAP = "map"
    FLOW = "flow"
    DENSITY = "density"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The question; whatever is left out means everything that was run.

    Nothing that was not asked about has a part in the answer. Planners are named with their
    parameters, or without for all of that name; episodes may be patterns such as `univ_*`.
    """

    planners: tuple[str, ...] = ()
    without: tuple[str, ...] = ()  # planners
    metrics: tuple[str, ...] = ()  # besides the primary ones
    episodes: tuple[str, ...] = ()
    primary: tuple[str, ...] = PRIMARY  # what is claimed, declared before looking
    baseline: str | None = None  # each planner against this one; None: all pairs
    by: By | None = None  # also for each kind of episode apart


EVERYTHING = Asked()


def asked_episodes(measured: Sequence[MeasuredEpisode], asked: Asked) -> list[MeasuredEpisode]:
    """What is asked about; names that are nowhere are refused."""
    rows = list(dict.fromkeys(each.row for each in measured))
    names = list(dict.fromkeys(each.episode for each in measured))
    baseline = (asked.baseline,) if asked.baseline else ()
    wanted = [row for row in rows if named(row, (*asked.planners, *baseline))]
    for name in (*asked.planners, *asked.without, *baseline):
        if not any(named(row, (name,)) for row in rows):
            raise UnknownName("planner", name, [row.planner for row in rows])
    for pattern in asked.episodes:
        if not any(fnmatchcase(name, pattern) for name in names):
            raise UnknownName("episode", pattern, names)
    chosen = {row for row in (wanted if asked.planners else rows) if not named(row, asked.without)}
    return [
        each for each in measured if each.row in chosen and _matches(each.episode, asked.episodes)
    ]


def asked_metrics(metrics: Iterable[Metric], asked: Asked) -> tuple[Metric, ...]:
    """The metrics that are compared, in the order in which they are shown."""
    every = (*with_planning_time(metrics), TIME_TO_GOAL)
    names = [each.name for each in every]
    for name in (*asked.metrics, *asked.primary):
        if name not in names:
            raise UnknownName("metric", name, names)
    if not asked.primary:
        raise BadValue("primary is empty, expected a metric at least", parameters=("primary",))
    chosen = {*asked.metrics, *asked.primary} if asked.metrics else set(names)
    return tuple(each for each in every if each.name in chosen)


def asked_pairs(rows: Iterable[Row], asked: Asked) -> list[tuple[Row, Row]]:
    """Two rows each that are compared; the baseline is the second."""
    every = list(rows)
    shortest = min(Dial.LATENCY.stops(every), default=None)
    pairs = [(a, b) for a, b in combinations(every, 2) if comparable(a, b, shortest)]
    if asked.baseline is None:
        return pairs
    base = (asked.baseline,)
    turned = [(b, a) if named(a, base) and not named(b, base) else (a, b) for a, b in pairs]
    return [(a, b) for a, b in turned if named(b, base) and not named(a, base)]


def _matches(name: str, patterns: Sequence[str]) -> bool:
    return not patterns or any(fnmatchcase(name, pattern) for pattern in patterns)
