"""Places of one person on a row of moments, and the fit through them."""

import math
from dataclasses import dataclass, replace

import numpy as np

from paseo.pipeline.places import Places
from paseo.pipeline.smoothing.fitting import fitted, left_out_surprises
from paseo.pipeline.smoothing.gating import begun
from paseo.pipeline.smoothing.motion import CARTESIAN, UNICYCLE
from paseo.pipeline.smoothing.polar import cartesian, cartesian_gains, polar, velocities
from paseo.pipeline.smoothing.tracks import SmoothTrack
from paseo.world.arrays import BoolArray, FloatArray

NEAREST = 0.3  # metres from the camera, at least
MOST_STRETCH = 3.0  # by which a distance may differ from what it was measured to be
SETTLED = 1e-3  # metres by which a fit may still move with another round
FIRST_TURN = 1.0  # radians, deviation of the first heading of a unicycle


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Moments, and the places at some of them."""

    times: FloatArray
    positions: FloatArray  # (moments, 2); NaN: no place
    covariances: FloatArray  # (moments, 2, 2), without what lasts
    lasting: FloatArray  # (moments, 2, errors)
    origins: FloatArray  # (moments, 2), of the camera; NaN: not told

    def cut(self, span: slice) -> "Grid":
        """The moments of a span."""
        return Grid(
            self.times[span],
            self.positions[span],
            self.covariances[span],
            self.lasting[span],
            self.origins[span],
        )

    def about(self, believed: FloatArray) -> "Grid":
        """The places as measurements of one over the distance, linear about where people were.

        What is placed too near by chance would say that it is surer than what is placed too far,
        and draw tracks towards the camera. Bell and Cathey 1993: an iterated filter is Gauss's
        and Newton's method.
        """
        ray = self.positions - self.origins
        told = np.hypot(*ray.T)
        known = told > NEAREST  # False where there is no place, or no camera
        out = np.where(known, ray.T / np.where(known, told, 1.0), 0.0).T  # (moments, 2)
        there = np.einsum("ki,ki->k", np.where(known, (believed - self.origins).T, 0.0).T, out)
        there = np.clip(there, np.maximum(told / MOST_STRETCH, NEAREST), told * MOST_STRETCH)
        stretch = np.where(known, there / np.where(known, told, 1.0), 1.0)
        along = out[:, :, None] * out[:, None, :]
        bent = np.eye(2) * stretch[:, None, None] + along * (stretch**2 - stretch)[:, None, None]
        moved = self.origins + out * (2 * there - there * stretch)[:, None]
        return Grid(
            self.times,
            np.where(known[:, None], moved, self.positions),
            bent @ self.covariances @ bent.transpose(0, 2, 1),
            bent @ self.lasting,
            self.origins,
        )

    def moved(self, error: int) -> "Grid":
        """With places where they would be if a lasting error were larger by a deviation."""
        return replace(self, positions=self.positions + self.lasting[..., error])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Model:
    """How people move, as the kernels take it."""

    kind: int
    noise: FloatArray
    new_speed: float
    first_span: float  # seconds from which a unicycle's first heading is told


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fit:
    """A track in the coordinates of its model, from its first to its last place."""

    model: Model
    grid: Grid
    used: BoolArray
    turns: BoolArray
    states: FloatArray
    spreads: FloatArray
    gains: FloatArray
    squares: FloatArray  # normalised innovations; NaN: none

    def believed(self, limit: float) -> BoolArray:
        """Which places agree with all others; of neighbours that do not, the worst goes first."""
        grid = self.grid
        off = left_out_surprises(
            self.states, self.spreads, grid.positions, grid.covariances, self.used
        )
        there = np.nonzero(~np.isnan(off))[0]
        at, was_used = off[there], self.used[there]
        beside = np.pad(np.where(was_used, at, 0.0), 1)
        worst = (at >= beside[:-2]) & (at >= beside[2:])
        result = self.used.copy()
        result[there] = (at <= limit) | (was_used & ~worst)
        return result

    def positions_at(self, times: FloatArray) -> FloatArray:
        """Where the person was, (times, 2), straight between moments."""
        x, y = self.states[:, 0], self.states[:, 1]
        own = self.grid.times
        return np.column_stack([np.interp(times, own, x), np.interp(times, own, y)])

    def is_near(self, other: "Fit | None") -> bool:
        """Whether another fit is so like this that no other round is needed."""
        if other is None:
            return False
        off = self.states[:, :2] - other.positions_at(self.grid.times)
        return bool(np.abs(off).max() < SETTLED)

    def track(self, person: int, *, common: int) -> SmoothTrack:
        """The track in the coordinates of everybody; what it rejected is told by others."""
        gains = self.gains
        states, covariances = self.states, self.spreads
        if self.model.kind == UNICYCLE:
            gains = cartesian_gains(states, gains)
            states, covariances = cartesian(states, covariances)
        lasting = self._lasting(states) if self.grid.lasting.shape[2] else None
        if lasting is not None:
            covariances = covariances + lasting @ lasting.transpose(0, 2, 1)
        states, covariances = polar(states, covariances)
        return SmoothTrack(
            person=person,
            times=self.grid.times,
            states=states,
            covariances=covariances,
            rejected=np.empty(0),
            gains=gains,
            lasting=lasting,
            common=common,
        )

    def _lasting(self, states: FloatArray) -> FloatArray:
        """What each lasting error does to x, y and velocity: exact, where the model is linear."""
        found = []
        for error in range(self.grid.lasting.shape[2]):
            fit = fit_of(self.model, self.grid.moved(error), self.used, self.turns)
            is_polar = self.model.kind == UNICYCLE
            found.append((velocities(fit.states) if is_polar else fit.states) - states)
        return np.stack(found, axis=2)


def grid_of(places: Places, part: slice, moments: FloatArray) -> Grid:
    """Some of the places, at their own moments and at those of others that lie between."""
    own = places.times[part]
    times = np.union1d(own, moments[(moments > own[0]) & (moments < own[-1])])
    at = np.searchsorted(times, own)
    positions, covariances = np.full((len(times), 2), np.nan), np.full((len(times), 2, 2), np.nan)
    positions[at], covariances[at] = places.positions[part], passing(places)[part]
    errors = 0 if places.lasting is None else places.lasting.shape[2]
    lasting = np.zeros((len(times), 2, errors))
    if places.lasting is not None:
        lasting[at] = places.lasting[part]
    origins = np.full((len(times), 2), np.nan)
    if places.origins is not None:
        origins[at] = places.origins[part]
    return Grid(times, positions, covariances, lasting, origins)


def passing(places: Places) -> FloatArray:
    """The covariances, (samples, 2, 2), without what lasts."""
    if places.lasting is None:
        return places.covariances
    return places.covariances - places.lasting @ places.lasting.transpose(0, 2, 1)


def fit_of(model: Model, grid: Grid, used: BoolArray, turns: BoolArray) -> Fit:
    """The smooth way through the places that are used, of which the first is one."""
    deviations = np.array([model.new_speed, model.new_speed])
    first, doubt = begun(grid.positions[0], grid.covariances[0], model.new_speed)
    if model.kind != CARTESIAN:
        deviations[0] = FIRST_TURN
        first[2:] = _first_motion(grid.times[used], grid.positions[used], model.first_span)
        doubt[2, 2] = FIRST_TURN**2
    states, spreads, gains, squares = fitted(
        model.kind,
        model.noise,
        grid.times,
        grid.positions,
        grid.covariances,
        used,
        turns[:, None] * deviations**2,
        first,
        doubt,
    )
    return Fit(
        model=model,
        grid=grid,
        used=used,
        turns=turns,
        states=states,
        spreads=spreads,
        gains=gains,
        squares=squares,
    )


def _first_motion(times: FloatArray, positions: FloatArray, within: float) -> FloatArray:
    """Heading and speed from the first place to the first that is so much later."""
    last = min(int(np.searchsorted(times, times[0] + within)), len(times) - 1)
    moved = positions[last] - positions[0]
    speed = float(np.hypot(*moved)) / (times[last] - times[0])
    return np.array([math.atan2(moved[1], moved[0]), speed])
