"""Compiled rollouts of a unicycle among predicted people: where they lead and what they cost.

Rollouts lie side by side in the last axis of all arrays, so that loops over them run on all lanes
of the processor at once. Costs are in seconds.
"""

import math
from typing import NamedTuple

import numpy as np

from paseo.world.compiled import compiled_like_numpy, inlined
from paseo.world.people import FloatArray

LOST = 1e4  # seconds that a rollout into a wall costs
TINY = 1e-9
FAR = 2.0  # metres beyond which a person does not count
FORWARD, TURN = 0, 1  # rows of controls
X, Y, COSINE, SINE, ALIVE = range(5)  # rows of states


class Limits(NamedTuple):
    """What the robot can do; infinities are replaced by large numbers."""

    step: float  # seconds that one control of a rollout lasts
    held: int  # controls that are the same at the beginning, for a robot that is asked seldom
    slowest: float
    fastest: float
    turn: float
    gain: float  # of speed in one step
    turn_gain: float


class Ground(NamedTuple):
    """The floor plan's clearances and the lengths of the ways to the goal."""

    clearance: FloatArray  # (rows, columns), metres to the nearest wall
    x0: float
    y0: float
    cell: float
    metres: FloatArray  # (rows, columns), to the goal
    way_cell: float
    room: float  # metres that the robot needs
    goal_x: float
    goal_y: float
    goal_radius: float
    burden: FloatArray  # (rows, columns), what a second here costs


class Prices(NamedTuple):
    """What things cost, in seconds."""

    contact: float  # a touch of one person that is certain
    space: float  # a second within somebody's reach
    side: float  # metres of space that people have on all sides
    front: float  # metres more in front, for each m/s they walk
    group: float  # passing between companions
    length: float  # a metre of way
    turning: float  # a second of turning at 1 rad/s, squared
    change: float  # a change of speed by 1 m/s or of turn by 1 rad/s, squared
    facing: float  # a radian that is left to turn at the end


@inlined
def looked_up(
    x: float, y: float, field: FloatArray, x0: float, y0: float, cell: float
) -> float:
    """The field between cell centres, bilinear; as at its edge beyond it."""
    rows, columns = field.shape
    column = min(max((x - x0) / cell - 0.5, 0.0), columns - 1.0)
    row = min(max((y - y0) / cell - 0.5, 0.0), rows - 1.0)
    c, r = min(int(column), max(columns - 2, 0)), min(int(row), max(rows - 2, 0))
    u, v = column - c, row - r
    c1, r1 = min(c + 1, columns - 1), min(r + 1, rows - 1)
    low = (1.0 - u) * field[r, c] + u * field[r, c1]
    high = (1.0 - u) * field[r1, c] + u * field[r1, c1]
    return (1.0 - v) * low + v * high


@compiled_like_numpy
def drive(start: FloatArray, controls: FloatArray, limits: Limits, states: FloatArray) -> None:
    """Fill states (5, steps, rollouts) from controls (2, steps, rollouts), which are limited.

    `start` is x, y, heading, forward speed and turn.
    """
    _, steps, count = controls.shape
    step = limits.step
    for h in range(steps):
        for k in range(count):
            if h == 0:
                x, y = start[0], start[1]
                c, s = math.cos(start[2]), math.sin(start[2])
                forward, turn = start[3], start[4]
            else:
                x, y = states[X, h - 1, k], states[Y, h - 1, k]
                c, s = states[COSINE, h - 1, k], states[SINE, h - 1, k]
                forward, turn = controls[FORWARD, h - 1, k], controls[TURN, h - 1, k]
            if 0 < h < limits.held:
                controls[FORWARD, h, k], controls[TURN, h, k] = forward, turn
            else:
                low = max(limits.slowest, forward - limits.gain)
                high = min(limits.fastest, forward + limits.gain)
                forward = min(max(controls[FORWARD, h, k], low), high)
                low = max(-limits.turn, turn - limits.turn_gain)
                high = min(limits.turn, turn + limits.turn_gain)
                turn = min(max(controls[TURN, h, k], low), high)
                controls[FORWARD, h, k], controls[TURN, h, k] = forward, turn
            # The arc is integrated exactly; sine and cosine of half its angle by their series.
            half = 0.5 * turn * step
            z = half * half
            sinc = 1.0 - z * (1 / 6 - z * (1 / 120 - z * (1 / 5040)))
            ch = 1.0 - z * (0.5 - z * (1 / 24 - z * (1 / 720 - z * (1 / 40320))))
            sh = half * sinc
            chord = forward * step * sinc
            mc, ms = c * ch - s * sh, s * ch + c * sh
            states[X, h, k] = x + chord * mc
            states[Y, h, k] = y + chord * ms
            states[COSINE, h, k] = mc * ch - ms * sh
            states[SINE, h, k] = ms * ch + mc * sh


