"""A film on paper: chosen times from left to right, a row for each planner."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from paseo.errors import BadValue
from paseo.render.figures.figure import LINE, MARGIN, Page, inches_of
from paseo.render.figures.saving import drawing, picture_format
from paseo.render.figures.sketch import Sketch
from paseo.render.raster.palette import LIGHT, Theme, as_text
from paseo.render.raster.viewport import Box, box_of, grown
from paseo.render.staging.backdrop import (
    Backdrop,
    Size,
    check_same_place,
    common_title,
    panel_backdrops,
    ways,
)
from paseo.render.staging.marks import key_to_marks
from paseo.render.staging.playthrough import Playthrough, WhoseDoing, nobody_knows
from paseo.world.records import Record

WIDTH, TALLEST_ROW = 7.0, 3.2  # inches
AROUND = 2.5  # metres shown around the robots' ways
FLATTEST, STEEPEST = 0.7, 1.6  # height over width of a picture
USUAL_TIMES, MOST_TIMES = 5, 12


def draw_filmstrip(
    path: Path,
    records: Sequence[Record],
    *,
    times: Sequence[float] = (),
    theme: Theme = LIGHT,
    size: Size | None = None,
    whose: WhoseDoing = nobody_knows,
) -> None:
    """Pictures at some times, by default evenly to the end, each with the whole path so far.

    A robot that has ended by one of the times is shown once where it ended.
    """
    picture_format(path)
    check_same_place(records)
    playthroughs = [Playthrough(record, whose=whose) for record in records]
    times = _checked(times or usual_times(max(playthrough.end for playthrough in playthroughs)))
    box = _shown(records)
    with drawing(theme):
        page, room = _blank_page(common_title(records), len(records), len(times), box, theme, size)
        for k, backdrop in enumerate(panel_backdrops(records, theme)):
            row = room._replace(y1=room.y1 - k * room.height / len(records))
            row = row._replace(y0=row.y1 - room.height / len(records))
            _draw_row(page, row, replace(backdrop, box=box), playthroughs[k], times)
        page.foot(key_to_marks(playthroughs))
        page.save(path)


def usual_times(end: float) -> list[float]:
    """Times from the beginning to the end, evenly."""
    return np.linspace(0.0, end, USUAL_TIMES).round(1).tolist()


def _checked(times: Sequence[float]) -> list[float]:
    kept = sorted(set(times))
    if not 1 <= len(kept) <= MOST_TIMES or not all(0 <= time < float("inf") for time in kept):
        words = ", ".join(f"{time:g}" for time in kept[:5])
        raise BadValue(
            f"a filmstrip at {words} s cannot be drawn, expected 1 to {MOST_TIMES} times from 0 on"
        )
    return kept


def _shown(records: Sequence[Record]) -> Box:
    """Around the ways of all robots, neither too flat nor too steep."""
    box = grown(box_of(ways(records)), AROUND)
    taller = max(FLATTEST * box.width - box.height, 0.0) / 2
    wider = max(box.height / STEEPEST - box.width, 0.0) / 2
    return Box(box.x0 - wider, box.y0 - taller, box.x1 + wider, box.y1 + taller)


def _blank_page(
    title: str, rows: int, columns: int, box: Box, theme: Theme, size: Size | None
) -> tuple[Page, Box]:
    """A page with its title, and the room for the pictures on it in inches."""
    cell = (WIDTH - MARGIN) / columns - MARGIN
    height = min(cell * box.height / box.width, TALLEST_ROW) + LINE + MARGIN
    inches = (WIDTH, height * rows + 2 * LINE + 2 * MARGIN) if size is None else inches_of(size)
    page = Page(inches, theme, size)
    return page, Box(MARGIN, LINE + MARGIN, inches[0], page.head(title, ""))


def _draw_row(
    page: Page, room: Box, backdrop: Backdrop, playthrough: Playthrough, times: Sequence[float]
) -> None:
    said = (playthrough.at(playthrough.end).news,)
    page.names(room.x0, room.y1, room.width - MARGIN, backdrop, said)
    width = room.width / len(times)
    for k, time in enumerate(times):
        if k > 0 and times[k - 1] >= playthrough.end:
            return
        place = (room.x0 + k * width, room.y0 + MARGIN, width - MARGIN, room.height - LINE - MARGIN)
        axes = page.axes(place, backdrop.box)
        moment = playthrough.at(time)
        Sketch(axes, backdrop, min(place[2:])).moments([moment])
        axes.annotate(
            f"{moment.snapshot.time:.1f} s", (0, 1), (3, -3), xycoords="axes fraction",
            textcoords="offset points", va="top", fontsize=7.5, zorder=99,
            bbox={"facecolor": as_text(backdrop.theme.page), "linewidth": 0, "pad": 1.5},
        )  # fmt: skip
        if k == 0:
            page.scale(axes, room.x0)
