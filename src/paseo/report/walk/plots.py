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
from paseo.metrics.comparison.sweeps.latency import Opponent
from paseo.metrics.record.catalog import METRICS
from paseo.metrics.record.closeness import FARTHEST, LATEST, PERSONAL_SPACE
from paseo.progress import Progress, silent
from paseo.render.figures.saving import DPI, drawing, figure_bytes, save_figure
from paseo.render.raster.palette import LIGHT, THEMES, Rgb, Theme, as_text, mixed, rgb
from paseo.report.pages.template import MORE_COLOURS
from paseo.report.walk.figures.distributions import (
    DISTANCE,
    IN_A_ROW,
    NARROW,
    TIME,
    draw_distributions,
    draw_joint,
)
from paseo.report.walk.figures.drives import Drive, Place, draw_drives, drive_of, places_of
from paseo.report.walk.figures.endings import draw_arrivals, draw_verdicts
from paseo.report.walk.figures.endurance import draw_endurances
from paseo.report.walk.figures.per_planner import QUANTITIES, Quantity, draw_quantity
from paseo.report.walk.figures.series import Series, broken, lines_down, series_of
from paseo.report.walk.figures.sweeps import IN_A_ROW as SWEEPS_IN_A_ROW
from paseo.report.walk.figures.sweeps import Sweep, draw_sweep, sweeps
from paseo.report.walk.figures.trade_off import draw_trade_off
from paseo.report.walk.rows import robot_words, settings_words
from paseo.suite.measuring import Runs, folders_of, viewed_runs
from paseo.text import markdown_cell

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SAMPLED = (DISTANCE, TIME)  # metrics of which plots need all samples, not only their means
WIDTH = 6.5  # inches: the text of a page
ENDINGS = ("good", "wall", "late", "broken")  # colours of verdicts, besides that of contacts
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
        viewed = viewed_runs(folders_of(runs), METRICS, drive_of, keep=SAMPLED, progress=progress)
    measured = [each for each, _ in viewed]
    _make_folder(folder)
    comparison = compare(measured, METRICS, np.random.default_rng(0))
    chosen = plots(measured, comparison, drives=[drive for _, drive in viewed], theme=look)
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
    measured: Sequence[MeasuredEpisode],
    comparison: Comparison,
    *,
    drives: Sequence[Drive] = (),
    theme: Theme = LIGHT,
) -> list[Plot]:
    """Every plot of some measured runs; episodes must hold the samples of `SAMPLED`.

    `drives` are those of the same episodes, for a picture of every map.
    """
    series = series_of(measured, comparison, theme)
    data = described(measured, comparison)
    driven = [(each.row, drive) for each, drive in zip(measured, drives, strict=False)]
    return [
        *_of_endings(series, theme, data),
        *_of_people(series, theme, data),
        *(_of_sweep(sweep, theme, data) for sweep in sweeps(series)),
        *_of_endurances(comparison, theme, data),
        *(_plot_of(quantity, series, theme, data) for quantity in QUANTITIES),
        *(_of_place(place, theme, data) for place in places_of(series, driven)),
    ]


def _of_endings(series: Sequence[Series], theme: Theme, data: str) -> list[Plot]:
    names = sum(broken(each.name).count("\n") + 1 for each in series)
    return [
        Plot(
            name="verdicts",
            title="How drives ended",
            size=(WIDTH, 0.95 + 0.3 * len(series) * max(1.0, 0.5 * lines_down(series))),
            draw=partial(draw_verdicts, series=series, theme=theme),
            caption="How drives ended, with their numbers. To touch a person spoils the success of "
            f"a drive that arrives. {data}",
        ),
        Plot(
            name="arrivals",
            title="Who has arrived by when",
            size=(WIDTH, max(3.2, 0.7 + 0.16 * names)),
            draw=partial(draw_arrivals, series=series, theme=theme),
            caption="The share of all drives that have reached the goal by a time, with or without "
            "contacts (cumulative incidence). Walls, failures and the time limit are competing "
            "events: whoever met one never arrives. The area above a curve, up to the time limit, "
            f"is the mean time to the goal. {data}",
        ),
        Plot(
            name="efficiency_disruption",
            title="Efficiency against disruption",
            size=(WIDTH, 3.8 + 0.12 * max(len(series) - 10, 0)),
            draw=partial(draw_trade_off, series=series, theme=theme),
            caption="Time to the goal (the time limit where it was not reached) against the share "
            f"of time nearer than {PERSONAL_SPACE:g} m to somebody, means over all episodes with "
            "95 % intervals; less is better. Dashed: the Pareto front; "
            f"planners beyond it, in the grey, are beaten by another. {data}",
        ),
    ]


