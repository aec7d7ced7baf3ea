"""Compiled social forces: who is near, how they push, what the walls do, and the next velocity.

Neighbours come out of square cells into long rows of pairs; the laws run along these rows, one
pair a lane. Nothing is reordered for speed, so the same people give the same bytes anywhere.
"""

import math
from typing import NamedTuple

import numpy as np

from paseo.compiled import compiled
from paseo.crowd.steering.cells import cells_of
from paseo.crowd.steering.quick_exp import quick_angle, quick_exp
from paseo.errors import BadValue
from paseo.world.arrays import FloatArray, IntArray

ELLIPTICAL, CIRCULAR, ANGULAR = 0, 1, 2
NEGLIGIBLE = math.log(1e4)  # the exponent at which a force has fallen to 1e-4 of its maximum
CLOSEST = 1e-3  # metres; people nearer than this push as from here
TIE = 1e-4  # rad, by which one sees to the left who comes at one exactly, and so passes right
TINY = 1e-9  # divisors are at least this, which also tells the compiler that they are never 0
MOST_LOOKS = 1024.0  # along one step, for walls; nobody walks so far in one
BATCH = 256  # pairs that are worked out together, and fit into the nearest memory

# Columns of walkers; then, once they are sorted, where they face and their next velocity.
X, Y, VX, VY, WANTED_X, WANTED_Y, RADIUS, TOP_SPEED = range(8)
FACING_X, FACING_Y, NEXT_VX, NEXT_VY = range(8, 12)
# Rows of pairs: from the other to me, both velocities, both radii, where I face, and the push.
DX, DY, MY_VX, MY_VY, OTHER_VX, OTHER_VY, RADII, EYES_X, EYES_Y, PUSH_X, PUSH_Y = range(11)

Cells = tuple[IntArray, IntArray, int, int, float, float, float]  # see `cells_of`


class Law(NamedTuple):
    """The numbers of `SocialForce` as the kernels want them; masses are divided out."""

    form: int
    tau: float
    sight: float
    potential: float
    potential_range: float
    step_time: float
    view_cosine: float
    behind: float
    push: float
    push_range: float
    all_round: float
    turning: float
    turning_time: float
    foresight: float
    braking_focus: float
    turning_focus: float
    side_bias: float
    body: float
    friction: float
    wall_push: float
    wall_range: float
    wall_from_skin: float  # 1 where the distance of a wall counts from a person's skin, 0: centre


class Ground(NamedTuple):
    """A floor plan's distance field."""

    distance: FloatArray  # (rows, columns), signed metres at cell centres
    x0: float
    y0: float
    cell_size: float


@compiled
def steered(walkers: FloatArray, dt: float, law: Law, ground: Ground) -> FloatArray:
    """The velocity of everybody during the next `dt`, (walkers, 2); columns of `walkers` above."""
    refuse_unknown(walkers)
    people, reach = walkers.shape[0], reach_of(walkers, law)
    cells = cells_of(walkers, reach)
    crowd = sorted_crowd(walkers, cells[0])
    pairs, ends = np.empty((11, people + BATCH)), np.empty(people, np.int64)
    first = 0 * people  # a literal 0 would have kernels compiled a second time
    while first < people:
        last, count = pair_up(crowd, first, cells, reach, pairs, ends)
        if law.form == ELLIPTICAL:
            elliptical(pairs, count, law)
        elif law.form == CIRCULAR:
            circular(pairs, count, law)
        else:
            angular(pairs, count, law)
        touch(pairs, count, dt, law)
        take_steps(crowd, first, last, pairs, ends, dt, law, ground)
        first = last
    result = np.empty((people, 2))
    for place in range(people):
        result[cells[0][place], 0] = crowd[place, NEXT_VX]
        result[cells[0][place], 1] = crowd[place, NEXT_VY]
    return result


@compiled
def refuse_unknown(walkers: FloatArray) -> None:
    """Raise if anything about anybody is not a finite number."""
    values, known = walkers.ravel(), True
    for k in range(values.shape[0]):
        known &= abs(values[k]) < math.inf
    if not known:
        raise BadValue("a walker's position, velocity, wish, radius or top speed is not finite")


