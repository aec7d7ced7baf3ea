"""Resident memory of one process after 2,000 episodes, against that after 200."""

import os
import sys
from pathlib import Path

from paseo.data.suites.episodes import episode
from paseo.data.suites.suite_file import shipped_suites
from paseo.planners.straight import Straight
from paseo.sim.simulate import simulate
from paseo.world.recordfile import record_bytes

EARLY, LATE, ALLOWED = 200, 2000, 1.05


def resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def main() -> int:
    names = [entry.name for entry in shipped_suites()["scripted-10"].episodes]
    early = 0.0
    for count in range(1, LATE + 1):
        record_bytes(simulate(episode(names[count % len(names)], seed=count), Straight()))
        if count == EARLY:
            early = resident_mb()
    ratio = resident_mb() / early
    print(f"resident after {EARLY} episodes {early:.1f} MB, after {LATE} {resident_mb():.1f} MB: "
          f"ratio {ratio:.3f} (allowed {ALLOWED})")  # fmt: skip
    return 0 if ratio <= ALLOWED else 1


if __name__ == "__main__":
    sys.exit(main())
