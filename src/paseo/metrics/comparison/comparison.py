"""Planners side by side: the paper's populations, and intervals over every episode."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

import numpy as np

from paseo.metrics.comparison.reactivity import Rank, dial_ranks
from paseo.metrics.comparison.rows import Row
from paseo.metrics.comparison.statistics import (
    DRAWS,
    Difference,
    Estimate,
    Resamples,
    estimate,
    holm,
    paired_difference,
    resamples,
    restricted_times,
)
from paseo.world.arrays import FloatArray
from paseo.world.records import Verdict

TIME_TO_GOAL = "time_to_goal"
# What says something only about a robot that arrived; elsewhere every episode counts.
ONLY_COMPLETED = frozenset(
    ("path_length", "path_length_ratio", "path_traversal_time", "energy", "heading_change")
)
# What adds up while an episode lasts is compared per minute: ending early is no merit.
PER_MINUTE = frozenset(
    (
        "person_collisions", "intimate_time", "personal_time", "social_time", "group_intrusion",
        "stalled_time",
    )
)  # fmt: skip
# What a planner that failed has, too: it did not succeed.
WITH_FAILURES = frozenset(("success", "spl", "success_weighted_by_time"))


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


@dataclass(frozen=True, slots=True)
class Cell:
    """A mean and standard deviation (of the population), and over how many what."""

    mean: float | None
    deviation: float | None
    count: int
    over: str  # "episodes" or "steps"


@dataclass(frozen=True, slots=True, kw_only=True)
class RowSummary:
    """One planner: counts over all episodes, the paper's cells, and intervals."""

    row: Row
    episodes: int
    seeds: int
    verdicts: Mapping[Verdict, int]
    cells: Mapping[str, Cell]
    estimates: Mapping[str, Estimate]


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

    summaries: tuple[RowSummary, ...]
    pairs: tuple[PairedRows, ...]
    episodes: int
    completed_by_all: int
    windows: int
    draws: int
    warnings: tuple[str, ...]
    ranks: tuple[Rank, ...] = ()  # along the dial, where it was turned


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Sample:
    """Rows that ran the same episodes, or some of them, and how these are drawn again."""

    episodes: Mapping[Row, Sequence[MeasuredEpisode]]
    windows: Mapping[str, str]  # of each episode
    tables: Mapping[Row, Mapping[str, FloatArray]]  # metric: (episodes, seeds)
    drawn: Mapping[Row, Resamples]

    def summaries(self) -> list[RowSummary]:
        """Every row, the paper's cells over the episodes that all of them completed."""
        finished = self.finished()
        return [
            _summary(row, episodes, finished, self.tables[row], self.drawn[row])
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
    measured: Sequence[MeasuredEpisode], rng: np.random.Generator, *, draws: int = DRAWS
) -> Comparison:
    """Rows in order of appearance, over all episodes that any of them ran.

    A reference ran episodes of its own: it is summed up alone, and changes nothing for others.
    """
    among = [each for each in measured if not each.row.is_reference]
    apart = list(dict.fromkeys(each.row for each in measured if each.row.is_reference))
    planners = _sample(among, rng, draws)
    references = [_sample([e for e in measured if e.row == row], rng, draws) for row in apart]
    shown = [planners] if among else references
    windows = {name: window for each in shown for name, window in each.windows.items()}
    metrics = [*measured[0].values, TIME_TO_GOAL]
    return Comparison(
        summaries=tuple(row for each in (planners, *references) for row in each.summaries()),
        pairs=tuple(_pairs(metrics, planners.tables, planners.drawn)),
        episodes=len(windows),
        completed_by_all=len(planners.finished()),
        windows=len(set(windows.values())),
        draws=draws,
        warnings=tuple(_warnings(among, planners.episodes)),
        ranks=dial_ranks(planners.tables, planners.drawn),
    )


def _sample(measured: Sequence[MeasuredEpisode], rng: np.random.Generator, draws: int) -> _Sample:
    rows = list(dict.fromkeys(each.row for each in measured))
    windows = {each.episode: each.window for each in measured}
    grouped = {row: [each for each in measured if each.row == row] for row in rows}
    seeds = {row: sorted({each.seed for each in grouped[row]}) for row in rows}
    counts = [len(seeds[row]) for row in rows]
    drawn = resamples(list(windows.values()), counts, rng, draws) if rows else []
    return _Sample(
        episodes=grouped,
        windows=windows,
        tables={
            row: {
                name: _values(grouped[row], list(windows), seeds[row], name)
                for name in (*measured[0].values, TIME_TO_GOAL)
            }
            for row in rows
        },
        drawn=dict(zip(rows, drawn, strict=True)),
    )


