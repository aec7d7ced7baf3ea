"""Time and size of a report of 33 episodes x 4 planners, against the 30 s and 5 MB wanted.

Usage: python benchmarks/walk/reporting.py [DATA_DIR]    (without recordings: the suite paseo-33)
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PASEO = Path(sys.executable).with_name("paseo")
PLANNERS = "straight,stop,orca,social-force"
WANTED_S, WANTED_MB = 30.0, 5.0


def seconds(*words: object) -> float:
    start = time.perf_counter()
    subprocess.run([PASEO, *map(str, words)], check=True, capture_output=True)
    return time.perf_counter() - start


def main(data: str | None) -> int:
    suite = ("socnavbench-33", "--data", data) if data else ("paseo-33",)
    with tempfile.TemporaryDirectory() as folder:
        run, page, plots = (Path(folder) / name for name in ("run", "report.html", "plots"))
        seconds("run", *suite, "--planner", PLANNERS, "--out", run)
        drawing = seconds("plot", run, "--out", plots)
        took = min(seconds("report", run, "--out", page) for _ in range(2))
        size = page.stat().st_size / 1e6
    print(f"paseo report {suite[0]}, 33 episodes x 4 planners: {took:.1f} s  "
          f"(of {WANTED_S:g} s wanted: {took / WANTED_S:.2f}), {size:.2f} MB  "
          f"(of {WANTED_MB:g} MB wanted: {size / WANTED_MB:.2f})")  # fmt: skip
    print(f"paseo plot, 8 plots as PNG and SVG: {drawing:.1f} s")
    return 0 if took < WANTED_S and size < WANTED_MB else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("PASEO_DATA")))