@compiled
def reach_of(walkers: FloatArray, law: Law) -> float:
    """Metres beyond which nobody is asked: there a push is under 1e-4 of the strongest."""
    fastest = widest = 0.0
    for person in range(walkers.shape[0]):
        vx, vy = walkers[person, VX], walkers[person, VY]
        fastest = max(fastest, math.sqrt(vx * vx + vy * vy))
        widest = max(widest, walkers[person, RADIUS])
    if law.form == ELLIPTICAL:
        half = 0.5 * fastest * law.step_time
        reach = half + math.sqrt(half * half + (NEGLIGIBLE * law.potential_range) ** 2)
    elif law.form == CIRCULAR:
        reach = 2.0 * widest + NEGLIGIBLE * law.push_range
    else:
        reach = NEGLIGIBLE * law.turning_time * (2.0 * law.foresight * fastest + 1.0)
    return max(min(reach, law.sight), 2.0 * widest)


@compiled
def sorted_crowd(walkers: FloatArray, order: IntArray) -> FloatArray:
    """Walkers in order of their cell, facing where they want to go, (walkers, 12)."""
    crowd = np.empty((walkers.shape[0], 12))
    for place in range(walkers.shape[0]):
        for column in range(8):
            crowd[place, column] = walkers[order[place], column]
        x, y = crowd[place, WANTED_X], crowd[place, WANTED_Y]
        wish = math.sqrt(x * x + y * y)
        per_wish = 1.0 / wish if wish > TINY else 0.0
        crowd[place, FACING_X], crowd[place, FACING_Y] = x * per_wish, y * per_wish
    return crowd


@compiled
def pair_up(
    crowd: FloatArray, first: int, cells: Cells, reach: float, pairs: FloatArray, ends: IntArray
) -> tuple[int, int]:
    """Write the pairs of people from first on until a batch is full; who is next, and how many.

    The pairs of one person lie together and end before ends[person].
    """
    _, starts, columns, rows, x0, y0, side = cells
    near, count, me = np.empty(crowd.shape[0], np.int64), 0 * first, first
    while me < crowd.shape[0] and count < BATCH:
        x, y, found = crowd[me, X], crowd[me, Y], 0
        column, row = int((x - x0) / side), int((y - y0) / side)
        west, east = max(column - 1, 0), min(column + 1, columns - 1)
        for r in range(max(row - 1, 0), min(row + 2, rows)):  # three cells in a row lie together
            for other in range(starts[r * columns + west], starts[r * columns + east + 1]):
                dx, dy = x - crowd[other, X], y - crowd[other, Y]
                near[found] = other  # written always, kept sometimes: no branch to guess wrong
                found += (dx * dx + dy * dy <= reach * reach) & (other != me)
        for k in range(found):
            write_pair(crowd, me, near[k], pairs, count)
            count += 1
        ends[me] = count
        me += 1
    return me, count


@compiled
def write_pair(crowd: FloatArray, me: int, other: int, pairs: FloatArray, k: int) -> None:
    """Write one pair; where a push would have no direction, or no way round, give it one."""
    my_vx, my_vy, vx, vy = crowd[me, VX], crowd[me, VY], crowd[other, VX], crowd[other, VY]
    pairs[MY_VX, k], pairs[MY_VY, k], pairs[OTHER_VX, k], pairs[OTHER_VY, k] = my_vx, my_vy, vx, vy
    pairs[RADII, k] = crowd[me, RADIUS] + crowd[other, RADIUS]
    pairs[EYES_X, k], pairs[EYES_Y, k] = crowd[me, FACING_X], crowd[me, FACING_Y]
    dx, dy = crowd[me, X] - crowd[other, X], crowd[me, Y] - crowd[other, Y]
    ux, uy, square = my_vx - vx, my_vy - vy, dx * dx + dy * dy
    if dx * uy == dy * ux and dx * ux + dy * uy < 0.0:  # exactly towards each other
        dx, dy = dx - TIE * dy, dy + TIE * dx
    if square == 0.0:
        dx = -CLOSEST if me < other else CLOSEST
    elif square < CLOSEST * CLOSEST:
        longer = CLOSEST / math.sqrt(square)
        dx, dy = dx * longer, dy * longer
    pairs[DX, k], pairs[DY, k] = dx, dy


