"""A report as one web page that needs nothing else: tables, plots, cards and a player."""

import json
from collections.abc import Callable, Sequence
from html import escape

import msgspec

from paseo.metrics.comparison.comparison import Comparison, MeasuredEpisode
from paseo.metrics.record.metric import Metric
from paseo.render.raster.palette import LIGHT
from paseo.report.pages.tables import table_markup
from paseo.report.pages.template import asset, bundled, colours, framed, harmless, policy
from paseo.report.walk.cards import card, places_markup
from paseo.report.walk.comparison import statement, tables
from paseo.report.walk.episodes import EpisodeView, Places, scenes_of
from paseo.report.walk.markup import scoreboard, warnings_markup, words_markup
from paseo.report.walk.plots import Plot, counted, inline_svg, plots
from paseo.report.walk.series import Series, series_of

SCRIPTS = (
    "walk/codec", "walk/scene", "theme", "walk/view", "walk/player", "walk/cards", "walk/main",
)  # fmt: skip

Progress = Callable[[str, int], None]  # what was made, and of how many things


def webpage(
    measured: Sequence[MeasuredEpisode],
    comparison: Comparison,
    metrics: Sequence[Metric],
    *,
    title: str,
    progress: Progress = lambda what, total: None,
) -> bytes:
    """The whole page; the same runs give the same bytes."""
    series, drawn = series_of(measured, comparison, LIGHT), plots(measured, comparison)
    looks = [_look(number, each) for number, each in enumerate(series)]
    names = [each.row.planner if each.is_reference else each.name for each in series]
    total = len({(each.episode, each.seed) for each in measured}) + len(drawn)
    places, scenes, cards = Places(), [], []
    for scene, records in scenes_of(measured, [each.row for each in series], places):
        scenes.append(scene)
        cards.append(card(scene, records, names, looks))
        progress(scene.title, total)
    figures = []
    for plot in drawn:
        figures.append(_figure(plot))
        progress(plot.title, total)
    script = bundled(SCRIPTS)
    parts = {
        "policy": policy(script),
        "title": escape(title),
        "facts": escape(_facts(measured, comparison)),
        "style": f"{colours()}\n{asset('style.css')}",
        "warnings": warnings_markup(comparison),
        "scoreboard": scoreboard(series, looks),
        "cards": "\n".join(cards),
        "plots": "\n".join(figures),
        "tables": "\n".join(map(table_markup, tables(comparison, metrics))),
        "statement": words_markup(statement(comparison, metrics)),
        "places": places_markup(places),
        "data": _data(series, looks, scenes),
        "script": script,
    }
    return framed("walk/page", kind="report", parts=parts)


def _data(series: Sequence[Series], looks: Sequence[str], scenes: Sequence[EpisodeView]) -> str:
    """What the script reads, as JSON."""
    planners = [
        {"name": each.name, "look": look, "reference": each.is_reference}
        for each, look in zip(series, looks, strict=True)
    ]
    data = msgspec.to_builtins({"planners": planners, "scenes": scenes})
    return harmless(json.dumps(data, separators=(",", ":")))


def _look(number: int, series: Series) -> str:
    """The classes of the style sheet for a planner."""
    if series.is_reference:
        return "ref"
    dashed = " dashed" if number >= len(LIGHT.planners) else ""
    return f"p{number % len(LIGHT.planners)}{dashed}"


def _facts(measured: Sequence[MeasuredEpisode], comparison: Comparison) -> str:
    rows = [summary.row for summary in comparison.summaries]
    planners = len({row.planner for row in rows if not row.is_reference})
    parts = [
        counted(comparison.episodes, "episode"),
        counted(comparison.windows, "crowd window"),
        counted(planners, "planner"),
        counted(len(measured), "drive"),
    ]
    return " \N{MIDDLE DOT} ".join(parts)


def _figure(plot: Plot) -> str:
    return (
        f'<figure class="panel"><h3>{escape(plot.title)}</h3>'
        f'<div class="scroll">{inline_svg(plot)}</div>'
        f"<figcaption>{escape(plot.caption)}</figcaption></figure>"
    )
