"""Numbers and letters on discs, each of which can be read however many overlap."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from paseo.render.raster.lettering import write_around
from paseo.render.raster.palette import Rgb
from paseo.render.raster.strokes import Frame, lines, paint
from paseo.vqa.pictures.colours import INK, WHITE, letter_colour
from paseo.vqa.pictures.discs import paint_discs
from paseo.vqa.pictures.placing import Placed

RIM = 0.13  # of the radius
LETTERS, SMALLEST = 1.2, 0.55  # of the radius; of that on the rest of a disc, at least
NARROW = 0.8  # of that where there are two letters
CASING, EDGE, LINE, DOT = 0.34, 0.27, 0.15, 0.3  # widths of a line to a body, of the radius
APART = 1e-3  # pixels that discs at one place are taken apart, to be told which half is whose


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A disc with a letter or number on it."""

    at: tuple[float, float]  # column and row; pixel (0, 0) covers 0 to 1
    text: str
    colour: Rgb


def draw_leaders(frame: Frame, aside: Sequence[Placed], radius: float) -> None:
    """Draw a line from each disc that stands aside to a point on the body it means.

    It ends in a dot; in a white one where the body is hidden by others.
    """
    for each in aside:
        ends = np.array([each.at]), np.array([each.on])

        def core(colour: Rgb, each: Placed = each) -> Rgb:
            return WHITE if each.is_hidden and colour == each.body.colour else colour

        for width, colour in ((CASING, INK), (EDGE, WHITE), (LINE, each.body.colour)):
            dot = np.array([each.on])
            paint(
                frame,
                np.concatenate([
                    lines(*ends, max(1.0, width * radius), colour),
                    lines(dot, dot, max(2.0, (width + DOT) * radius), core(colour)),
                ]),
            )  # fmt: skip


def draw_marks(frame: Frame, marks: Sequence[Mark], radius: float) -> None:
    """Draw discs; of overlapping ones none hides another: they meet in the middle between them.

    The text moves to the middle of what is left of its disc, so that all of them can be read.
    """
    width, height = frame.shape[1::-1]
    marks = [mark for mark in marks if -radius < mark.at[0] < width + radius
             and -radius < mark.at[1] < height + radius]  # fmt: skip
    if not marks:
        return
    table = np.array([(*mark.at, *mark.colour) for mark in marks], float)
    turns = np.arange(len(marks)) * (2 * math.pi / len(marks))
    table[:, :2] += APART * np.stack([np.cos(turns), np.sin(turns)], axis=1)
    rests = paint_discs(frame, table, radius, RIM * radius)
    whole = math.pi * (radius * (1 - RIM)) ** 2
    for mark, (column, row, pixels) in zip(marks, rests.tolist(), strict=True):
        share = max(SMALLEST, min(1.0, math.sqrt(pixels / whole)))
        share *= NARROW if len(mark.text) > 1 else 1.0
        size = max(6, round(radius * LETTERS * share))
        if pixels > 0:
            write_around(
                frame, mark.text, (column, row), size, colour=letter_colour(mark.colour), bold=True
            )
