"""The colour of what each pixel shows: texture, sun, sky, and how each surface takes them."""

# mypy: ignore-errors
# ruff: noqa: UP018
# The types here are warp's, read by its compiler: float(0.0) is what a loop may change.

import warp as wp

from paseo.camera.kernels import MODULE
from paseo.camera.kernels.layout import (
    Geometry,
    Light,
    MaterialRow,
    Optics,
    Paint,
    SunMap,
    corner_uv,
    corners,
    material_of,
    normal_at,
    sampled,
    sky,
    texels_about,
)
from paseo.camera.kernels.occlusion import kind_of, light_at, near_ground
from paseo.camera.kernels.raster import (
    NOTHING,
    edges_of,
    entry_depth,
    entry_triangle,
    weights_of,
)
from paseo.camera.kernels.sunlight import sun_share
from paseo.camera.meshes import BRIGHTEST

# The order of `Surface`.
SKIN = wp.constant(0)
HAIR = wp.constant(1)
CLOTH = wp.constant(2)
LEATHER = wp.constant(3)
EYE = wp.constant(4)
GLASS = wp.constant(6)
GRASS = wp.constant(8)
LEAF = wp.constant(9)
METAL = wp.constant(11)
BRIGHT = wp.constant(BRIGHTEST / 255.0)


@wp.struct
class Spot:
    """What a ray meets, as far as light needs it."""

    point: wp.vec3
    normal: wp.vec3  # as it is shaded
    flat: wp.vec3  # of the triangle, towards the camera
    eye: wp.vec3  # towards the camera
    colour: wp.vec3
    depth: float


@wp.struct
class Shades:
    """What keeps light away, and whether it is asked about."""

    place: SunMap
    people: SunMap
    sunny: int  # 0: no shadows are cast
    open_sky: int  # 1: nothing is asked about ambient light
    samples: wp.array(dtype=wp.vec4)  # of ambient light
    columns: int
    rows: int


@wp.func
def decoded(paint: Paint, value: float):
    """Light of an sRGB value from 0 to 255."""
    return paint.linear[wp.clamp(int(value * 4.0117647), 0, 1023)]


@wp.func
def level_of(paint: Paint, texture: int, tiles: float):
    """The level of a texture whose texels are about as large as `tiles`."""
    row = paint.textures[texture]
    texels = tiles * wp.sqrt(float(row.width) * float(row.height))
    return wp.clamp(wp.log2(wp.max(texels, 1.0)), 0.0, float(row.smaller))


@wp.func
def dyed(row: MaterialRow, value: wp.vec4):
    """The colour of a texture that says how its dyes are mixed and how bright they are."""
    bright = value[1] * BRIGHT
    mixed = (row.first + (row.second - row.first) * (value[0] * 0.003921569)) * bright
    return wp.vec4(mixed[0], mixed[1], mixed[2], value[3])


@wp.func
def textured(paint: Paint, row: MaterialRow, uv: wp.vec2, tiles: float):
    """The colour of a material at a place, where a pixel is `tiles` wide."""
    colour = row.colour
    if row.texture >= 0:
        level = level_of(paint, row.texture, tiles)
        whole = int(level)
        value = sampled(paint, row.texture + whole, uv)
        part = level - float(whole)
        if part > 0.05:
            value = value * (1.0 - part) + sampled(paint, row.texture + whole + 1, uv) * part
        if row.dyed != 0:
            value = dyed(row, value)
        colour = wp.cw_mul(
            colour,
            wp.vec3(decoded(paint, value[0]), decoded(paint, value[1]), decoded(paint, value[2])),
        )
    return colour


@wp.func
def height_at(paint: Paint, level: int, uv: wp.vec2):
    """A level of bumps between its texels, 0 to 255."""
    near = texels_about(paint.textures[level], uv)
    upper = float(paint.heights[near.places[0]]) * (1.0 - near.s)
    upper += float(paint.heights[near.places[1]]) * near.s
    lower = float(paint.heights[near.places[2]]) * (1.0 - near.s)
    lower += float(paint.heights[near.places[3]]) * near.s
    return upper * (1.0 - near.t) + lower * near.t


@wp.func
def bumped(
    paint: Paint,
    row: MaterialRow,
    uv: wp.vec2,
    tiles: float,
    normal: wp.vec3,
    along_u: wp.vec3,
    along_v: wp.vec3,
):
    """The normal, tilted by the slope of the material's bumps."""
    texture = paint.textures[row.bump]
    wide = tiles / row.bump_tiles
    at = uv / row.bump_tiles
    level = level_of(paint, row.bump, wide)
    if level < 4.0:
        nearest = row.bump + int(level + 0.5)
        step = wp.max(1.0 / float(texture.width), wide)
        here = height_at(paint, nearest, at)
        right = height_at(paint, nearest, at + wp.vec2(step, 0.0))
        above = height_at(paint, nearest, at + wp.vec2(0.0, step))
        scale = row.bump_height / (255.0 * step) * (1.0 - level / 4.0)
        normal = wp.normalize(
            normal
            - wp.normalize(along_u) * ((right - here) * scale)
            - wp.normalize(along_v) * ((above - here) * scale)
        )
    return normal


