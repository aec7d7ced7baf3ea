"""How much of the sky a place sees: rays to the place around it, and the people nearby."""

# mypy: ignore-errors
# ruff: noqa: UP018
# The types here are warp's, read by its compiler: float(0.0) is what a loop may change.

import warp as wp

from paseo.camera.kernels.layout import Geometry, Optics, corners, normal_at
from paseo.camera.kernels.raster import NOTHING, edges_of, entry_depth, entry_triangle, weights_of

wp.set_module_options({"enable_backward": False, "max_unroll": 4})

BLOCK = wp.constant(4)  # pixels along each side that share a sample
RAYS = wp.constant(5)
FAR = wp.constant(2.5)  # metres within which something takes light away
NEAR_PEOPLE = wp.constant(1.5)


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
                    light = light * (1.0 - 0.8 * rise * ball[3] * ball[3] / away)
    return light


@wp.kernel
def occlude(
    start: int,
    columns: int,
    mesh: wp.uint64,
    people: People,
    g: Geometry,
    o: Optics,
    nearest: wp.array(dtype=wp.int64),
    samples: wp.array(dtype=wp.vec4),
):
    """For each block of pixels a place and the share of light that reaches it; -1: no place."""
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
    light = light / float(RAYS) * light_between(people, g.owners[triangle], point, normal)
    samples[block] = wp.vec4(point[0], point[1], point[2], light)


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
            if sample[3] >= 0.0:
                off = wp.vec3(sample[0], sample[1], sample[2]) - point
                apart = wp.abs(wp.dot(off, normal)) / (0.02 + 0.004 * depth)
                far = wp.length_sq(off) / (0.04 + 0.02 * depth * depth)
                across = 1.05 - wp.abs(u - float(left + dx))
                down = 1.05 - wp.abs(v - float(top + dy))
                weight = across * down / (1.0 + apart * apart * 4.0 + far)
                total += weight * sample[3]
                whole += weight
    return (total + 0.0001) / whole
