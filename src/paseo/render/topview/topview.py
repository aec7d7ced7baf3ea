"""The scene from above as frames: a backdrop, drawn once, and whatever moves over it."""

import math
from collections.abc import Sequence

import numpy as np

from paseo.render.raster.lettering import Lettering
from paseo.render.raster.palette import mixed
from paseo.render.raster.strokes import (
    COLUMNS,
    Frame,
    chain,
    discs,
    lines,
    links,
    outline,
    paint,
    rings,
)
from paseo.render.raster.viewport import fitted, round_length
from paseo.render.staging.backdrop import IN_A_ROW, Actor, Backdrop, Size, rows_of_names
from paseo.render.staging.playthrough import Moment, people_to_show
from paseo.render.staging.renderers import Rendering
from paseo.render.topview.ground import ground
from paseo.world.arrays import FloatArray
from paseo.world.motion import RobotState
from paseo.world.records import Cause, Contact

SMALLEST = 1.5  # pixels; people who would be smaller are drawn so large
# Marks of contacts as lines (lines, 2, 2) in pixels to the right and down, before scaling.
CROSS = np.array([[[-1.0, -1.0], [1.0, 1.0]], [[-1.0, 1.0], [1.0, -1.0]]])
SHAPES: dict[Cause | None, FloatArray] = {
    None: CROSS, Cause.CAUSED: CROSS, Cause.SHARED: outline(3), Cause.WALKED_INTO: outline(12),
}  # fmt: skip
SIGHT = 3.0  # metres: as far the edges of a camera's sight are drawn
QUICK = 0.3  # m/s from which on a person's heading is shown in full


