"""The smoother against all of Bayes at once: dense linear algebra, and Gauss and Newton."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paseo.pipeline.places import Places
from paseo.pipeline.smoothing.fitting import fitted
from paseo.pipeline.smoothing.matrices import divided, product, root
from paseo.pipeline.smoothing.motion import CARTESIAN, UNICYCLE, step, wrapped
from paseo.pipeline.smoothing.polar import cartesian, polar
from paseo.pipeline.smoothing.smoother import KalmanSmoother, Motion
from paseo.world.arrays import FloatArray
from posterior import joint_posterior, wandering

BELIEVES_ALL = KalmanSmoother(gate=1 - 1e-12)
NOISE = np.array([0.08, 0.2])


def uneven(rng: np.random.Generator, count: int) -> FloatArray:
    return np.cumsum(rng.uniform(0.02, 1.5, count))


@pytest.mark.parametrize("seed", range(5))
def test_track_is_the_posterior_of_the_whole_walk(seed: int) -> None:
    rng = np.random.default_rng(seed)
    places, _ = wandering(rng, uneven(rng, 25), BELIEVES_ALL)
    moments = places.times[:-1] + 0.01  # somebody asks for those, too
    (track,) = BELIEVES_ALL.tracks(places, moments)
    mean, covariance = joint_posterior(places, BELIEVES_ALL, track.times)
    found, spreads = cartesian(track.states, track.covariances)
    assert len(track.times) == 49
    np.testing.assert_allclose(found, mean, atol=1e-8)
    blocks = np.einsum("kikj->kij", covariance)
    np.testing.assert_allclose(spreads, blocks, rtol=1e-6, atol=1e-9)
    assert track.gains is not None
    lagged = track.gains @ spreads[1:]  # covariance of each state with the next
    np.testing.assert_allclose(
        lagged, [covariance[k, :, k + 1] for k in range(48)], rtol=1e-6, atol=1e-9
    )


@pytest.mark.slow
def test_unicycle_comes_near_the_best_walk_of_all() -> None:
    # The extended filter is linear around its own guesses; Gauss and Newton iterate to the optimum.
    times = np.arange(0, 8, 0.25)
    truth = np.column_stack([2 * np.cos(0.5 * times), 2 * np.sin(0.5 * times)])
    rng = np.random.default_rng(1)
    positions = truth + rng.normal(0, 0.1, truth.shape)
    of = np.tile(0.01 * np.eye(2), (len(times), 1, 1))
    smoother = KalmanSmoother(motion=Motion.UNICYCLE, gate=1 - 1e-12)
    (fit,) = smoother.fits(Places(person=1, times=times, positions=positions, covariances=of))
    best = gauss_newton(times, positions, 0.01, fit.states)
    assert np.abs(fit.states[:, :2] - best[:, :2]).max() < 0.03  # of places that are 0.1 off
    assert np.linalg.norm(fit.states[:, :2] - truth, axis=1).mean() < 0.07
    linear = backward_without_prediction(fit.states)
    assert np.abs(linear).max() > 1.0  # what the authors' pass would go back from instead


def backward_without_prediction(states: FloatArray) -> FloatArray:
    """How far the Jacobian times a state is from the state that it predicts."""
    found = []
    for state in states:
        after, jacobian, _ = step(UNICYCLE, NOISE, state, 0.25)
        found.append(jacobian @ state - after)
    return np.array(found)


def gauss_newton(
    times: FloatArray, positions: FloatArray, variance: float, guess: FloatArray
) -> FloatArray:
    """The most probable walk of a unicycle, from a guess whose first motion is unknown."""
    states, count = guess.copy(), len(times)
    for _ in range(20):
        information, weighted = 1e-9 * np.eye(count * 4), np.zeros(count * 4)
        for k in range(count):
            at = slice(4 * k, 4 * k + 2)
            information[at, at] += np.eye(2) / variance
            weighted[at] += (positions[k] - states[k, :2]) / variance
            if k + 1 < count:
                after, jacobian, added = step(UNICYCLE, NOISE, states[k], times[k + 1] - times[k])
                ahead = np.hstack([-jacobian, np.eye(4)])
                weight = ahead.T @ np.linalg.inv(added + 1e-9 * np.eye(4))
                both = slice(4 * k, 4 * k + 8)
                information[both, both] += weight @ ahead
                weighted[both] -= weight @ (states[k + 1] - after)
        states = states + np.linalg.solve(information, weighted).reshape(count, 4)
    return states


@pytest.mark.parametrize("kind", [CARTESIAN, UNICYCLE])
def test_jacobian_is_the_slope_of_the_step(kind: int) -> None:
    state = np.array([1.0, -2.0, 0.7, 1.3])
    _, jacobian, _ = step(kind, NOISE, state, 0.4)
    for each in range(4):
        aside = np.zeros(4)
        aside[each] = 1e-6
        slope = (
            step(kind, NOISE, state + aside, 0.4)[0] - step(kind, NOISE, state - aside, 0.4)[0]
        ) / 2e-6
        np.testing.assert_allclose(jacobian[:, each], slope, atol=1e-8)


@given(first=st.floats(0.01, 3), second=st.floats(0.01, 3))
def test_noise_of_two_steps_is_that_of_one(first: float, second: float) -> None:
    state = np.array([0.0, 0.0, 1.0, 0.5])
    after, jacobian, before = step(CARTESIAN, NOISE, state, first)
    end, again, later = step(CARTESIAN, NOISE, after, second)
    whole = step(CARTESIAN, NOISE, state, first + second)
    np.testing.assert_allclose(end, whole[0])
    np.testing.assert_allclose(again @ jacobian, whole[1])
    np.testing.assert_allclose(again @ before @ again.T + later, whole[2], rtol=1e-9)


def test_headings_differ_by_less_than_half_a_turn() -> None:
    apart = wrapped(UNICYCLE, np.array([0.0, 0.0, 6.2, 0.0]))
    assert apart[2] == pytest.approx(6.2 - 2 * math.pi)
    assert wrapped(CARTESIAN, np.array([0.0, 0.0, 6.2, 0.0]))[2] == 6.2


def test_covariances_stay_positive_with_places_of_very_different_doubt() -> None:
    times = np.arange(400) / 30
    positions = np.column_stack([times, np.zeros(400)])
    scale = np.where(np.arange(400) % 7 == 0, 1e-9, 100.0)
    _, spreads, _, _ = fitted(
        CARTESIAN,
        NOISE,
        times,
        positions,
        scale[:, None, None] * np.array([[1.0, 0.999], [0.999, 1.0]]),
        np.ones(400, np.bool_),
        np.zeros((400, 2)),
        np.zeros(4),
        np.eye(4),
    )
    assert (spreads == spreads.transpose(0, 2, 1)).all()
    assert (np.linalg.eigvalsh(spreads)[:, 0] > 0).all()


def test_small_matrices_are_those_of_numpy() -> None:
    rng = np.random.default_rng(0)
    left, other = rng.normal(size=(4, 4)), rng.normal(size=(4, 4))
    covariance = other @ other.T
    np.testing.assert_allclose(product(left, other), left @ other)
    np.testing.assert_allclose(divided(left, covariance), left @ np.linalg.inv(covariance))
    np.testing.assert_allclose(root(covariance), np.linalg.cholesky(covariance))
    flat = np.diag([1.0, 0.0, 4.0, 0.0])
    np.testing.assert_allclose(root(flat) @ root(flat).T, flat)


@given(speed=st.sampled_from([0.0, 1e-5, 0.3, 2.0]), heading=st.floats(-3, 3))
def test_heading_and_speed_go_back_to_the_velocity(speed: float, heading: float) -> None:
    mean = np.array([[1.0, 2.0, speed * math.cos(heading), speed * math.sin(heading)]])
    spread = np.array([np.diag([0.1, 0.2, 0.05, 0.02])])
    states, covariances = polar(mean, spread)
    back, again = cartesian(states, covariances)
    np.testing.assert_allclose(back, mean, atol=1e-12)
    np.testing.assert_allclose(again, spread, atol=1e-9)
    if speed > 0.1:  # along the heading it is the speed's variance, across it the heading's
        across = np.array([-math.sin(heading), math.cos(heading)])
        expected = across @ spread[0, 2:, 2:] @ across / speed**2
        assert covariances[0, 2, 2] == pytest.approx(expected)
    else:
        assert covariances[0, 2, 2] > math.pi**2  # not known