def _of_people(series: Sequence[Series], theme: Theme, data: str) -> list[Plot]:
    tall = max(0.62, 0.16 * lines_down(series))
    above = max((broken(each.name, NARROW).count("\n") for each in series), default=0)
    return [
        Plot(
            name="people",
            title="Distance to people and time to collision",
            size=(WIDTH, 0.75 + tall * len(series)),
            draw=partial(draw_distributions, series=series, theme=theme),
            caption="How often the closest person was at which distance (surface to surface, below "
            f"0 in contact) and a collision how far away, over all steps. What is beyond "
            f"{FARTHEST:g} m or {LATEST:g} s counts as that much; its share stands at the right. "
            f"Lines and numbers: means. All ridges of a panel are to one scale. {data}",
        ),
        Plot(
            name="people_joint",
            title="Distance and time to collision together",
            size=(WIDTH, 0.5 + (1.75 + 0.15 * above) * -(-len(series) // IN_A_ROW)),
            draw=partial(draw_joint, series=series, theme=theme),
            caption="How many steps had a distance to the closest person and a time to collision "
            "at once: the fuller the colour, the more, on a logarithmic scale of each planner's "
            f"own. {data}",
        ),
    ]


def _of_sweep(sweep: Sweep, theme: Theme, data: str) -> Plot:
    lines = -(-len(sweep.lines) // SWEEPS_IN_A_ROW)
    return Plot(
        name=sweep.name,
        title=f"Along {sweep.words}",
        size=(WIDTH, 3.9 + 0.18 * lines),
        draw=partial(draw_sweep, sweep=sweep, theme=theme),
        caption=f"Metrics along {sweep.words}, of rows that differ in nothing else: means over all "
        f"episodes with their 95 % intervals, a line for each planner. {data}",
    )


def _of_endurances(comparison: Comparison, theme: Theme, data: str) -> list[Plot]:
    found = [each for each in comparison.endurances if each.opponent is Opponent.SHORTEST]
    if not found:
        return []
    planners = len({each.row for each in found})
    return [
        Plot(
            name="endurance",
            title="How slow a planner may be",
            size=(WIDTH, 1.2 + 0.32 * planners),
            draw=partial(draw_endurances, found=found, theme=theme),
            caption=f"The latency at which a planner stops beating a simple one in "
            f"{found[0].metric}, with its 95 % interval; an arrow: beyond the longest latency. "
            "Bands: shown to be ahead (coloured) and behind (grey), in tests in order from the "
            f"shortest latency up and from the longest down. {data}",
        )
    ]


def _of_place(place: Place, theme: Theme, data: str) -> Plot:
    return Plot(
        name=f"drives_{_plain(place.plan.name)}",
        title=f"All drives over {place.plan.name}",
        size=(WIDTH, place.height(WIDTH)),
        draw=partial(draw_drives, place=place, theme=theme),
        caption=f"Every drive over {place.plan.name}, a panel for each planner, with contacts by "
        f"whose doing they were. {data}",
    )


def _plain(name: str) -> str:
    """A name that any file may have."""
    return re.sub(r"[^\w.-]", "_", name)


def _plot_of(quantity: Quantity, series: Sequence[Series], theme: Theme, data: str) -> Plot:
    which = " that arrived" if quantity.only_completed else ""
    words = quantity.words.capitalize()
    return Plot(
        name=quantity.metric.name,
        title=words,
        size=(WIDTH, 0.7 + max(0.46, 0.15 * lines_down(series)) * len(series)),
        draw=partial(draw_quantity, quantity=quantity, series=series, theme=theme),
        caption=f"{words}: a dot for each episode{which}; diamonds and numbers are means with "
        f"their 95 % intervals. {data}",
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
    parts = [
        f"## {markdown_cell(each.title)}\n\n![]({each.name}.png)\n\n{markdown_cell(each.caption)}\n"
        for each in chosen
    ]
    write_whole(path, ("# Plots\n\n" + "\n".join(parts)).encode())
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
    names = ("ink", "faint", "solid", "floor", "edge", "contact", "page")
    themed: dict[str, Rgb] = {name: getattr(theme, name) for name in names}
    others = {name: rgb(MORE_COLOURS[theme.name][name]) for name in ENDINGS}
    return {**themed, **others, **numbered, "grid": _grid(theme)}


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
