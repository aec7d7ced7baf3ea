"""How drives ended, and when they arrived: bars of verdicts, and curves of arrivals."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from paseo.metrics.comparison.measured import TIME_TO_GOAL
from paseo.metrics.incidence import cumulative_incidence
from paseo.render.figures.saving import LETTERS
from paseo.render.raster.palette import Theme, as_text
from paseo.report.pages.template import MORE_COLOURS
from paseo.report.walk.figures.labels import spread
from paseo.report.walk.figures.series import Series, broken, names_down
from paseo.world.arrays import FloatArray
from paseo.world.records import Verdict

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

THICK = 0.66  # of the room of a row
LEAST = 0.14  # inches of a bar that its number stands in
LINE = 10.5  # points from one line of text to the next
DASHES = (0, (4, 2))
WORDS = {
    Verdict.SUCCESS: "reached goal",
    Verdict.TIMEOUT: "out of time",
    Verdict.PERSON_COLLISION: "touched people",
    Verdict.WALL_COLLISION: "hit wall",
    Verdict.PLANNER_FAILED: "planner failed",
}
# By name in the colours that pages have; in the order in which they are stacked.
COLOURS = {
    Verdict.SUCCESS: "good",
    Verdict.PERSON_COLLISION: "contact",
    Verdict.WALL_COLLISION: "wall",
    Verdict.TIMEOUT: "late",
    Verdict.PLANNER_FAILED: "broken",
}


def verdict_colours(theme: Theme) -> dict[Verdict, str]:
    """The colour of each verdict; red is the same as for contacts."""
    colours = {**MORE_COLOURS[theme.name], "contact": as_text(theme.contact)}
    return {verdict: colours[name] for verdict, name in COLOURS.items()}


def draw_verdicts(figure: "Figure", series: Sequence[Series], theme: Theme) -> None:
    """A bar for each row, in parts as long as endings are many, with their numbers."""
    axes = figure.subplots()
    colours = verdict_colours(theme)
    inches = 0.6 * figure.get_figwidth()  # of a bar, about
    for place, each in enumerate(series):
        left = 0
        for verdict, colour in colours.items():
            count = each.summary.verdicts[verdict]
            share, begun = 100 * count / each.summary.episodes, 100 * left / each.summary.episodes
            axes.barh(place, share, THICK, left=begun, color=colour, linewidth=0)
            if count:
                inside = inches * share / 100 >= max(LEAST, 0.08 * len(str(count)))
                _write_count(axes, count, (begun + share / 2, place), inside, colour, theme)
            left += count
    axes.set(xlim=(0, 100), xlabel="share of drives (%), and how many")
    names_down(axes, series, ink=as_text(theme.ink))
    from matplotlib.patches import Patch

    keys = [Patch(color=colour, label=WORDS[verdict]) for verdict, colour in colours.items()]
    figure.legend(handles=keys, loc="outside upper center", ncols=5, frameon=False,
                  handlelength=0.9, handleheight=0.9, columnspacing=1.2)  # fmt: skip


def _write_count(
    axes: "Axes", count: int, at: tuple[float, float], inside: bool, colour: str, theme: Theme
) -> None:
    """The number on its part of the bar, or just above where that is too short for it."""
    paper = MORE_COLOURS[theme.name]["on-outcome"]
    looks: dict[str, Any] = {"ha": "center", "fontsize": 7}
    if inside:
        axes.text(*at, f"{count}", va="center_baseline", color=paper, weight="bold", **looks)
    else:
        axes.text(at[0], at[1] - THICK / 2, f"{count}", va="bottom", color=colour, **looks)


def draw_arrivals(figure: "Figure", series: Sequence[Series], theme: Theme) -> None:
    """The share of drives that have arrived by when, with names at the ends of the curves."""
    axes = figure.subplots()
    limit = max((each.time_limit_s for one in series for each in one.episodes), default=1.0)
    last = max((e.time_s for one in series for e in one.episodes if e.completed), default=limit)
    ends = []
    for each in series:
        times, shares = arrivals(each, limit)
        style = DASHES if each.is_dashed or each.is_reference else "-"
        axes.step(times, 100 * shares, where="post", color=each.colour, linestyle=style)
        ends.append(100 * float(shares[-1]))
    axes.set(xlim=(0, min(limit, 1.1 * last)), ylim=(0, 103))
    axes.set(xlabel="time since the start (s)", ylabel="drives that have reached the goal (%)")
    names_at_right(axes, series, ends, theme, inches=0.82 * figure.get_figheight())


def arrivals(series: Series, limit: float) -> tuple[FloatArray, FloatArray]:
    """When the share of a row's drives that arrived changes, and what it is from then on."""
    times = np.array([each.time_s for each in series.episodes])
    arrived = np.array([each.completed for each in series.episodes], np.bool_)
    at = np.unique([0.0, *times[arrived], limit])
    return at, cumulative_incidence(times, arrived, at)


def names_at_right(
    axes: "Axes", series: Sequence[Series], ends: Sequence[float], theme: Theme, *, inches: float
) -> None:
    """Each name right of axes that are so high, as near to the end of its line as there is room."""
    names = [broken(each.name) for each in series]
    (low, high), (_, right) = axes.get_ylim(), axes.get_xlim()
    heights = np.array([LINE * (name.count("\n") + 1) / 72 / inches for name in names])
    times = [each.summary.estimates[TIME_TO_GOAL.name].mean or 0.0 for each in series]
    wanted = (np.array(ends) - low) / (high - low)  # where several end alike, the soonest on top
    wanted -= 1e-6 * np.array(times)
    for each, name, end, level in zip(series, names, ends, spread(wanted, heights), strict=True):
        axes.annotate(
            name, (right, end), (1.05, level), textcoords="axes fraction", va="center",
            color=as_text(theme.ink), fontsize=LETTERS, linespacing=1.1, annotation_clip=False,
            # Without a patch the line reaches the middle of its name, not the edge it meets first.
            arrowprops={"arrowstyle": "-", "color": each.colour, "linewidth": 1.6, "shrinkA": 0,
                        "shrinkB": 0, "relpos": (0.0, 0.5), "patchA": None},
        )  # fmt: skip
