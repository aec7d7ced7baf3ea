"""Points with an interval both ways, each with its name beside it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from paseo.metrics.comparison.statistics import Estimate
from paseo.render.figures.saving import LETTERS
from paseo.render.figures.wording import length
from paseo.render.raster.palette import Theme, as_text
from paseo.report.walk.figures.labels import DOT, leader_start, placed_names
from paseo.report.walk.figures.series import broken, halo
from paseo.world.arrays import FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LINE = 10.5  # points from one line of text to the next


@dataclass(frozen=True, slots=True)
class Span:
    """A mean with its interval; without one, as wide as a point."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Cross:
    """One point to be drawn."""

    name: str
    colour: str
    x: Span
    y: Span
    hollow: bool = False


def span(estimate: Estimate) -> Span | None:
    """None where nothing is known."""
    mean, low, high = estimate.mean, estimate.low, estimate.high
    if mean is None:
        return None
    return Span(mean, mean if low is None else low, mean if high is None else high)


def draw_crosses(axes: "Axes", crosses: Sequence[Cross], theme: Theme) -> None:
    """The points and their intervals; their names come when all else is drawn."""
    for each in crosses:
        looks: dict[str, Any] = {"color": each.colour, "linewidth": 1.1, "alpha": 0.4, "zorder": 2}
        x, y = each.x, each.y
        axes.plot([x.low, x.high], [y.mean] * 2, **looks)
        axes.plot([x.mean] * 2, [y.low, y.high], **looks)
        face = as_text(theme.page) if each.hollow else each.colour
        axes.plot(
            x.mean, y.mean, "o", color=each.colour, mfc=face, markersize=2 * DOT - 1, zorder=4
        )


def write_names(axes: "Axes", crosses: Sequence[Cross], theme: Theme) -> None:
    """Names beside their points, each with a leader in the colour of its point."""
    if not crosses:
        return
    names = [broken(each.name) for each in crosses]
    spans = [(each.x, each.y) for each in crosses]
    ends = [((x.low, y.mean), (x.high, y.mean)) for x, y in spans]
    ends += [((x.mean, y.low), (x.mean, y.high)) for x, y in spans]
    points = _in_points(axes, np.array([(x.mean, y.mean) for x, y in spans]))
    room = np.array(axes.bbox.extents) * (72 / axes.figure.dpi)
    boxes = placed_names(points, _sizes(names), room, _in_points(axes, np.array(ends)))
    for each, name, box, point in zip(crosses, names, boxes, points, strict=True):
        start = (leader_start(point, box) - box[:2]) / (box[2:] - box[:2])
        axes.annotate(
            name, (each.x.mean, each.y.mean), (box[0] + 1, box[1]), textcoords="figure points",
            va="bottom",
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
