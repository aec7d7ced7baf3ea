"""Proposals for rollouts: detours on the way to the goal, dodges, and noise around a plan."""

import math
from functools import cache

import numpy as np

from paseo.compiled import compiled_like_numpy
from paseo.planners.mppi.rollouts import FORWARD, TURN, Ground, Limits, looked_up
from paseo.world.arrays import FloatArray

REACTION = 0.3  # seconds in which guided rollouts turn to where they want to go
DIRECT = 1.12  # a way at most so much longer than the straight line is taken to be straight
KNOT = 0.8  # seconds between the knots of noise
FORWARD_NOISE, TURN_NOISE = 0.3, 0.55  # standard deviation in shares of the top speed, and in rad/s

# Columns of shapes. A detour drives at SPEED and OFFSET radians from the way, UNTIL a moment; a
# dodge drives at SPEED and turns by OFFSET rad/s, then THEN_SPEED and THEN_TURN until THEN_UNTIL.
# In the end both take the way at LAST_SPEED.
KIND, SPEED, OFFSET, UNTIL, THEN_SPEED, THEN_TURN, THEN_UNTIL, LAST_SPEED = range(8)
CALM, HASTY, DODGE = 0.0, 1.0, 2.0  # kinds: a hasty detour does not slow down to turn


def shapes(count: int, limits: Limits, rng: np.random.Generator) -> FloatArray:
    """The shapes of guided rollouts, (count, 8): some that are always tried, then chance."""
    fast, detours = limits.fastest, count - count // 2
    drawn = np.zeros((count, 8))
    detour, dodge = drawn[:detours], drawn[detours:]
    detour[:, KIND] = np.where(rng.random(detours) < 0.5, HASTY, CALM)
    detour[:, SPEED] = fast * np.where(rng.random(detours) < 0.4, 1.0, rng.random(detours))
    detour[:, OFFSET] = rng.normal(0.0, 0.9, detours)
    detour[:, UNTIL] = rng.uniform(0.3, 4.0, detours)
    detour[:, LAST_SPEED] = fast * np.where(rng.random(detours) < 0.6, 1.0, rng.random(detours))
    speeds = np.array([limits.slowest, 0.0, 0.0, 0.5 * fast, fast, fast])
    turns = limits.turn * np.array([-1.0, -1.0, -0.5, 0.0, 0.5, 1.0, 1.0])
    dodges = len(dodge)
    dodge[:, KIND] = DODGE
    dodge[:, SPEED], dodge[:, OFFSET] = rng.choice(speeds, dodges), rng.choice(turns, dodges)
    dodge[:, UNTIL] = rng.uniform(0.0, 1.5, dodges)
    dodge[:, THEN_SPEED], dodge[:, THEN_TURN] = (
        rng.choice(speeds, dodges),
        rng.choice(turns, dodges),
    )
    dodge[:, THEN_UNTIL] = dodge[:, UNTIL] + rng.uniform(0.0, 1.5, dodges)
    dodge[:, LAST_SPEED] = rng.choice(np.array([0.0, 0.5 * fast, fast, fast]), dodges)
    always = _always(limits)[:detours]
    drawn[: len(always)] = always
    return drawn


@cache
def _always(limits: Limits) -> FloatArray:
    """Straight on, stop, wait a second, half speed, and around to either side, (6, 8)."""
    fast = limits.fastest
    table = np.zeros((6, 8))
    table[:, LAST_SPEED] = fast, 0.0, fast, 0.5 * fast, fast, fast
    table[2, UNTIL] = 1.0
    table[4:, KIND], table[4:, SPEED], table[4:, UNTIL] = HASTY, fast, 1.5
    table[4:, OFFSET] = 1.5, -1.5
    return table


