"""Where marks go: on whom they mean, or beside them, with a line, where another one is."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from paseo.render.raster.palette import Rgb

Point = tuple[float, float]  # column and row
Box = tuple[float, float, float, float]  # left, top, right and bottom

TOUCHING = 2.0  # radii between two discs that just do not overlap
CLEAR = 2.05  # radii between two discs that do not touch
NEAR = 1.3  # radii that a disc keeps from another body's point
BARE = 1.2  # radii from a disc at which a point can be seen
ROUNDS, TURNS = 14, 24  # places tried around a body: rings, half a radius apart; on each
ACROSS, DOWN = 5, 9  # points looked at on a body


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """Somebody in a picture."""

    number: int
    box: Box
    distance: float  # metres from the camera, or anything that grows with them
    colour: Rgb


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A body with the place of its disc, and the point on it that a line leads to."""

    body: Body
    at: Point
    on: Point
    is_hidden: bool = False  # whether nearer bodies hide all of it

    @property
    def is_aside(self) -> bool:
        """Whether the disc stands beside the body, so that a line must tell whose it is."""
        return self.at != self.on


def placed(bodies: Sequence[Body], *, size: tuple[int, int], radius: float) -> list[Placed]:
    """A place for every disc, the nearest body first: it has the first choice, and is on top.

    A disc stands in the middle of its body unless it would touch one of a nearer body. Then it
    stands aside, as near as there is room in the picture of this size; where there is no room at
    all, it stands on its body, and shares the room with the others.
    """
    found: list[Placed] = []
    order = sorted(bodies, key=lambda body: body.distance)
    for number, body in enumerate(order):
        middle = _middle(body.box)
        if all(math.dist(middle, other.at) >= CLEAR * radius for other in found):
            found.append(Placed(body=body, at=middle, on=middle))
            continue
        seen = _seen_points(body, [other.box for other in order[:number]])
        bare = [p for p in seen if all(math.dist(p, e.at) > BARE * radius for e in found)]
        on = min(bare or seen, key=lambda point: math.dist(point, middle), default=middle)
        others = [each for each in order if each is not body]
        at = _aside(on, found, others, room=(0.0, 0.0, *size), radius=radius)
        found.append(
            Placed(body=body, at=at or middle, on=on if at else middle, is_hidden=not seen)
        )
    return found


def placed_above(
    bodies: Sequence[Body], *, room: Box, radius: float, taken: Sequence[Point] = ()
) -> list[Placed]:
    """A place for every disc seen from above, in the order of the bodies, whose boxes are points.

    A disc stands on its point unless it would overlap one of a nearer body, or hide the point of
    any other. Then it stands aside, within the room, and keeps off points that are taken.
    """
    found: dict[int, Placed] = {}
    for number, body in sorted(enumerate(bodies), key=lambda each: each[1].distance):
        on, others = _middle(body.box), [each for each in bodies if each is not body]
        before = list(found.values())
        free = all(math.dist(on, each.at) >= TOUCHING * radius for each in before)
        free = free and all(math.dist(on, _middle(o.box)) > BARE * radius for o in others)
        at = None if free else _aside(on, before, others, room=room, radius=radius, taken=taken)
        found[number] = Placed(body=body, at=at or on, on=on)
    return [found[number] for number in range(len(bodies))]


def placed_on(
    bodies: Sequence[Body], *, room: Box, radius: float, taken: Sequence[Point] = ()
) -> list[Placed]:
    """Every disc on its point, where it may share the room with others: for programs to measure."""
    return [Placed(body=each, at=_middle(each.box), on=_middle(each.box)) for each in bodies]


def _aside(
    on: Point,
    found: Sequence[Placed],
    others: Sequence[Body],
    *,
    room: Box,
    radius: float,
    taken: Sequence[Point] = (),
) -> Point | None:
    """The nearest free place, rather beside all other bodies than on one; None if there is none."""
    points = [*taken, *(each.on for each in found), *(_middle(each.box) for each in others)]
    free = [
        at
        for at in _around(on, radius)
        if _inside(at, room, radius)
        and all(math.dist(at, other.at) >= CLEAR * radius for other in found)
        and all(math.dist(at, point) >= NEAR * radius for point in points)
    ]
    beside = (at for at in free if not any(_covers(body.box, at) for body in others))
    return next(beside, free[0] if free else None)


def _middle(box: Box) -> Point:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def _seen_points(body: Body, nearer: Sequence[Box]) -> list[Point]:
    """Points of a body that no nearer body hides."""
    left, top, right, bottom = body.box
    points = [
        (left + (right - left) * (k + 0.5) / ACROSS, top + (bottom - top) * (n + 0.5) / DOWN)
        for k in range(ACROSS)
        for n in range(DOWN)
    ]
    return [point for point in points if not any(_covers(box, point) for box in nearer)]


def _covers(box: Box, point: Point) -> bool:
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]


def _around(middle: Point, radius: float) -> Iterator[Point]:
    """Places around a point, the nearest first, and of those the ones above."""
    for ring in range(1, ROUNDS + 1):
        away = radius * (1.1 + 0.5 * ring)
        for turn in sorted(range(TURNS), key=lambda k: abs(k - TURNS / 4) % TURNS):
            angle = 2 * math.pi * turn / TURNS
            yield middle[0] + away * math.cos(angle), middle[1] - away * math.sin(angle)


def _inside(at: Point, room: Box, radius: float) -> bool:
    left, top, right, bottom = room
    across = left + radius <= at[0] <= right - radius
    return across and top + radius <= at[1] <= bottom - radius
