"""Half planes of velocities that keep clear of people and walls, and the best velocity in all.

Reciprocal n-body collision avoidance, van den Berg, Guy, Lin, Manocha, ISRR 2009: section 4 (the
half planes of people), 5.2 and 5.3 (the linear programs), 5.4 (walls). Every half plane is a
column of `lines` (4, lines): a point x, y on its edge, then the edge's direction x, y, of length
1. Velocities on the edge and to its left are permitted. All is computed in the precision of the
numbers that are handed in.
"""

import math

import numpy as np

from paseo.compiled import RealArray, compiled_like_numpy, inlined, like

PARALLEL = 1e-5  # sine of the angle below which two edges never meet

# Rows of `others` (6, others): where they are from here, their velocity, the distance at which
# they touch, and which way to part from one in the same spot with the same velocity (1 or -1).
DX, DY, OTHER_VX, OTHER_VY, REACH, SIDE = range(6)

# Columns of `walls` (walls, 12): from x, y to x, y with free space on the right; their direction;
# the directions of the walls before and after; 1 for an end that sticks out into free space.
AX, AY, BX, BY, UX, UY, BEFORE_X, BEFORE_Y, AFTER_X, AFTER_Y, A_OUT, B_OUT = range(12)


@inlined
def pair_lines(
    others: RealArray,
    count: int,
    velocity: tuple[float, float],
    share: float,
    per_horizon: float,
    per_dt: float,
    lines: RealArray,
    first: int,
) -> None:
    """Write the half planes of the first `count` others to columns `first` on.

    Who keeps to them takes `share` of each avoidance upon themselves, and is free of those who
    come near for one horizon; of those who touch already, after one dt. Both as 1 / seconds.
    """
    vx, vy = velocity
    zero, one = like(0.0, vx), like(1.0, vx)
    # No branches, and nothing that could count from the end: so several others are done at once
    # (in double precision; in single it would pay from 24 others on).
    start = np.uint64(first)
    for k in range(np.uint64(count)):
        px, py, reach = others[DX, k], others[DY, k], others[REACH, k]
        ux, uy = vx - others[OTHER_VX, k], vy - others[OTHER_VY, k]
        distance2, reach2 = px * px + py * py, reach * reach
        touching = distance2 <= reach2
        per_time = per_dt if touching else per_horizon
        # To the relative velocity from the middle of the round front of the cone to be left.
        wx, wy = ux - per_time * px, uy - per_time * py
        length2, dot = wx * wx + wy * wy, wx * px + wy * py
        in_front = touching | ((dot < 0.0) & (dot * dot > reach2 * length2))
        root = math.sqrt(length2 if in_front else distance2 - reach2)
        scale = one / (root if in_front else distance2)
        left = px * wy - py * wx > 0.0
        way, turn = (one if left else -one), (reach if left else -reach)
        ex = (wy if in_front else way * (px * root - py * turn)) * scale
        ey = (-wx if in_front else way * (px * turn + py * root)) * scale
        same = in_front & (root == 0.0)
        ex, ey = (zero if same else ex), (-others[SIDE, k] if same else ey)
        push, along = reach * per_time - root, ux * ex + uy * ey
        lines[0, start + k] = vx + share * (-push * ey if in_front else along * ex - ux)
        lines[1, start + k] = vy + share * (push * ex if in_front else along * ey - uy)
        lines[2, start + k] = ex
        lines[3, start + k] = ey


