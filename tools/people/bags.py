"""Bags that people carry: a backpack with straps, a shoulder bag on a strap across."""

import numpy as np
from scipy.spatial import ConvexHull

from basis import Basis, Floats, Ints
from garments import Part, bone
from shapes import Shape


def box(centre: Floats, half: Floats, *, round_off: float, cells: int = 10) -> tuple[Floats, Ints]:
    """A box with round edges: points and triangles of a closed surface."""
    u, v = np.meshgrid(
        np.linspace(-np.pi, np.pi, 2 * cells, endpoint=False),
        np.linspace(-np.pi / 2, np.pi / 2, cells)[1:-1],
    )

    def power(x: Floats) -> Floats:
        rounded: Floats = np.sign(x) * abs(x) ** round_off
        return rounded

    ring = np.stack(
        [
            power(np.cos(v)) * power(np.cos(u)),
            power(np.cos(v)) * power(np.sin(u)),
            power(np.sin(v)),
        ],
        axis=-1,
    ).reshape(-1, 3)
    points = np.concatenate([ring, [[0, 0, -1.0], [0, 0, 1.0]]]) * half + centre
    rows, columns = u.shape
    at = np.arange(rows * columns).reshape(rows, columns)
    right = np.roll(at, -1, axis=1)
    triangles = [
        np.stack([at[:-1], right[:-1], at[1:]], -1).reshape(-1, 3),
        np.stack([right[:-1], right[1:], at[1:]], -1).reshape(-1, 3),
        np.stack([right[0], at[0], np.full(columns, rows * columns)], -1),
        np.stack([at[-1], right[-1], np.full(columns, rows * columns + 1)], -1),
    ]
    return points, np.concatenate(triangles)


def section(points: Floats, origin: Floats, normal: Floats, *, thick: float, out: float) -> Floats:
    """The taut loop around what a plane cuts, (48, 3), a little outside of it."""
    normal = normal / np.linalg.norm(normal)
    near = points[abs((points - origin) @ normal) < thick]
    side = np.cross(normal, [0.0, 0.0, 1.0])
    side /= np.linalg.norm(side)
    up = np.cross(side, normal)
    flat = np.stack([(near - origin) @ side, (near - origin) @ up], axis=1)
    ring = flat[ConvexHull(flat).vertices]
    ring = np.concatenate([ring, ring[:1]])
    length = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(ring, axis=0), axis=1))])
    even = np.linspace(0, length[-1], 48, endpoint=False)
    loop = np.stack([np.interp(even, length, ring[:, k]) for k in (0, 1)], axis=1)
    centre = loop.mean(axis=0)
    away = (loop - centre) / np.linalg.norm(loop - centre, axis=1, keepdims=True)
    loop = loop + out * away
    return origin + loop[:, :1] * side + loop[:, 1:] * up


def strap(loop: Floats, across: Floats, width: float, *, closed: bool) -> tuple[Floats, Ints]:
    """A band along a loop, 3 mm thick at its edges."""
    centre = loop.mean(axis=0)
    away = loop - centre
    away /= np.linalg.norm(away, axis=1, keepdims=True)
    half = 0.5 * width * across / np.linalg.norm(across)
    rows = [
        loop - half - 0.004 * away,
        loop - half * 0.9,
        loop + half * 0.9,
        loop + half - 0.004 * away,
    ]
    count = len(loop)
    at = np.arange(4 * count).reshape(4, count)
    right = np.roll(at, -1, axis=1)
    if not closed:
        at, right = at[:, :-1], right[:, :-1]
    triangles = np.concatenate(
        [
            np.stack([at[:-1], right[:-1], at[1:]], -1).reshape(-1, 3),
            np.stack([right[:-1], right[1:], at[1:]], -1).reshape(-1, 3),
        ]
    )
    return np.concatenate(rows), triangles


