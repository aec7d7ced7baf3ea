"""`paseo plot` and `paseo report`."""

import argparse
from pathlib import Path

from paseo.cli.arguments import Commands, add_command


def add_report_commands(commands: Commands) -> None:
    """`paseo plot | report`."""
    plot = add_command(commands, "plot", "plot metrics of runs", "report", "plot")
    plot.add_argument("runs", type=Path, nargs="+", metavar="RUN_DIR")
    plot.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="for .png, .svg and captions.md"
    )
    plot.add_argument("--theme", choices=["light", "dark"], default="light", help="default: light")
    report = add_command(
        commands, "report", "make one web page of runs, with a player", "report", "report"
    )
    report.add_argument("runs", type=Path, nargs="+", metavar="RUN_DIR")
    report.add_argument("--out", type=Path, required=True, metavar="FILE.html")
    report.add_argument(
        "--metric", action="append", metavar="FILE.py:NAME", help="a metric of your own as well"
    )


def plot(options: argparse.Namespace) -> int:
    """Save every plot, and print where."""
    from paseo.cli.progress import bar
    from paseo.report.walk import plots

    with bar("plot") as progress:
        saved = plots.plot(options.runs, options.out, theme=options.theme, progress=progress)
    print("\n".join(map(str, saved)))
    return 0


def report(options: argparse.Namespace) -> int:
    """Write the page, and print where."""
    from paseo.cli.progress import bar
    from paseo.report.walk import webpage

    with bar("part") as progress:
        page = webpage.write_report(
            options.runs, options.out, metrics=options.metric or (), progress=progress
        )
    print(page)
    return 0
