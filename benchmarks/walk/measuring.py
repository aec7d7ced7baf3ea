"""Time to measure an episode, against the original's 7 s, and to compare five planners.

Usage: python benchmarks/walk/measuring.py [DATA_DIR]    (with recordings, also times `compare`)
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from paseo.metrics.record.catalog import METRICS
from paseo.metrics.record.measure import measure
from paseo.planners.straight import Straight
from paseo.sim.simulate import simulate
from paseo.world.motion import Pose
from paseo.world.records import Record
from paseo.world.scenarios import Scenario
from paseo.world.space.floorplan import Place, PlaceKind, floor_plan
from paseo.world.tracks import Track

ORIGINAL_S = 7.0  # its fastest episode; see the shared specification, section 2.2
PASEO = Path(sys.executable).with_name("paseo")
PLANNERS = "straight,straight:speed=0.5,straight:speed=0.7,straight:speed=0.9,stop"


def crowded_drive(people: int) -> Record:
    corners = np.array([[0.0, 0.0], [80.0, 0.0], [80.0, 20.0], [0.0, 20.0], [0.0, 0.0]])
    rng = np.random.default_rng(0)
    times = np.arange(0.0, 60.04, 0.04)
    tracks = [
        Track(k, times, np.stack([rng.uniform(2, 78) + 1.0 * np.sin(times / 9 + k),
                                  10 + 8 * np.cos(times / 7 + k)], axis=1))
        for k in range(people)
    ]  # fmt: skip
    places = tuple(Place(f"exit {k}", PlaceKind.EXIT, 4.0 + 9 * k, 18.0) for k in range(8))
    scenario = Scenario(
        name="crowded",
        floorplan=floor_plan("hall", np.stack([corners[:-1], corners[1:]], axis=1), places=places),
        start=Pose(1.0, 10.0),
        goal=Pose(79.0, 10.0),
        tracks=tuple(tracks),
        groups=tuple((k, k + 1) for k in range(0, people - 1, 4)),
    )
    return simulate(scenario, Straight())


def best_seconds(record: Record) -> float:
    measure(record)
    seconds = []
    for _ in range(20):
        start = time.perf_counter()
        measure(record)
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def compare_seconds(data: Path) -> float:
    with tempfile.TemporaryDirectory() as folder:
        out = str(Path(folder) / "run")
        run = [PASEO, "run", "socnavbench-33", "--planner", PLANNERS, "--data", data, "--out", out]
        subprocess.run(run, check=True, capture_output=True)
        seconds = []
        for _ in range(3):
            start = time.perf_counter()
            subprocess.run([PASEO, "compare", out], check=True, capture_output=True)
            seconds.append(time.perf_counter() - start)
    return min(seconds)


def main(data: Path | None) -> int:
    rows = []
    for people, wanted in ((44, 0.010), (152, 0.040)):
        record = crowded_drive(people)
        took = best_seconds(record)
        rows.append((took, wanted))
        print(f"{len(METRICS)} metrics, {len(record.robot)} states, {people} people: "
              f"{took * 1e3:.1f} ms  (of {wanted * 1e3:g} ms wanted: {took / wanted:.2f}; "
              f"the original takes {ORIGINAL_S / took:,.0f} times as long or more)")  # fmt: skip
    if data is not None:
        took = compare_seconds(data)
        rows.append((took, 3.0))
        print(f"paseo compare, 33 episodes x 5 planners, 2,000 draws: {took:.2f} s  "
              f"(of 3 s wanted: {took / 3.0:.2f})")  # fmt: skip
    return 0 if all(took < wanted for took, wanted in rows) else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else None))
