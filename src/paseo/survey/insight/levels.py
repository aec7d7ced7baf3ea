"""Raters' own level taken out of their ratings: some call good what others call fair."""

import numpy as np

from paseo.world.arrays import FloatArray

ROUNDS = 200
SETTLED = 1e-9  # points of the scale


def level_ratings(ratings: FloatArray) -> FloatArray:
    """Ratings (raters, clips) less each rater's own level; NaN where there are none.

    A rating is taken for what a clip deserves plus the rater's level, by least squares: where all
    rate all clips, this centres every rater, and where they do not, who happened to see the good
    clips is not taken for a generous rater.
    """
    known = ~np.isnan(ratings)
    given = np.where(known, ratings, 0.0)
    by_rater, by_clip = np.maximum(known.sum(axis=1), 1), np.maximum(known.sum(axis=0), 1)
    levels = np.zeros(len(ratings))
    for _ in range(ROUNDS):
        deserved = np.where(known, given - levels[:, None], 0.0).sum(axis=0) / by_clip
        fresh = np.where(known, given - deserved, 0.0).sum(axis=1) / by_rater
        fresh -= fresh @ known.sum(axis=1) / max(int(known.sum()), 1)
        moved = float(np.abs(fresh - levels).max(initial=0.0))
        levels = fresh
        if moved < SETTLED:
            break
    return ratings - levels[:, None]


def clip_means(ratings: FloatArray, weights: FloatArray) -> FloatArray:
    """Mean of each clip over raters that count so often; (draws, clips) of (draws, raters)."""
    known = ~np.isnan(ratings)
    sums = weights @ np.where(known, ratings, 0.0)
    counts = weights @ known.astype(np.float64)
    means: FloatArray = np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)
    return means
