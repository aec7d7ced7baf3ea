"""Efficiency against disruption: who gets there soon, who leaves people their room."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from paseo.metrics.comparison import TIME_TO_GOAL
from paseo.metrics.pareto import on_front
from paseo.metrics.statistics import Estimate
from paseo.render.palette import Theme, as_text
from paseo.report.series import Series, broken, halo
from paseo.world.people import FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COMPLIANCE = "personal_space_compliance"
LINE = 10.0  # points: of a line of text, which names keep from each other
WIDE, DOT = 90.0, 4.0  # points: of a name, about; of a point's radius


@dataclass(frozen=True, slots=True)
class _Span:
    mean: float
    low: float
    high: float


def draw_trade_off(figure: "Figure", series: Sequence[Series], theme: Theme) -> None:
    """Each row's two means with their intervals, and the front of the planners."""
    axes = figure.subplots()
    placed = [(each, *spans) for each in series if (spans := _spans(each)) is not None]
    for each, x, y in placed:
        looks: dict[str, Any] = {"color": each.colour, "linewidth": 1.2, "zorder": 3}
        axes.plot([x.low, x.high], [y.mean] * 2, **looks)
        axes.plot([x.mean] * 2, [y.low, y.high], **looks)
        face = as_text(theme.page) if each.is_reference else each.colour
        axes.plot(x.mean, y.mean, "o", color=each.colour, mfc=face, markersize=7, zorder=4)
    axes.margins(0.12)
    axes.set_xlabel("time to the goal (s), the time limit where it was not reached")
    axes.set_ylabel("time in somebody's personal space (%)")
    judged = np.array([(x.mean, y.mean) for s, x, y in placed if not s.is_reference])
    if len(judged):
        _draw_front(axes, judged, theme)
    figure.draw_without_rendering()  # so that it is known where the points fall
    _write_names(axes, placed, theme)


def _spans(series: Series) -> tuple[_Span, _Span] | None:
    estimates = series.summary.estimates
    x, y = _span(estimates[TIME_TO_GOAL]), _span(estimates[COMPLIANCE])
    if x is None or y is None:
        return None
    return x, _Span(100 * (1 - y.mean), 100 * (1 - y.high), 100 * (1 - y.low))


def _span(estimate: Estimate) -> _Span | None:
    mean, low, high = estimate.mean, estimate.low, estimate.high
    if mean is None:
        return None
    return _Span(mean, mean if low is None else low, mean if high is None else high)


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


def _write_names(axes: "Axes", placed: Sequence[tuple[Series, _Span, _Span]], theme: Theme) -> None:
    """Names above their points; who would lie on another's, or on a point, is moved up."""
    scale = 72 / axes.figure.dpi
    points = [axes.transData.transform((x.mean, y.mean)) * scale for _, x, y in placed]
    taken: list[tuple[float, float]] = []  # the feet of lines of text
    for each, x, y in sorted(placed, key=lambda one: one[2].mean):
        at_x, at_y = axes.transData.transform((x.mean, y.mean)) * scale
        rightmost = x.mean > np.mean(axes.get_xlim())
        lines, foot = 1 + broken(each.name).count("\n"), at_y + 6
        left, right = (at_x - WIDE, at_x) if rightmost else (at_x, at_x + WIDE)
        while any(abs(at_x - ox) < WIDE and abs(foot - oy) < LINE for ox, oy in taken) or any(
            left < px < right and foot - DOT < py < foot + LINE * lines + DOT for px, py in points
        ):
            foot += 1
        taken += [(at_x, foot + LINE * line) for line in range(lines)]
        axes.annotate(
            broken(each.name), (x.mean, y.mean), (-6 if rightmost else 6, foot - at_y),
            textcoords="offset points", ha="right" if rightmost else "left", va="bottom",
            color=as_text(theme.ink), zorder=5, path_effects=halo(theme),
        )  # fmt: skip
