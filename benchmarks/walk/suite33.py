"""Wall time of all 33 curated episodes with `straight` on 2 processes, against the 5 s wanted.

Usage: python benchmarks/walk/suite33.py [DATA_DIR], by default $PASEO_DATA
"""

import os
import sys
import tempfile
import time
from pathlib import Path

from paseo.suite.runners.kernels import compile_kernels
from paseo.suite.running import run
from paseo.suite.runs.planning import RunOptions

WANTED_S = 5.0


def main(data: Path) -> int:
    compile_kernels(print)
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        options = RunOptions(data=data, jobs=2)
        results = run(
            "socnavbench-33", "straight", out=Path(folder) / "run", options=options
        ).results
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
