"""What it costs that planners are strangers: a run now, and by the runner as it was before.

33 episodes with nine planners, alternating, each `REPEATS` times; of each the quickest counts, for
other programs only ever make one slower. Needs git and the history; the records of both must be
the same, byte for byte.

Usage: python benchmarks/isolation.py [DATA_DIR] [REPEATS], by default $PASEO_DATA and 3
"""

import ctypes
import hashlib
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parents[1]
BEFORE = "6c8b659^"  # the last commit in which workers went from one planner to the next
SUITE = "socnavbench-33"
PLANNERS = "straight,social-force,orca,orca-checkpoints,sacadrl,sampling,dwa,time-gap,mppi"
ALLOWED = 1.10
ADOPT = 36  # PR_SET_CHILD_SUBREAPER of prctl(2)
COMMAND = "import sys; from paseo.cli.main import main; sys.exit(main(sys.argv[1:]))"


@dataclass(frozen=True, slots=True)
class Cost:
    """Of one run, in seconds."""

    wall: float
    processor: float  # of all processes that it started


def main(data: Path, repeats: int) -> int:
    ctypes.CDLL(None).prctl(ADOPT, 1, 0, 0, 0)  # whom a run leaves behind is counted here as well
    with tempfile.TemporaryDirectory() as folder:
        before = unpacked(Path(folder) / "before")
        sources = {"before": before / "src", "now": HERE / "src"}
        for name, source in sources.items():  # kernels are compiled, once for each source
            timed(source, data, Path(folder) / f"warm-{name}", limit=1)
        costs: dict[str, list[Cost]] = {name: [] for name in sources}
        sums = set()
        for repeat in range(repeats):
            for name in list(sources)[:: 1 if repeat % 2 else -1]:
                out = Path(folder) / f"{name}-{repeat}"
                costs[name].append(timed(sources[name], data, out))
                sums.add(digest(out))
                told(f"{name} {repeat + 1}", costs[name][-1])
    return judged(costs, sums)


def unpacked(folder: Path) -> Path:
    """The sources as they were."""
    folder.mkdir()
    packed = subprocess.run(["git", "-C", HERE, "archive", BEFORE, "src"], capture_output=True)
    if packed.returncode:
        sys.exit(f"the runner as it was cannot be had: {packed.stderr.decode().strip()}")
    subprocess.run(["tar", "-x", "-C", folder], input=packed.stdout, check=True)
    return folder


def timed(source: Path, data: Path, out: Path, limit: int = 33) -> Cost:
    words = ["run", SUITE, "--planner", PLANNERS, "--data", data, "--out", out, "--limit", limit]
    environment = {**os.environ, "PYTHONPATH": str(source)}
    begun, used = time.perf_counter(), used_s()
    command = [sys.executable, "-c", COMMAND, *map(str, words)]
    subprocess.run(command, env=environment, check=True, capture_output=True)
    wall = time.perf_counter() - begun
    while True:  # the server that workers are forked from ends a moment later
        try:
            os.wait()
        except ChildProcessError:
            return Cost(wall, used_s() - used)


def used_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def digest(out: Path) -> str:
    """Of all records; what a version says of itself is the same in both."""
    total = hashlib.sha256()
    for file in sorted((out / "records").glob("*.npz")):
        total.update(file.name.encode() + file.read_bytes())
    return total.hexdigest()


def told(what: str, cost: Cost) -> None:
    load = os.getloadavg()[0]
    print(
        f"{what:>10}: {cost.wall:7.2f} s wall, {cost.processor:7.2f} s processor, load {load:.1f}"
    )


def judged(costs: dict[str, list[Cost]], sums: set[str]) -> int:
    best = {
        name: Cost(min(each.wall for each in found), min(each.processor for each in found))
        for name, found in costs.items()
    }
    wall = best["now"].wall / best["before"].wall
    processor = best["now"].processor / best["before"].processor
    same = "the same" if len(sums) == 1 else "NOT the same"
    print(f"33 episodes x 9 planners, now against before (quickest of {len(costs['now'])}): wall "
          f"{wall:.3f}, processor {processor:.3f} (allowed {ALLOWED:.2f}); records {same}; "
          f"{os.cpu_count()} cores, load {os.getloadavg()[1]:.1f}")  # fmt: skip
    return 0 if max(wall, processor) <= ALLOWED and len(sums) == 1 else 1


if __name__ == "__main__":
    named = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("PASEO_DATA")
    if not named:
        sys.exit("name the folder of recordings: python benchmarks/isolation.py DATA_DIR")
    sys.exit(main(Path(named), int(sys.argv[2]) if len(sys.argv) > 2 else 3))
