"""The ground seen from above: which piece of it is shown, where, and the grid that measures it."""

import math
from dataclasses import dataclass

import numpy as np

from paseo.render.raster.lettering import write_around
from paseo.render.raster.palette import Rgb, rgb
from paseo.render.raster.strokes import Frame, lines, paint
from paseo.render.raster.viewport import Box, round_length
from paseo.vqa.pictures.colours import WHITE
from paseo.world.arrays import FloatArray
from paseo.world.scenes import Scene

USUAL = Box(0.0, -5.0, 10.0, 5.0)  # metres; x forward, y left
MARGIN = 0.5  # metres around people, robot and goal
INTERVALS = 8  # of the grid, or a few more
LETTERS, LEAST_LETTERS = 0.02, 9  # of the picture's width; pixels
BEFORE, AFTER = 0.07, 0.016  # of the picture's width: on the left and below, on the right and above
GRID, TICKS, WALL = rgb("#DDE2E8"), rgb("#3C4653"), rgb("#7A8490")


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A square picture of the ground, forward up and left on the left.

    Pixels are (column, row), pixel (0, 0) covering 0 to 1.
    """

    extent: Box  # a square, in metres: x forward, y left
    side_px: int  # of the whole picture, with the numbers on its left and below

    @property
    def scale(self) -> float:
        """Pixels per metre."""
        return self.side_px * (1 - BEFORE - AFTER) / self.extent.width

    @property
    def corner_px(self) -> tuple[float, float]:
        """The column and row of the upper left corner of what is shown."""
        return self.side_px * BEFORE, self.side_px * AFTER

    def to_pixels(self, points: FloatArray) -> FloatArray:
        """Where points (..., 2), x and y in metres, are seen."""
        ahead = (self.extent.x1, self.extent.y1) - np.asarray(points, float)
        return np.asarray(self.corner_px + ahead[..., ::-1] * self.scale)

    def to_metres(self, pixels: FloatArray) -> FloatArray:
        """Which points (..., 2) of the ground are seen at these pixels."""
        ahead = (np.asarray(pixels, float) - self.corner_px)[..., ::-1] / self.scale
        return np.asarray((self.extent.x1, self.extent.y1) - ahead)


def extent(scene: Scene, also: FloatArray | None = None) -> Box:
    """What is shown, in metres: x 0 to 10 and y -5 to 5, more where somebody would be left out.

    It grows to hold all people, the robot and the goal with a margin of 0.5 m, in all frames alike
    (so that x begins at -0.5 where the robot starts); then the shorter side grows to a square:
    ahead, or to the left and right alike. Places (n, 2) that are `also` drawn count like people.
    """
    people = [person.positions[list(person.seen)] for person in scene.people]
    others = np.empty((0, 2)) if also is None else also
    points = np.concatenate([*people, scene.robot[:, :2], [scene.goal], others])
    x0, y0 = np.minimum(points.min(axis=0) - MARGIN, USUAL[:2]).tolist()
    x1, y1 = np.maximum(points.max(axis=0) + MARGIN, USUAL[2:]).tolist()
    side = max(x1 - x0, y1 - y0)
    aside = (side - (y1 - y0)) / 2
    return Box(x0, y0 - aside, x0 + side, y1 + aside)


def view_of(scene: Scene, side_px: int, also: FloatArray | None = None) -> View:
    """How a bird's-eye view of this width shows the scene, and what is `also` drawn."""
    return View(extent=extent(scene, also), side_px=side_px)


def draw_walls(frame: Frame, view: View, walls: FloatArray) -> None:
    """Walls (walls, 2, 2), from end to end in metres, cut at the edge of what is shown."""
    pixels = view.to_pixels(walls)
    left, top = (math.ceil(each) for each in view.corner_px)
    long = math.floor(view.extent.width * view.scale)
    shown = frame[top : top + long, left : left + long]
    inside = pixels - (left, top)
    paint(shown, lines(inside[:, 0], inside[:, 1], max(2.0, view.side_px / 200), WALL))


def chart(view: View) -> Frame:
    """The empty ground: a grid with a number at each line, in metres."""
    box, side = view.extent, view.side_px
    frame = np.full((side, side, 3), WHITE, np.uint8)
    size, width = max(LEAST_LETTERS, round(LETTERS * side)), max(1.0, side / 900)
    (left, top), long = view.corner_px, box.width * view.scale
    for value in _ticks(box.x0, box.x1):
        row = float(view.to_pixels(np.array([value, 0.0]))[1])
        _rule(frame, (left, row), (left + long, row), width=width, colour=GRID)
        write_around(frame, f"{value:g}", (0.74 * left, row), size, colour=TICKS)
    for value in _ticks(box.y0, box.y1):
        column = float(view.to_pixels(np.array([0.0, value]))[0])
        _rule(frame, (column, top), (column, top + long), width=width, colour=GRID)
        write_around(frame, f"{value:g}", (column, top + long + 0.95 * size), size, colour=TICKS)
    corners = [(left, top), (left + long, top), (left + long, top + long), (left, top + long)]
    for start, end in zip(corners, corners[1:] + corners[:1], strict=True):
        _rule(frame, start, end, width=width, colour=TICKS)
    below, beside = (left + long / 2, top + long + 2.25 * size), (0.26 * left, top + long / 2)
    write_around(frame, "y, left (m)", below, size, colour=TICKS)
    write_around(frame, "x, forward (m)", beside, size, colour=TICKS, upwards=True)
    return frame


def _ticks(low: float, high: float) -> list[float]:
    """Whole multiples of a round step between two values."""
    step = round_length((high - low) / INTERVALS)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [count * step for count in range(first, last + 1)]


def _rule(
    frame: Frame, start: tuple[float, float], end: tuple[float, float], *,
    width: float, colour: Rgb,
) -> None:  # fmt: skip
    paint(frame, lines(np.array([start]), np.array([end]), width, colour))
