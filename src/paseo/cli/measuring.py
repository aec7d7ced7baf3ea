"""`paseo measure` and `paseo compare`."""

import argparse
import json
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np

from paseo.data.maps.floorplans import find_floorplan
from paseo.data.recordings.robot_log import read_robot_log
from paseo.data.suites.priorities_file import read_priorities
from paseo.errors import BadValue, InputError
from paseo.metrics.comparison.comparison import Comparison
from paseo.metrics.comparison.comparison import compare as compared
from paseo.metrics.comparison.priorities import Limit, Ranked, ranking
from paseo.metrics.record.catalog import METRICS, PUBLISHED
from paseo.metrics.record.measure import measure as measurements
from paseo.metrics.record.metric import Measurement, Metric
from paseo.metrics.record.names import find_metric, installed_metrics
from paseo.report.formats import csv_text, latex, markdown
from paseo.report.table import text_table
from paseo.report.walk.comparison import as_json, ranking_table, statement, tables
from paseo.suite.measuring import measured_runs, planning_times
from paseo.world.motion import Pose
from paseo.world.recordfile import load_record


def measure(options: argparse.Namespace) -> int:
    """Print every metric of one record or one log."""
    planning = planning_times(options.file)
    if options.file.suffix == ".npz":
        if options.goal or options.map:
            raise InputError("--goal and --map are for CSV logs; a record holds its own")
        record = load_record(options.file)
    else:
        floorplan = find_floorplan(options.map, Path()) if options.map else None
        record = read_robot_log(options.file, goal=_goal(options.goal), floorplan=floorplan)
    found = measurements(record, metrics=chosen_metrics(options), planning_s=planning)
    if options.json:
        print(json.dumps({name: _as_json(each) for name, each in found.items()}, indent=1))
    else:
        rows = [
            (name, each.value, each.metric.unit, each.metric.better.value, _note(each))
            for name, each in found.items()
        ]
        print(text_table(("metric", "value", "unit", "better", "note"), rows))
    return 0


def compare(options: argparse.Namespace) -> int:
    """Print planners side by side."""
    metrics = chosen_metrics(options)
    comparison = compared(
        measured_runs(options.runs, metrics), np.random.default_rng(options.seed or 0)
    )
    ranked = _ranked(options.priorities, comparison, metrics)
    if options.format == "json":
        print(json.dumps(_finite(as_json(comparison, metrics, ranked)), indent=1))
        return 0
    shown = tables(comparison, metrics)
    layout = {"markdown": markdown, "csv": csv_text, "latex": latex}[options.format]
    if options.brief:
        print(layout(shown[:3]))
        return 0
    if ranked:
        shown.append(ranking_table(ranked, [each.row for each in comparison.summaries]))
    print(layout(shown))
    words = statement(comparison, metrics)
    comment = {"markdown": "", "csv": "# ", "latex": "% "}[options.format]
    words += "".join(f"\nCareful: {warning}." for warning in comparison.warnings)
    print("\n" + "\n".join(comment + line for line in words.splitlines()))
    for warning in comparison.warnings:
        print(f"paseo: careful: {warning}", file=sys.stderr)
    return 0


def chosen_metrics(options: argparse.Namespace) -> tuple[Metric, ...]:
    """Paseo's metrics in the wanted variant, those of other packages, and files named."""
    shipped = PUBLISHED if options.variant == "published" else METRICS
    own = [*installed_metrics(), *map(find_metric, options.metric or [])]
    for each in own:
        if not isinstance(each, Metric):
            raise BadValue(f"{each!r:.80} is no metric; decorate its function with @metric")
    names = [each.name for each in (*shipped, *own)]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise BadValue(f"two metrics are called '{twice}'; rename yours")
    return (*shipped, *own)


def _ranked(path: Path | None, comparison: Comparison, metrics: tuple[Metric, ...]) -> list[Ranked]:
    if path is None:
        return []
    priorities = read_priorities(path)
    limits = {
        name: Limit(
            -math.inf if limit.at_least is None else limit.at_least,
            math.inf if limit.at_most is None else limit.at_most,
        )
        for name, limit in priorities.limits.items()
    }
    return ranking(comparison, metrics, priorities.weights, limits)


def _goal(text: str | None) -> Pose | None:
    if text is None:
        return None
    try:
        x, y = (float(word) for word in text.split(","))
    except ValueError as error:
        raise InputError(f"--goal is '{text}', expected X,Y in metres, e.g. 12.0,3.5") from error
    if not (math.isfinite(x) and math.isfinite(y)):
        raise InputError(f"--goal is '{text}', expected finite numbers")
    return Pose(x, y)


def _note(each: Measurement) -> str:
    if each.samples is not None and not each.note:
        return f"mean of {len(each.samples)}"
    return each.note


def _as_json(each: Measurement) -> dict[str, Any]:
    samples = each.samples
    content: dict[str, Any] = {
        "value": each.value,
        "unit": each.metric.unit,
        "better": each.metric.better.value,
        "note": each.note,
    }
    if samples is not None:
        content["samples"] = samples.tolist()
    return {key: _finite(value) for key, value in content.items()}


def _finite(value: Any) -> Any:
    """JSON has no infinities: they become words."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {str(key): _finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return value
