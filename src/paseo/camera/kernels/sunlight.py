"""The sun's own view of the scene, and how much of the sun a place sees through it."""

# mypy: ignore-errors
# ruff: noqa: UP018
# The types here are warp's, read by its compiler: float(0.0) is what a loop may change.

import warp as wp

from paseo.camera.kernels import MODULE
from paseo.camera.kernels.layout import Geometry, Paint, SunMap, corners, holes_of, is_hole

TAPS = wp.constant(10)
LOOKS = wp.constant(5)
CELL = wp.constant(16)  # texels along each side
SEARCH = wp.constant(0.10)  # metres around a place in which something may shade it in part
SPREAD = wp.constant(0.014)  # metres of half-shadow for each metre to what throws it
# Places on a disc follow each other by the golden angle.
GOLDEN_COS = wp.constant(-0.73736888)
GOLDEN_SIN = wp.constant(0.67549029)


@wp.func
def on_map(m: SunMap, point: wp.vec3):
    """A point in texels of the map."""
    return wp.vec2(
        (wp.dot(point, m.across) - m.low[0]) / m.texel,
        (wp.dot(point, m.along) - m.low[1]) / m.texel,
    )


@wp.func
def note_coarsely(m: SunMap, rows: wp.vec2i, low: wp.vec2, high: wp.vec2, reach: float):
    """Note a triangle in the cells of some rows from which it may be looked for."""
    around = wp.max(SEARCH / m.texel, 1.0) + 1.0
    left = wp.clamp(int(low[0] - around) // CELL, 0, m.coarse_width - 1)
    right = wp.clamp(int(high[0] + around) // CELL, 0, m.coarse_width - 1)
    top = wp.max(int(wp.max(low[1] - around, 0.0)) // CELL, rows[0] // CELL)
    bottom = wp.min(int(wp.max(high[1] + around, 0.0)) // CELL, (rows[1] - 1) // CELL)
    for y in range(top, bottom + 1):
        for x in range(left, right + 1):
            if reach > m.coarse[y * m.coarse_width + x]:
                wp.atomic_max(m.coarse, y * m.coarse_width + x, reach)


@wp.func
def nothing_near(m: SunMap, uv: wp.vec2, own: float):
    """Whether nothing around a place stands out further than itself."""
    x = wp.clamp(int(uv[0]), 0, m.width - 1) // CELL
    y = wp.clamp(int(uv[1]), 0, m.height - 1) // CELL
    return m.coarse[y * m.coarse_width + x] <= own


@wp.kernel(module=MODULE)
def throw(
    rows: wp.vec2i,
    towards: wp.vec3,
    both_sides: int,
    triangles: wp.array(dtype=int),
    g: Geometry,
    paint: Paint,
    m: SunMap,
):
    """Draw triangles into some rows of the map, where they stand out furthest to the sun.

    The rows are whole cells, which no other launch writes to.
    """
    triangle = triangles[wp.tid()]
    at = corners(g, triangle)
    a = on_map(m, g.points[at[0]])
    b = on_map(m, g.points[at[1]])
    c = on_map(m, g.points[at[2]])
    area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    if area == 0.0 or (area < 0.0 and both_sides == 0):
        return
    low = wp.min(a, wp.min(b, c))
    high = wp.max(a, wp.max(b, c))
    p = wp.dot(g.points[at[0]], towards)
    q = wp.dot(g.points[at[1]], towards)
    r = wp.dot(g.points[at[2]], towards)
    note_coarsely(m, rows, low, high, wp.max(p, wp.max(q, r)))
    top = wp.max(int(wp.ceil(low[1] - 0.5)), rows[0])
    bottom = wp.min(int(wp.floor(high[1] - 0.5)), rows[1] - 1)
    left = wp.max(int(wp.ceil(low[0] - 0.5)), 0)
    right = wp.min(int(wp.floor(high[0] - 0.5)), m.width - 1)
    if top > bottom or left > right:
        return
    scale = 1.0 / area
    holes = holes_of(paint, g, triangle)
    for y in range(top, bottom + 1):
        v = float(y) + 0.5
        for x in range(left, right + 1):
            u = float(x) + 0.5
            second = ((u - a[0]) * (c[1] - a[1]) - (v - a[1]) * (c[0] - a[0])) * scale
            third = ((b[0] - a[0]) * (v - a[1]) - (b[1] - a[1]) * (u - a[0])) * scale
            first = 1.0 - second - third
            if first >= 0.0 and second >= 0.0 and third >= 0.0:
                reach = first * p + second * q + third * r
                texel = y * m.width + x
                if reach > m.reach[texel]:
                    if not is_hole(paint, holes, wp.vec3(first, second, third)):
                        wp.atomic_max(m.reach, texel, reach)


@wp.func
def reach_at(m: SunMap, u: float, v: float):
    """How far the map stands out at a place; nothing beyond its rim."""
    x = int(wp.floor(u))
    y = int(wp.floor(v))
    reach = float(-1.0e30)
    if x >= 0 and y >= 0 and x < m.width and y < m.height:
        reach = m.reach[y * m.width + x]
    return reach


@wp.func
def turned(way: wp.vec2):
    """A direction, turned by the golden angle."""
    return wp.vec2(
        way[0] * GOLDEN_COS - way[1] * GOLDEN_SIN, way[0] * GOLDEN_SIN + way[1] * GOLDEN_COS
    )


@wp.func
def shade_distance(m: SunMap, uv: wp.vec2, own: float, turn: wp.vec2):
    """The mean distance to what shades the neighbourhood of a place; 0: nothing does."""
    total = float(0.0)
    count = float(0.0)
    radius = wp.max(SEARCH / m.texel, 1.0)
    way = turn
    for k in range(LOOKS):
        r = radius * wp.sqrt(float(k) / float(LOOKS - 1))
        reach = reach_at(m, uv[0] + r * way[0], uv[1] + r * way[1])
        way = turned(way)
        if reach > own:
            total += reach - own
            count += 1.0
    if count > 0.0:
        total = total / count
    return total


@wp.func
def turn_of(pixel: int):
    """A direction for each pixel that its neighbours do not share."""
    state = wp.rand_init(5, pixel)
    angle = wp.randf(state) * 6.2831853
    return wp.vec2(wp.cos(angle), wp.sin(angle))


@wp.func
def sun_share(m: SunMap, towards: wp.vec3, point: wp.vec3, normal: wp.vec3, pixel: int):
    """How much of the sun's disc a place sees, 0 to 1; neighbouring pixels look differently."""
    slope = 1.0 - wp.abs(wp.dot(normal, towards))
    off = point + normal * (m.texel * (0.7 + 1.5 * slope))
    uv = on_map(m, off)
    share = float(1.0)
    if uv[0] > -8.0 and uv[1] > -8.0:
        if uv[0] < float(m.width + 8) and uv[1] < float(m.height + 8):
            own = wp.dot(off, towards) + m.texel * (1.0 + 2.0 * slope)
            distance = float(0.0)
            turn = wp.vec2()
            if not nothing_near(m, uv, own):
                turn = turn_of(pixel)
                distance = shade_distance(m, uv, own, turn)
            if distance > 0.0:
                radius = wp.max(distance * SPREAD / m.texel, 0.9)
                lit = float(0.0)
                way = turn
                for k in range(TAPS):
                    r = radius * wp.sqrt((float(k) + 0.5) / float(TAPS))
                    if reach_at(m, uv[0] + r * way[0], uv[1] + r * way[1]) <= own:
                        lit += 1.0
                    way = turned(way)
                share = lit / float(TAPS)
    return share
