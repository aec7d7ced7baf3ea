"""SocialNav-SUB's own smoother, constants and arithmetic as published, for comparison with it.

Known faults, kept: the backward pass goes back from the Jacobian times the state instead of from
the prediction, headings are never wrapped, gaps are first filled with points half-way and then
taken for measurements, every step lasts the same, and the noise does not depend on the distance.
Facts: `structures.py` of github.com/michaelmunje/tune_3d_estimates.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from paseo.pipeline.places import Places
from paseo.pipeline.smoothing.polar import cartesian_gains
from paseo.pipeline.smoothing.tracks import SmoothTrack
from paseo.world.arrays import FloatArray, IntArray

OBSERVED = np.eye(2, 4)


@dataclass(frozen=True, slots=True, kw_only=True)
class SocialNavSubSmoother:
    """The authors' smoother; a track is known at every step from its first place to its last."""

    step: float = 0.25  # seconds
    first_speed: float = 0.325  # m/s
    process: tuple[float, float, float, float] = (1.5, 3.0, 0.3, 0.02)  # variances of each step
    measurement: tuple[float, float] = (5.0, 3.0)  # m², ahead and aside of the robot's first pose

    def tracks(self, places: Places, times: FloatArray) -> tuple[SmoothTrack, ...]:
        """One track, at the steps of `times`, or of the clock where there are none."""
        if len(places.times) < 2:
            return ()
        steps, clock = self._steps(places.times, times)
        known = dict(zip(steps.tolist(), places.positions, strict=True))
        filled = _filled(known)
        order = np.array(sorted(filled))
        measured = np.array([filled[each] for each in order.tolist()])
        states, covariances, gains = self._smoothed(measured)
        return (
            SmoothTrack(
                person=places.person,
                times=clock[order],
                states=states,
                covariances=covariances,
                rejected=np.empty(0),
                gains=cartesian_gains(states, gains),
            ),
        )

    def _steps(self, seen: FloatArray, times: FloatArray) -> tuple[IntArray, FloatArray]:
        """The number of each place's step, and the time of every step."""
        inner = np.union1d(times[(times >= seen[0]) & (times <= seen[-1])], seen)
        if len(times):
            return np.searchsorted(inner, seen), inner
        steps = np.rint((seen - seen[0]) / self.step).astype(np.int64)
        steps = np.maximum.accumulate(np.maximum(steps, np.arange(len(seen))))
        clock = seen[0] + self.step * np.arange(steps[-1] + 1)
        clock[steps] = seen
        return steps, clock

    def _smoothed(self, measured: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        states, spreads = self._filtered(measured)
        process, gains = np.diag(self.process), np.zeros((len(measured) - 1, 4, 4))
        for k in range(len(measured) - 2, -1, -1):
            jacobian = self._jacobian(states[k])
            ahead = jacobian @ spreads[k] @ jacobian.T + process
            gains[k] = spreads[k] @ jacobian.T @ np.linalg.inv(ahead)
            states[k] += gains[k] @ (states[k + 1] - jacobian @ states[k])
            spreads[k] += gains[k] @ (spreads[k + 1] - ahead) @ gains[k].T
        return states, spreads, gains

    def _filtered(self, measured: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The forward pass; the first place is met by a prediction too, a step ahead of it."""
        moved = measured[1] - measured[0]
        state = np.array([*measured[0], np.arctan2(moved[1], moved[0]), self.first_speed])
        spread, found = np.eye(4), []
        for place in measured:
            jacobian = self._jacobian(state)
            heading, speed = state[2:]
            moved = speed * self.step * np.array([np.cos(heading), np.sin(heading)])
            ahead = state + np.append(moved, (0.0, 0.0))
            spread = jacobian @ spread @ jacobian.T + np.diag(self.process)
            total = OBSERVED @ spread @ OBSERVED.T + np.diag(self.measurement)
            gain = spread @ OBSERVED.T @ np.linalg.inv(total)
            state = ahead + gain @ (place - OBSERVED @ ahead)
            spread = (np.eye(4) - gain @ OBSERVED) @ spread
            found.append((state, spread))
        return np.array([each for each, _ in found]), np.array([each for _, each in found])

    def _jacobian(self, state: FloatArray) -> FloatArray:
        heading, speed = state[2:]
        jacobian = np.eye(4)
        jacobian[0, 2:] = -speed * np.sin(heading) * self.step, np.cos(heading) * self.step
        jacobian[1, 2:] = speed * np.cos(heading) * self.step, np.sin(heading) * self.step
        return jacobian


def _filled(known: dict[int, FloatArray]) -> dict[int, FloatArray]:
    """Positions by step, with points half-way between neighbours until no step is missing."""
    filled = dict(known)
    order = sorted(known)
    open_gaps = list(pairwise(order))
    while open_gaps:
        before, after = open_gaps.pop()
        if after - before > 1:
            middle = (before + after) // 2
            filled[middle] = (filled[before] + filled[after]) / 2
            open_gaps += [(before, middle), (middle, after)]
    return filled