@compiled
def elliptical(pairs: FloatArray, count: int, law: Law) -> None:
    """Helbing and Molnar 1995, eqs. 3, 4 and 7: minus the gradient of V0 exp(-b / sigma)."""
    dx, dy, vx, vy = pairs[DX], pairs[DY], pairs[OTHER_VX], pairs[OTHER_VY]
    eyes_x, eyes_y, push_x, push_y = pairs[EYES_X], pairs[EYES_Y], pairs[PUSH_X], pairs[PUSH_Y]
    cone = law.view_cosine * abs(law.view_cosine)
    fall = 1.0 / law.potential_range
    for k in range(count):
        sx, sy = vx[k] * law.step_time, vy[k] * law.step_time
        qx, qy = dx[k] - sx, dy[k] - sy
        here = math.sqrt(dx[k] * dx[k] + dy[k] * dy[k])
        there = math.sqrt(qx * qx + qy * qy)
        both = here + there
        per_here, per_there = 1.0 / max(here, TINY), 1.0 / max(there, CLOSEST)
        b = max(0.5 * math.sqrt(max(both * both - sx * sx - sy * sy, 0.0)), CLOSEST)
        strength = 0.25 * law.potential * fall * quick_exp(-b * fall) * both / b
        fx = strength * (dx[k] * per_here + qx * per_there)
        fy = strength * (dy[k] * per_here + qy * per_there)
        ahead = -(fx * eyes_x[k] + fy * eyes_y[k])
        facing = eyes_x[k] * eyes_x[k] + eyes_y[k] * eyes_y[k]  # 0 of who wants to go nowhere
        seen = ahead * abs(ahead) >= cone * (fx * fx + fy * fy) * facing
        weight = 1.0 if seen else law.behind
        push_x[k], push_y[k] = weight * fx, weight * fy


@compiled
def circular(pairs: FloatArray, count: int, law: Law) -> None:
    """Helbing, Farkas and Vicsek 2000: A exp((r - d) / B) along the line of centres."""
    dx, dy, radii = pairs[DX], pairs[DY], pairs[RADII]
    eyes_x, eyes_y, push_x, push_y = pairs[EYES_X], pairs[EYES_Y], pairs[PUSH_X], pairs[PUSH_Y]
    fall = 1.0 / law.push_range
    for k in range(count):
        d = math.sqrt(dx[k] * dx[k] + dy[k] * dy[k])
        per_d = 1.0 / max(d, TINY)
        nx, ny = dx[k] * per_d, dy[k] * per_d
        ahead = 0.5 * (1.0 - nx * eyes_x[k] - ny * eyes_y[k])
        weight = law.all_round + (1.0 - law.all_round) * ahead
        strength = weight * law.push * quick_exp((radii[k] - d) * fall)
        push_x[k], push_y[k] = strength * nx, strength * ny


