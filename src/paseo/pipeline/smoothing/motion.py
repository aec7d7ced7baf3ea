"""How people are taken to move between two moments: models of motion, in compiled code.

The state of `CARTESIAN` is x, y and velocity, that of `UNICYCLE` x, y, heading and speed. Noise
is white in continuous time, so that two steps of half a second are one of a second.
"""

import math

import numpy as np

from paseo.compiled import compiled
from paseo.pipeline.smoothing.matrices import applied
from paseo.world.arrays import FloatArray

CARTESIAN, UNICYCLE = 0, 1
Step = tuple[FloatArray, FloatArray, FloatArray]


@compiled
def step(kind: int, noise: FloatArray, state: FloatArray, dt: float) -> Step:
    """The state after `dt`, its Jacobian by the state before, and the covariance that is added.

    `noise` are the spectral densities of acceleration, m²/s³, and of turning, rad²/s.
    """
    if kind == CARTESIAN:
        return _cartesian(noise, state, dt)
    return _unicycle(noise, state, dt)


@compiled
def _cartesian(noise: FloatArray, state: FloatArray, dt: float) -> Step:
    """Acceleration is white noise: Bar-Shalom, Li and Kirubarajan 2001, equation 6.2.2-12."""
    jacobian, added = np.eye(4), np.zeros((4, 4))
    for axis in range(2):
        jacobian[axis, axis + 2] = dt
        added[axis, axis] = noise[0] * dt**3 / 3
        added[axis, axis + 2] = added[axis + 2, axis] = noise[0] * dt**2 / 2
        added[axis + 2, axis + 2] = noise[0] * dt
    return applied(jacobian, state), jacobian, added


@compiled
def _unicycle(noise: FloatArray, state: FloatArray, dt: float) -> Step:
    """Acceleration along the heading and turning are white noise, to first order in both."""
    heading, speed = state[2], state[3]
    along = np.array([math.cos(heading), math.sin(heading)])
    across = np.array([-math.sin(heading), math.cos(heading)]) * speed
    after, jacobian, added = state.copy(), np.eye(4), np.zeros((4, 4))
    for axis in range(2):
        after[axis] += along[axis] * speed * dt
        jacobian[axis, 2], jacobian[axis, 3] = across[axis] * dt, along[axis] * dt
        for other in range(2):
            turned = noise[1] * across[axis] * across[other]
            added[axis, other] = (noise[0] * along[axis] * along[other] + turned) * dt**3 / 3
        added[axis, 2] = added[2, axis] = noise[1] * across[axis] * dt**2 / 2
        added[axis, 3] = added[3, axis] = noise[0] * along[axis] * dt**2 / 2
    added[2, 2], added[3, 3] = noise[1] * dt, noise[0] * dt
    return after, jacobian, added


@compiled
def wrapped(kind: int, deviation: FloatArray) -> FloatArray:
    """A difference of two states, with that of headings between -pi and pi."""
    if kind == UNICYCLE:
        turns = math.floor((deviation[2] + math.pi) / (2 * math.pi))
        deviation[2] -= 2 * math.pi * turns
    return deviation
