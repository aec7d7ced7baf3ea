"""Edges made smooth: more rays where neighbours show different things."""

# mypy: ignore-errors
# ruff: noqa: UP018
# The types here are warp's, read by its compiler: float(0.0) is what a loop may change.

import warp as wp

from paseo.camera.kernels import MODULE
from paseo.camera.kernels.layout import (
    Geometry,
    Holes,
    Optics,
    Paint,
    corners,
    holes_of,
    is_hole,
    material_of,
)
from paseo.camera.kernels.raster import (
    NOTHING,
    Edges,
    depth_of,
    edges_of,
    entry_depth,
    entry_of,
    entry_triangle,
    weights_of,
)
from paseo.camera.kernels.shading import LEAF

SAMPLES = wp.constant(3)  # and the middle


@wp.func
def offset(sample: int):
    """Where in a pixel a sample lies, from its middle."""
    place = wp.vec2(-0.375, -0.125)
    if sample == 1:
        place = wp.vec2(0.25, -0.375)
    if sample == 2:
        place = wp.vec2(0.125, 0.375)
    return place


@wp.func
def differ(g: Geometry, paint: Paint, one: wp.int64, other: wp.int64):
    """Whether two pixels show different things, or the same far apart.

    Leaves before leaves are the same: nobody sees their edges, and trees are full of them.
    """
    if one == NOTHING or other == NOTHING:
        return one != other
    a = entry_triangle(one)
    b = entry_triangle(other)
    if a == b:
        return False
    if g.owners[a] != g.owners[b]:
        return True
    first = material_of(g, a)
    second = material_of(g, b)
    if paint.materials[first].surface == LEAF and paint.materials[second].surface == LEAF:
        return False
    if first != second:
        return True
    p = entry_depth(one)
    q = entry_depth(other)
    return wp.abs(p - q) > 0.03 * wp.min(p, q)


@wp.kernel(module=MODULE)
def find_edges(
    start: int,
    g: Geometry,
    paint: Paint,
    o: Optics,
    nearest: wp.array(dtype=wp.int64),
    found: wp.array(dtype=wp.int8),
):
    """Which pixels differ from a neighbour."""
    pixel = start + wp.tid()
    y = pixel // o.width
    x = pixel - y * o.width
    here = nearest[pixel]
    edge = wp.int8(0)
    if x > 0:
        if differ(g, paint, here, nearest[pixel - 1]):
            edge = wp.int8(1)
    if x + 1 < o.width:
        if differ(g, paint, here, nearest[pixel + 1]):
            edge = wp.int8(1)
    if y > 0:
        if differ(g, paint, here, nearest[pixel - o.width]):
            edge = wp.int8(1)
    if y + 1 < o.height:
        if differ(g, paint, here, nearest[pixel + o.width]):
            edge = wp.int8(1)
    found[pixel] = edge


@wp.kernel(module=MODULE)
def look_around(
    start: int,
    o: Optics,
    pixels: wp.array(dtype=int),
    nearest: wp.array(dtype=wp.int64),
    deepest: wp.array(dtype=float),
):
    """The deepest that an edge or its neighbours show: what is behind it does not matter."""
    slot = start + wp.tid()
    pixel = pixels[slot]
    y = pixel // o.width
    x = pixel - y * o.width
    most = float(0.0)
    for dy in range(-1, 2):
        for dx in range(-1, 2):
            if x + dx >= 0 and x + dx < o.width and y + dy >= 0 and y + dy < o.height:
                entry = nearest[pixel + dy * o.width + dx]
                depth = float(1.0e30)
                if entry != NOTHING:
                    depth = entry_depth(entry)
                most = wp.max(most, depth)
    deepest[slot] = most


