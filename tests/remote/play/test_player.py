"""How a world keeps pace with the clock of whoever drives in it; the clock is passed in."""

import asyncio

import pytest

from paseo.remote.play.player import SLIP, Player, driven
from worlds import crossing, scenario


class CountedPace:
    """A clock that goes on only while somebody waits for it, and now and then for nobody."""

    def __init__(self, held_up: float = 0.0) -> None:
        self.time, self.held_up = 100.0, held_up

    def now(self) -> float:
        return self.time

    async def until(self, moment: float) -> None:
        self.time = max(self.time, moment) + self.held_up
        self.held_up = 0.0


def drive(pace: CountedPace) -> tuple[float, float]:
    """Seconds that passed on the clock, and in the world."""
    world = scenario(crossing(), time_limit=2.0)
    done = asyncio.run(driven(Player("somebody", pace), world))
    return pace.time - 100.0, float(done.record.times[-1])


def test_time_in_the_world_passes_as_on_the_clock() -> None:
    on_clock, in_world = drive(CountedPace())
    assert in_world == 2.0
    assert on_clock == pytest.approx(in_world, abs=1e-9)


def test_a_short_delay_is_caught_up_and_a_long_one_is_not() -> None:
    short, long = 0.5 * SLIP, 4 * SLIP
    assert drive(CountedPace(short))[0] == pytest.approx(2.0, abs=1e-9)
    assert drive(CountedPace(long))[0] == pytest.approx(2.0 + long, abs=0.051)
