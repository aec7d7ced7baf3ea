"""Hair: strips along combed curves over a shell that follows the scalp."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from basis import Basis, Floats, Ints
from cutting import Cut, clipped, compact, point_normals, smoothing
from garments import Part, bone
from heads import face_places, head_quads, triangulated
from scipy.spatial import cKDTree
from shapes import Shape

# The hairline: degrees from the front, metres above the eyes.
LINE = {
    "full": ([0, 25, 45, 58, 70, 78, 92, 104, 125, 150, 180],
             [0.070, 0.068, 0.056, 0.030, 0.002, -0.006, 0.030, 0.012, -0.050, -0.072, -0.078]),
    "soft": ([0, 25, 45, 58, 70, 78, 92, 104, 125, 150, 180],
             [0.068, 0.064, 0.050, 0.030, 0.014, 0.012, 0.030, 0.010, -0.045, -0.066, -0.072]),
    "receding": ([0, 14, 30, 45, 58, 70, 78, 92, 104, 125, 150, 180],
                 [0.088, 0.092, 0.108, 0.088, 0.040, 0.002, -0.004, 0.030, 0.012, -0.05, -0.07, -0.075]),
    "fringe": ([0, 40, 62, 70, 78, 92, 104, 125, 150, 180],
               [0.20, 0.20, 0.12, 0.002, -0.004, 0.030, 0.012, -0.050, -0.070, -0.075]),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How hair grows and is combed; lengths in metres on a head of usual size."""

    line: str = "full"
    cards: int = 260
    steps: int = 6
    width: float = 0.017
    top: float = 0.045  # length on the crown
    sides: float = 0.025  # length at the ears and the nape
    lift: float = 0.35  # how steeply it leaves the scalp, 0 lies flat
    thick: float = 0.012  # how far it stands off the scalp
    shell: float = 0.006
    part: float = 0.035  # where it is parted, metres to the left
    comb: str = "forward"  # forward, side, out, down, back or knot
    curl: float = 0.0
    fall: float = 0.0  # metres below the eyes where long hair ends
    tail: int = 0  # cards of a ponytail
    bun: float = 0.0  # radius of a bun


STYLES = {
    "crop": Style(top=0.026, sides=0.014, lift=0.45, thick=0.008, cards=330, width=0.014),
    "short": Style(top=0.050, sides=0.022, lift=0.5, thick=0.016, comb="side", cards=330),
    "parted": Style(top=0.085, sides=0.030, lift=0.45, thick=0.020, comb="side", cards=330),
    "swept": Style(top=0.080, sides=0.026, lift=0.6, thick=0.024, comb="back", cards=330),
    "buzz": Style(top=0.010, sides=0.007, lift=0.5, thick=0.003, cards=0, shell=0.003),
    "curls": Style(top=0.055, sides=0.040, lift=1.0, thick=0.030, comb="out", curl=0.012,
                   cards=380, width=0.020, shell=0.016),
    "afro": Style(line="soft", top=0.070, sides=0.065, lift=1.0, thick=0.055, comb="out",
                  curl=0.014, cards=430, width=0.026, shell=0.040),
    "receding": Style(line="receding", top=0.035, sides=0.020, lift=0.3, thick=0.008,
                      comb="back", cards=300),
    "fringe": Style(line="fringe", top=0.02, sides=0.022, lift=0.3, thick=0.007, comb="down",
                    cards=230, width=0.014),
    "bob": Style(line="soft", comb="down", fall=0.105, thick=0.024, shell=0.010, cards=330,
                 steps=9, width=0.022, lift=0.3),
    "long": Style(line="soft", comb="down", fall=0.26, thick=0.022, shell=0.010, cards=330,
                  steps=11, width=0.024, part=0.012, lift=0.3),
    "wavy": Style(line="soft", comb="down", fall=0.20, thick=0.030, shell=0.012, cards=340,
                  steps=11, width=0.026, curl=0.010, part=-0.03, lift=0.4),
    "ponytail": Style(line="soft", comb="knot", thick=0.008, shell=0.006, cards=260, steps=8,
                      width=0.020, lift=0.15, tail=46),
    "bun": Style(line="soft", comb="knot", thick=0.008, shell=0.006, cards=250, steps=8,
                 width=0.020, lift=0.15, bun=0.040),
}


def hairiness(basis: Basis, line: str) -> Floats:
    """Metres above the hairline, for every point of the base mesh; below 0 is no hair."""
    angle, height = face_places(basis)
    degrees, heights = LINE[line]
    edge = np.interp(np.degrees(abs(angle)), degrees, heights)
    above: Floats = height - edge
    return above


