"""What a natural gait of recorded people does to planners, and to their order.

    PASEO_DATA=... python benchmarks/walk/gait.py [--planner NAMES] [--suite NAME] [--out DIR]

Prints a table: successes, contacts and rank of each planner with people who walk straight between
annotations (`recorded`) and with people who walk as people do (`natural`).
"""

import argparse
import tempfile
from pathlib import Path

from paseo import RunOptions, run
from paseo.cli.screen import bars
from paseo.report.table import text_table
from paseo.suite.runs.results import Summary
from paseo.world.scenarios import Gait

PLANNERS = ",".join(
    ["straight", "social-force", "orca", "orca-checkpoints", "sacadrl", "sampling", "dwa",
     "time-gap", "mppi"]
)  # fmt: skip


def ranks(rows: list[Summary]) -> dict[str, int]:
    """By successes, then by contacts; equals share the better rank."""
    scores = {row.planner: (-row.success, row.person_contacts) for row in rows}
    return {
        planner: 1 + sum(o < score for o in scores.values()) for planner, score in scores.items()
    }


def _ran(options: argparse.Namespace, gait: Gait, out: Path) -> list[Summary]:
    with bars() as progress:
        return run(
            options.suite,
            options.planner,
            out=out,
            options=RunOptions(gait=gait, jobs=options.jobs),
            resume=(out / "run.json").exists(),
            progress=progress,
        ).summaries


def main() -> None:
    """Run the suite once with each gait and print what changed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--planner", default=PLANNERS)
    parser.add_argument("--suite", default="socnavbench-33")
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--out", type=Path, help="keep the runs here, and take them up again")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = {gait: _ran(options, gait, (options.out or Path(folder)) / gait) for gait in Gait}
    recorded, natural = found[Gait.RECORDED], found[Gait.NATURAL]
    before, after = ranks(recorded), ranks(natural)
    header = ["planner", "success", "natural", "contacts", "natural", "rank", "natural"]
    lines = [
        [a.planner, a.success, b.success, a.person_contacts, b.person_contacts,
         before[a.planner], after[a.planner]]
        for a, b in zip(recorded, natural, strict=True)
    ]  # fmt: skip
    print(text_table(header, lines))


if __name__ == "__main__":
    main()
