"""What is known of a walk, by dense linear algebra on all moments at once: an oracle."""

import numpy as np

from paseo.pipeline.places import Places
from paseo.pipeline.smoothing.smoother import KalmanSmoother
from paseo.world.arrays import FloatArray


def joint_posterior(
    places: Places, smoother: KalmanSmoother, times: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Mean (moments, 4) and covariance (moments, 4, moments, 4) of x, y and velocity.

    The information of the motion, of what is known of somebody new, and of all places, summed
    and inverted: no filter, no smoother. The motion's covariance is integrated numerically.
    """
    count = len(times)
    information, weighted = np.zeros((count * 4, count * 4)), np.zeros(count * 4)
    information[2, 2] = information[3, 3] = smoother.new_speed**-2
    for k, dt in enumerate(np.diff(times)):
        moved, added = motion(dt, smoother.acceleration)
        both = slice(4 * k, 4 * k + 8)
        ahead = np.hstack([-moved, np.eye(4)])
        information[both, both] += ahead.T @ np.linalg.inv(added) @ ahead
    for time, position, of in zip(places.times, places.positions, places.covariances, strict=True):
        at = 4 * int(np.searchsorted(times, time))
        weight = np.linalg.inv(of)
        information[at : at + 2, at : at + 2] += weight
        weighted[at : at + 2] += weight @ position
    covariance = np.linalg.inv(information)
    return (covariance @ weighted).reshape(count, 4), covariance.reshape(count, 4, count, 4)


def motion(dt: float, density: float) -> tuple[FloatArray, FloatArray]:
    """How a velocity that wanders carries somebody on, and the covariance that it adds."""
    moved = np.eye(4) + dt * np.eye(4, k=2)
    # Gauss and Legendre's four points integrate polynomials of degree seven exactly.
    nodes, weights = np.polynomial.legendre.leggauss(4)
    added = np.zeros((4, 4))
    for since, weight in zip((nodes + 1) / 2 * dt, weights / 2 * dt, strict=True):
        pushed = np.vstack([since * np.eye(2), np.eye(2)])
        added += weight * density * pushed @ pushed.T
    return moved, added


def wandering(
    rng: np.random.Generator,
    times: FloatArray,
    smoother: KalmanSmoother,
    *,
    deviation: float = 0.3,
    person: int = 1,
) -> tuple[Places, FloatArray]:
    """Somebody who walks just as the smoother takes people to walk; their places and the truth."""
    state = np.append(rng.normal(0, 5, 2), rng.normal(0, smoother.new_speed, 2))
    truth = [state]
    for dt in np.diff(times):
        moved, added = motion(dt, smoother.acceleration)
        state = rng.multivariate_normal(moved @ state, added)
        truth.append(state)
    walk = np.array(truth)
    skew = rng.normal(0, deviation, (len(times), 2, 2))
    covariances = skew @ skew.transpose(0, 2, 1) + 0.01 * np.eye(2)
    noise = [rng.multivariate_normal(np.zeros(2), each) for each in covariances]
    positions = walk[:, :2] + np.array(noise)
    places = Places(person=person, times=times, positions=positions, covariances=covariances)
    return places, walk
