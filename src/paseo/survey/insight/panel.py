"""A rated study as arrays: who gave which clip what, and what was measured of it."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from paseo.metrics.comparison.clusters import Stretch, clusters
from paseo.metrics.comparison.measured import TIME_TO_GOAL
from paseo.metrics.record.catalog import METRICS
from paseo.metrics.record.measure import PLANNING_TIMES
from paseo.metrics.record.metric import Better
from paseo.survey.insight.rated import Clip, RatedStudy
from paseo.world.arrays import FloatArray, IntArray

BEYOND = 1e12  # stands for infinite values: beyond all others, and like each other
DIRECTIONS = {each.name: each.better for each in (*METRICS, *PLANNING_TIMES, TIME_TO_GOAL)}


@dataclass(frozen=True, kw_only=True, eq=False)
class Panel:
    """What people gave and what was measured, by numbers; clips are episodes times planners."""

    aspects: tuple[str, ...]
    raters: tuple[str, ...]
    episodes: tuple[str, ...]
    planners: tuple[str, ...]
    metrics: tuple[str, ...]
    ratings: FloatArray  # (aspects, raters, clips), of clips seen for the first time; NaN: none
    measured: FloatArray  # (metrics, clips), as the metric has it; NaN: undefined
    signs: FloatArray  # (metrics,), -1 where lower is better
    clusters: IntArray  # (episodes,), of those whose crowd windows overlap

    @property
    def oriented(self) -> FloatArray:
        """What was measured so that more is better, (metrics, clips); of what is neither, as is."""
        turned: FloatArray = self.measured * self.signs[:, None]
        return turned

    @property
    def episode_of(self) -> IntArray:
        """The episode of each clip."""
        return np.repeat(np.arange(len(self.episodes)), len(self.planners))

    @property
    def planner_of(self) -> IntArray:
        """The planner of each clip."""
        return np.tile(np.arange(len(self.planners)), len(self.episodes))

    def clip(self, clip: Clip) -> int:
        """The number of a clip."""
        place = self.episodes.index(clip.episode) * len(self.planners)
        return place + self.planners.index(clip.planner)


def direction(metric: str) -> Better:
    """Which way of a metric is good; of one that does not come with Paseo, neither."""
    return DIRECTIONS.get(metric, Better.NEITHER)


def all_aspects(study: RatedStudy) -> tuple[str, ...]:
    """Those that clips are rated by, then those that are only chosen by, such as overall."""
    return tuple(dict.fromkeys([*study.aspects, *(each.aspect for each in study.preferences)]))


def panel_of(study: RatedStudy) -> Panel:
    """The study by numbers; names are in the order of the alphabet, metrics in the catalog's."""
    clips = {each.clip for each in study.ratings}
    clips |= {Clip(each.episode, who) for each in study.preferences for who in each.planners}
    episodes = sorted({each.episode for each in clips})
    planners = sorted({each.planner for each in clips})
    raters = {each.rater for each in study.ratings} | {each.rater for each in study.preferences}
    metrics = _ordered({name for clip in clips for name in study.measured.get(clip, ())})
    return Panel(
        aspects=all_aspects(study),
        raters=tuple(sorted(raters)),
        episodes=tuple(episodes),
        planners=tuple(planners),
        metrics=tuple(metrics),
        ratings=_ratings(study, sorted(raters), episodes, planners),
        measured=_measured(study, metrics, episodes, planners),
        signs=np.array([-1.0 if direction(each) is Better.LOWER else 1.0 for each in metrics]),
        clusters=_clusters(study, episodes),
    )


def _ordered(names: set[str]) -> list[str]:
    shipped = list(DIRECTIONS)
    return sorted(names, key=lambda name: (name not in DIRECTIONS, *_place(name, shipped)))


def _place(name: str, shipped: Sequence[str]) -> tuple[int, str]:
    return (shipped.index(name), "") if name in DIRECTIONS else (0, name)


def _ratings(
    study: RatedStudy, raters: Iterable[str], episodes: Iterable[str], planners: Iterable[str]
) -> FloatArray:
    aspect, rater = _numbers(all_aspects(study)), _numbers(raters)
    episode, planner = _numbers(episodes), _numbers(planners)
    shape = (len(aspect), len(rater), len(episode), len(planner))
    found = np.full(shape, np.nan)
    for each in study.ratings:
        if not each.again and each.aspect in aspect:
            place = (rater[each.rater], episode[each.clip.episode], planner[each.clip.planner])
            found[(aspect[each.aspect], *place)] = each.value
    return found.reshape(*shape[:2], shape[2] * shape[3])


def _measured(
    study: RatedStudy, metrics: Sequence[str], episodes: Sequence[str], planners: Sequence[str]
) -> FloatArray:
    rows = [
        [study.measured.get(Clip(e, p), {}).get(name, math.nan) for e in episodes for p in planners]
        for name in metrics
    ]
    values = np.array(rows, np.float64).reshape(len(metrics), len(episodes) * len(planners))
    bounded: FloatArray = np.clip(values, -BEYOND, BEYOND)
    return bounded


def _clusters(study: RatedStudy, episodes: Sequence[str]) -> IntArray:
    alone = {each: (Stretch(f"episode {each}", 0.0, math.inf),) for each in episodes}
    return clusters([study.windows.get(each, alone[each]) for each in episodes])


def _numbers(names: Iterable[str]) -> dict[str, int]:
    return {name: number for number, name in enumerate(names)}
