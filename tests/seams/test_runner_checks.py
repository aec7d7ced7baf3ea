"""The contract check passes the runners that ship and names what bad ones do wrong."""

from collections.abc import Generator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from paseo.checks import ContractBroken, check_runner
from paseo.errors import UnknownName
from paseo.suite.runners.runner import RUNNERS, Finished, Task, make_runner
from paseo.suite.runners.serial import SerialRunner


@pytest.mark.parametrize("name", RUNNERS.shipped)
def test_the_runners_that_ship_keep_the_contract(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # where nobody else writes files meanwhile
    check_runner(lambda jobs: make_runner(name, jobs))


def test_a_runner_that_nobody_knows_is_refused() -> None:
    with pytest.raises(UnknownName, match=r"no runner is called 'seral'. Did you mean 'serial'\?"):
        make_runner("seral", 1)


def test_a_runner_of_another_package_is_found_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = tmp_path / "cluster-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: cluster\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[paseo.runners]\ncluster = cluster_runner:Cluster\n")
    (tmp_path / "cluster_runner.py").write_text(
        "class Cluster:\n    def __init__(self, jobs): self.jobs = jobs\n"
        "    def results(self, tasks): yield from ()\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert make_runner("cluster", 7).jobs == 7  # type: ignore[attr-defined]


class Bad:
    """Does all tasks as they should be done, then alters what came of them."""

    def results(self, tasks: Sequence[Task]) -> Generator[Finished, None, None]:
        yield from self.altered(list(SerialRunner().results(tasks)))

    def altered(self, found: list[Finished]) -> list[Finished]:
        raise NotImplementedError


class Loses(Bad):
    def altered(self, found: list[Finished]) -> list[Finished]:
        return found[1:]


class Doubles(Bad):
    def altered(self, found: list[Finished]) -> list[Finished]:
        return found + found[:1]


class Mixes(Bad):
    def altered(self, found: list[Finished]) -> list[Finished]:
        return [replace(each, record=found[0].record) for each in found]


class Writes(Bad):
    def altered(self, found: list[Finished]) -> list[Finished]:
        for each in found:
            Path(each.result.record).write_bytes(each.record)
        return found


@pytest.mark.parametrize(
    ("kind", "problem"),
    [
        (Loses, "has 0 results, expected 1"),
        (Doubles, "has 2 results, expected 1"),
        (Mixes, "belongs to another record"),
        (Mixes, "is not the one of runner serial"),
        (Writes, "files were written to"),
    ],
)
def test_what_breaks_the_contract_is_named(
    kind: type[Bad], problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ContractBroken, match=problem):
        check_runner(lambda jobs: kind())
