"""Compiled bodies: people are pushed off each other and out of walls after every step."""

import math

from paseo.compiled import compiled
from paseo.world.arrays import BoolArray, FloatArray
from paseo.world.space.geometry import field_at

NEAREST = 0.36  # metres between centres
WALL_ROOM = 0.12  # metres between centres and walls
ROUNDS = 40  # of pushing people apart, at most


@compiled
def kept_apart(
    before: FloatArray,
    after: FloatArray,
    standing: BoolArray,
    furthest: float,
    distance: FloatArray,
    x0: float,
    y0: float,
    cell: float,
) -> FloatArray:
    """Where people end up who wanted to be at `after`, (people, 2): off each other and off walls.

    Nobody gets further than `furthest` from where they were. Who stands makes no room for walkers.
    """
    placed = after.copy()
    people = len(placed)
    for _ in range(ROUNDS):
        moved = False
        for i in range(people):
            for j in range(i + 1, people):
                dx, dy = placed[j, 0] - placed[i, 0], placed[j, 1] - placed[i, 1]
                if abs(dx) < NEAREST and abs(dy) < NEAREST:
                    gap = math.hypot(dx, dy)
                    if gap < NEAREST - 1e-4:
                        moved = True
                        push_pair(placed, i, j, standing)
        for k in range(people):
            moved |= put_back(placed, k, before, furthest, distance, x0, y0, cell)
        if not moved:
            break
    return placed


@compiled
def push_pair(placed: FloatArray, i: int, j: int, standing: BoolArray) -> None:
    """Move two people apart along the line between them until they are NEAREST apart."""
    dx, dy = placed[j, 0] - placed[i, 0], placed[j, 1] - placed[i, 1]
    gap = math.hypot(dx, dy)
    ux, uy = (dx / gap, dy / gap) if gap > 1e-9 else (1.0, 0.0)
    share = 0.5
    if standing[i] and not standing[j]:
        share = 0.0
    elif standing[j] and not standing[i]:
        share = 1.0
    push = NEAREST - gap
    placed[i, 0] -= share * push * ux
    placed[i, 1] -= share * push * uy
    placed[j, 0] += (1.0 - share) * push * ux
    placed[j, 1] += (1.0 - share) * push * uy


@compiled
def put_back(
    placed: FloatArray,
    k: int,
    before: FloatArray,
    furthest: float,
    distance: FloatArray,
    x0: float,
    y0: float,
    cell: float,
) -> bool:
    """Take one person out of walls and back to within reach; whether that was needed."""
    moved = False
    room = field_at(placed[k, 0], placed[k, 1], distance, x0, y0, cell)
    if room < WALL_ROOM:
        moved = True
        east = field_at(placed[k, 0] + cell, placed[k, 1], distance, x0, y0, cell)
        west = field_at(placed[k, 0] - cell, placed[k, 1], distance, x0, y0, cell)
        north = field_at(placed[k, 0], placed[k, 1] + cell, distance, x0, y0, cell)
        south = field_at(placed[k, 0], placed[k, 1] - cell, distance, x0, y0, cell)
        gx, gy = east - west, north - south
        length = math.hypot(gx, gy)
        if math.isfinite(length) and length > 1e-9:
            placed[k, 0] += (WALL_ROOM - room) * gx / length
            placed[k, 1] += (WALL_ROOM - room) * gy / length
        else:
            placed[k, 0], placed[k, 1] = before[k, 0], before[k, 1]
    dx, dy = placed[k, 0] - before[k, 0], placed[k, 1] - before[k, 1]
    length = math.hypot(dx, dy)
    if length > furthest:
        moved = moved or length > furthest + 1e-6
        placed[k, 0] = before[k, 0] + dx * furthest / length
        placed[k, 1] = before[k, 1] + dy * furthest / length
    return moved
