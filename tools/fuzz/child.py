"""The process that tries mutants: one after the other, telling of each when it begins and ends."""

import contextlib
import gc
import importlib
import io
import json
import os
import resource
import shutil
import sys
import traceback
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from fuzz.damage import chance, files_of, lay, remove
from fuzz.mutators.files import mutant
from fuzz.target import Limits, Lost, Target, Trial, Verdict

ROOM = 1.5  # times the limit, of address space beyond what is taken: a flood ends in MemoryError
GRACE_S = 5.0  # of processor time beyond the limit, after which the kernel ends the process
LONGEST_WORDS = 4000  # characters of a refusal
QUIET = set(range(32)) - {9, 10, 13} | set(range(127, 160))  # signs that command a terminal


def main(arguments: list[str]) -> None:
    """Try some mutants of some targets; lines of JSON tell which begins and how it fared."""
    module, seed, jobs, limits, scratch = arguments
    targets = importlib.import_module(module).TARGETS
    say = os.fdopen(os.dup(1), "w", buffering=1)
    most = Limits(**json.loads(limits))
    for place, (name, first, last, example) in enumerate(json.loads(jobs)):
        target = targets[name]
        with Bench(target, Path(example), Path(scratch) / str(place), most) as bench:
            if problem := bench.problem(target):
                say.write(json.dumps({"target": name, "problem": problem}) + "\n")
                continue
            gc.collect()
            gc.freeze()  # what is loaded by now stays, and is not looked through again
            with limited_memory(most):
                for number in range(first, last):
                    limit_cpu(most)
                    say.write(json.dumps([name, number]) + "\n")
                    say.write(json.dumps(asdict(bench.tried(target, seed, number))) + "\n")


class Bench:
    """A folder with a good example, in which one file after the other is damaged and mended."""

    def __init__(self, target: Target, example: Path, scratch: Path, most: Limits) -> None:
        self.most = most
        self.example, self.here, self.out = example, scratch / "here", scratch / "out"
        self.aside = scratch / "aside"
        scratch.mkdir()
        shutil.copytree(example, self.here, symlinks=True)
        self.files = files_of(target, example)
        self._stamps = dict(_stamps(example))
        self._before = Path.cwd()

    def __enter__(self) -> "Bench":
        os.chdir(self.here)
        return self

    def __exit__(self, *_: object) -> None:
        os.chdir(self._before)

    def problem(self, target: Target) -> str:
        """Why the good example is not taken; empty if it is. What is compiled first takes time."""
        for _ in range(2):
            good = self.run(target)
            self._mend()
            if good.verdict is not Verdict.HANG:
                break
        taken = good.verdict is Verdict.ACCEPTED
        return "" if taken else f"the good example fails ({good.verdict}): {good.words}"

    def tried(self, target: Target, seed: str, number: int) -> Trial:
        """One mutant, judged; the good example stands there again afterwards."""
        rng = chance(seed, target.name, number)
        name = rng.choice(self.files)
        place = self.here / name
        lay(place, mutant(name, (self.example / name).read_bytes(), rng), stamp=number)
        try:
            return self.run(target, number)
        finally:
            self._mend()

    def run(self, target: Target, number: int = -1) -> Trial:
        """The command, and after a success the oracle."""
        for each in (self.out, self.aside):
            shutil.rmtree(each, ignore_errors=True)
            each.mkdir()
        _forget_peak()
        begun = _cpu()
        verdict, where, words = judged(target, self.here, self.out)
        if verdict is Verdict.ACCEPTED:
            verdict, where, words = compared(target, self.here, self.aside)
        cpu, peak = _cpu() - begun, _peak_mib()
        if verdict in (Verdict.ACCEPTED, Verdict.REFUSED):
            if peak > self.most.mib:
                verdict, where, words = Verdict.MEMORY, "peak", f"{peak:.0f} MiB"
            elif cpu > self.most.cpu_s:
                verdict, where, words = Verdict.HANG, "slow", f"{cpu:.1f} s"
        return Trial(
            target=target.name,
            number=number,
            verdict=verdict,
            where=where,
            words=words[-600:],
            cpu_s=cpu,
            peak_mib=peak,
        )

    def _mend(self) -> None:
        """Take away what the command left in the folder, and put back what it changed."""
        found = dict(_stamps(self.here))
        if found == self._stamps:
            return
        for name, stamp in reversed(found.items()):
            if stamp != self._stamps.get(name):
                remove(self.here / name)
        for name in self._stamps:
            if not (self.here / name).exists():
                _copied(self.example / name, self.here / name)


