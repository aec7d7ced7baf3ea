"""The words after `paseo plot` and `paseo report`."""

from pathlib import Path

from paseo.cli.arguments import Commands, add_command


def add_report_commands(commands: Commands) -> None:
    """`paseo plot | report`."""
    plot = add_command(commands, "plot", "plot metrics of runs", "plotting", "plot")
    plot.add_argument("runs", type=Path, nargs="+", metavar="RUN_DIR")
    plot.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="for .png, .svg and captions.md"
    )
    plot.add_argument("--theme", choices=["light", "dark"], default="light", help="default: light")
    report = add_command(
        commands, "report", "make one web page of runs, with a player", "reporting", "report"
    )
    report.add_argument("runs", type=Path, nargs="+", metavar="RUN_DIR")
    report.add_argument("--out", type=Path, required=True, metavar="FILE.html")
    report.add_argument(
        "--metric", action="append", metavar="FILE.py:NAME", help="a metric of your own as well"
    )
    report.set_defaults(variant="definition")
