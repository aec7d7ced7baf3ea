"""Planners side by side: the paper's populations, and intervals over every episode."""

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from paseo.metrics.comparison.asking import (
    EVERYTHING,
    Asked,
    asked_episodes,
    asked_metrics,
    asked_pairs,
)
from paseo.metrics.comparison.cautions import Caution, cautions
from paseo.metrics.comparison.cells import paper_cell
from paseo.metrics.comparison.clusters import Window, clusters
from paseo.metrics.comparison.families import (
    ALPHA,
    Family,
    Reach,
    exploratory_p,
    primary_p,
)
from paseo.metrics.comparison.measured import (
    TIME_TO_GOAL,
    MeasuredEpisode,
    compared_value,
)
from paseo.metrics.comparison.power import Detectable, detectable
from paseo.metrics.comparison.priorities import Ranked
from paseo.metrics.comparison.rows import Row, RowSummary
from paseo.metrics.comparison.statistics import (
    Difference,
    Estimate,
    episode_means,
    estimate,
    paired_difference,
)
from paseo.metrics.comparison.sweeps.latency import SIMPLE, Endurance, endurances
from paseo.metrics.comparison.sweeps.reactivity import DRAWS, Rank, reactivity_ranks
from paseo.metrics.record.metric import Metric
from paseo.world.arrays import FloatArray, IntArray
from paseo.world.records import Verdict

FEW_COMPLETED = 0.25  # of the episodes: fewer make the paper's tables say little


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedRows:
    """Two rows and one metric; p is corrected within its family."""

    metric: str
    family: Family
    a: Row
    b: Row
    difference: Difference
    p: float | None

    @property
    def beyond_chance(self) -> bool:
        """Whether the difference would be a rare accident, at 5 %."""
        return self.p is not None and self.p < ALPHA


