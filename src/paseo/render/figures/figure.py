"""Figures for papers: scenes from above as PNG and SVG, by matplotlib (extra `plots`)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from paseo.render.figures.saving import DPI, LETTERS, printable, save_figure
from paseo.render.figures.sketch import Sketch
from paseo.render.figures.wording import length, shortened
from paseo.render.raster.palette import Theme, as_text
from paseo.render.raster.viewport import Box, round_length
from paseo.render.raster.wording import wrapped
from paseo.render.staging.backdrop import IN_A_ROW, Backdrop, Size

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH, NARROWEST, WIDEST = 6.5, 4.5, 10.0  # inches; the first as wide as the text of a page
SMALL = 7.2  # points; of what matters less
TALLEST, LOWEST = 8.5, 2.0
LINE, MARGIN, DOT = 0.22, 0.08, 0.15  # inches: of a line of text, around things, before a name
FURTHER_LINE = 0.15  # inches, of one that goes on with the same planner
PANELS_IN_A_ROW = 3


class _Said(NamedTuple):
    """A line above a scene: a planner's name, or news of it, or both."""

    name: str
    news: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Panel:
    """One scene of a figure: its map, what is said of each actor, and what is drawn on the map."""

    backdrop: Backdrop
    news: tuple[str, ...]
    draw: Callable[[Sketch], None]


