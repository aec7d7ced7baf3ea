"""How long to wait: closed forms, published tables, and how often the interval holds."""

import math

import numpy as np
import pytest

from paseo.survey.status.waiting import (
    Between,
    beta_quantile,
    chance_of_lull,
    gamma_quantile,
    pace_of,
    share_of,
    waiting_time,
)


def both(found: Between) -> tuple[float, float | None]:
    return found.low, found.high


@pytest.mark.parametrize(
    ("seen", "low", "high"),
    [(0, 0.0, 3.689), (1, 0.0253, 5.572), (5, 1.623, 11.668), (10, 4.795, 18.390)],
)
def test_the_pace_has_the_interval_that_garwood_published(
    seen: int, low: float, high: float
) -> None:
    assert both(pace_of(seen, during=1.0)) == pytest.approx((low, high), abs=6e-4)
    assert both(pace_of(seen, during=2.0)) == pytest.approx((low / 2, high / 2), abs=6e-4)


def test_a_share_has_the_interval_that_clopper_and_pearson_published() -> None:
    # Of ten: none, three, all.
    assert both(share_of(0, 10)) == pytest.approx((0.0, 1 - 0.025**0.1))
    assert both(share_of(3, 10)) == pytest.approx((0.0667, 0.6525), abs=5e-5)
    assert both(share_of(10, 10)) == pytest.approx((0.025**0.1, 1.0))


def test_quantiles_have_closed_forms_where_one_number_is_one() -> None:
    for chance in (0.025, 0.5, 0.975):
        assert beta_quantile(chance, 1, 7) == pytest.approx(1 - (1 - chance) ** (1 / 7))
        assert beta_quantile(chance, 7, 1) == pytest.approx(chance ** (1 / 7))
        assert gamma_quantile(chance, 1) == pytest.approx(-math.log1p(-chance))
    assert (beta_quantile(0.5, 0, 3), beta_quantile(0.5, 3, 0)) == (0.0, 1.0)


def test_waiting_for_one_more_after_one_has_a_closed_form() -> None:
    found = waiting_time(1, seen=1, during=2.0)
    # At most 1 - (1 - x)^2 of draws from Beta(1, 2) are below x, and x of those from Beta(1, 1).
    soonest = 1 - math.sqrt(0.975)
    assert found.value == 2.0
    assert both(found) == pytest.approx((2 * soonest / (1 - soonest), 2 * 0.975 / 0.025))


def test_where_nobody_came_nobody_knows_how_long_it_takes() -> None:
    found = waiting_time(3, seen=0, during=1.0)
    assert (found.value, found.high) == (None, None)
    assert found.low > 0


def test_time_in_other_units_is_the_same_time() -> None:
    hours, minutes = (waiting_time(9, seen=4, during=during) for during in (2.0, 120.0))
    assert both(minutes) == pytest.approx([60 * (each or 0) for each in both(hours)])


@pytest.mark.parametrize(("rate", "more"), [(4.0, 3), (20.0, 40), (60.0, 20)])
def test_the_interval_holds_the_end_at_least_as_often_as_it_says(rate: float, more: int) -> None:
    rng, held = np.random.default_rng(0), []
    for _ in range(400):
        seen, wait = int(rng.poisson(rate)), rng.gamma(more) / rate
        found = waiting_time(more, seen=seen, during=1.0)
        held.append(found.low <= wait <= (math.inf if found.high is None else found.high))
    assert np.mean(held) > 0.93  # 0.95 less what 400 draws leave open


def test_a_lull_is_as_likely_as_that_all_came_before_it() -> None:
    assert chance_of_lull(0.5, seen=4, during=1.0) == pytest.approx(1 / 16)
    assert chance_of_lull(1.0, seen=4, during=1.0) == 0.0
    assert chance_of_lull(0.3, seen=0, during=1.0) == 1.0
