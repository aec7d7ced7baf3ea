"""A report as one web page that needs nothing else: tables, plots, cards and a player."""

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import msgspec
import numpy as np

from paseo.errors import InputError
from paseo.files import draft
from paseo.metrics.comparison.comparison import Comparison, compare
from paseo.metrics.comparison.measured import MeasuredEpisode
from paseo.metrics.record.metric import Metric
from paseo.progress import Progress, silent
from paseo.render.figures.saving import drawing
from paseo.render.raster.palette import LIGHT
from paseo.report.pages.tables import table_markup
from paseo.report.pages.template import asset, bundled, colours, framed, harmless, policy
from paseo.report.walk.cards import card, places_markup
from paseo.report.walk.compared.summary import verdict_table
from paseo.report.walk.compared.tables import tables
from paseo.report.walk.compared.words import statement
from paseo.report.walk.decisions import markup as decided
from paseo.report.walk.decisions.telling import MOST_MB, Chronicle, check_room, chronicle_of
from paseo.report.walk.decisions.views import DrivenView
from paseo.report.walk.episodes import (
    EpisodeView,
    Places,
    RecordView,
    scenes_of,
    view_of,
    view_with_sights,
)
from paseo.report.walk.figures.series import Series, series_of
from paseo.report.walk.markup import scoreboard, warnings_markup, words_markup
from paseo.report.walk.plots import SAMPLED, Plot, counted, inline_svg, plots
from paseo.report.walk.views.markup import NOWHERE, SCRIPT, STYLE, view_parts
from paseo.report.walk.views.pictures import Album, Picture, album_of, require_camera
from paseo.report.walk.views.sights import RobotViews, check_moments
from paseo.suite.measuring import Runs, chosen_metrics, folders_of, viewed_runs
from paseo.suite.runs.rundir import RunDirectory
from paseo.text import html_text

SCRIPTS = (
    "walk/codec", "walk/scene", "theme", "walk/view", "walk/player", "walk/cards", "walk/main",
)  # fmt: skip

ENDINGS = (".html", ".htm")


def write_report(
    runs: Runs,
    out: str | Path,
    *,
    metrics: Sequence[Metric | str] = (),
    views: RobotViews | None = None,
    decisions_mb: float = MOST_MB,
    progress: Progress = silent,
) -> Path:
    """Write one page of finished runs, with a player; `metrics` are shown besides Paseo's own.

    With `views` the player shows what the robot's camera saw at chosen moments, which needs the
    extra `camera`. Where a model drove, its decisions are shown; what it saw and was asked takes
    at most `decisions_mb`.
    """
    check_room(decisions_mb)
    folders, path = folders_of(runs), Path(out)
    if path.suffix.lower() not in ENDINGS:
        raise InputError(f"{path}: a report is a web page, expected .html; rename it")
    if views is not None:
        require_camera()
    with drawing(LIGHT):  # whether that is possible at all
        titles = dict.fromkeys(RunDirectory(folder).plan().name for folder in folders)
    with draft(path) as unfinished:
        chosen = chosen_metrics(metrics)
        look = view_of if views is None else partial(view_with_sights, views=views)
        viewed = viewed_runs(folders, chosen, look, keep=SAMPLED, progress=progress)
        comparison = compare([each for each, _ in viewed], chosen, np.random.default_rng(0))
        album = None if views is None else _album(viewed, views, progress)
        chronicle = chronicle_of(
            [each.record for each, _ in viewed],
            [view for _, view in viewed],
            most_mb=decisions_mb,
            progress=progress,
        )
        page = webpage(
            viewed,
            comparison,
            title=", ".join(titles),
            album=album,
            chronicle=chronicle,
            progress=progress,
        )
        unfinished.write_bytes(page)
    return path


