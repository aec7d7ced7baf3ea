"""Efficiency against disruption: who gets there soon, who leaves people their room."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from paseo.metrics.comparison.measured import TIME_TO_GOAL
from paseo.metrics.comparison.priorities import on_front
from paseo.render.raster.palette import Theme, as_text
from paseo.report.walk.figures.crosses import Cross, Span, draw_crosses, span, write_names
from paseo.report.walk.figures.series import Series
from paseo.world.arrays import FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COMPLIANCE = "personal_space_compliance"


def draw_trade_off(figure: "Figure", series: Sequence[Series], theme: Theme) -> None:
    """Each row's two means with their intervals, and the front of the planners."""
    axes = figure.subplots()
    crosses = [cross for each in series if (cross := _cross(each)) is not None]
    draw_crosses(axes, crosses, theme)
    axes.margins(0.12)
    axes.set_xlabel("time to the goal (s), the time limit where it was not reached")
    axes.set_ylabel("time in somebody's personal space (%)")
    judged = np.array([(each.x.mean, each.y.mean) for each in crosses if not each.hollow])
    if len(judged):
        _draw_front(axes, judged, theme)
    figure.draw_without_rendering()  # so that it is known where the points fall,
    figure.set_layout_engine("none")  # and stays so
    write_names(axes, crosses, theme)


def _cross(series: Series) -> Cross | None:
    estimates = series.summary.estimates
    x, y = span(estimates[TIME_TO_GOAL.name]), span(estimates[COMPLIANCE])
    if x is None or y is None:
        return None
    y = Span(100 * (1 - y.mean), 100 * (1 - y.high), 100 * (1 - y.low))
    return Cross(name=series.name, colour=series.colour, x=x, y=y, hollow=series.is_reference)


def _draw_front(axes: "Axes", points: FloatArray, theme: Theme) -> None:
    """Stairs along those that nobody beats in both; beyond them somebody is better."""
    best = points[on_front(points)]
    x, y = best[np.lexsort((best[:, 1], best[:, 0]))].T
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    xs, ys = [x[0], *x, right], [top, *y, y[-1]]
    axes.fill_between(xs, ys, top, step="post", color=as_text(theme.solid), alpha=0.35, linewidth=0)
    axes.plot(xs, ys, drawstyle="steps-post", color=as_text(theme.faint), linewidth=1.0,
              linestyle=(0, (4, 2)), zorder=1)  # fmt: skip
    axes.set(xlim=(left, right), ylim=(bottom, top))
