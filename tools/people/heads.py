"""Skin, eyes and lashes of a person as parts, and the map that faces are painted by."""

import io
from functools import cache

import numpy as np
from PIL import Image

from basis import Basis, Floats, Ints
from garments import Part, bone, reference
from shapes import SKIN, Shape

MAP = 256  # texels across the map of the face
MASKS = ("lips", "ears", "eyelids")


def triangulated(quads: Ints) -> Ints:
    """Two triangles of every quad."""
    return np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])


@cache
def eye_middle(basis: Basis) -> Floats:
    """The point between the reference's eyes."""
    ref = reference(basis)
    rows = np.unique(np.concatenate([basis.grids[f"helper-{s}-eye"].quads for s in "lr"]))
    middle: Floats = ref.points[rows].mean(axis=0)
    return middle


def face_places(basis: Basis) -> tuple[Floats, Floats]:
    """The reference's points seen from the middle of the head: angle from the front, height."""
    offset = reference(basis).points - eye_middle(basis)
    angle = np.arctan2(offset[:, 1], offset[:, 0] + 0.088)
    return angle, offset[:, 2]


def face_u(angle: Floats) -> Floats:
    """Across the face texture: more of it for the front."""
    turn = angle / np.pi
    u: Floats = 0.5 + 0.5 * (1.45 * turn - 0.45 * turn * abs(turn))
    return u


def face_v(height: Floats) -> Floats:
    """Up the face texture: from the base of the neck to the crown."""
    return (height + 0.22) / 0.355


@cache
def head_quads(basis: Basis) -> Ints:
    """Which quads of the body are head and neck, as a mask."""
    carried = basis.weights[:, [bone(basis, "head"), bone(basis, "neck_01")]].sum(axis=1)
    high = carried[basis.grids["body"].quads].min(axis=1) > 0.3
    mask: Ints = high
    return mask


def head_part(basis: Basis, body: Shape) -> Part:
    """Face, scalp and neck, with the uv of the face texture; it wraps at the back."""
    triangles = triangulated(basis.grids["body"].quads[head_quads(basis)])
    angle, height = face_places(basis)
    turn = angle[triangles]
    wraps = turn.max(axis=1) - turn.min(axis=1) > np.pi
    u = face_u(turn) + (wraps[:, None] & (turn < 0))
    corners = np.stack([u, face_v(height)[triangles]], axis=-1).reshape(-1, 2)
    return split_part(basis, "head", body, triangles, corners, "face")


def split_part(
    basis: Basis, name: str, body: Shape, triangles: Ints, corners: Floats, slot: str
) -> Part:
    """A part of the base mesh, its points split where their uv differ."""
    key = np.concatenate([triangles.reshape(-1, 1), np.round(corners * 1e4)], axis=1).astype(int)
    rows, first, place = np.unique(key, axis=0, return_index=True, return_inverse=True)
    origin = rows[:, 0]
    unique, same = np.unique(origin, return_index=True)
    return Part(
        name,
        body.points[origin],
        place.reshape(-1, 3),
        corners[first],
        basis.weights[origin],
        np.zeros(len(triangles), int),
        (slot,),
        same[np.searchsorted(unique, origin)],
    )


def skin_part(basis: Basis, body: Shape) -> Part:
    """The body below the neck, hands and all."""
    grid = basis.grids["body"]
    rest = ~head_quads(basis)
    triangles = triangulated(grid.quads[rest])
    corners = basis.uv[triangulated(grid.uv_quads[rest])].reshape(-1, 2)
    return split_part(basis, "skin", body, triangles, corners * 6, "skin")


def eyes_part(basis: Basis, body: Shape) -> Part:
    """Both eyeballs; the iris is in the middle of the texture."""
    triangles, ref = [], reference(basis)
    uv = np.zeros((len(basis.points), 2))
    for side in "lr":
        quads = basis.grids[f"helper-{side}-eye"].quads
        rows = np.unique(quads)
        centre = ref.points[rows].mean(axis=0)
        offset = ref.points[rows] - centre
        radius = np.linalg.norm(offset, axis=1).max()
        uv[rows] = 0.5 + 0.5 * offset[:, [1, 2]] / radius * (offset[:, :1] > -0.3 * radius)
        triangles.append(triangulated(quads))
    faces = np.concatenate(triangles)
    return split_part(basis, "eyes", body, faces, uv[faces].reshape(-1, 2), "eye")


