"""Hair: strips along combed curves over a shell that follows the scalp."""

from dataclasses import dataclass
from functools import cache

import numpy as np
import scipy.sparse as sp
from scipy.spatial import cKDTree

from basis import Basis, Floats, Ints
from cutting import Cut, clipped, compact, point_normals, smoothing
from garments import Part, bone, reference
from hairstyles import LINE, STYLES, Style
from heads import eye_middle, face_places, head_quads, triangulated
from shapes import SKIN, Shape


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
    triangles = triangulated(basis.grids["body"].quads[head_quads(basis)])
    whole = Cut(sp.identity(len(basis.points), format="csr"), triangles)
    _, height = face_places(basis)
    value = np.where(height > -0.1, margin - hairiness(basis, line), 1.0)
    return clipped(compact(whole), value[np.unique(triangles)])


@cache
def roots(basis: Basis, line: str, count: int) -> tuple[Ints, Floats]:
    """Corners and shares of points spread evenly over the scalp of the reference."""
    triangles = triangulated(basis.grids["body"].quads[head_quads(basis)])
    hairy = hairiness(basis, line)
    triangles = triangles[hairy[triangles].min(axis=1) > 0]
    points = reference(basis).points
    sides = points[triangles]
    area = np.linalg.norm(np.cross(sides[:, 1] - sides[:, 0], sides[:, 2] - sides[:, 0]), axis=1)
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
    zeros, ones = np.zeros_like(x), np.ones_like(x)
    if style.comb == "forward":
        way = np.stack([0.6 * (x > -0.1), 0.25 * np.sign(y) * (abs(y) > 0.05), -0.7 * ones], 1)
    elif style.comb == "side":
        upper = np.clip((z - 0.05) / 0.05, 0, 1)
        way = np.stack(
            [
                0.25 - 1.2 * np.clip(-x / 0.1 - 0.5, 0, 1),
                out * (0.2 + upper),
                -0.45 * ones + 0.5 * upper * (x > -0.04),
            ],
            1,
        )
    elif style.comb == "back":
        way = np.stack([-ones, 0.1 * out, zeros - 0.35], 1)
    elif style.comb == "tangle":
        way = np.random.default_rng(8).normal(0, 1, normal.shape)
    elif style.comb == "knot":
        way = np.array([-0.185, 0.0, 0.035]) - np.stack([x, y, z], 1)
    else:
        way = np.stack(
            [-0.25 - 0.8 * (x > -0.02) * (z > 0.03), 0.9 * out * (z > 0.04), -1.0 * ones], 1
        )
    length = np.linalg.norm(way, axis=1, keepdims=True)
    unit: Floats = way / np.maximum(length, 1e-9)
    return unit


@dataclass(frozen=True, slots=True, eq=False)
class Scalp:
    """Where hair grows on a head, and what it must stay out of."""

    root: Floats  # (strands, 3)
    normal: Floats  # (strands, 3)
    place: Floats  # (strands, 3) from between the eyes
    inside: Floats  # (strands,) metres from the hairline
    size: float  # of the head, 1 is usual
    skin: Floats  # (points, 3)
    skin_normals: Floats
    tree: cKDTree  # of the skin

    @property
    def knot(self) -> Floats:
        """From between the eyes to where hair is tied."""
        return np.array([-0.185, 0.0, 0.035]) * self.size


def curves(style: Style, scalp: Scalp) -> Floats:
    """Strands from their roots, (strands, steps + 1, 3), outside of the skin."""
    size, normal, count = scalp.size, scalp.normal, len(scalp.root)
    rng = np.random.default_rng([count, 9])
    step = (_lengths(style, scalp) * rng.uniform(0.82, 1.12, count) / style.steps)[:, None]
    layer = style.thick * size * rng.uniform(0.35, 1.0, count)
    way = combed(style, scalp.place, normal, size)
    way = _unit(way - (way * normal).sum(axis=1, keepdims=True) * normal)
    way = _unit(way + style.lift * normal + rng.normal(0, 0.10, way.shape))
    begin = style.start * style.shell * np.clip(scalp.inside / 0.03, 0.12, 1) * size
    track = [scalp.root + (begin - 0.001)[:, None] * normal]
    for k in range(style.steps):
        share = min(1.0, 0.45 + 0.75 * (k + 1) / style.steps)
        if style.comb == "knot":
            share = np.sin(np.pi * min(0.97, (k + 1.2) / (style.steps + 1)))
        here, above = _settled(style, scalp, track[-1] + step * way, layer * share)
        if style.curl:
            turn = (2.2 * k + rng.uniform(0, 0.4, count) + np.arange(count) * 2.4)[:, None]
            bend = np.cos(turn) * np.cross(way, normal) + 0.5 * np.sin(turn) * normal
            here = here + style.curl * size * bend
        way = _onward(style, scalp, here - track[-1], here, above, (k + 1) / style.steps)
        track.append(here)
    return np.stack(track, axis=1)


def _unit(vectors: Floats) -> Floats:
    unit: Floats = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    return unit


