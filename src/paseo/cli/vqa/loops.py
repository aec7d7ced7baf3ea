"""`paseo loops`."""

import argparse
from pathlib import Path

from paseo.cli.arguments import Commands, add_command
from paseo.cli.screen import json_text, output, say


def add_loops_command(commands: Commands) -> None:
    """`paseo loops`."""
    loops = add_command(
        commands, "loops", "hold how well models answer against how well they drive",
        "vqa.loops", "loops",
    )  # fmt: skip
    loops.add_argument(
        "runs", type=Path, nargs="+", metavar="RUN_DIR", help="runs of the planner vlm"
    )
    loops.add_argument(
        "--exam", type=Path, nargs="+", default=[], metavar="DIR",
        help="exams of the same models (default: what they answered while they drove)",
    )  # fmt: skip
    loops.add_argument(
        "--truth", choices=["people", "geometry"], help="what exams are held against"
    )
    loops.add_argument("--out", type=Path, metavar="DIR", help="draw it as .png and .svg into it")
    loops.add_argument("--json", action="store_true", help="print as JSON")


def loops(options: argparse.Namespace) -> int:
    """Print whether who answers better drives better, and draw it."""
    from paseo.report.walk.loops import loops_json, loops_text, save_loops
    from paseo.suite.audit.loops import open_and_closed_loop
    from paseo.vqa.questions.votes import Truth

    truth = Truth(options.truth) if options.truth else None
    found = open_and_closed_loop(options.runs, options.exam, truth=truth)
    output(json_text(loops_json(found)) if options.json else loops_text(found))
    if options.out:
        for path in save_loops(found, options.out):
            say(f"plot: {path}")
    return 0