@dataclass(frozen=True, slots=True)
class Emptied:
    """Rows that leave the paper's tables nearly empty, and how many episodes they have without."""

    rows: tuple[Row, ...]
    completed_without: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Everything `paseo compare` has to say."""

    asked: Asked
    metrics: tuple[Metric, ...]  # in the order in which they are shown
    summaries: tuple[RowSummary, ...]
    pairs: tuple[PairedRows, ...]
    episodes: int
    completed_by_all: int
    emptied: Emptied | None
    windows: int
    clusters: int  # of windows that share film
    reach: Reach
    detectable: Mapping[str, Detectable]  # primary metrics, where it can be told
    draws: int
    warnings: tuple[Caution, ...]
    loads: tuple[str, ...] = ()  # under which planning was timed, in words
    ranks: tuple[Rank, ...] = ()  # at each reactivity, where there are several
    endurances: tuple[Endurance, ...] = ()  # where there are several latencies
    ranking: tuple[Ranked, ...] = ()  # by a user's priorities, best first
    parts: tuple[tuple[str, "Comparison"], ...] = ()  # each kind of episode apart, by its name

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
                "latency_s": each.row.latency_s,
                "sensing": None if each.row.sight is None else each.row.sight.label,
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
    """Rows that ran the same episodes, or some of them, and which of these belong together."""

    metrics: Sequence[Metric]
    episodes: Mapping[Row, Sequence[MeasuredEpisode]]
    windows: int
    clusters: IntArray  # of each episode
    tables: Mapping[Row, Mapping[str, FloatArray]]  # metric: (episodes, seeds)

    def summaries(self) -> list[RowSummary]:
        """Every row, the paper's cells over the episodes that all of them completed."""
        finished = self.finished(self.episodes)
        return [
            RowSummary(
                row=row,
                episodes=len(episodes),
                seeds=len({each.seed for each in episodes}),
                verdicts=_counted([each.verdict for each in episodes]),
                cells={
                    metric.name: paper_cell(metric, episodes, finished)
                    for metric in self.metrics
                    if metric is not TIME_TO_GOAL
                },
                estimates={metric.name: self._estimate(row, metric) for metric in self.metrics},
            )
            for row, episodes in self.episodes.items()
        ]

    def _estimate(self, row: Row, metric: Metric) -> Estimate:
        limits = [each.time_limit_s for each in self.episodes[row]]
        return estimate(
            self.tables[row][metric.name],
            self.clusters,
            share=metric.share,
            most=max(limits) if metric is TIME_TO_GOAL else math.inf,
        )

    def finished(self, rows: Collection[Row]) -> set[str]:
        """Episodes that every one of the rows ran and completed, with every seed."""
        ran = [{each.episode for each in self.episodes[row]} for row in rows]
        incomplete = {
            each.episode for row in rows for each in self.episodes[row] if not each.completed
        }
        return set.intersection(*ran) - incomplete if ran else set()

    def emptied(self) -> Emptied | None:
        """Who leaves fewer than a quarter of the episodes completed by all, if others would not."""
        total, all_of_them = len(self.clusters), len(self.finished(self.episodes))
        completed = {
            row: sum(each.completed for each in episodes) / len(episodes)
            for row, episodes in self.episodes.items()
        }
        kept = sorted(completed, key=lambda row: -completed[row])
        while len(kept) > 1 and len(self.finished(kept)) < FEW_COMPLETED * total:
            kept.pop()
        dropped = tuple(row for row in self.episodes if row not in kept)
        left = len(self.finished(kept))
        return Emptied(dropped, left) if dropped and left > all_of_them else None

    def pairs(self, asked: Asked, rng: np.random.Generator) -> list[PairedRows]:
        """Every metric of every two rows that are compared; p is corrected within its family."""
        chosen = asked_pairs(self.tables, asked)
        primary = [each for each in self.metrics if each.name in asked.primary]
        others = [each for each in self.metrics if each.name not in asked.primary]
        corrected = {
            **self._corrected(primary, chosen, partial(primary_p, rng=rng)),
            **self._corrected(others, chosen, partial(exploratory_p, rng=rng)),
        }
        return [
            PairedRows(
                metric=metric.name,
                family=Family.PRIMARY if metric in primary else Family.EXPLORATORY,
                a=a,
                b=b,
                difference=self._difference(metric, a, b),
                p=corrected[metric.name][k],
            )
            for metric in self.metrics
            for k, (a, b) in enumerate(chosen)
        ]

    def endurances(self, asked: Asked) -> tuple[Endurance, ...]:
        """How slow planners may be, judged by the first primary metric."""
        claimed = next(each for each in self.metrics if each.name == asked.primary[0])
        simple = (asked.baseline,) if asked.baseline else SIMPLE
        return endurances(self.tables, self.clusters, claimed, simple)

    def _difference(self, metric: Metric, a: Row, b: Row) -> Difference:
        one, other = (self.tables[row][metric.name] for row in (a, b))
        return paired_difference(one, other, self.clusters, share=metric.share)

    def _corrected(
        self,
        metrics: Sequence[Metric],
        pairs: Sequence[tuple[Row, Row]],
        correct: Callable[[FloatArray, IntArray, list[tuple[int, int]]], FloatArray],
    ) -> dict[str, list[float | None]]:
        """Corrected p of each metric, pair by pair; None where there is none."""
        if not (metrics and pairs):
            return {each.name: [] for each in metrics}
        rows = list(dict.fromkeys(row for pair in pairs for row in pair))
        means = [[episode_means(self.tables[row][m.name]) for m in metrics] for row in rows]
        values = np.array(means).transpose(0, 2, 1)  # (rows, episodes, metrics)
        found = correct(values, self.clusters, [(rows.index(a), rows.index(b)) for a, b in pairs])
        return {
            each.name: [None if np.isnan(p) else float(p) for p in found[:, k]]
            for k, each in enumerate(metrics)
        }


def compare(
    measured: Sequence[MeasuredEpisode],
    metrics: Sequence[Metric],
    rng: np.random.Generator,
    *,
    asked: Asked = EVERYTHING,
    draws: int = DRAWS,
) -> Comparison:
    """Rows in order of appearance, over all episodes that any of them ran.

    A reference ran episodes of its own: it is summed up alone, and changes nothing for others.
    `rng` deals planners out anew to test groups of them, and draws the intervals of ranks.
    """
    chosen = asked_episodes(measured, asked)
    shown_metrics = asked_metrics(metrics, asked)
    among = [each for each in chosen if not each.row.is_reference]
    apart = list(dict.fromkeys(each.row for each in chosen if each.row.is_reference))
    planners = _sample(among, shown_metrics)
    references = [
        _sample([each for each in chosen if each.row == row], shown_metrics) for row in apart
    ]
    shown = [planners] if among else references
    pairs = planners.pairs(asked, rng)
    return Comparison(
        asked=asked,
        metrics=shown_metrics,
        summaries=tuple(row for each in (planners, *references) for row in each.summaries()),
        pairs=tuple(pairs),
        episodes=sum(len(each.clusters) for each in shown),
        completed_by_all=len(planners.finished(planners.episodes)),
        emptied=planners.emptied(),
        windows=sum(each.windows for each in shown),
        clusters=sum(map(_count, shown)),
        reach=(reach := _reach(pairs, _count(planners))),
        detectable=_detectable(pairs, reach),
        draws=draws,
        warnings=tuple(cautions(among, planners.episodes)),
        loads=tuple(sorted({each.load for each in measured} - {""})),
        ranks=reactivity_ranks(planners.tables, planners.clusters, rng, draws),
        endurances=planners.endurances(asked),
        parts=tuple(_parts(chosen, metrics, rng, asked, draws)),
    )