@compiled_like_numpy
def wall_line(
    walls: RealArray,
    k: int,
    position: tuple[float, float],
    velocity: tuple[float, float],
    radius: float,
    per_horizon: float,
    lines: RealArray,
    count: int,
) -> int:
    """Write the half plane of wall k after `count` others if it adds one; the new count."""
    ax, ay = walls[k, AX] - position[0], walls[k, AY] - position[1]
    bx, by = walls[k, BX] - position[0], walls[k, BY] - position[1]
    if is_covered(per_horizon, ax, ay, bx, by, radius, lines, count):
        return count
    ux, uy, a_out, b_out = walls[k, UX], walls[k, UY], walls[k, A_OUT] > 0.0, walls[k, B_OUT] > 0.0
    before, after = (walls[k, BEFORE_X], walls[k, BEFORE_Y]), (walls[k, AFTER_X], walls[k, AFTER_Y])
    wx, wy = walls[k, BX] - walls[k, AX], walls[k, BY] - walls[k, AY]
    share = (-ax * wx - ay * wy) / (wx * wx + wy * wy)  # of the wall before its nearest spot
    nx, ny = -ax - share * wx, -ay - share * wy
    radius2, beside = radius * radius, nx * nx + ny * ny <= radius * radius
    if share < 0.0 and ax * ax + ay * ay <= radius2:
        return with_line(lines, count, 0.0, 0.0, *unit(-ay, ax)) if a_out else count
    if share > 1.0 and bx * bx + by * by <= radius2:
        own = b_out and bx * after[1] - by * after[0] >= 0.0  # else it is the next wall's
        return with_line(lines, count, 0.0, 0.0, *unit(-by, bx)) if own else count
    if beside and 0.0 <= share <= 1.0:
        return with_line(lines, count, 0.0, 0.0, -ux, -uy)
    if beside and share < 0.0:  # in line with the wall only its nearer end counts
        if not a_out:
            return count
        bx, by, b_out, after = ax, ay, a_out, (ux, uy)
    elif beside:
        if not b_out:
            return count
        ax, ay, a_out, before = bx, by, b_out, (ux, uy)
    left = left_leg(ax, ay, radius, a_out, (ux, uy), before)
    right = right_leg(bx, by, radius, b_out, (ux, uy), after)
    cut = (ax * per_horizon, ay * per_horizon, bx * per_horizon, by * per_horizon)
    return cone_line(cut, left, right, (ux, uy), velocity, radius * per_horizon, lines, count)


@compiled_like_numpy
def is_covered(
    per_horizon: float,
    ax: float,
    ay: float,
    bx: float,
    by: float,
    radius: float,
    lines: RealArray,
    count: int,
) -> bool:
    """Whether one of the half planes already keeps clear of the wall from a to b."""
    ax, ay, bx, by = per_horizon * ax, per_horizon * ay, per_horizon * bx, per_horizon * by
    for k in range(count):
        x, y, dx, dy = lines[0, k], lines[1, k], lines[2, k], lines[3, k]
        if (ax - x) * dy - (ay - y) * dx - per_horizon * radius >= -PARALLEL and (bx - x) * dy - (
            by - y
        ) * dx - per_horizon * radius >= -PARALLEL:
            return True
    return False


@compiled_like_numpy
def left_leg(
    x: float,
    y: float,
    radius: float,
    out: bool,
    along: tuple[float, float],
    before: tuple[float, float],
) -> tuple[float, float, bool]:
    """The left side of a wall's cone, from its left end; and whether the wall before stands there.

    An end that does not stick out belongs to a corner that is closed by the wall before.
    """
    if not out:
        return -along[0], -along[1], False
    lx, ly = tangent(x, y, radius)
    if ly * before[0] - lx * before[1] >= 0.0:
        return -before[0], -before[1], True
    return lx, ly, False


@compiled_like_numpy
def right_leg(
    x: float,
    y: float,
    radius: float,
    out: bool,
    along: tuple[float, float],
    after: tuple[float, float],
) -> tuple[float, float, bool]:
    """The right side of a wall's cone, from its right end; and whether the next wall is there."""
    if not out:
        return along[0], along[1], False
    rx, ry = tangent(x, y, -radius)
    if rx * after[1] - ry * after[0] <= 0.0:
        return after[0], after[1], True
    return rx, ry, False


