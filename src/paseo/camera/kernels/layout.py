"""The tables that kernels share: a frame's geometry, materials, optics, the light."""

# mypy: ignore-errors
# The types here are warp's, read by its compiler: float(0.0) is what a loop may change.

import warp as wp


@wp.struct
class Instance:
    """Something with a place in the frame: the place itself, or a person."""

    point_start: int  # its first point in the frame
    template_start: int  # its first point at rest
    triangle_shift: int  # from a triangle at rest to that of the frame
    bone_start: int
    person: int  # id; -1: nobody


@wp.struct
class Geometry:
    """All triangles of a frame; people repeat those of their templates."""

    triangles: wp.array(dtype=wp.vec3i)  # at rest
    materials: wp.array(dtype=int)  # of triangles at rest
    uv: wp.array(dtype=wp.vec2)  # of points at rest
    owners: wp.array(dtype=int)  # of triangles of the frame
    instances: wp.array(dtype=Instance)
    points: wp.array(dtype=wp.vec3)  # of the frame, in the world
    normals: wp.array(dtype=wp.vec3)
    seen: wp.array(dtype=wp.vec3)  # the points in the camera's own axes


@wp.struct
class Texture:
    """One level of a texture, each half as wide as that before it."""

    start: int  # of its texels
    width: int
    height: int
    smaller: int  # how many levels follow


@wp.struct
class MaterialRow:
    """A material, with its textures by their place; -1: none."""

    colour: wp.vec3
    first: wp.vec3  # dyes, from 0 to 255, if it is dyed
    second: wp.vec3
    dyed: int
    surface: int
    texture: int
    bump: int
    bump_tiles: float  # tiles of the texture that one of the bump takes
    bump_height: float  # in its own tiles
    roughness: float
    glow: wp.vec3  # of its own, at dusk
    alpha_tested: int


@wp.struct
class Paint:
    """All materials."""

    materials: wp.array(dtype=MaterialRow)
    textures: wp.array(dtype=Texture)
    texels: wp.array(dtype=wp.vec4ub)
    heights: wp.array(dtype=wp.uint8)  # of bumps
    linear: wp.array(dtype=float)  # (1024,), of sRGB from 0 to 1
    encoded: wp.array(dtype=wp.uint8)  # (4096,), sRGB of the square root of light from 0 to 1


@wp.struct
class Optics:
    """The camera: one ray for each pixel, and which pixels a span of directions can touch."""

    position: wp.vec3
    rotation: wp.mat33  # its columns are right, down and forward
    width: int
    height: int
    near: float
    far: float
    pixel: wp.vec2  # how wide and high a pixel is at depth 1
    straight: int  # 1: all pixels of a column have the same x, and of a row the same y
    rays: wp.array(dtype=wp.vec2)  # x and y at depth 1
    low: wp.vec2  # the least x and y of all rays
    high: wp.vec2
    bins: wp.vec2  # of the look-up tables, for each unit of x and y
    first_column: wp.array(dtype=int)
    last_column: wp.array(dtype=int)
    first_row: wp.array(dtype=int)
    last_row: wp.array(dtype=int)


@wp.struct
class SunMap:
    """How far towards the sun the outermost surface stands, seen from the sun."""

    across: wp.vec3  # the map's axes in the world
    along: wp.vec3
    low: wp.vec2  # its corner, on these axes
    texel: float  # metres
    width: int
    height: int
    reach: wp.array(dtype=float)  # metres towards the sun
    coarse_width: int
    coarse: wp.array(dtype=float)  # the furthest around, for each cell of some texels


@wp.struct
class Light:
    """Sun and sky."""

    towards: wp.vec3  # the sun
    sun: wp.vec3
    sky: wp.vec3  # from above
    ground: wp.vec3  # from below
    haze: wp.vec3
    low: wp.vec3  # from the bright part of the sky, on the side of a low sun
    lamps: float  # how bright they and what is behind panes are, 0 to 1
    # (rows, columns), from y and x: their light on the ground, and the share of the sky it sees.
    pools: wp.array(dtype=wp.vec4)
    pool_rows: int
    pool_columns: int  # 0: no lamps, and all of the sky
    pool_corner: wp.vec2
    pool_cells: float  # to the metre
    dome: wp.array(dtype=wp.vec3)  # (rows, columns): from the horizon up, and round from +x
    dome_rows: int
    dome_columns: int
    exposure: float


@wp.func
def corners(g: Geometry, triangle: int):
    """Where the corners of a triangle of the frame are among its points."""
    instance = g.instances[g.owners[triangle]]
    local = g.triangles[triangle - instance.triangle_shift]
    return wp.vec3i(
        local[0] + instance.point_start,
        local[1] + instance.point_start,
        local[2] + instance.point_start,
    )


@wp.func
def corner_uv(g: Geometry, triangle: int, weights: wp.vec3):
    """The uv of a place in a triangle."""
    instance = g.instances[g.owners[triangle]]
    local = g.triangles[triangle - instance.triangle_shift]
    shift = instance.template_start
    return (
        g.uv[local[0] + shift] * weights[0]
        + g.uv[local[1] + shift] * weights[1]
        + g.uv[local[2] + shift] * weights[2]
    )


