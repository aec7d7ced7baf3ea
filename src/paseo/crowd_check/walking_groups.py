"""Who walks together: pairs that stay close and move alike, told from their tracks alone.

In the recordings of ETH and UCY 58 to 100 % of the pairs it puts in one group are annotated so. It
is no judge of single people, but fair between crowds: compare rule with rule.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from paseo.crowd_check.samples import CLOCK, TrackSamples
from paseo.data.recordings.groups import Groups, merged
from paseo.world.arrays import BoolArray, FloatArray, IntArray

SHARED_TIME = 2.0  # seconds in sight together, a tick being 0.4 s
SHARED_PART = 0.5  # of the shorter stay
NEAR = 1.6  # metres between centres
NEAR_PART = 0.8  # of the ticks together
DRIFT = 0.35  # m/s between their velocities, on average

MOST_PAIRS = 50_000  # looked at in one go, so that they fit into the processor's cache


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pairs:
    """Everybody with everybody else at the same tick, each two once."""

    first: IntArray  # (pairs,), indices of moments
    second: IntArray  # (pairs,)
    gaps: FloatArray  # (pairs,), metres between centres


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Encounters:
    """One row for every two people who were there at the same tick, in order of their ids."""

    first: IntArray  # (encounters,), ids
    second: IntArray  # (encounters,), the larger ids
    ticks: IntArray  # (encounters,), how many they share
    near_ticks: IntArray  # (encounters,), how many of those nearer than NEAR
    closest: FloatArray  # (encounters,), metres at their closest tick
    drift: FloatArray  # (encounters,), mean |velocity difference| in m/s; NaN without steps


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Tally:
    """What adds up to encounters, a row for each key; keys may repeat."""

    keys: IntArray  # (rows,), both people as one number
    ticks: IntArray
    near_ticks: IntArray
    closest: FloatArray
    differences: FloatArray  # sums of |velocity difference|
    steps: IntArray  # how many of those


def pairs_at_once(at: TrackSamples, most: int = MOST_PAIRS) -> Iterator[Pairs]:
    """All pairs, some ticks at a time: about `most` pairs, or those of one tick."""
    order = np.argsort(at.ticks, kind="stable")  # within a tick by person, as moments are
    ticks = at.ticks[order]
    past = np.searchsorted(ticks, ticks, side="right")  # where the tick of each ends
    partners = past - 1 - np.arange(len(order))  # those who come later at the same tick
    before = np.concatenate([[0], np.cumsum(partners)])
    start = 0
    while start < len(order):
        fitting = int(np.searchsorted(before, before[start] + most, side="right")) - 1
        end = int(past[max(start, fitting - 1)])
        here = np.arange(start, end)
        first = np.repeat(here, partners[start:end])
        within = np.arange(len(first)) + before[start] - before[first]
        one, other = order[first], order[first + 1 + within]
        yield Pairs(first=one, second=other, gaps=_lengths(at.positions[one] - at.positions[other]))
        start = end


def encounters(at: TrackSamples) -> Encounters:
    """Who met whom, for how long and how closely."""
    ids, person = np.unique(at.people, return_inverse=True)
    tallies = [_summed(_tally(at, pairs, person, len(ids))) for pairs in pairs_at_once(at)]
    total = _summed(_joined([_nobody(), *tallies]))
    with np.errstate(invalid="ignore"):
        drift = total.differences / total.steps  # 0 / 0 is NaN
    first, second = np.divmod(total.keys, max(len(ids), 1))
    return Encounters(
        first=ids[first],
        second=ids[second],
        ticks=total.ticks,
        near_ticks=total.near_ticks,
        closest=total.closest,
        drift=drift,
    )


def walking_groups(at: TrackSamples, met: Encounters | None = None) -> Groups:
    """Groups by the rule, as ids; `met` saves looking at the same moments' encounters twice."""
    met = encounters(at) if met is None else met
    together = walk_together(at, met)
    both = np.stack([met.first, met.second], axis=1)[together]
    return merged(both.tolist())