@compiled_like_numpy
def cone_line(
    cut: tuple[float, float, float, float],
    left: tuple[float, float, bool],
    right: tuple[float, float, bool],
    along: tuple[float, float],
    velocity: tuple[float, float],
    reach: float,
    lines: RealArray,
    count: int,
) -> int:
    """Write the half plane at the spot of a wall's cone that is nearest to the velocity."""
    ax, ay, bx, by = cut
    ux, uy = velocity[0] - ax, velocity[1] - ay
    vx, vy = velocity[0] - bx, velocity[1] - by
    wx, wy = bx - ax, by - ay
    corner = wx == 0.0 and wy == 0.0
    share = like(0.5, wx) if corner else (ux * wx + uy * wy) / (wx * wx + wy * wy)
    on_left, on_right = ux * left[0] + uy * left[1], vx * right[0] + vy * right[1]
    if on_left < 0.0 and (share < 0.0 or (corner and on_right < 0.0)):
        nx, ny = unit(ux, uy)
        return with_line(lines, count, ax + reach * nx, ay + reach * ny, ny, -nx)
    if share > 1.0 and on_right < 0.0:
        nx, ny = unit(vx, vy)
        return with_line(lines, count, bx + reach * nx, by + reach * ny, ny, -nx)
    to_front = to_left = to_right = math.inf
    if not corner and 0.0 <= share <= 1.0:
        to_front = length2(ux - share * wx, uy - share * wy)
    if not on_left < 0.0:
        to_left = length2(ux - on_left * left[0], uy - on_left * left[1])
    if not on_right < 0.0:
        to_right = length2(vx - on_right * right[0], vy - on_right * right[1])
    if to_front <= min(to_left, to_right):
        dx, dy = along
        return with_line(lines, count, ax + reach * dy, ay - reach * dx, -dx, -dy)
    if to_left <= to_right:
        dx, dy, foreign = left
        return (
            count if foreign else with_line(lines, count, ax - reach * dy, ay + reach * dx, dx, dy)
        )
    dx, dy, foreign = right
    return count if foreign else with_line(lines, count, bx + reach * dy, by - reach * dx, -dx, -dy)


@compiled_like_numpy
def tangent(x: float, y: float, radius: float) -> tuple[float, float]:
    """The direction that passes a disc around (x, y) on its left; with -radius on its right."""
    distance2 = x * x + y * y
    leg = math.sqrt(max(distance2 - radius * radius, like(0.0, distance2)))
    scale = like(1.0, distance2) / distance2
    return (x * leg - y * radius) * scale, (x * radius + y * leg) * scale


@compiled_like_numpy
def unit(x: float, y: float) -> tuple[float, float]:
    """The direction of a vector that is not zero."""
    length = math.sqrt(x * x + y * y)
    scale = like(1.0, length) / length
    return x * scale, y * scale


@compiled_like_numpy
def length2(x: float, y: float) -> float:
    """The square of a vector's length."""
    return x * x + y * y


@compiled_like_numpy
def with_line(lines: RealArray, count: int, x: float, y: float, dx: float, dy: float) -> int:
    """Write one half plane after `count` others; the new count."""
    lines[0, count] = x
    lines[1, count] = y
    lines[2, count] = dx
    lines[3, count] = dy
    return count + 1


@compiled_like_numpy
def excess(lines: RealArray, k: int, x: float, y: float) -> float:
    """How far the velocity lies outside half plane k; negative inside."""
    return lines[2, k] * (lines[1, k] - y) - lines[3, k] * (lines[0, k] - x)


@compiled_like_numpy
def span_on_edge(lines: RealArray, k: int, top_speed: float) -> tuple[bool, float, float]:
    """Whether and from where to where edge k is permitted by the edges before and by the speed.

    In metres per second along the edge from its point.
    """
    x, y, dx, dy = lines[0, k], lines[1, k], lines[2, k], lines[3, k]
    dot = x * dx + y * dy
    inside = dot * dot + top_speed * top_speed - (x * x + y * y)
    if not inside >= 0.0:
        return False, dot, dot
    half = math.sqrt(inside)
    low, high = -dot - half, -dot + half
    for j in range(k):
        ex, ey = lines[2, j], lines[3, j]
        sine = dx * ey - dy * ex
        ahead = ex * (y - lines[1, j]) - ey * (x - lines[0, j])
        if abs(sine) <= PARALLEL:
            if ahead < 0.0:
                return False, low, high
            continue
        meeting = ahead / sine
        if sine > 0.0:
            high = min(high, meeting)
        else:
            low = max(low, meeting)
        if low > high:
            return False, low, high
    return True, low, high


