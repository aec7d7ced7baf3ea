"""Whether any metric goes with ratings beyond chance, over all metrics and aspects at once."""

import numpy as np

from paseo.survey.insight.panel import Panel
from paseo.survey.insight.rank_correlation import pairs_within, taus
from paseo.world.arrays import FloatArray

DRAWS = 1999


def family_p(
    people: FloatArray, metrics: FloatArray, panel: Panel, rng: np.random.Generator,
    draws: int = DRAWS,
) -> FloatArray:  # fmt: skip
    """Corrected two-sided p of each aspect and metric, (aspects, metrics); NaN where no tau is.

    `people` are the means of clips (aspects, clips), `metrics` are (metrics, clips). What people
    gave to planners is dealt out anew on every episode, alike on episodes that share their crowd
    and for all aspects, while what was measured stays. Corrected by the largest of all
    correlations, step by step (Westfall and Young 1993): however many metrics there are, and
    however alike, some false claim is made in one of twenty studies at most. With planners' means
    taken out of both, the question is whether drives of the same planner are told apart; dealing
    out what is left is then an approximation (Freedman and Lane 1983).
    """
    planners, pairs = len(panel.planners), pairs_within(panel)
    clusters = int(panel.clusters.max()) + 1
    dealt = np.argsort(rng.random((draws, clusters, planners)), axis=2)[:, panel.clusters]
    starts = planners * np.arange(len(panel.episodes))[:, None]
    places = (starts + dealt).reshape(draws, -1)  # (draws, clips)
    weights = np.ones((draws + 1, len(pairs.first)))
    found = [
        taus(np.concatenate([own[None], own[places]]), metrics, pairs, weights) for own in people
    ]
    sizes = np.abs(np.stack(found, axis=1))  # (1 + draws, aspects, metrics)
    return _step_down(sizes.reshape(draws + 1, -1)).reshape(sizes.shape[1:])


def _step_down(sizes: FloatArray) -> FloatArray:
    """p of each column of sizes, whose first row is the truth and the others are chance."""
    told = ~np.isnan(sizes[0])
    p = np.full(sizes.shape[1], np.nan)
    if not told.any():
        return p
    own = np.nan_to_num(sizes[:, told])
    spread = np.sqrt((own**2).mean(axis=0))  # of metrics with many ties it is wider
    scaled = own / np.where(spread > 0, spread, 1.0)
    order = np.argsort(scaled[0])  # from the smallest: each is held against itself and below
    largest = np.maximum.accumulate(scaled[:, order], axis=1)
    alone = (largest >= scaled[0, order] * (1 - 1e-9)).mean(axis=0)
    corrected = np.empty(len(order))
    corrected[order] = np.maximum.accumulate(alone[::-1])[::-1]
    p[told] = corrected
    return p
