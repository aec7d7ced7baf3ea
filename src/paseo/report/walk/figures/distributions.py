"""Distance to people and time to collision of every step: the paper's Fig. 6, and both at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from paseo.metrics.record.closeness import FARTHEST, LATEST
from paseo.render.raster.palette import Theme, as_text
from paseo.report.walk.figures.series import Series, broken, names_down
from paseo.world.arrays import FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DISTANCE, TIME = "closest_person_distance", "time_to_collision"
TOUCHING = -0.5  # metres: about as deep as discs can overlap
BINS = 42
TALLEST = 0.78  # of the room of a row
IN_A_ROW = 4  # panels of the joint plot
NARROW = 15  # letters in a line above a panel
GRID = 18  # hexagons from left to right


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scale:
    metric: str
    words: str
    unit: str
    low: float
    high: float  # where the metric saturates


SCALES = (
    _Scale(metric=DISTANCE, words="distance to the closest person", unit="m", low=TOUCHING,
           high=FARTHEST),
    _Scale(metric=TIME, words="time to collision", unit="s", low=0.0, high=LATEST),
)  # fmt: skip


def draw_distributions(figure: "Figure", series: Sequence[Series], theme: Theme) -> None:
    """A ridge for each row on each of the two scales, with its mean."""
    both = figure.subplots(1, 2, sharey=True)
    for axes, scale in zip(both, SCALES, strict=True):
        shares = [_shares(each.samples(scale.metric), scale) for each in series]
        highest = max((float(share.max()) for share in shares), default=0.0) or 1.0
        for place, (each, share) in enumerate(zip(series, shares, strict=True)):
            _draw_ridge(axes, place, TALLEST * share / highest, each.colour, scale)
            _draw_mean(axes, place, each.samples(scale.metric), scale, theme)
        axes.set_xlabel(f"{scale.words} ({scale.unit})")
        axes.set_xlim(scale.low, scale.high * 1.17)
        axes.set_xticks([0, 2, 4, 6, 8, 10])
        axes.tick_params(axis="y", length=0)
    names_down(both[0], series, ink=as_text(theme.ink))


def _shares(samples: FloatArray, scale: _Scale) -> FloatArray:
    """The share of all steps in each bin below saturation, (bins,)."""
    below = samples[samples < scale.high]
    counts, _ = np.histogram(np.maximum(below, scale.low), BINS, (scale.low, scale.high))
    shares: FloatArray = counts / max(len(samples), 1)
    return shares


def _draw_ridge(axes: "Axes", place: int, heights: FloatArray, colour: str, scale: _Scale) -> None:
    edges = np.linspace(scale.low, scale.high, BINS + 1)
    foot = place + TALLEST / 2
    axes.stairs(foot - heights, edges, baseline=foot, fill=True, color=colour, linewidth=0)
    axes.plot([scale.low, scale.high], [foot] * 2, color=colour, linewidth=0.8)


def _draw_mean(axes: "Axes", place: int, samples: FloatArray, scale: _Scale, theme: Theme) -> None:
    if not len(samples):
        axes.text(scale.low + 0.2, place, "not known", color=as_text(theme.faint), va="center")
        return
    mean, beyond = float(samples.mean()), float((samples >= scale.high).mean())
    foot = place + TALLEST / 2
    axes.plot([mean] * 2, [foot, foot - TALLEST], color=as_text(theme.ink), linewidth=1.2)
    side, align = (4, "left") if mean < 0.8 * scale.high else (-4, "right")
    axes.annotate(f"{mean:.2f}", (mean, foot - TALLEST), (side, -1), va="top", ha=align,
                  textcoords="offset points", color=as_text(theme.ink))  # fmt: skip
    axes.text(scale.high * 1.16, foot, f"{beyond:.0%}\nbeyond", ha="right", va="bottom",
              color=as_text(theme.faint), fontsize=6.5, linespacing=1.1)  # fmt: skip


def draw_joint(figure: "Figure", series: Sequence[Series], theme: Theme) -> None:
    """How often each distance goes with each time, a panel for each row."""
    columns = min(len(series), IN_A_ROW)
    rows = -(-len(series) // columns)
    panels = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    for axes in panels.flat[len(series) :]:
        axes.set_visible(False)
    for axes, each in zip(panels.flat, series, strict=False):
        _draw_hexagons(axes, *_pairs(each), each.colour)
        axes.set_title(broken(each.name, NARROW), color=as_text(theme.ink))
        axes.axvline(0.0, color=as_text(theme.contact), linewidth=0.8)
        axes.set(xlim=(TOUCHING, FARTHEST), ylim=(0.0, LATEST))
        axes.set(xticks=[0, 2, 4, 6, 8, 10], yticks=[0, 2, 4, 6, 8, 10])
        axes.xaxis.set_tick_params(labelbottom=True)
    figure.supxlabel("distance to the closest person (m); left of the red line: in contact", size=8)
    figure.supylabel("time to collision (s)", size=8)


def _pairs(series: Series) -> tuple[FloatArray, FloatArray]:
    """Distance and time of every step; the last state of an episode begins no step."""
    pairs = [
        (each.samples[DISTANCE][:-1], each.samples[TIME])
        for each in series.episodes
        if DISTANCE in each.samples and TIME in each.samples
    ]
    whole = [(x, y) for x, y in pairs if len(x) == len(y)]
    x, y = (
        np.concatenate([np.empty(0), *each])
        for each in (zip(*whole, strict=True) if whole else ((), ()))
    )
    return x, y


def _draw_hexagons(axes: "Axes", x: FloatArray, y: FloatArray, colour: str) -> None:
    from matplotlib.colors import LinearSegmentedColormap, to_rgb

    if not len(x):
        return
    red, green, blue = to_rgb(colour)
    shades = LinearSegmentedColormap.from_list(
        "", [(red, green, blue, 0.12), (red, green, blue, 1.0)]
    )
    axes.hexbin(
        np.maximum(x, TOUCHING), y, gridsize=GRID, extent=(TOUCHING, FARTHEST, 0.0, LATEST),
        bins="log", mincnt=1, cmap=shades, linewidths=0, edgecolors="none",
    )  # fmt: skip
