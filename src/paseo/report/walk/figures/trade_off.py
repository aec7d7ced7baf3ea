"""Efficiency against disruption: who gets there soon, who leaves people their room."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from paseo.metrics.comparison.measured import TIME_TO_GOAL
from paseo.metrics.comparison.priorities import on_front
from paseo.metrics.comparison.statistics import Estimate
from paseo.render.figures.saving import LETTERS
from paseo.render.figures.wording import length
from paseo.render.raster.palette import Theme, as_text
from paseo.report.walk.figures.labels import DOT, leader_start, placed_names
from paseo.report.walk.figures.series import Series, broken, halo
from paseo.world.arrays import FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COMPLIANCE = "personal_space_compliance"
LINE = 10.5  # points from one line of text to the next


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
        looks: dict[str, Any] = {"color": each.colour, "linewidth": 1.1, "alpha": 0.4, "zorder": 2}
        axes.plot([x.low, x.high], [y.mean] * 2, **looks)
        axes.plot([x.mean] * 2, [y.low, y.high], **looks)
        face = as_text(theme.page) if each.is_reference else each.colour
        axes.plot(
            x.mean, y.mean, "o", color=each.colour, mfc=face, markersize=2 * DOT - 1, zorder=4
        )
    axes.margins(0.12)
    axes.set_xlabel("time to the goal (s), the time limit where it was not reached")
    axes.set_ylabel("time in somebody's personal space (%)")
    judged = np.array([(x.mean, y.mean) for s, x, y in placed if not s.is_reference])
    if len(judged):
        _draw_front(axes, judged, theme)
    figure.draw_without_rendering()  # so that it is known where the points fall,
    figure.set_layout_engine("none")  # and stays so
    _write_names(axes, placed, theme)


def _spans(series: Series) -> tuple[_Span, _Span] | None:
    estimates = series.summary.estimates
    x, y = _span(estimates[TIME_TO_GOAL.name]), _span(estimates[COMPLIANCE])
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
    """Names beside their points, each with a leader in the colour of its point."""
    if not placed:
        return
    names = [broken(each.name) for each, _, _ in placed]
    ends = [((x.low, y.mean), (x.high, y.mean)) for _, x, y in placed]
    ends += [((x.mean, y.low), (x.mean, y.high)) for _, x, y in placed]
    points = _in_points(axes, np.array([(x.mean, y.mean) for _, x, y in placed]))
    room = np.array(axes.bbox.extents) * (72 / axes.figure.dpi)
    boxes = placed_names(points, _sizes(names), room, _in_points(axes, np.array(ends)))
    for (each, x, y), name, box, point in zip(placed, names, boxes, points, strict=True):
        start = (leader_start(point, box) - box[:2]) / (box[2:] - box[:2])
        axes.annotate(
            name, (x.mean, y.mean), (box[0] + 1, box[1]), textcoords="figure points", va="bottom",
            arrowprops={"arrowstyle": "-", "color": each.colour, "linewidth": 1.0,
                        "shrinkA": 0, "shrinkB": DOT - 1, "relpos": tuple(start)},
            color=as_text(theme.ink), fontsize=LETTERS, linespacing=1.1, zorder=5,
            path_effects=halo(theme),
        ).set_in_layout(False)  # fmt: skip


def _sizes(names: Sequence[str]) -> FloatArray:
    """Width and height of each name in points, (names, 2)."""
    lines = [name.splitlines() for name in names]
    widths = [max(length(line, LETTERS) for line in each) * 72 + 2 for each in lines]
    return np.array([(width, LINE * len(each)) for width, each in zip(widths, lines, strict=True)])


def _in_points(axes: "Axes", places: FloatArray) -> FloatArray:
    """Where places (..., 2) of the axes fall, in points from the lower left of the figure."""
    flat = axes.transData.transform(places.reshape(-1, 2)) * (72 / axes.figure.dpi)
    fallen: FloatArray = flat.reshape(places.shape)
    return fallen
