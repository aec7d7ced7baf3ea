"""`paseo measure` and `paseo compare`."""

import argparse
import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paseo.cli.arguments import Commands, Parser, add_command, natural
from paseo.errors import InputError

if TYPE_CHECKING:
    from paseo.metrics.record.metric import Measurement
    from paseo.world.motion import Pose


def add_compare_commands(commands: Commands) -> None:
    """`paseo measure | compare`."""
    measure = add_command(commands, "measure", "score a record or a log", "compare", "measure")
    measure.add_argument("file", type=Path, metavar="FILE", help="a record (.npz) or a CSV log")
    measure.add_argument("--goal", metavar="X,Y", help="where the robot of a log was going")
    measure.add_argument("--map", metavar="FILE", help="the floor plan of a log, or a shipped map")
    measure.add_argument("--json", action="store_true", help="print as JSON, distributions too")
    _add_metric_choice(measure)
    compare = add_command(commands, "compare", "put planners side by side", "compare", "compare")
    compare.add_argument("runs", type=Path, nargs="+", metavar="RUN_DIR")
    compare.add_argument(
        "--format", choices=["markdown", "csv", "latex", "json"], default="markdown"
    )
    compare.add_argument(
        "--brief", action="store_true", help="only the layout of the paper's Tables 2 to 4"
    )
    compare.add_argument(
        "--priorities", type=Path, metavar="FILE", help="weights and limits to rank planners by"
    )
    compare.add_argument("--seed", type=natural, default=0, metavar="N", help="of the bootstrap")
    _add_metric_choice(compare)


def _add_metric_choice(command: Parser) -> None:
    command.add_argument(
        "--variant",
        choices=["definition", "published"],
        default="definition",
        help="by the paper's definitions, or as its program computes (default: definition)",
    )
    command.add_argument(
        "--metric", action="append", metavar="FILE.py:NAME", help="a metric of your own as well"
    )


def measure(options: argparse.Namespace) -> int:
    """Print every metric of one record or one log."""
    from paseo.report.table import text_table
    from paseo.suite.measuring import measure_file

    found = measure_file(
        options.file,
        goal=_goal(options.goal),
        map=options.map,
        metrics=options.metric or (),
        variant=options.variant,
    )
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
    from paseo.cli.progress import bar, say
    from paseo.report.formats import LAYOUTS
    from paseo.report.walk.comparison import as_json, paper_tables, text
    from paseo.report.walk.rows import warnings
    from paseo.suite.measuring import compare_runs

    with bar("record") as progress:
        comparison = compare_runs(
            options.runs,
            metrics=options.metric or (),
            variant=options.variant,
            priorities=options.priorities,
            seed=options.seed,
            progress=progress,
        )
    if options.format == "json":
        print(json.dumps(as_json(comparison), indent=1))
    elif options.brief:
        print(LAYOUTS[options.format](paper_tables(comparison)))
    else:
        print(text(comparison, options.format))
        for warning in warnings(comparison):
            say(f"careful: {warning}")
    return 0


def _goal(text: str | None) -> "Pose | None":
    from paseo.world.motion import Pose

    if text is None:
        return None
    try:
        x, y = (float(word) for word in text.split(","))
    except ValueError as error:
        raise InputError(f"--goal is '{text}', expected X,Y in metres, e.g. 12.0,3.5") from error
    if not (math.isfinite(x) and math.isfinite(y)):
        raise InputError(f"--goal is '{text}', expected finite numbers")
    return Pose(x, y)


def _note(each: "Measurement") -> str:
    if each.samples is not None and not each.note:
        return f"mean of {len(each.samples)}"
    return each.note


def _as_json(each: "Measurement") -> dict[str, Any]:
    content: dict[str, Any] = {
        "value": _finite(each.value),
        "unit": each.metric.unit,
        "better": each.metric.better.value,
        "note": each.note,
    }
    if each.samples is not None:
        content["samples"] = [_finite(sample) for sample in each.samples.tolist()]
    return content


def _finite(value: float | None) -> float | str | None:
    """JSON has no infinities: they become words."""
    return value if value is None or math.isfinite(value) else str(value)