@compiled_like_numpy
def travel_costs(
    start: FloatArray,
    controls: FloatArray,
    states: FloatArray,
    limits: Limits,
    ground: Ground,
    prices: Prices,
    costs: FloatArray,
) -> None:
    """Seconds to the goal, walls, and unsteadiness; marks when rollouts are over in `states`."""
    _, steps, count = controls.shape
    step = limits.step
    for k in range(count):
        cost, alive = 0.0, 1.0
        forward, turn = start[3], start[4]
        for h in range(steps):
            states[ALIVE, h, k] = alive
            if alive == 0.0:
                continue
            x, y = states[X, h, k], states[Y, h, k]
            clear = looked_up(x, y, ground.clearance, ground.x0, ground.y0, ground.cell)
            if clear < ground.room:
                cost += LOST + (steps - h) * 10.0
                alive = 0.0
                continue
            burden = looked_up(x, y, ground.burden, ground.x0, ground.y0, ground.cell)
            v, w = controls[FORWARD, h, k], controls[TURN, h, k]
            dv, dw = v - forward, w - turn
            forward, turn = v, w
            cost += step * (burden + prices.turning * w * w + prices.length * abs(v))
            cost += prices.change * (dv * dv + dw * dw)
            dx, dy = ground.goal_x - x, ground.goal_y - y
            if dx * dx + dy * dy < ground.goal_radius * ground.goal_radius:
                cost += (h + 1.0) * step
                alive = 0.0
        if alive > 0.0:
            cost += steps * step + arrival_cost(states, steps - 1, k, limits, ground, prices)
        costs[k] = cost


@inlined
def arrival_cost(
    states: FloatArray, h: int, k: int, limits: Limits, ground: Ground, prices: Prices
) -> float:
    """Seconds that are still needed from the end of a rollout."""
    x, y, cell = states[X, h, k], states[Y, h, k], ground.way_cell
    here = looked_up(x, y, ground.metres, ground.x0, ground.y0, cell)
    ahead = looked_up(
        x + cell * states[COSINE, h, k],
        y + cell * states[SINE, h, k],
        ground.metres, ground.x0, ground.y0, cell,
    )  # fmt: skip
    # How far ahead is from being downhill: 0 where the robot faces the way, 2 where away from it.
    away = min(max(1.0 + (ahead - here) / cell, 0.0), 2.0)
    return here / limits.fastest + prices.facing * away


@compiled_like_numpy
def surroundings(states: FloatArray) -> FloatArray:
    """The box around all rollouts at each step and some room, (steps, 4); elsewhere nobody counts."""
    _, steps, count = states.shape
    box = np.empty((steps, 4))
    for h in range(steps):
        x0 = x1 = states[X, h, 0]
        y0 = y1 = states[Y, h, 0]
        for k in range(count):
            x0, x1 = min(x0, states[X, h, k]), max(x1, states[X, h, k])
            y0, y1 = min(y0, states[Y, h, k]), max(y1, states[Y, h, k])
        box[h, 0], box[h, 1], box[h, 2], box[h, 3] = x0 - FAR, y0 - FAR, x1 + FAR, y1 + FAR
    return box


