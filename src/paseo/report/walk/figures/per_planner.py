"""One metric of every episode, a row for each planner: the paper's Figs. 7 to 11."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from paseo.metrics.record import motion, paths
from paseo.metrics.record.measure import PLANNING_TIME
from paseo.metrics.record.metric import Metric, Population
from paseo.render.raster.palette import Theme, as_text
from paseo.report.walk.figures.series import Series, halo, names_down
from paseo.world.arrays import FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SPREAD = 0.2  # of a row, over which the points of its episodes lie
GOLDEN = 0.618034  # its multiples spread evenly, and the same every time


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """A metric as an axis shows it."""

    metric: Metric
    words: str
    unit: str = ""
    per_unit: float = 1.0  # how many of the axis's units one of the metric's has
    logarithmic: bool = False

    @property
    def axis(self) -> str:
        """What is written below the axis."""
        return f"{self.words} ({self.unit})" if self.unit else self.words

    @property
    def only_completed(self) -> bool:
        """Whether it says nothing of episodes that did not arrive."""
        return self.metric.population is Population.COMPLETED


QUANTITIES = (
    Quantity(metric=motion.energy, words="energy per episode", unit="J"),
    Quantity(metric=PLANNING_TIME, words="planning time per step", unit="ms", per_unit=1000.0,
             logarithmic=True),
    Quantity(metric=paths.path_length_ratio, words="path length ratio"),
    Quantity(metric=paths.path_length, words="path length", unit="m"),
    Quantity(metric=paths.path_traversal_time, words="traversal time", unit="s"),
)  # fmt: skip


def draw_quantity(
    figure: "Figure", quantity: Quantity, series: Sequence[Series], theme: Theme
) -> None:
    """A dot for each episode, and the mean with its interval."""
    axes = figure.subplots()
    for place, each in enumerate(series):
        values = _values(each, quantity)
        # The rows of the paper's plots are narrow; these show every episode.
        heights = place + SPREAD * (2.0 * (np.arange(len(values)) * GOLDEN % 1.0) - 1.0)
        axes.plot(values, heights, "o", color=each.colour, alpha=0.6, markersize=3.6, mew=0)
        _draw_mean(axes, place, each, quantity, theme)
    axes.set_xlabel(quantity.axis)
    if quantity.logarithmic and any(len(_values(each, quantity)) for each in series):
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter("{x:g}")
    names_down(axes, series, ink=as_text(theme.ink))


def _values(series: Series, quantity: Quantity) -> FloatArray:
    found = [
        each.values[quantity.metric.name]
        for each in series.episodes
        if each.completed or not quantity.only_completed
    ]
    return quantity.per_unit * np.array([value for value in found if value is not None])


def _draw_mean(axes: "Axes", place: int, series: Series, quantity: Quantity, theme: Theme) -> None:
    ink, estimate = as_text(theme.ink), series.summary.estimates[quantity.metric.name]
    if estimate.mean is None:
        words = "none completed" if quantity.only_completed else "not measured"
        axes.annotate(words, (0.01, place), xycoords=("axes fraction", "data"), va="center",
                      color=as_text(theme.faint))  # fmt: skip
        return
    mean = quantity.per_unit * estimate.mean
    if estimate.low is not None and estimate.high is not None:
        ends = [quantity.per_unit * end for end in (estimate.low, estimate.high)]
        axes.plot(ends, [place] * 2, color=ink, linewidth=1.4)
    axes.plot(mean, place, "D", color=ink, markersize=4.4, mew=0)
    axes.annotate(f"{mean:.3g}", (mean, place), (0, -6), textcoords="offset points", va="top",
                  ha="center", color=ink, fontsize=7, path_effects=halo(theme))  # fmt: skip
