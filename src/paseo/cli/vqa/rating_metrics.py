"""`paseo survey metrics`."""

import argparse
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

from paseo.cli.arguments import Commands, add_command, natural
from paseo.cli.screen import json_text, output, say

if TYPE_CHECKING:
    from paseo.report.formats import Table
    from paseo.survey.insight.insight import Insight
    from paseo.survey.insight.telling.tables import Sheet

WIDTH = 100  # letters, of what stands above a table


def add_metrics_command(commands: Commands) -> None:
    """`paseo survey metrics`."""
    metrics = add_command(
        commands,
        "metrics",
        "tell which metrics predict what people felt",
        "vqa.rating_metrics",
        "metrics",
    )
    metrics.add_argument("study", type=Path, metavar="STUDY", help="the folder of a study of clips")
    metrics.add_argument(
        "--format", choices=["text", "markdown", "csv", "latex", "json"], default="text"
    )
    metrics.add_argument(
        "--all", action="store_true", help="every table, not what fits on a screen"
    )
    metrics.add_argument(
        "--picture", type=Path, metavar="FILE", help="also a picture of it, .png or .svg"
    )
    metrics.add_argument("--seed", type=natural, default=0, metavar="N", help="of random draws")


def metrics(options: argparse.Namespace) -> int:
    """Print which metrics go with ratings."""
    from paseo.survey.insight.collected import kept_study
    from paseo.survey.insight.insight import metric_insight
    from paseo.survey.insight.telling.output import as_json

    insight = metric_insight(kept_study(options.study), seed=options.seed)
    if options.picture:
        from paseo.survey.insight.telling.figure import draw_insight

        draw_insight(insight, options.picture)
        say(f"drawn: {options.picture}")
    if options.format == "json":
        output(json_text(as_json(insight)))
        return 0
    output(insight_text(insight, options.format, whole=options.all))
    if not options.all and options.format == "text":
        say("every table: --all; for a program: --format json; a picture: --picture FILE.png")
    return 0


def insight_text(insight: "Insight", layout: str, *, whole: bool) -> str:
    """Words, then the strongest metrics, then a paragraph on each aspect; or every table.

    CSV has every table, and every number in a column of its own.
    """
    from paseo.report.exam.score_export import as_csv
    from paseo.report.formats import LAYOUTS, SENTENCES
    from paseo.survey.insight.telling.tables import all_tables, overview
    from paseo.survey.insight.telling.words import about, aspect_sentences

    sentence, point = SENTENCES[layout], "- " * (layout == "markdown")
    paragraphs = [about(insight)] + [
        [f"{each.aspect}: {words[0]}", *words[1:]]
        for each in insight.aspects
        if (words := aspect_sentences(each, insight))
    ]
    told = ["\n".join(f"{point}{sentence(line)}" for line in lines) for lines in paragraphs]
    sheets = all_tables(insight) if whole or layout == "csv" else [overview(insight)]
    if layout == "text":
        shown = "\n\n".join(map(_plain, sheets))
    elif layout == "csv":
        shown = as_csv(list(map(_table, sheets))).rstrip()
    else:
        shown = LAYOUTS[layout](list(map(_table, sheets))).rstrip()
    return "\n\n".join([told[0], shown, *told[1:]])


def _table(sheet: "Sheet") -> "Table":
    from paseo.report.formats import Table

    return Table(sheet.caption, list(sheet.header), [list(row) for row in sheet.rows])


def _plain(sheet: "Sheet") -> str:
    from paseo.report.table import text_table

    return f"{fill(sheet.caption, WIDTH)}\n\n{text_table(sheet.header, sheet.rows)}"
