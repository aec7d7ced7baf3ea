"""Planners side by side: the paper's populations, and intervals over every episode."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from paseo.metrics.comparison.priorities import Ranked
from paseo.metrics.comparison.reactivity import Rank, reactivity_ranks
from paseo.metrics.comparison.rows import Cell, Row, RowSummary
from paseo.metrics.comparison.statistics import (
    DRAWS,
    Difference,
    Resamples,
    estimate,
    holm,
    paired_difference,
    resamples,
    restricted_times,
)
from paseo.metrics.record.measure import with_planning_time
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


class Caution(StrEnum):
    """What makes rows hard to compare: in what they differ."""

    RULES = "presence rules"
    ROBOTS = "robots"
    CONTROLS = "control modes"
    SETTINGS = "settings"
    MACHINES = "machines"
    EPISODES = "episodes"


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
    window: str
    verdict: Verdict
    completed: bool
    time_s: float
    time_limit_s: float
    values: Mapping[str, float | None]
    moments: Mapping[str, PooledSums]
    machine: str
    record: Path = Path()  # its file
    samples: Mapping[str, FloatArray] = field(default_factory=dict, compare=False)  # if asked for


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedRows:
    """Two rows and one metric; p is corrected for all pairs and metrics looked at."""

    metric: str
    a: Row
    b: Row
    difference: Difference
    p: float | None

    @property
    def beyond_chance(self) -> bool:
        """Whether the difference would be a rare accident, at 5 %."""
        return self.p is not None and self.p < 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Everything `paseo compare` has to say."""

    metrics: tuple[Metric, ...]  # in the order in which they are shown
    summaries: tuple[RowSummary, ...]
    pairs: tuple[PairedRows, ...]
    episodes: int
    completed_by_all: int
    windows: int
    draws: int
    warnings: tuple[Caution, ...]
    ranks: tuple[Rank, ...] = ()  # at each reactivity, where there are several
    ranking: tuple[Ranked, ...] = ()  # by a user's priorities, best first

    def rows(self) -> list[dict[str, Any]]:
        """Every mean with its interval, a dict each, as `pandas.DataFrame` takes them.

        `row` is the number of a summary: planners may be in several.
        """
        return [
            {
                "row": number,
                "planner": each.row.planner,
                "control": each.row.control.value,
                "reactivity": each.row.reactivity,
                "metric": metric.name,
                "unit": compared_unit(metric),
                "mean": each.estimates[metric.name].mean,
                "low": each.estimates[metric.name].low,
                "high": each.estimates[metric.name].high,
                "episodes": each.estimates[metric.name].episodes,
            }
            for number, each in enumerate(self.summaries)
            for metric in self.metrics
        ]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Sample:
    """Rows that ran the same episodes, or some of them, and how these are drawn again."""

    metrics: Sequence[Metric]
    episodes: Mapping[Row, Sequence[MeasuredEpisode]]
    windows: Mapping[str, str]  # of each episode
    tables: Mapping[Row, Mapping[str, FloatArray]]  # metric: (episodes, seeds)
    drawn: Mapping[Row, Resamples]

    def summaries(self) -> list[RowSummary]:
        """Every row, the paper's cells over the episodes that all of them completed."""
        finished = self.finished()
        return [
            RowSummary(
                row=row,
                episodes=len(episodes),
                seeds=len({each.seed for each in episodes}),
                verdicts=_counted([each.verdict for each in episodes]),
                cells={
                    metric.name: _cell(metric, episodes, finished)
                    for metric in self.metrics
                    if metric is not TIME_TO_GOAL
                },
                estimates={
                    name: estimate(values, self.drawn[row])
                    for name, values in self.tables[row].items()
                },
            )
            for row, episodes in self.episodes.items()
        ]

    def finished(self) -> set[str]:
        """Episodes that every row ran and completed, with every seed."""
        ran = [{each.episode for each in episodes} for episodes in self.episodes.values()]
        incomplete = {
            each.episode
            for episodes in self.episodes.values()
            for each in episodes
            if not each.completed
        }
        return set.intersection(*ran) - incomplete if ran else set()


def compare(
    measured: Sequence[MeasuredEpisode],
    metrics: Sequence[Metric],
    rng: np.random.Generator,
    *,
    draws: int = DRAWS,
) -> Comparison:
    """Rows in order of appearance, over all episodes that any of them ran.

    A reference ran episodes of its own: it is summed up alone, and changes nothing for others.
    """
    among = [each for each in measured if not each.row.is_reference]
    apart = list(dict.fromkeys(each.row for each in measured if each.row.is_reference))
    shown_metrics = (*with_planning_time(metrics), TIME_TO_GOAL)
    planners = _sample(among, shown_metrics, rng, draws)
    references = [
        _sample([each for each in measured if each.row == row], shown_metrics, rng, draws)
        for row in apart
    ]
    shown = [planners] if among else references
    windows = {name: window for each in shown for name, window in each.windows.items()}
    return Comparison(
        metrics=shown_metrics,
        summaries=tuple(row for each in (planners, *references) for row in each.summaries()),
        pairs=tuple(_pairs(planners)),
        episodes=len(windows),
        completed_by_all=len(planners.finished()),
        windows=len(set(windows.values())),
        draws=draws,
        warnings=tuple(_cautions(among, planners.episodes)),
        ranks=reactivity_ranks(planners.tables, planners.drawn),
    )


