"""How much of the sky a place sees: past the place around it, people nearby, and houses."""

# mypy: ignore-errors
# ruff: noqa: UP018
# The types here are warp's, read by its compiler: float(0.0) is what a loop may change.

import warp as wp

from paseo.camera.kernels import MODULE
from paseo.camera.kernels.layout import Geometry, Light, Optics, corners, normal_at
from paseo.camera.kernels.raster import NOTHING, edges_of, entry_depth, entry_triangle, weights_of

BLOCK = wp.constant(4)  # pixels along each side that share a sample
RAYS = wp.constant(5)
FAR = wp.constant(2.5)  # metres within which something takes light away
NEAR_PEOPLE = wp.constant(1.5)
AROUND = wp.constant(2)  # samples to each side whose mean is taken,
FEW = wp.constant(0.2)  # how little samples may count before others are looked for
CALM = wp.constant(0.25)  # those so many metres away, seen closely, by half
LAMP_TOP = wp.constant(4.0)  # metres; no higher does the light of lamps reach
ROOFS = wp.constant(10.0)  # metres; higher up one sees all of the sky


@wp.struct
class People:
    """People as balls, one for each large bone, that keep light away."""

    balls: wp.array(dtype=wp.vec4)  # middle and radius
    first_ball: wp.array(dtype=int)  # of each person, and the end
    middles: wp.array(dtype=wp.vec2)  # of each person on the ground
    owners: wp.array(dtype=int)  # the instance of each person
    count: int


@wp.func
def sample_pixel(o: Optics, column: int, row: int):
    """The pixel of a block that is looked at; another in each block."""
    state = wp.rand_init(7, row * 8192 + column)
    x = column * BLOCK + wp.randi(state, 0, BLOCK)
    y = row * BLOCK + wp.randi(state, 0, BLOCK)
    return wp.min(y, o.height - 1) * o.width + wp.min(x, o.width - 1)


@wp.func
def cosine_direction(normal: wp.vec3, a: float, b: float):
    """A direction above a surface, more often the steeper it is; a and b are 0 to 1."""
    up = wp.vec3(0.0, 0.0, 1.0)
    if wp.abs(normal[2]) > 0.9:
        up = wp.vec3(1.0, 0.0, 0.0)
    right = wp.normalize(wp.cross(up, normal))
    forward = wp.cross(normal, right)
    r = wp.sqrt(a)
    angle = 6.2831853 * b
    return (
        right * (r * wp.cos(angle))
        + forward * (r * wp.sin(angle))
        + normal * wp.sqrt(wp.max(0.0, 1.0 - a))
    )


@wp.func
def light_between(people: People, owner: int, point: wp.vec3, normal: wp.vec3):
    """What people around leave of the sky's light; oneself does not count."""
    light = float(1.0)
    for person in range(people.count):
        middle = people.middles[person]
        dx = middle[0] - point[0]
        dy = middle[1] - point[1]
        if dx * dx + dy * dy < NEAR_PEOPLE * NEAR_PEOPLE and people.owners[person] != owner:
            for k in range(people.first_ball[person], people.first_ball[person + 1]):
                ball = people.balls[k]
                way = wp.vec3(ball[0], ball[1], ball[2]) - point
                away = wp.max(wp.dot(way, way), ball[3] * ball[3])
                rise = wp.dot(way, normal) / wp.sqrt(away)
                if rise > 0.0:
                    light = light * (1.0 - rise * ball[3] * ball[3] / away)
    return light * light  # between the balls is more of a body


@wp.func
def kind_of(g: Geometry, triangle: int):
    """What samples of people have on top of their light: the ground takes none from a shoe."""
    return wp.where(g.owners[triangle] == 0, 0.0, 2.0)


@wp.kernel(module=MODULE)
def occlude(
    start: int,
    columns: int,
    mesh: wp.uint64,
    people: People,
    g: Geometry,
    o: Optics,
    nearest: wp.array(dtype=wp.int64),
    samples: wp.array(dtype=wp.vec4),
    sides: wp.array(dtype=wp.vec3),
):
    """For each block of pixels a place and the light that comes past the place; -1: no place.

    That of people is 2 more. Sides are normals there, as long as the share that people leave.
    """
    block = start + wp.tid()
    row = block // columns
    pixel = sample_pixel(o, block - row * columns, row)
    entry = nearest[pixel]
    if entry == NOTHING:
        samples[block] = wp.vec4(0.0, 0.0, 0.0, -1.0)
        return
    triangle = entry_triangle(entry)
    ray = o.rays[pixel]
    way = wp.vec3(ray[0], ray[1], 1.0)
    point = o.position + o.rotation * (way * entry_depth(entry))
    at = corners(g, triangle)
    weights = weights_of(edges_of(g, triangle), ray)
    normal = normal_at(g, at, weights)
    if wp.dot(normal, o.rotation * way) > 0.0:
        normal = -normal
    # By a sequence that fills the plane evenly: neighbours look into different directions.
    turn = 0.7548777 * float(block - row * columns) + 0.5698403 * float(row)
    turn = turn - wp.floor(turn)
    lean = 0.5698403 * float(block - row * columns) + 0.7548777 * float(row) * 0.5
    lean = lean - wp.floor(lean)
    light = float(0.0)
    for k in range(RAYS):
        a = (float(k) + lean) / float(RAYS)
        b = turn + float(k) * 0.618034
        query = wp.mesh_query_ray(mesh, point + normal * 0.01, cosine_direction(normal, a, b), FAR)
        if query.result:
            light += query.t / FAR * 0.9
        else:
            light += 1.0
    light = light / float(RAYS) + kind_of(g, triangle)
    samples[block] = wp.vec4(point[0], point[1], point[2], light)
    left = light_between(people, g.owners[triangle], point, normal)
    sides[block] = normal * wp.max(left, 0.02)


