"""Several records in one film: robots overlaid in one scene, or scenes side by side."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from paseo.render.raster.lettering import Lettering
from paseo.render.raster.palette import LIGHT, Theme
from paseo.render.raster.strokes import Frame
from paseo.render.staging.backdrop import (
    Size,
    backdrop_of,
    common_title,
    panel_backdrops,
)
from paseo.render.staging.marks import key_to_marks
from paseo.render.staging.playthrough import Playthrough, WhoseDoing, nobody_knows
from paseo.render.staging.renderers import MakeRenderer, frame_of, new_renderer, size_for
from paseo.render.topview.topview import TopView
from paseo.world.records import Record

WIDE = 1.5  # width over height that a sheet of panels comes near to
SHEET_AREA, WIDEST = 1400 * 800, 1920  # pixels at most
GUTTER, TITLE = 6, 30  # pixels between panels and above them


class Overlaid:
    """All robots in one scene; of one record, just that."""

    def __init__(
        self,
        records: Sequence[Record],
        *,
        theme: Theme = LIGHT,
        size: Size | None = None,
        note: str = "",
        view: MakeRenderer = TopView,
        whose: WhoseDoing = nobody_knows,
    ) -> None:
        self._playthroughs = [Playthrough(record, whose=whose) for record in records]
        key = key_to_marks(self._playthroughs)
        backdrop = backdrop_of(records, theme=theme, note=_noted(note, key))
        self._size = size or size_for(view, backdrop)
        self._view = new_renderer(view, backdrop, self._size)
        self.end = max(playthrough.end for playthrough in self._playthroughs)

    def frame(self, time: float) -> Frame:
        """All robots at a time; those that have ended stay where they are."""
        moments = [playthrough.at(time) for playthrough in self._playthroughs]
        return frame_of(self._view, moments, self._size)


class SideBySide:
    """A panel for each record, all at the same time."""

    def __init__(
        self,
        records: Sequence[Record],
        *,
        theme: Theme = LIGHT,
        size: Size | None = None,
        note: str = "",
        view: MakeRenderer = TopView,
        whose: WhoseDoing = nobody_knows,
    ) -> None:
        self._playthroughs = [Playthrough(record, whose=whose) for record in records]
        self.end = max(playthrough.end for playthrough in self._playthroughs)
        self._theme = theme
        backdrops = panel_backdrops(records, theme)
        widest = max(backdrops, key=lambda each: each.box.width / each.box.height)
        panel = size_for(view, widest)
        columns = _columns(len(records), panel)
        rows = math.ceil(len(records) / columns)
        self._size = size or _sheet_size(columns, rows, panel)
        width = (self._size[0] - (columns - 1) * GUTTER) // columns
        text = min(max(11.0, 17 * min(width, self._size[1] / rows) / 600), 24.0)
        self._text, self._pad = Lettering(text), round(text * 0.7)
        self._top = round(self._text.height * 1.25) + self._pad // 2
        height = (self._size[1] - self._top) // rows
        notes = [""] * (len(records) - 1) + [_noted(note, key_to_marks(self._playthroughs))]
        self._panel = (width, height)
        self._views = [
            new_renderer(view, replace(backdrop, note=words), self._panel)
            for backdrop, words in zip(backdrops, notes, strict=True)
        ]
        self._corners = [
            (self._top + row * height, column * (width + GUTTER))
            for row in range(rows)
            for column in range(columns)
        ]
        self._blank = self._drawn_sheet(common_title(records))

    def frame(self, time: float) -> Frame:
        """All panels at a time."""
        sheet = self._blank.copy()
        for view, playthrough, (top, left) in zip(
            self._views, self._playthroughs, self._corners, strict=False
        ):
            panel = frame_of(view, [playthrough.at(time)], self._panel)
            sheet[top : top + panel.shape[0], left : left + panel.shape[1]] = panel
        corner = (self._size[0] - self._pad, self._pad // 2)
        self._text.write_number(sheet, f"{time:.1f} s", corner, self._theme.ink)
        return sheet

    def _drawn_sheet(self, title: str) -> Frame:
        width, height = self._size
        sheet = np.full((height, width, 3), self._theme.page, np.uint8)
        room = width - 3 * self._pad - self._text.width("0000.0 s")
        words = self._text.shortened(title, room)
        self._text.write(sheet, words, (self._pad, self._pad // 2), self._theme.faint)
        return sheet


def _noted(note: str, key: str) -> str:
    return " \N{MIDDLE DOT} ".join(word for word in (key, note) if word)


def _columns(count: int, panel: Size) -> int:
    """How many panels in a row make a sheet as wide as a screen, with little room left empty."""

    def fault(columns: int) -> float:
        rows = math.ceil(count / columns)
        shape = columns * panel[0] / (rows * panel[1])
        return abs(math.log(shape / WIDE)) + (rows * columns - count) / count

    return min(range(1, count + 1), key=fault)


def _sheet_size(columns: int, rows: int, panel: Size) -> Size:
    width, height = columns * panel[0], rows * panel[1]
    share = min((SHEET_AREA / (width * height)) ** 0.5, 0.8, WIDEST / width)
    return round(width * share) // 2 * 2, round(height * share + TITLE) // 2 * 2