class TopView:
    """The scene from above, over a backdrop that is drawn once.

    Where the first robot has a camera that sees so many radians `across`, two lines show between
    what it looks.
    """

    def __init__(self, backdrop: Backdrop, size: Size, *, across: float | None = None) -> None:
        self.backdrop, self.size, self._across = backdrop, size, across
        width, height = size
        self._px = max(0.75, min(width, height) / 600)  # of lines: 1 in an ordinary frame
        self._text = Lettering(max(10.0, 15 * self._px))
        self._bold = Lettering(max(10.0, 15 * self._px), bold=True)
        self._small = Lettering(max(9.0, 12.5 * self._px))
        self._row = round(self._text.height * 1.35)
        self._pad = round(10 * self._px)
        rows = rows_of_names(len(backdrop.actors))
        self._top = (self._lines_above(rows) + bool(backdrop.title)) * self._row + self._pad
        self._bottom = height - self._row - self._pad // 2
        self._view = fitted(backdrop.box, width, max(self._bottom - self._top, 8))
        self._news_at = [self._room_for_news(k) for k in range(len(backdrop.actors))]
        self._blank = self._drawn_backdrop()

    def render(self, moments: Sequence[Moment]) -> Rendering:
        """All actors at one time; the same moments give the same frame."""
        frame = self._blank.copy()
        stage = frame[self._top : self._bottom]
        paint(stage, self._strokes(moments))
        self._write(frame, moments)
        return Rendering(frame)

    # What stands still

    def _drawn_backdrop(self) -> Frame:
        width, height = self.size
        theme = self.backdrop.theme
        frame = np.full((height, width, 3), theme.page, np.uint8)
        stage = ground(self.backdrop.floorplan, self._view, theme, 1.6 * self._px)
        frame[self._top : self._bottom] = stage[: self._bottom - self._top]
        paint(frame[self._top : self._bottom], self._start_and_goal())
        self._label_places(frame)
        self._write_names(frame)
        self._draw_scale(frame)
        return frame

    def _start_and_goal(self) -> FloatArray:
        backdrop, theme, px = self.backdrop, self.backdrop.theme, self._px
        tables = [np.empty((0, COLUMNS))]
        if backdrop.start is not None:
            at = self._view.pixels(np.array([[backdrop.start.x, backdrop.start.y]]))
            tables += [rings(at, 4 * px, 1.6 * px, theme.faint)]
        if backdrop.goal is not None:
            at = self._view.pixels(np.array([[backdrop.goal.x, backdrop.goal.y]]))
            radius = max(backdrop.goal_radius * self._view.scale, 3 * px)
            tables += [
                discs(at, radius, mixed(theme.floor, theme.ink, 0.12)),
                rings(at, radius, 2 * px, theme.ink),
                discs(at, max(2.0 * px, radius * 0.22), theme.ink),
            ]
        return np.concatenate(tables)

    def _label_places(self, frame: Frame) -> None:
        backdrop = self.backdrop
        for word, pose, radius in (
            ("start", backdrop.start, 0.0), ("goal", backdrop.goal, backdrop.goal_radius),
        ):  # fmt: skip
            if pose is None:
                continue
            x, y = self._view.pixels(np.array([pose.x, pose.y])).tolist()
            width, height = self._small.width(word), self._small.height
            below = y + max(radius * self._view.scale, 5 * self._px) + 1
            if below + height > self._bottom - self._top:
                below = 2 * y - below - height
            left = min(max(x - width / 2, 2), self.size[0] - width - 2)
            if below >= 0 and 0 <= y <= self._bottom - self._top:
                at = (round(left), round(self._top + below))
                self._small.write(frame, word, at, backdrop.theme.faint)

    def _write_names(self, frame: Frame) -> None:
        backdrop, theme = self.backdrop, self.backdrop.theme
        room = self.size[0] - 2 * self._pad
        if backdrop.title:
            clock = self._text.width("0000.0 s")
            words = self._text.shortened(backdrop.title, room - clock)
            self._text.write(frame, words, (self._pad, self._pad // 2), theme.faint)
        dots = []
        for k, actor in enumerate(backdrop.actors):
            x, y = self._name_at(k)
            radius = self._bold.height * 0.26
            dots.append(
                discs(np.array([[x + radius, y + self._bold.height * 0.52]]), radius, actor.colour)
            )
            for line, name in enumerate(self._name_lines(actor)):
                at = (x + round(radius * 3.2), y + line * self._row)
                self._bold.write(frame, name, at, theme.ink)
        if dots:
            paint(frame, np.concatenate(dots))

    def _column(self) -> int:
        """Pixels for the name and the news of each actor."""
        columns = max(1, min(len(self.backdrop.actors), IN_A_ROW))
        return (self.size[0] - 2 * self._pad) // columns

    def _name_lines(self, actor: Actor) -> list[str]:
        return self._bold.wrapped(actor.name, self._column() - self._bold.height - self._pad)

    def _is_beside(self, actor: Actor) -> bool:
        """Whether its news, as long as they get, fit into the line of its name."""
        used = self._bold.height + self._bold.width(actor.name) + 2 * self._pad
        return used + self._small.width(actor.news) <= self._column()

    def _lines_of(self, actor: Actor) -> int:
        """How many lines an actor takes: its name, and its news where they do not fit beside."""
        return len(self._name_lines(actor)) + (not self._is_beside(actor))

    def _lines_above(self, row: int) -> int:
        """How many lines names take in the rows before this one."""
        actors, beside = self.backdrop.actors, self.backdrop.beside
        rows = [actors[first : first + IN_A_ROW] for first in range(0, row * IN_A_ROW, IN_A_ROW)]
        return sum(max(self._lines_of(actor) for actor in (*each, *beside)) for each in rows)

    def _name_at(self, number: int) -> tuple[int, int]:
        """Where an actor's name begins."""
        row, column = divmod(number, IN_A_ROW)
        lines = self._lines_above(row) + bool(self.backdrop.title)
        return self._pad + column * self._column(), self._pad // 2 + lines * self._row

    def _room_for_news(self, number: int) -> tuple[int, int, int]:
        """Where news of an actor begin, beside or below its name, and how many pixels they have."""
        x, y = self._name_at(number)
        actor = self.backdrop.actors[number]
        lower = round((self._bold.height - self._small.height) * 0.8)  # on one line with the name
        used = round(self._bold.height * 0.83)
        if self._is_beside(actor):
            used += self._bold.width(actor.name) + self._pad
        else:
            lower += len(self._name_lines(actor)) * self._row
        return x + used, y + lower, self._column() - used - self._pad

    def _draw_scale(self, frame: Frame) -> None:
        theme, px = self.backdrop.theme, self._px
        metres = round_length(0.22 * self.size[0] / self._view.scale)
        length = metres * self._view.scale
        middle = (self._bottom + self.size[1]) / 2
        left, right = float(self._pad), self._pad + length
        ends = [(left, middle - 4 * px, left, middle + 4 * px), (left, middle, right, middle),
                (right, middle - 4 * px, right, middle + 4 * px)]  # fmt: skip
        bar = np.array(ends)
        paint(frame, lines(bar[:, :2], bar[:, 2:], 1.6 * px, theme.faint))
        top = round(middle - self._small.height * 0.52)
        after = round(right + 8 * px)
        self._small.write(frame, f"{metres:g} m", (after, top), theme.faint)
        room = self.size[0] - self._pad - after - self._small.width(f"{metres:g} m  ")
        note = self._small.shortened(self.backdrop.note, room)
        x = self.size[0] - self._pad - self._small.width(note)
        self._small.write(frame, note, (x, top), theme.faint)

    # What moves

    def _strokes(self, moments: Sequence[Moment]) -> FloatArray:
        seen = people_to_show(moments)
        actors = self.backdrop.actors
        return np.concatenate(
            [self._trails(moment) for moment in seen]
            + [self._sight(moments[0])]
            + [self._path(m, a) for m, a in zip(moments, actors, strict=True)]
            + [self._people(moment, moments) for moment in seen]
            + [self._robot(m, a) for m, a in zip(moments, actors, strict=True)]
            + [self._marks(moment) for moment in moments if moment.contacts]
            + [self._touching(moment) for moment in moments if moment.touching]
        )

    def _trails(self, moment: Moment) -> FloatArray:
        trails = self._view.pixels(moment.trails)
        points, people = trails.shape[:2]
        age = np.linspace(0.0, 0.75, points)[1:]  # oldest first
        theme = self.backdrop.theme
        return links(
            trails[:-1].reshape(-1, 2), trails[1:].reshape(-1, 2),
            2.0 * self._px, mixed(theme.person, theme.rim, 0.3), np.repeat(age, people),
        )  # fmt: skip

    def _sight(self, moment: Moment) -> FloatArray:
        """The edges of what a camera sees, near the robot."""
        if self._across is None:
            return np.empty((0, COLUMNS))
        pose, theme = moment.snapshot.robot.pose, self.backdrop.theme
        angles = pose.heading + np.array([0.5, -0.5]) * self._across
        at = np.array([[pose.x, pose.y]] * 2)
        ends = at + SIGHT * np.stack([np.cos(angles), np.sin(angles)], axis=1)
        middle, ends = self._view.pixels(at), self._view.pixels(ends)
        return lines(middle, ends, 1.2 * self._px, mixed(theme.floor, theme.ink, 0.5))

    def _path(self, moment: Moment, actor: Actor) -> FloatArray:
        return chain(self._view.pixels(moment.path), 2.6 * self._px, actor.colour)

    def _marks(self, moment: Moment) -> FloatArray:
        """A mark where the robot stood at each contact; a small cross where none is counted."""
        return np.concatenate([
            self._mark(contact, SHAPES[moment.causes.get(contact)])
            for contact in moment.contacts
        ])  # fmt: skip

    def _mark(self, contact: Contact, shape: FloatArray) -> FloatArray:
        (at,) = self._view.pixels(np.array([(contact.x, contact.y)]))
        ends = at + shape * (5.0 if contact.counted else 3.0) * self._px  # (lines, 2, 2)
        theme, px = self.backdrop.theme, self._px
        return np.concatenate([
            lines(ends[:, 0], ends[:, 1], 4.6 * px, theme.floor),
            lines(ends[:, 0], ends[:, 1], 2.2 * px, theme.contact),
        ])  # fmt: skip

    def _people(self, moment: Moment, moments: Sequence[Moment]) -> FloatArray:
        crowd, theme, px = moment.snapshot.crowd, self.backdrop.theme, self._px
        at = self._view.pixels(crowd.positions)
        radii = np.maximum(crowd.radii * self._view.scale, SMALLEST)
        speeds = np.hypot(*crowd.velocities.T)
        ahead = crowd.velocities * (1, -1) / np.maximum(speeds, 1e-9)[:, None] * radii[:, None]
        tables = [
            discs(at, radii, theme.person),
            rings(at, radii - 0.6 * px, 1.2 * px, theme.rim),
            lines(at, at + 1.4 * ahead, 2.0 * px, theme.rim, np.minimum(speeds / QUICK, 1.0)),
        ]
        if known := set[int]().union(*(each.touched for each in moments)):
            touched = np.isin(crowd.ids, list(known))
            tables.append(rings(at[touched], radii[touched], 2.0 * px, theme.contact))
        return np.concatenate(tables)

    def _touching(self, moment: Moment) -> FloatArray:
        """A thick red ring around whoever the robot touches now."""
        crowd = moment.snapshot.crowd
        rows = np.isin(crowd.ids, list(moment.touching))
        at = self._view.pixels(crowd.positions[rows])
        radii = np.maximum(crowd.radii[rows] * self._view.scale, SMALLEST)
        width = 3.0 * self._px
        return rings(at, radii + width / 2, width, self.backdrop.theme.contact)

    def _robot(self, moment: Moment, actor: Actor) -> FloatArray:
        robot: RobotState = moment.snapshot.robot
        theme, px = self.backdrop.theme, self._px
        at = self._view.pixels(np.array([[robot.pose.x, robot.pose.y]]))
        radius = max(robot.radius * self._view.scale, 2 * SMALLEST)
        heading = np.array([[math.cos(robot.pose.heading), -math.sin(robot.pose.heading)]])
        return np.concatenate([
            discs(at, radius + 1.2 * px, theme.floor),
            discs(at, radius, actor.colour),
            lines(at, at + heading * (radius * 0.72), self._nose(radius), theme.page),
        ])  # fmt: skip

    def _nose(self, radius: float) -> float:
        """The width of the line that shows where a robot faces, thin on a small robot."""
        return min(max(2.0 * self._px, radius * 0.24), radius * 0.4)

    def _write(self, frame: Frame, moments: Sequence[Moment]) -> None:
        theme = self.backdrop.theme
        if self.backdrop.title:
            time = max(moment.snapshot.time for moment in moments)
            corner = (self.size[0] - self._pad, self._pad // 2)
            self._text.write_number(frame, f"{time:.1f} s", corner, theme.ink)
        for moment, (x, y, room) in zip(moments, self._news_at, strict=True):
            words = self._small.shortened(moment.news, room)
            self._small.write(frame, words, (x, y), theme.faint)
