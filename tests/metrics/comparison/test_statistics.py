import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paseo.metrics.comparison.sign_flips import sign_flip_p
from paseo.metrics.comparison.statistics import (
    Estimate,
    Resamples,
    cluster_sums,
    drawn_means,
    episode_means,
    estimate,
    holm,
    paired_difference,
    resamples,
    restricted_times,
    student_t,
)
from paseo.world.arrays import FloatArray

NAN = np.nan


def drawn(windows: str, *, seeds: int = 1, draws: int = 2000, seed: int = 0) -> Resamples:
    """Draws for episodes that belong to windows named by one letter each."""
    (found,) = resamples(list(windows), [seeds], np.random.default_rng(seed), draws)
    return found


def column(*values: float) -> FloatArray:
    return np.array(values, float)[:, None]


def width(found: Estimate) -> float:
    assert found.low is not None
    assert found.high is not None
    return found.high - found.low


def test_the_mean_is_over_episodes_of_the_mean_over_seeds() -> None:
    values = np.array([[1.0, 3.0], [5.0, NAN], [NAN, NAN]])
    assert episode_means(values).tolist() == pytest.approx([2.0, 5.0, NAN], nan_ok=True)
    found = estimate(values, drawn("abc", seeds=2))
    assert (found.mean, found.episodes) == (3.5, 2)


def test_three_windows_of_many_equal_episodes_are_as_uncertain_as_three_episodes() -> None:
    many = estimate(
        column(*[0.0] * 50, *[1.0] * 50, *[0.5] * 50), drawn("a" * 50 + "b" * 50 + "c" * 50)
    )
    few = estimate(column(0.0, 1.0, 0.5), drawn("abc"))
    assert (many.mean, many.low, many.high) == (few.mean, few.low, few.high)
    assert width(many) > 1.0
    assert estimate(column(0.0, 1.0), drawn("ab")) == Estimate(0.5, None, None, 2)
    each = [f"{k}" for k in range(100)]
    (alone,) = resamples(each, [1], np.random.default_rng(0))
    assert width(estimate(column(*[0.0] * 50, *[1.0] * 50), alone)) < 0.25


def test_every_draw_has_as_many_windows_as_there_are_and_whole_ones() -> None:
    draws = drawn("aabccc", draws=300)
    assert (draws.windows[:, 0] == draws.windows[:, 1]).all()
    assert (draws.windows[:, 3] == draws.windows[:, 5]).all()
    assert (draws.windows[:, [0, 2, 3]].sum(axis=1) == 3).all()
    assert draws.windows[:, 0].mean() == pytest.approx(1.0, abs=0.2)


def test_windows_are_shared_by_all_planners_and_seeds_are_each_ones_own() -> None:
    first, second = resamples(list("abcd"), [3, 3], np.random.default_rng(1))
    assert (first.windows == second.windows).all()
    assert (first.seeds != second.seeds).any()
    np.testing.assert_allclose(first.seeds.sum(axis=2), 1.0)


def test_seeds_are_drawn_again_within_episodes() -> None:
    # All episodes have the same mean, so that only seeds vary: sd 1 of 4 seeds in 9 episodes.
    values = np.tile([-1.0, 1.0, -1.0, 1.0], (9, 1))
    means = drawn_means(values, drawn("abcdefghi", seeds=4, draws=20000))
    # Each drawn window comes with one draw of its episode's seeds, however often it is drawn:
    # E sum of w^2 = 9 (2 - 1/9) for multinomial weights of 9 over 9.
    expected = np.sqrt(9 * (2 - 1 / 9) * (1 / 4)) / 9
    assert means.std() == pytest.approx(expected, rel=0.03)
    assert drawn_means(values[:, :1], drawn("abcdefghi")).std() == 0.0


def test_draws_are_the_same_for_the_same_generator() -> None:
    values = np.random.default_rng(5).normal(size=(6, 3))
    again = [estimate(values, drawn("aabbcd", seeds=3, seed=7)) for _ in range(2)]
    assert again[0] == again[1]
    assert again[0] != estimate(values, drawn("aabbcd", seeds=3, seed=8))


