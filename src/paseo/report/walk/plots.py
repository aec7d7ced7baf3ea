"""Plots of metrics: the paper's Figs. 6 to 11, a joint plot and the Pareto front; needs `plots`."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from paseo.errors import CannotWrite, UnknownName
from paseo.files import write_whole
from paseo.metrics.comparison.comparison import Comparison, compare
from paseo.metrics.comparison.measured import MeasuredEpisode
from paseo.metrics.record.catalog import METRICS
from paseo.metrics.record.closeness import FARTHEST, LATEST, PERSONAL_SPACE
from paseo.progress import Progress, silent
from paseo.render.figures.saving import DPI, drawing, figure_bytes, save_figure
from paseo.render.raster.palette import LIGHT, THEMES, Rgb, Theme, as_text, mixed
from paseo.report.walk.figures.distributions import DISTANCE, TIME, draw_distributions, draw_joint
from paseo.report.walk.figures.per_planner import QUANTITIES, Quantity, draw_quantity
from paseo.report.walk.figures.series import Series, series_of
from paseo.report.walk.figures.trade_off import draw_trade_off
from paseo.report.walk.rows import robot_words, settings_words
from paseo.suite.measuring import Runs, folders_of, measured_runs

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SAMPLED = (DISTANCE, TIME)  # metrics of which plots need all samples, not only their means
WIDTH = 6.5  # inches: the text of a page
ON_SCREEN = 5.2  # inches: narrower, so that letters are as large as others on a web page


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Plot:
    """One figure to be: its file name, size in inches, what draws it, and what it shows."""

    name: str
    title: str
    size: tuple[float, float]
    draw: "Callable[[Figure], None]"
    caption: str


def plot(
    runs: Runs, out: str | Path, *, theme: str = LIGHT.name, progress: Progress = silent
) -> list[Path]:
    """Save every plot of finished runs as .png and .svg, with their captions; says where."""
    if theme not in THEMES:
        raise UnknownName("theme", theme, THEMES)
    look, folder = THEMES[theme], Path(out)
    with drawing(look):  # whether that is possible at all
        measured = measured_runs(folders_of(runs), METRICS, keep=SAMPLED, progress=progress)
    _make_folder(folder)
    comparison = compare(measured, METRICS, np.random.default_rng(0))
    chosen = plots(measured, comparison, theme=look)
    saved: list[Path] = []
    for done, each in enumerate(chosen, 1):
        saved += save_plot(each, folder, theme=look)
        progress(each.title, done, len(chosen))
    return [*saved, save_captions(chosen, folder)]


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotWrite(
            f"{folder}: no folder can be made there ({error.strerror}); choose another out",
            parameters=("out",),
        ) from error


def plots(
    measured: Sequence[MeasuredEpisode], comparison: Comparison, *, theme: Theme = LIGHT
) -> list[Plot]:
    """Every plot of some measured runs; episodes must hold the samples of `SAMPLED`."""
    series = series_of(measured, comparison, theme)
    data = described(measured, comparison)
    panels = -(-len(series) // 4)
    return [
        Plot(
            name="people",
            title="Distance to people and time to collision",
            size=(WIDTH, 0.75 + 0.62 * len(series)),
            draw=partial(draw_distributions, series=series, theme=theme),
            caption="How often the closest person was at which distance (surface to surface, below "
            f"0 in contact) and a collision how far away, over all steps. What is beyond "
            f"{FARTHEST:g} m or {LATEST:g} s counts as that much; its share stands at the right. "
            f"Lines and numbers: means. All ridges of a panel are to one scale. {data}",
        ),
        Plot(
            name="people_joint",
            title="Distance and time to collision together",
            size=(WIDTH, 0.5 + 1.9 * panels),
            draw=partial(draw_joint, series=series, theme=theme),
            caption="How many steps had a distance to the closest person and a time to collision "
            "at once: the fuller the colour, the more, on a logarithmic scale of each planner's "
            f"own. {data}",
        ),
        Plot(
            name="efficiency_disruption",
            title="Efficiency against disruption",
            size=(WIDTH, 3.8),
            draw=partial(draw_trade_off, series=series, theme=theme),
            caption="Time to the goal (the time limit where it was not reached) against the share "
            f"of time nearer than {PERSONAL_SPACE:g} m to somebody, means over all episodes with "
            "95 % bootstrap intervals; less is better. Dashed: the Pareto front; "
            f"planners beyond it, in the grey, are beaten by another. {data}",
        ),
        *(_plot_of(quantity, series, theme, data) for quantity in QUANTITIES),
    ]


def _plot_of(quantity: Quantity, series: Sequence[Series], theme: Theme, data: str) -> Plot:
    which = " that arrived" if quantity.only_completed else ""
    words = quantity.words.capitalize()
    return Plot(
        name=quantity.metric.name,
        title=words,
        size=(WIDTH, 0.7 + 0.46 * len(series)),
        draw=partial(draw_quantity, quantity=quantity, series=series, theme=theme),
        caption=f"{words}: a dot for each episode{which}; diamonds and numbers are means with "
        f"their 95 % bootstrap intervals. {data}",
    )


def described(measured: Sequence[MeasuredEpisode], comparison: Comparison) -> str:
    """The data behind a plot, in a sentence for its caption."""
    rows = [summary.row for summary in comparison.summaries]
    driven = [row for row in rows if not row.is_reference]
    steps = sum(len(each.samples.get(TIME, ())) for each in measured)
    seeds = max(summary.seeds for summary in comparison.summaries)
    parts = [
        f"{counted(comparison.episodes, 'episode')} from "
        f"{counted(comparison.windows, 'crowd window')}",
        counted(seeds, "seed"),
        f"{counted(steps, 'step')} in all",
        *(f"presence rule {rule}" for rule in dict.fromkeys(row.rule for row in rows) if rule),
        *(f"robot {words}" for words in dict.fromkeys(robot_words(r, rows) for r in driven)),
        *(words for words in dict.fromkeys(settings_words(r, rows) for r in rows) if words),
    ]
    names = dict.fromkeys(row.planner for row in rows if row.is_reference)
    apart = "".join(f" {name} is a reference on episodes of its own." for name in names)
    return f"Data: {'; '.join(parts)}.{apart}"


def counted(number: int, thing: str) -> str:
    """How many there are, in words: 1 seed, 2 seeds."""
    return f"{number:,} {thing}{'s' * (number != 1)}"


def save_plot(plot: Plot, folder: Path, *, theme: Theme = LIGHT) -> list[Path]:
    """Write it as .png and .svg; the same plot gives the same bytes."""
    paths = [folder / f"{plot.name}.png", folder / f"{plot.name}.svg"]
    with drawing(theme, _settings(theme)):
        figure = drawn_plot(plot, theme)
        for path in paths:
            save_figure(figure, path, notes={"Title": plot.title, "Description": plot.caption})
    return paths


def save_captions(chosen: Sequence[Plot], folder: Path) -> Path:
    """Write what each plot shows, in Markdown, beside them."""
    path = folder / "captions.md"
    parts = [f"## {each.title}\n\n![]({each.name}.png)\n\n{each.caption}\n" for each in chosen]
    text = "# Plots\n\n" + "\n".join(parts)
    write_whole(path, text.encode("utf-8", "replace"))
    return path


def inline_svg(plot: Plot) -> str:
    """The plot (drawn in `LIGHT`) as an element of a web page, in the page's font and colours.

    Colours of the theme become the page's variables, e.g. var(--ink) and var(--planner-0).
    """
    with drawing(LIGHT, {**_settings(LIGHT), "svg.fonttype": "none"}):
        figure = drawn_plot(replace(plot, size=(ON_SCREEN, plot.size[1])))
        content = figure_bytes(figure, format="svg", metadata={"Date": None}, transparent=True)
    text = content.decode()
    text = re.sub(
        r"<!--.*?-->|<metadata>.*?</metadata>", "", text[text.index("<svg") :], flags=re.S
    )
    text = re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>{plot.name}-", text)
    for name, colour in _variables(LIGHT).items():
        text = text.replace(as_text(colour).lower(), f"var(--{name})")
    return re.sub(r"\s*\n\s*", "\n", text)


def _variables(theme: Theme) -> dict[str, Rgb]:
    numbered = {f"planner-{k}": colour for k, colour in enumerate(theme.planners)}
    names = ("ink", "faint", "solid", "contact", "page")
    return {**{name: getattr(theme, name) for name in names}, **numbered, "grid": _grid(theme)}


def _grid(theme: Theme) -> Rgb:
    return mixed(theme.page, theme.solid, 0.6)


def _settings(theme: Theme) -> dict[str, Any]:
    """What plots have beyond other figures: plain axes, and lines to read values by."""
    ink, faint = as_text(theme.ink), as_text(theme.faint)
    return {
        "axes.facecolor": "none", "axes.edgecolor": faint, "axes.linewidth": 0.6,
        "axes.labelcolor": ink, "axes.titlesize": 8, "axes.titleweight": "bold",
        "axes.spines.top": False, "axes.spines.right": False, "axes.axisbelow": True,
        "axes.grid": True, "grid.color": as_text(_grid(theme)), "grid.linewidth": 0.6,
        "xtick.color": faint, "ytick.color": faint, "figure.constrained_layout.use": True,
    }  # fmt: skip


def drawn_plot(plot: Plot, theme: Theme = LIGHT) -> "Figure":
    """The figure of a plot, in the colours of a theme."""
    with drawing(theme, _settings(theme)):
        from matplotlib.figure import Figure

        figure = Figure(figsize=plot.size, dpi=DPI)
        plot.draw(figure)
    return figure
