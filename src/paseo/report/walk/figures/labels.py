"""Names beside points: none on a point, on another name, or with a leader that leads astray."""

import numpy as np

from paseo.world.arrays import BoolArray, FloatArray

# All lengths are in points.
DOT = 4.0  # the radius of a point
NEAR, STEP, RINGS, ANGLES = 6.0, 7.0, 16, 24  # how far a name is from its point, and where
PASSES = 4  # over all names, each given where the others are
ALONG = np.linspace(0.0, 1.0, 12)[:, None]  # places at which a leader is looked at
WRONG, UGLY = 1000.0, 12.0  # what a name costs where it must not be, and where it had better not


def placed_names(
    points: FloatArray, sizes: FloatArray, room: FloatArray, ink: FloatArray
) -> FloatArray:
    """Boxes (names, 4) of left, lower, right and upper side for names of (names, 2) sizes.

    `points` are (names, 2), `room` is the box that all must lie in, and `ink` (lines, 2, 2) had
    better not be covered.
    """
    options = [_options(*each) for each in zip(points, sizes, strict=True)]  # each (options, 4)
    crowding = np.linalg.norm(points[:, None] - points, axis=2).sum(axis=1)
    chosen = np.array([each[0] for each in options]).reshape(-1, 4)
    done: BoolArray = np.zeros(len(points), np.bool_)
    lines = ink[:, 0] + ALONG[:, None] * (ink[:, 1] - ink[:, 0])  # (along, lines, 2)
    for _ in range(PASSES):
        for k in np.argsort(crowding).tolist():  # the most crowded first
            others = done & (np.arange(len(points)) != k)
            costs = _costs(options[k], k, points, chosen[others], points[others])
            costs += 10 * WRONG * _outside(options[k], room)
            costs += UGLY * _covers(options[k], lines)
            chosen[k] = options[k][int(costs.argmin())]
            done[k] = True
    return chosen


def leader_start(point: FloatArray, boxes: FloatArray) -> FloatArray:
    """The place of each box (..., 4) that is nearest to its point, (..., 2)."""
    start: FloatArray = np.clip(point, boxes[..., :2], boxes[..., 2:])
    return start


def _options(point: FloatArray, size: FloatArray) -> FloatArray:
    """Boxes around a point, the nearest first; (options, 4)."""
    angles = np.arange(ANGLES) * 2 * np.pi / ANGLES
    units = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    away = NEAR + STEP * np.arange(RINGS)
    middles = point + units * (away[:, None, None] + DOT) + units * size / 2
    corners = middles.reshape(-1, 2) - size / 2
    return np.concatenate([corners, corners + size], axis=1)


def _costs(
    boxes: FloatArray, own: int, points: FloatArray, names: FloatArray, owners: FloatArray
) -> FloatArray:
    """What each box would cost beside all points, and the names that stand already."""
    starts = leader_start(points[own], boxes)
    leaders = starts + ALONG[:, None] * (points[own] - starts)  # (along, boxes, 2)
    costs: FloatArray = np.linalg.norm(starts - points[own], axis=1)
    costs += WRONG * _near_points(boxes, points)
    apart = np.linalg.norm(points - points[own], axis=1) > DOT
    gaps = np.linalg.norm(leaders[:, :, None] - points[apart], axis=3)
    costs += WRONG * (gaps < 1.5 * DOT).any(axis=0).sum(axis=1)
    if len(names):
        costs += WRONG * (_overlapping(boxes[:, None], names)).sum(axis=1)
        costs += WRONG * _inside(leaders[:, :, None], names).any(axis=0).sum(axis=1)
        theirs = leader_start(owners, names)
        costs += WRONG * _covers(boxes, theirs + ALONG[:, None] * (owners - theirs))
        costs += WRONG * _crossing(starts, points[own], theirs, owners).sum(axis=1)
    return costs


def _outside(boxes: FloatArray, room: FloatArray) -> BoolArray:
    out: BoolArray = np.any((boxes[:, :2] < room[:2]) | (boxes[:, 2:] > room[2:]), axis=1)
    return out


def _near_points(boxes: FloatArray, points: FloatArray) -> FloatArray:
    """How many points each box lies on."""
    around = np.concatenate([points - DOT, points + DOT], axis=1)
    count: FloatArray = _overlapping(boxes[:, None], around).sum(axis=1)
    return count


def _overlapping(boxes: FloatArray, others: FloatArray) -> BoolArray:
    apart = (boxes[..., 2:] <= others[..., :2]) | (others[..., 2:] <= boxes[..., :2])
    shared: BoolArray = ~np.any(apart, axis=-1)
    return shared


def _inside(places: FloatArray, boxes: FloatArray) -> BoolArray:
    within: BoolArray = np.all((places > boxes[..., :2]) & (places < boxes[..., 2:]), axis=-1)
    return within


def _covers(boxes: FloatArray, lines: FloatArray) -> FloatArray:
    """How many of the lines, given as places (along, lines, 2), each box covers a piece of."""
    count: FloatArray = _inside(lines[:, :, None], boxes).any(axis=0).sum(axis=0)
    return count


def _crossing(
    starts: FloatArray, end: FloatArray, others: FloatArray, ends: FloatArray
) -> BoolArray:
    """Whether the leader from each start (boxes, 2) crosses each of the others; (boxes, others)."""
    a, b, c, d = starts[:, None], end, others, ends

    def side(one: FloatArray, two: FloatArray, place: FloatArray) -> FloatArray:
        along, to = two - one, place - one
        turn: FloatArray = along[..., 0] * to[..., 1] - along[..., 1] * to[..., 0]
        return turn

    crossed: BoolArray = (side(a, b, c) * side(a, b, d) < 0) & (side(c, d, a) * side(c, d, b) < 0)
    return crossed


def spread(wanted: FloatArray, heights: FloatArray) -> FloatArray:
    """Levels as near to those wanted as labels of these heights find room above each other."""
    order = np.argsort(wanted, kind="stable")
    groups: list[list[int]] = []
    for k in order.tolist():
        groups.append([k])
        while (
            len(groups) > 1
            and _reach(groups[-2], wanted, heights)[1] > (_reach(groups[-1], wanted, heights)[0])
        ):
            groups[-2:] = [groups[-2] + groups[-1]]
    levels = np.empty(len(wanted))
    for group in groups:
        low, _ = _reach(group, wanted, heights)
        tops = low + np.cumsum(heights[group])
        levels[group] = tops - heights[group] / 2
    return levels


def _reach(group: list[int], wanted: FloatArray, heights: FloatArray) -> tuple[float, float]:
    """From where to where labels go that stand close together about the middle of their levels."""
    total = float(heights[group].sum())
    middle = min(max(float(wanted[group].mean()), total / 2), max(1 - total / 2, total / 2))
    return middle - total / 2, middle + total / 2