def webpage(
    viewed: Sequence[tuple[MeasuredEpisode, RecordView]],
    comparison: Comparison,
    *,
    title: str,
    album: Album | None = None,
    chronicle: Chronicle | None = None,
    progress: Progress = silent,
) -> bytes:
    """The whole page; the same runs give the same bytes.

    Of an `album` and a `chronicle` the drives are those that are viewed, in this order.
    """
    measured = [each for each, _ in viewed]
    series = series_of(measured, comparison, LIGHT)
    drawn = plots(measured, comparison, drives=[view.driven for _, view in viewed])
    looks, names = [_look(each) for each in series], [_name(each) for each in series]
    total = len({(each.episode, each.seed) for each in measured}) + len(drawn)
    shown, driven = _pictures(viewed, album), _decisions(viewed, chronicle)
    places, scenes, cards, pictures, decisions = Places(), [], [], [], []
    for scene, views in scenes_of(viewed, [each.row for each in series], places):
        scenes.append(scene)
        cards.append(card(scene, views, names, looks))
        pictures.append([shown[view] for view in views])
        decisions.append([driven[view] for view in views])
        progress(scene.title, len(scenes), total)
    figures = []
    for plot in drawn:
        figures.append(_figure(plot))
        progress(plot.title, len(scenes) + len(figures), total)
    more = [*[(SCRIPT, STYLE)] * bool(album), *[decided.FILES] * bool(chronicle)]
    script = bundled((*SCRIPTS, *(each for each, _ in more)))
    parts = {
        "policy": policy(script, pictures="data:" if more else ""),
        "title": html_text(title),
        "facts": html_text(_facts(measured, comparison)),
        "style": f"{colours()}\n{asset('style.css')}{''.join(asset(style) for _, style in more)}",
        "warnings": warnings_markup(comparison),
        "scoreboard": scoreboard(series, looks),
        "cards": "\n".join(cards),
        "plots": "\n".join(figures),
        "tables": "\n".join(map(table_markup, [verdict_table(comparison), *tables(comparison)])),
        "statement": words_markup(statement(comparison)),
        "places": places_markup(places),
        "data": _data(series, looks, scenes),
        "script": script,
        **(view_parts(album, pictures) if album else NOWHERE),
        **(decided.decision_parts(chronicle, decisions) if chronicle else decided.NOWHERE),
    }
    return framed("walk/page", kind="report", parts=parts)


def _album(
    viewed: Sequence[tuple[MeasuredEpisode, RecordView]], views: RobotViews, progress: Progress
) -> Album | None:
    """The pictures of all drives, in their order; None where there are none, which is told."""
    check_moments(views, [(each.episode, each.time_s) for each, _ in viewed])
    files = [each.record for each, _ in viewed]
    album = album_of(files, [view.sights for _, view in viewed], views, progress=progress)
    count = sum(map(len, album.drives))
    told = [f"{counted(count, 'view')} of the robot in the page", *[album.note] * bool(album.note)]
    progress("; ".join(told), 0, 0)
    return album if count else None


def _pictures(
    viewed: Sequence[tuple[MeasuredEpisode, RecordView]], album: Album | None
) -> dict[RecordView, tuple[Picture, ...]]:
    drives = album.drives if album else ((),) * len(viewed)
    return {view: taken for (_, view), taken in zip(viewed, drives, strict=True)}


def _decisions(
    viewed: Sequence[tuple[MeasuredEpisode, RecordView]], chronicle: Chronicle | None
) -> dict[RecordView, DrivenView | None]:
    drives = chronicle.drives if chronicle else (None,) * len(viewed)
    return {view: driven for (_, view), driven in zip(viewed, drives, strict=True)}


def _data(series: Sequence[Series], looks: Sequence[str], scenes: Sequence[EpisodeView]) -> str:
    """What the script reads, as JSON."""
    planners = [{"name": each.name, "look": look} for each, look in zip(series, looks, strict=True)]
    data = msgspec.to_builtins({"planners": planners, "scenes": scenes})
    return harmless(json.dumps(data, separators=(",", ":")))


def _look(series: Series) -> str:
    """The classes of the style sheet for a planner."""
    if series.is_reference:
        return "ref"
    return f"p{series.number % len(LIGHT.planners)}{' dashed' * series.is_dashed}"


def _name(series: Series) -> str:
    return series.row.planner if series.is_reference else series.name


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
        f'<figure class="panel"><h3>{html_text(plot.title)}</h3>'
        f'<div class="scroll">{inline_svg(plot)}</div>'
        f"<figcaption>{html_text(plot.caption)}</figcaption></figure>"
    )
