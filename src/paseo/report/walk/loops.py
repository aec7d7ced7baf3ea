"""Open loop against closed loop: a sentence, a table and a plot."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import to_builtins

from paseo.files import make_folder_of
from paseo.metrics.comparison.statistics import Estimate
from paseo.render.raster.palette import LIGHT, Theme, as_text
from paseo.report.table import Cell, text_table
from paseo.report.walk.figures.crosses import Cross, Span, draw_crosses, span, write_names
from paseo.report.walk.plots import WIDTH, Plot, save_plot
from paseo.suite.audit.loops import FEWEST, Loops

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def loops_text(loops: Loops) -> str:
    """The sentence, and the table that it rests on."""
    header = ["planner", loops.measured, "of", "success", "episodes"]
    rows: list[list[Cell]] = [
        [each.planner, _spread(each.answers), each.answers.episodes, _spread(each.success),
         each.success.episodes]
        for each in loops.points
    ]  # fmt: skip
    parts = [loops_sentence(loops), text_table(header, rows)]
    if loops.left_out:
        names = ", ".join(loops.left_out)
        parts.append(f"Left out, because they have not both driven and answered: {names}.")
    return "\n\n".join(parts)


def loops_sentence(loops: Loops) -> str:
    """Whether who answers better drives better, as far as these models tell."""
    found = loops.correlation
    if found is None:
        return (
            f"{len(loops.points)} models that drove: no correlation can be told, expected at least "
            "three that differ in answers and in success."
        )
    measured = loops.measured[0].upper() + loops.measured[1:]
    what = f"{measured} and success in driving: r = {found.r:.2f}"
    if found.low is None or found.high is None:
        return f"{what} over {found.models} models, too few for an interval (below {FEWEST})."
    verdict = "it may be chance"
    if found.low > 0:
        verdict = "who answers better drives better"
    elif found.high < 0:
        verdict = "who answers better drives worse"
    return f"{what} [{found.low:.2f}, {found.high:.2f}] over {found.models} models: {verdict}."


def loops_json(loops: Loops) -> dict[str, Any]:
    """The same as plain values."""
    plain: dict[str, Any] = to_builtins(loops)
    return {"format": "paseo-loops", "version": 1, "sentence": loops_sentence(loops), **plain}


def save_loops(loops: Loops, folder: Path, theme: Theme = LIGHT) -> list[Path]:
    """Draw the models into a folder, as loops.png and loops.svg."""
    plot = Plot(
        name="loops",
        title="Open loop against closed loop",
        size=(WIDTH, 4.2),
        draw=partial(_draw, loops=loops, theme=theme),
        caption=loops_sentence(loops),
    )
    make_folder_of(folder / plot.name)
    return save_plot(plot, folder, theme=theme)


def _draw(figure: "Figure", loops: Loops, theme: Theme) -> None:
    axes = figure.subplots()
    told_apart = len({each.model for each in loops.points}) == len(loops.points)
    crosses = [
        Cross(
            name=each.model if told_apart else each.planner,
            colour=as_text(theme.planners[k % len(theme.planners)]),
            x=_percent(each.answers),
            y=_percent(each.success),
        )
        for k, each in enumerate(loops.points)
    ]
    if loops.correlation is not None:
        x = np.array([each.x.mean for each in crosses])
        slope, level = np.polyfit(x, [each.y.mean for each in crosses], 1)
        ends = np.array([x.min(), x.max()])
        axes.plot(ends, slope * ends + level, color=as_text(theme.faint), linewidth=1.0,
                  linestyle=(0, (4, 2)), zorder=1)  # fmt: skip
    draw_crosses(axes, crosses, theme)
    axes.margins(0.12)
    axes.set_xlabel(f"{loops.measured} (%)")
    axes.set_ylabel("episodes driven with success (%)")
    axes.set_title(loops_sentence(loops), loc="left", fontweight="normal", wrap=True)
    figure.draw_without_rendering()  # so that it is known where the points fall,
    figure.set_layout_engine("none")  # and stays so
    write_names(axes, crosses, theme)


def _percent(estimate: Estimate) -> Span:
    found = span(estimate)
    assert found is not None  # whoever has no value is left out
    return Span(100 * found.mean, 100 * found.low, 100 * found.high)


def _spread(estimate: Estimate) -> str:
    mean, low, high = estimate.mean, estimate.low, estimate.high
    if mean is None:
        return "-"
    return f"{mean:.2f}" if low is None or high is None else f"{mean:.2f} [{low:.2f}, {high:.2f}]"
