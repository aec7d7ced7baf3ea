import numpy as np
import pytest

from paseo.crowd.generator.arrivals import arrival_times, spells
from paseo.world.recipes import Arrivals


def drawn(arrivals: Arrivals, *, rate: float = 0.5, end: float = 20_000.0) -> np.ndarray:
    busy = spells(arrivals, 0.0, end, np.random.default_rng(1))
    return arrival_times(rate, busy, start=0.0, end=end, rng=np.random.default_rng(2))


def spread_of_gaps(times: np.ndarray) -> float:
    gaps = np.diff(times)
    return float(gaps.std() / gaps.mean())


@pytest.mark.parametrize("spread", [0.0, 0.5, 1.1])
def test_people_come_as_often_as_the_rate_says(spread: float) -> None:
    times = drawn(Arrivals(burst_spread=spread))
    assert len(times) == pytest.approx(0.5 * 20_000, rel=0.08)
    assert (np.diff(times) >= 0).all() and times[0] >= 0 and times[-1] < 20_000


def test_without_bursts_gaps_are_exponential_and_with_them_more_varied() -> None:
    assert spread_of_gaps(drawn(Arrivals())) == pytest.approx(1.0, abs=0.05)
    assert spread_of_gaps(drawn(Arrivals(burst_spread=0.5))) > 1.2
    assert spread_of_gaps(drawn(Arrivals(burst_spread=1.1))) > 2.0


def test_nobody_comes_in_quiet_spells() -> None:
    arrivals = Arrivals(burst_length=50.0, burst_spread=1.0)
    busy = spells(arrivals, 0.0, 5000.0, np.random.default_rng(1))
    times = arrival_times(1.0, busy, start=0.0, end=5000.0, rng=np.random.default_rng(2))
    spell = ((times - busy.start) // busy.length).astype(int)
    assert (busy.busyness[spell] > 0).all()
    assert set(np.unique(busy.busyness)) == {0.0, 2.0}


def test_a_later_end_does_not_change_who_came_before() -> None:
    early, late = drawn(Arrivals(), end=100.0), drawn(Arrivals(), end=200.0)
    assert np.allclose(late[: len(early)], early)


def test_a_rate_of_nothing_brings_nobody() -> None:
    assert len(drawn(Arrivals(), rate=0.0)) == 0
