"""Whoever of a run is killed, and whenever: in the end its results are those of one left alone."""

import os
import random
import signal
import subprocess
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from paseo.suite.runners.strays import parent_of
from runs import alive, all_gone, records, started, suite

pytestmark = pytest.mark.slow
PARENT, SERVER, WORKER = "parent", "server", "worker"
KINDS = (PARENT, SERVER, WORKER)
IN_ALL, OF_EACH = 100, 30
MOST_OF_A_RUN = 6
KILLED, FAILED = -signal.SIGKILL, 1


@dataclass
class Killer:
    """Kills processes of each kind in turn, at random moments, and counts whom it has hit."""

    rng: random.Random
    hit: Counter[str] = field(default_factory=Counter)

    def strike(self, process: "subprocess.Popen[str]", mark: str, folder: Path) -> bool:
        """Kill one of the kind that was hit least, if there is one; whether there was."""
        time.sleep(self.rng.uniform(0.0, 0.8))
        wanted = min(KINDS, key=lambda kind: self.hit[kind])
        there = [each for each in alive(mark) if kind_of(each, process.pid) == wanted]
        if not there or process.poll() is not None or not (folder / "run.json").exists():
            return False
        with suppress(ProcessLookupError):
            os.kill(self.rng.choice(there), signal.SIGKILL)
            self.hit[wanted] += 1
            return True
        return False


def kind_of(process: int, parent: int) -> str | None:
    """What a process of a run is; None: it only keeps books, or is about to end."""
    if process == parent:
        return PARENT
    above = parent_of(process)
    try:
        words = Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return None
    if b"forkserver" not in words or above is None:
        return None
    return SERVER if above == parent else WORKER if parent_of(above) == parent else None


def finished(folder: Path, words: list[object], killer: Killer | None) -> None:
    """Run to the end; with a killer processes end now and then, and what stops is resumed."""
    strikes, out = 0, folder / "out"
    while True:
        begun = (out / "run.json").exists()
        again = ["--resume", "--out", out] if begun else [*words, "--out", out]
        process, mark = started("run", *again)
        while process.poll() is None and killer is not None and strikes < MOST_OF_A_RUN:
            strikes += killer.strike(process, mark, out)
        process.communicate()
        assert all_gone(mark)
        if process.returncode == 0:
            return
        assert process.returncode in (FAILED, KILLED), process.returncode


def words_of(folder: Path) -> list[object]:
    planners = "straight,dwa,mppi,time-gap,social-force"
    return [suite(folder, seeds=[0, 1]), "--planner", planners, "--jobs", "2"]


def test_a_hundred_kills_at_random_moments_change_no_result(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of parents, servers and workers, as many as are there; what is counted was hit alive."""
    calm = tmp_path / "calm"
    calm.mkdir()
    finished(calm, words_of(calm), None)
    killer, runs = Killer(random.Random(18)), 0
    while killer.hit.total() < IN_ALL or min(killer.hit[kind] for kind in KINDS) < OF_EACH:
        folder = tmp_path / f"run{runs}"
        folder.mkdir()
        finished(folder, words_of(folder), killer)
        assert records(folder / "out") == records(calm / "out"), dict(killer.hit)
        table = "results.csv"
        assert (folder / "out" / table).read_bytes() == (calm / "out" / table).read_bytes()
        runs += 1
        assert runs < IN_ALL, "too few are hit"
    with capsys.disabled():
        print(f"\n{killer.hit.total()} kills in {runs} runs: {dict(killer.hit)}")
