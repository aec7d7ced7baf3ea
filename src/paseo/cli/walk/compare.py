"""`paseo measure` and `paseo compare`."""

import argparse
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paseo.cli.arguments import Commands, Parser, add_command, natural
from paseo.cli.screen import bar, json_text, output, say
from paseo.errors import InputError

if TYPE_CHECKING:
    from paseo.metrics.comparison.asking import Asked
    from paseo.metrics.record.metric import Measurement
    from paseo.world.motion import Pose


def add_compare_commands(commands: Commands) -> None:
    """`paseo measure | compare`."""
    measure = add_command(commands, "measure", "score a record or a log", "walk.compare", "measure")
    measure.add_argument("file", type=Path, metavar="FILE", help="a record (.npz) or a CSV log")
    measure.add_argument("--goal", metavar="X,Y", help="where the robot of a log was going")
    measure.add_argument("--map", metavar="FILE", help="the floor plan of a log, or a shipped map")
    measure.add_argument("--json", action="store_true", help="print as JSON, distributions too")
    _add_metric_choice(measure)
    compare = add_command(
        commands, "compare", "put planners side by side", "walk.compare", "compare"
    )
    compare.add_argument("runs", type=Path, nargs="+", metavar="RUN_DIR")
    compare.add_argument(
        "--format", choices=["text", "markdown", "csv", "latex", "json"], default="text"
    )
    compare.add_argument(
        "--all", action="store_true", help="every table and every pair, not what fits on a screen"
    )
    compare.add_argument(
        "--brief", action="store_true", help="only the layout of the paper's Tables 2 to 4"
    )
    compare.add_argument(
        "--priorities", type=Path, metavar="FILE", help="weights and limits to rank planners by"
    )
    compare.add_argument("--seed", type=natural, default=0, metavar="N", help="of random draws")
    _add_choice(compare)
    _add_metric_choice(compare)


def _add_choice(command: Parser) -> None:
    """What to compare; all that was run where nothing is said."""
    command.add_argument(
        "--planner", action="append", metavar="NAME", help="only these planners (again for more)"
    )
    command.add_argument(
        "--without", action="append", metavar="NAME", help="all planners but these"
    )
    command.add_argument("--baseline", metavar="NAME", help="each planner against this one only")
    command.add_argument(
        "--primary",
        metavar="NAME,...",
        help="the metrics that are claimed (default: success,person_collisions,time_to_goal)",
    )
    command.add_argument(
        "--metrics", metavar="NAME,...", help="only these besides the primary ones"
    )
    command.add_argument(
        "--episodes", metavar="NAME,...", help="only these; patterns such as 'univ_*' too"
    )
    command.add_argument(
        "--by", choices=["map", "flow", "density"], help="also for each kind of episode apart"
    )


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
        output(json_text({name: _as_json(each) for name, each in found.items()}))
    else:
        rows = [
            (name, each.value, each.metric.unit, each.metric.better.value, _note(each))
            for name, each in found.items()
        ]
        output(text_table(("metric", "value", "unit", "better", "note"), rows))
    return 0


def compare(options: argparse.Namespace) -> int:
    """Print planners side by side."""
    from paseo.report.formats import LAYOUTS
    from paseo.report.walk.compared.output import as_json, text
    from paseo.report.walk.compared.tables import paper_tables
    from paseo.report.walk.compared.words import careful
    from paseo.suite.measuring import compare_runs

    with bar("record") as progress:
        comparison = compare_runs(
            options.runs,
            metrics=options.metric or (),
            variant=options.variant,
            asked=_asked(options),
            priorities=options.priorities,
            seed=options.seed,
            progress=progress,
        )
    if options.format == "json":
        output(json_text(as_json(comparison)))
    elif options.brief:
        layout = "markdown" if options.format == "text" else options.format
        output(LAYOUTS[layout](paper_tables(comparison)))
    else:
        output(text(comparison, options.format, whole=options.all))
        if not options.all and options.format == "text":
            say("every table and pair: --all; one planner against each: --baseline NAME")
    for warning in careful(comparison):
        if options.brief or options.format in ("csv", "json"):
            say(warning)
    return 0


def _asked(options: argparse.Namespace) -> "Asked":
    from paseo.metrics.comparison.asking import Asked, By
    from paseo.metrics.comparison.families import PRIMARY

    def names(text: str | None) -> tuple[str, ...]:
        return tuple(word.strip() for word in text.split(",")) if text else ()

    return Asked(
        planners=_planners(options.planner),
        without=_planners(options.without),
        metrics=names(options.metrics),
        episodes=names(options.episodes),
        primary=names(options.primary) or PRIMARY,
        baseline=options.baseline,
        by=By(options.by) if options.by else None,
    )


def _planners(texts: list[str] | None) -> tuple[str, ...]:
    """Named as for a run: several at once, each with its parameters."""
    from paseo.planners.choices import parse_planners

    return tuple(choice.label for text in texts or () for choice in parse_planners(text))


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
