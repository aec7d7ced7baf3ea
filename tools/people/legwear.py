"""Skirts (and the lower parts of dresses and coats) around both legs, and shoes with soles."""

from dataclasses import replace
from functools import cache

import numpy as np
import scipy.sparse as sp
from scipy.ndimage import map_coordinates

from basis import Basis, Floats, Ints
from cutting import Cut, clipped, loops, point_normals
from drape import Axis, smoothed, tube_radii
from garments import Part, Skirt, bone, crotch, hem_profile, reference, rings_added, suit
from shapes import SOLE, Shape


def skirt_part(
    basis: Basis, name: str, body: Shape, skirt: Skirt, inner: tuple[Floats, Floats]
) -> Part:
    """A skirt (or the lower part of a dress or coat) as a tube of rings around hips and legs."""
    rows, columns = 20, 73
    at = dict(zip(basis.bones[0], body.joints, strict=True))
    size = (body.joints[:, 2].max()) / 1.55
    top = crotch(body) + skirt.waist * size
    knee, ankle = at["calf_l"][2], at["foot_l"][2]
    low = knee + (1 - skirt.length) * (at["thigh_l"][2] - knee)
    if skirt.length > 1:
        low = knee - (skirt.length - 1) * (knee - ankle)
    x = at["pelvis"][0] + 0.015
    ends = np.array([x, 0.0, top]), np.array([x, 0.0, low])
    axis = Axis(ends[0], (ends[0] + ends[1]) / 2, ends[1], np.array([1.0, 0.0, 0.0]))
    radii = tube_radii(axis, inner[0], skirt.fit, (0.0, top - low))
    gap = skirt.opening
    first = gap or -np.pi  # what is closed meets at the back
    angles = np.linspace(first, first + 2 * (np.pi - gap), columns)
    down = np.linspace(0, 1, rows)
    grid = np.stack(np.meshgrid(down, angles, indexing="ij"), axis=-1).reshape(-1, 2)
    wide = np.concatenate([radii, radii[:, :1]], axis=1)
    column = (grid[:, 1] / (2 * np.pi) * radii.shape[1]) % radii.shape[1]
    radius = map_coordinates(wide, [grid[:, 0] * (len(radii) - 1), column], order=1, mode="nearest")
    pleat = np.cos(grid[:, 1] * 9) + 0.6 * np.sin(grid[:, 1] * 14 + 1)
    radius = radius + skirt.fit.folds * grid[:, 0] * pleat
    side = -np.sin(grid[:, 1])  # the axis points down: its angles run the other way
    points = np.stack(
        [x + radius * np.cos(grid[:, 1]), radius * side, top - grid[:, 0] * (top - low)], axis=1
    )
    uv = np.stack([grid[:, 1] * 0.16, -grid[:, 0] * (top - low)], axis=1)
    last = np.arange(columns) + (rows - 1) * columns
    inside = points[last] - 0.005 * _outward(points[last], x)
    points = np.concatenate([points, inside, inside + [0, 0, 0.02]])
    uv = np.concatenate([uv, uv[last], uv[last]])
    triangles = _grid_triangles(rows + 2, columns)
    weld = np.arange(len(points))
    if not gap:
        weld[columns - 1 :: columns] = weld[::columns]
    return Part(
        name,
        points,
        triangles,
        uv,
        _skirt_weights(basis, points, at, skirt.follow),
        np.zeros(len(triangles), int),
        ("main",),
        weld,
    )


def _outward(points: Floats, x: float) -> Floats:
    out = points - [x, 0, 0]
    out[:, 2] = 0
    outward: Floats = out / np.linalg.norm(out, axis=1, keepdims=True)
    return outward


def _grid_triangles(rows: int, columns: int) -> Ints:
    at = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = (each.ravel() for each in (at[:-1, :-1], at[:-1, 1:], at[1:, :-1], at[1:, 1:]))
    return np.concatenate([np.stack([a, b, c], 1), np.stack([b, d, c], 1)])


