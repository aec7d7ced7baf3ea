"""How time passes, as values."""

import math

import pytest

from paseo.errors import BadValue
from paseo.world.clocks import WAITING, ClockName, Late, Thinking, Timekeeping, steps_in


def test_words_name_the_clock_and_its_policies() -> None:
    said = Timekeeping(clock="charged", thinking="stop", late="skip")  # type: ignore[arg-type]
    assert (said.clock, said.thinking, said.late) == (
        ClockName.CHARGED,
        Thinking.STOP,
        Late.SKIP,
    )
    with pytest.raises(BadValue, match="clock is 'sundial', expected one of sync, async, charged"):
        Timekeeping(clock="sundial")  # type: ignore[arg-type]


@pytest.mark.parametrize("seconds", [-0.1, math.inf, math.nan])
@pytest.mark.parametrize("name", ["latency_s", "repeat_limit_s"])
def test_seconds_are_seconds(name: str, seconds: float) -> None:
    with pytest.raises(BadValue, match=f"{name} is .*, expected seconds from 0 on"):
        Timekeeping(clock=ClockName.CHARGED, **{name: seconds})  # type: ignore[arg-type]


@pytest.mark.parametrize("clock", [ClockName.SYNC, ClockName.ASYNC])
def test_only_one_clock_charges_a_latency(clock: ClockName) -> None:
    with pytest.raises(BadValue, match=f"by the clock 'charged', not by '{clock}'"):
        Timekeeping(clock=clock, latency_s=0.1)


def test_a_latency_is_declared_or_measured() -> None:
    assert Timekeeping(clock=ClockName.CHARGED).is_measured
    assert not Timekeeping(clock=ClockName.CHARGED, latency_s=0.0).is_measured
    assert not WAITING.is_measured


def test_who_answers_at_once_needs_no_other_clock() -> None:
    at_once = Timekeeping(clock=ClockName.CHARGED, latency_s=0.0, thinking=Thinking.STOP)
    assert at_once.in_force == WAITING
    late = Timekeeping(clock=ClockName.CHARGED, latency_s=0.1)
    assert late.in_force == late


@pytest.mark.parametrize(
    ("seconds", "dt", "steps"),
    [(0.0, 0.05, 0), (0.1, 0.05, 2), (0.3, 0.1, 3), (0.7, 0.1, 7), (0.1001, 0.05, 3), (1e-3, 1, 1)],
)
def test_whole_steps_are_counted_despite_rounding(seconds: float, dt: float, steps: int) -> None:
    assert steps_in(seconds, dt) == steps
