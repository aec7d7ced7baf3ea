"""The extended Kalman filter and the Rauch-Tung-Striebel smoother, in compiled code.

Covariances are only ever sums of `A @ P @ A.T`: symmetric and never negative, whatever rounding
does. The smoother goes back from the non-linear prediction, not from its Jacobian times the state.
"""

import math

import numpy as np

from paseo.compiled import compiled
from paseo.pipeline.smoothing.matrices import applied, carried, divided, product
from paseo.pipeline.smoothing.motion import step, wrapped
from paseo.world.arrays import BoolArray, FloatArray

Fit = tuple[FloatArray, FloatArray, FloatArray, FloatArray]


@compiled
def predicted(
    kind: int,
    noise: FloatArray,
    state: FloatArray,
    covariance: FloatArray,
    forgotten: FloatArray,
    dt: float,
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """The state and covariance after `dt`, with the Jacobian and what was added to the covariance.

    `forgotten`, (2,), is added to the variances of the motion before the step.
    """
    after, jacobian, added = step(kind, noise, state, dt)
    if forgotten[0] > 0:
        doubt = np.zeros((4, 4))
        doubt[2, 2], doubt[3, 3] = forgotten[0], forgotten[1]
        added = added + carried(jacobian, doubt)
    return after, carried(jacobian, covariance) + added, jacobian, added


@compiled
def surprise(state: FloatArray, covariance: FloatArray, place: FloatArray, of: FloatArray) -> float:
    """The normalised innovation squared of a place with covariance `of`."""
    total = covariance[:2, :2] + of
    off_x, off_y = place[0] - state[0], place[1] - state[1]
    determinant = total[0, 0] * total[1, 1] - total[0, 1] * total[1, 0]
    squares = total[1, 1] * off_x**2 - 2 * total[0, 1] * off_x * off_y + total[0, 0] * off_y**2
    return float(squares / determinant)


@compiled
def updated(
    state: FloatArray, covariance: FloatArray, place: FloatArray, of: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The state and covariance with a place taken in, by Joseph's form."""
    gain = divided(covariance[:, :2].copy(), covariance[:2, :2] + of)
    rest = np.eye(4)
    rest[:, :2] -= gain
    after = state + applied(gain, place - state[:2])
    return after, carried(rest, covariance) + carried(gain, of)


@compiled
def fitted(
    kind: int,
    noise: FloatArray,
    times: FloatArray,
    positions: FloatArray,
    covariances: FloatArray,
    used: BoolArray,
    forgotten: FloatArray,
    first: FloatArray,
    doubt: FloatArray,
) -> Fit:
    """Smooth states (samples, 4), covariances, gains, and innovations squared, NaN if not used.

    `first` and `doubt` are the state and its covariance with the first place taken in.
    """
    count = len(times)
    states, spreads = np.zeros((count, 4)), np.zeros((count, 4, 4))
    ahead, jacobians = np.zeros((count, 4)), np.zeros((count, 4, 4))
    spreads_ahead, noises = np.zeros((count, 4, 4)), np.zeros((count, 4, 4))
    squares = np.full(count, np.nan)
    states[0], spreads[0] = first, doubt
    for k in range(1, count):
        state, spread, jacobians[k], noises[k] = predicted(
            kind, noise, states[k - 1], spreads[k - 1], forgotten[k], times[k] - times[k - 1]
        )
        ahead[k], spreads_ahead[k] = state, spread
        if used[k]:
            squares[k] = surprise(state, spread, positions[k], covariances[k])
            state, spread = updated(state, spread, positions[k], covariances[k])
        states[k], spreads[k] = state, spread
    gains = np.zeros((count - 1, 4, 4))
    for k in range(count - 2, -1, -1):
        jacobian = jacobians[k + 1]
        gain = divided(product(spreads[k], jacobian.T), spreads_ahead[k + 1])
        states[k] += applied(gain, wrapped(kind, states[k + 1] - ahead[k + 1]))
        rest = np.eye(4) - product(gain, jacobian)
        spreads[k] = carried(rest, spreads[k]) + carried(gain, spreads[k + 1] + noises[k + 1])
        gains[k] = gain
    return states, spreads, gains, squares


@compiled
def left_out_surprises(
    states: FloatArray,
    spreads: FloatArray,
    positions: FloatArray,
    covariances: FloatArray,
    used: BoolArray,
) -> FloatArray:
    """How far each place is from what all others say, (samples,), squared and normalised.

    That of a place which was used follows from the fit that it was used in: its residual has the
    covariance R - P, and is as improbable there as the place itself without it. NaN: no place.
    """
    result = np.full(len(states), np.nan)
    for k in range(len(states)):
        if math.isnan(positions[k, 0]):
            continue
        spread = -spreads[k] if used[k] else spreads[k]
        result[k] = surprise(states[k], spread, positions[k], covariances[k])
    return result