@compiled_like_numpy
def nearest_velocity(
    lines: RealArray, count: int, top_speed: float, x: float, y: float
) -> tuple[int, float, float]:
    """How many half planes can be kept in their order, and then the velocity nearest to (x, y)."""
    best_x, best_y = x, y
    speed2 = x * x + y * y
    if speed2 > top_speed * top_speed:
        scale = like(1.0, speed2) / math.sqrt(speed2)
        best_x, best_y = x * scale * top_speed, y * scale * top_speed
    for k in range(count):
        if excess(lines, k, best_x, best_y) > 0.0:
            permitted, low, high = span_on_edge(lines, k, top_speed)
            if not permitted:
                return k, best_x, best_y
            along = lines[2, k] * (x - lines[0, k]) + lines[3, k] * (y - lines[1, k])
            along = min(max(along, low), high)
            best_x = lines[0, k] + along * lines[2, k]
            best_y = lines[1, k] + along * lines[3, k]
    return count, best_x, best_y


@compiled_like_numpy
def furthest_velocity(
    lines: RealArray, count: int, top_speed: float, dx: float, dy: float
) -> tuple[bool, float, float]:
    """Whether any velocity is permitted, and then the one furthest in direction d."""
    best_x, best_y = top_speed * dx, top_speed * dy
    for k in range(count):
        if excess(lines, k, best_x, best_y) > 0.0:
            permitted, low, high = span_on_edge(lines, k, top_speed)
            if not permitted:
                return False, best_x, best_y
            along = high if lines[2, k] * dx + lines[3, k] * dy > 0.0 else low
            best_x = lines[0, k] + along * lines[2, k]
            best_y = lines[1, k] + along * lines[3, k]
    return True, best_x, best_y


@compiled_like_numpy
def least_bad_velocity(
    lines: RealArray,
    walls: int,
    failed: int,
    count: int,
    top_speed: float,
    best: tuple[float, float],
    scratch: RealArray,
) -> tuple[float, float]:
    """The velocity that is least far outside the half plane it is furthest outside of.

    The first `walls` half planes are kept in any case. `best` is the answer to those before
    `failed`, the first that cannot be kept too.
    """
    best_x, best_y = best
    worst = 0.0
    for k in range(failed, count):
        if excess(lines, k, best_x, best_y) > worst:
            rivals = where_worst(lines, walls, k, scratch)
            found, x, y = furthest_velocity(scratch, rivals, top_speed, -lines[3, k], lines[2, k])
            if found:  # otherwise by rounding: the velocity at hand is permitted
                best_x, best_y = x, y
            worst = excess(lines, k, best_x, best_y)
    return best_x, best_y


@compiled_like_numpy
def where_worst(lines: RealArray, walls: int, k: int, scratch: RealArray) -> int:
    """Write where no earlier half plane is more violated than k, as half planes; their number."""
    for j in range(walls):
        for row in range(4):
            scratch[row, j] = lines[row, j]
    count = walls
    x, y, dx, dy = lines[0, k], lines[1, k], lines[2, k], lines[3, k]
    for j in range(walls, k):
        ex, ey = lines[2, j], lines[3, j]
        sine = dx * ey - dy * ex
        if abs(sine) > PARALLEL:
            meeting = (ex * (y - lines[1, j]) - ey * (x - lines[0, j])) / sine
            scratch[0, count] = x + meeting * dx
            scratch[1, count] = y + meeting * dy
        elif dx * ex + dy * ey > 0.0:
            continue  # they face the same way: one is always the worse
        else:
            scratch[0, count] = like(0.5, x) * (x + lines[0, j])
            scratch[1, count] = like(0.5, y) * (y + lines[1, j])
        scratch[2, count], scratch[3, count] = unit(ex - dx, ey - dy)
        count += 1
    return count
