"""Compiled rollouts of a unicycle among predicted people: where they lead and what they cost.

Rollouts lie side by side in the last axis of all arrays, so that loops over them run on all lanes
of the processor at once. Costs are in seconds.
"""

import math
from typing import NamedTuple

import numpy as np

from paseo.compiled import compiled_like_numpy, inlined
from paseo.world.arrays import FloatArray, IntArray

LOST = 1e4  # what a rollout into a wall costs, and 10 more for each step it is too early
FAR = 2.0  # metres from all rollouts, where a person does not count any more
BETWEEN = 0.4  # metres from the line between companions, within which one disturbs them
TINY = 1e-9
FORWARD, TURN = 0, 1  # rows of controls
X, Y, COSINE, SINE, ALIVE = range(5)  # rows of states
REACH, TO_X, TO_Y, PACE = range(4)  # columns of bodies: both radii, walking direction, speed


class Limits(NamedTuple):
    """What the robot can do in a rollout; all numbers are finite."""

    step: float  # seconds that one control lasts
    held: int  # how many controls at the beginning are one, for a robot that is asked seldom
    slowest: float  # m/s, negative if it can reverse
    fastest: float
    turn: float
    gain: float  # of speed in one step
    turn_gain: float


class Ground(NamedTuple):
    """The floor plan and the ways to the goal."""

    clearance: FloatArray  # (rows, columns), metres to the nearest wall
    burden: FloatArray  # (rows, columns), what a second there costs because walls are near
    x0: float
    y0: float
    cell: float
    metres: FloatArray  # (rows, columns) of larger cells, the length of the way to the goal
    way_cell: float
    room: float  # metres that the robot needs
    looks: int  # how often in a step walls are looked for
    goal_x: float
    goal_y: float
    goal_radius: float


class Prices(NamedTuple):
    """What things cost, in seconds."""

    contact: float  # touching one person
    space: float  # a second beside a person
    side: float  # metres of space that people have on all sides
    front: float  # metres more in front, for each m/s they walk
    group: float  # passing between companions
    turning: float  # a second of turning at 1 rad/s, squared
    change: float  # a change of speed by 1 m/s or of turn by 1 rad/s, squared
    facing: float  # half a turn that is left at the end, twice


class Company(NamedTuple):
    """The people who matter, and where others may appear."""

    positions: FloatArray  # (people, steps, 2)
    sharpness: FloatArray  # (people, steps), 1/m: how surely they are there
    bodies: FloatArray  # (people, 4), columns above
    pairs: IntArray  # (pairs, 2), companions, by row
    spots: FloatArray  # (spots, 4): where people appear, and their first steps from there
    rates: FloatArray  # (spots, steps), what a second there costs
    spot_size: float


@compiled_like_numpy
def weigh(
    start: FloatArray,
    controls: FloatArray,
    limits: Limits,
    ground: Ground,
    prices: Prices,
    company: Company,
    states: FloatArray,
    costs: FloatArray,
) -> None:
    """Fill `costs` (rollouts,) of controls (2, steps, rollouts), which are cut to the limits.

    `start` is x, y, heading, forward speed and turn; `states` (5, steps, rollouts) is filled too.
    """
    drive(start, controls, limits, states)
    travel_costs(start, controls, states, limits, ground, prices, costs)
    people_costs(states, company, limits.step, prices, costs)
    group_costs(states, company, prices.group, costs)
    entrance_costs(states, company, limits.step, costs)


