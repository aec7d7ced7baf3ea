"""What a command costs that is run in a process of its own: processor time, memory, words."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

MOST_SECONDS, MOST_MEBIBYTES, MOST_WORDS = 10.0, 1024, 3000
MAIN = "from paseo.cli.main import main; raise SystemExit(main())"
LIMITED = "import resource as r; r.setrlimit(r.RLIMIT_CPU, (30, 30)); "
# A process counts the memory of the one it was forked from, too: so a small one stands between.
WATCH = """
import os, signal, subprocess, sys
child = subprocess.Popen(sys.argv[1:], stdout=2, start_new_session=True)
signal.signal(signal.SIGALRM, lambda *_: os.killpg(child.pid, signal.SIGKILL))
signal.alarm(200)
_, status, used = os.wait4(child.pid, 0)
child.returncode = 0
try:
    os.killpg(child.pid, signal.SIGKILL)  # whatever it has left behind
except ProcessLookupError:
    pass
print(used.ru_utime + used.ru_stime, used.ru_maxrss, os.waitstatus_to_exitcode(status))
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What a command took, and said."""

    seconds: float  # of a processor
    mebibytes: int
    code: int
    told: str


def cost_of(words: list[str], folder: Path) -> Cost:
    """Run a command to its end in a folder."""
    environment = {**os.environ, "HOME": str(folder), "PASEO_DATA": str(folder / "data")}
    done = subprocess.run(
        [sys.executable, "-c", WATCH, sys.executable, "-c", LIMITED + MAIN, *words],
        cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=300,
    )  # fmt: skip
    seconds, kibibytes, code = done.stdout.split()
    told = done.stderr.decode(errors="replace")
    return Cost(seconds=float(seconds), mebibytes=int(kibibytes) >> 10, code=int(code), told=told)


def check_cost(cost: Cost, *, may_be_read: bool = False) -> None:
    """Refused in few words, or read where that is no mistake, and at a small cost either way."""
    assert "Traceback" not in cost.told, cost.told[-2000:]
    assert "--help" not in cost.told, "the command itself is wrong, so that nothing was read"
    assert cost.seconds < MOST_SECONDS and cost.mebibytes < MOST_MEBIBYTES, cost
    if not may_be_read:
        assert cost.code in (1, 2), cost
        assert len(cost.told) < MOST_WORDS, cost.told[:500]
