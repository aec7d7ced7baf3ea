"""Efficiency against disruption: who gets there soon, who leaves people their room."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice
from typing import TYPE_CHECKING, Any

import numpy as np

from paseo.metrics.comparison.measured import TIME_TO_GOAL
from paseo.metrics.comparison.priorities import on_front
from paseo.metrics.comparison.statistics import Estimate
from paseo.render.figures.saving import LETTERS
from paseo.render.figures.wording import length
from paseo.render.raster.palette import Theme, as_text
from paseo.render.raster.viewport import Box, overlaps
from paseo.report.walk.figures.series import Series, broken, halo
from paseo.world.arrays import FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COMPLIANCE = "personal_space_compliance"
LINE, AWAY, DOT = 10.0, 6.0, 4.0  # points: of a line of text, from a point, its radius
MOST_TRIED = 200  # places of a name


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
    """Names beside their points, as near as they lie neither on a point nor on a name."""
    points = [_in_points(axes, x.mean, y.mean) for _, x, y in placed]
    taken = [Box(x - DOT, y - DOT, x + DOT, y + DOT) for x, y in points]
    x0, y0, x1, y1 = (float(side) * 72 / axes.figure.dpi for side in axes.bbox.extents)
    for (each, _, _), (x, y) in sorted(zip(placed, points, strict=True), key=lambda one: one[1][1]):
        name = broken(each.name)
        side = -1 if x > (x0 + x1) / 2 else 1
        boxes = list(islice(_beside(x, y, name, side), MOST_TRIED))
        inside = (b for b in boxes if x0 < b.x0 and y0 < b.y0 and b.x1 < x1 and b.y1 < y1)
        box = next((box for box in inside if not overlaps(box, taken)), boxes[0])
        taken.append(box)
        leftwards = box.x1 < x
        axes.annotate(
            name, (x, y), (box.x1 if leftwards else box.x0, box.y0), xycoords="figure points",
            textcoords="figure points", ha="right" if leftwards else "left", va="bottom",
            color=as_text(theme.ink), fontsize=LETTERS, zorder=5, path_effects=halo(theme),
        )  # fmt: skip


def _in_points(axes: "Axes", x: float, y: float) -> tuple[float, float]:
    """Where a place of the axes falls, in points from the lower left corner of the figure."""
    at_x, at_y = (axes.transData.transform((x, y)) * (72 / axes.figure.dpi)).tolist()
    return at_x, at_y


def _beside(x: float, y: float, name: str, side: int) -> Iterator[Box]:
    """Boxes for a name, ever farther from its point: above and below, this side and the other."""
    lines = name.splitlines()
    width = max(length(line, LETTERS) for line in lines) * 72
    height = LINE * len(lines)
    for away in count(AWAY, 2):
        for foot in (y + away, y - away - height):
            for to in (side, -side):
                left = x + AWAY if to > 0 else x - AWAY - width
                yield Box(left, foot, left + width, foot + height)