def _values(
    episodes: Sequence[MeasuredEpisode], names: Sequence[str], seeds: Sequence[int], metric: str
) -> FloatArray:
    """One metric of one row, (episodes, seeds); NaN where there is no value."""
    table = np.full((len(names), len(seeds)), np.nan)
    place = {name: k for k, name in enumerate(names)}
    for each in episodes:
        value = _value(each, metric)
        if value is not None:
            table[place[each.episode], seeds.index(each.seed)] = value
    return table


def _value(each: MeasuredEpisode, metric: str) -> float | None:
    if metric == TIME_TO_GOAL:
        times = restricted_times(
            np.array([each.time_s]), np.array([each.completed]), np.array([each.time_limit_s])
        )
        return float(times[0])
    if metric in ONLY_COMPLETED and not each.completed:
        return None
    value = _finite(each.values[metric])
    if metric in WITH_FAILURES or value is None:
        return value
    if each.verdict is Verdict.PLANNER_FAILED:
        return None  # who fails early has no merit for what did not happen then
    if metric in PER_MINUTE:
        return value / (each.time_s / 60) if each.time_s > 0 else None
    return value


def _finite(value: float | None) -> float | None:
    """None for infinities, which the published time to collision has and no mean can hold."""
    return value if value is not None and math.isfinite(value) else None


def _summary(
    row: Row,
    episodes: Sequence[MeasuredEpisode],
    finished: set[str],
    tables: Mapping[str, FloatArray],
    drawn: Resamples,
) -> RowSummary:
    verdicts = [each.verdict for each in episodes]
    return RowSummary(
        row=row,
        episodes=len(episodes),
        seeds=len({each.seed for each in episodes}),
        verdicts={verdict: verdicts.count(verdict) for verdict in Verdict},
        cells={name: _cell(name, episodes, finished) for name in episodes[0].values},
        estimates={name: estimate(values, drawn) for name, values in tables.items()},
    )


def _cell(metric: str, episodes: Sequence[MeasuredEpisode], finished: set[str]) -> Cell:
    """The paper's population: all, the incomplete ones, or those that all planners completed."""
    if metric == "goal_traversal_ratio":
        chosen = [each for each in episodes if not each.completed]
    elif metric == "success":
        chosen = list(episodes)
    else:
        chosen = [each for each in episodes if each.episode in finished]
    if chosen and metric in chosen[0].moments:
        return _pooled([each.moments[metric] for each in chosen])
    values = [_finite(each.values[metric]) for each in chosen]
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


def _pairs(
    metrics: Sequence[str],
    tables: Mapping[Row, Mapping[str, FloatArray]],
    drawn: Mapping[Row, Resamples],
) -> list[PairedRows]:
    """Every metric of every two rows that are compared; p allows for having looked at all."""
    found = [
        (name, a, b, paired_difference(tables[a][name], drawn[a], tables[b][name], drawn[b]))
        for name in metrics
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
    """Planners at the same stop of the dial, or stops of the same planner.

    Another planner among people who answer otherwise tells nothing about either, and each such
    pair would make it harder to tell the others apart.
    """
    return a.reactivity == b.reactivity or a.planner == b.planner


def _warnings(
    measured: Sequence[MeasuredEpisode], grouped: Mapping[Row, Sequence[MeasuredEpisode]]
) -> list[str]:
    """What makes rows not comparable, in words."""
    differing: dict[str, Callable[[Row], str]] = {
        "presence rules": lambda row: row.rule or "none",
        "robots": lambda row: row.robot,
        "control modes": lambda row: row.control,
        "settings": lambda row: row.settings or "the usual",
    }
    found = []
    for what, read in differing.items():
        kinds = sorted({read(row) for row in grouped})
        if len(kinds) > 1:
            found.append(f"rows differ in their {what} ({', '.join(kinds)})")
    if len({each.machine for each in measured if each.machine}) > 1:
        found.append("planning times come from different machines and cannot be compared")
    ran = [frozenset(each.episode for each in episodes) for episodes in grouped.values()]
    if len(set(ran)) > 1:
        found.append("rows ran different episodes; differences use those that both ran")
    return found