def lashes_part(basis: Basis, body: Shape) -> Part:
    """Lashes of both eyes."""
    quads, corners = [], []
    for side in "lr":
        for which in (1, 2):
            grid = basis.grids[f"helper-{side}-eyelashes-{which}"]
            quads.append(triangulated(grid.quads))
            uv = basis.uv[triangulated(grid.uv_quads)].reshape(-1, 2)
            corners.append((uv - uv.min(axis=0)) / np.ptp(uv, axis=0))
    return split_part(basis, "lashes", body, np.concatenate(quads), np.concatenate(corners), "lash")


def mask_values(basis: Basis, name: str) -> Floats:
    """A mask of the wheel's, at every uv of the base mesh, 0 to 1."""
    image = Image.open(io.BytesIO(basis.bytes_of(f"textures/mpfb_{name}.jpg"))).convert("L")
    pixels = np.asarray(image, dtype=float) / 255
    size = len(pixels)
    column = np.clip((basis.uv[:, 0] * size).astype(int), 0, size - 1)
    row = np.clip(((1 - basis.uv[:, 1]) * size).astype(int), 0, size - 1)
    values: Floats = pixels[row, column]
    return values


def face_map(basis: Basis) -> tuple[Floats, Floats]:
    """For each texel of the face: where the reference's face is, and the masks.

    (MAP, MAP, 3) metres from between the eyes, and (MAP, MAP, masks) from 0 to 1; the first row
    is the crown.
    """
    grid = basis.grids["body"]
    triangles = triangulated(grid.quads[head_quads(basis)])
    uv_rows = triangulated(grid.uv_quads[head_quads(basis)])
    angle, height = face_places(basis)
    turn = angle[triangles]
    wraps = turn.max(axis=1) - turn.min(axis=1) > np.pi
    u = face_u(turn) + (wraps[:, None] & (turn < 0))
    spots = np.stack([u, 1 - face_v(height)[triangles]], axis=-1) * MAP - 0.5
    offset = reference(basis).points - eye_middle(basis)
    masks = np.stack([mask_values(basis, name) for name in MASKS], axis=1)
    values = np.concatenate([offset[triangles], masks[uv_rows]], axis=-1)
    image = np.full((MAP, MAP, values.shape[-1]), np.nan)
    far = np.full((MAP, MAP), -np.inf)
    for shift in (0, -MAP):
        for corner, value in zip(spots + [shift, 0], values, strict=True):
            _fill(image, far, corner, value)
    return _without_gaps(image)


def _fill(image: Floats, far: Floats, corner: Floats, value: Floats) -> None:
    """Paint a triangle, where nothing further out was painted yet."""
    low = np.clip(np.floor(corner.min(axis=0)).astype(int), 0, MAP)
    high = np.clip(np.ceil(corner.max(axis=0)).astype(int) + 1, 0, MAP)
    if (high <= low).any():
        return
    y, x = np.mgrid[low[1] : high[1], low[0] : high[0]]
    a, b, c = corner
    area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    if abs(area) < 1e-9:
        return
    v = ((x - a[0]) * (c[1] - a[1]) - (y - a[1]) * (c[0] - a[0])) / area
    w = ((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])) / area
    inside = (v >= -0.01) & (w >= -0.01) & (v + w <= 1.01)
    mixed = (1 - v - w)[..., None] * value[0] + v[..., None] * value[1] + w[..., None] * value[2]
    out = np.hypot(mixed[..., 0] + 0.088, mixed[..., 1])
    box = (slice(low[1], high[1]), slice(low[0], high[0]))
    better = inside & (out > far[box])
    image[box][better] = mixed[better]
    far[box][better] = out[better]


def _without_gaps(image: Floats) -> tuple[Floats, Floats]:
    from scipy.ndimage import distance_transform_edt

    gaps = np.isnan(image[..., 0])
    _, (row, column) = distance_transform_edt(gaps, return_indices=True)
    image = image[row, column]
    return image[..., :3], np.clip(image[..., 3:], 0, 1)


def skin_of(body: Shape) -> Floats:
    """The points of the skin."""
    return body.points[SKIN]