def _skirt_weights(basis: Basis, points: Floats, at: dict[str, Floats], follow: float) -> Floats:
    """Each half of a skirt follows its own leg, the more the lower; the middle follows both."""
    weights = np.zeros((len(points), len(basis.bones[0])))
    hip, knee = at["thigh_l"][2] + 0.02, at["calf_l"][2]
    depth = np.clip((hip - points[:, 2]) / (hip - knee) * 2.2, 0, 1)
    depth = depth * depth * (3 - 2 * depth) * follow
    left = np.clip(0.5 + points[:, 1] / (0.10 if follow > 0.9 else 0.2), 0, 1)
    left = left * left * (3 - 2 * left)
    shin = np.clip((knee - points[:, 2]) / 0.25, 0, 1) * 0.35
    weights[:, bone(basis, "pelvis")] = 1 - depth
    for side, share in (("l", left), ("r", 1 - left)):
        weights[:, bone(basis, f"thigh_{side}")] = depth * share * (1 - shin)
        weights[:, bone(basis, f"calf_{side}")] = depth * share * shin
    return weights


@cache
def shoe_cut(basis: Basis, tall: float) -> tuple[Cut, int]:
    """Uppers and then soles of both shoes, and how many triangles are uppers."""
    cut, ref = suit(basis), reference(basis)
    here = cut.mixture @ ref.points
    tilt = 0.25 * (here[:, 0] - ref.joints[bone(basis, "foot_l"), 0])
    cut = clipped(cut, here[:, 2] - SOLE - tall + np.clip(tilt, -0.02, 0.02))
    here = cut.mixture @ ref.points
    line = here[:, 2] - SOLE - 0.010
    upper, sole = clipped(cut, -line), clipped(cut, line)
    both = sp.vstack([upper.mixture, sole.mixture]).tocsr()
    triangles = np.concatenate([upper.triangles, sole.triangles + upper.mixture.shape[0]])
    return Cut(both, triangles), len(upper.triangles)


def shoes(basis: Basis, name: str, body: Shape, tall: float) -> Part:
    """A pair of shoes with soles on the ground."""
    cut, uppers = shoe_cut(basis, tall)
    points = cut.mixture @ body.points
    points = smoothed(points, cut.triangles, 2)
    points += 0.006 * point_normals(points, cut.triangles)
    slots = (np.arange(len(cut.triangles)) >= uppers).astype(int)
    sole = np.zeros(len(points), dtype=bool)
    sole[cut.triangles[uppers:].ravel()] = True
    rim = np.zeros(len(points), dtype=bool)
    for ring in loops(cut.triangles[uppers:]):
        rim[ring] = True
    feet = [bone(basis, f"foot_{side}") for side in "lr"]
    centre = body.joints[feet]
    near = (points[:, 1] < 0).astype(int)
    out = points - centre[near] - [0.05, 0, 0]
    out[:, 2] = 0
    out /= np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-9)
    points[sole] += 0.005 * out[sole]
    points[sole & rim, 2] = SOLE + 0.012
    points[sole & ~rim, 2] = 0.0
    low = ~sole & (points[:, 2] < SOLE + 0.012)
    points[low, 2] = SOLE + 0.011
    uv = points[:, [0, 2]] + points[:, [1, 1]] * 0.5
    weights = cut.mixture @ basis.weights
    part = Part(name, points, cut.triangles, uv, weights, slots, ("main", "sole"))
    triangles = cut.triangles
    for ring in loops(triangles[:uppers]):
        if points[ring, 2].mean() > SOLE + 0.03:
            profile = hem_profile(points, triangles, ring)
            points, triangles, origin = rings_added(points, triangles, ring, profile)
            uv, weights = uv[origin], weights[origin]
    slots = np.concatenate([slots, np.zeros(len(triangles) - len(slots), int)])
    return replace(part, points=points, triangles=triangles, uv=uv, weights=weights, slots=slots)
