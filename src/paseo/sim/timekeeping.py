"""The clocks by their names."""

from collections.abc import Sequence

from paseo.sim.charged import ChargedClock
from paseo.sim.clock import Clock, SyncClock
from paseo.sim.wall import HANG_LIMIT_S, AsyncClock
from paseo.world.clocks import ClockName, Timekeeping


def make_clock(
    timekeeping: Timekeeping,
    *,
    latencies: Sequence[float] | None = None,
    hang_limit_s: float = HANG_LIMIT_S,
) -> Clock:
    """A new clock; `latencies` are charged where none is declared, instead of measured ones.

    Only by the clock 'async' a planner that is silent for `hang_limit_s` is given up.
    """
    match timekeeping.clock:
        case ClockName.SYNC:
            return SyncClock()
        case ClockName.CHARGED:
            return ChargedClock(timekeeping, latencies=latencies)
        case ClockName.ASYNC:
            return AsyncClock(timekeeping, hang_limit_s=hang_limit_s)
