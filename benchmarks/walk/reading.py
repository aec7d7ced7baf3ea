"""Reading and resampling the largest recording, and `data check` on all five, against their limits.

Usage: python benchmarks/walk/reading.py DATA_FOLDER
"""

import gzip
import io
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from paseo.crowd_check.examination import examine
from paseo.data.recordings.recordings import read_recording
from paseo.data.store.catalog import known_recordings
from paseo.data.store.locations import DataFolder
from paseo.world.tracks import Recording, resampled, transformed

READING_LIMIT, CHECK_LIMIT = 1.0, 3.0  # seconds
ORIGINAL = 7.0  # seconds for a quarter of univ, as its authors' program was measured elsewhere
DT = 0.05


def seconds(work: Callable[[], object]) -> float:
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def read(name: str, data: Path) -> Recording:
    file = data / "ethucy" / f"{name}.csv.gz"
    return read_recording(file, fps=known_recordings()[name].fps, name=name)


def read_and_resample(data: Path) -> None:
    for track in read("univ", data).tracks:
        first, last = np.ceil(track.times[0] / DT), np.floor(track.times[-1] / DT)
        resampled(track, np.arange(first, last + 1) * DT)


def bare_loadtxt(data: Path) -> None:
    """A lower limit: numpy's own reader of tables, and nothing else."""
    text = gzip.decompress((data / "ethucy" / "univ.csv.gz").read_bytes()).decode()
    np.loadtxt(io.StringIO(text), delimiter=",", skiprows=1)


def check(name: str, data: Path) -> None:
    known = known_recordings()[name]
    recording, plan = read(name, data), DataFolder(data).floorplan(known.map)
    matrix = np.array(known.map_transform)
    tracks = tuple(transformed(track, matrix) for track in recording.tracks)
    examine(Recording(name=name, fps=recording.fps, tracks=tracks), plan)


def main() -> int:
    data = Path(sys.argv[1])
    reading, bare = seconds(lambda: read_and_resample(data)), seconds(lambda: bare_loadtxt(data))
    print(f"read and resample univ to {DT} s: {reading:.3f} s (limit {READING_LIMIT:g} s), "
          f"{reading / bare:.2f} times numpy.loadtxt alone ({bare:.3f} s), "
          f"1/{ORIGINAL / reading:.0f} of what the original takes for a quarter of it")  # fmt: skip
    worst = 0.0
    for name in known_recordings():
        taken = seconds(lambda name=name: check(name, data))
        worst = max(worst, taken)
        print(f"read and check {name}: {taken:.3f} s, {taken / CHECK_LIMIT:.3f} of the limit")
    return 0 if reading < READING_LIMIT and worst < CHECK_LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
