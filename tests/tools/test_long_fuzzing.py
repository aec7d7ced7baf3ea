"""A long run of the fuzzer: shared by processes, gone on with, and nothing found out twice."""

import sys
from functools import partial
from pathlib import Path

import pytest
from fuzz.progress import Progress
from fuzz.sharing import shared
from fuzz.table import Row
from fuzz.target import Limits, Trial, Verdict
from fuzz.warming import once
from fuzz.watching import Order, Problem

import planted

QUICK = Limits(cpu_s=1.0, mib=200.0, silence_s=3.0)
SOME = ("good", "raises", "mumbles", "refuses_all", "takes_all")


def fared(folder: Path, jobs: int) -> dict[str, list[tuple[int, Verdict] | str]]:
    """What became of each mutant of some programs, by program."""
    planted.make(folder)
    orders = [Order(target=planted.TARGETS[name], first=0, last=3, example=folder) for name in SOME]
    found: dict[str, list[tuple[int, Verdict] | str]] = {name: [] for name in SOME}
    for each in shared(orders, "seed", jobs, QUICK, targets="planted"):
        told = each.words if isinstance(each, Problem) else (each.number, each.verdict)
        found[each.target].append(told)
    return found


def test_mutants_and_verdicts_do_not_depend_on_the_number_of_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", ":".join(sys.path))
    folders = [tmp_path / str(jobs) for jobs in (1, 3)]
    for each in folders:
        each.mkdir()
    alone, together = (fared(folder, int(folder.name)) for folder in folders)
    assert alone == together
    assert [len(met) for met in alone.values()] == [3, 3, 3, 1, 3]


def row(name: str, *verdicts: Verdict) -> Row:
    made = Row(name)
    for number, verdict in enumerate(verdicts):
        made.add(Trial(target=name, number=number, verdict=verdict, cpu_s=0.5, peak_mib=9.0))
    return made


def test_a_row_without_a_fault_is_kept_for_its_seed_and_number(tmp_path: Path) -> None:
    file = tmp_path / "new" / "rows.jsonl"
    done = row("map", Verdict.ACCEPTED, Verdict.REFUSED)
    Progress(file, "1", 2).add(done)
    assert Progress(file, "1", 2).rows() == {"map": done}
    assert Progress(file, "2", 2).rows() == Progress(file, "1", 3).rows() == {}


def test_what_failed_or_is_not_done_is_tried_again(tmp_path: Path) -> None:
    progress = Progress(tmp_path / "rows.jsonl", "1", 2)
    progress.add(row("failed", Verdict.ACCEPTED, Verdict.TRACEBACK))
    progress.add(row("half", Verdict.ACCEPTED))
    progress.add(Row("refused", problem="the good example fails"))
    assert progress.rows() == {}


def test_what_was_given_before_is_not_done_again() -> None:
    calls = []

    def draw(*given: object) -> int:
        calls.append(given)
        return len(calls)

    drawn = once(draw)
    name = "".join(["a", "b"])
    assert [drawn(("ab", "ab")), drawn(("ab", name)), drawn(("ab", "ac"))] == [1, 1, 2]
    assert [drawn(partial(row, "a")), drawn(partial(row, "a")), drawn(partial(row, "b"))] == [
        3, 3, 4,
    ]  # fmt: skip
    assert [drawn(lambda: 1), drawn(lambda: 1)] == [5, 6], "what cannot be compared is new"


def test_what_failed_before_fails_again() -> None:
    def fail(number: int) -> None:
        raise ValueError(number)

    failing = once(fail)
    for _ in range(2):
        with pytest.raises(ValueError, match="7"):
            failing(7)
