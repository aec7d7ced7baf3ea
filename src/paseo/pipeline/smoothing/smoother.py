"""Smooth tracks through places: the seam `Smoother`, and Paseo's own."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise
from typing import Protocol

import numpy as np

from paseo.errors import BadValue
from paseo.pipeline.places import Places
from paseo.pipeline.smoothing.fits import Fit, Grid, Model, fit_of, grid_of, passing
from paseo.pipeline.smoothing.gating import gated
from paseo.pipeline.smoothing.motion import CARTESIAN, UNICYCLE
from paseo.pipeline.smoothing.tracks import SmoothTrack
from paseo.progress import Progress, silent
from paseo.world.arrays import BoolArray, FloatArray

MOST_ROUNDS = 8  # of leaving out what does not fit and looking again
NARROWEST = 1e-10  # m², the least variance of a place
NEVER = np.empty(0)


class Smoother(Protocol):
    """Makes tracks of one person's places."""

    def tracks(self, places: Places, times: FloatArray) -> tuple[SmoothTrack, ...]:
        """Tracks of one person, in order, known also at those of `times` that they span."""


class Motion(Enum):
    """How people are taken to move."""

    CARTESIAN = "cartesian"  # the velocity wanders
    UNICYCLE = "unicycle"  # heading and speed wander


@dataclass(frozen=True, slots=True, kw_only=True)
class KalmanSmoother:
    """A Kalman filter that does not believe everything, and a smoother back over it.

    The defaults were chosen on crowds that benchmarks/pipeline/smoothing.py does not report on.
    """

    motion: Motion = Motion.CARTESIAN
    acceleration: float = 0.08  # m²/s³, spectral density of what people do on a whim
    turning: float = 0.2  # rad²/s, likewise, of a unicycle
    new_speed: float = 1.0  # m/s, deviation of each part of the velocity of somebody new
    gate: float = 0.999  # share of right places that are believed
    patience: float = 1.0  # seconds of places that do not fit, after which they are right
    fastest: float = 3.0  # m/s; who would have to be faster is another person
    longest_gap: float = 3.0  # seconds unseen after which a track ends
    fewest: int = 3  # places of a track

    def __post_init__(self) -> None:
        for name in ("acceleration", "turning", "new_speed", "patience", "fastest", "longest_gap"):
            if not 0 < getattr(self, name) < math.inf:
                raise BadValue(f"a smoother's {name} is {getattr(self, name):g}, expected over 0")
        if not 0 < self.gate < 1:
            raise BadValue(f"a smoother's gate is {self.gate:g}, expected between 0 and 1")
        if not self.fewest >= 2:
            raise BadValue(f"a track of {self.fewest} places is none, expected 2 or more")

    def tracks(self, places: Places, times: FloatArray) -> tuple[SmoothTrack, ...]:
        """Tracks of one person, in order, known also at those of `times` that they span.

        There is more than one where the person was unseen for too long, or jumps. A place that
        belongs to none of them is rejected by the nearest.
        """
        fits = self.fits(places, times)
        found = [fit.track(places.person, common=places.common) for fit in fits]
        return _with_rejected(places, found, fits)

    def fits(self, places: Places, times: FloatArray = NEVER) -> list[Fit]:
        """The same before it is told in everybody's coordinates."""
        if not len(places.times):
            return []
        if (np.linalg.eigvalsh(passing(places))[:, 0] < NARROWEST).any():
            raise BadValue(
                f"a place of person {places.person} has a covariance that is not positive; "
                "expected how unsure it is in every direction, in square metres, beside what lasts"
            )
        edges = np.nonzero(np.diff(places.times) > self.longest_gap)[0] + 1
        ends = [0, *edges.tolist(), len(places.times)]
        grids = (grid_of(places, slice(*each), times) for each in pairwise(ends))
        return [fit for grid in grids for fit in self._fits(grid)]

    @property
    def limit(self) -> float:
        """The gate as a bound on normalised squares: chi square of two degrees of freedom."""
        return -2 * math.log(1 - self.gate)

    @property
    def model(self) -> Model:
        """How people move, as the kernels take it."""
        return Model(
            kind=UNICYCLE if self.motion is Motion.UNICYCLE else CARTESIAN,
            noise=np.array([self.acceleration, self.turning]),
            new_speed=self.new_speed,
            first_span=self.patience,
        )

    def _fits(self, grid: Grid) -> Iterator[Fit]:
        limits = np.array([self.limit, self.new_speed, self.patience, self.fastest])
        used, begins, turns = gated(
            self.model.noise, grid.times, grid.positions, grid.covariances, limits
        )
        edges = [*np.nonzero(begins)[0].tolist(), len(used)]
        for span in (slice(*each) for each in pairwise(edges)):
            fit = self._fit(grid.cut(span), used[span], turns[span])
            if fit is not None:
                yield fit

    def _fit(self, grid: Grid, used: BoolArray, turns: BoolArray) -> Fit | None:
        """The fit with all places that agree with the others; None if they are too few."""
        fit, is_linear = None, bool(np.isnan(grid.origins).all())
        for _ in range(MOST_ROUNDS):
            if used.sum() < self.fewest:
                return None
            before, known = fit, np.nonzero(used)[0]
            span = slice(known[0], known[-1] + 1)
            view = grid.cut(span)
            if before is not None and not is_linear:
                view = view.about(before.positions_at(view.times))
            fit = fit_of(self.model, view, used[span], turns[span])
            better = used.copy()
            better[span] = fit.believed(self.limit)
            if (better == used).all() and (is_linear or fit.is_near(before)):
                break
            used = better
        return fit


def smooth(
    places: Sequence[Places],
    smoother: Smoother | None = None,
    *,
    times: FloatArray = NEVER,
    progress: Progress = silent,
) -> tuple[SmoothTrack, ...]:
    """The tracks of everybody, known also at those of `times` that they span.

    Where one person becomes several tracks, those after the first get numbers that nobody has.
    """
    by = KalmanSmoother() if smoother is None else smoother
    free = max((each.person for each in places), default=0) + 1
    found = list[SmoothTrack]()
    for done, each in enumerate(places):
        progress("smoothing tracks", done, len(places))
        first, *others = by.tracks(each, times) or (None,)
        if first is not None:
            found.append(first)
        for track in others:
            found.append(replace(track, person=free, seen_as=each.person))
            free += 1
    progress("smoothing tracks", len(places), len(places))
    return tuple(found)


def normalised_innovations(places: Sequence[Places], smoother: KalmanSmoother) -> FloatArray:
    """The squared innovations of all places that were believed, each by its own covariance.

    Of a model that is right they are chi square of two degrees of freedom, and their mean is 2.
    """
    fits = (fit for each in places for fit in smoother.fits(each))
    return np.concatenate([NEVER, *(fit.squares[~np.isnan(fit.squares)] for fit in fits)])


def _with_rejected(
    places: Places, tracks: Sequence[SmoothTrack], fits: Sequence[Fit]
) -> tuple[SmoothTrack, ...]:
    """The tracks, each with the places that it did not believe, or that nobody did near it."""
    if not tracks:
        return ()
    believed = np.concatenate([fit.grid.times[fit.used] for fit in fits])
    lost = np.setdiff1d(places.times, believed)
    far = [np.maximum(t.times[0] - lost, 0) + np.maximum(lost - t.times[-1], 0) for t in tracks]
    nearest = np.argmin(far, axis=0)
    return tuple(replace(t, rejected=lost[nearest == k]) for k, t in enumerate(tracks))