@wp.func
def normal_at(g: Geometry, at: wp.vec3i, weights: wp.vec3):
    """The normal between three points of the frame."""
    return wp.normalize(
        g.normals[at[0]] * weights[0]
        + g.normals[at[1]] * weights[1]
        + g.normals[at[2]] * weights[2]
    )


@wp.func
def material_of(g: Geometry, triangle: int):
    """The place of a triangle's material."""
    return g.materials[triangle - g.instances[g.owners[triangle]].triangle_shift]


@wp.func
def texel(paint: Paint, place: int):
    """One texel, 0 to 255."""
    value = paint.texels[place]
    return wp.vec4(float(value[0]), float(value[1]), float(value[2]), float(value[3]))


@wp.struct
class Texels:
    """The four texels about a place, and how far it is from the first to the others."""

    places: wp.vec4i  # upper left and right, lower left and right
    s: float
    t: float


@wp.func
def texels_about(texture: Texture, uv: wp.vec2):
    """The texels about a place of a texture that repeats; its first row is at v = 1."""
    x = (uv[0] - wp.floor(uv[0])) * float(texture.width) - 0.5
    y = (wp.ceil(uv[1]) - uv[1]) * float(texture.height) - 0.5
    left = int(wp.floor(x))
    top = int(wp.floor(y))
    s = x - float(left)
    t = y - float(top)
    right = wp.where(left + 1 >= texture.width, 0, left + 1)
    below = wp.where(top + 1 >= texture.height, 0, top + 1)
    left = wp.where(left < 0, texture.width - 1, left)
    top = wp.where(top < 0, texture.height - 1, top)
    upper_row = texture.start + top * texture.width
    lower_row = texture.start + below * texture.width
    near = Texels()
    near.places = wp.vec4i(upper_row + left, upper_row + right, lower_row + left, lower_row + right)
    near.s = s
    near.t = t
    return near


@wp.func
def sampled(paint: Paint, level: int, uv: wp.vec2):
    """A level of a texture between its texels, 0 to 255."""
    near = texels_about(paint.textures[level], uv)
    upper = texel(paint, near.places[0]) * (1.0 - near.s) + texel(paint, near.places[1]) * near.s
    lower = texel(paint, near.places[2]) * (1.0 - near.s) + texel(paint, near.places[3]) * near.s
    return upper * (1.0 - near.t) + lower * near.t


@wp.struct
class Holes:
    """Where an alpha-tested triangle has nothing."""

    tested: int  # 0: nowhere
    texture: Texture
    first: wp.vec2  # uv of its corners
    second: wp.vec2
    third: wp.vec2


@wp.func
def holes_of(paint: Paint, g: Geometry, triangle: int):
    """The holes of a triangle of the frame."""
    holes = Holes()
    row = paint.materials[material_of(g, triangle)]
    holes.tested = row.alpha_tested
    if row.alpha_tested != 0:
        instance = g.instances[g.owners[triangle]]
        local = g.triangles[triangle - instance.triangle_shift]
        holes.texture = paint.textures[row.texture]
        holes.first = g.uv[local[0] + instance.template_start]
        holes.second = g.uv[local[1] + instance.template_start]
        holes.third = g.uv[local[2] + instance.template_start]
    return holes


@wp.func
def is_hole(paint: Paint, holes: Holes, weights: wp.vec3):
    """Whether there is nothing at that place of a triangle."""
    if holes.tested == 0:
        return False
    uv = holes.first * weights[0] + holes.second * weights[1] + holes.third * weights[2]
    near = texels_about(holes.texture, uv)
    upper = alpha(paint, near.places[0]) * (1.0 - near.s) + alpha(paint, near.places[1]) * near.s
    lower = alpha(paint, near.places[2]) * (1.0 - near.s) + alpha(paint, near.places[3]) * near.s
    return upper * (1.0 - near.t) + lower * near.t < 127.5


@wp.func
def alpha(paint: Paint, place: int):
    """How much there is at a texel, 0 to 255."""
    return float(paint.texels[place][3])


@wp.func
def sky(light: Light, way: wp.vec3):
    """The sky in a direction; haze below the horizon."""
    colour = light.haze
    if way[2] > 0.0:
        u = wp.atan2(way[1], way[0]) / 6.2831853
        u = (u - wp.floor(u)) * float(light.dome_columns)
        v = wp.asin(wp.min(way[2], 1.0)) / 1.5707964 * float(light.dome_rows - 1)
        left = int(u)
        low = int(v)
        s = u - float(left)
        t = v - float(low)
        right = (left + 1) % light.dome_columns
        left = left % light.dome_columns
        high = wp.min(low + 1, light.dome_rows - 1) * light.dome_columns
        low = low * light.dome_columns
        below = light.dome[low + left] * (1.0 - s) + light.dome[low + right] * s
        above = light.dome[high + left] * (1.0 - s) + light.dome[high + right] * s
        colour = below * (1.0 - t) + above * t
    return colour
