"""The `paseo` command: its words, and what each calls."""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from paseo.cli.arguments import (
    Commands,
    Parser,
    add_command,
    add_data_option,
    flag,
    natural,
    positive,
)
from paseo.cli.ask_words import add_ask_commands
from paseo.cli.crowd_words import add_crowd_commands
from paseo.cli.data_words import add_data_commands
from paseo.cli.draw_words import add_draw_command
from paseo.cli.report_words import add_report_commands
from paseo.cli.scenes_words import add_scenes_commands
from paseo.cli.score_words import add_score_command
from paseo.errors import PaseoError

INTERRUPTED = 130
LISTED = ["suites", "episodes", "planners", "robots", "maps", "metrics", "models"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 if it worked, 1 if it failed, 2 if it was used wrongly."""
    options = parser().parse_args(arguments)
    try:
        command = importlib.import_module(options.module)
        code = int(getattr(command, options.function)(options))
        sys.stdout.flush()  # here, where a closed pipe or a full disk can still be told
        return code
    except PaseoError as error:
        print(f"paseo: {error.spelled(flag)}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("paseo: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read the output has seen enough; there is nobody left to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        print(f"paseo: {where}{error.strerror or error}", file=sys.stderr)
        return 1


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    top = Parser(
        prog="paseo", description="A test bench for robots and models that move among people."
    )
    top.add_argument("--version", action="version", version=_version())
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_run(commands)
    _add_list(commands)
    _add_log(commands)
    _add_rerun(commands)
    _add_measure(commands)
    _add_compare(commands)
    add_draw_command(commands)
    add_report_commands(commands)
    add_data_commands(commands)
    add_crowd_commands(commands)
    add_scenes_commands(commands)
    add_ask_commands(commands)
    add_score_command(commands)
    schema = add_command(
        commands, "schema", "print the JSON schema of suite files", "info", "schema"
    )
    schema.add_argument(
        "kind",
        nargs="?",
        choices=["suite", "robot", "priorities"],
        default="suite",
        help="default: suite",
    )
    doctor = add_command(
        commands, "doctor", "say what is installed and where data is", "info", "doctor"
    )
    add_data_option(doctor)
    return top


def _version() -> str:
    from importlib.metadata import version

    return f"paseo {version('paseo')}"


def _add_run(commands: Commands) -> None:
    run = add_command(commands, "run", "run planners through a suite or an episode", "run", "run")
    run.add_argument(
        "target", nargs="?", metavar="SUITE|EPISODE", help="a name (see `paseo list`) or suite file"
    )
    run.add_argument(
        "--planner",
        metavar="NAME[:key=value][,NAME...]",
        help="by name (see `paseo list planners`) or file.py:Class",
    )
    run.add_argument("--control", choices=["velocity", "position"], help="override the planner's")
    add_data_option(run)
    run.add_argument("--out", type=Path, metavar="DIR", help="default: runs/<name>-<date>-<time>")
    run.add_argument("--rule", choices=["everyone", "socnavbench"], help="who is present")
    run.add_argument("--jobs", type=positive, metavar="N", help="processes (default: all cores)")
    run.add_argument("--seed", type=natural, metavar="N", help="instead of the suite's seeds")
    run.add_argument("--limit", type=positive, metavar="N", help="only the first N episodes")
    run.add_argument("--resume", action="store_true", help="finish the run in --out")
    run.add_argument("--json", action="store_true", help="print results as JSON")
    run.add_argument(
        "--video", action="store_true", help="also film every episode, into films/ of the run"
    )
    run.add_argument(
        "--robot", metavar="NAME|FILE", help="see `paseo list robots`, or a robot file"
    )
    run.add_argument(
        "--sense",
        metavar="KEY=VALUE[,...]",
        help="what the robot can tell about people, e.g. range_m=6,occlusion=true",
    )
    run.add_argument("--stall-limit-s", type=float, metavar="S", help="a slower plan() has failed")
    run.add_argument(
        "--hang-limit-s", type=float, metavar="S", help="kill a planner silent so long"
    )
    _add_people(run)


def _add_people(run: argparse.ArgumentParser) -> None:
    """What people do when the robot comes."""
    run.add_argument("--stop-on-contact", action="store_true", help="end at the first contact")
    run.add_argument(
        "--pause-s", type=float, metavar="S", help="people who are touched stand so long"
    )
    run.add_argument(
        "--cooldown-s", type=float, metavar="S", help="then cannot be stopped again so long"
    )
    run.add_argument(
        "--reaction",
        choices=["pause", "social-force", "orca"],
        help="how people answer the robot (default: not at all)",
    )
    run.add_argument(
        "--reactivity",
        type=_dial,
        metavar="R[,R...]",
        help="how much, from 0 (as recorded) to 1; several are run one after the other",
    )


def _add_list(commands: Commands) -> None:
    listing = add_command(commands, "list", "list what there is to run", "listing", "listing")
    listing.add_argument("what", choices=LISTED)
    listing.add_argument("--json", action="store_true", help="print as JSON")
    add_data_option(listing)
    listing.add_argument(
        "--rule", choices=["everyone", "socnavbench"], default="everyone", help="who is present"
    )


def _add_log(commands: Commands) -> None:
    log = add_command(commands, "log", "print what happened in a record", "records", "log")
    log.add_argument("record", type=Path, metavar="RECORD")
    log.add_argument("--csv", type=Path, metavar="FILE", help="every step as CSV; - for stdout")
    log.add_argument(
        "--jsonl", type=Path, metavar="FILE", help="every step as JSON lines; - for stdout"
    )


def _add_rerun(commands: Commands) -> None:
    rerun = add_command(
        commands, "rerun", "repeat a record and compare the bytes", "records", "rerun"
    )
    rerun.add_argument("record", type=Path, metavar="RECORD")
    rerun.add_argument("--planner", metavar="FILE.py:CLASS", help="where the planner is now")
    rerun.add_argument("--out", type=Path, metavar="FILE", help="keep the new record here")


def _add_measure(commands: Commands) -> None:
    measure = add_command(commands, "measure", "score a record or a log", "measuring", "measure")
    measure.add_argument("file", type=Path, metavar="FILE", help="a record (.npz) or a CSV log")
    measure.add_argument("--goal", metavar="X,Y", help="where the robot of a log was going")
    measure.add_argument("--map", metavar="FILE", help="the floor plan of a log, or a shipped map")
    measure.add_argument("--json", action="store_true", help="print as JSON, distributions too")
    _add_metric_choice(measure)


def _add_compare(commands: Commands) -> None:
    compare = add_command(commands, "compare", "put planners side by side", "measuring", "compare")
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


def _dial(text: str) -> tuple[float, ...]:
    try:
        stops = tuple(float(cell) for cell in text.split(","))
    except ValueError:
        stops = ()
    if not stops or len(set(stops)) < len(stops) or not all(0 <= stop <= 1 for stop in stops):
        raise argparse.ArgumentTypeError(
            f"expected different numbers from 0 to 1 such as 0,0.5,1, not '{text[:40]}'"
        )
    return stops
