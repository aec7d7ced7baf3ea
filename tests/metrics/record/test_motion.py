import math

import numpy as np
import pytest

from drives import record
from paseo.metrics.record.metric import Metric, Value, measured
from paseo.metrics.record.motion import acceleration, energy, jerk, speed, stalled_time
from paseo.world.records import Record

UNDEFINED = "not available: undefined for this record"


def values(value: Value) -> list[float]:
    assert isinstance(value, np.ndarray)
    return value.tolist()


def circle(dt: float) -> Record:
    """At 1 m/s around a circle of radius 2 m, for 4 s."""
    angle = np.arange(round(4 / dt) + 1) * dt / 2
    return record(np.column_stack([5 + 2 * np.cos(angle), 5 + 2 * np.sin(angle)]), dt=dt)


def test_motion_along_a_line_by_hand() -> None:
    faster = record([(0, 5), (1, 5), (3, 5), (6, 5), (6, 5)], dt=0.5)  # 2, 4, 6, 0 m/s
    assert values(speed(faster)) == [2, 4, 6, 0]
    assert energy(faster) == (4 + 16 + 36) * 0.5
    assert values(acceleration(faster)) == [4, 4, 12]
    assert values(jerk(faster)) == [0, 32]


def test_turning_at_constant_speed_is_accelerating() -> None:
    corner = record([(0, 0), (1, 0), (1, 1)], dt=1.0)
    assert values(acceleration(corner)) == pytest.approx([math.sqrt(2)])


def test_stalled_is_every_step_below_five_centimetres_per_second() -> None:
    # Steps of 0, 4, 6 and 100 mm in 0.1 s are 0, 0.04, 0.06 and 1 m/s.
    path = np.column_stack([2 + np.cumsum([0, 0, 0.004, 0.006, 0.1]), np.full(5, 5)])
    assert stalled_time(record(path, dt=0.1)) == pytest.approx(0.2)


def test_standing_costs_nothing() -> None:
    assert energy(record([(2, 5)] * 10)) == 0.0


@pytest.mark.parametrize(("metric", "states"), [(speed, 1), (acceleration, 2), (jerk, 3)])
def test_with_too_few_states_there_is_nothing_to_measure(metric: Metric, states: int) -> None:
    found = measured(metric, record([(2, 5), (3, 5), (5, 5), (6, 5)][:states]))
    assert (found.value, found.note) == (None, UNDEFINED)
    assert measured(metric, record([(2, 5), (3, 5), (5, 5), (6, 5)][: states + 1])).note == ""


def test_of_one_state_energy_and_standing_are_zero() -> None:
    assert energy(record([(2, 5)])) == stalled_time(record([(2, 5)])) == 0.0


@pytest.mark.parametrize(
    ("metric", "limit"), [(speed, 1.0), (energy, 4.0), (acceleration, 0.5), (jerk, 0.25)]
)
def test_halving_the_time_step_on_a_circle_quarters_the_error(metric: Metric, limit: float) -> None:
    # v = 1, so v^2 T = 4; v^2 / r = 1/2; v^3 / r^2 = 1/4.
    errors = [abs(measured(metric, circle(dt)).value - limit) for dt in (0.2, 0.1, 0.05)]
    assert errors[0] / errors[1] == pytest.approx(4, rel=0.02)
    assert errors[1] / errors[2] == pytest.approx(4, rel=0.02)
    assert errors[2] < 0.001 * limit


def test_twice_as_fast_is_twice_the_speed_and_four_times_the_power() -> None:
    path = np.random.default_rng(3).normal(5, 1, (20, 2))
    slow, fast = record(path, dt=0.1), record(path, dt=0.05)
    assert values(speed(fast)) == pytest.approx(2 * np.array(values(speed(slow))))
    assert energy(fast) == pytest.approx(2 * energy(slow))  # four times, for half as long
    assert values(acceleration(fast)) == pytest.approx(4 * np.array(values(acceleration(slow))))
    assert values(jerk(fast)) == pytest.approx(8 * np.array(values(jerk(slow))))
