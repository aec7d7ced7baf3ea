"""Estimates and differences: against published tables, closed forms and simulation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paseo.metrics.comparison.statistics import (
    Estimate,
    cluster_sums,
    episode_means,
    estimate,
    paired_difference,
    restricted_times,
    student_t,
)
from paseo.world.arrays import FloatArray, IntArray

NAN = np.nan


def named(letters: str) -> IntArray:
    """Clusters of episodes that are named by a letter each."""
    return np.array([ord(letter) for letter in letters])


def column(*values: float) -> FloatArray:
    return np.array(values, float)[:, None]


def width(found: Estimate) -> float:
    assert found.low is not None
    assert found.high is not None
    return found.high - found.low


def covers(found: Estimate, truth: float) -> bool:
    return found.low is not None and found.high is not None and found.low <= truth <= found.high


def test_the_mean_is_over_episodes_of_the_mean_over_seeds() -> None:
    values = np.array([[1.0, 3.0], [5.0, NAN], [NAN, NAN]])
    assert episode_means(values).tolist() == pytest.approx([2.0, 5.0, NAN], nan_ok=True)
    found = estimate(values, named("abc"))
    assert (found.mean, found.episodes) == (3.5, 2)


def test_three_clusters_of_many_equal_episodes_are_as_uncertain_as_three_episodes() -> None:
    many = estimate(
        column(*[0.0] * 50, *[1.0] * 50, *[0.5] * 50), named("a" * 50 + "b" * 50 + "c" * 50)
    )
    few = estimate(column(0.0, 1.0, 0.5), named("abc"))
    assert (many.mean, many.low, many.high) == pytest.approx((few.mean, few.low, few.high))
    assert width(many) > 1.0
    assert estimate(column(0.0, 1.0), named("ab")) == Estimate(0.5, None, None, 2)
    alone = estimate(column(*[0.0] * 50, *[1.0] * 50), np.arange(100))
    assert width(alone) < 0.25


def test_symmetric_clusters_of_one_have_the_interval_of_the_textbook() -> None:
    values = column(-3, -2, -1, 0, 1, 2, 3)
    found = estimate(values, np.arange(7))
    reach = 2.4469 * np.std(values, ddof=1) / np.sqrt(7)
    assert (found.low, found.high) == pytest.approx((-reach, reach), rel=1e-3)


def test_a_long_tail_moves_the_interval_towards_it() -> None:
    found = estimate(column(*np.random.default_rng(1).exponential(1.0, 30)), np.arange(30))
    assert found.mean is not None and found.low is not None and found.high is not None
    assert found.high - found.mean > 1.2 * (found.mean - found.low)


@pytest.mark.parametrize("rate", [0.0, 0.03, 0.5, 0.97, 1.0])
def test_the_interval_of_a_share_stays_within_0_and_1(rate: float) -> None:
    successes = round(33 * rate)
    values = column(*[1.0] * successes, *[0.0] * (33 - successes))
    found = estimate(values, np.arange(33), share=True)
    assert found.low is not None and found.high is not None
    assert 0.0 <= found.low <= successes / 33 <= found.high <= 1.0
    assert width(found) > 0.08  # 33 of 33 are no certainty


def test_independent_shares_have_wilsons_interval() -> None:
    # 81 of 263: 0.2553 to 0.3662 (Newcombe 1998, Statistics in Medicine 17, 857, table I), with
    # the normal's quantile where Student's t has 262 degrees of freedom.
    found = estimate(column(*[1.0] * 81, *[0.0] * 182), np.arange(263), share=True)
    assert (found.low, found.high) == pytest.approx((0.2553, 0.3662), abs=0.001)


def test_the_difference_of_paired_shares_is_newcombes() -> None:
    # Newcombe 1998, Statistics in Medicine 17, 2635, table II, data set (a): 36, 12, 2, 0 of 50;
    # method 10 without continuity correction gives 0.0569 to 0.3404.
    a = column(*[1.0] * 36, *[1.0] * 12, *[0.0] * 2)
    b = column(*[1.0] * 36, *[0.0] * 12, *[1.0] * 2)
    found = paired_difference(a, b, np.arange(50), share=True).estimate
    assert found.mean == pytest.approx(0.2)
    assert (found.low, found.high) == pytest.approx((0.0569, 0.3404), abs=0.012)
    opposite = paired_difference(np.ones((12, 1)), np.zeros((12, 1)), np.arange(12), share=True)
    assert opposite.estimate.low is not None
    assert 0.5 < opposite.estimate.low < opposite.estimate.high == 1.0


def test_episodes_without_a_value_are_left_out_not_counted_as_zero() -> None:
    found = estimate(column(4.0, NAN, 4.0, NAN), named("abcd"))
    assert found == Estimate(4.0, None, None, 2)  # all agree: nothing is known of the spread


def test_nothing_known_gives_no_numbers() -> None:
    assert estimate(column(NAN, NAN), named("ab")) == Estimate(None, None, None, 0)
    nothing = paired_difference(column(1.0, NAN), column(NAN, 1.0), named("ab"))
    assert nothing.estimate == Estimate(None, None, None, 0)
    assert nothing.error is None


def test_one_cluster_has_a_mean_but_no_interval() -> None:
    # Whoever films one crowd knows nothing about other crowds, however many episodes there are.
    found = estimate(column(1.0, 2.0, 3.0, NAN), named("aaab"))
    assert found == Estimate(2.0, None, None, 3)
    difference = paired_difference(column(2, 3, 4, NAN), column(1, 1, 1, 1), named("aaab"))
    assert difference.estimate == Estimate(2.0, None, None, 3)


def clustered(rng: np.random.Generator, windows: int, each: int) -> FloatArray:
    """Values of mean 0 whose clusters differ much and whose episodes within them little."""
    shared = np.repeat(rng.normal(0, 1, windows), each)
    return (shared + rng.normal(0, 0.3, windows * each))[:, None]


def test_the_interval_covers_the_truth_where_leaving_out_episodes_would_not() -> None:
    rng = np.random.default_rng(42)
    drawn = [clustered(rng, 30, 4) for _ in range(300)]
    by_cluster = [estimate(values, np.repeat(np.arange(30), 4)) for values in drawn]
    by_episode = [estimate(values, np.arange(120)) for values in drawn]
    assert 0.92 <= np.mean([covers(found, 0.0) for found in by_cluster]) <= 0.98
    assert np.mean([covers(found, 0.0) for found in by_episode]) < 0.75


def test_paired_differences_are_over_common_episodes_only() -> None:
    a, b = column(3.0, 5.0, 100.0, NAN), column(1.0, 2.0, NAN, -100.0)
    found = paired_difference(a, b, named("abcd"))
    assert (found.estimate.mean, found.estimate.episodes) == (2.5, 2)


def test_pairing_removes_what_both_planners_share() -> None:
    rng = np.random.default_rng(0)
    crowd = rng.normal(0, 10, (30, 1))
    a, b = crowd + 1.0 + rng.normal(0, 0.5, (30, 1)), crowd + rng.normal(0, 0.5, (30, 1))
    found = paired_difference(a, b, np.arange(30))
    assert width(found.estimate) < 0.1 * width(estimate(a, np.arange(30)))


def test_seeds_without_a_value_do_not_unpair_an_episode() -> None:
    # Episodes differ much, planners by exactly 1; one seed of the first fails everywhere.
    base = np.array([[0.0], [100.0], [200.0], [300.0]])
    a, b = np.hstack([base + 1.0, np.full((4, 1), NAN)]), base
    found = paired_difference(a, b, named("abcd"))
    assert found.estimate == Estimate(1.0, None, None, 4)  # no spread at all


def test_rounding_is_no_difference() -> None:
    a = column(*np.linspace(1, 2, 8))
    assert paired_difference(a + 1e-12, a, np.arange(8)).estimate.mean == 0.0


def test_students_t_is_that_of_the_tables() -> None:
    for freedom, quantile in ((1, 12.706), (4, 2.776), (9, 2.262), (14, 2.145), (60, 2.000)):
        assert student_t(freedom) == pytest.approx(quantile, rel=1e-3)
    for freedom, quantile in ((1, 318.31), (2, 22.327), (5, 5.8934), (10, 4.1437), (30, 3.3852)):
        assert student_t(freedom, 0.001) == pytest.approx(quantile, rel=1e-3)


def test_order_only_turns_the_sign() -> None:
    values, other = column(*range(8)), column(*np.random.default_rng(2).normal(3, 2, 8))
    one, back = (paired_difference(*pair, np.arange(8)) for pair in
                 ((values, other), (other, values)))  # fmt: skip
    assert one.estimate.mean == pytest.approx(-back.estimate.mean)
    assert one.estimate.low == pytest.approx(-back.estimate.high)
    assert one.error == pytest.approx(back.error)


def test_sums_are_over_the_clusters_that_are_there() -> None:
    assert cluster_sums(np.array([1.0, 2.0, 4.0]), np.array([7, 3, 7])).tolist() == [2.0, 5.0]


def test_the_restricted_time_of_whoever_never_arrives_is_the_whole_limit() -> None:
    times, arrived = np.array([10.0, 20.0, 5.0, 60.0]), np.array([1, 1, 0, 0])
    found = restricted_times(times, arrived, np.full(4, 60.0))
    assert found.tolist() == [10, 20, 60, 60]


def survival_area(times: FloatArray, arrived: FloatArray, limit: float) -> float:
    """Area under the Kaplan-Meier curve of not having arrived, failures censored at the limit."""
    at_risk, alive, area, last = len(times), 1.0, 0.0, 0.0
    for time in np.sort(times[arrived]):
        area += alive * (time - last)
        alive *= 1 - 1 / at_risk
        at_risk, last = at_risk - 1, time
    return area + alive * (limit - last)


@given(st.integers(0, 2**32 - 1), st.integers(1, 30))
def test_the_restricted_mean_is_the_area_under_the_curve_of_those_still_away(
    seed: int, count: int
) -> None:
    rng = np.random.default_rng(seed)
    times, arrived = rng.uniform(0, 60, count), rng.random(count) < 0.7
    mean = restricted_times(times, arrived, np.full(count, 60.0)).mean()
    assert mean == pytest.approx(survival_area(times, arrived, 60.0))