@wp.kernel
def calm(
    start: int,
    columns: int,
    rows: int,
    o: Optics,
    samples: wp.array(dtype=wp.vec4),
    sides: wp.array(dtype=wp.vec3),
    calmed: wp.array(dtype=wp.vec4),
):
    """The mean of samples around each that lie on its plane, times what people leave there."""
    block = start + wp.tid()
    sample = samples[block]
    if sample[3] < 0.0:
        calmed[block] = sample
        return
    row = block // columns
    column = block - row * columns
    point = wp.vec3(sample[0], sample[1], sample[2])
    left = wp.length(sides[block])
    normal = sides[block] / left
    depth = wp.length(point - o.position)
    thick = 0.02 + 0.004 * depth
    kind = wp.where(sample[3] < 1.5, 0.0, 2.0)
    wide = CALM * CALM * (1.0 + depth * depth * 0.05)
    total = float(0.0)
    whole = float(0.0)
    for y in range(wp.max(row - AROUND, 0), wp.min(row + AROUND + 1, rows)):
        for x in range(wp.max(column - AROUND, 0), wp.min(column + AROUND + 1, columns)):
            other = samples[y * columns + x]
            off = wp.vec3(other[0], other[1], other[2]) - point
            apart = wp.dot(off, normal) / thick
            if wp.abs(other[3] - kind - 0.5) < 0.6 and apart * apart < 1.0:
                weight = 1.0 / (1.0 + wp.length_sq(off) / wide)
                total += weight * (other[3] - kind)
                whole += weight
    calmed[block] = wp.vec4(point[0], point[1], point[2], total / whole * left + kind)


@wp.func
def light_at(
    samples: wp.array(dtype=wp.vec4),
    columns: int,
    rows: int,
    x: int,
    y: int,
    point: wp.vec3,
    normal: wp.vec3,
    depth: float,
    kind: float,
):
    """The light that reaches a place, from the samples around its pixel that lie on its plane."""
    u = (float(x) + 0.5) / float(BLOCK) - 0.5
    v = (float(y) + 0.5) / float(BLOCK) - 0.5
    left = int(wp.floor(u))
    top = int(wp.floor(v))
    total = float(0.0)
    whole = float(0.0001)
    for dy in range(2):
        for dx in range(2):
            column = wp.clamp(left + dx, 0, columns - 1)
            row = wp.clamp(top + dy, 0, rows - 1)
            sample = samples[row * columns + column]
            if wp.abs(sample[3] - kind - 0.5) < 0.6:
                off = wp.vec3(sample[0], sample[1], sample[2]) - point
                apart = wp.abs(wp.dot(off, normal)) / (0.02 + 0.004 * depth)
                far = wp.length_sq(off) / (0.04 + 0.02 * depth * depth)
                across = 1.05 - wp.abs(u - float(left + dx))
                down = 1.05 - wp.abs(v - float(top + dy))
                weight = across * down / (1.0 + apart * apart * 4.0 + far)
                total += weight * (sample[3] - kind)
                whole += weight
    if whole < FEW:
        # Those around lie on something else, as beside a shoe: look further.
        for k in range(16):
            column = wp.clamp(left - 1 + k % 4, 0, columns - 1)
            row = wp.clamp(top - 1 + k // 4, 0, rows - 1)
            sample = samples[row * columns + column]
            if wp.abs(sample[3] - kind - 0.5) < 0.6:
                off = wp.vec3(sample[0], sample[1], sample[2]) - point
                apart = wp.dot(off, normal) / (0.01 + 0.002 * depth)
                weight = 1.0 / (1.0 + apart * apart * apart * apart)
                total += weight * (sample[3] - kind)
                whole += weight
    return (total + 0.0001) / whole


@wp.func
def near_ground(light: Light, point: wp.vec3):
    """The light of lamps at a place, and the share of the sky it sees; less so higher up."""
    found = wp.vec4(0.0, 0.0, 0.0, 1.0)
    u = (point[0] - light.pool_corner[0]) * light.pool_cells
    v = (point[1] - light.pool_corner[1]) * light.pool_cells
    inside = u > 0.0 and v > 0.0 and u < float(light.pool_columns - 1)
    if inside and v < float(light.pool_rows - 1) and point[2] < ROOFS:
        left = int(u)
        s = u - float(left)
        low = int(v)
        t = v - float(low)
        at = low * light.pool_columns + left
        near = light.pools[at] * (1.0 - s) + light.pools[at + 1] * s
        at += light.pool_columns
        far = light.pools[at] * (1.0 - s) + light.pools[at + 1] * s
        found = near * (1.0 - t) + far * t
        dim = wp.max(1.0 - point[2] / LAMP_TOP, 0.0)
        rise = wp.clamp(point[2] / ROOFS, 0.0, 1.0)
        open_share = found[3] * (1.0 - rise) + rise
        found = wp.vec4(found[0] * dim, found[1] * dim, found[2] * dim, open_share)
    return found
