"""How slow planners may be: where each stops beating a simple one, a panel for each of those."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from paseo.metrics.comparison.sweeps.latency import Endurance
from paseo.render.raster.colours import Wearer, colour_numbers
from paseo.render.raster.palette import Theme, as_text
from paseo.report.walk.compared.latency import line_names
from paseo.report.walk.figures.series import broken
from paseo.report.walk.figures.sweeps import spread_values

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BAND, SHEER = 9.0, 0.35  # how thick, in points, and how opaque what is shown is drawn
STRIPE: dict[str, Any] = {"linewidth": BAND, "solid_capstyle": "butt"}


def draw_endurances(figure: "Figure", found: Sequence[Endurance], theme: Theme) -> None:
    """Ends of leads with their intervals, over bands where a planner is shown ahead or behind."""
    rows = list(dict.fromkeys(each.row for each in found))
    simple = list(dict.fromkeys(each.simple for each in found))
    called = line_names(found)
    numbers = colour_numbers([Wearer(row.name or row.planner) for row in rows], len(theme.planners))
    colours = dict(zip(rows, (as_text(theme.planner(each)) for each in numbers), strict=True))
    latencies = [lead.latency_s for each in found for lead in each.leads]
    panels = figure.subplots(1, len(simple), sharex=True, sharey=True, squeeze=False)[0]
    for axes, other in zip(panels, simple, strict=True):
        for each in found:
            if each.simple == other:
                _draw(axes, rows.index(each.row), each, colours[each.row], theme)
        at = next(each for each in found if each.simple == other).leads[0].simple.latency_s or 0.0
        axes.set_title(f"against {called[other]} at {at:g} s", loc="left", weight="normal",
                       color=as_text(theme.ink))  # fmt: skip
        axes.grid(visible=False, axis="y")
        axes.tick_params(axis="y", length=0, labelcolor=as_text(theme.ink))
    panels[0].set_yticks(range(len(rows)), [broken(called[row]) for row in rows])
    panels[0].set_ylim(len(rows) - 0.45, -0.55)
    stops = sorted(set(latencies))
    panels[0].set_xticks(stops, [f"{stop:g}" for stop in stops])
    spread_values(panels[0], latencies)
    figure.supxlabel("latency of planning (s)", size=8)
    _explain(figure, theme)


def _explain(figure: "Figure", theme: Theme) -> None:
    from matplotlib.lines import Line2D

    ink, faint = as_text(theme.ink), as_text(theme.faint)
    handles = [
        Line2D([], [], color=ink, marker="D", markersize=5, mew=0, linewidth=1.4,
               label="stops beating it"),
        Line2D([], [], color=as_text(theme.planner(0)), alpha=SHEER, label="shown to be ahead",
               **STRIPE),
        Line2D([], [], color=faint, alpha=SHEER, label="shown to be behind", **STRIPE),
    ]  # fmt: skip
    figure.legend(handles=handles, loc="outside upper left", ncols=3, frameon=False)


def _draw(axes: "Axes", place: int, found: Endurance, colour: str, theme: Theme) -> None:
    shortest, longest = found.leads[0].latency_s, found.leads[-1].latency_s
    bands = (
        (shortest, found.ahead_up_to_s, colour),
        (found.behind_from_s, longest, as_text(theme.faint)),
    )
    for begin, end, paint in bands:
        if begin is not None and end is not None:
            # At one latency only there is no line, but a mark.
            marked = {"marker": "s", "markersize": BAND, "mew": 0}
            ends, style = ([begin], marked) if begin == end else ([begin, end], STRIPE)
            axes.plot(ends, [place] * len(ends), color=paint, alpha=SHEER, **style)
    beyond = 1.2 * longest
    if found.low_s is not None and found.high_s is not None:
        ends = [min(found.low_s, beyond), min(found.high_s, beyond)]
        axes.plot(ends, [place] * 2, color=colour, linewidth=1.4, clip_on=False)
    mark = ">" if math.isinf(found.stops_s) else "D"
    axes.plot(min(found.stops_s, beyond), place, mark, color=colour, markersize=5, mew=0,
              clip_on=False)  # fmt: skip
