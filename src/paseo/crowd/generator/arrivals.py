"""When people come: a Poisson process whose rate is higher in some spells than in others."""

from dataclasses import dataclass

import numpy as np

from paseo.world.arrays import FloatArray
from paseo.world.recipes import Arrivals


@dataclass(frozen=True, slots=True, eq=False)
class Spells:
    """How busy each spell is, in means."""

    start: float
    length: float  # seconds of each
    busyness: FloatArray  # (spells,)


def spells(arrivals: Arrivals, start: float, end: float, rng: np.random.Generator) -> Spells:
    """Busy and quiet spells from one time to another; all flows of a place share them."""
    count = int(np.ceil((end - start) / arrivals.burst_length)) + 1
    # The first spell is cut at random, so that crowds do not all turn busy at the same times.
    start -= arrivals.burst_length * rng.random()
    if arrivals.burst_spread <= 0.0:
        return Spells(start, arrivals.burst_length, np.ones(count))
    busy = 1.0 / (1.0 + arrivals.burst_spread**2)  # the share of spells in which anybody comes
    return Spells(start, arrivals.burst_length, (rng.random(count) < busy) / busy)


def arrival_times(
    rate: float, spells: Spells, *, start: float, end: float, rng: np.random.Generator
) -> FloatArray:
    """The times from `start` to `end` at which somebody comes, `rate` times a second on average."""
    if rate <= 0.0:
        return np.empty(0)
    edges = spells.start + spells.length * np.arange(len(spells.busyness) + 1)
    expected = np.concatenate([[0.0], np.cumsum(rate * spells.length * spells.busyness)])
    counts: list[float] = []
    total = rng.exponential()
    while total < expected[-1]:
        counts.append(total)
        total += rng.exponential()
    # Quiet spells make flat pieces: a tiny slope keeps the inverse defined.
    times = np.interp(counts, expected + 1e-9 * np.arange(len(expected)), edges)
    return times[(times >= start) & (times < end)]