@wp.func
def gloss(normal: wp.vec3, half: wp.vec3, roughness: float):
    """How bright the sun is mirrored."""
    power = 2.0 / wp.max(roughness * roughness * roughness * roughness, 0.002) - 1.0
    return (power + 8.0) / 25.0 * wp.pow(wp.max(wp.dot(normal, half), 0.0), power)


@wp.func
def fresnel(cosine: float, least: float):
    """The share of light that is mirrored at an angle."""
    x = 1.0 - wp.clamp(cosine, 0.0, 1.0)
    return least + (1.0 - least) * x * x * x * x * x


@wp.func
def lit(row: MaterialRow, light: Light, spot: Spot, sun: float, open_share: float):
    """What the eye gets from a spot that sees so much of the sun and of the sky."""
    towards = light.towards
    facing = wp.dot(spot.normal, towards)
    up = 0.5 + 0.5 * spot.normal[2]
    ambient = light.ground * (1.0 - up) + light.sky * up + light.low * (0.5 + 0.5 * facing)
    if light.pool_columns > 0:
        near = near_ground(light, spot.point)
        ambient = ambient * near[3] + wp.vec3(near[0], near[1], near[2])
    ambient = ambient * open_share
    direct = light.sun * (wp.max(facing, 0.0) * sun)
    cosine = wp.max(wp.dot(spot.normal, spot.eye), 0.0)
    half = wp.normalize(towards + spot.eye)
    shine = float(0.0)
    if row.surface == SKIN:
        red = wp.max((facing + 0.35) / 1.35, 0.0)
        other = wp.max((facing + 0.12) / 1.12, 0.0)
        direct = wp.cw_mul(light.sun, wp.vec3(red * red * 0.4 + other * 0.6, other, other)) * sun
        shine = 0.035 * gloss(spot.normal, half, 0.5)
    if is_thin(row.surface):
        through = wp.max(-facing, 0.0) * 0.45 + wp.max(facing, 0.0) * 0.1
        direct = direct + wp.cw_mul(light.sun, wp.vec3(0.85, 1.0, 0.45)) * (through * sun)
    if row.surface == CLOTH:
        rim = 1.0 - cosine
        ambient = ambient * (1.0 + 0.5 * rim * rim * rim)
    colour = wp.cw_mul(spot.colour, direct + ambient + row.glow * light.lamps)
    if row.surface == HAIR:
        shine = 0.05 * gloss(spot.normal, half, 0.55)
    if row.surface == LEATHER:
        shine = 0.05 * gloss(spot.normal, half, row.roughness)
    if row.surface == EYE or row.surface == GLASS or row.surface == METAL:
        mirror = 2.0 * wp.dot(spot.normal, spot.eye) * spot.normal - spot.eye
        least = float(0.04)
        mirrored = sky(light, mirror)
        if row.surface == METAL:
            least = float(0.35)
        if row.surface == GLASS:
            least = float(0.11)  # two panes
        if row.surface == GLASS or row.surface == METAL:
            # What stands around is mirrored instead of the sky near the horizon.
            low = wp.clamp((0.32 - mirror[2]) * 4.0, 0.0, 1.0)
            mirrored = mirrored * (1.0 - low) + light.ground * (0.6 * low)
        share = fresnel(cosine, least)
        colour = colour * (1.0 - share) + mirrored * (share * open_share)
        shine = least * gloss(spot.normal, half, wp.max(row.roughness, 0.15))
    if shine > 0.0 and facing > 0.0:
        colour = colour + light.sun * (wp.min(shine, 2.0) * facing * sun)
    far = 1.0 - wp.exp(-spot.depth * 0.0016)
    return colour * (1.0 - far) + light.haze * far


@wp.func
def filmed(paint: Paint, colour: wp.vec3, exposure: float):
    """Light as sRGB bytes, by a filmic curve (Narkowicz 2016)."""
    rgb = wp.vec3ub()
    for k in range(3):
        x = wp.max(colour[k] * exposure, 0.0)
        y = wp.clamp(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0)
        rgb[k] = paint.encoded[int(wp.sqrt(y) * 4095.0)]
    return rgb


@wp.func
def uv_axes(g: Geometry, triangle: int, at: wp.vec3i):
    """Where u and v grow in the world, metres to the tile."""
    instance = g.instances[g.owners[triangle]]
    local = g.triangles[triangle - instance.triangle_shift]
    shift = instance.template_start
    origin = g.uv[local[0] + shift]
    p = g.uv[local[1] + shift] - origin
    q = g.uv[local[2] + shift] - origin
    area = p[0] * q[1] - p[1] * q[0]
    one = g.points[at[1]] - g.points[at[0]]
    two = g.points[at[2]] - g.points[at[0]]
    scale = 1.0 / wp.where(wp.abs(area) < 1.0e-12, 1.0e-12, area)
    return (one * q[1] - two * p[1]) * scale, (two * p[0] - one * q[0]) * scale


