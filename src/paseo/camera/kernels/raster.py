"""Which triangle each pixel shows, by its exact ray."""

# mypy: ignore-errors
# ruff: noqa: UP018
# The types here are warp's, read by its compiler: float(0.0) is what a loop may change.

import warp as wp

from paseo.camera.kernels import MODULE
from paseo.camera.kernels.layout import Geometry, Optics, Paint, corners, holes_of, is_hole

NOTHING = wp.constant(wp.int64(0x7FFFFFFFFFFFFFFF))  # the entry of a pixel that shows nothing


NARROW = wp.constant(8)  # pixels; what is narrower is tested pixel by pixel
WIDEST = wp.constant(16.0)  # x and y of a ray at depth 1


@wp.struct
class Edges:
    """A triangle seen from the camera: planes through its edges, and its own."""

    first: wp.vec3
    second: wp.vec3
    third: wp.vec3
    normal: wp.vec3
    distance: float  # along the normal; 0: seen edge-on


@wp.func
def edges_of(g: Geometry, triangle: int):
    """The planes of a triangle, turned so that rays that hit it are on their positive side."""
    at = corners(g, triangle)
    a = g.seen[at[0]]
    b = g.seen[at[1]]
    c = g.seen[at[2]]
    normal = wp.cross(b - a, c - a)
    distance = wp.dot(a, normal)
    sign = float(1.0)
    if distance < 0.0:
        sign = float(-1.0)
    edges = Edges()
    # Of differences, which are exact to the last digit where the products of far points are not.
    edges.first = wp.cross(b, c - b) * sign
    edges.second = wp.cross(c, a - c) * sign
    edges.third = wp.cross(a, b - a) * sign
    edges.normal = normal * sign
    edges.distance = distance * sign
    return edges


@wp.func
def along(plane: wp.vec3, ray: wp.vec2):
    """The product of a plane and a ray to depth 1."""
    return ray[0] * plane[0] + ray[1] * plane[1] + plane[2]


@wp.func
def weights_of(edges: Edges, ray: wp.vec2):
    """How much each corner counts where the ray meets the triangle's plane."""
    first = along(edges.first, ray)
    second = along(edges.second, ray)
    third = along(edges.third, ray)
    return wp.vec3(first, second, third) / (first + second + third)


@wp.func
def depth_of(edges: Edges, ray: wp.vec2):
    """How deep the ray meets the triangle; -1 where it does not."""
    depth = float(-1.0)
    if along(edges.first, ray) >= 0.0 and along(edges.second, ray) >= 0.0:
        if along(edges.third, ray) >= 0.0:
            slope = along(edges.normal, ray)
            if slope > 0.0:
                depth = edges.distance / slope
    return depth


@wp.func
def bin_of(value: float, low: float, high: float, bins: float):
    """The place of a value in a look-up table."""
    return int((wp.clamp(value, low, high) - low) * bins)


@wp.kernel(module=MODULE)
def find_boxes(
    start: int,
    margin: float,
    g: Geometry,
    o: Optics,
    boxes: wp.array(dtype=wp.vec4s),
    loose: wp.array(dtype=wp.vec4s),
):
    """The pixels whose middle a triangle may cover: first column and row, last ones; -1: none.

    The loose ones are those that it may touch, with a margin in pixels; with 0 none are asked for.
    """
    triangle = start + wp.tid()
    boxes[triangle] = no_box()
    if margin > 0.0:
        loose[triangle] = no_box()
    at = corners(g, triangle)
    a = g.seen[at[0]]
    b = g.seen[at[1]]
    c = g.seen[at[2]]
    nearest = wp.min(a[2], wp.min(b[2], c[2]))
    if wp.max(a[2], wp.max(b[2], c[2])) < o.near or nearest > o.far:
        return
    low = wp.vec2(1.0e30, 1.0e30)
    high = wp.vec2(-1.0e30, -1.0e30)
    for side in range(2):
        least = o.low[side]
        most = o.high[side]
        if a[side] < least * a[2] and b[side] < least * b[2] and c[side] < least * c[2]:
            return
        if a[side] > most * a[2] and b[side] > most * b[2] and c[side] > most * c[2]:
            return
    if nearest >= o.near:
        p = wp.vec2(a[0], a[1]) / a[2]
        q = wp.vec2(b[0], b[1]) / b[2]
        r = wp.vec2(c[0], c[1]) / c[2]
        low = wp.min(p, wp.min(q, r))
        high = wp.max(p, wp.max(q, r))
    else:
        low, high = clipped_span(a, b, o.near, low, high)
        low, high = clipped_span(b, c, o.near, low, high)
        low, high = clipped_span(c, a, o.near, low, high)
    boxes[triangle] = box_of(o, low, high)
    if margin > 0.0:
        loose[triangle] = box_of(o, low - o.pixel * margin, high + o.pixel * margin)