def walk_together(at: TrackSamples, met: Encounters) -> BoolArray:
    """Which encounters are of two who walk together, (encounters,)."""
    ids, stays = np.unique(at.people, return_counts=True)
    shorter = np.minimum(
        stays[np.searchsorted(ids, met.first)], stays[np.searchsorted(ids, met.second)]
    )
    return np.asarray(
        (met.ticks >= round(SHARED_TIME / CLOCK))
        & (met.ticks / shorter >= SHARED_PART)
        & (met.near_ticks / met.ticks >= NEAR_PART)
        & (met.drift < DRIFT)  # NaN is not below
    )


def group_labels(people: IntArray, groups: Groups) -> IntArray:
    """A number for each of the ids, (people,), the same for those of one group."""
    ids, place = np.unique(people, return_inverse=True)
    places = {int(person): k for k, person in enumerate(ids)}
    labels = np.arange(len(ids))
    for group in groups:
        present = [places[person] for person in group if person in places]
        if present:
            labels[present] = present[0]
    return labels[place]


def nearest_others(at: TrackSamples, *labels: IntArray) -> list[FloatArray]:
    """Metres to the nearest person of another label at each moment, (moments,); inf without one.

    For each way to label the moments, (moments,), one result.
    """
    nearest = [np.full(len(at), np.inf) for _ in labels]
    for pairs in pairs_at_once(at):
        for label, result in zip(labels, nearest, strict=True):
            apart = label[pairs.first] != label[pairs.second]
            np.minimum.at(result, pairs.first[apart], pairs.gaps[apart])
            np.minimum.at(result, pairs.second[apart], pairs.gaps[apart])
    return nearest


def _tally(at: TrackSamples, pairs: Pairs, person: IntArray, people: int) -> _Tally:
    differences = _lengths(at.velocities[pairs.first] - at.velocities[pairs.second])
    walked = ~np.isnan(differences)
    return _Tally(
        keys=person[pairs.first] * people + person[pairs.second],
        ticks=np.ones(len(pairs.gaps), np.int64),
        near_ticks=(pairs.gaps < NEAR).astype(np.int64),
        closest=pairs.gaps,
        differences=np.where(walked, differences, 0.0),
        steps=walked.astype(np.int64),
    )


def _summed(rows: _Tally) -> _Tally:
    """One row for each key, in order of the keys."""
    order = np.argsort(rows.keys, kind="stable")
    keys = rows.keys[order]
    starts = np.nonzero(np.diff(keys, prepend=-1))[0]
    if not len(starts):
        return rows
    return _Tally(
        keys=keys[starts],
        ticks=np.add.reduceat(rows.ticks[order], starts),
        near_ticks=np.add.reduceat(rows.near_ticks[order], starts),
        closest=np.minimum.reduceat(rows.closest[order], starts),
        differences=np.add.reduceat(rows.differences[order], starts),
        steps=np.add.reduceat(rows.steps[order], starts),
    )


def _joined(parts: Sequence[_Tally]) -> _Tally:
    return _Tally(
        keys=np.concatenate([part.keys for part in parts]),
        ticks=np.concatenate([part.ticks for part in parts]),
        near_ticks=np.concatenate([part.near_ticks for part in parts]),
        closest=np.concatenate([part.closest for part in parts]),
        differences=np.concatenate([part.differences for part in parts]),
        steps=np.concatenate([part.steps for part in parts]),
    )


def _nobody() -> _Tally:
    none, nothing = np.empty(0, np.int64), np.empty(0)
    return _Tally(
        keys=none, ticks=none, near_ticks=none, closest=nothing, differences=nothing, steps=none
    )


def _lengths(vectors: FloatArray) -> FloatArray:
    lengths: FloatArray = np.hypot(vectors[:, 0], vectors[:, 1])
    return lengths