def backpack(basis: Basis, body: Shape, worn: Floats, size: float) -> Part:
    """A backpack on the back; `worn` are the points of what it lies on."""
    chest, neck = body.joints[bone(basis, "spine_03")], body.joints[bone(basis, "neck_01")]
    middle = np.array([0.0, 0.0, (chest[2] * 1.3 + neck[2] * 0.7) / 2 - 0.03 * size])
    back = worn[(abs(worn[:, 1]) < 0.08) & (abs(worn[:, 2] - middle[2]) < 0.15 * size)]
    middle[0] = back[:, 0].min() - 0.075 * size
    half = np.array([0.085, 0.145, 0.225]) * size
    points, triangles = box(middle, half, round_off=0.45)
    pocket, more = box(
        middle - np.array([0.075, 0.0, 0.075]) * size, half * [0.45, 0.75, 0.45], round_off=0.4
    )
    triangles = np.concatenate([triangles, more + len(points)])
    points = np.concatenate([points, pocket])
    slots = [np.zeros(len(triangles), int)]
    for side in (1.0, -1.0):
        # Over the shoulder near the neck, then outwards and around the flank under the arm.
        across = np.array([0.0, side, 0.30])
        origin = np.array([middle[0] + 0.05, side * 0.125 * size, middle[2] + 0.06 * size])
        loop = section(worn, origin, across, thick=0.02, out=0.010)
        band, more = strap(loop, across, 0.045 * size, closed=True)
        triangles = np.concatenate([triangles, more + len(points)])
        points = np.concatenate([points, band])
        slots.append(np.ones(len(more), int))
    return _bag_part(basis, "backpack", points, triangles, np.concatenate(slots), "spine_03")


def shoulder_bag(basis: Basis, body: Shape, worn: Floats, size: float) -> Part:
    """A bag at the left hip on a strap over the right shoulder."""
    shoulder, hip = body.joints[bone(basis, "upperarm_r")], body.joints[bone(basis, "thigh_l")]
    top = np.array([0.0, shoulder[1] * 0.52, shoulder[2]])
    low = np.array([0.0, hip[1] * 1.6, hip[2] + 0.03])
    line = top - low
    normal = np.cross(line, [1.0, 0.0, 0.0])
    x = worn[abs(worn[:, 2] - (top[2] + low[2]) / 2) < 0.1, 0].mean()
    trunk = worn[(abs(worn[:, 1]) < 0.2 * size) & (worn[:, 2] > low[2] - 0.05)]
    loop = section(trunk, (top + low) / 2 + [x, 0, 0], normal, thick=0.025, out=0.009)
    points, triangles = strap(loop, normal, 0.03 * size, closed=True)
    slots = [np.ones(len(triangles), int)]
    hips = worn[(abs(worn[:, 2] - hip[2]) < 0.1) & (abs(worn[:, 1]) < 0.22 * size)]
    centre = np.array([hips[:, 0].mean(), hips[:, 1].max() + 0.042 * size, hip[2] - 0.02 * size])
    bag, more = box(centre, np.array([0.15, 0.045, 0.11]) * size, round_off=0.35)
    triangles = np.concatenate([triangles, more + len(points)])
    slots.append(np.zeros(len(more), int))
    points = np.concatenate([points, bag])
    part = _bag_part(basis, "shoulder-bag", points, triangles, np.concatenate(slots), "pelvis")
    up = np.clip((points[:, 2] - hip[2] - 0.1) / (shoulder[2] - hip[2] - 0.2), 0, 1)
    part.weights[:] = 0
    part.weights[:, bone(basis, "spine_03")] = up
    part.weights[:, bone(basis, "pelvis")] = 1 - up
    return part


def _bag_part(
    basis: Basis, name: str, points: Floats, triangles: Ints, slots: Ints, carrier: str
) -> Part:
    weights = np.zeros((len(points), len(basis.bones[0])))
    weights[:, bone(basis, carrier)] = 1
    uv = points[:, [1, 2]] + points[:, [0, 0]] * 0.7
    return Part(name, points, triangles, uv, weights, slots, ("main", "strap"))


BAGS = {"backpack": backpack, "shoulder": shoulder_bag}