@cache
def scalp_cut(basis: Basis, line: str, margin: float) -> Cut:
    """The scalp inside a hairline."""
    import scipy.sparse as sp

    triangles = triangulated(basis.grids["body"].quads[head_quads(basis)])
    whole = Cut(sp.identity(len(basis.points), format="csr"), triangles)
    _, height = face_places(basis)
    value = np.where(height > -0.1, margin - hairiness(basis, line), 1.0)
    return clipped(compact(whole), value[np.unique(triangles)])


@cache
def roots(basis: Basis, line: str, count: int) -> tuple[Ints, Floats]:
    """Corners and shares of points spread evenly over the scalp of the reference."""
    from garments import reference

    triangles = triangulated(basis.grids["body"].quads[head_quads(basis)])
    hairy = hairiness(basis, line)
    triangles = triangles[hairy[triangles].min(axis=1) > 0]
    points = reference(basis).points
    sides = points[triangles]
    area = np.linalg.norm(
        np.cross(sides[:, 1] - sides[:, 0], sides[:, 2] - sides[:, 0]), axis=1
    )
    rng = np.random.default_rng([count, 5])
    many = rng.choice(len(triangles), count * 8, p=area / area.sum())
    shares = rng.dirichlet([1, 1, 1], count * 8)
    places = np.einsum("pk,pki->pi", shares, points[triangles[many]])
    chosen = [0]
    distance = np.linalg.norm(places - places[0], axis=1)
    for _ in range(count - 1):
        chosen.append(int(distance.argmax()))
        distance = np.minimum(distance, np.linalg.norm(places - places[chosen[-1]], axis=1))
    return triangles[many[chosen]], shares[chosen]


def combed(style: Style, place: Floats, normal: Floats, size: float) -> Floats:
    """The way hair is combed at roots, unit vectors; places are from between the eyes."""
    x, y, z = place.T / size
    out = np.sign(y - style.part) + (y == style.part)
    down = np.array([0.0, 0.0, -1.0])
    zeros, ones = np.zeros_like(x), np.ones_like(x)
    if style.comb == "forward":
        way = np.stack([0.6 * (x > -0.1), 0.25 * np.sign(y) * (abs(y) > 0.05), -0.7 * ones], 1)
    elif style.comb == "side":
        upper = np.clip((z - 0.05) / 0.05, 0, 1)
        way = np.stack([0.25 - 1.2 * np.clip(-x / 0.1 - 0.5, 0, 1), out * (0.2 + upper), -0.45 * ones + 0.5 * upper * (x > -0.04)], 1)
    elif style.comb == "back":
        way = np.stack([-ones, 0.1 * out, zeros - 0.35], 1)
    elif style.comb == "out":
        way = normal + 0.2 * down
    elif style.comb == "knot":
        way = np.array([-0.185, 0.0, 0.035]) - np.stack([x, y, z], 1)
    else:
        way = np.stack([-0.25 - 0.8 * (x > -0.02) * (z > 0.03), 0.9 * out * (z > 0.04), -1.0 * ones], 1)
    length = np.linalg.norm(way, axis=1, keepdims=True)
    unit: Floats = way / np.maximum(length, 1e-9)
    return unit