@wp.kernel(module=MODULE)
def cover_samples(
    rows: wp.vec2i,
    g: Geometry,
    paint: Paint,
    o: Optics,
    kept: wp.array(dtype=int),
    boxes: wp.array(dtype=wp.vec4s),
    slots: wp.array(dtype=int),
    pixels: wp.array(dtype=int),
    deepest: wp.array(dtype=float),
    samples: wp.array(dtype=wp.int64),
):
    """Note each triangle at the samples of edges where it is the nearest so far.

    `slots` has for each pixel the place of the first edge from there on among `pixels`, which end
    with one that no picture has.
    """
    triangle = kept[wp.tid()]
    box = boxes[triangle]
    top = wp.max(int(box[1]), rows[0])
    bottom = wp.min(int(box[3]), rows[1] - 1)
    begun = bool(False)
    edges = Edges()
    holes = Holes()
    nearest = float(0.0)
    for y in range(top, bottom + 1):
        slot = slots[y * o.width + int(box[0])]
        last = y * o.width + int(box[2])
        while pixels[slot] <= last:
            if not begun:
                at = corners(g, triangle)
                nearest = wp.min(g.seen[at[0]][2], wp.min(g.seen[at[1]][2], g.seen[at[2]][2]))
                edges = edges_of(g, triangle)
                holes = holes_of(paint, g, triangle)
                begun = bool(True)
            if edges.distance != 0.0 and nearest <= deepest[slot]:
                for k in range(SAMPLES):
                    ray = o.rays[pixels[slot]] + wp.cw_mul(offset(k), o.pixel)
                    depth = depth_of(edges, ray)
                    if depth >= o.near and depth <= o.far:
                        entry = entry_of(depth, triangle)
                        if entry < samples[slot * SAMPLES + k]:
                            if not is_hole(paint, holes, weights_of(edges, ray)):
                                wp.atomic_min(samples, slot * SAMPLES + k, entry)
            slot += 1


@wp.func
def unlike(g: Geometry, one: wp.int64, other: wp.int64):
    """How ill the colour of one thing stands for another, 0 to 1000."""
    if one == NOTHING or other == NOTHING:
        return wp.where(one == other, 0.0, 1000.0)
    a = entry_triangle(one)
    b = entry_triangle(other)
    if a == b:
        return 0.0
    if g.owners[a] != g.owners[b]:
        return 1000.0
    apart = wp.abs(entry_depth(one) - entry_depth(other))
    if material_of(g, a) != material_of(g, b):
        return wp.min(10.0 + apart, 900.0)
    return wp.min(apart, 9.0)


@wp.kernel(module=MODULE)
def resolve(
    start: int,
    g: Geometry,
    o: Optics,
    pixels: wp.array(dtype=int),
    nearest: wp.array(dtype=wp.int64),
    samples: wp.array(dtype=wp.int64),
    rgb: wp.array(dtype=wp.vec3ub),
    smooth: wp.array(dtype=wp.vec3ub),
):
    """The mean colour of an edge's samples, each taken from the neighbour most like it."""
    slot = start + wp.tid()
    pixel = pixels[slot]
    y = pixel // o.width
    x = pixel - y * o.width
    own = rgb[pixel]
    total = wp.vec3(float(own[0]), float(own[1]), float(own[2]))
    for k in range(SAMPLES):
        sample = samples[slot * SAMPLES + k]
        best = float(1.0e9)
        colour = rgb[pixel]
        shift = offset(k)
        for dy in range(-1, 2):
            for dx in range(-1, 2):
                if x + dx >= 0 and x + dx < o.width and y + dy >= 0 and y + dy < o.height:
                    other = pixel + dy * o.width + dx
                    away = wp.length_sq(wp.vec2(float(dx), float(dy)) - shift)
                    cost = unlike(g, sample, nearest[other]) + 0.05 * away
                    if cost < best:
                        best = cost
                        colour = rgb[other]
        if best >= 1000.0:
            colour = rgb[pixel]
        total += wp.vec3(float(colour[0]), float(colour[1]), float(colour[2]))
    mean = total / float(SAMPLES + 1) + wp.vec3(0.5, 0.5, 0.5)
    smooth[slot] = wp.vec3ub(wp.uint8(mean[0]), wp.uint8(mean[1]), wp.uint8(mean[2]))
