"""Rows of a comparison as they appear in plots: in which order, by what name, in which colour."""

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import numpy as np

from paseo.metrics.comparison.comparison import Comparison
from paseo.metrics.comparison.measured import MeasuredEpisode
from paseo.metrics.comparison.rows import Row, RowSummary
from paseo.render.figures.saving import printable
from paseo.render.raster.colours import Wearer, colour_numbers, variant_words
from paseo.render.raster.palette import LIGHT, Theme, as_text
from paseo.report.walk.rows import label
from paseo.world.arrays import FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LONGEST, MOST_LINES = 22, 8  # letters in a line, and lines, of a name beside an axis


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Series:
    """One row: its episodes, what is known of them all, and how it is drawn."""

    row: Row
    name: str
    number: int  # of its colour
    colour: str
    summary: RowSummary
    episodes: tuple[MeasuredEpisode, ...]

    @property
    def is_reference(self) -> bool:
        """Whether it ran episodes of its own and stands apart."""
        return self.row.is_reference

    @property
    def is_dashed(self) -> bool:
        """Whether another has the same colour, there being no more."""
        return self.number >= len(LIGHT.planners) and not self.is_reference

    def samples(self, metric: str) -> FloatArray:
        """All samples of a metric, episode after episode."""
        found = [each.samples[metric] for each in self.episodes if metric in each.samples]
        return np.concatenate([np.empty(0), *found])


def series_of(
    measured: Sequence[MeasuredEpisode], comparison: Comparison, theme: Theme
) -> list[Series]:
    """Every row in the order of the comparison, references last and grey."""
    rows = [summary.row for summary in comparison.summaries]
    numbers = colour_numbers([_wearer(row) for row in rows], len(theme.planners))
    return [
        Series(
            row=summary.row,
            name=label(summary.row, rows),
            number=number,
            colour=as_text(theme.faint if summary.row.is_reference else theme.planner(number)),
            summary=summary,
            episodes=tuple(each for each in measured if each.row == summary.row),
        )
        for number, summary in zip(numbers, comparison.summaries, strict=True)
    ]


def _wearer(row: Row) -> Wearer:
    usual = row.reactivity is row.latency_s is None and row.sight is None
    if row.planner == row.name and usual:
        return Wearer(row.name)
    variant = variant_words(dict(row.parameters), row.reactivity, row.latency_s, row.sight)
    return Wearer(row.name or row.planner, variant)


def names_down(axes: "Axes", series: Sequence[Series], *, ink: str) -> None:
    """A row for each of them from the top down, its name at the left; references below a line."""
    names = [broken(each.name) for each in series]
    axes.set_yticks(range(len(series)), names)
    axes.set_ylim(len(series) - 0.45, -0.55)
    axes.tick_params(axis="y", length=0, labelcolor=ink)
    axes.grid(visible=False, axis="y")
    planners = sum(not each.is_reference for each in series)
    if 0 < planners < len(series):
        axes.axhline(planners - 0.5, color=axes.spines["bottom"].get_edgecolor(), linewidth=0.6)


def halo(theme: Theme) -> list[Any]:
    """What keeps words readable on lines and dots."""
    from matplotlib.patheffects import withStroke

    return [withStroke(linewidth=2.0, foreground=as_text(theme.page))]


def broken(name: str, longest: int = LONGEST) -> str:
    """A name in lines of so many letters, of more where it would take too many lines."""
    words = printable(name) or "?"
    return "\n".join(wrap(words, max(longest, -(-len(words) // MOST_LINES))))


def lines_down(series: Sequence[Series]) -> int:
    """How many lines the longest name takes beside an axis."""
    return max((broken(each.name).count("\n") + 1 for each in series), default=1)
