"""Anti-aliased strokes: all that moves in a frame is a line, a disc or a ring."""

import math

import numpy as np
from numpy.typing import NDArray

from paseo.compiled import compiled_like_numpy
from paseo.render.raster.palette import Rgb
from paseo.world.arrays import FloatArray

Frame = NDArray[np.uint8]  # (height, width, 3), RGB

# The columns of a table of strokes: the ends of a line, how far its rim is from it, the width of
# the rim where only that is drawn (else 0), red, green, blue, opacity from 0 to 1, and 1 where the
# ends are cut off flat (so that the joints of a chain of lines are not painted twice).
COLUMNS = 11
SPACING = 4.0  # pixels
BENT = 0.97  # the cosine of a turn that leaves a gap between flat ends


def lines(
    starts: FloatArray, ends: FloatArray, width: float, colour: Rgb, opacity: FloatArray | float = 1
) -> FloatArray:
    """Straight lines with round ends between points (lines, 2) in pixels; NaN is left out."""
    table = np.zeros((len(starts), COLUMNS))
    table[:, 0:2], table[:, 2:4] = starts, ends
    table[:, 4] = width / 2
    table[:, 6:9], table[:, 9] = colour, opacity
    return table


def links(
    starts: FloatArray, ends: FloatArray, width: float, colour: Rgb, opacity: FloatArray | float
) -> FloatArray:
    """Lines with flat ends, which make a chain without knots however faint they are."""
    table = lines(starts, ends, width, colour, opacity)
    table[:, 10] = 1.0
    return table


def discs(
    centres: FloatArray, radii: FloatArray | float, colour: Rgb, opacity: float = 1.0
) -> FloatArray:
    """Filled discs around points (discs, 2)."""
    table = lines(centres, centres, 0.0, colour, opacity)
    table[:, 4] = radii
    return table


def rings(centres: FloatArray, radii: FloatArray | float, width: float, colour: Rgb) -> FloatArray:
    """Circles around points (rings, 2); the line runs inside and outside of the radius."""
    table = discs(centres, radii, colour)
    table[:, 5] = width
    return table


def chain(points: FloatArray, width: float, colour: Rgb) -> FloatArray:
    """A line through points (points, 2) with round ends and corners."""
    steps = np.hypot(*np.diff(points, axis=0).T)
    # Points nearer than a spacing to each other only cost time; counted from the first point, so
    # that those of a line that grows stay where they are.
    places = np.concatenate([[0.0], np.cumsum(steps)]) // SPACING
    kept = np.concatenate([[True], np.diff(places) > 0])
    kept[-1] = True
    points = points[kept]
    along = np.diff(points, axis=0)
    turns = (along[:-1] * along[1:]).sum(axis=1)
    sharp = turns < BENT * np.hypot(*along[:-1].T) * np.hypot(*along[1:].T)
    corners = np.concatenate([points[:1], points[1:-1][sharp], points[-1:]])
    return np.concatenate(
        [links(points[:-1], points[1:], width, colour, 1.0), discs(corners, width / 2, colour)]
    )


def outline(corners: int) -> FloatArray:
    """The sides (sides, 2, 2) of a regular figure around 0, 0 that stands on its base."""
    turns = 2 * math.pi * np.arange(corners + 1) / corners - math.pi / 2
    points = 1.2 * np.stack([np.cos(turns), np.sin(turns)], axis=1)
    return np.stack([points[:-1], points[1:]], axis=1)


@compiled_like_numpy
def paint(frame: Frame, table: FloatArray) -> None:
    """Draw the strokes (strokes, 11) over the frame, in order; what lies outside is cut off."""
    for k in range(table.shape[0]):
        ax, ay, bx, by = table[k, 0], table[k, 1], table[k, 2], table[k, 3]
        if not (math.isfinite(ax + ay + bx + by) and table[k, 9] > 0.0):
            continue
        if table[k, 10] > 0.0 and (ax != bx or ay != by):
            _paint_link(frame, table[k])
        else:
            _paint_round(frame, table[k])


