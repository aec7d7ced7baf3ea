"""What wrong answers go with, and what they cost: numbers with intervals, by kind of question."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from paseo.metrics.comparison.sign_flips import holm, sign_flip_p
from paseo.world.arrays import FloatArray, IntArray

DRAWS, MANY_DRAWS = 2000, 40_000  # of one estimate, and of the far ends of many
ALPHA = 0.05


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean per decision, with 95 % of its draws over clusters."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What wrong answers of a kind cost per decision, by driving again without them.

    More than 0: the truth would have spared it.
    """

    kind: str
    decisions: int  # at which answers of this kind were wrong, and were corrected
    clusters: int
    contacts: Estimate
    near_misses: Estimate
    seconds: Estimate
    p: float  # of clusters' sums of contacts as likely on either side of 0, after Holm

    @property
    def is_named(self) -> bool:
        """Whether the kind costs contacts beyond chance."""
        return self.contacts.mean > 0 and self.p < ALPHA


@dataclass(frozen=True, slots=True, kw_only=True)
class Odds:
    """How much more often a contact follows a wrong answer of a kind than a right one."""

    kind: str
    wrong: int  # decisions, and after how many of them there was a contact
    wrong_touched: int
    right: int
    right_touched: int
    ratio: float  # of odds, with half a decision added to each of the four
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Trial:
    """One decision made again: how many contacts, near misses and seconds fewer there were."""

    kind: str
    cluster: int
    spared: tuple[float, float, float]


def costs(trials: Sequence[Trial], seed: int) -> tuple[Cost, ...]:
    """By kind, the most contacts in all first; p allows for all kinds that were tried."""
    by_kind = {kind: [each for each in trials if each.kind == kind]
               for kind in dict.fromkeys(each.kind for each in trials)}  # fmt: skip
    sums = {kind: _sums(each) for kind, each in by_kind.items()}
    adjusted = holm([sign_flip_p(total[:, 0]) for total, _ in sums.values()])
    found = []
    for (kind, (total, count)), p in zip(sums.items(), adjusted, strict=True):
        contacts, near_misses, seconds = _estimates(total, count, np.random.default_rng(seed))
        found.append(
            Cost(kind=kind, decisions=int(count.sum()), clusters=len(total), contacts=contacts,
                 near_misses=near_misses, seconds=seconds, p=p)
        )  # fmt: skip
    return tuple(sorted(found, key=lambda cost: (-cost.contacts.mean * cost.decisions, cost.kind)))


def odds(
    kind: str,
    wrong: Sequence[bool],
    touched: Sequence[bool],
    clusters: Sequence[int],
    seed: int,
    kinds: int = 1,
) -> Odds:
    """From one line for each decision: wrong or right, touched or not, and its cluster.

    The interval is one of so many kinds that all hold with 95 %, by Bonferroni.
    """
    table = _tables(np.array(wrong), np.array(touched), np.array(clusters))
    rng = np.random.default_rng(seed)
    drawn = table[rng.integers(0, len(table), (MANY_DRAWS, len(table)))].sum(axis=1)
    tail = ALPHA / 2 / kinds
    low, high = np.quantile(_ratios(drawn), [tail, 1 - tail])
    whole = table.sum(axis=0)
    return Odds(
        kind=kind,
        wrong=int(whole[0].sum()),
        wrong_touched=int(whole[0, 1]),
        right=int(whole[1].sum()),
        right_touched=int(whole[1, 1]),
        ratio=float(_ratios(whole[None])[0]),
        low=float(low),
        high=float(high),
    )


def _tables(wrong: IntArray, touched: IntArray, clusters: IntArray) -> IntArray:
    """Counts by cluster, (clusters, wrong or right, untouched or touched)."""
    _, rows = np.unique(clusters, return_inverse=True)
    table = np.zeros((rows.max() + 1, 2, 2), np.int64)
    np.add.at(table, (rows, (~wrong).astype(int), touched.astype(int)), 1)
    return table


def _ratios(tables: IntArray) -> FloatArray:
    half = tables + 0.5
    found: FloatArray = half[:, 0, 1] * half[:, 1, 0] / (half[:, 0, 0] * half[:, 1, 1])
    return found


def _sums(trials: Sequence[Trial]) -> tuple[FloatArray, FloatArray]:
    """What was spared in each cluster, (clusters, 3), and of how many decisions."""
    _, rows = np.unique([each.cluster for each in trials], return_inverse=True)
    spared = np.zeros((rows.max() + 1, 3))
    np.add.at(spared, rows, np.array([each.spared for each in trials]))
    return spared, np.bincount(rows).astype(np.float64)


def _estimates(
    total: FloatArray, count: FloatArray, rng: np.random.Generator
) -> tuple[Estimate, ...]:
    """The mean of each column, and 95 % of it, clusters drawn anew."""
    drawn = rng.integers(0, len(total), (DRAWS, len(total)))
    draws = total[drawn].sum(axis=1) / count[drawn].sum(axis=1)[:, None]
    means = total.sum(axis=0) / count.sum()
    ends = np.quantile(draws, [0.025, 0.975], axis=0)
    return tuple(Estimate(*map(float, each)) for each in np.vstack([means, ends]).T)