def curves(
    style: Style, root: Floats, normal: Floats, place: Floats, *, size: float, tree: cKDTree,
    skin: Floats, skin_normals: Floats, collar: float,
) -> Floats:
    """Strands from their roots, (cards, steps + 1, 3), outside of the skin."""
    rng = np.random.default_rng([len(root), 9])
    way = combed(style, place, normal, size)
    if style.comb != "out":
        way = way - (way * normal).sum(axis=1, keepdims=True) * normal
        way /= np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-9)
    high = np.clip((place[:, 2] / size - 0.01) / 0.07, 0, 1)
    length = (style.sides + (style.top - style.sides) * high) * size
    if style.fall:
        length = (place[:, 2] + style.fall * size) + 0.10 * size * (high)
        length = np.maximum(length, 0.05 * size)
    if style.comb == "knot":
        length = np.linalg.norm(np.array([-0.185, 0.0, 0.035]) * size - place, axis=1) * 1.12
    length = length * rng.uniform(0.82, 1.12, len(root))
    layer = style.thick * size * rng.uniform(0.35, 1.0, len(root))
    direction = way + style.lift * normal + rng.normal(0, 0.10, way.shape)
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    here = root - 0.001 * normal
    track = [here]
    step = (length / style.steps)[:, None]
    middle = root - place
    for k in range(style.steps):
        here = here + step * direction
        distance, near = tree.query(here)
        rise = np.einsum("pi,pi->p", here - skin[near], skin_normals[near])
        share = min(1.0, 0.45 + 0.75 * (k + 1) / style.steps)
        if style.comb == "knot":
            share = np.sin(np.pi * min(0.97, (k + 1.2) / (style.steps + 1)))
        wanted = layer * share
        close = distance < 0.09 * size
        push = np.where(close, np.maximum(wanted - rise, 0), 0)[:, None] * skin_normals[near]
        here = here + push
        if style.curl:
            turn = 2.2 * k + rng.uniform(0, 0.4, len(here)) + np.arange(len(here)) * 2.4
            across = np.cross(direction, normal)
            here = here + style.curl * size * (
                np.cos(turn)[:, None] * across + 0.5 * np.sin(turn)[:, None] * normal
            )
        track.append(here)
        direction = here - track[-2]
        weight = 0.42 if style.fall else 0.10
        if style.comb == "knot":
            goal = middle + np.array([-0.185, 0.0, 0.035]) * size - here
            direction = direction / np.linalg.norm(direction, axis=1, keepdims=True)
            direction = 0.5 * direction + goal / np.linalg.norm(goal, axis=1, keepdims=True)
        elif style.comb != "out":
            direction = direction / np.linalg.norm(direction, axis=1, keepdims=True)
            direction = direction + weight * np.array([0.0, 0.0, -1.0])
        direction = direction / np.linalg.norm(direction, axis=1, keepdims=True)
    return np.stack(track, axis=1)


def strips(
    name: str, tracks: Floats, normals: Floats, *, width: float, weights: Floats, seed: int
) -> Part:
    """A flat strip along each track, two points a step, with a place in the strand texture."""
    rng = np.random.default_rng([seed, 11])
    cards, rows = tracks.shape[:2]
    along = np.gradient(tracks, axis=1)
    across = np.cross(along, normals)
    across /= np.maximum(np.linalg.norm(across, axis=-1, keepdims=True), 1e-9)
    tilt = rng.uniform(-0.45, 0.45, cards)[:, None, None]
    across = np.cos(tilt) * across + np.sin(tilt) * normals
    taper = 1.0 - 0.35 * np.linspace(0, 1, rows)[None, :, None] ** 2
    half = 0.5 * width * rng.uniform(0.75, 1.2, cards)[:, None, None] * taper
    points = np.stack([tracks - half * across, tracks + half * across], axis=2)
    column = rng.integers(0, 4, cards)[:, None, None] / 4
    u = column + np.array([0.02, 0.23])[None, None] + np.zeros((cards, rows, 1))
    v = 1 - np.linspace(0.01, 0.99, rows)[None, :, None] + np.zeros((cards, 1, 2))
    uv = np.stack([u, v], axis=-1).reshape(-1, 2)
    corner = np.arange(cards * rows * 2).reshape(cards, rows, 2)
    a, b = corner[:, :-1, 0].ravel(), corner[:, :-1, 1].ravel()
    c, d = corner[:, 1:, 0].ravel(), corner[:, 1:, 1].ravel()
    triangles = np.concatenate([np.stack([a, b, c], 1), np.stack([b, d, c], 1)])
    spread = np.repeat(weights, rows * 2, axis=0)
    return Part(
        name, points.reshape(-1, 3), triangles, uv, spread, np.zeros(len(triangles), int), ("hair",)
    )


def shell_part(basis: Basis, name: str, body: Shape, style: Style, size: float) -> Part:
    """The scalp a little raised; its v says how far inside the hairline a point is."""
    cut = scalp_cut(basis, style.line, 0.0)
    points = cut.mixture @ body.points
    normals = point_normals(points, cut.triangles)
    inside = cut.mixture @ hairiness(basis, style.line)
    raised = style.shell * size * np.clip(inside / 0.03, 0.12, 1)
    points = points + raised[:, None] * normals
    matrix = smoothing(cut.triangles, len(points))
    for _ in range(3):
        points = matrix @ points
    points = np.maximum(0, 1) * points
    angle, _ = face_places(basis)
    turn = angle[np.unique(triangulated(basis.grids["body"].quads[head_quads(basis)]))]
    del turn
    from garments import reference
    from heads import eye_middle

    offset = cut.mixture @ reference(basis).points - eye_middle(basis)
    around = np.arctan2(offset[:, 1], offset[:, 0] + 0.088)
    corner = around[cut.triangles]
    wraps = corner.max(axis=1) - corner.min(axis=1) > np.pi
    corner = corner + 2 * np.pi * (wraps[:, None] & (corner < 0))
    v = np.clip(inside / 0.06, 0, 0.98)[cut.triangles]
    corners = np.stack([corner * 8 / (2 * np.pi), v], axis=-1).reshape(-1, 2)
    key = np.concatenate(
        [cut.triangles.reshape(-1, 1), np.round(corners * 1e4)], axis=1
    ).astype(int)
    rows, first, place = np.unique(key, axis=0, return_index=True, return_inverse=True)
    origin = rows[:, 0]
    unique, same = np.unique(origin, return_index=True)
    weights = cut.mixture @ basis.weights
    return Part(
        name,
        points[origin],
        place.reshape(-1, 3),
        corners[first],
        weights[origin],
        np.zeros(len(cut.triangles), int),
        ("shell",),
        same[np.searchsorted(unique, origin)],
    )


