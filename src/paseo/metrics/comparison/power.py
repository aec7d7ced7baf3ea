"""How large a difference must be to be seen: power, before a difference is called absent."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist, median

from paseo.metrics.comparison.families import ALPHA
from paseo.metrics.comparison.statistics import student_t

USUAL = 0.8  # four times of five


@dataclass(frozen=True, slots=True)
class Detectable:
    """What a comparison as large as this one can tell apart."""

    missed_below: float  # differences smaller than this are missed four times of five
    found_above: float  # larger ones are found four times of five


def detectable(errors: Sequence[float], clusters: int, tests: int) -> Detectable | None:
    """Of differences whose standard errors are like these; None where nothing can be told."""
    known = [each for each in errors if each > 0]
    if not known or clusters < 2:
        return None
    needed = student_t(clusters - 1, ALPHA / 2 / tests)
    spare = NormalDist().inv_cdf(USUAL)
    error = median(known)
    return Detectable(max(needed - spare, 0.0) * error, (needed + spare) * error)
