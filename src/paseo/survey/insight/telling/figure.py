"""A picture of what was found: a dot and its interval for each metric and aspect (`plots`)."""

from pathlib import Path
from typing import TYPE_CHECKING

from paseo.render.figures.saving import drawing, picture_format, printable, save_figure
from paseo.render.raster.palette import LIGHT, Theme, as_text
from paseo.survey.insight.insight import AspectInsight, Insight

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST = 40  # metrics
NAMES, PANEL, ROW, FRAME = 2.4, 2.7, 0.2, 1.25  # inches
SETTINGS = {"axes.titlesize": 9, "axes.titleweight": "bold", "axes.titlelocation": "left"}


def draw_insight(insight: Insight, path: Path, theme: Theme = LIGHT) -> None:
    """Save it as .png or .svg; the same insight gives the same bytes."""
    picture_format(path)
    with drawing(theme, SETTINGS):
        from matplotlib.figure import Figure

        metrics = _order(insight)
        width, height = NAMES + PANEL * len(insight.aspects), FRAME + ROW * len(metrics)
        figure = Figure(figsize=(width, height))
        all_axes = figure.subplots(1, len(insight.aspects), sharey=True, squeeze=False)[0]
        for axes, each in zip(all_axes, insight.aspects, strict=True):
            _draw(axes, each, metrics, theme)
        all_axes[0].set_yticks(range(len(metrics)), [printable(name) for name in metrics])
        all_axes[0].set_ylim(len(metrics) - 0.4, -0.6)
        figure.text(
            0.1 / width,
            0.08 / height,
            "Kendall's tau-b with ratings, planners on the same episode; 95 % over episodes and "
            "raters.\nFilled: beyond chance over all metrics. Dashed: what any metric could reach.",
            color=as_text(theme.faint),
            va="bottom",
        )
        figure.subplots_adjust(
            left=NAMES / width, right=1 - 0.15 / width, top=1 - 0.3 / height,
            bottom=0.82 / height, wspace=0.08,
        )  # fmt: skip
        save_figure(figure, path)


def _order(insight: Insight) -> list[str]:
    strongest = {
        metric: max(
            abs(one.within.value or 0.0)
            for each in insight.aspects
            for one in each.predictions
            if one.metric == metric
        )
        for metric in insight.metrics
    }
    return sorted(insight.metrics, key=lambda metric: -strongest[metric])[:MOST]


def _draw(axes: "Axes", each: AspectInsight, metrics: list[str], theme: Theme) -> None:
    ink, faint = as_text(theme.ink), as_text(theme.faint)
    axes.axvline(0.0, color=faint, linewidth=0.8)
    if each.reliability.ceiling is not None:
        for end in (-each.reliability.ceiling, each.reliability.ceiling):
            axes.axvline(end, color=faint, linewidth=0.8, linestyle=(0, (4, 3)))
    for one in each.predictions:
        value = one.within.value
        if one.metric not in metrics or value is None:
            continue
        place = metrics.index(one.metric)
        against = value < 0 and one.better.value != "neither"
        colour = ink if not one.claimed else as_text(theme.contact if against else theme.planner(0))
        if one.within.low is not None and one.within.high is not None:
            axes.plot([one.within.low, one.within.high], [place] * 2, color=colour, linewidth=1.2)
        fill = colour if one.claimed else as_text(theme.page)
        axes.plot(value, place, "o", color=colour, markerfacecolor=fill, markersize=4.5)
    axes.set_title(printable(each.aspect))
    axes.set_xlim(-1.02, 1.02)
    axes.set_xticks([-1, -0.5, 0, 0.5, 1], ["-1", "-0.5", "0", "0.5", "1"])
    axes.set_xlabel("tau-b")
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=True, axis="x", color=as_text(theme.solid), linewidth=0.5)
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
