"""How people of a crowd walk, keep apart, gather and arrive, and how far crowds differ in that.

Everything is measured on a clock of 0.4 s, the annotation step of the ETH recordings. Distributions
are kept whole and compared by the Kolmogorov-Smirnov distance, the largest difference between the
shares of both samples up to any value; shares are compared by their difference.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import median

import numpy as np

from paseo.crowd_check.courses import (
    STANDING,
    curvatures,
    path_efficiencies,
    speed_variations,
)
from paseo.crowd_check.samples import CLOCK, MAX_MOMENTS, TrackSamples, moments
from paseo.crowd_check.walking_groups import (
    Encounters,
    encounters,
    group_labels,
    nearest_others,
    pairs_at_once,
    walking_groups,
)
from paseo.data.recordings.groups import Groups, merged
from paseo.errors import BadValue
from paseo.world.arrays import FloatArray
from paseo.world.tracks import INSTANT, Track

PASSING = 4.0  # metres; who never comes so near does not pass
CLOSE, IMMINENT = 6.0, 1.5  # metres, seconds: who is near, and touches soon
TOUCHING = 0.4  # metres between centres: two radii of 0.2 m
WINDOW, WINDOW_STEP = 60.0, 15.0  # seconds

Window = tuple[float, float]  # seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistic:
    """Something that is measured of a crowd."""

    name: str  # with its unit, as in files
    words: str
    is_share: bool = False


STATISTICS = (
    Statistic(name="walking_speed_mps", words="walking speed [m/s]"),
    Statistic(name="time_standing", words="share of time standing", is_share=True),
    Statistic(name="nearest_neighbour_m", words="nearest neighbour [m]"),
    Statistic(name="nearest_stranger_m", words="nearest stranger [m]"),
    Statistic(name="people_in_groups", words="share of people in groups", is_share=True),
    Statistic(name="path_curvature_per_m", words="path curvature [1/m]"),
    Statistic(name="inter_arrival_s", words="gap between arrivals [s]"),
    Statistic(name="people_at_once", words="people at once"),
    Statistic(name="closest_approach_m", words="closest approach of strangers [m]"),
    Statistic(name="imminent_conflicts", words="strangers about to touch", is_share=True),
    Statistic(name="path_efficiency", words="straight distance over way walked"),
    Statistic(name="speed_variation", words="variation of a person's speed"),
)
DISTRIBUTIONS = tuple(each.name for each in STATISTICS if not each.is_share)
SHARES = tuple(each.name for each in STATISTICS if each.is_share)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Profile:
    """All that is measured of one crowd, before anything is summarised."""

    people: int  # seen at a tick at least
    duration: float  # seconds
    samples: dict[str, FloatArray]  # of each distribution, (samples,), sorted
    counts: dict[str, tuple[int, int]]  # of each share: how many, of how many

    def value(self, name: str) -> float | None:
        """The median of a distribution or the value of a share; None of nothing."""
        if name in self.counts:
            part, whole = self.counts[name]
            return part / whole if whole else None
        samples = self.samples[name]
        return float(np.median(samples)) if len(samples) else None


def crowd_profile(
    tracks: Sequence[Track],
    *,
    groups: Iterable[Iterable[int]] | None = None,
    window: Window | None = None,
) -> Profile:
    """What these people do, from the first to the last sighting or in a window of time.

    Strangers are those who are in no group together: in none of the annotated `groups`, or by the
    rule of `walking_groups` where those are not known. The share of people in groups is always by
    the rule. Whoever is there when it begins did not arrive.
    """
    begin, end = _span(tracks) if window is None else window
    first, last = _ticks(begin, end)
    here = [t for t in tracks if t.times[-1] >= begin - INSTANT and t.times[0] <= end + INSTANT]
    at = _between(moments(here), first, last)
    met = encounters(at)
    by_rule = walking_groups(at, met)
    together = by_rule if groups is None else merged(groups)
    people = len(np.unique(at.people))
    speeds = at.speeds[~np.isnan(at.speeds)]
    samples = {
        **_distances(at, met, together),
        "walking_speed_mps": speeds[speeds > STANDING],
        "path_curvature_per_m": curvatures(at),
        "path_efficiency": path_efficiencies(at),
        "speed_variation": speed_variations(at),
        "inter_arrival_s": _arrival_gaps(here, begin),
        "people_at_once": np.bincount(at.ticks - first, minlength=last - first + 1).astype(float),
    }
    return Profile(
        people=people,
        duration=end - begin,
        samples={name: np.sort(samples[name]) for name in DISTRIBUTIONS},
        counts={
            "time_standing": (int((speeds < STANDING).sum()), len(speeds)),
            "people_in_groups": (sum(map(len, by_rule)), people),
            "imminent_conflicts": _conflicts(at, together),
        },
    )


def pooled(profiles: Sequence[Profile]) -> Profile:
    """Several crowds as one: their samples together, their counts added."""
    return Profile(
        people=sum(each.people for each in profiles),
        duration=sum(each.duration for each in profiles),
        samples={
            name: np.sort(np.concatenate([np.empty(0), *(each.samples[name] for each in profiles)]))
            for name in DISTRIBUTIONS
        },
        counts={
            name: (
                sum(each.counts[name][0] for each in profiles),
                sum(each.counts[name][1] for each in profiles),
            )
            for name in SHARES
        },
    )


def ks_distance(a: FloatArray, b: FloatArray) -> float:
    """The largest difference between the empirical distributions of two samples, none empty."""
    values = np.concatenate([a, b])
    up_to_a = np.searchsorted(np.sort(a), values, side="right") / len(a)
    up_to_b = np.searchsorted(np.sort(b), values, side="right") / len(b)
    return float(np.abs(up_to_a - up_to_b).max())


def compared(a: Profile, b: Profile) -> dict[str, float]:
    """How far two crowds are apart in each statistic; without those that one of them lacks."""
    distances = {}
    for each in STATISTICS:
        one, other = a.value(each.name), b.value(each.name)
        if one is None or other is None:
            continue
        if each.is_share:
            distances[each.name] = abs(one - other)
        else:
            distances[each.name] = ks_distance(a.samples[each.name], b.samples[each.name])
    return distances


def bars(profiles: Sequence[Profile]) -> dict[str, float]:
    """How far real crowds are apart in each statistic: the median over all pairs of them."""
    pairs = [compared(a, b) for a, b in combinations(profiles, 2)]
    found = {
        each.name: [pair[each.name] for pair in pairs if each.name in pair] for each in STATISTICS
    }
    return {name: median(distances) for name, distances in found.items() if distances}


def windows(
    tracks: Sequence[Track], groups: Iterable[Iterable[int]] | None = None
) -> list[Profile]:
    """The crowd in each whole window of 60 s, one every 15 s."""
    begin, end = _span(tracks)
    count = int((end - begin - WINDOW + INSTANT) // WINDOW_STEP) + 1
    starts = [begin + k * WINDOW_STEP for k in range(count)]
    together = None if groups is None else merged(groups)
    return [
        crowd_profile(tracks, groups=together, window=(start, start + WINDOW)) for start in starts
    ]


def usual_ranges(profiles: Sequence[Profile]) -> dict[str, tuple[float, float]]:
    """From the 5 to the 95 % quantile of medians and shares of several crowds."""
    ranges = {}
    for each in STATISTICS:
        values = [value for one in profiles if (value := one.value(each.name)) is not None]
        if values:
            low, high = np.quantile(values, [0.05, 0.95])
            ranges[each.name] = float(low), float(high)
    return ranges


def _span(tracks: Sequence[Track]) -> Window:
    first = min((float(track.times[0]) for track in tracks), default=0.0)
    return first, max((float(track.times[-1]) for track in tracks), default=0.0)


def _ticks(begin: float, end: float) -> tuple[int, int]:
    """The first and the last tick from one time to another."""
    if not 0.0 <= end - begin <= MAX_MOMENTS * CLOCK:
        raise BadValue(
            f"the crowd is there from {begin:g} to {end:g} s, expected at most "
            f"{MAX_MOMENTS * CLOCK / 3600:.0f} hours; cut it, or check its frame rate"
        )
    return int(np.ceil((begin - INSTANT) / CLOCK)), int(np.floor((end + INSTANT) / CLOCK))


def _between(at: TrackSamples, first: int, last: int) -> TrackSamples:
    """The moments from one tick to another; the steps beyond the last are not known."""
    inside = (at.ticks >= first) & (at.ticks <= last)
    beyond = at.ticks[inside] == last
    return TrackSamples(
        ticks=at.ticks[inside],
        people=at.people[inside],
        positions=at.positions[inside],
        velocities=np.where(beyond[:, None], np.nan, at.velocities[inside]),
    )


def _distances(at: TrackSamples, met: Encounters, groups: Groups) -> dict[str, FloatArray]:
    """How near people are to the nearest one, to the nearest stranger, and come to strangers."""
    labels = group_labels(at.people, groups)
    to_anybody, to_strangers = nearest_others(at, at.people, labels)
    mates = group_labels(np.concatenate([met.first, met.second]), groups)
    are_strangers = mates[: len(met.first)] != mates[len(met.first) :]
    return {
        "nearest_neighbour_m": to_anybody[np.isfinite(to_anybody)],
        "nearest_stranger_m": to_strangers[np.isfinite(to_strangers)],
        "closest_approach_m": met.closest[are_strangers & (met.closest < PASSING)],
    }


def _conflicts(at: TrackSamples, groups: Groups) -> tuple[int, int]:
    """Pairs of strangers about to touch, of all within CLOSE who do not touch yet.

    About to: at the velocities of this tick they would within IMMINENT.
    """
    labels = group_labels(at.people, groups)
    touching = pairs_seen = 0
    for pairs in pairs_at_once(at):
        velocities = at.velocities[pairs.second] - at.velocities[pairs.first]
        counted = (
            (pairs.gaps < CLOSE)
            & (pairs.gaps >= TOUCHING)
            & (labels[pairs.first] != labels[pairs.second])
            & ~np.isnan(velocities[:, 0])
        )
        velocities = velocities[counted]
        apart = at.positions[pairs.second[counted]] - at.positions[pairs.first[counted]]
        closing, square = -(apart * velocities).sum(axis=1), (velocities**2).sum(axis=1)
        times = np.clip(closing / np.maximum(square, 1e-12), 0.0, IMMINENT)
        nearest = apart + times[:, None] * velocities
        touching += int((np.hypot(nearest[:, 0], nearest[:, 1]) < TOUCHING).sum())
        pairs_seen += len(apart)
    return touching, pairs_seen


def _arrival_gaps(tracks: Sequence[Track], begin: float) -> FloatArray:
    """Seconds between one person's first sighting and the next one's."""
    firsts = np.sort(np.array([track.times[0] for track in tracks]))
    gaps: FloatArray = np.diff(firsts[firsts > begin + INSTANT])
    return gaps.round(6)  # gaps of the same number of frames are equal
