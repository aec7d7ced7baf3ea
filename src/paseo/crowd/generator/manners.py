"""Compiled manners: how each person would walk if nobody had to be avoided.

People who walk together want their places in the formation around their common middle, at the
speed of the slowest. Headings and speeds vary smoothly, as a few sine waves of a person's own.
"""

import math

import numpy as np

from paseo.compiled import compiled
from paseo.crowd.generator.routes import heading_to
from paseo.world.arrays import FloatArray, IntArray

ABSENT, TOGETHER, ALONE, STANDING = 0, 1, 2, 3  # how somebody is about
PULL = 2.5  # 1/s, towards one's place in the formation
HURRY = 0.6  # m/s, at most, to get there
CALM = 0.6  # of one's velocity among the mates that is taken back, so that nobody oscillates
SETTLING = 0.7  # seconds that the last bit to one's own point takes
FOLLOWING = 1.0  # seconds to the person ahead


@compiled
def wishes(
    active: IntArray,
    about: IntArray,
    party: IntArray,
    positions: FloatArray,
    velocities: FloatArray,
    points: FloatArray,
    target: IntArray,
    traits: FloatArray,
    waves: FloatArray,
    time: float,
    caution: float,
    space: float,
    fields: FloatArray,
    x0: float,
    y0: float,
    walls: FloatArray,
) -> FloatArray:
    """The velocity each active person wants, (active, 2); mates follow each other in `active`.

    Columns of `traits`: speed, wander, unevenness, metres ahead and to the left in the formation.
    """
    wanted = np.zeros((len(active), 2))
    first = 0
    while first < len(active):
        end = first + 1
        while end < len(active) and party[active[end]] == party[active[first]]:
            end += 1
        together = 0
        for k in range(first, end):
            if about[active[k]] == TOGETHER:
                together += 1
        if together > 0:
            walk_together(
                wanted, first, end, together, active, about, positions, velocities, points, target,
                traits, waves, time, fields, x0, y0, walls,
            )  # fmt: skip
        for k in range(first, end):
            me = active[k]
            if about[me] == ALONE:
                x, y, px, py = positions[me, 0], positions[me, 1], points[me, 0], points[me, 1]
                distance = math.hypot(px - x, py - y)
                hx, hy = heading_to(x, y, px, py, fields[target[me]], x0, y0, walls)
                speed = min(traits[me, 0], distance / SETTLING)
                wanted[k, 0], wanted[k, 1] = speed * hx, speed * hy
        first = end
    if caution > 0.0:
        keep_behind(wanted, active, party, positions, velocities, caution, space)
    return wanted


@compiled
def walk_together(
    wanted: FloatArray,
    first: int,
    end: int,
    together: int,
    active: IntArray,
    about: IntArray,
    positions: FloatArray,
    velocities: FloatArray,
    points: FloatArray,
    target: IntArray,
    traits: FloatArray,
    waves: FloatArray,
    time: float,
    fields: FloatArray,
    x0: float,
    y0: float,
    walls: FloatArray,
) -> None:
    """Fill in what the members of one party want who walk in formation."""
    x = y = vx = vy = px = py = ahead = left = 0.0
    speed, guide = math.inf, active[first]
    for k in range(first, end):
        me = active[k]
        if about[me] == TOGETHER:
            x, y = x + positions[me, 0] / together, y + positions[me, 1] / together
            vx, vy = vx + velocities[me, 0] / together, vy + velocities[me, 1] / together
            px, py = px + points[me, 0] / together, py + points[me, 1] / together
            ahead, left = ahead + traits[me, 3] / together, left + traits[me, 4] / together
            speed, guide = min(speed, traits[me, 0]), me
    hx, hy = heading_to(x, y, px, py, fields[target[guide]], x0, y0, walls)
    speed *= 1.0 + traits[guide, 2] * wave(waves[guide, 0], waves[guide, 2], time)
    for k in range(first, end):
        me = active[k]
        if about[me] != TOGETHER:
            continue
        turn = traits[me, 1] * wave(waves[me, 0], waves[me, 1], time)
        c, s = math.cos(turn), math.sin(turn)
        wx, wy = speed * (c * hx - s * hy), speed * (s * hx + c * hy)
        if together > 1:
            a, b = traits[me, 3] - ahead, traits[me, 4] - left
            ex = x + a * hx - b * hy - positions[me, 0]
            ey = y + a * hy + b * hx - positions[me, 1]
            pull = PULL * min(1.0, HURRY / (PULL * math.hypot(ex, ey) + 1e-9))
            wx += pull * ex - CALM * (velocities[me, 0] - vx)
            wy += pull * ey - CALM * (velocities[me, 1] - vy)
        wanted[k, 0], wanted[k, 1] = wx, wy


@compiled
def wave(rates: FloatArray, phases: FloatArray, time: float) -> float:
    """A smooth random course of standard deviation 1."""
    value = 0.0
    for k in range(len(rates)):
        value += math.sin(rates[k] * time + phases[k])
    return value * math.sqrt(2.0 / len(rates))


@compiled
def keep_behind(
    wanted: FloatArray,
    active: IntArray,
    party: IntArray,
    positions: FloatArray,
    velocities: FloatArray,
    caution: float,
    space: float,
) -> None:
    """Slow down whoever would walk into the back of a stranger close ahead."""
    for k in range(len(active)):
        me = active[k]
        speed = math.hypot(wanted[k, 0], wanted[k, 1])
        if speed < 1e-6:
            continue
        hx, hy = wanted[k, 0] / speed, wanted[k, 1] / speed
        limit = speed
        for other in active:
            if party[other] == party[me]:
                continue
            dx, dy = positions[other, 0] - positions[me, 0], positions[other, 1] - positions[me, 1]
            along, aside = dx * hx + dy * hy, abs(dx * hy - dy * hx)
            if 0.0 < along < 2.5 and aside < 0.45:
                theirs = max(velocities[other, 0] * hx + velocities[other, 1] * hy, 0.0)
                limit = min(limit, theirs + max(along - space, 0.0) / FOLLOWING)
        share = 1.0 - caution + caution * limit / speed
        wanted[k, 0], wanted[k, 1] = share * wanted[k, 0], share * wanted[k, 1]