def test_episodes_without_a_value_are_left_out_not_counted_as_zero() -> None:
    values = column(4.0, NAN, 4.0, NAN)
    found = estimate(values, drawn("abcd"))
    assert found == Estimate(4.0, None, None, 2)  # all agree: nothing is known of the spread


def test_nothing_known_gives_no_numbers() -> None:
    assert estimate(column(NAN, NAN), drawn("ab")) == Estimate(None, None, None, 0)
    nothing = paired_difference(column(1.0, NAN), drawn("ab"), column(NAN, 1.0), drawn("ab"))
    assert nothing.estimate == Estimate(None, None, None, 0)
    assert nothing.p is None


def test_one_window_has_a_mean_but_no_interval_and_no_p() -> None:
    # Whoever films one crowd knows nothing about other crowds, however many episodes there are.
    draws = drawn("aaab")
    found = estimate(column(1.0, 2.0, 3.0, NAN), draws)
    assert found == Estimate(2.0, None, None, 3)
    difference = paired_difference(column(2, 3, 4, NAN), draws, column(1, 1, 1, 1), draws)
    assert difference.estimate == Estimate(2.0, None, None, 3)
    assert difference.p is None


def clustered(rng: np.random.Generator, windows: int, each: int) -> FloatArray:
    """Values of mean 0 whose windows differ much and whose episodes within them little."""
    shared = np.repeat(rng.normal(0, 1, windows), each)
    return (shared + rng.normal(0, 0.3, windows * each))[:, None]


def test_the_interval_covers_the_truth_where_drawing_episodes_would_not() -> None:
    rng = np.random.default_rng(42)
    names = [f"{k:02d}" for k in range(30) for _ in range(4)]
    covered = naive = 0
    for _ in range(200):
        values = clustered(rng, 30, 4)
        (by_window,) = resamples(names, [1], rng, 400)
        (by_episode,) = resamples([f"{k:03d}" for k in range(120)], [1], rng, 400)
        for draws in (by_window, by_episode):
            found = estimate(values, draws)
            inside = found.low is not None and found.high is not None
            inside = inside and found.low <= 0 <= found.high
            covered += inside and draws is by_window
            naive += inside and draws is by_episode
    assert 0.85 <= covered / 200 <= 0.99
    assert naive / 200 < 0.75


def test_paired_differences_are_over_common_episodes_only() -> None:
    a, b = column(3.0, 5.0, 100.0, NAN), column(1.0, 2.0, NAN, -100.0)
    draws = drawn("abcd")
    found = paired_difference(a, draws, b, draws)
    assert (found.estimate.mean, found.estimate.episodes) == (2.5, 2)
    assert found.p == 0.5  # two windows agree by chance every other time


def test_pairing_removes_what_both_planners_share() -> None:
    rng = np.random.default_rng(0)
    crowd = rng.normal(0, 10, (30, 1))
    a, b = crowd + 1.0 + rng.normal(0, 0.5, (30, 1)), crowd + rng.normal(0, 0.5, (30, 1))
    one, two = resamples([f"{k}" for k in range(30)], [1, 1], rng)
    found = paired_difference(a, one, b, two)
    assert width(found.estimate) < 0.1 * width(estimate(a, one))
    assert found.p is not None
    assert found.p < 0.01


def test_seeds_without_a_value_do_not_unpair_an_episode() -> None:
    # Episodes differ much, planners by exactly 1; one seed of the first fails everywhere.
    base = np.array([[0.0], [100.0], [200.0], [300.0]])
    a, b = np.hstack([base + 1.0, np.full((4, 1), NAN)]), base
    one, two = resamples(list("abcd"), [2, 1], np.random.default_rng(0))
    found = paired_difference(a, one, b, two)
    assert found.estimate == Estimate(1.0, None, None, 4)  # no spread at all
    assert found.p == 2 / 2**4