@inlined
def looked_up(x: float, y: float, field: FloatArray, x0: float, y0: float, cell: float) -> float:
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
    """Fill the poses of `states`; controls are cut to what the robot can do."""
    _, steps, count = controls.shape
    for h in range(steps):
        for k in range(count):
            if h == 0:
                x, y, forward, turn = start[0], start[1], start[3], start[4]
                c, s = math.cos(start[2]), math.sin(start[2])
            else:
                x, y = states[X, h - 1, k], states[Y, h - 1, k]
                c, s = states[COSINE, h - 1, k], states[SINE, h - 1, k]
                forward, turn = controls[FORWARD, h - 1, k], controls[TURN, h - 1, k]
            if h == 0 or h >= limits.held:
                low = max(limits.slowest, forward - limits.gain)
                high = min(limits.fastest, forward + limits.gain)
                forward = min(max(controls[FORWARD, h, k], low), high)
                low = max(-limits.turn, turn - limits.turn_gain)
                high = min(limits.turn, turn + limits.turn_gain)
                turn = min(max(controls[TURN, h, k], low), high)
            controls[FORWARD, h, k], controls[TURN, h, k] = forward, turn
            # The arc is integrated exactly; sine and cosine of half its angle by their series.
            half = 0.5 * turn * limits.step
            z = half * half
            sinc = 1.0 - z * (1 / 6 - z * (1 / 120 - z * (1 / 5040)))
            ch = 1.0 - z * (0.5 - z * (1 / 24 - z * (1 / 720 - z * (1 / 40320))))
            sh = half * sinc
            chord = forward * limits.step * sinc
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
    """Seconds to the goal, walls, and unsteadiness; marks in `states` until when rollouts last."""
    _, steps, count = controls.shape
    x, y = start[0], start[1]
    # A robot that stands too near a wall may leave, but come no nearer.
    room = looked_up(x, y, ground.clearance, ground.x0, ground.y0, ground.cell)
    room = min(ground.room, room - TINY)
    for k in range(count):
        cost, alive = 0.0, 1.0
        x, y, forward, turn = start[0], start[1], start[3], start[4]
        for h in range(steps):
            states[ALIVE, h, k] = alive
            if alive == 0.0:
                continue
            last_x, last_y, x, y = x, y, states[X, h, k], states[Y, h, k]
            if meets_wall(last_x, last_y, x, y, room, ground):
                cost += LOST + 10.0 * (steps - h)
                alive = 0.0
                continue
            v, w = controls[FORWARD, h, k], controls[TURN, h, k]
            dv, dw = v - forward, w - turn
            forward, turn = v, w
            burden = looked_up(x, y, ground.burden, ground.x0, ground.y0, ground.cell)
            cost += limits.step * (burden + prices.turning * w * w)
            cost += prices.change * (dv * dv + dw * dw)
            if is_arrived(x, y, ground):
                cost += (h + 1.0) * limits.step
                alive = 0.0
        if alive > 0.0:
            cost += steps * limits.step + way_left(states, steps - 1, k, limits, ground, prices)
        costs[k] = cost


@inlined
def meets_wall(
    last_x: float, last_y: float, x: float, y: float, room: float, ground: Ground
) -> bool:
    """Whether there is too little room at the end of a step or on the way there."""
    met = False
    for look in range(1, ground.looks + 1):
        share = look / ground.looks
        clear = looked_up(
            last_x + share * (x - last_x), last_y + share * (y - last_y),
            ground.clearance, ground.x0, ground.y0, ground.cell,
        )  # fmt: skip
        met = met or clear < room
    return met


@inlined
def is_arrived(x: float, y: float, ground: Ground) -> bool:
    """Whether the goal is near, and not behind a wall."""
    dx, dy = ground.goal_x - x, ground.goal_y - y
    if dx * dx + dy * dy >= ground.goal_radius * ground.goal_radius:
        return False
    way = looked_up(x, y, ground.metres, ground.x0, ground.y0, ground.way_cell)
    return way < 2.0 * (ground.goal_radius + ground.way_cell)


@inlined
def way_left(
    states: FloatArray, h: int, k: int, limits: Limits, ground: Ground, prices: Prices
) -> float:
    """Seconds that are still needed from the end of a rollout."""
    x, y, cell = states[X, h, k], states[Y, h, k], ground.way_cell
    here = looked_up(x, y, ground.metres, ground.x0, ground.y0, cell)
    ahead = looked_up(
        x + cell * states[COSINE, h, k], y + cell * states[SINE, h, k],
        ground.metres, ground.x0, ground.y0, cell,
    )  # fmt: skip
    # 0 where the robot faces the way, 2 where it faces away from it.
    away = min(max(1.0 + (ahead - here) / cell, 0.0), 2.0)
    return here / limits.fastest + prices.facing * away


@compiled_like_numpy
def surroundings(states: FloatArray) -> FloatArray:
    """The box around all rollouts in each step, and some room: x0, y0, x1, y1; (steps, 4)."""
    _, steps, count = states.shape
    box = np.empty((steps, 4))
    for h in range(steps):
        x0, y0, x1, y1 = math.inf, math.inf, -math.inf, -math.inf
        for k in range(count):
            x0, x1 = min(x0, states[X, h, k]), max(x1, states[X, h, k])
            y0, y1 = min(y0, states[Y, h, k]), max(y1, states[Y, h, k])
        box[h, 0], box[h, 1], box[h, 2], box[h, 3] = x0 - FAR, y0 - FAR, x1 + FAR, y1 + FAR
    return box


