"""Coarser triangles over the same points, for people further away."""

import numpy as np

from basis import Floats, Ints
from garments import Part

# Share of the triangles that stays at each level after the first, by the part's first word.
SHARES = {
    "head": (0.50, 0.16, 0.05),
    "skin": (0.25, 0.08, 0.03),
    "eyes": (1.0, 0.4, 0.0),
    "lashes": (0.0, 0.0, 0.0),
    "shell": (0.5, 0.2, 0.08),
    "shoes": (0.28, 0.10, 0.04),
    "backpack": (0.6, 0.25, 0.12),
    "shoulder": (0.6, 0.25, 0.12),
}
CLOTH = (0.28, 0.10, 0.04)
Detail = list[tuple[Ints, Ints]]  # triangles and their slots at each level
STRIPS = ((1, 2), (2, 3), (4, 6))  # every how many strips, and every how many of their rows


def levels(part: Part, mean: Floats) -> Detail:
    """Triangles and their slots at each level, finest first; `mean` are the points on average."""
    kind = part.name.split("-")[0]
    found = [(part.triangles, part.slots)]
    if kind in ("hair", "tail", "bun"):
        rows = int(np.argmax(np.diff(part.uv[::2, 1]) > 0)) + 1
        for cards, steps in STRIPS:
            triangles = strip_triangles(len(part.points) // (2 * rows), rows, cards, steps)
            found.append((triangles, np.zeros(len(triangles), int)))
        return found
    for share in SHARES.get(kind, CLOTH):
        found.append(simplified(part, mean, share))
    return found


def strip_triangles(cards: int, rows: int, every: int, step: int) -> Ints:
    """Every few strips, with fewer rows each; the first and the last row stay."""
    corner = np.arange(cards * rows * 2).reshape(cards, rows, 2)[::every]
    kept = np.unique(np.append(np.arange(0, rows, step), rows - 1))
    corner = corner[:, kept]
    a, b = corner[:, :-1, 0].ravel(), corner[:, :-1, 1].ravel()
    c, d = corner[:, 1:, 0].ravel(), corner[:, 1:, 1].ravel()
    return np.concatenate([np.stack([a, b, c], 1), np.stack([b, d, c], 1)])


def simplified(part: Part, mean: Floats, share: float) -> tuple[Ints, Ints]:
    """Fewer triangles between points that stay where they are."""
    if share == 0:
        return np.zeros((0, 3), int), np.zeros(0, int)
    if share == 1:
        return part.triangles, part.slots
    import fast_simplification

    weld = part.weld if len(part.weld) else np.arange(len(mean))
    used, welded = np.unique(weld[part.triangles], return_inverse=True)
    welded = welded.reshape(-1, 3)
    places = mean[used]
    _, _, collapses = fast_simplification.simplify(
        places.astype(np.float32), welded.astype(np.int32), 1 - share, return_collapses=True
    )
    points, _, mapping = fast_simplification.replay_simplification(
        places.astype(np.float32), welded.astype(np.int32), collapses
    )
    kept = _kept(places, mapping, points[mapping])[welded]
    cell = 0.01
    while _alive(kept).sum() > 1.3 * share * len(welded):  # hems that would not collapse
        cell *= 1.15
        _, mapping = np.unique(np.floor(places / cell), axis=0, return_inverse=True)
        count = np.bincount(mapping.ravel())
        middle = np.stack([np.bincount(mapping.ravel(), places[:, k]) / count for k in range(3)], 1)
        kept = _kept(places, mapping.ravel(), middle[mapping.ravel()])[welded]
    alive = _alive(kept)
    corners = _split_corners(part, weld, used[kept[alive]], part.triangles[alive])
    return corners, part.slots[alive]


def _kept(places: Floats, mapping: Ints, wanted: Floats) -> Ints:
    """For each point the one that stands for its group: that next to where it should be."""
    distance = np.linalg.norm(places - wanted, axis=1)
    order = np.lexsort((distance, mapping))
    groups, first = np.unique(mapping[order], return_index=True)
    keeper: Ints = order[first][np.searchsorted(groups, mapping)]
    return keeper


def _alive(kept: Ints) -> Ints:
    alive: Ints = (
        (kept[:, 0] != kept[:, 1]) & (kept[:, 1] != kept[:, 2]) & (kept[:, 2] != kept[:, 0])
    )
    return alive


def _split_corners(part: Part, weld: Ints, wanted: Ints, before: Ints) -> Ints:
    """Of the points at a place, the one whose uv is next to the uv the corner had."""
    order = np.argsort(weld, kind="stable")
    begin = np.searchsorted(weld[order], wanted.ravel())
    end = np.searchsorted(weld[order], wanted.ravel(), side="right")
    best = order[begin]
    gap = np.linalg.norm(part.uv[best] - part.uv[before.ravel()], axis=1)
    for k in range(1, int((end - begin).max())):
        other = order[np.minimum(begin + k, end - 1)]
        far = np.linalg.norm(part.uv[other] - part.uv[before.ravel()], axis=1)
        best = np.where(far < gap, other, best)
        gap = np.minimum(far, gap)
    return best.reshape(-1, 3)
