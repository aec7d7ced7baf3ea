"""The latency curve of some planners: what thinking costs, and when a simple planner is as good.

    python benchmarks/latency/curve.py DATA_DIR [--limit N] [--out DIR] [--plots DIR]

Runs every planner at every declared latency, prints what `paseo compare` says of it and how long it
took. The run is the same, byte for byte, wherever it is made; with `--out` it is kept, and finished
where it was stopped. `--limit` keeps it short, `--plots` draws it.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from paseo.report.walk.compared.output import text
from paseo.report.walk.plots import plot
from paseo.suite.measuring import compare_runs
from paseo.suite.running import Run, run
from paseo.suite.runs.planning import RunOptions

PLANNERS = ("straight", "dwa", "orca", "social-force", "mppi")
LATENCIES = (0.0, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, metavar="DATA_DIR")
    parser.add_argument("--suite", default="paseo-33")
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N episodes")
    parser.add_argument("--jobs", type=int, default=1, metavar="N")
    parser.add_argument("--out", type=Path, metavar="DIR")
    parser.add_argument("--plots", type=Path, metavar="DIR")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        done, seconds = curve(options, options.out or Path(folder) / "run")
        begun = time.perf_counter()
        print(text(compare_runs(done)))
        compared = time.perf_counter() - begun
        if options.plots is not None:
            plot(done, options.plots)
    simulated = sum(result.time_s for result in done.results)
    print(f"\n{len(done.results)} episodes, {simulated:,.0f} s simulated, in {seconds:.0f} s on "
          f"{options.jobs} processes; compared in {compared:.1f} s")  # fmt: skip
    return 0


def curve(options: argparse.Namespace, out: Path) -> tuple[Run, float]:
    """The run, and how many seconds it took now."""
    wanted = RunOptions(
        latencies=LATENCIES, data=options.data, limit=options.limit, jobs=options.jobs
    )
    begun = time.perf_counter()
    resume = (out / "run.json").exists()
    done = run(options.suite, PLANNERS, out=out, options=wanted, resume=resume)
    return done, time.perf_counter() - begun


if __name__ == "__main__":
    sys.exit(main())
