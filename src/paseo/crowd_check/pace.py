"""Do these people walk like people? Frame rate and scale, told from pace and spacing alone.

Medians of walking speed differ between places by as much as a wrong frame rate changes them; the
speed that people hardly ever exceed does not: near 2.1 m/s walking becomes running. It is the 99 %
quantile over people who cross the scene, so that those who stand and chat do not count.

A wrong frame rate changes speeds only, a wrong scale changes distances as well. People who walk
together keep a distance that does not depend on the clock, and so the two can be told apart.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from paseo.crowd_check.samples import CLOCK, TrackSamples, evenly
from paseo.world.arrays import FloatArray, IntArray
from paseo.world.tracks import Track

TOP = 0.99
LEAST_WALKERS = 40  # of fewer, the fastest hundredth is too much a matter of chance
CROSSING = 1 / 3  # of the scene's diagonal, as the crow flies
STRAIGHT = 0.7  # of the way walked
TOGETHER = 0.25  # of the faster one's speed: velocities that differ by less are taken for equal
CLOSE_QUANTILE = 0.25
LEAST_PAIRS, COMPANY = 100, 0.35  # moments, and their share, in which somebody walks the same way
MOST_TICKS, MOST_AT_ONCE = 1500, 200  # ticks, and people at one, that are looked at
SUREST = 0.99  # five crowds do not vouch for more
DRAWS = 100  # of walkers, for the sampling error of their top speed

# The same statistics of the five recordings of ETH and UCY at their true frame rates, in metres
# and seconds; tests compute them again. They are all the real crowds there are to compare with.
TOP_SPEEDS = {"eth": 2.217, "hotel": 2.238, "univ": 1.8553, "zara01": 2.223, "zara02": 2.186}
SPACINGS = {"eth": 0.776, "hotel": 0.667, "univ": 0.563, "zara01": 0.708, "zara02": 0.570}


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkingPace:
    """How fast and how close people walk, compared with real crowds."""

    walkers: int  # people who cross the scene
    top_speed: float | None  # m/s; None with fewer than LEAST_WALKERS
    error: float = 0.0  # standard error of log top_speed
    spacing: float | None = None  # metres between people who walk together, if there are any

    @property
    def speed_ratio(self) -> float | None:
        """How many times faster than real walkers they are."""
        return None if self.top_speed is None else self.top_speed / typical(TOP_SPEEDS)

    @property
    def spacing_ratio(self) -> float | None:
        """How many times further apart than real people who walk together they are."""
        return None if self.spacing is None else self.spacing / typical(SPACINGS)

    @property
    def uncertainty(self) -> float:
        """Standard deviation of log speed_ratio of a crowd with nothing wrong."""
        return math.hypot(spread(TOP_SPEEDS), self.error)

    @property
    def implausibility(self) -> float:
        """From 0 to 1: how sure it is that no real crowd at its true rate and scale is like this.

        One minus the chance of a top speed so far off, by Student's t for a sixth crowd after five.
        """
        ratio = self.speed_ratio
        if ratio is None:
            return 0.0
        if ratio == 0:
            return SUREST
        return min(SUREST, _within_t4(math.log(ratio) / self.uncertainty))

    @property
    def spacing_fits(self) -> bool:
        """Whether the spacing is like that of real crowds, or not known."""
        ratio = self.spacing_ratio
        return ratio is None or abs(math.log(max(ratio, 1e-9))) < 3 * spread(SPACINGS)

    def scale_is_likelier(self) -> float:
        """The chance that the scale, not the frame rate, is wrong, if one of them is."""
        speed, spacing = self.speed_ratio, self.spacing_ratio
        if not speed or not spacing:
            return 0.5
        x, y = math.log(speed), math.log(spacing)
        if x * y < 0 and abs(y) > spread(SPACINGS):
            return 0.05  # no scale makes people slower and further apart
        far_if_rate = (y / spread(SPACINGS)) ** 2
        far_if_scale = (x - y) ** 2 / (self.uncertainty**2 + spread(SPACINGS) ** 2)
        return 1 / (1 + math.exp(min(max((far_if_scale - far_if_rate) / 2, -500), 500)))


def pace(tracks: Sequence[Track], at: TrackSamples) -> WalkingPace:
    """The pace of the people on these tracks, `at` being the same on the common clock."""
    crossing = walkers(tracks, at)
    if len(crossing) < LEAST_WALKERS:
        return WalkingPace(walkers=len(crossing), top_speed=None)
    speeds = at.speeds
    seen = ~np.isnan(speeds) & at.of_people(crossing)
    if not seen.any():  # all are gone before the next tick
        return WalkingPace(walkers=len(crossing), top_speed=None)
    top = float(np.quantile(speeds[seen], TOP))
    return WalkingPace(
        walkers=len(crossing),
        top_speed=top,
        error=_top_speed_error(at.people[seen], speeds[seen]),
        spacing=_spacing(at, moving_above=top / 8),
    )


def walkers(tracks: Sequence[Track], at: TrackSamples) -> list[int]:
    """Ids of the people who cross a good part of the scene without much detour.

    The way is measured on the clock: from sample to sample, the noise of a tracker would add to it.
    """
    if not len(at):
        return []
    low, high = np.quantile(at.positions, [0.01, 0.99], axis=0)
    least = CROSSING * math.hypot(*(high - low))
    begins = np.nonzero(np.diff(at.people, prepend=at.people[0] - 1))[0]
    walked = np.add.reduceat(np.nan_to_num(at.speeds), begins) * CLOCK
    ends = {track.id: track.positions[[0, -1]] for track in tracks}
    found = []
    for person, way in zip(at.people[begins].tolist(), walked.tolist(), strict=True):
        net = math.hypot(*(ends[person][1] - ends[person][0]))
        if 0 < least <= net and net >= STRAIGHT * way:
            found.append(person)
    return found


def typical(values: dict[str, float]) -> float:
    """The geometric mean."""
    return math.exp(float(np.mean(np.log(list(values.values())))))


def spread(values: dict[str, float]) -> float:
    """The standard deviation of the logarithm to expect of one more value."""
    logs = np.log(list(values.values()))
    return float(logs.std(ddof=1)) * math.sqrt(1 + 1 / len(logs))


def _top_speed_error(people: IntArray, speeds: FloatArray) -> float:
    """Standard error of the log of the top speed, from drawing walkers with replacement."""
    groups = np.split(speeds, np.nonzero(np.diff(people))[0] + 1)
    rng = np.random.default_rng(0)  # the same for every crowd: the error is a fact about the crowd
    tops = []
    for _ in range(DRAWS):
        drawn = rng.integers(len(groups), size=len(groups))
        tops.append(np.quantile(np.concatenate([groups[k] for k in drawn]), TOP))
    return float(np.log(np.maximum(tops, 1e-12)).std())


def _spacing(at: TrackSamples, moving_above: float) -> float | None:
    """How near the nearest person is who walks the same way, as the 25 % quantile of moments."""
    speeds = at.speeds
    nearest, moments = [], 0
    for here in at.by_tick(MOST_TICKS):
        moments += len(here)
        moving = evenly(here[speeds[here] > moving_above], MOST_AT_ONCE)  # NaN is not above
        if len(moving) < 2:
            continue
        gaps = _distances(at.positions[moving])
        differences = _distances(at.velocities[moving])
        faster = np.maximum(speeds[moving][:, None], speeds[moving][None, :])
        alike = differences < TOGETHER * faster
        np.fill_diagonal(alike, False)
        closest = np.where(alike, gaps, np.inf).min(axis=1)
        nearest.append(closest[np.isfinite(closest)])
    found = np.concatenate(nearest) if nearest else np.empty(0)
    if len(found) < max(LEAST_PAIRS, COMPANY * moments):
        return None
    return float(np.quantile(found, CLOSE_QUANTILE))


def _distances(points: FloatArray) -> FloatArray:
    apart: FloatArray = points[:, None, :] - points[None, :, :]
    return np.hypot(apart[:, :, 0], apart[:, :, 1])


def _within_t4(t: float) -> float:
    """The chance that Student's t with 4 degrees of freedom is nearer to 0 than t."""
    shrunk = abs(t) / math.sqrt(1 + t * t / 4)
    return 0.75 * shrunk * (1 - shrunk * shrunk / 12)
