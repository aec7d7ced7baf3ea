"""`paseo run`."""

import argparse
import shlex
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from paseo.cli.arguments import Commands, add_command
from paseo.cli.screen import bars, json_text, output, say
from paseo.cli.trust import consent
from paseo.cli.walk.run_options import add_run_options, run_options
from paseo.stopping import INTERRUPTED

if TYPE_CHECKING:
    from paseo.suite.running import Run


def add_run_commands(commands: Commands) -> None:
    """Run planners through a suite or an episode."""
    text = "run planners through a suite or an episode"
    add_run_options(add_command(commands, "run", text, "walk.run", "run"))


def run(options: argparse.Namespace) -> int:
    """Run what was asked for and print a table of how it went."""
    from paseo.suite.running import RunStopped
    from paseo.suite.running import run as run_suite

    if options.draws:
        from paseo.cli.drives import run_draws

        return run_draws(options, run_options(options), consent(options))
    try:
        with bars() as progress:
            done = run_suite(
                options.target,
                options.planner,
                out=options.out,
                options=run_options(options),
                resume=options.resume,
                progress=progress,
                trust=consent(options),
            )
    except RunStopped as stopped:
        video = " --video" if options.video else ""
        folder = shlex.quote(str(stopped.folder))
        say(f"stopped; finish with: paseo run --resume{video} --out {folder}")
        return INTERRUPTED
    if done.deaths:
        say(f"{done.deaths} workers were lost; their episodes were tried again in new ones")
    for problem in (*done.unfilmed, *done.blind):
        say(problem)
    print_results(done, as_json=options.json, time_planning=options.time_planning)
    return 0


def print_results(done: "Run", *, as_json: bool, time_planning: bool = False) -> None:
    """Say how a run went, as a table or as JSON."""
    if as_json:
        content = _as_json(done)
        if time_planning:
            content["planning"] = [asdict(row) for row in done.planning]
        output(json_text(content))
        return
    from paseo.report.walk.run_tables import LEGEND, planning_table, results_table

    output(results_table(done.summaries))
    say(LEGEND)
    if time_planning:
        output(f"\n{planning_table(done.planning)}")
        say(done.timing_words)
    output(f"\nresults: {done.folder}")


def _as_json(run: "Run") -> dict[str, Any]:
    return {
        "out": str(run.folder),
        "summary": [asdict(row) for row in run.summaries],
        "results": [asdict(result) for result in run.results],
    }
