"""Whether several planners can be told apart at all: their names exchanged, cluster by cluster."""

import numpy as np

from paseo.compiled import compiled
from paseo.world.arrays import FloatArray, IntArray

ENOUGH = 50
SAME = 1e-9  # relative; totals nearer to each other are the same


@compiled
def exchange_p(values: FloatArray, pairs: IntArray, draws: int, seed: int) -> FloatArray:
    """p of each measure that all planners are alike, (measures,); `values` (clusters, planners, m).

    In every cluster the planners' values are dealt out anew. Counted are the draws in which some
    pair (rows of `pairs`) is as far apart in total as the furthest pair is in truth; the truth is
    one of the draws, so that p is never too small. Where 50 are, no more need be drawn (Besag and
    Clifford 1991).
    """
    clusters, planners, measures = values.shape
    furthest = np.zeros(measures)
    totals = values.sum(axis=0)
    widest(totals, pairs, furthest)
    counts = np.ones(measures)
    p = np.zeros(measures)  # once it is known
    found = np.zeros(measures)
    order = np.arange(planners)
    state = np.uint64(seed) * np.uint64(2685821657736338717) + np.uint64(88172645463325252)
    for draw in range(draws):
        totals[:] = 0.0
        for cluster in range(clusters):
            for k in range(planners - 1, 0, -1):
                state ^= state << np.uint64(13)
                state ^= state >> np.uint64(7)
                state ^= state << np.uint64(17)
                other = np.int64(((state >> np.uint64(32)) * np.uint64(k + 1)) >> np.uint64(32))
                order[k], order[other] = order[other], order[k]
            for k in range(planners):
                for measure in range(measures):
                    totals[k, measure] += values[cluster, order[k], measure]
        widest(totals, pairs, found)
        for measure in range(measures):
            if p[measure] == 0.0 and found[measure] >= furthest[measure] * (1 - SAME):
                counts[measure] += 1
                if counts[measure] > ENOUGH:
                    p[measure] = ENOUGH / (draw + 1)
        if (p > 0.0).all():
            return p
    return np.where(p > 0.0, p, counts / (draws + 1))


@compiled
def widest(totals: FloatArray, pairs: IntArray, found: FloatArray) -> None:
    """Write how far the two of some pair are apart at most, for each measure."""
    found[:] = 0.0
    for pair in range(len(pairs)):
        a, b = pairs[pair, 0], pairs[pair, 1]
        for measure in range(totals.shape[1]):
            apart = abs(totals[a, measure] - totals[b, measure])
            if apart > found[measure]:
                found[measure] = apart