def hair_parts(
    basis: Basis, name: str, body: Shape, *, inner: tuple[Floats, Floats]
) -> list[Part]:
    """All hair of a person; `inner` are points and normals it must stay out of."""
    style = STYLES[name]
    rows = np.unique(np.concatenate([basis.grids[f"helper-{s}-eye"].quads for s in "lr"]))
    middle = body.points[rows].mean(axis=0)
    crown = body.points[:13380, 2].max()
    size = (crown - middle[2]) / 0.125
    parts = [shell_part(basis, f"shell-{name}", body, style, size)]
    if not style.cards:
        return parts
    skin, skin_normals = inner
    tree = cKDTree(skin)
    triangles, shares = roots(basis, style.line, style.cards)
    root = np.einsum("pk,pki->pi", shares, body.points[triangles])
    head = body.points[:13380]
    all_normals = point_normals(head, triangulated(basis.grids["body"].quads))
    normal = np.einsum("pk,pki->pi", shares, all_normals[triangles])
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    tracks = curves(
        style, root, normal, root - middle, size=size, tree=tree, skin=skin,
        skin_normals=skin_normals, collar=0.0,
    )
    _, near = tree.query(tracks.reshape(-1, 3))
    outward = skin_normals[near].reshape(tracks.shape)
    weights = np.zeros((len(root), len(basis.bones[0])))
    weights[:, bone(basis, "head")] = 1
    part = strips(f"hair-{name}", tracks, outward, width=style.width * size, weights=weights, seed=3)
    parts.append(part)
    knot = middle + np.array([-0.190, 0.0, 0.035]) * size
    if style.tail:
        parts.append(_tail(style, knot, size, weights[:1], name))
    if style.bun:
        parts.append(_bun(style, knot, size, weights[:1], name))
    return parts


def _tail(style: Style, knot: Floats, size: float, weight: Floats, name: str) -> Part:
    rng = np.random.default_rng(21)
    turn = rng.uniform(0, 2 * np.pi, style.tail)
    spread = np.stack([0.3 * np.cos(turn) - 0.5, np.sin(turn), 0.4 * np.cos(turn)], 1)
    down = np.linspace(0, 1, 8)
    wide = 0.012 + 0.022 * np.sin(np.pi * np.minimum(down * 1.1, 1)) 
    path = np.stack([-0.045 * np.sin(np.pi * down * 0.8), 0 * down, 0.012 - 0.21 * down**1.4], 1)
    tracks = knot + size * (path[None] + wide[None, :, None] * spread[:, None] * 0.75)
    normals = np.repeat(spread[:, None] / np.linalg.norm(spread, axis=1)[:, None, None], 8, 1)
    weights = np.repeat(weight, style.tail, axis=0)
    return strips(f"tail-{name}", tracks, normals, width=0.022 * size, weights=weights, seed=5)


def _bun(style: Style, knot: Floats, size: float, weight: Floats, name: str) -> Part:
    rng = np.random.default_rng(22)
    cards = 60
    axis = rng.normal(0, 1, (cards, 3))
    axis /= np.linalg.norm(axis, axis=1, keepdims=True)
    start = np.cross(axis, rng.normal(0, 1, (cards, 3)))
    start /= np.linalg.norm(start, axis=1, keepdims=True)
    other = np.cross(axis, start)
    turn = np.linspace(0, 3.0, 8)[None, :, None]
    normals = np.cos(turn) * start[:, None] + np.sin(turn) * other[:, None]
    radius = style.bun * size * rng.uniform(0.86, 1.0, cards)[:, None, None]
    centre = knot + np.array([-0.012, 0, 0.02]) * size
    tracks = centre + radius * normals * np.array([0.8, 1.0, 1.0])
    weights = np.repeat(weight, cards, axis=0)
    return strips(f"bun-{name}", tracks, normals, width=0.026 * size, weights=weights, seed=6)
