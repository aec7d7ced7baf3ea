"""Cloth cut from the base mesh: subdivided, clipped along iso-lines, split where uv jumps."""

from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse as sp

from basis import Floats, Ints


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """Triangles whose points are mixtures of the base mesh's points."""

    mixture: sp.csr_matrix  # (points, base points), rows sum to 1
    triangles: Ints  # (triangles, 3)


def subdivided(quads: Ints, base_points: int) -> Cut:
    """Each quad in four, then rounded, as triangles."""
    edges = np.sort(np.concatenate([quads[:, [k, (k + 1) % 4]] for k in range(4)]), axis=1)
    unique, place = np.unique(edges, axis=0, return_inverse=True)
    used, small = np.unique(quads, return_inverse=True)
    small = small.reshape(quads.shape)
    count = len(used)
    middle = count + place.reshape(4, -1).T  # (quads, 4)
    centre = (count + len(unique) + np.arange(len(quads)))[:, None]
    fours = np.concatenate(
        [
            np.concatenate(
                [small[:, [k]], middle[:, [k]], centre, middle[:, [(k - 1) % 4]]], axis=1
            )
            for k in range(4)
        ]
    )
    rows = [np.arange(count), *[np.arange(len(unique)) + count] * 2]
    columns = [used, unique[:, 0], unique[:, 1]]
    values = [np.ones(count), np.full(len(unique), 0.5), np.full(len(unique), 0.5)]
    for k in range(4):
        rows.append(centre[:, 0])
        columns.append(quads[:, k])
        values.append(np.full(len(quads), 0.25))
    size = count + len(unique) + len(quads)
    mixture = sp.csr_matrix(
        (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))),
        shape=(size, base_points),
    )
    triangles = np.concatenate([fours[:, [0, 1, 2]], fours[:, [0, 2, 3]]])
    smooth = smoothing(triangles, size)
    return Cut(sp.csr_matrix(smooth @ smooth @ mixture), triangles)


def smoothing(triangles: Ints, count: int, share: float = 0.5) -> sp.csr_matrix:
    """The matrix that moves points part of the way to the mean of their neighbours.

    Points on an edge of the cloth move along that edge only.
    """
    pairs = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    hem = boundary(triangles)
    on_hem = np.zeros(count, dtype=bool)
    on_hem[hem.ravel()] = True
    inner = pairs[~on_hem[pairs[:, 0]]]
    back = pairs[:, ::-1][~on_hem[pairs[:, 1]]]
    links = np.concatenate([inner, back, hem, hem[:, ::-1]])
    near = sp.csr_matrix((np.ones(len(links)), (links[:, 0], links[:, 1])), shape=(count, count))
    near.data[:] = 1.0
    total = np.asarray(near.sum(axis=1)).ravel()
    mean = sp.diags(share / np.maximum(total, 1)) @ near
    return sp.csr_matrix(sp.diags(np.where(total > 0, 1 - share, 1.0)) + mean)


def boundary(triangles: Ints) -> Ints:
    """The edges that only one triangle has, (edges, 2), in that triangle's sense."""
    pairs = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    _, place, count = np.unique(
        np.sort(pairs, axis=1), axis=0, return_inverse=True, return_counts=True
    )
    edges: Ints = pairs[count[place.ravel()] == 1]
    return edges


def loops(triangles: Ints) -> list[Ints]:
    """The boundary as closed rings of points."""
    after = {int(a): int(b) for a, b in boundary(triangles)}
    rings = []
    while after:
        start, here = next(iter(after.items()))
        del after[start]
        ring = [start]
        while here != start and here in after:
            ring.append(here)
            here = after.pop(here)
        rings.append(np.array(ring))
    return rings


def clipped(cut: Cut, value: Floats) -> Cut:
    """What is left of the cloth where a value, given for each point, is below 0."""
    triangles, inside = cut.triangles, value < 0
    count = inside[triangles].sum(axis=1)
    keep = [triangles[count == 3]]
    new: dict[tuple[int, int], int] = {}
    ends: list[tuple[int, int]] = []

    def crossing(a: int, b: int) -> int:
        key = (min(a, b), max(a, b))
        if key not in new:
            new[key] = len(value) + len(ends)
            ends.append(key)
        return new[key]

    extra = []
    for triangle in triangles[(count == 1) | (count == 2)]:
        lone = int(np.nonzero(inside[triangle] == (inside[triangle].sum() == 1))[0][0])
        a, b, c = (int(triangle[(lone + k) % 3]) for k in range(3))
        ab, ac = crossing(a, b), crossing(a, c)
        extra += [[a, ab, ac]] if inside[a] else [[ab, b, c], [ab, c, ac]]
    if extra:
        keep.append(np.array(extra))
    mixture = cut.mixture
    if ends:
        pairs = np.array(ends)
        part = value[pairs[:, 0]] / (value[pairs[:, 0]] - value[pairs[:, 1]])
        part = np.clip(part, 0.02, 0.98)
        rows = sp.diags(1 - part) @ mixture[pairs[:, 0]] + sp.diags(part) @ mixture[pairs[:, 1]]
        mixture = sp.vstack([mixture, rows]).tocsr()
    return compact(Cut(mixture, np.concatenate(keep)))


def compact(cut: Cut) -> Cut:
    """The same without points that no triangle has."""
    used, triangles = np.unique(cut.triangles, return_inverse=True)
    return replace(cut, mixture=cut.mixture[used], triangles=triangles.reshape(-1, 3))


def point_normals(points: Floats, triangles: Ints) -> Floats:
    """Unit normals at the points, by the area of the triangles around them."""
    sides = points[triangles]
    faces = np.cross(sides[:, 1] - sides[:, 0], sides[:, 2] - sides[:, 0])
    normals = np.zeros_like(points)
    for corner in range(3):
        np.add.at(normals, triangles[:, corner], faces)
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    return normals / np.maximum(length, 1e-12)