def _parts(
    measured: Sequence[MeasuredEpisode],
    metrics: Sequence[Metric],
    rng: np.random.Generator,
    asked: Asked,
    draws: int,
) -> Iterator[tuple[str, Comparison]]:
    """Each kind of episode apart, if that is asked for."""
    if asked.by is None:
        return
    whole = replace(asked, by=None, planners=(), without=(), episodes=())  # as chosen already
    kinds = {each.episode: getattr(each, asked.by) for each in measured}
    for kind in sorted(set(kinds.values())):
        within = [each for each in measured if kinds[each.episode] == kind]
        yield kind, compare(within, metrics, rng, asked=whole, draws=draws)


def _count(sample: _Sample) -> int:
    return len(np.unique(sample.clusters))


def _reach(pairs: Sequence[PairedRows], clusters: int) -> Reach:
    claimed = [pair for pair in pairs if pair.family is Family.PRIMARY]
    both = dict.fromkeys((pair.a, pair.b) for pair in claimed)
    taken: set[Row] = set()
    disjoint = 0
    for pair in both:
        if taken.isdisjoint(pair):
            taken.update(pair)
            disjoint += 1
    return Reach(
        clusters=clusters,
        planners=len({row for pair in both for row in pair}),
        pairs=len(both),
        disjoint=disjoint,
        metrics=len({pair.metric for pair in claimed}),
    )


def _detectable(pairs: Sequence[PairedRows], reach: Reach) -> dict[str, Detectable]:
    """Of every primary metric, from the standard errors of the pairs that were compared."""
    errors: dict[str, list[float]] = {}
    for pair in pairs:
        if pair.family is Family.PRIMARY and pair.difference.error is not None:
            errors.setdefault(pair.metric, []).append(pair.difference.error)
    found = {
        name: detectable(each, reach.clusters, reach.pairs * reach.metrics)
        for name, each in errors.items()
    }
    return {name: each for name, each in found.items() if each is not None}


def compared_unit(metric: Metric) -> str:
    """The unit in which planners are compared."""
    return f"{metric.unit}/min" if metric.per_minute else metric.unit


def _sample(measured: Sequence[MeasuredEpisode], metrics: Sequence[Metric]) -> _Sample:
    rows = list(dict.fromkeys(each.row for each in measured))
    windows = {each.episode: each.window for each in measured}
    grouped = {row: [each for each in measured if each.row == row] for row in rows}
    seeds = {row: sorted({each.seed for each in grouped[row]}) for row in rows}
    return _Sample(
        metrics=metrics,
        episodes=grouped,
        windows=len({_place(window) for window in windows.values()}),
        clusters=clusters(list(windows.values())),
        tables={
            row: {
                metric.name: _values(grouped[row], list(windows), seeds[row], metric)
                for metric in metrics
            }
            for row in rows
        },
    )


def _place(window: Window) -> tuple[tuple[str, float], ...]:
    return tuple((each.recording, each.begin_s) for each in window)


def _values(
    episodes: Sequence[MeasuredEpisode], names: Sequence[str], seeds: Sequence[int], metric: Metric
) -> FloatArray:
    """One metric of one row, (episodes, seeds); NaN where there is no value."""
    table = np.full((len(names), len(seeds)), np.nan)
    place = {name: k for k, name in enumerate(names)}
    for each in episodes:
        value = compared_value(each, metric)
        if value is not None:
            table[place[each.episode], seeds.index(each.seed)] = value
    return table


def _counted(verdicts: Sequence[Verdict]) -> dict[Verdict, int]:
    return {verdict: verdicts.count(verdict) for verdict in Verdict}
