"""Wall time of all 33 curated episodes with `straight` on 2 processes, against the 5 s wanted.

Usage: python benchmarks/walk/suite33.py [DATA_DIR], by default $PASEO_DATA
"""

import os
import sys
import tempfile
import time
from pathlib import Path

from paseo.data.suites.episodes import Choices
from paseo.data.suites.suite_file import shipped_suites
from paseo.registry import PlannerChoice
from paseo.suite.run import run
from paseo.suite.runners.kernels import compile_kernels
from paseo.suite.runs.jobs import RunPlan
from paseo.suite.runs.rundir import RunDirectory

WANTED_S = 5.0


def main(data: Path) -> int:
    compile_kernels(print)
    plan = RunPlan(
        name="socnavbench-33",
        episodes=tuple(shipped_suites()["socnavbench-33"].episodes),
        planners=(PlannerChoice("straight"),),
        seeds=(0,),
        control=None,
        choices=Choices(),
        data=data.resolve(),
    )
    with tempfile.TemporaryDirectory() as folder, RunDirectory(Path(folder) / "run") as out:
        out.create(plan)
        start = time.perf_counter()
        results = run(plan, out, workers=2, progress=lambda finished, total: None)
        seconds = time.perf_counter() - start
    simulated = sum(result.time_s for result in results)
    print(f"{len(results)} episodes, 2 processes: {seconds:.2f} s  (of {WANTED_S:g} s wanted: "
          f"{seconds / WANTED_S:.2f}; {simulated / seconds:,.0f} times real time)")  # fmt: skip
    return 0 if seconds < WANTED_S else 1


if __name__ == "__main__":
    named = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("PASEO_DATA")
    if not named:
        sys.exit("name the folder of recordings: python benchmarks/walk/suite33.py DATA_DIR")
    sys.exit(main(Path(named)))
