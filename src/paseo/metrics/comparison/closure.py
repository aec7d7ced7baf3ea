"""Pairs told apart among many planners: closed testing (Marcus, Peritz and Gabriel 1976).

Two planners are told apart only if every group of planners that both belong to is: of all ways in
which planners could in truth be alike, each that has these two alike must be refuted.
"""

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from paseo.metrics.comparison.exchanges import exchange_p
from paseo.metrics.comparison.sign_flips import holm, sign_flip_p
from paseo.metrics.comparison.statistics import cluster_sums, unrounded
from paseo.world.arrays import BoolArray, FloatArray, IntArray

MOST_PLANNERS = 10  # whose groups are all tested; beyond, Holm's correction over the pairs
DRAWS = 1999

Pair = tuple[int, int]
Group = frozenset[int]


def closed_p(
    values: FloatArray, clusters: IntArray, pairs: Sequence[Pair], rng: np.random.Generator
) -> FloatArray:
    """Corrected p of each pair and measure, (pairs, measures), each measure by itself.

    `values` are (planners, episodes, measures), NaN where unknown; so is p, where a pair shares
    fewer than two clusters. Pairs that are not asked about cost nothing.
    """
    if not pairs or len(values) > MOST_PLANNERS:
        return holm_p(values, clusters, pairs, rng)
    alone = _alone_p(values, clusters, pairs)
    groups = _groups(len(values), pairs)
    chances = {group: _group_p(group, values, clusters, pairs, alone, rng) for group in groups}
    return np.where(np.isnan(alone), np.nan, _worst(pairs, chances, len(values)))


def _alone_p(values: FloatArray, clusters: IntArray, pairs: Sequence[Pair]) -> FloatArray:
    found = [_pair_p(values[[a, b]], clusters) for a, b in pairs]
    return np.stack(found) if found else np.empty((0, values.shape[2]))


def _pair_p(values: FloatArray, clusters: IntArray) -> FloatArray:
    """The exact p of two planners alone, (measures,)."""
    both = zip(values[0].T, values[1].T, strict=True)
    return np.array([paired_p(one, other, clusters) for one, other in both])


def paired_p(one: FloatArray, other: FloatArray, clusters: IntArray) -> float:
    """The same of one measure, (episodes,) each; NaN where they share fewer than two clusters."""
    differences = unrounded(one, other)
    known = ~np.isnan(differences)
    sums = cluster_sums(differences[known], clusters[known])
    return sign_flip_p(sums) if len(sums) > 1 else math.nan


def holm_p(
    values: FloatArray, clusters: IntArray, pairs: Sequence[Pair], _rng: np.random.Generator
) -> FloatArray:
    """The same by Holm's correction over the pairs, which needs no draws."""
    corrected = _alone_p(values, clusters, pairs)
    for column in corrected.T:
        known = ~np.isnan(column)
        column[known] = holm(column[known].tolist())
    return corrected


def _groups(planners: int, pairs: Sequence[Pair]) -> list[Group]:
    """Groups of planners that pairs hold together: all of them can only be alike at once."""
    found: set[Group] = {frozenset(pair) for pair in pairs}
    growing = found
    while growing:
        larger = {
            group | set(pair) for group in growing for pair in pairs if len(group & set(pair)) == 1
        }
        growing = larger - found
        found |= growing
    return sorted(found, key=sorted)


def _group_p(
    group: Group,
    values: FloatArray,
    clusters: IntArray,
    pairs: Sequence[Pair],
    alone: FloatArray,
    rng: np.random.Generator,
) -> FloatArray:
    """p that all of a group are alike, (measures,); 1 where nothing is known."""
    members = sorted(group)
    inside = [k for k, pair in enumerate(pairs) if group.issuperset(pair)]
    of_pairs = np.nan_to_num(alone[inside], nan=1.0).min(axis=0)
    if len(members) == 2:
        return of_pairs
    own = values[members]
    common: BoolArray = np.logical_and.reduce(~np.isnan(own))  # (episodes, measures)
    belongs = (clusters == np.unique(clusters)[:, None]).astype(np.float64)  # (clusters, episodes)
    sums = np.tensordot(belongs, np.where(common, own, 0.0), axes=(1, 1))
    shared = (belongs @ common > 0).mean(axis=0)
    places = np.array([[members.index(who) for who in pairs[k]] for k in inside])
    p = exchange_p(sums, places, DRAWS, int(rng.integers(2**31)))
    # With few clusters in common the pairs tell more, any of which might have been the one.
    return np.where(shared > 0.5, p, np.minimum(len(inside) * of_pairs, 1.0))


def _worst(pairs: Sequence[Pair], chances: Mapping[Group, FloatArray], planners: int) -> FloatArray:
    """The largest p of all ways of being alike that have a pair alike, (pairs, measures).

    A way is one group, or several apart from each other; of several, the smallest p counts, times
    their number. Sets of planners are bits of a number.
    """
    everybody = 2**planners - 1
    bits = {_bits(group): p for group, p in chances.items()}
    both = np.array([_bits(pair) for pair in pairs])
    sets = np.arange(everybody + 1)
    # The largest smallest p of so many groups within a set of planners; to begin with, of none.
    largest = np.full((everybody + 1, len(next(iter(chances.values())))), np.inf)
    worst = np.zeros((len(pairs), largest.shape[1]))
    for count in range(1, planners // 2 + 1):
        for group, p in bits.items():
            inside = both & group == both
            way = count * np.minimum(p, largest[everybody ^ group])
            worst[inside] = np.maximum(worst[inside], way)
        smaller, largest = largest, np.zeros_like(largest)
        for group, p in bits.items():
            around = sets[sets & group == group]
            largest[around] = np.maximum(largest[around], np.minimum(p, smaller[around ^ group]))
    return np.minimum(worst, 1.0)


def _bits(group: Iterable[int]) -> int:
    return sum(1 << who for who in group)
