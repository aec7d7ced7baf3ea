"""Real crowds to measure others by: what ships about them, and how near a crowd comes to one.

What ships holds summaries of the five recordings, never tracks: percentiles, shares, and how far
the five are apart from each other. With a recording at hand its own samples are used instead.
"""

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import Enum
from functools import cache
from importlib import resources

import msgspec
import numpy as np

from paseo.crowd_check.realism import (
    DISTRIBUTIONS,
    SHARES,
    STATISTICS,
    WINDOW,
    Profile,
    Statistic,
    bars,
    compared,
    crowd_profile,
    pooled,
    usual_ranges,
    windows,
)
from paseo.errors import BadFile, UnknownName
from paseo.world.arrays import FloatArray, IntArray
from paseo.world.tracks import Recording

RECORDED = ("eth", "hotel", "univ", "zara01", "zara02")
PLACES = {**{name: (name,) for name in RECORDED}, "zara": ("zara01", "zara02")}
PLACE_OF_MAP = {
    "ETH": "eth", "HotelSmall": "hotel", "DoubleHotel": "hotel", "Univ": "univ", "Zara": "zara",
}  # fmt: skip
AIM = 0.5  # of the bar
SHORT = 1.5 * WINDOW  # crowds that last no longer are also held against windows of real ones
PERCENTILES = np.arange(101) / 100
ABOUT = (
    "Summaries of the ETH and UCY recordings on a clock of 0.4 s. percentiles: 0 to 100 %. bars: "
    "median distance over the ten pairs of recordings. window_ranges: 5 to 95 % quantiles of the "
    "median (of a share: the value) over windows of 60 s, one every 15 s. Made by "
    "paseo.crowd_check.real_crowds.measured_real_crowds; see docs/why/realism.md."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """What is known of a place's real crowd without its recordings."""

    name: str
    recordings: tuple[str, ...]
    people: int
    duration_s: float
    windows: int
    shares: dict[str, float]
    window_ranges: dict[str, tuple[float, float]]
    percentiles: dict[str, tuple[float, ...]]  # of each distribution, from 0 to 100 %

    def value(self, name: str) -> float:
        """The median of a distribution or the value of a share."""
        return self.shares[name] if name in self.shares else self.percentiles[name][50]


@dataclass(frozen=True, slots=True, kw_only=True)
class RealCrowds:
    """All that ships about real crowds."""

    format: str = "paseo-real-crowds"
    version: int = 1
    about: str = ABOUT
    bars: dict[str, float]
    places: list[Place]

    def place(self, name: str) -> Place:
        """The place of this name."""
        found = {place.name: place for place in self.places}
        if name not in found:
            raise UnknownName("place", name, found)
        return found[name]


class PlaceComparison(Enum):
    """How a distance compares with those between real crowds."""

    WITHIN_AIM = "within aim"
    WITHIN_BAR = "within bar"
    BEYOND = "beyond"


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """One statistic of a crowd beside a real one's."""

    statistic: Statistic
    crowd: float | None  # median or share; None where the crowd has nothing of the kind
    real: float
    distance: float | None  # Kolmogorov-Smirnov, or of shares the difference
    bar: float
    window_range: tuple[float, float]  # of real windows of 60 s
    inside: int = 0  # of the short parts with a value: how many are in that range
    parts: int = 0

    @property
    def verdict(self) -> PlaceComparison | None:
        """None where there is no distance."""
        if self.distance is None:
            return None
        if self.distance <= self.bar * AIM:
            return PlaceComparison.WITHIN_AIM
        return PlaceComparison.WITHIN_BAR if self.distance <= self.bar else PlaceComparison.BEYOND


@dataclass(frozen=True, slots=True, kw_only=True)
class Likeness:
    """How near a crowd comes to the real one of a place, by all statistics."""

    place: Place
    exact: bool  # by the recording, not by its percentiles
    judgements: tuple[Judgement, ...]

    @property
    def in_bars(self) -> float:
        """The mean distance with the bars as unit; infinite if nothing could be compared."""
        known = [each.distance / each.bar for each in self.judgements if each.distance is not None]
        return sum(known) / len(known) if known else math.inf


@cache
def shipped_real_crowds() -> RealCrowds:
    """The real crowds in the package; not to be modified."""
    file = resources.files("paseo.data") / "shipped" / "real_crowds.json"
    found = msgspec.json.decode(file.read_bytes(), type=RealCrowds)
    if (found.format, found.version) != ("paseo-real-crowds", 1):
        raise BadFile(
            f"{file}: is {found.format} version {found.version}, expected paseo-real-crowds "
            "version 1; install Paseo again"
        )
    return found


def likeness(
    parts: Sequence[Profile], place: Place, bars: Mapping[str, float], real: Profile | None = None
) -> Likeness:
    """How near a crowd of one or several parts comes to a place, exactly where `real` is known."""
    crowd = pooled(parts)
    distances = _approximate(crowd, place) if real is None else compared(crowd, real)
    short = [part for part in parts if part.duration <= SHORT]
    judgements = []
    for each in STATISTICS:
        low, high = place.window_ranges[each.name]
        values = [value for one in short if (value := one.value(each.name)) is not None]
        judgements.append(
            Judgement(
                statistic=each,
                crowd=crowd.value(each.name),
                real=place.value(each.name),
                distance=distances.get(each.name),
                bar=bars[each.name],
                window_range=(low, high),
                inside=sum(low <= value <= high for value in values),
                parts=len(values),
            )
        )
    return Likeness(place=place, exact=real is not None, judgements=tuple(judgements))


def ks_distance_to_percentiles(samples: FloatArray, percentiles: Sequence[float]) -> float:
    """The Kolmogorov-Smirnov distance to a distribution known by its percentiles, 0 to 100 %.

    Its distribution function is taken as straight between them: the result is off by up to 0.02.
    """
    knots = np.array(percentiles)
    values = np.concatenate([samples, knots])
    ordered = np.sort(samples)
    upto = np.searchsorted(ordered, values, side="right") / len(samples)
    below = np.searchsorted(ordered, values, side="left") / len(samples)
    right = _share_below(values, knots, np.searchsorted(knots, values, side="right"))
    left = _share_below(values, knots, np.searchsorted(knots, values, side="left"))
    return float(max(np.abs(upto - right).max(), np.abs(below - left).max()))


def measured_real_crowds(recordings: Mapping[str, Recording]) -> RealCrowds:
    """The five recordings by name, summed up and rounded as they ship."""
    profiles = {name: recorded_profile(recordings[name]) for name in RECORDED}
    parts = {
        name: windows(recordings[name].tracks, recordings[name].groups or None) for name in RECORDED
    }
    distances = bars(list(profiles.values()))
    return RealCrowds(
        bars={name: _rounded(value) for name, value in distances.items()},
        places=[
            _place(
                place,
                pooled([profiles[name] for name in names]),
                [part for name in names for part in parts[name]],
            )
            for place, names in PLACES.items()
        ],
    )


def recorded_profile(recording: Recording) -> Profile:
    """The profile of a recording, its strangers told by its own groups if it has them."""
    return crowd_profile(recording.tracks, groups=recording.groups or None)


def real_crowds_text(real_crowds: RealCrowds) -> str:
    """Real crowds as the text of their file: each list of numbers on one line."""
    text = json.dumps(asdict(real_crowds), indent=1)
    return re.sub(r"\[\s+([^][{}]*?)\s+\]", _on_one_line, text) + "\n"


def _on_one_line(found: re.Match[str]) -> str:
    return f"[{' '.join(found[1].split())}]"


def _place(name: str, crowd: Profile, parts: Sequence[Profile]) -> Place:
    return Place(
        name=name,
        recordings=PLACES[name],
        people=crowd.people,
        duration_s=round(crowd.duration, 3),
        windows=len(parts),
        shares={share: _rounded(crowd.value(share) or 0.0) for share in SHARES},
        window_ranges={
            each: (_rounded(low), _rounded(high))
            for each, (low, high) in usual_ranges(parts).items()
        },
        percentiles={
            each: tuple(map(_rounded, np.quantile(crowd.samples[each], PERCENTILES)))
            for each in DISTRIBUTIONS
        },
    )


def _rounded(value: float) -> float:
    return float(f"{value:.5g}")


def _approximate(crowd: Profile, place: Place) -> dict[str, float]:
    distances = {}
    for name in DISTRIBUTIONS:
        if len(crowd.samples[name]):
            distances[name] = ks_distance_to_percentiles(
                crowd.samples[name], place.percentiles[name]
            )
    for name in SHARES:
        value = crowd.value(name)
        if value is not None:
            distances[name] = abs(value - place.shares[name])
    return distances


def _share_below(values: FloatArray, knots: FloatArray, places: IntArray) -> FloatArray:
    """The share up to each value, which belongs between knots[place - 1] and knots[place]."""
    high = np.clip(places, 1, len(knots) - 1)
    low, between = high - 1, high == places
    width = np.where(between, knots[high] - knots[low], 1.0)
    part = np.where(between, (values - knots[low]) / width, places > 0)
    shares: FloatArray = PERCENTILES[low] + part * (PERCENTILES[high] - PERCENTILES[low])
    return np.where(places > 0, shares, 0.0)