def _stamps(folder: Path, within: str = "") -> Iterator[tuple[str, tuple[int, ...]]]:
    """What tells a file that was changed, by its name; of a folder, before its files, nothing."""
    with os.scandir(folder) as found:
        for each in sorted(found, key=lambda entry: entry.name):
            name = f"{within}{each.name}"
            if each.is_dir(follow_symlinks=False):
                yield name, ()
                yield from _stamps(folder / each.name, f"{name}/")
            else:
                told = each.stat(follow_symlinks=False)
                yield name, (told.st_mtime_ns, told.st_size)


def _copied(good: Path, place: Path) -> None:
    if good.is_dir():
        place.mkdir()
    else:
        shutil.copy2(good, place)


def judged(target: Target, here: Path, out: Path) -> tuple[Verdict, str, str]:
    """What a command makes of the files, where it failed, and what it said."""
    words = target.command.replace("OUT", str(out)).split()
    said, talk = _Screen("strict"), _Screen("backslashreplace")
    try:
        with _streams(said, talk):
            code = target.program(words)
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        verdict = Verdict.MEMORY if isinstance(error, MemoryError) else Verdict.TRACEBACK
        return verdict, origin(error), _brief(error)
    told = talk.text()
    if "Traceback (most recent call last)" in told:
        return Verdict.TRACEBACK, f"printed: {told.splitlines()[-1][:80]}", told
    if problem := badly_said(code in target.codes, said.text(), told):
        return Verdict.WORDS, problem, told
    taken = target.accepted in told if target.accepted else code in target.codes
    return (Verdict.ACCEPTED if taken else Verdict.REFUSED), "", told


def badly_said(worked: bool, said: str, told: str) -> str:
    """What is wrong with how something was told; empty if nothing is."""
    raw = sorted({ord(sign) for sign in said + told} & QUIET)
    if raw:
        return f"the sign {raw[0]:#x} reaches the screen"
    if worked:
        return ""
    if "paseo" not in told:
        return "refused without a word"
    if len(told) > LONGEST_WORDS:
        return "refused in far too many words"
    return ""


def compared(target: Target, here: Path, aside: Path) -> tuple[Verdict, str, str]:
    """Whether what was accepted comes back as it went in."""
    try:
        target.oracle(here, aside)
    except Lost as error:
        return Verdict.LOST, str(error)[:60], str(error)
    except Exception as error:
        verdict = Verdict.MEMORY if isinstance(error, MemoryError) else Verdict.LOST
        return verdict, origin(error), _brief(error)
    return Verdict.ACCEPTED, "", ""


def origin(error: BaseException) -> str:
    """Where an error came from: its kind, the last line of ours, and the last one at all."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [each for each in frames if "/paseo/" in each.filename]
    shown = [*ours[-1:], *frames[-1:]]
    places = [f"{each.filename.rpartition('/paseo/')[2][-50:]}:{each.name}" for each in shown]
    return f"{type(error).__name__} in {' < '.join(dict.fromkeys(reversed(places)))}"


def _brief(error: BaseException) -> str:
    return f"{type(error).__name__}: {str(error)[:300]}"


class _Screen(io.TextIOWrapper):
    """A stream that refuses what a real one would."""

    def __init__(self, errors: str) -> None:
        self.held = io.BytesIO()
        super().__init__(self.held, encoding="utf-8", errors=errors, write_through=True)

    def text(self) -> str:
        return self.held.getvalue().decode("utf-8", "replace")


@contextlib.contextmanager
def _streams(out: io.TextIOWrapper, err: io.TextIOWrapper) -> Iterator[None]:
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        yield


def _cpu() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _forget_peak() -> None:
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def _peak_mib() -> float:
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:  # no Linux: the most this process ever had
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return next(
        int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmHWM")
    )


@contextlib.contextmanager
def limited_memory(most: Limits) -> Iterator[None]:
    """Some room beyond what is taken now, so that a flood ends in a MemoryError."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except OSError:  # no Linux
        yield
        return
    size = pages * resource.getpagesize() + int(ROOM * most.mib * 2**20)
    resource.setrlimit(resource.RLIMIT_AS, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def limit_cpu(most: Limits) -> None:
    """Ended by the kernel after so much more processor time, whoever may still be watching."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    seconds = int(used.ru_utime + used.ru_stime + most.cpu_s + GRACE_S) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, resource.getrlimit(resource.RLIMIT_CPU)[1]))


if __name__ == "__main__":
    main(sys.argv[1:])