@compiled_like_numpy
def _paint_link(frame: Frame, stroke: FloatArray) -> None:
    """A line with flat ends: only the distance across it matters, which needs no root."""
    ax, ay, dx, dy = stroke[0], stroke[1], stroke[2] - stroke[0], stroke[3] - stroke[1]
    red, green, blue = int(stroke[6]), int(stroke[7]), int(stroke[8])
    reach, opacity = stroke[4] + 0.5, 256.0 * stroke[9]
    length = math.sqrt(dx * dx + dy * dy)
    ux, uy = dx / length, dy / length
    height, width = frame.shape[0], frame.shape[1]
    left, right = min(ax, ax + dx) - reach, max(ax, ax + dx) + reach
    top = int(min(max(min(ay, ay + dy) - reach, 0.0), height))
    bottom = int(min(max(max(ay, ay + dy) + reach + 1.0, 0.0), height))
    lean, band = (ux / uy, reach / abs(uy)) if uy != 0.0 else (0.0, math.inf)
    for row in range(top, bottom):
        y = row + 0.5 - ay
        middle = ax + y * lean
        first = int(min(max(max(left, middle - band), 0.0), width))
        last = int(min(max(min(right, middle + band) + 1.0, 0.0), width))
        for column in range(first, last):
            x = column + 0.5 - ax
            along, cover = x * ux + y * uy, reach - abs(x * uy - y * ux)
            if along >= 0.0 and along < length and cover > 0.0:
                share = int(min(cover, 1.0) * opacity)
                pixel = frame[row, column]
                pixel[0] = (pixel[0] * (256 - share) + red * share + 128) >> 8
                pixel[1] = (pixel[1] * (256 - share) + green * share + 128) >> 8
                pixel[2] = (pixel[2] * (256 - share) + blue * share + 128) >> 8


@compiled_like_numpy
def _paint_round(frame: Frame, stroke: FloatArray) -> None:
    """A line with round ends, or its rim alone; where it has no length, a disc or a ring."""
    ax, ay, dx, dy = stroke[0], stroke[1], stroke[2] - stroke[0], stroke[3] - stroke[1]
    red, green, blue = int(stroke[6]), int(stroke[7]), int(stroke[8])
    radius, rim, opacity = stroke[4], 0.5 * stroke[5], 256.0 * stroke[9]
    reach = radius + rim + 0.5
    height, width = frame.shape[0], frame.shape[1]
    left = int(min(max(min(ax, ax + dx) - reach, 0.0), width))
    right = int(min(max(max(ax, ax + dx) + reach + 1.0, 0.0), width))
    top = int(min(max(min(ay, ay + dy) - reach, 0.0), height))
    bottom = int(min(max(max(ay, ay + dy) + reach + 1.0, 0.0), height))
    length2 = dx * dx + dy * dy
    per_length2 = 1.0 / length2 if length2 > 0.0 else 0.0
    # Squares of distances: nothing beyond the first, all below the second, nothing below the third.
    outer, inner, hollow = reach * reach, max(radius - 0.5, 0.0) ** 2, -1.0
    if rim > 0.0:
        inner, hollow = -1.0, max(radius - rim - 0.5, 0.0) ** 2
    for row in range(top, bottom):
        y = row + 0.5 - ay
        for column in range(left, right):
            x = column + 0.5 - ax
            share = min(1.0, max(0.0, (x * dx + y * dy) * per_length2))
            x, across = x - share * dx, y - share * dy
            distance2 = x * x + across * across
            if distance2 >= outer or distance2 <= hollow:
                continue
            cover = 1.0
            if rim > 0.0:
                cover = min(rim - abs(math.sqrt(distance2) - radius) + 0.5, 1.0)
            elif distance2 > inner:
                cover = min(radius - math.sqrt(distance2) + 0.5, 1.0)
            weight = int(cover * opacity)
            pixel = frame[row, column]
            pixel[0] = (pixel[0] * (256 - weight) + red * weight + 128) >> 8
            pixel[1] = (pixel[1] * (256 - weight) + green * weight + 128) >> 8
            pixel[2] = (pixel[2] * (256 - weight) + blue * weight + 128) >> 8