def sheet(
    panels: Sequence[Panel],
    *,
    title: str,
    clock: str = "",
    size: Size | None = None,
) -> "Page":
    """A page of panels side by side below one title; `size` in pixels of a PNG."""
    columns = min(len(panels), PANELS_IN_A_ROW if len(panels) != 4 else 2)
    rows = -(-len(panels) // columns)
    line = (WIDTH if size is None else inches_of(size)[0]) / columns - 2 * MARGIN
    names = max(height_of_names(panel.backdrop, panel.news, line) for panel in panels)
    inches = _inches_of_sheet(panels, columns, rows, names) if size is None else inches_of(size)
    page = Page(inches, panels[0].backdrop.theme, size)
    top = page.head(title, clock)
    width, height = (inches[0] - MARGIN) / columns, (top - LINE - MARGIN) / rows
    for k, panel in enumerate(panels):
        row, column = divmod(k, columns)
        left, upper = MARGIN + column * width, top - row * height
        page.names(left, upper, width - MARGIN, panel.backdrop, panel.news)
        room = (left, upper - height + MARGIN / 2, width - MARGIN, height - names - MARGIN / 2)
        axes = page.axes(room, panel.backdrop.box)
        panel.draw(Sketch(axes, panel.backdrop, min(room[2:])))
        if k == 0:
            page.scale(axes, left)
    page.foot(panels[-1].backdrop.note)
    return page


def _inches_of_sheet(
    panels: Sequence[Panel], columns: int, rows: int, names: float
) -> tuple[float, float]:
    boxes = [panel.backdrop.box for panel in panels]
    tallest = max(box.height / box.width for box in boxes)
    panel = (WIDTH - MARGIN) / columns - MARGIN
    height = rows * (panel * tallest + names) + 2 * LINE + 2 * MARGIN
    if height > TALLEST:  # narrower rather than with empty sides
        return max(WIDTH * TALLEST / height, WIDTH / 2), TALLEST
    return WIDTH, max(height, LOWEST)


def inches_of(size: Size) -> tuple[float, float]:
    """The size of a figure that is so many pixels large as a PNG; never too small for its text."""
    width = min(max(size[0] / DPI, NARROWEST), WIDEST)
    return width, width * size[1] / size[0]


def height_of_names(backdrop: Backdrop, news: Sequence[str], width: float) -> float:
    """How many inches the names of planners, and what is said of them, take."""
    rows = _rows(backdrop, news, width, _names_in_a_row(backdrop, news, width))
    return sum(_height(row) for row in rows)


def _height(row: list[list[_Said]]) -> float:
    return LINE + FURTHER_LINE * (max(len(lines) for lines in row) - 1)


def _names_in_a_row(backdrop: Backdrop, news: Sequence[str], width: float) -> int:
    lengths = [
        DOT + length(actor.name, LETTERS, "bold") + length(words, SMALL) + 3 * MARGIN
        for actor, words in zip(backdrop.actors, news, strict=True)
    ]
    fits = max(lengths, default=0.0) <= width / IN_A_ROW
    return IN_A_ROW if fits and len(news) > 1 else 1


def _rows(
    backdrop: Backdrop, news: Sequence[str], width: float, columns: int
) -> list[list[list[_Said]]]:
    """Of each row of names the lines of each planner, with the words in each line."""
    said = [
        _said(actor.name, words, width / columns - DOT - MARGIN)
        for actor, words in zip(backdrop.actors, news, strict=True)
    ]
    return [said[first : first + columns] for first in range(0, len(said), columns)]


def _said(name: str, news: str, room: float) -> list[_Said]:
    """A name and the news beside it, or below it where they do not fit; nothing is cut."""
    if length(name, LETTERS, "bold") + length(news, SMALL) + 2 * MARGIN <= room:
        return [_Said(name, news)]
    names = wrapped(name, lambda line: length(line, LETTERS, "bold") <= room)
    below = wrapped(news, lambda line: length(line, SMALL) <= room) if news else []
    return [*(_Said(line, "") for line in names), *(_Said("", line) for line in below)]


class Page:
    """A figure on which things are placed in inches from the lower left corner."""

    def __init__(self, inches: tuple[float, float], theme: Theme, size: Size | None = None) -> None:
        from matplotlib.figure import Figure

        dpi = DPI if size is None else size[0] / inches[0]
        self._figure, self._theme = Figure(figsize=inches, dpi=dpi), theme
        self._width, self._height = inches

    def save(self, path: Path) -> None:
        """Write as .png or .svg; the same page gives the same bytes."""
        save_figure(self._figure, path)

    def text(self, x: float, y: float, words: str, **how: Any) -> None:
        """Write words with their left end at x and their middle at y."""
        how = {"color": as_text(self._theme.faint), "va": "center", **how}
        self._figure.text(x / self._width, y / self._height, printable(words), **how)

    def head(self, title: str, clock: str) -> float:
        """Write the title and the time; return where the rest begins."""
        y = self._height - MARGIN - LINE / 2
        room = self._width - 2 * MARGIN - length(clock, LETTERS) - LINE
        self.text(MARGIN, y, shortened(title, room, LETTERS))
        self.text(self._width - MARGIN, y, clock, ha="right", color=as_text(self._theme.ink))
        return y - LINE / 2

    def axes(self, room: tuple[float, float, float, float], box: Box) -> "Axes":
        """Axes at x, y, with a width and height; the box of the map is in their middle."""
        x, y, width, height = room
        place = (x / self._width, y / self._height, width / self._width, height / self._height)
        axes = self._figure.add_axes(place, xticks=[], yticks=[])
        for spine in axes.spines.values():
            spine.set_visible(False)
        scale = min(width / box.width, height / box.height)
        for low, high, inches, limit in (
            (box.x0, box.x1, width, axes.set_xlim), (box.y0, box.y1, height, axes.set_ylim),
        ):  # fmt: skip
            middle, reach = (low + high) / 2, inches / scale / 2
            limit(middle - reach, middle + reach)
        return axes

    def names(
        self, left: float, upper: float, width: float, backdrop: Backdrop, news: Sequence[str]
    ) -> None:
        """The name of each planner, and what is said of it."""
        columns = _names_in_a_row(backdrop, news, width)
        ink, actors = as_text(self._theme.ink), iter(backdrop.actors)
        for row in _rows(backdrop, news, width, columns):
            for column, lines in enumerate(row):
                x, y = left + column * width / columns, upper - LINE / 2
                self.text(x, y, "\N{BLACK CIRCLE}", color=as_text(next(actors).colour))
                for below, said in enumerate(lines):
                    at = y - below * FURTHER_LINE
                    self.text(x + DOT, at, said.name, weight="bold", color=ink)
                    gap = length(said.name, LETTERS, "bold") + MARGIN if said.name else 0.0
                    self.text(x + DOT + gap, at, said.news, fontsize=SMALL)
            upper -= _height(row)

    def scale(self, axes: "Axes", left: float) -> None:
        """A bar of a round number of metres in the lower left corner."""
        from matplotlib.lines import Line2D

        x0, x1 = axes.get_xlim()
        per_metre = axes.get_position().width * self._width / (x1 - x0)
        metres = round_length(max(0.22 * self._width, 0.5) / per_metre)
        right, y, end = left + metres * per_metre, MARGIN + LINE / 2, 0.04
        xs = [left, left, left, right, right, right]
        ys = [y - end, y + end, y, y, y - end, y + end]
        bar = Line2D(
            [x / self._width for x in xs], [each / self._height for each in ys],
            color=as_text(self._theme.faint), linewidth=1, solid_joinstyle="miter",
        )  # fmt: skip
        self._figure.add_artist(bar)
        self.text(right + MARGIN, y, f"{metres:g} m")

    def foot(self, note: str) -> None:
        """Write the note into the lower right corner."""
        y = MARGIN + LINE / 2
        words = shortened(note, self._width * 0.6, LETTERS)
        self.text(self._width - MARGIN, y, words, ha="right")
