"""Whoever of a run is killed, and whenever: in the end its results are those of one left alone."""

import os
import random
import signal
import time
from contextlib import suppress
from pathlib import Path

import pytest

from runs import alive, all_gone, records, started, suite

pytestmark = pytest.mark.slow
ROUNDS = 34  # of up to three kills each: a run that ends sooner is struck less often
KILLS = 3


def finished(folder: Path, words: list[object], rng: random.Random | None) -> None:
    """Run to the end; with `rng` processes are killed now and then, and what stops is resumed."""
    kills = 0
    while True:
        begun = (folder / "out/run.json").exists()
        again = (
            ["--resume", "--out", folder / "out"] if begun else [*words, "--out", folder / "out"]
        )
        process, mark = started("run", *again)
        while process.poll() is None and rng is not None and kills < KILLS:
            time.sleep(rng.uniform(0.0, 0.6))
            victims = alive(mark)
            if victims and process.poll() is None:
                _kill(rng.choice(victims))
                kills += 1
        process.communicate()
        assert all_gone(mark)
        if process.returncode == 0:
            return
        assert process.returncode in (1, -signal.SIGKILL), process.returncode


def _kill(process: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("calm")
    finished(folder, words_of(folder), None)
    return folder


def words_of(folder: Path) -> list[object]:
    return [suite(folder), "--planner", "straight,dwa,mppi,time-gap", "--jobs", "2"]


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_kills_at_random_moments_change_no_result(calm: Path, tmp_path: Path, seed: int) -> None:
    finished(tmp_path, words_of(tmp_path), random.Random(seed))
    assert records(tmp_path / "out") == records(calm / "out")
