"""A report as one web page that needs nothing else: tables, plots, cards and a player."""

import base64
import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from html import escape
from importlib.resources import files

import msgspec

from paseo.metrics.comparison import Comparison, Episode
from paseo.metrics.metric import Metric
from paseo.registry import paseo_version
from paseo.render.palette import DARK, LIGHT, Theme, as_text, mixed
from paseo.report.cards import card, places_markup
from paseo.report.comparison import statement, tables
from paseo.report.markup import scoreboard, table_markup, warnings_markup, words_markup
from paseo.report.plots import Plot, counted, inline_svg, plots
from paseo.report.scenes import Places, Scene, scenes_of
from paseo.report.series import Series, series_of

PAGE = files("paseo.report") / "page"
SCRIPTS = ("codec", "scene", "theme", "view", "player", "cards", "main")
# Outcomes, then what is around and between things; chosen to be read on the page of the theme.
MORE_COLOURS = {
    "light": {"good": "#1A7F5A", "wall": "#A65A00", "late": "#5E6B7B", "broken": "#7A3E9D",
              "on-outcome": "#FFFFFF", "accent": "#005FA8", "ground": "#F4F6F8",
              "line": "#E3E8ED", "border": "#B9C2CC"},
    "dark": {"good": "#3FB68B", "wall": "#E0963A", "late": "#93A0B0", "broken": "#BB8EDB",
             "on-outcome": "#12161C", "accent": "#6CB6FF", "ground": "#0C0F13",
             "line": "#2A323D", "border": "#4A5563"},
}  # fmt: skip
THEMED = ("page", "solid", "floor", "edge", "ink", "faint", "person", "rim", "contact")

Progress = Callable[[str, int], None]  # what was made, and of how many things


def webpage(
    measured: Sequence[Episode],
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
        "policy": _policy(script),
        "version": escape(paseo_version()),
        "title": escape(title),
        "facts": escape(_facts(measured, comparison)),
        "style": f"{_colours()}\n{_text('style.css')}",
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
    return filled(_text("page.html"), parts).encode("utf-8", "replace")


def _data(series: Sequence[Series], looks: Sequence[str], scenes: Sequence[Scene]) -> str:
    """What the script reads, as JSON."""
    planners = [
        {"name": each.name, "look": look, "reference": each.is_reference}
        for each, look in zip(series, looks, strict=True)
    ]
    data = msgspec.to_builtins({"planners": planners, "scenes": scenes})
    return harmless(json.dumps(data, separators=(",", ":")))


def _text(name: str) -> str:
    return (PAGE / name).read_text("utf-8")


def filled(template: str, parts: Mapping[str, str]) -> str:
    """The template with every {{name}} replaced, in one go: what is filled in is left alone."""
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], template)


def harmless(json_text: str) -> str:
    """JSON that cannot end the element it stands in."""
    return json_text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def bundled(names: Sequence[str]) -> str:
    """Modules as one: they stand in the order in which they need each other."""
    text = "\n".join(_text(f"{name}.js") for name in names)
    return re.sub(r"^(import .*\n|export )", "", text, flags=re.MULTILINE)


def _policy(script: str) -> str:
    """What the browser may do with the page: run this one script, and load nothing."""
    digest = base64.b64encode(hashlib.sha256(f"\n{script}".encode()).digest()).decode()
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"


def _look(number: int, series: Series) -> str:
    """The classes of the style sheet for a planner."""
    if series.is_reference:
        return "ref"
    dashed = " dashed" if number >= len(LIGHT.planners) else ""
    return f"p{number % len(LIGHT.planners)}{dashed}"


def _colours() -> str:
    """Both themes as variables: as the system says, unless the page's own switch says otherwise."""
    light, dark = _variables(LIGHT), _variables(DARK)
    numbers = range(len(LIGHT.planners))
    planners = "".join(f".p{k}{{--planner:var(--planner-{k})}}" for k in numbers)
    return (
        f":root{{color-scheme:light;{light}}}\n"
        f"@media (prefers-color-scheme:dark){{:root{{color-scheme:dark;{dark}}}}}\n"
        f":root[data-theme=light]{{color-scheme:light;{light}}}\n"
        f":root[data-theme=dark]{{color-scheme:dark;{dark}}}\n"
        f"{planners}.ref{{--planner:var(--faint)}}"
    )


def _variables(theme: Theme) -> str:
    colours = {name: as_text(getattr(theme, name)) for name in THEMED}
    colours |= {f"planner-{k}": as_text(colour) for k, colour in enumerate(theme.planners)}
    colours |= {"grid": as_text(mixed(theme.page, theme.solid, 0.6)), **MORE_COLOURS[theme.name]}
    return ";".join(f"--{name}:{colour}" for name, colour in colours.items())


def _facts(measured: Sequence[Episode], comparison: Comparison) -> str:
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