@compiled_like_numpy
def people_costs(
    states: FloatArray, company: Company, step: float, prices: Prices, costs: FloatArray
) -> None:
    """The chance of touching each person, at its worst moment, and the time in their space."""
    _, steps, count = states.shape
    peak, space, box = np.empty(count), np.zeros(count), surroundings(states)
    for p in range(company.positions.shape[0]):
        reach, ux, uy = company.bodies[p, REACH], company.bodies[p, TO_X], company.bodies[p, TO_Y]
        front = prices.front * company.bodies[p, PACE]
        for k in range(count):
            peak[k] = 0.0
        for h in range(steps):
            px, py = company.positions[p, h, 0], company.positions[p, h, 1]
            sharp = company.sharpness[p, h]
            if px < box[h, 0] or py < box[h, 1] or px > box[h, 2] or py > box[h, 3]:
                continue
            for k in range(count):
                dx, dy, alive = states[X, h, k] - px, states[Y, h, k] - py, states[ALIVE, h, k]
                distance = math.sqrt(dx * dx + dy * dy)
                gap = distance - reach
                free = max(gap, 0.0)
                z = free * sharp
                q = 1.0 / (1.0 + z * z)
                peak[k] = max(peak[k], (q * q - min(gap, 0.0)) * alive)
                room = prices.side + front * max((dx * ux + dy * uy) / max(distance, TINY), 0.0)
                z = free / room
                q = 1.0 / (1.0 + z * z)
                space[k] += q * q * alive
        for k in range(count):
            costs[k] += prices.contact * peak[k]
    for k in range(count):
        costs[k] += prices.space * step * space[k]


@compiled_like_numpy
def group_costs(states: FloatArray, company: Company, price: float, costs: FloatArray) -> None:
    """What it costs to pass between companions."""
    _, steps, count = states.shape
    peak = np.empty(count)
    for n in range(company.pairs.shape[0]):
        a, b = company.pairs[n, 0], company.pairs[n, 1]
        for k in range(count):
            peak[k] = 0.0
        for h in range(steps):
            ax, ay = company.positions[a, h, 0], company.positions[a, h, 1]
            ex, ey = company.positions[b, h, 0] - ax, company.positions[b, h, 1] - ay
            length = max(math.sqrt(ex * ex + ey * ey), TINY)
            ex, ey = ex / length, ey / length
            for k in range(count):
                dx, dy = states[X, h, k] - ax, states[Y, h, k] - ay
                along, aside = dx * ex + dy * ey, abs(dy * ex - dx * ey)
                within = min(max(min(along, length - along), 0.0), BETWEEN)
                peak[k] = max(peak[k], within * max(BETWEEN - aside, 0.0) * states[ALIVE, h, k])
        for k in range(count):
            costs[k] += price * peak[k] / (BETWEEN * BETWEEN)


@compiled_like_numpy
def entrance_costs(states: FloatArray, company: Company, step: float, costs: FloatArray) -> None:
    """What it costs to be where somebody may appear; of several spots the worst counts."""
    _, steps, count = states.shape
    worst, sharp = np.empty(count), 1.0 / (company.spot_size * company.spot_size)
    for h in range(steps):
        for k in range(count):
            worst[k] = 0.0
        for n in range(company.spots.shape[0]):
            sx, sy, rate = company.spots[n, 0], company.spots[n, 1], company.rates[n, h]
            ex, ey = company.spots[n, 2], company.spots[n, 3]
            scale = 1.0 / max(ex * ex + ey * ey, TINY)
            for k in range(count):
                dx, dy = states[X, h, k] - sx, states[Y, h, k] - sy
                share = min(max((dx * ex + dy * ey) * scale, 0.0), 1.0)
                dx, dy = dx - share * ex, dy - share * ey
                q = 1.0 / (1.0 + (dx * dx + dy * dy) * sharp)
                worst[k] = max(worst[k], rate * q * q)
        for k in range(count):
            costs[k] += step * worst[k] * states[ALIVE, h, k]