@wp.func
def no_box():
    """The box of what covers nothing."""
    none = wp.int16(-1)
    return wp.vec4s(none, none, none, none)


@wp.func
def box_of(o: Optics, low: wp.vec2, high: wp.vec2):
    """The pixels whose rays may lie in a span of directions."""
    box = no_box()
    left = o.first_column[bin_of(low[0], o.low[0], o.high[0], o.bins[0])]
    right = o.last_column[bin_of(high[0], o.low[0], o.high[0], o.bins[0])]
    top = o.first_row[bin_of(low[1], o.low[1], o.high[1], o.bins[1])]
    bottom = o.last_row[bin_of(high[1], o.low[1], o.high[1], o.bins[1])]
    if left <= right and top <= bottom:
        box = wp.vec4s(wp.int16(left), wp.int16(top), wp.int16(right), wp.int16(bottom))
    return box


@wp.func
def clipped_span(a: wp.vec3, b: wp.vec3, near: float, low: wp.vec2, high: wp.vec2):
    """The span so far, and what an edge adds to it from its first corner on, beyond `near`."""
    if a[2] >= near:
        p = wp.vec2(a[0], a[1]) / a[2]
        low = wp.min(low, p)
        high = wp.max(high, p)
    if (a[2] >= near) != (b[2] >= near):
        cut = a + (b - a) * ((near - a[2]) / (b[2] - a[2]))
        q = wp.vec2(cut[0], cut[1]) / near
        low = wp.min(low, q)
        high = wp.max(high, q)
    return low, high


@wp.func
def entry_of(depth: float, triangle: int):
    """A depth and a triangle as one number: the nearer, the smaller."""
    return (wp.int64(wp.cast(depth, wp.uint32)) << wp.int64(32)) | wp.int64(triangle)


@wp.func
def entry_depth(entry: wp.int64):
    """The depth of an entry."""
    return wp.cast(wp.uint32(entry >> wp.int64(32)), wp.float32)


@wp.func
def entry_triangle(entry: wp.int64):
    """The triangle of an entry."""
    return int(entry & wp.int64(0xFFFFFFFF))


@wp.func
def narrowed(plane: wp.vec3, y: float, o: Optics, span: wp.vec2i):
    """The columns of a span whose rays at this y may be on the positive side of a plane.

    For straight lenses. What rounding may do to the exact test of a ray is allowed for.
    """
    low = span[0]
    high = span[1]
    start = o.rays[0][0]
    slope = plane[0] * o.pixel[0]
    if wp.abs(slope) > 1.0e-20:
        root = -(start * plane[0] + y * plane[1] + plane[2]) / slope
        size = WIDEST * (wp.abs(plane[0]) + wp.abs(plane[1])) + wp.abs(plane[2])
        slack = 1.0 + 1.0e-6 * size / wp.abs(slope)
        if slope > 0.0:
            low = int(wp.clamp(root - slack, float(low), float(high) + 1.0))
        else:
            high = int(wp.clamp(root + slack + 1.0, float(low) - 1.0, float(high)))
    return wp.vec2i(low, high)


@wp.func
def columns_of(edges: Edges, y: float, o: Optics, span: wp.vec2i):
    """The columns of a span that a triangle may cover in the row of this y."""
    if o.straight != 0 and span[1] - span[0] >= NARROW:
        span = narrowed(edges.first, y, o, span)
        span = narrowed(edges.second, y, o, span)
        span = narrowed(edges.third, y, o, span)
    return span


@wp.kernel(module=MODULE)
def cover(
    rows: wp.vec2i,
    g: Geometry,
    paint: Paint,
    o: Optics,
    kept: wp.array(dtype=int),
    boxes: wp.array(dtype=wp.vec4s),
    nearest: wp.array(dtype=wp.int64),
):
    """Note each triangle at the pixels where it is the nearest so far, in some of the rows."""
    triangle = kept[wp.tid()]
    box = boxes[triangle]
    top = wp.max(int(box[1]), rows[0])
    bottom = wp.min(int(box[3]), rows[1] - 1)
    if top > bottom:
        return
    edges = edges_of(g, triangle)
    if edges.distance == 0.0:
        return
    holes = holes_of(paint, g, triangle)
    for y in range(top, bottom + 1):
        span = wp.vec2i(int(box[0]), int(box[2]))
        span = columns_of(edges, o.rays[y * o.width][1], o, span)
        for x in range(span[0], span[1] + 1):
            pixel = y * o.width + x
            depth = depth_of(edges, o.rays[pixel])
            if depth >= o.near and depth <= o.far:
                entry = entry_of(depth, triangle)
                if entry < nearest[pixel]:
                    if not is_hole(paint, holes, weights_of(edges, o.rays[pixel])):
                        wp.atomic_min(nearest, pixel, entry)