@compiled_like_numpy
def guide(
    start: FloatArray,
    drawn: FloatArray,
    limits: Limits,
    ground: Ground,
    controls: FloatArray,
    first: int,
) -> None:
    """Write the controls of guided rollouts into columns of `controls` from `first` on.

    They look where to go in every second step; acceleration limits are left to `drive`.
    """
    steps, step = controls.shape[1], limits.step
    for k in range(drawn.shape[0]):
        x, y, heading = start[0], start[1], start[2]
        speed = turn = 0.0
        for h in range(steps):
            if h % 2 == 0:
                time, dodges = h * step, drawn[k, KIND] == DODGE
                early = time < drawn[k, UNTIL]
                if dodges and early:
                    speed, turn = drawn[k, SPEED], drawn[k, OFFSET]
                elif dodges and time < drawn[k, THEN_UNTIL]:
                    speed, turn = drawn[k, THEN_SPEED], drawn[k, THEN_TURN]
                else:
                    error = way_direction(x, y, ground) - heading
                    if early:
                        error += drawn[k, OFFSET]
                    error -= math.tau * math.floor(error / math.tau + 0.5)
                    turn = min(max(error / REACTION, -limits.turn), limits.turn)
                    speed = drawn[k, SPEED] if early else drawn[k, LAST_SPEED]
                    speed *= max(math.cos(error), drawn[k, KIND] if early else 0.0)
            controls[FORWARD, h, first + k], controls[TURN, h, first + k] = speed, turn
            direction = heading + 0.5 * turn * step
            x += speed * step * math.cos(direction)
            y += speed * step * math.sin(direction)
            heading += turn * step


@compiled_like_numpy
def way_direction(x: float, y: float, ground: Ground) -> float:
    """Where the way to the goal leads from here: straight to it, or down the field of ways."""
    dx, dy = ground.goal_x - x, ground.goal_y - y
    x0, y0, cell = ground.x0, ground.y0, ground.way_cell
    here = looked_up(x, y, ground.metres, x0, y0, cell)
    if here > DIRECT * math.sqrt(dx * dx + dy * dy) + cell:
        dx = looked_up(x - cell, y, ground.metres, x0, y0, cell)
        dx -= looked_up(x + cell, y, ground.metres, x0, y0, cell)
        dy = looked_up(x, y - cell, ground.metres, x0, y0, cell)
        dy -= looked_up(x, y + cell, ground.metres, x0, y0, cell)
    return math.atan2(dy, dx)


def knot_noise(steps: int, count: int, limits: Limits, rng: np.random.Generator) -> FloatArray:
    """Noise for `count` rollouts at knots in time, some of it faint, (2, knots, rollouts)."""
    knots = max(2, math.ceil(steps * limits.step / KNOT) + 1)
    noise = rng.standard_normal((2, knots, count)) * rng.uniform(0.1, 1.0, count)
    noise[FORWARD] *= FORWARD_NOISE * limits.fastest
    noise[TURN] *= TURN_NOISE * min(limits.turn, 1.0)
    return noise


@compiled_like_numpy
def scatter(plan: FloatArray, noise: FloatArray, controls: FloatArray, first: int) -> None:
    """Write a plan (2, steps) with noise into columns of `controls` from `first` on."""
    steps, knots = plan.shape[1], noise.shape[1]
    for axis in range(2):
        for h in range(steps):
            at = h * (knots - 1.0) / max(steps - 1, 1)
            knot = min(int(at), knots - 2)
            share = at - knot
            for k in range(noise.shape[2]):
                bend = (1.0 - share) * noise[axis, knot, k] + share * noise[axis, knot + 1, k]
                controls[axis, h, first + k] = plan[axis, h] + bend


@compiled_like_numpy
def blended(controls: FloatArray, costs: FloatArray, temperature: float) -> FloatArray:
    """The mean of controls, weighted by exp(-cost / temperature), (2, steps)."""
    _, steps, count = controls.shape
    lowest = costs.min()
    weights = np.empty(count)
    for k in range(count):
        weights[k] = math.exp(-(costs[k] - lowest) / temperature)
    weights /= weights.sum()
    mean = np.zeros((2, steps))
    for axis in range(2):
        for h in range(steps):
            for k in range(count):
                mean[axis, h] += weights[k] * controls[axis, h, k]
    return mean
