"""Randomisation tests: against listing every pattern, binomial tails, scipy and themselves."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paseo.metrics.comparison import sign_flips
from paseo.metrics.comparison.sign_flips import holm, sign_flip_p, smallest_p

sums = st.lists(st.integers(-6, 6), min_size=1, max_size=9)


def listed(values: list[int]) -> float:
    """By the definition, one pattern after the other."""
    patterns = list(product((-1, 1), repeat=len(values)))
    seen = abs(sum(values))
    far = sum(abs(sum(s * v for s, v in zip(p, values, strict=True))) >= seen for p in patterns)
    return far / len(patterns)


def sign_test(ups: int, count: int) -> float:
    """Two-sided, from the binomial tail."""
    far = max(ups, count - ups)
    return min(1.0, 2 * sum(math.comb(count, k) for k in range(far, count + 1)) / 2**count)


@given(sums)
def test_it_is_the_share_of_patterns_at_least_as_extreme(values: list[int]) -> None:
    assert sign_flip_p(np.array(values, float)) == pytest.approx(listed(values))


@given(sums)
def test_counting_in_halves_is_the_same_as_listing(values: list[int]) -> None:
    known = np.sort(np.abs(np.array([v for v in values if v], float)))
    seen = abs(sum(values))
    if len(known) > 1 and seen:
        assert sign_flips._counted(known, seen - 1e-9) == pytest.approx(listed(values))


@pytest.mark.parametrize(("ups", "count"), [(16, 16), (20, 22), (25, 33), (33, 33), (30, 40)])
def test_equal_sums_make_it_the_sign_test(ups: int, count: int) -> None:
    values = np.array([1.0] * ups + [-1.0] * (count - ups))
    assert sign_flip_p(values) == pytest.approx(sign_test(ups, count), rel=1e-9)


def test_drawing_patterns_would_have_set_a_floor() -> None:
    assert sign_flip_p(np.ones(33)) == smallest_p(33) == 2.0**-32


@pytest.mark.parametrize("shift", [0.1, 0.3, 0.6, 1.0])
def test_the_saddlepoint_agrees_with_counting(shift: float) -> None:
    values = np.random.default_rng(4).normal(shift, 1.0, 38)
    total, known = abs(float(values.sum())), np.sort(np.abs(values))
    assert 2 * sign_flips._saddlepoint(known, total) == pytest.approx(
        sign_flips._counted(known, total), rel=0.03
    )


@pytest.mark.parametrize("count", [60, 400])
def test_of_many_sums_the_p_is_that_of_drawn_patterns(count: int) -> None:
    rng = np.random.default_rng(5)
    values = rng.normal(0.15, 1.0, count)
    drawn = rng.choice([-1.0, 1.0], (40_000, count)) @ np.abs(values)
    share = float((np.abs(drawn) >= abs(values.sum())).mean())
    assert sign_flip_p(values) == pytest.approx(share, abs=4 * math.sqrt(share / 40_000) + 1e-4)


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=20), st.floats(0.01, 100))
def test_neither_order_nor_side_nor_unit_matters(values: list[float], unit: float) -> None:
    found = np.round(np.array(values), 3)
    p = sign_flip_p(found)
    assert 0 < p <= 1
    assert sign_flip_p(-found[::-1]) == pytest.approx(p)
    assert sign_flip_p(found * unit) == pytest.approx(p)


def test_nothing_seen_is_no_evidence() -> None:
    assert sign_flip_p(np.zeros(5)) == 1.0
    assert sign_flip_p(np.array([1.0, -1.0])) == 1.0
    assert sign_flip_p(np.array([])) == 1.0
    assert sign_flip_p(np.concatenate([np.ones(50), -np.ones(50)])) == 1.0


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