@compiled
def angular(pairs: FloatArray, count: int, law: Law) -> None:
    """Moussaid et al. 2009: braking along and turning across the direction of interaction."""
    dx, dy, my_vx, my_vy = pairs[DX], pairs[DY], pairs[MY_VX], pairs[MY_VY]
    vx, vy, push_x, push_y = pairs[OTHER_VX], pairs[OTHER_VY], pairs[PUSH_X], pairs[PUSH_Y]
    per_time = 1.0 / law.turning_time
    for k in range(count):
        d = math.sqrt(dx[k] * dx[k] + dy[k] * dy[k])
        per_d = 1.0 / max(d, TINY)
        ex, ey = -dx[k] * per_d, -dy[k] * per_d
        tx = law.foresight * (my_vx[k] - vx[k]) + ex
        ty = law.foresight * (my_vy[k] - vy[k]) + ey
        length = math.sqrt(tx * tx + ty * ty)
        per_length = 1.0 / max(length, TINY)
        tx, ty, size = tx * per_length, ty * per_length, law.turning_time * length
        sine = tx * ey - ty * ex
        angle = quick_angle(sine, tx * ex + ty * ey)
        angle = (-angle if sine < 0.0 else angle) + size * law.side_bias
        braking, turning = law.braking_focus * size * angle, law.turning_focus * size * angle
        fading = -d * per_length * per_time
        brake = law.turning * quick_exp(fading - braking * braking)
        turn = law.turning * quick_exp(fading - turning * turning)
        side = 1.0 if angle > 0.0 else -1.0
        turn *= side if angle != 0.0 else 0.0
        push_x[k] = turn * ty - brake * tx
        push_y[k] = -turn * tx - brake * ty


@compiled
def touch(pairs: FloatArray, count: int, dt: float, law: Law) -> None:
    """Add body contact and friction where discs overlap (Helbing, Farkas and Vicsek 2000)."""
    dx, dy, my_vx, my_vy = pairs[DX], pairs[DY], pairs[MY_VX], pairs[MY_VY]
    vx, vy, radii = pairs[OTHER_VX], pairs[OTHER_VY], pairs[RADII]
    push_x, push_y = pairs[PUSH_X], pairs[PUSH_Y]
    # What one explicit step can carry: stiffer contacts would swing up, and each of the two takes
    # at most half of their sliding.
    stiffness, roughest = min(law.body, 1.0 / (dt * dt)), 0.5 / dt
    for k in range(count):
        square = dx[k] * dx[k] + dy[k] * dy[k]
        if square >= radii[k] * radii[k]:
            continue
        d = math.sqrt(square)
        nx, ny, overlap = dx[k] / d, dy[k] / d, radii[k] - d
        slip = (my_vx[k] - vx[k]) * ny - (my_vy[k] - vy[k]) * nx  # along (-ny, nx)
        normal = stiffness * overlap
        along = min(law.friction * overlap, roughest) * slip
        push_x[k] += normal * nx - along * ny
        push_y[k] += normal * ny + along * nx


@compiled
def take_steps(
    crowd: FloatArray,
    first: int,
    last: int,
    pairs: FloatArray,
    ends: IntArray,
    dt: float,
    law: Law,
    ground: Ground,
) -> None:
    """Give people from first to before last their next velocity: of pushes, wish and walls."""
    pair, share = 0, dt / law.tau
    for me in range(first, last):
        fx = fy = 0.0
        while pair < ends[me]:
            fx, fy = fx + pairs[PUSH_X, pair], fy + pairs[PUSH_Y, pair]
            pair += 1
        x, y, vx, vy = crowd[me, X], crowd[me, Y], crowd[me, VX], crowd[me, VY]
        radius, top_speed = crowd[me, RADIUS], crowd[me, TOP_SPEED]
        clearance, _, _ = wall_at(x, y, ground)
        near = clearance - law.wall_from_skin * radius < NEGLIGIBLE * law.wall_range
        if near or clearance < radius:
            wall_x, wall_y = wall_push(x, y, radius, dt, law, ground)
            fx, fy = fx + wall_x, fy + wall_y
        vx += (crowd[me, WANTED_X] - vx) * share + fx * dt
        vy += (crowd[me, WANTED_Y] - vy) * share + fy * dt
        square = vx * vx + vy * vy
        if square > top_speed * top_speed:
            slower = top_speed / math.sqrt(square)
            vx, vy = vx * slower, vy * slower
        if clearance < radius + ground.cell_size + top_speed * dt:  # else no wall is in reach
            vx, vy = kept_off_walls(x, y, vx, vy, radius, dt, ground)
        crowd[me, NEXT_VX], crowd[me, NEXT_VY] = vx, vy


