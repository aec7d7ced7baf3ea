"""Which differences are claimed, and how much looking is paid for: primary and exploratory."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from paseo.metrics.comparison.closure import MOST_PLANNERS, closed_p, holm_p
from paseo.metrics.comparison.sign_flips import MOST_LISTED, smallest_p
from paseo.world.arrays import FloatArray, IntArray

PRIMARY = ("success", "person_collisions", "time_to_goal")
ALPHA = 0.05


class Family(StrEnum):
    """What a difference is tested for."""

    PRIMARY = "primary"  # declared before looking; corrected over all pairs and primary metrics
    EXPLORATORY = "exploratory"  # of one metric; corrected over all pairs


def primary_p(
    values: FloatArray,
    clusters: IntArray,
    pairs: Sequence[tuple[int, int]],
    rng: np.random.Generator,
) -> FloatArray:
    """Corrected p of each pair and primary metric, (pairs, metrics), NaN where unknown.

    `values` are (planners, episodes, metrics). Each metric is closed by itself; Bonferroni's
    inequality covers that there are several.
    """
    corrected: FloatArray = np.minimum(
        closed_p(values, clusters, pairs, rng) * values.shape[2], 1.0
    )
    return corrected


def exploratory_p(
    values: FloatArray,
    clusters: IntArray,
    pairs: Sequence[tuple[int, int]],
    rng: np.random.Generator,
) -> FloatArray:
    """The same for metrics that are each a family of their own.

    By Holm's correction, unless clusters are so few that it could not come to any verdict.
    """
    few = len(np.unique(clusters)) <= MOST_LISTED
    return (closed_p if few else holm_p)(values, clusters, pairs, rng)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """Whether the primary family can be decided at all."""

    clusters: int
    planners: int
    pairs: int
    disjoint: int  # most pairs without a planner in common: that many could be alike at once
    metrics: int

    @property
    def smallest_p(self) -> float:
        """The smallest corrected p that so few clusters can have."""
        ways = self.pairs if self.planners > MOST_PLANNERS else self.disjoint
        return min(1.0, ways * self.metrics * smallest_p(self.clusters))

    @property
    def can_decide(self) -> bool:
        """Whether any difference, however large, could be beyond chance."""
        return self.smallest_p < ALPHA
