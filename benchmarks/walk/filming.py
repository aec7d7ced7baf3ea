"""`paseo run` with and without `--video`, beside filming the same records afterwards.

Films are made in a process of their own while further episodes run, so that the whole should take
no longer than the longer of the two and a fifth.

Usage: python benchmarks/walk/filming.py
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from paseo.render.films.filming import Filming

PASEO = Path(sys.executable).with_name("paseo")
EPISODES, PLANNER = 8, "orca"
SHARE = 1.2  # of the longer of the two


def run(out: Path, *words: str) -> float:
    """Seconds of one run."""
    start = time.perf_counter()
    command = [PASEO, "run", "paseo-33", "--planner", PLANNER, "--limit", str(EPISODES)]
    subprocess.run([*command, "--out", out, *words], check=True, capture_output=True)
    return time.perf_counter() - start


def film(records: list[Path], out: Path) -> float:
    """Seconds in which a process of its own films what is already there."""
    start = time.perf_counter()
    with Filming(out) as filming:
        for record in records:
            filming.add(record)
    return time.perf_counter() - start


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        plain, filmed, films = (Path(folder) / name for name in ("plain", "filmed", "films"))
        run(Path(folder) / "first")  # compiles
        running = run(plain)
        filming = film(sorted((plain / "records").glob("*.npz")), films)
        both = run(filmed, "--video")
    longer = max(running, filming)
    print(f"{EPISODES} episodes: run {running:.1f} s, filmed afterwards {filming:.1f} s")
    print(f"with --video {both:.1f} s = {both / longer:.2f} of the longer (at most {SHARE})")
    return int(both > SHARE * longer)


if __name__ == "__main__":
    sys.exit(main())