@compiled
def wall_push(
    x: float, y: float, radius: float, dt: float, law: Law, ground: Ground
) -> tuple[float, float]:
    """What the nearest wall adds to a person's acceleration, m/s2."""
    clearance, nx, ny = wall_at(x, y, ground)
    if clearance < 0.0 and nx * nx + ny * ny < 0.01:  # amid a wall all ways out are as far: any
        aside = 0.75 * ground.cell_size
        _, nx, ny = wall_at(x + aside, y + aside, ground)
    push = law.wall_push * quick_exp((law.wall_from_skin * radius - clearance) / law.wall_range)
    push += min(law.body, 1.0 / (dt * dt)) * max(radius - clearance, 0.0)
    return push * nx, push * ny


@compiled
def wall_at(x: float, y: float, ground: Ground) -> tuple[float, float, float]:
    """Metres to the nearest wall and the direction away from it; negative in walls and off the map.

    Both are bilinear: where two walls are equally near, the direction is shorter than 1.
    """
    field, cell = ground.distance, ground.cell_size
    rows, columns = field.shape
    column, row = (x - ground.x0) / cell - 0.5, (y - ground.y0) / cell - 0.5
    on_x, on_y = min(max(column, 0.0), columns - 1.0), min(max(row, 0.0), rows - 1.0)
    c, r = max(min(int(on_x), columns - 2), 0), max(min(int(on_y), rows - 2), 0)
    c1, r1 = min(c + 1, columns - 1), min(r + 1, rows - 1)
    u, v = on_x - c, on_y - r
    low_west, high_west = field[r, c], field[r1, c]
    low_rise, high_rise = field[r, c1] - low_west, field[r1, c1] - high_west
    low, high = low_west + u * low_rise, high_west + u * high_rise
    if on_x != column or on_y != row:  # beyond the outermost cell centres
        back_x, back_y = (on_x - column) * cell, (on_y - row) * cell
        off = math.sqrt(back_x * back_x + back_y * back_y)
        return low + v * (high - low) - off, back_x / off, back_y / off
    return (
        low + v * (high - low),
        (low_rise + v * (high_rise - low_rise)) / cell,
        (high - low) / cell,
    )


@compiled
def room_wanted(radius: float, ground: Ground) -> float:
    """What the field must say for a disc to be clear of walls, in metres."""
    cell = ground.cell_size  # round a corner at d, the field is too large by up to cell^2 / (8 d)
    return radius + cell * cell / (8.0 * max(radius - 0.5 * cell, 0.5 * cell))


@compiled
def kept_off_walls(
    x: float, y: float, vx: float, vy: float, radius: float, dt: float, ground: Ground
) -> tuple[float, float]:
    """The velocity without as much of its part into the wall as would bring the disc into it.

    Who is too near already comes no nearer.
    """
    here, _, _ = wall_at(x, y, ground)
    room = min(room_wanted(radius, ground), here)
    for _ in range(3):
        share = share_to_wall(x, y, vx * dt, vy * dt, room, ground)
        if share == 0.0:
            return vx, vy
        _, nx, ny = wall_at(x + share * vx * dt, y + share * vy * dt, ground)
        length = max(math.sqrt(nx * nx + ny * ny), TINY)
        nx, ny = nx / length, ny / length
        into = -(vx * nx + vy * ny) - (here - room) / dt
        if into > 0.0:
            vx, vy = vx + into * nx, vy + into * ny
    for _ in range(6):
        if share_to_wall(x, y, vx * dt, vy * dt, room, ground) == 0.0:
            return vx, vy
        vx, vy = 0.5 * vx, 0.5 * vy
    return 0.0, 0.0


@compiled
def share_to_wall(
    x: float, y: float, step_x: float, step_y: float, room: float, ground: Ground
) -> float:
    """The share of a step after which less than the room is left; 0 if there is room all along."""
    # As often as it takes to step over no wall.
    length = math.sqrt(step_x * step_x + step_y * step_y)
    looks = math.ceil(min(length / max(room, ground.cell_size), MOST_LOOKS))
    for look in range(1, looks + 1):
        share = look / looks
        if wall_at(x + share * step_x, y + share * step_y, ground)[0] < room - 1e-9:
            return share
    return 0.0