def _lengths(style: Style, scalp: Scalp) -> Floats:
    """How long hair is where it grows, (strands,) metres."""
    size, height = scalp.size, scalp.place[:, 2]
    high = np.clip((height / size - 0.01) / 0.07, 0, 1)
    if style.comb == "knot":
        reach: Floats = np.linalg.norm(scalp.knot - scalp.place, axis=1) * 1.12
        return reach
    if style.fall:
        return np.maximum(height + style.fall * size + 0.10 * size * high, 0.05 * size)
    return (style.sides + (style.top - style.sides) * high) * size


def _settled(style: Style, scalp: Scalp, here: Floats, wanted: Floats) -> tuple[Floats, Floats]:
    """Strands out of the skin, and on it where that is the scalp; and where it is."""
    distance, near = scalp.tree.query(here)
    normals, size = scalp.skin_normals[near], scalp.size
    rise = np.einsum("pi,pi->p", here - scalp.skin[near], normals)
    middle = scalp.root - scalp.place
    above = scalp.skin[near][:, 2] > middle[:, 2] - 0.045 * size
    push = np.maximum(wanted - rise, 0)
    if style.comb != "tangle":
        push = np.where(above, push - 0.75 * np.maximum(rise - wanted, 0), push)
    here = here + np.where(distance < 0.09 * size, push, 0)[:, None] * normals
    if style.fall:
        here = _off_face(here, middle, scalp.place[:, 1] - style.part * size, size)
    return here, above


def _onward(
    style: Style, scalp: Scalp, way: Floats, here: Floats, above: Floats, done: float
) -> Floats:
    """Where strands go on to: to the knot, back to the head, or down."""
    if style.comb == "knot":
        return _unit(0.5 * _unit(way) + _unit(scalp.root - scalp.place + scalp.knot - here))
    if style.comb == "tangle":
        return _unit(way - 0.35 * scalp.normal * done)
    weight = np.where(above, 0.25, 1.2)[:, None] if style.fall else 0.06
    return _unit(_unit(way) + weight * np.array([0.0, 0.0, -1.0]))


def _off_face(here: Floats, middle: Floats, out: Floats, size: float) -> Floats:
    """Long hair kept beside the face."""
    offset = (here - middle) / size
    before = (offset[:, 2] < 0.045) & (offset[:, 0] > -0.05)
    side = np.where(out < 0, -1.0, 1.0)
    y = np.where(before, side * np.maximum(abs(offset[:, 1]), 0.070), offset[:, 1])
    x = np.where(before, np.minimum(offset[:, 0], -0.012), offset[:, 0])
    return middle + size * np.stack([x, y, offset[:, 2]], axis=1)


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
    offset = cut.mixture @ reference(basis).points - eye_middle(basis)
    around = np.arctan2(offset[:, 1], offset[:, 0] + 0.088)
    corner = around[cut.triangles]
    wraps = corner.max(axis=1) - corner.min(axis=1) > np.pi
    corner = corner + 2 * np.pi * (wraps[:, None] & (corner < 0))
    far = np.clip(inside / 0.06, 0, None)
    folded = 0.9 - abs((far - 0.9 + 0.5) % 1.0 - 0.5)  # back and forth, away from the hairline
    v = np.where(far < 0.9, far, folded)[cut.triangles]
    corners = np.stack([corner * 8 / (2 * np.pi), v], axis=-1).reshape(-1, 2)
    key = np.concatenate([cut.triangles.reshape(-1, 1), np.round(corners * 1e4)], axis=1).astype(
        int
    )
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


def hair_parts(basis: Basis, name: str, body: Shape, *, inner: tuple[Floats, Floats]) -> list[Part]:
    """All hair of a person; `inner` are points and normals it must stay out of."""
    style = STYLES[name]
    rows = np.unique(np.concatenate([basis.grids[f"helper-{s}-eye"].quads for s in "lr"]))
    middle = body.points[rows].mean(axis=0)
    crown = body.points[SKIN, 2].max()
    size = (crown - middle[2]) / 0.125
    parts = [shell_part(basis, f"shell-{name}", body, style, size)]
    if not style.cards:
        return parts
    triangles, shares = roots(basis, style.line, style.cards)
    root = np.einsum("pk,pki->pi", shares, body.points[triangles])
    all_normals = point_normals(body.points[SKIN], triangulated(basis.grids["body"].quads))
    scalp = Scalp(
        root=root,
        normal=_unit(np.einsum("pk,pki->pi", shares, all_normals[triangles])),
        place=root - middle,
        inside=np.einsum("pk,pk->p", shares, hairiness(basis, style.line)[triangles]),
        size=size,
        skin=inner[0],
        skin_normals=inner[1],
        tree=cKDTree(inner[0]),
    )
    tracks = curves(style, scalp)
    _, near = scalp.tree.query(tracks.reshape(-1, 3))
    outward = scalp.skin_normals[near].reshape(tracks.shape)
    weights = np.zeros((len(root), len(basis.bones[0])))
    weights[:, bone(basis, "head")] = 1
    part = strips(
        f"hair-{name}", tracks, outward, width=style.width * size, weights=weights, seed=3
    )
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
