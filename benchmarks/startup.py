"""How long a user waits: import, --help, and the first step on a machine without a cache."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PASEO = Path(sys.executable).with_name("paseo")
FIRST_STEP = """
import paseo
class Stand:
    def begin(self, briefing): pass
    def plan(self, observation): return paseo.Twist(0.0, 0.0)
paseo.simulate(paseo.episode("scripted_eth_against"), Stand())
"""


def seconds(command: list[str], **environment: str) -> float:
    start = time.perf_counter()
    subprocess.run(
        command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, **environment}
    )
    return time.perf_counter() - start


def main() -> int:
    python = sys.executable
    bare = min(seconds([python, "-c", "pass"]) for _ in range(5))
    rows = [
        ("import paseo", min(seconds([python, "-c", "import paseo"]) for _ in range(5)), 0.5),
        ("paseo --help", min(seconds([str(PASEO), "--help"]) for _ in range(5)), 0.5),
        ("first episode, cached", min(seconds([python, "-c", FIRST_STEP]) for _ in range(3)), 30.0),
    ]
    with tempfile.TemporaryDirectory() as cache:
        cold = seconds([python, "-c", FIRST_STEP], NUMBA_CACHE_DIR=cache)
        rows.append(("first episode, nothing compiled yet", cold, 30.0))
    print(f"{'python -c pass':38s} {bare:7.3f} s")
    for name, took, wanted in rows:
        print(f"{name:38s} {took:7.3f} s  (of {wanted:g} s wanted: {took / wanted:.2f})")
    return 0 if all(took < wanted for _, took, wanted in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
