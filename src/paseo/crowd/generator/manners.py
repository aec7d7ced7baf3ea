"""Compiled manners: how each person would walk if nobody had to be avoided.

People who walk together want their places in the formation around their common middle, at the
speed of the slowest. Headings and speeds vary smoothly, as a few sine waves of a person's own.
"""

import math
from typing import NamedTuple

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


class People(NamedTuple):
    """Everybody of a crowd, present or not, a row each."""

    about: IntArray  # (people,), how they are about
    party: IntArray  # (people,), with whom they walk
    positions: FloatArray  # (people, 2)
    velocities: FloatArray  # (people, 2)
    points: FloatArray  # (people, 2), where they are going
    target: IntArray  # (people,), the field that leads there
    # (people, 5): speed, wander, unevenness, metres ahead and to the left in the formation
    traits: FloatArray
    waves: FloatArray  # (people, 3, waves): rates, phases of the heading and of the speed


class Ways(NamedTuple):
    """How one gets about on the map."""

    fields: FloatArray  # (targets, rows, columns), seconds to each target
    x0: float  # the lower left corner of the fields
    y0: float
    walls: FloatArray  # (walls, 2, 2)


@compiled
def wishes(
    active: IntArray, people: People, ways: Ways, time: float, caution: float, space: float
) -> FloatArray:
    """The velocity each active person wants, (active, 2); mates follow each other in `active`."""
    wanted = np.zeros((len(active), 2))
    first = 0
    while first < len(active):
        end = first + 1
        while end < len(active) and people.party[active[end]] == people.party[active[first]]:
            end += 1
        walk_together(wanted[first:end], active[first:end], people, ways, time)
        for k in range(first, end):
            me = active[k]
            if people.about[me] == ALONE:
                (x, y), (px, py) = people.positions[me], people.points[me]
                distance = math.hypot(px - x, py - y)
                field = ways.fields[people.target[me]]
                hx, hy = heading_to(x, y, px, py, field, ways.x0, ways.y0, ways.walls)
                speed = min(people.traits[me, 0], distance / SETTLING)
                wanted[k, 0], wanted[k, 1] = speed * hx, speed * hy
        first = end
    if caution > 0.0:
        keep_behind(wanted, active, people, caution, space)
    return wanted


@compiled
def walk_together(
    wanted: FloatArray, mates: IntArray, people: People, ways: Ways, time: float
) -> None:
    """Fill in what the members of one party want who walk in formation."""
    positions, velocities, traits = people.positions, people.velocities, people.traits
    together = 0
    for me in mates:
        if people.about[me] == TOGETHER:
            together += 1
    if together == 0:
        return
    x = y = vx = vy = px = py = ahead = left = 0.0
    speed, guide = math.inf, mates[0]
    for me in mates:
        if people.about[me] == TOGETHER:
            x, y = x + positions[me, 0] / together, y + positions[me, 1] / together
            vx, vy = vx + velocities[me, 0] / together, vy + velocities[me, 1] / together
            px, py = px + people.points[me, 0] / together, py + people.points[me, 1] / together
            ahead, left = ahead + traits[me, 3] / together, left + traits[me, 4] / together
            speed, guide = min(speed, traits[me, 0]), me
    field = ways.fields[people.target[guide]]
    hx, hy = heading_to(x, y, px, py, field, ways.x0, ways.y0, ways.walls)
    speed *= 1.0 + traits[guide, 2] * wave(people.waves[guide, 0], people.waves[guide, 2], time)
    for k in range(len(mates)):
        me = mates[k]
        if people.about[me] != TOGETHER:
            continue
        turn = traits[me, 1] * wave(people.waves[me, 0], people.waves[me, 1], time)
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
    wanted: FloatArray, active: IntArray, people: People, caution: float, space: float
) -> None:
    """Slow down whoever would walk into the back of a stranger close ahead."""
    positions, velocities = people.positions, people.velocities
    for k in range(len(active)):
        me = active[k]
        speed = math.hypot(wanted[k, 0], wanted[k, 1])
        if speed < 1e-6:
            continue
        hx, hy = wanted[k, 0] / speed, wanted[k, 1] / speed
        limit = speed
        for other in active:
            if people.party[other] == people.party[me]:
                continue
            dx, dy = positions[other, 0] - positions[me, 0], positions[other, 1] - positions[me, 1]
            along, aside = dx * hx + dy * hy, abs(dx * hy - dy * hx)
            if 0.0 < along < 2.5 and aside < 0.45:
                theirs = max(velocities[other, 0] * hx + velocities[other, 1] * hy, 0.0)
                limit = min(limit, theirs + max(along - space, 0.0) / FOLLOWING)
        share = 1.0 - caution + caution * limit / speed
        wanted[k, 0], wanted[k, 1] = share * wanted[k, 0], share * wanted[k, 1]
