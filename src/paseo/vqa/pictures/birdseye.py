"""The bird's-eye view of a scene: who is where, in one frame fixed to the robot's first pose."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from paseo.render.raster.palette import Rgb, mixed
from paseo.render.raster.strokes import Frame, lines, links, paint
from paseo.vqa.pictures.chart import chart, draw_walls, view_of
from paseo.vqa.pictures.colours import INK, ROBOT
from paseo.vqa.pictures.marks import Mark, draw_leaders, draw_marks
from paseo.vqa.pictures.placing import Body, Placed, Point, placed_above
from paseo.world.arrays import FloatArray
from paseo.world.scenes import NumberedPerson, Scene

MOVING = 0.3  # m/s from which on an arrow shows where a person goes
RADIUS, LEAST_RADIUS = 0.02, 8.0  # of discs: share of the picture's width; pixels
ARROW, HEAD, SPREAD, SHAFT, CASING = 2.4, 0.8, 0.42, 0.26, 0.09  # of a disc's radius
FRESH, OLDEST = 0.95, 0.15  # how strong a path is now and at the beginning of the clip


class BirdsEye:
    """Draws a scene from above at one size; the ground is drawn once.

    `also` are places (n, 2) that must be within the picture, `walls` (n, 2, 2) stand on the ground.
    `placing` says where discs go that are too near each other.
    """

    def __init__(
        self,
        scene: Scene,
        side_px: int,
        colours: dict[int, Rgb],
        *,
        also: FloatArray | None = None,
        walls: FloatArray | None = None,
        placing: Callable[..., list[Placed]] = placed_above,
    ) -> None:
        self.scene, self._colours, self._placing = scene, colours, placing
        self.view = view_of(scene, side_px, also)
        self._ground = chart(self.view)
        if walls is not None:
            draw_walls(self._ground, self.view, walls)
        self._radius = max(LEAST_RADIUS, RADIUS * side_px)
        self._taken = [] if also is None else [self._pixel(each) for each in also]

    def frame(self, time: int) -> Frame:
        """Frame `time` of the scene, from 0: people and robot where they are then."""
        return self._drawn(self._seen(time), time)

    def summary(self) -> Frame:
        """The whole clip: everybody at their last place, with the way they came."""
        return self._drawn(self._last(), len(self.scene.frames) - 1)

    def discs(self, time: int) -> FloatArray:
        """Where the discs of a frame stand, and those they mean, (n, 2) as columns and rows."""
        return self._spots(self._seen(time), time)

    def summary_discs(self) -> FloatArray:
        """The same of the whole clip."""
        return self._spots(self._last(), len(self.scene.frames) - 1)

    def _seen(self, time: int) -> dict[NumberedPerson, int]:
        return {person: time for person in self.scene.people if time in person.seen}

    def _last(self) -> dict[NumberedPerson, int]:
        return {person: person.seen[-1] for person in self.scene.people}

    def _spots(self, people: dict[NumberedPerson, int], time: int) -> FloatArray:
        placed = self._placed(people, time)
        aside = (each.at for each in placed if each.is_aside)
        return np.array([*(each.on for each in placed), *aside])

    def _drawn(self, people: dict[NumberedPerson, int], time: int) -> Frame:
        """People at a frame of their own each, the robot at `time`."""
        robot = self.scene.robot[time]
        paths = [self._path(self.scene.robot[: time + 1, :2], ROBOT)]
        arrows = [self._arrow(robot[:2], float(robot[2]), ROBOT)]
        for person, now in people.items():
            colour, at = self._colours[person.number], person.positions[now]
            paths.append(self._path(person.positions[: now + 1], colour))
            if (heading := heading_of(person, now, self.scene.period)) is not None:
                arrows.append(self._arrow(at, heading, colour))
        frame = self._ground.copy()
        paint(frame, np.concatenate([*paths, *arrows]))  # under all discs, to hide no number
        placed = self._placed(people, time)
        names = ["R", "G", *(str(person.number) for person in people)]
        draw_leaders(frame, [each for each in placed[::-1] if each.is_aside], self._radius)
        marks = [
            Mark(at=each.at, text=name, colour=each.body.colour)
            for each, name in zip(placed, names, strict=True)
        ]
        draw_marks(frame, marks, self._radius)
        return frame

    def _placed(self, people: dict[NumberedPerson, int], time: int) -> list[Placed]:
        """The discs of robot, goal and people; the robot's has the first choice, the goal's none.

        Where two are too near each other, one or both stand aside with a line to their place.
        """
        robot = self.scene.robot[time, :2]
        bodies = [self._body(robot, ROBOT, -1.0), self._body(self.scene.goal, ROBOT, math.inf)]
        taken = [*self._taken, *self._along(robot, float(self.scene.robot[time, 2]))]
        for person, now in people.items():
            at = person.positions[now]
            away = float(np.linalg.norm(at - robot))
            bodies.append(self._body(at, self._colours[person.number], away))
            if (heading := heading_of(person, now, self.scene.period)) is not None:
                taken += self._along(at, heading)
        left, top = self.view.corner_px
        side = self.view.scale * self.view.extent.width
        room = (left, top, left + side, top + side)
        return self._placing(bodies, room=room, radius=self._radius, taken=taken)

    def _along(self, at: FloatArray, heading: float) -> list[Point]:
        """The middle and the head of an arrow, which no disc is to hide."""
        start, ahead = self.view.to_pixels(at), self._ahead(heading)
        points = start + np.array([[0.5], [0.9]]) * ARROW * ahead
        return [(column, row) for column, row in points.tolist()]

    def _ahead(self, heading: float) -> FloatArray:
        return np.array([-math.sin(heading), -math.cos(heading)]) * self._radius

    def _body(self, at: ArrayLike, colour: Rgb, distance: float) -> Body:
        column, row = self._pixel(at)
        return Body(number=0, box=(column, row, column, row), distance=distance, colour=colour)

    def _pixel(self, at: ArrayLike) -> Point:
        column, row = self.view.to_pixels(np.asarray(at)).tolist()
        return column, row

    def _path(self, points: FloatArray, colour: Rgb) -> FloatArray:
        """The way up to now, fainter the longer ago; over frames without the person, straight."""
        times = np.nonzero(~np.isnan(points[:, 0]))[0]
        age = (len(points) - 1 - times[1:]) / (len(self.scene.frames) - 1)
        at = self.view.to_pixels(points[times])
        strength = FRESH - (FRESH - OLDEST) * age
        return links(at[:-1], at[1:], 0.3 * self._radius, colour, strength)

    def _arrow(self, at: FloatArray, heading: float, colour: Rgb) -> FloatArray:
        """An arrow out of a disc, with a thin edge so that it is seen on paths and pale colours."""
        ahead = self._ahead(heading)
        aside = np.array([-ahead[1], ahead[0]])
        start = self.view.to_pixels(at)
        tip = start + ARROW * ahead
        neck = tip - HEAD * ahead
        # A triangle is a fan of lines from its tip.
        feet = neck + np.linspace(-SPREAD, SPREAD, 9)[:, None] * aside
        starts = np.concatenate([[start], np.repeat([tip], len(feet), axis=0)])
        ends = np.concatenate([[neck], feet])
        widths = self._radius * np.array([SHAFT] + [0.08] * len(feet))
        return np.concatenate([
            _of_widths(starts, ends, widths + 2 * CASING * self._radius, mixed(colour, INK, 0.35)),
            _of_widths(starts, ends, widths, colour),
        ])  # fmt: skip


def heading_of(person: NumberedPerson, time: int, period: float) -> float | None:
    """Where a person walks at a frame, from the places just before and after; None if they stand.

    In radians, 0 is the robot's first heading, positive to the left.
    """
    place = person.seen.index(time)
    before, after = person.seen[max(place - 1, 0)], person.seen[place + 1 : place + 2] or (time,)
    dx, dy = (person.positions[after[0]] - person.positions[before]).tolist()
    if math.hypot(dx, dy) <= MOVING * period * (after[0] - before):
        return None
    return math.atan2(dy, dx)


def _of_widths(starts: FloatArray, ends: FloatArray, widths: FloatArray, colour: Rgb) -> FloatArray:
    table = lines(starts, ends, 0.0, colour)
    table[:, 4] = widths / 2
    return table
