"""The curve of arrivals, against a closed form and the estimator for competing events."""

import numpy as np
import pytest

from paseo.metrics.comparison.statistics import restricted_times
from paseo.metrics.incidence import cumulative_incidence


def test_arrivals_are_counted_among_all() -> None:
    times, arrived = np.array([3.0, 1.0, 2.0, 2.0]), np.array([True, True, True, False])
    found = cumulative_incidence(times, arrived, np.array([0.5, 1.0, 2.0, 2.5, 3.0, 99.0]))
    assert found.tolist() == [0, 0.25, 0.5, 0.5, 0.75, 0.75]


def test_nobody_has_arrived_where_nobody_drove() -> None:
    nobody = cumulative_incidence(np.empty(0), np.empty(0, np.bool_), np.array([1.0]))
    assert nobody.tolist() == [0.0]


def aalen_johansen(times: np.ndarray, arrived: np.ndarray, at: float) -> float:
    """Sum over event times of being still away times the hazard of arriving."""
    away, share = 1.0, 0.0
    for time in np.unique(times[times <= at]):
        at_risk = (times >= time).sum()
        events = times == time
        share += away * (events & arrived).sum() / at_risk
        away *= 1 - events.sum() / at_risk
    return share


@pytest.mark.parametrize("seed", range(5))
def test_it_is_the_estimate_of_aalen_and_johansen(seed: int) -> None:
    rng = np.random.default_rng(seed)
    times, arrived = rng.uniform(0, 60, 40).round(0), rng.random(40) < 0.6
    at = np.linspace(0, 60, 25)
    expected = [aalen_johansen(times, arrived, time) for time in at]
    assert cumulative_incidence(times, arrived, at) == pytest.approx(expected)


def test_constant_hazards_give_their_closed_form_and_censoring_would_not() -> None:
    """Of arriving .1 and of crashing .05 in a second: 2/3 (1 - exp(-.15 t)) arrive by t."""
    rng = np.random.default_rng(0)
    goal, wall = rng.exponential(10, 40_000), rng.exponential(20, 40_000)
    at = np.array([2.0, 5.0, 10.0, 30.0, 100.0])
    found = cumulative_incidence(np.minimum(goal, wall), goal < wall, at)
    assert found == pytest.approx(2 / 3 * (1 - np.exp(-0.15 * at)), abs=0.01)
    assert (1 - np.exp(-0.1 * at))[-1] - found[-1] > 0.3  # crashes taken for censored drives


def test_the_area_above_it_is_the_restricted_mean() -> None:
    rng = np.random.default_rng(3)
    times, arrived = rng.uniform(0, 60, 30), rng.random(30) < 0.7
    mean = restricted_times(times, arrived, np.full(30, 60.0)).mean()
    fine = np.linspace(0, 60, 60_001)
    away = 1 - cumulative_incidence(times, arrived, fine)
    assert mean == pytest.approx(np.trapezoid(away, fine), abs=0.05)
