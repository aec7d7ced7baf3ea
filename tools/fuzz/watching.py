"""The process that watches: it starts those that try mutants, and ends one that hangs."""

import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from fuzz.damage import chance, files_of, lay
from fuzz.mutators.files import mutant
from fuzz.target import Limits, Target, Trial, Verdict

PER_CHILD = 1000  # mutants, before a new process is begun
GRACE = 1.2  # times the limit: the child itself judges what ends after it
LOOK_S = 0.5
USUAL = Limits()
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Which mutants of a target are wanted."""

    target: Target
    first: int
    last: int
    example: Path

    @property
    def left(self) -> int:
        """How many there are."""
        return self.last - self.first


@dataclass(frozen=True, slots=True)
class Problem:
    """The good example of a target is not taken, so its mutants would tell nothing."""

    target: str
    words: str


def trials(
    orders: Sequence[Order], seed: str, most: Limits = USUAL, *, targets: str = "fuzz.targets"
) -> Iterator[Trial | Problem]:
    """What became of each mutant, in order; a process that dies or hangs is replaced.

    `targets` is the module whose TARGETS the orders are of.
    """
    rest = list(orders)
    while rest:
        batch = _batch(rest)
        with (
            TemporaryDirectory(dir=_quick_folder()) as scratch,
            _Child(batch, seed, most, Path(scratch), targets) as child,
        ):
            for each in child.trials():
                rest = _without(rest, each)
                yield each


def _batch(orders: Sequence[Order]) -> list[Order]:
    """The first ones, as many mutants as one process tries."""
    chosen, room = [], PER_CHILD
    for each in orders:
        if room > 0:
            chosen.append(replace(each, last=min(each.last, each.first + room)))
            room -= each.left
    return chosen


def _without(orders: Sequence[Order], done: Trial | Problem) -> list[Order]:
    """What is left after a mutant, or after a target that cannot be fuzzed."""
    first, *others = orders
    while first.target.name != done.target:
        first, *others = others
    if isinstance(done, Trial) and done.number + 1 < first.last:
        return [replace(first, first=done.number + 1), *others]
    return others


def _quick_folder() -> str | None:
    memory = Path("/dev/shm")
    return str(memory) if memory.is_dir() and os.access(memory, os.W_OK) else None


class _Child:
    """A process that tries some mutants."""

    def __init__(
        self, orders: Sequence[Order], seed: str, most: Limits, scratch: Path, targets: str
    ) -> None:
        self._most = most
        jobs = [[each.target.name, each.first, each.last, str(each.example)] for each in orders]
        self._orders, self._errors = orders, scratch / "errors"
        with self._errors.open("wb") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "fuzz.child", targets, seed, json.dumps(jobs),
                 json.dumps(asdict(most)), str(scratch)],
                stdout=subprocess.PIPE,
                stderr=errors,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
                env=_surroundings(scratch),
            )  # fmt: skip
        self._lines: queue.Queue[bytes] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def __enter__(self) -> "_Child":
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put(b"")

    def trials(self) -> Iterator[Trial | Problem]:
        """Until all are tried, or one takes the process with it."""
        under_way: tuple[str, int] | None = None
        place = 0
        begun, cpu = time.monotonic(), 0.0
        while True:
            try:
                line = self._lines.get(timeout=LOOK_S)
            except queue.Empty:
                if not self._sleeps():  # who waits for a core has not fallen silent
                    begun = time.monotonic()
                why = self._silent(under_way, time.monotonic() - begun, cpu)
                if why and under_way is not None:
                    yield self._ended(under_way, Verdict.HANG, why)
                    return
                continue
            begun, cpu = time.monotonic(), self._cpu()
            if not line:
                code = self._process.wait()
                if under_way is not None:
                    yield self._ended(under_way, Verdict.TRACEBACK, f"it died with code {code}")
                elif code:
                    yield Problem(self._orders[place].target.name, self._said())
                return
            told = json.loads(line)
            if isinstance(told, list):
                under_way = (told[0], told[1])
                continue
            under_way = None
            if "problem" in told:
                yield Problem(told["target"], told["problem"])
            else:
                yield Trial(**{**told, "verdict": Verdict(told["verdict"])})
            place = [each.target.name for each in self._orders].index(told["target"])
            if "problem" in told or told["number"] + 1 == self._orders[place].last:
                place += 1

    def _silent(self, under_way: tuple[str, int] | None, waited: float, cpu: float) -> str:
        if under_way is None:  # a good example, or what is imported for it
            return ""
        if self._cpu() - cpu > GRACE * self._most.cpu_s:
            return f"more than {self._most.cpu_s:g} s of processor time"
        quiet = self._most.silence_s
        return f"silent for {quiet:g} s" if waited > quiet else ""

    def _said(self) -> str:
        return self._errors.read_text(errors="replace")[-600:]

    def _ended(self, under_way: tuple[str, int], verdict: Verdict, why: str) -> Trial:
        name, number = under_way
        return Trial(target=name, number=number, verdict=verdict, where=why, words=self._said())

    def _cpu(self) -> float:
        """Seconds of processor time so far, of the process alone."""
        return sum(map(int, self._stat()[11:13])) / TICKS

    def _sleeps(self) -> bool:
        return self._stat()[:1] in (["S"], [])

    def _stat(self) -> list[str]:
        """What Linux tells of the process, from its state on; nothing elsewhere."""
        try:
            return Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return []


def _surroundings(scratch: Path) -> dict[str, str]:
    """Nothing of the user's own is read or written, and nothing is drawn from many threads."""
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    return {
        **os.environ,
        **threads,
        "PASEO_DATA": str(scratch / "no-recordings"),
        "COLUMNS": "100",
        "MPLBACKEND": "agg",
        "PYTHONFAULTHANDLER": "1",
    }


def keep(trial: Trial, order: Order, seed: str, folder: Path) -> Path:
    """Keep the guilty file in a folder of its own, by the name of what repeats it."""
    named = f"{trial.target}-{seed}-{trial.number}".replace(" ", "_").replace("/", "_")
    place = folder / named
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    rng = chance(seed, trial.target, trial.number)
    name = rng.choice(files_of(order.target, order.example))
    damage = mutant(name, (order.example / name).read_bytes(), rng)
    lay(place / Path(name).name, damage, stamp=trial.number)
    return place