@wp.func
def is_thin(surface: int):
    """Whether light comes through from behind."""
    thin = bool(surface == LEAF)
    if surface == GRASS:
        thin = True
    return thin


@wp.func
def sunshine(light: Light, shades: Shades, spot: Spot, surface: int, pixel: int):
    """How much of the sun a spot sees."""
    share = float(1.0)
    if shades.sunny != 0:
        facing = wp.dot(spot.normal, light.towards)
        if surface == SKIN:
            facing += 0.35
        share = 0.0
        if facing > 0.0 or is_thin(surface):
            share = sun_share(shades.place, light.towards, spot.point, spot.flat, pixel)
            if share > 0.0:
                people = sun_share(shades.people, light.towards, spot.point, spot.flat, pixel)
                share = share * people
    return share


@wp.func
def covered(
    g: Geometry,
    paint: Paint,
    o: Optics,
    row: MaterialRow,
    triangle: int,
    weights: wp.vec3,
    spot: Spot,
):
    """The spot with the colour and the bumps of its textures."""
    at = corners(g, triangle)
    uv = corner_uv(g, triangle, weights)
    along_u, along_v = uv_axes(g, triangle, at)
    metres = spot.depth * o.pixel[0]
    # Between the width of a pixel across the slope and along it.
    slant = wp.max(wp.dot(spot.flat, spot.eye), 0.04)
    size = wp.sqrt(wp.length(wp.cross(along_u, along_v)))
    tiles = metres / (wp.max(size, 1.0e-6) * wp.sqrt(slant))
    spot.colour = textured(paint, row, uv, tiles)
    if row.bump >= 0:
        spot.normal = bumped(paint, row, uv, tiles, spot.normal, along_u, along_v)
    return spot


@wp.func
def spot_of(g: Geometry, o: Optics, entry: wp.int64, ray: wp.vec2, way: wp.vec3):
    """What a ray meets, as yet without colour; and how much each corner of it counts."""
    triangle = entry_triangle(entry)
    spot = Spot()
    spot.depth = entry_depth(entry)
    spot.point = o.position + way * spot.depth
    spot.eye = -wp.normalize(way)
    edges = edges_of(g, triangle)
    weights = weights_of(edges, ray)
    spot.flat = -wp.normalize(o.rotation * edges.normal)
    spot.normal = normal_at(g, corners(g, triangle), weights)
    if wp.dot(spot.normal, spot.flat) < 0.0:
        spot.normal = -spot.normal
    return spot, weights


@wp.func
def open_share_of(o: Optics, shades: Shades, spot: Spot, pixel: int, kind: float):
    """How much of the sky a spot sees."""
    share = float(1.0)
    if shades.open_sky == 0:
        y = pixel // o.width
        x = pixel - y * o.width
        share = light_at(
            shades.samples,
            shades.columns,
            shades.rows,
            x,
            y,
            spot.point,
            spot.flat,
            spot.depth,
            kind,
        )
    return share


@wp.kernel(module=MODULE)
def shade(
    start: int,
    g: Geometry,
    paint: Paint,
    o: Optics,
    light: Light,
    shades: Shades,
    nearest: wp.array(dtype=wp.int64),
    rgb: wp.array(dtype=wp.vec3ub),
    depths: wp.array(dtype=float),
    ids: wp.array(dtype=int),
    normals: wp.array(dtype=wp.vec3),
):
    """The colour, depth, person and normal of each pixel."""
    pixel = start + wp.tid()
    entry = nearest[pixel]
    ray = o.rays[pixel]
    way = o.rotation * wp.vec3(ray[0], ray[1], 1.0)
    if entry == NOTHING:
        depths[pixel] = wp.nan
        ids[pixel] = -1
        normals[pixel] = wp.vec3(wp.nan, wp.nan, wp.nan)
        rgb[pixel] = wp.vec3ub()
        if wp.isfinite(ray[0]):
            rgb[pixel] = filmed(paint, sky(light, wp.normalize(way)), light.exposure)
        return
    triangle = entry_triangle(entry)
    spot, weights = spot_of(g, o, entry, ray, way)
    depths[pixel] = spot.depth
    ids[pixel] = g.instances[g.owners[triangle]].person
    normals[pixel] = spot.normal
    row = paint.materials[material_of(g, triangle)]
    if row.surface == LEAF:
        # A crown is lit as a whole, whichever way its leaves hang.
        spot.normal = normal_at(g, corners(g, triangle), weights)
    spot.colour = row.colour
    if row.texture >= 0 or row.bump >= 0:
        spot = covered(g, paint, o, row, triangle, weights, spot)
    share = sunshine(light, shades, spot, row.surface, pixel)
    open_share = open_share_of(o, shades, spot, pixel, kind_of(g, triangle))
    rgb[pixel] = filmed(paint, lit(row, light, spot, share, open_share), light.exposure)
