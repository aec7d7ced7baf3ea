"""Closed testing: against listing every way in which planners can be alike, and by simulation."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest

from paseo.metrics.comparison import closure
from paseo.metrics.comparison.closure import closed_p, holm_p
from paseo.metrics.comparison.exchanges import exchange_p
from paseo.metrics.comparison.sign_flips import holm, sign_flip_p
from paseo.world.arrays import FloatArray


def corrected(values: FloatArray, pairs: list[tuple[int, int]] | None = None) -> FloatArray:
    every = list(combinations(range(len(values)), 2)) if pairs is None else pairs
    return closed_p(values, np.arange(values.shape[1]), every, np.random.default_rng(0))


def partitions(planners: list[int]) -> Iterator[list[frozenset[int]]]:
    """Every way to put planners into groups of those that are alike."""
    if not planners:
        yield []
        return
    first, *rest = planners
    for others in partitions(rest):
        yield [frozenset([first]), *others]
        for k, group in enumerate(others):
            yield [*others[:k], group | {first}, *others[k + 1 :]]


def test_a_pair_must_be_refuted_in_every_way_in_which_it_could_be_alike() -> None:
    rng = np.random.default_rng(1)
    pairs = list(combinations(range(5), 2))
    groups = closure._groups(5, pairs)
    chances = {group: rng.random(2) for group in groups}
    found = closure._worst(pairs, chances, 5)
    for k, pair in enumerate(pairs):
        worst = np.zeros(2)
        for way in partitions(list(range(5))):
            alike = [group for group in way if len(group) > 1]
            if any(group.issuperset(pair) for group in alike):
                p = len(alike) * np.min([chances[group] for group in alike], axis=0)
                worst = np.maximum(worst, np.minimum(p, 1.0))
        assert found[k] == pytest.approx(worst)


def test_two_planners_have_the_exact_p() -> None:
    values = np.random.default_rng(2).normal(size=(2, 12, 3))
    expected = [sign_flip_p(each) for each in (values[0] - values[1]).T]
    assert corrected(values)[0] == pytest.approx(expected)


def test_groups_are_those_that_asked_pairs_hold_together() -> None:
    star = closure._groups(4, [(1, 0), (2, 0), (3, 0)])
    assert len(star) == 7  # the baseline with any others
    assert all(0 in group for group in star)
    assert len(closure._groups(4, list(combinations(range(4), 2)))) == 11
    assert len(closure._groups(4, [(0, 1), (2, 3)])) == 2


def test_dealing_out_anew_is_fishers_test_for_two() -> None:
    values = np.random.default_rng(3).normal(0.4, 1.0, size=(12, 2, 1))
    values[:, 1] -= 0.8
    drawn = exchange_p(values, np.array([[0, 1]]), 19_999, 5)
    exact = sign_flip_p(values[:, 0, 0] - values[:, 1, 0])
    assert drawn[0] == pytest.approx(exact, abs=0.01)


def test_planners_that_are_the_same_cannot_be_told_apart() -> None:
    assert (corrected(np.ones((4, 10, 1))) == 1.0).all()


def test_what_is_unknown_has_no_p_and_spoils_nothing_else() -> None:
    values = np.random.default_rng(4).normal(size=(3, 12, 1))
    values[0] += 5
    values[2, 1:] = np.nan  # shares one cluster only with the others
    found = corrected(values)[:, 0]
    assert found[0] < 0.05
    assert np.isnan(found[1:]).all()


def test_more_than_ten_planners_are_corrected_by_holm() -> None:
    values = np.random.default_rng(5).normal(size=(11, 12, 1))
    pairs = list(combinations(range(11), 2))
    clusters, rng = np.arange(12), np.random.default_rng(0)
    found = closed_p(values, clusters, pairs, rng)
    alone = [sign_flip_p(values[a, :, 0] - values[b, :, 0]) for a, b in pairs]
    assert found[:, 0] == pytest.approx(holm(alone))
    assert (holm_p(values, clusters, pairs, rng) == found).all()


def test_a_pair_of_equals_beside_a_better_planner_is_seldom_told_apart() -> None:
    # Strong control: one planner that differs must not open the door for the others.
    rng = np.random.default_rng(6)
    alarms = 0
    for _ in range(150):
        values = rng.normal(size=(4, 12, 1)) + rng.normal(size=(1, 12, 1))
        values[0] += 4.0
        alarms += bool((corrected(values)[3:] < 0.05).any())
    assert alarms / 150 < 0.1


def test_the_same_generator_gives_the_same_p() -> None:
    values = np.random.default_rng(7).normal(size=(4, 12, 2))
    assert (corrected(values) == corrected(values)).all()
