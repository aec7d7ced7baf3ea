"""Kendall's tau-b of metrics with people, within episodes and over all."""

import math

import numpy as np
import pytest

from paseo.survey.insight.levels import clip_means, level_ratings
from paseo.survey.insight.panel import Panel
from paseo.survey.insight.rank_correlation import (
    pairs_over_all,
    pairs_within,
    ranks,
    taus,
    without_planners,
)
from paseo.world.arrays import FloatArray

NAN = math.nan


def panel(episodes: int, planners: int, clusters: list[int] | None = None) -> Panel:
    return Panel(
        aspects=("comfort",),
        raters=("r",),
        episodes=tuple(f"e{k}" for k in range(episodes)),
        planners=tuple(f"p{k}" for k in range(planners)),
        metrics=("m",),
        ratings=np.full((1, 1, episodes * planners), NAN),
        measured=np.full((1, episodes * planners), NAN),
        signs=np.ones(1),
        clusters=np.array(clusters or range(episodes), np.int64),
    )


def tau(people: list[float], metric: list[float], house: Panel, episodes: FloatArray) -> float:
    pairs = pairs_within(house)
    found = taus(np.array([people]), np.array([metric]), pairs, pairs.weights(episodes[None]))
    return float(found[0, 0])


def test_tau_b_is_that_of_scipys_documentation() -> None:
    house = panel(1, 5)
    found = tau([12, 2, 1, 12, 2], [1, 4, 7, 1, 0], house, np.ones(1))
    assert found == pytest.approx(-0.47140452079103173)


def test_hard_episodes_make_no_correlation_within_them() -> None:
    people, metric = [1.0, 2.0, 6.0, 7.0], [2.0, 1.0, 9.0, 8.0]
    assert tau(people, metric, panel(2, 2), np.ones(2)) == -1
    pairs = pairs_over_all(panel(2, 2), np.random.default_rng(0))
    over_all = taus(np.array([people]), np.array([metric]), pairs, np.ones((1, 6)))
    assert over_all[0, 0] == pytest.approx(2 / 6)


def test_drawing_an_episode_twice_is_to_have_it_twice() -> None:
    people, metric = [1.0, 2.0, 3.0, 1.0, 2.0, 5.0], [1.0, 2.0, 0.0, 3.0, 1.0, 2.0]
    drawn = tau(people, metric, panel(2, 3), np.array([2.0, 1.0]))
    there = tau(people[:3] + people, metric[:3] + metric, panel(3, 3), np.ones(3))
    assert drawn == pytest.approx(there)


def test_a_clip_without_a_value_is_held_against_none() -> None:
    house = panel(1, 4)
    with_gap = tau([1, 2, 3, 4], [1, 2, NAN, 3], house, np.ones(1))
    assert with_gap == 1
    assert math.isnan(tau([1, 2, 3, 4], [5, 5, 5, NAN], house, np.ones(1)))


def test_raters_levels_do_not_change_what_clips_deserve() -> None:
    deserved = np.array([1.0, 2.0, 4.0, 3.0])
    levels = np.array([-1.0, 0.0, 2.0])
    ratings = deserved + levels[:, None]
    ratings[0, :2] = ratings[2, 2:] = NAN  # the strict one saw the good clips
    means = clip_means(level_ratings(ratings), np.ones((1, 3)))[0]
    assert means - means.mean() == pytest.approx(deserved - deserved.mean(), abs=1e-6)


def test_where_all_rate_all_raters_are_centred() -> None:
    ratings = np.array([[1.0, 2.0, 6.0], [3.0, 3.0, 3.0]])
    found = level_ratings(ratings)
    assert found.mean(axis=1) == pytest.approx(ratings.mean())


def test_planners_means_can_be_taken_out() -> None:
    house = panel(2, 2)
    left = without_planners(np.array([[1.0, 10.0, 3.0, NAN]]), house)
    assert left[0, :3] == pytest.approx([-1, 0, 1])


def test_ties_share_their_rank() -> None:
    assert ranks(np.array([[3.0, 1.0, 3.0, NAN]]))[0, :3] == pytest.approx([2.5, 1, 2.5])
