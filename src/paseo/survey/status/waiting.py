"""How long to wait for so many more of what comes at a steady pace, and how sure a share is."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from paseo.world.arrays import FloatArray

TAIL = 0.025  # on each side of a 95 % interval
HALVINGS = 100  # of what a quantile can be in


@dataclass(frozen=True, slots=True)
class Between:
    """A number with its 95 % interval; None where nothing can be said."""

    value: float | None
    low: float
    high: float | None


def waiting_time(more: int, *, seen: int, during: float) -> Between:
    """How long it takes until `more` have come, where `seen` came `during` some time before.

    The pace must be steady (Poisson). The interval then holds whatever it is, at least as often as
    it says: limits of a future count (Nelson 1982, Applied Life Data Analysis, section 6.7.3)
    solved for time. Where nobody came, there is no upper one.
    """
    soonest = beta_quantile(TAIL, more, seen + 1)
    latest = beta_quantile(1 - TAIL, more, seen)
    return Between(
        during * more / seen if seen else None,
        during * soonest / (1 - soonest),
        during * latest / (1 - latest) if latest < 1 else None,
    )


def pace_of(seen: int, *, during: float) -> Between:
    """How many come per unit of time, with Garwood's (1936) interval for a Poisson mean."""
    return Between(
        seen / during,
        gamma_quantile(TAIL, seen) / during,
        gamma_quantile(1 - TAIL, seen + 1) / during,
    )


def share_of(some: int, every: int) -> Between:
    """A share with the interval of Clopper and Pearson (1934)."""
    return Between(
        some / every if every else None,
        beta_quantile(TAIL, some, every - some + 1),
        beta_quantile(1 - TAIL, some + 1, every - some),
    )


def chance_of_lull(lull: float, *, seen: int, during: float) -> float:
    """How likely nobody comes in the last `lull` of a time in which `seen` come steadily."""
    return max(1 - lull / during, 0.0) ** seen


def beta_quantile(chance: float, a: int, b: int) -> float:
    """What a number drawn from Beta(a, b) lies below with this chance; a or b may be 0.

    For whole a and b it is at most x as often as a + b - 1 draws with the chance x succeed a times.
    """
    if a == 0 or b == 0:
        return float(b == 0)
    draws = a + b - 1
    k, logs = np.arange(a, draws + 1), _log_factorials(draws)
    ways = logs[draws] - logs[k] - logs[draws - k]

    def below(x: float) -> float:
        return float(np.exp(ways + k * np.log(x) + (draws - k) * np.log1p(-x)).sum())

    return _solved(below, chance, 1.0)


def gamma_quantile(chance: float, shape: int) -> float:
    """What a number drawn from Gamma(shape, 1) lies below with this chance; shape may be 0.

    For whole shapes it is at most x as often as a Poisson count of mean x reaches the shape.
    """
    if shape == 0:
        return 0.0
    k, logs = np.arange(shape), _log_factorials(shape)[:shape]

    def below(x: float) -> float:
        return 1.0 - float(np.exp(k * np.log(x) - x - logs).sum())

    return _solved(below, chance, shape + 10 * shape**0.5 + 20)


def _log_factorials(most: int) -> FloatArray:
    """The logarithms of 0! to most!."""
    return np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, most + 1)))])


def _solved(rising: Callable[[float], float], value: float, highest: float) -> float:
    """Where a function that rises from 0 on has a value."""
    low, high = 0.0, highest
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if rising(middle) < value else (low, middle)
    return (low + high) / 2