@compiled_like_numpy
def people_costs(
    states: FloatArray,
    people: FloatArray,
    sharpness: FloatArray,
    reaches: FloatArray,
    robot_step: float,
    prices: Prices,
    costs: FloatArray,
) -> None:
    """Chance of contact with each person at its worst moment, and their space.

    `people` is (people, steps, 2), `sharpness` (people, steps) and `reaches` (people, 4): radii,
    direction and speed.
    """
    _, steps, count = states.shape
    peak, space = np.empty(count), np.zeros(count)
    box = surroundings(states)
    for p in range(people.shape[0]):
        reach, ux, uy = reaches[p, 0], reaches[p, 1], reaches[p, 2]
        front = prices.front * reaches[p, 3]
        for k in range(count):
            peak[k] = 0.0
        for h in range(steps):
            px, py, sharp = people[p, h, 0], people[p, h, 1], sharpness[p, h]
            if px < box[h, 0] or py < box[h, 1] or px > box[h, 2] or py > box[h, 3]:
                continue
            for k in range(count):
                dx, dy = states[X, h, k] - px, states[Y, h, k] - py
                distance = math.sqrt(dx * dx + dy * dy)
                gap = distance - reach
                free = max(gap, 0.0)
                z = free * sharp
                q = 1.0 / (1.0 + z * z)
                alive = states[ALIVE, h, k]
                peak[k] = max(peak[k], (q * q - min(gap, 0.0)) * alive)
                room = prices.side + front * max((dx * ux + dy * uy) / max(distance, TINY), 0.0)
                z = free / room
                q = 1.0 / (1.0 + z * z)
                space[k] += q * q * alive
        for k in range(count):
            costs[k] += prices.contact * peak[k]
    for k in range(count):
        costs[k] += prices.space * robot_step * space[k]


@compiled_like_numpy
def group_costs(
    states: FloatArray,
    people: FloatArray,
    pairs: FloatArray,
    width: float,
    prices: Prices,
    costs: FloatArray,
) -> None:
    """What it costs to pass between companions; `pairs` (pairs, 2) are rows of `people`."""
    _, steps, count = states.shape
    peak = np.empty(count)
    for n in range(pairs.shape[0]):
        a, b = int(pairs[n, 0]), int(pairs[n, 1])
        for k in range(count):
            peak[k] = 0.0
        for h in range(steps):
            ax, ay = people[a, h, 0], people[a, h, 1]
            ex, ey = people[b, h, 0] - ax, people[b, h, 1] - ay
            length = max(math.sqrt(ex * ex + ey * ey), TINY)
            ex, ey = ex / length, ey / length
            for k in range(count):
                dx, dy = states[X, h, k] - ax, states[Y, h, k] - ay
                along, aside = dx * ex + dy * ey, abs(dy * ex - dx * ey)
                inside = min(max(min(along, length - along), 0.0), width)
                peak[k] = max(peak[k], inside * max(width - aside, 0.0) * states[ALIVE, h, k])
        for k in range(count):
            costs[k] += prices.group * peak[k] / (width * width)


@compiled_like_numpy
def entrance_costs(
    states: FloatArray,
    spots: FloatArray,
    rates: FloatArray,
    size: float,
    step: float,
    costs: FloatArray,
) -> None:
    """What it costs to be where somebody may appear."""
    _, steps, count = states.shape
    worst = np.empty(count)
    sharp = 1.0 / (size * size)
    for h in range(steps):
        for k in range(count):
            worst[k] = 0.0
        for n in range(spots.shape[0]):
            sx, sy, ex, ey = spots[n, 0], spots[n, 1], spots[n, 2], spots[n, 3]
            scale = 1.0 / max(ex * ex + ey * ey, TINY)
            rate = rates[n, h]
            for k in range(count):
                dx, dy = states[X, h, k] - sx, states[Y, h, k] - sy
                share = min(max((dx * ex + dy * ey) * scale, 0.0), 1.0)
                dx, dy = dx - share * ex, dy - share * ey
                q = 1.0 / (1.0 + (dx * dx + dy * dy) * sharp)
                worst[k] = max(worst[k], rate * q * q)
        for k in range(count):
            costs[k] += step * worst[k] * states[ALIVE, h, k]