def compared_unit(metric: Metric) -> str:
    """The unit in which planners are compared."""
    return f"{metric.unit}/min" if metric.per_minute else metric.unit


def _sample(
    measured: Sequence[MeasuredEpisode],
    metrics: Sequence[Metric],
    rng: np.random.Generator,
    draws: int,
) -> _Sample:
    rows = list(dict.fromkeys(each.row for each in measured))
    windows = {each.episode: each.window for each in measured}
    grouped = {row: [each for each in measured if each.row == row] for row in rows}
    seeds = {row: sorted({each.seed for each in grouped[row]}) for row in rows}
    counts = [len(seeds[row]) for row in rows]
    drawn = resamples(list(windows.values()), counts, rng, draws) if rows else []
    return _Sample(
        metrics=metrics,
        episodes=grouped,
        windows=windows,
        tables={
            row: {
                metric.name: _values(grouped[row], list(windows), seeds[row], metric)
                for metric in metrics
            }
            for row in rows
        },
        drawn=dict(zip(rows, drawn, strict=True)),
    )


def _values(
    episodes: Sequence[MeasuredEpisode], names: Sequence[str], seeds: Sequence[int], metric: Metric
) -> FloatArray:
    """One metric of one row, (episodes, seeds); NaN where there is no value."""
    table = np.full((len(names), len(seeds)), np.nan)
    place = {name: k for k, name in enumerate(names)}
    for each in episodes:
        value = _value(each, metric)
        if value is not None:
            table[place[each.episode], seeds.index(each.seed)] = value
    return table


def _value(each: MeasuredEpisode, metric: Metric) -> float | None:
    """What one episode adds to a comparison; None where it says nothing about the planner."""
    if metric is TIME_TO_GOAL:
        times = restricted_times(
            np.array([each.time_s]), np.array([each.completed]), np.array([each.time_limit_s])
        )
        return float(times[0])
    value = _finite(each.values[metric.name])
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


def _finite(value: float | None) -> float | None:
    """None for infinities, which the published time to collision has and no mean can hold."""
    return value if value is not None and math.isfinite(value) else None


def _counted(verdicts: Sequence[Verdict]) -> dict[Verdict, int]:
    return {verdict: verdicts.count(verdict) for verdict in Verdict}


def _cell(metric: Metric, episodes: Sequence[MeasuredEpisode], finished: set[str]) -> Cell:
    """The paper's population: all, the incomplete ones, or those that all planners completed."""
    if metric.population is Population.EVERY:
        chosen = list(episodes)
    elif metric.population is Population.INCOMPLETE:
        chosen = [each for each in episodes if not each.completed]
    else:
        chosen = [each for each in episodes if each.episode in finished]
    if chosen and metric.name in chosen[0].moments:
        return _pooled([each.moments[metric.name] for each in chosen])
    values = [_finite(each.values[metric.name]) for each in chosen]
    known = np.array([value for value in values if value is not None], float)
    if not len(known):
        return Cell(None, None, 0, "episodes")
    return Cell(float(known.mean()), float(known.std()), len(known), "episodes")


def _pooled(parts: Sequence[PooledSums]) -> Cell:
    count = sum(part.count for part in parts)
    if count == 0:
        return Cell(None, None, 0, "steps")
    mean = sum(part.total for part in parts) / count
    variance = sum(part.squares for part in parts) / count - mean**2
    return Cell(mean, max(variance, 0.0) ** 0.5, count, "steps")


def _pairs(planners: _Sample) -> list[PairedRows]:
    """Every metric of every two rows that are compared; p allows for having looked at all."""
    tables, drawn = planners.tables, planners.drawn
    found = [
        (name, a, b, paired_difference(tables[a][name], drawn[a], tables[b][name], drawn[b]))
        for name in (metric.name for metric in planners.metrics)
        for a, b in combinations(tables, 2)
        if _is_compared(a, b)
    ]
    adjusted = iter(holm([each.p for *_, each in found if each.p is not None]))
    return [
        PairedRows(
            metric=name,
            a=a,
            b=b,
            difference=each,
            p=None if each.p is None else next(adjusted),
        )
        for name, a, b, each in found
    ]


def _is_compared(a: Row, b: Row) -> bool:
    """Planners at the same reactivity, or the same planner at another.

    Another planner among people who answer otherwise tells nothing about either, and each such
    pair would make it harder to tell the others apart.
    """
    return a.reactivity == b.reactivity or a.planner == b.planner


def _cautions(
    measured: Sequence[MeasuredEpisode], grouped: Mapping[Row, Sequence[MeasuredEpisode]]
) -> list[Caution]:
    """In what rows differ that should be alike."""
    kinds: dict[Caution, set[Any]] = {
        Caution.RULES: {row.rule for row in grouped},
        Caution.ROBOTS: {row.robot for row in grouped},
        Caution.CONTROLS: {row.control for row in grouped},
        Caution.SETTINGS: {row.settings for row in grouped},
        Caution.MACHINES: {each.machine for each in measured if each.machine},
        Caution.EPISODES: {
            frozenset(each.episode for each in episodes) for episodes in grouped.values()
        },
    }
    return [caution for caution, found in kinds.items() if len(found) > 1]
