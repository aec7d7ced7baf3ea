"""Which places are believed, and where one track is really two; in compiled code."""

import math

import numpy as np

from paseo.compiled import compiled
from paseo.pipeline.smoothing.fitting import predicted, surprise, updated
from paseo.pipeline.smoothing.motion import CARTESIAN
from paseo.world.arrays import BoolArray, FloatArray

FEWEST_LOST = 4  # places that must agree with each other before a track is given up for them
MOST_ODD = 0.25  # share of them that may disagree
DEVIATIONS = 3.0  # by which two places may be farther apart than somebody can have walked
Believed = tuple[BoolArray, BoolArray, BoolArray]


@compiled
def gated(
    noise: FloatArray,
    times: FloatArray,
    positions: FloatArray,
    covariances: FloatArray,
    limits: FloatArray,
) -> Believed:
    """Which places are used, which of them begin a track, and at which somebody turned.

    `limits` are the gate, the deviation of the velocity of somebody new, the longest surprise in
    seconds, and the fastest person. Places that do not fit are passed over; once they have lasted
    and agree with each other, they were right: the person turned, or is another. A moment without
    a place has NaN; the first has one.
    """
    count = len(times)
    used, begins, turns = (
        np.zeros(count, np.bool_), np.zeros(count, np.bool_), np.zeros(count, np.bool_)
    )  # fmt: skip
    states, spreads = np.zeros((count, 4)), np.zeros((count, 4, 4))
    states[0], spreads[0] = begun(positions[0], covariances[0], limits[1])
    used[0] = begins[0] = True
    k, last, lost = 1, 0, 0  # the last that was used, and how many were not since
    while k < count:
        there, dt = not math.isnan(positions[k, 0]), times[k] - times[k - 1]
        before, doubt = states[k - 1], spreads[k - 1]
        forgotten = limits[1] ** 2 if turns[k] else 0.0
        states[k], spreads[k], used[k] = met(
            noise, before, doubt, forgotten, dt, positions[k], covariances[k], limits
        )
        lost += 1 if there else 0
        if used[k]:
            last, lost = k, 0
        k += 1
        if not there or lost < FEWEST_LOST or times[k - 1] - times[last] < limits[2]:
            continue
        back = agreeing(noise, times[:k], positions[:k], covariances[:k], limits)
        if back <= last or turns[back]:
            continue
        k, lost = back, 0
        if within_reach(times, positions, covariances, last, back, limits):
            turns[back] = True  # but once, so that this ends
        else:
            states[k], spreads[k] = begun(positions[k], covariances[k], limits[1])
            used[k], begins[k], last = True, True, k
            k += 1
    return used, begins, turns


@compiled
def met(
    noise: FloatArray,
    state: FloatArray,
    spread: FloatArray,
    forgotten: float,
    dt: float,
    place: FloatArray,
    of: FloatArray,
    limits: FloatArray,
) -> tuple[FloatArray, FloatArray, bool]:
    """The state and covariance after `dt`, with a place taken in if it fits, and whether it did."""
    state, spread, _, _ = predicted(CARTESIAN, noise, state, spread, np.full(2, forgotten), dt)
    if math.isnan(place[0]) or surprise(state, spread, place, of) > limits[0]:
        return state, spread, False
    state, spread = updated(state, spread, place, of)
    return state, spread, True


@compiled
def begun(place: FloatArray, of: FloatArray, deviation: float) -> tuple[FloatArray, FloatArray]:
    """The state and covariance of somebody who was seen once."""
    state, spread = np.zeros(4), np.zeros((4, 4))
    state[:2], spread[:2, :2] = place, of
    spread[2, 2] = spread[3, 3] = deviation**2
    return state, spread


@compiled
def agreeing(
    noise: FloatArray,
    times: FloatArray,
    positions: FloatArray,
    covariances: FloatArray,
    limits: FloatArray,
) -> int:
    """The first of the latest places, if they tell of one walk; else -1."""
    first, places = len(times), 0
    while first > 0 and (places < FEWEST_LOST or times[-1] - times[first - 1] < limits[2]):
        first -= 1
        places += 0 if math.isnan(positions[first, 0]) else 1
    while math.isnan(positions[first, 0]):
        first += 1
    state, spread = begun(positions[first], covariances[first], limits[1])
    odd = 0
    for k in range(first + 1, len(times)):
        dt = times[k] - times[k - 1]
        state, spread, fits = met(
            noise, state, spread, 0.0, dt, positions[k], covariances[k], limits
        )
        odd += 0 if fits or math.isnan(positions[k, 0]) else 1
    return first if odd <= MOST_ODD * places else -1


@compiled
def within_reach(
    times: FloatArray,
    positions: FloatArray,
    covariances: FloatArray,
    before: int,
    after: int,
    limits: FloatArray,
) -> bool:
    """Whether somebody can have walked from one place to another."""
    spread = covariances[before] + covariances[after]
    deviation = math.sqrt(spread[0, 0] + spread[1, 1])
    apart = math.sqrt(((positions[after] - positions[before]) ** 2).sum())
    return bool(apart <= limits[3] * (times[after] - times[before]) + DEVIATIONS * deviation)
