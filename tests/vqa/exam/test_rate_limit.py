"""How fast an exam may ask."""

import math

import numpy as np
import pytest

from paseo.vqa.exam.rate_limit import LONGEST_HONOURED, LONGEST_PAUSE, RateLimit


def rate_limit(most: int = 8, per_minute: float | None = None, seed: int = 0) -> RateLimit:
    return RateLimit(most, per_minute=per_minute, rng=np.random.default_rng(seed))


def test_no_more_requests_are_under_way_than_allowed() -> None:
    assert rate_limit(4).wait_s(0.0, 3) == 0.0
    assert rate_limit(4).wait_s(0.0, 4) == math.inf


def test_a_rate_limit_spaces_requests_evenly() -> None:
    limited = rate_limit(per_minute=120)
    limited.start(10.0)
    assert limited.wait_s(10.0, 1) == pytest.approx(0.5)
    assert limited.wait_s(10.6, 1) == 0.0


def test_idle_time_is_not_saved_up_for_a_burst() -> None:
    limited = rate_limit(per_minute=60)
    limited.start(0.0)
    limited.start(100.0)
    assert limited.wait_s(100.0, 0) == pytest.approx(1.0)


def test_slow_down_halves_the_number_at_once_and_everybody_pauses() -> None:
    slowed = rate_limit(8)
    slowed.slow_down(1.0, 3.0, started=0.5)
    assert slowed.at_once == 4
    assert slowed.wait_s(2.0, 0) == pytest.approx(2.0)
    assert slowed.wait_s(4.0, 0) == 0.0


def test_one_wave_of_refusals_is_one_cut() -> None:
    slowed = rate_limit(32)
    for arrival in range(20):
        slowed.slow_down(1.0 + arrival / 100, 1.0, started=0.5)
    assert slowed.at_once == 16
    slowed.slow_down(5.0, 1.0, started=4.0)
    assert slowed.at_once == 8


def test_at_least_one_request_goes_on() -> None:
    slowed = rate_limit(2)
    for time in range(1, 9):
        slowed.slow_down(float(time), 0.0, started=time - 0.5)
    assert slowed.at_once == 1


def test_success_restores_the_number_at_once_slowly_and_never_beyond() -> None:
    slowed = rate_limit(8)
    slowed.slow_down(1.0, 0.0, started=0.0)
    for _ in range(4):
        slowed.succeed()
    assert slowed.at_once == 4  # four successes with less than 1/4 each
    slowed.succeed()
    assert slowed.at_once == 5
    for _ in range(100):
        slowed.succeed()
    assert slowed.at_once == 8


def test_pauses_double_with_jitter_up_to_a_bound() -> None:
    pauses = [rate_limit().pause(attempt, None) for attempt in range(1, 12)]
    for attempt, pause in enumerate(pauses):
        whole = min(LONGEST_PAUSE, 2.0**attempt)
        assert whole / 2 <= pause <= whole


def test_the_same_seed_gives_the_same_pauses() -> None:
    assert rate_limit(seed=3).pause(2, None) == rate_limit(seed=3).pause(2, None)
    assert rate_limit(seed=3).pause(2, None) != rate_limit(seed=4).pause(2, None)


def test_what_a_provider_asks_for_is_honoured_within_reason() -> None:
    assert 20.0 <= rate_limit().pause(1, 20.0) <= 20.1
    assert rate_limit().pause(1, 1e9) <= LONGEST_HONOURED + 0.1
    assert 0.0 <= rate_limit().pause(1, 0.0) <= 0.1
    assert 0.5 <= rate_limit().pause(1, math.nan) <= 1.0
