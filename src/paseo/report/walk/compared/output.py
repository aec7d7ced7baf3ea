"""A comparison as a whole text, in any layout, and for programs."""

import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from textwrap import wrap
from typing import Any

from paseo.errors import UnknownName
from paseo.metrics.comparison.comparison import Comparison, compared_unit
from paseo.metrics.comparison.families import Family
from paseo.metrics.comparison.rows import Row
from paseo.metrics.comparison.statistics import Estimate
from paseo.metrics.comparison.sweeps.latency import Opponent
from paseo.report.formats import LAYOUTS, SENTENCES, Table
from paseo.report.table import text_table
from paseo.report.walk.compared.latency import line_names
from paseo.report.walk.compared.summary import WIDTH, summary_lines, summary_tables
from paseo.report.walk.compared.tables import ranking_table, tables
from paseo.report.walk.compared.words import careful, power, statement
from paseo.report.walk.rows import labels, robot_words, settings_words, warnings
from paseo.text import in_a_line, write_csv

FORMATS = ("text", "markdown", "csv", "latex")
FACTS = (
    "asked", "summaries", "pairs", "episodes", "completed_by_all", "emptied", "windows",
    "clusters", "detectable", "draws", "ranks", "endurances", "ranking",
)  # fmt: skip
COLUMNS = (
    "kind", "metric", "unit", "family", "first", "second", "mean", "low", "high", "p",
    "beyond_chance", "episodes",
)  # fmt: skip
LATENCIES = ("latency_s", "second_latency_s")  # columns where somebody's was declared


def text(comparison: Comparison, layout: str = "text", *, whole: bool = False) -> str:
    """What fits on a screen, or the `whole` of it, as `text`, `markdown` or `latex`.

    `csv` is always whole: one table, a line for each mean and each difference.
    """
    if layout not in FORMATS:
        raise UnknownName("layout", layout, FORMATS)
    if layout == "csv":
        return tidy_csv(comparison)
    shown = tables(comparison) if whole else summary_tables(comparison)
    if comparison.ranking:
        shown.append(ranking_table(comparison))
    lines = summary_lines(comparison)
    if whole:
        lines = [*statement(comparison).splitlines(), *power(comparison), *careful(comparison)]
    said = "\n".join(map(SENTENCES[layout], lines))
    body = _plain_text(shown) if layout == "text" else LAYOUTS[layout](shown)
    return f"{body}\n\n{said}" if said else body


def _plain_text(shown: Sequence[Table]) -> str:
    parts = [
        "\n".join([*wrap(in_a_line(each.caption), WIDTH), "", text_table(each.header, each.rows)])
        for each in shown
    ]
    return "\n\n".join(parts)


def tidy_csv(comparison: Comparison) -> str:
    """A line for each mean of a row and each difference of two, as pandas reads them."""
    written, lines = io.StringIO(), tidy(comparison)
    slow = any(line.get(name) is not None for line in lines for name in LATENCIES)
    columns = (*COLUMNS, *LATENCIES) if slow else COLUMNS
    write_csv(written, [columns, *([line.get(name, "") for name in columns] for line in lines)])
    return written.getvalue()


def tidy(comparison: Comparison) -> list[dict[str, Any]]:
    """The same as values."""
    called = labels([each.row for each in comparison.summaries])
    units = {each.name: compared_unit(each) for each in comparison.metrics}
    means = [
        {
            "kind": "mean",
            "metric": name,
            "unit": units[name],
            "first": called[each.row],
            "latency_s": each.row.latency_s,
            **_numbers(found),
        }
        for each in comparison.summaries
        for name, found in each.estimates.items()
    ]
    differences = [
        {
            "kind": "difference",
            "metric": pair.metric,
            "unit": units[pair.metric],
            "family": pair.family.value,
            "first": called[pair.a],
            "second": called[pair.b],
            "latency_s": pair.a.latency_s,
            "second_latency_s": pair.b.latency_s,
            "p": pair.p,
            "beyond_chance": pair.beyond_chance,
            **_numbers(pair.difference.estimate),
        }
        for pair in comparison.pairs
    ]
    return [*means, *differences, *_tidy_endurances(comparison)]


def _tidy_endurances(comparison: Comparison) -> list[dict[str, Any]]:
    """How slow planners may be, and how far ahead they are at each latency; better is positive."""
    units = {each.name: compared_unit(each) for each in comparison.metrics}
    called = line_names(comparison.endurances)
    lines: list[dict[str, Any]] = []
    for found in comparison.endurances:
        claimed = found.opponent is Opponent.SHORTEST
        family = Family.PRIMARY if claimed else Family.EXPLORATORY
        both = {"metric": found.metric, "family": family.value, "first": called[found.row],
                "second": called[found.simple]}  # fmt: skip
        ends = {"mean": found.stops_s, "low": found.low_s, "high": found.high_s}
        lines.append({"kind": "stops beating", "unit": "s", **both, **ends})
        lines += [
            {
                "kind": "lead",
                "unit": units[found.metric],
                **both,
                "latency_s": lead.latency_s,
                "second_latency_s": lead.simple.latency_s,
                "p": lead.p,
                **_numbers(lead.difference.estimate),
            }
            for lead in found.leads
        ]
    return lines


def _numbers(found: Estimate) -> dict[str, Any]:
    return {field.name: getattr(found, field.name) for field in fields(found)}


def as_json(comparison: Comparison) -> dict[str, Any]:
    """Everything, for programs."""
    rows = [each.row for each in comparison.summaries]
    content: dict[str, Any] = {key: _plain(getattr(comparison, key), rows) for key in FACTS}
    for pair, written in zip(comparison.pairs, content["pairs"], strict=True):
        written["beyond_chance"] = pair.beyond_chance
    return {
        **content,
        "smallest_p": comparison.reach.smallest_p,
        "warnings": warnings(comparison),
        "statement": statement(comparison).splitlines(),
        "parts": {kind: as_json(part) for kind, part in comparison.parts},
    }


def _plain(value: Any, rows: Sequence[Row]) -> Any:
    """What JSON can hold; rows in words, and infinities, which it does not have, too."""
    if isinstance(value, Row):
        robot, settings = robot_words(value, rows), settings_words(value, rows)
        parts = {field.name: getattr(value, field.name) for field in fields(value)}
        clock = _plain(value.clock, rows)
        sight = None if value.sight is None else value.sight.label
        return {**parts, "robot": robot, "settings": settings, "clock": clock, "sight": sight}
    if is_dataclass(value):
        parts = {field.name: getattr(value, field.name) for field in fields(value)}
        return _plain(parts, rows)
    if isinstance(value, Mapping):
        return {str(key): _plain(each, rows) for key, each in value.items()}
    if isinstance(value, tuple):
        return [_plain(each, rows) for each in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value
