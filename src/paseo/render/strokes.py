"""Anti-aliased strokes: all that moves in a frame is a line, a disc or a ring."""

import math

import numpy as np
from numpy.typing import NDArray

from paseo.render.palette import Rgb
from paseo.world.compiled import compiled_like_numpy
from paseo.world.people import FloatArray

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


@compiled_like_numpy
def paint(frame: Frame, table: FloatArray) -> None:
    """Draw the strokes (strokes, 11) over the frame, in order; what lies outside is cut off."""
    height, width = frame.shape[0], frame.shape[1]
    for k in range(table.shape[0]):
        ax, ay, dx, dy = table[k, 0], table[k, 1], table[k, 2], table[k, 3]
        radius, rim, opacity = table[k, 4], 0.5 * table[k, 5], 256.0 * table[k, 9]
        red, green, blue = int(table[k, 6]), int(table[k, 7]), int(table[k, 8])
        reach = radius + rim + 0.5
        if not (math.isfinite(ax + ay + dx + dy + reach) and opacity > 0.0):
            continue
        left, right = min(ax, dx) - reach, max(ax, dx) + reach
        top = int(min(max(min(ay, dy) - reach, 0.0), height))
        bottom = int(min(max(max(ay, dy) + reach + 1.0, 0.0), height))
        dx, dy = dx - ax, dy - ay
        length2 = dx * dx + dy * dy
        per_length2 = 1.0 / length2 if length2 > 0.0 else 0.0
        lean = dx / dy if dy != 0.0 else 0.0
        band = reach * math.sqrt(1.0 + lean * lean) if dy != 0.0 else math.inf
        flat, outer = table[k, 10] > 0.0, reach * reach
        inner = max(radius - 0.5, 0.0) ** 2 if rim == 0.0 else 0.0
        hollow = max(radius - rim - 0.5, 0.0) ** 2 if rim > 0.0 else -1.0
        for row in range(top, bottom):
            y = row + 0.5 - ay
            middle = ax + y * lean
            first = int(min(max(max(left, middle - band), 0.0), width))
            last = int(min(max(min(right, middle + band) + 1.0, 0.0), width))
            for column in range(first, last):
                x = column + 0.5 - ax
                share = (x * dx + y * dy) * per_length2
                if flat and not 0.0 <= share < 1.0:
                    continue
                share = min(1.0, max(0.0, share))
                x, across = x - share * dx, y - share * dy
                distance2 = x * x + across * across
                if distance2 >= outer or distance2 <= hollow:
                    continue
                weight = opacity
                if rim > 0.0:
                    weight *= min(rim - abs(math.sqrt(distance2) - radius) + 0.5, 1.0)
                elif distance2 > inner:
                    weight *= min(radius - math.sqrt(distance2) + 0.5, 1.0)
                share256 = int(weight)
                pixel = frame[row, column]
                pixel[0] = (pixel[0] * (256 - share256) + red * share256 + 128) >> 8
                pixel[1] = (pixel[1] * (256 - share256) + green * share256 + 128) >> 8
                pixel[2] = (pixel[2] * (256 - share256) + blue * share256 + 128) >> 8