def test_windows_in_which_both_do_the_same_say_nothing() -> None:
    # An exact sign test over the windows that differ: 2 / 2 ** wins.
    names = "abcdefghijklmno"
    for wins in (1, 3, 5):
        a = column(*[1.0] * wins, *[0.0] * (15 - wins))
        found = paired_difference(a, drawn(names), column(*[0.0] * 15), drawn(names))
        assert found.p == 2 / 2**wins


def test_rounding_is_no_difference() -> None:
    names = "abcdefgh"
    a = column(*np.linspace(1, 2, 8))
    found = paired_difference(a + 1e-12, drawn(names), a, drawn(names))
    assert (found.estimate.mean, found.p) == (0.0, 1.0)


def test_a_true_null_is_called_beyond_chance_about_as_often_as_it_says() -> None:
    rng = np.random.default_rng(5)
    windows = np.repeat(np.arange(15), [1, 2, 3, 2, 1, 4, 2, 2, 3, 1, 2, 3, 2, 4, 1])
    p = []
    for _ in range(400):
        shared = rng.normal(size=15)[windows]
        p.append(sign_flip_p(cluster_sums(shared + rng.normal(size=len(windows)), windows)))
    assert 0.02 < np.mean(np.array(p) < 0.05) < 0.08


def test_students_t_is_that_of_the_tables() -> None:
    for freedom, quantile in ((1, 12.706), (4, 2.776), (9, 2.262), (14, 2.145), (60, 2.000)):
        assert student_t(freedom) == pytest.approx(quantile, rel=1e-3)


def test_no_difference_is_no_surprise_and_order_only_turns_the_sign() -> None:
    draws = drawn("abcdefgh")
    values = column(*range(8))
    assert paired_difference(values, draws, values, draws).p == 1.0
    other = column(*np.random.default_rng(2).normal(3, 2, 8))
    one, back = (paired_difference(*pair) for pair in (
        (values, draws, other, draws), (other, draws, values, draws)
    ))  # fmt: skip
    assert one.p == back.p
    assert one.estimate.mean == pytest.approx(-back.estimate.mean)
    assert one.estimate.low == pytest.approx(-back.estimate.high)


@pytest.mark.parametrize(("windows", "p"), [(2, 0.5), (5, 1 / 16), (6, 1 / 32)])
def test_few_windows_that_agree_are_no_less_likely_than_so_many_equal_signs(
    windows: int, p: float
) -> None:
    # As in a sign test: n of n the same way have p = 2 / 2^n, however many episodes they hold.
    draws = drawn("".join("abcdef"[k] * 10 for k in range(windows)))
    ones, zeros = np.ones((10 * windows, 1)), np.zeros((10 * windows, 1))
    assert paired_difference(ones, draws, zeros, draws).p == p


def test_p_is_uniform_enough_where_there_is_no_difference() -> None:
    rng = np.random.default_rng(9)
    names = [f"{k:02d}" for k in range(30) for _ in range(2)]
    surprises = 0
    for _ in range(200):
        one, two = resamples(names, [1, 1], rng, 400)
        found = paired_difference(clustered(rng, 30, 2), one, clustered(rng, 30, 2), two)
        surprises += found.p is not None and found.p < 0.05
    assert surprises / 200 < 0.12


def test_holm_by_hand() -> None:
    # In order 0.005 x 4, 0.01 x 3, 0.03 x 2, and 0.04 x 1, which may not fall below 0.06; at
    # 0.05 the first and the fourth are rejected, as in the usual textbook example.
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([0.2]) == [0.2]
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_never_lowers_a_p_keeps_their_order_and_stays_below_bonferroni(
    p_values: list[float],
) -> None:
    adjusted = holm(p_values)
    for raw, corrected in zip(p_values, adjusted, strict=True):
        assert raw <= corrected <= min(1.0, len(p_values) * raw)
    order = np.argsort(p_values, kind="stable")
    assert (np.diff(np.array(adjusted)[order]) >= 0).all()


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
