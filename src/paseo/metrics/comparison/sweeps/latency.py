"""How slow a planner may be: the latency at which it stops beating a simple one.

Where the truth is ahead below some latency and not ahead from there on, each end of the interval
is missed no more often than that of the difference there, which needs no model of the curve. What
is shown is tested in order, from the shortest latency up and from the longest down, each test only
if all before it succeeded: a wrong claim needs a false alarm in the first test that could give
one, so that the number of latencies costs nothing (fixed sequences: Maurer, Hothorn and Lehmacher
1995).
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from paseo.metrics.comparison.closure import paired_p
from paseo.metrics.comparison.families import ALPHA
from paseo.metrics.comparison.rows import Row, named
from paseo.metrics.comparison.statistics import Difference, episode_means, paired_difference
from paseo.metrics.comparison.sweeps.dials import Dial
from paseo.metrics.record.metric import Better, Metric
from paseo.world.arrays import FloatArray, IntArray

SIMPLE = ("dwa", "straight")  # what a planner that thinks longer must beat

Tables = Mapping[Row, Mapping[str, FloatArray]]


class Opponent(StrEnum):
    """Which latency the simple planner has."""

    SHORTEST = "at its shortest latency"  # what is simple needs no time: the claim
    SAME = "at the same latency"  # who suffers less from thinking as long: exploratory


@dataclass(frozen=True, slots=True, kw_only=True)
class Lead:
    """How far a planner is ahead of a simple one, with one latency; what is better is positive."""

    row: Row
    simple: Row
    latency_s: float
    difference: Difference
    p: float | None  # of this test alone


@dataclass(frozen=True, slots=True, kw_only=True)
class Endurance:
    """How slow a planner may be and still beat a simple one; infinite: beyond what was tried.

    A planner that is not ahead at the shortest latency stops there.
    """

    metric: str
    row: Row  # of whatever latency
    simple: Row
    opponent: Opponent
    leads: tuple[Lead, ...]  # by latency, ascending
    stops_s: float  # where the lead, straight between latencies, first is none
    low_s: float | None  # 95 % interval; None: too little is known
    high_s: float | None
    level: float  # below which p counts: 5 % shared by all that is claimed
    ahead_up_to_s: float | None = None  # shown, in order from the shortest latency
    behind_from_s: float | None = None  # shown, in order from the longest


def endurances(
    tables: Tables, clusters: IntArray, metric: Metric, simple: Sequence[str] = SIMPLE
) -> tuple[Endurance, ...]:
    """Of every planner that was run at several latencies against each simple one that was, too.

    `tables` hold the values of metrics by row, (episodes, seeds).
    """
    lines = Dial.LATENCY.lines(row for row in tables if not row.is_reference)
    several = {shared: line for shared, line in lines.items() if len(line) > 1}
    if metric.better is Better.NEITHER:
        return ()
    found = []
    for opponent in Opponent:
        family = [
            _endurance(tables, clusters, metric, opponent, (several[row], several[other]))
            for row in several
            for other in several
            if _is_opponent(row, other, simple)
        ]
        told = [each for each in family if each is not None]
        found += [_shown(each, ALPHA / len(told)) for each in told]
    return tuple(found)


def _is_opponent(row: Row, other: Row, simple: Sequence[str]) -> bool:
    """Whether another planner is a simple one, and was run by the same clock and among the same."""
    alike = all(
        getattr(row, key) == getattr(other, key) for key in ("clock", "reactivity", "sight")
    )
    return alike and named(other, simple) and row.planner != other.planner


def _endurance(
    tables: Tables,
    clusters: IntArray,
    metric: Metric,
    opponent: Opponent,
    lines: tuple[Mapping[float, Row], Mapping[float, Row]],
) -> Endurance | None:
    mine, other = lines
    shortest = other[min(other)]
    against = dict.fromkeys(mine, shortest) if opponent is Opponent.SHORTEST else other
    leads = [
        _lead(tables, clusters, metric, mine[latency], against[latency])
        for latency in mine
        if latency in against
    ]
    known = tuple(each for each in leads if each.difference.estimate.mean is not None)
    if len(known) < 2:
        return None
    stops, low, high = crossing(known)
    return Endurance(
        metric=metric.name,
        row=Dial.LATENCY.unset(known[0].row),
        simple=Dial.LATENCY.unset(shortest),
        opponent=opponent,
        leads=known,
        stops_s=stops,
        low_s=low,
        high_s=high,
        level=ALPHA,
    )


def _lead(tables: Tables, clusters: IntArray, metric: Metric, row: Row, simple: Row) -> Lead:
    both = (tables[row][metric.name], tables[simple][metric.name])
    better, worse = both if metric.better is Better.HIGHER else both[::-1]
    p = paired_p(episode_means(better), episode_means(worse), clusters)
    return Lead(
        row=row,
        simple=simple,
        latency_s=row.latency_s or 0.0,
        difference=paired_difference(better, worse, clusters, share=metric.share),
        p=None if math.isnan(p) else p,
    )


def crossing(leads: Sequence[Lead]) -> tuple[float, float | None, float | None]:
    """Where a lead ends, and its interval: where those of the leads no longer exclude an end."""
    latencies = [each.latency_s for each in leads]
    means = [each.difference.estimate.mean or 0.0 for each in leads]
    stops = _first_end(latencies, means)
    if any(each.difference.error is None for each in leads):
        return stops, None, None
    ends = [each.difference.estimate for each in leads]
    # Where all clusters agree there is no interval, and nothing to be unsure of.
    lows = [mean if end.low is None else end.low for mean, end in zip(means, ends, strict=True)]
    highs = [mean if end.high is None else end.high for mean, end in zip(means, ends, strict=True)]
    return stops, _first_end(latencies, lows), _last_chance(latencies, highs)


def _first_end(latencies: Sequence[float], values: Sequence[float]) -> float:
    """Where values, straight between latencies, first are not above 0."""
    if values[0] <= 0:
        return latencies[0]
    for k in range(1, len(values)):
        if values[k] <= 0:
            share = values[k - 1] / (values[k - 1] - values[k])
            return latencies[k - 1] + share * (latencies[k] - latencies[k - 1])
    return math.inf


def _last_chance(latencies: Sequence[float], values: Sequence[float]) -> float:
    """Where values, straight between latencies, last are not below 0."""
    if values[-1] >= 0:
        return math.inf
    for k in range(len(values) - 1, 0, -1):
        if values[k - 1] >= 0:
            share = values[k - 1] / (values[k - 1] - values[k])
            return latencies[k - 1] + share * (latencies[k] - latencies[k - 1])
    return latencies[0]


def _shown(found: Endurance, level: float) -> Endurance:
    """With what is shown where p counts below this level."""
    return replace(
        found,
        level=level,
        ahead_up_to_s=_last_in_order(found.leads, 1, level),
        behind_from_s=_last_in_order(reversed(found.leads), -1, level),
    )


def _last_in_order(leads: Iterable[Lead], sign: int, level: float) -> float | None:
    """The latency of the last lead of this sign that all before it lead up to."""
    last = None
    for each in leads:
        mean = each.difference.estimate.mean or 0.0
        if each.p is None or each.p >= level or sign * mean <= 0:
            break
        last = each.latency_s
    return last
