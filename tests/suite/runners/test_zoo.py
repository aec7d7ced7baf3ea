"""Beside each planner that ships, a zoo of hostile ones: its records are those it makes alone."""

import json
import subprocess
import sys
import uuid
from collections.abc import Sequence
from pathlib import Path

import pytest

import paseo
from paseo.planners.names import PLANNERS
from runs import refused, suite
from zoo import HOSTILE, ZOO, hostile

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the zoo lives on Linux")
# `human` repeats what was recorded: there is nobody to disturb.
SHIPPED = sorted({*PLANNERS.shipped} - {"human"})
# One of each kind; the slow tests have all of them.
QUICK = [
    "PatchesPaseo", "PoisonsModules", "Forges", "LeavesThread", "LimitsItself", "ChangesProcess",
    "LeavesChildren",
]  # fmt: skip


def run_of(folder: Path, planners: Sequence[str], out: str, jobs: int = 1, limit: int = 1) -> Path:
    options = paseo.RunOptions(jobs=jobs, limit=limit)
    return paseo.run(folder / "suite.json", planners, out=folder / out, options=options).folder


def records_of(run: Path, planners: Sequence[str]) -> dict[str, bytes]:
    """The records of some planners, as they lie on the disk."""
    content = json.loads((run / "run.json").read_text())
    assert content["plan"]["episodes"], "there is nothing to compare"
    found = {}
    for line in (run / "results.jsonl").read_text().splitlines():
        result = json.loads(line)
        if result["planner"] in planners:
            found[result["record"]] = (run / "records" / result["record"]).read_bytes()
    return found


def descendants(mark: str) -> list[int]:
    """Processes that were started with this word."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if mark.encode() in words and folder.name.isdecimal():
            found.append(int(folder.name))
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("zoo")
    suite(where)
    return where


def beside(steady: Sequence[str], enemies: Sequence[str], mark: str) -> list[str]:
    """Each planner after a hostile one."""
    pairs = zip(enemies, steady, strict=True)
    return [each for enemy, name in pairs for each in (hostile(enemy, mark), name)]


def test_no_planner_reaches_the_one_that_runs_after_it(folder: Path) -> None:
    """After each hostile one drives another `straight`, in the only place that there is."""
    mark = uuid.uuid4().hex
    steady = [f"straight:speed={0.4 + 0.02 * k:.2f}" for k in range(len(QUICK))]
    options = paseo.RunOptions(limit=1, runner="serial")
    path = folder / "suite.json"
    alone = records_of(paseo.run(path, steady, out=folder / "s", options=options).folder, steady)
    assert len(alone) == len(QUICK)
    after = run_of(folder, beside(steady, QUICK, mark), "straight beside")
    assert records_of(after, steady) == alone
    assert descendants(mark) == []


@pytest.mark.slow
@pytest.mark.parametrize("turn", range(len(HOSTILE)))
def test_beside_every_hostile_one_every_shipped_one_drives_as_alone(
    folder: Path, turn: int, alone: dict[str, bytes]
) -> None:
    mark = uuid.uuid4().hex
    enemies = [HOSTILE[(k + turn) % len(HOSTILE)] for k in range(len(SHIPPED))]
    order = beside(SHIPPED, enemies, mark)
    after = run_of(folder, order, f"turn {turn}", jobs=1 + turn % 3, limit=2)
    assert records_of(after, SHIPPED) == alone
    assert descendants(mark) == []


@pytest.fixture(scope="module")
def alone(folder: Path) -> dict[str, bytes]:
    """The records of each shipped planner, from a run in which there is no other."""
    found: dict[str, bytes] = {}
    for name in SHIPPED:
        found |= records_of(run_of(folder, [name], f"{name} alone", limit=2), [name])
    assert len(found) == 2 * len(SHIPPED)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2, 4])
@pytest.mark.parametrize("first", [True, False])
def test_named_first_or_last_with_any_number_of_jobs_they_drive_as_alone(
    folder: Path, alone: dict[str, bytes], first: bool, jobs: int
) -> None:
    enemies = [hostile(name) for name in HOSTILE]
    order = [*SHIPPED, *enemies] if first else [*enemies, *SHIPPED]
    run = run_of(folder, order, f"first {first} {jobs}", jobs=jobs, limit=2)
    assert records_of(run, SHIPPED) == alone


HARMFUL = ["PatchesMaths", "PatchesPaseo", "PoisonsModules"]


@pytest.mark.slow
@pytest.mark.parametrize("name", HARMFUL)
def test_in_one_process_they_would_reach_each_other(folder: Path, name: str) -> None:
    """The control: what the pool keeps apart really does harm."""
    code = (
        "import sys, paseo\n"
        "from pathlib import Path\n"
        "options = paseo.RunOptions(limit=1, runner='serial')\n"
        "paseo.run(Path(sys.argv[1]), sys.argv[2:4], out=sys.argv[4], options=options)\n"
    )
    out = folder / f"serial {name}"
    words = [str(folder / "suite.json"), hostile(name), "straight:speed=0.4", str(out)]
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True)
    steady = ["straight:speed=0.4"]
    alone = run_of(folder, steady, f"alone {name}")
    # It ends the process, or changes what another does there.
    assert done.returncode or records_of(out, steady) != records_of(alone, steady)


MEDDLER = """
import json, os
from pathlib import Path
from paseo import Twist

RUN = Path({run!r})


class Meddles:
    how = ""

    def begin(self, briefing): pass

    def plan(self, observation):
        for record in (RUN / "records").glob("*--straight--*.npz"):
            self.act(record)
        return Twist(0.1, 0.0)


class Deletes(Meddles):
    def act(self, record): record.unlink(missing_ok=True)


class Changes(Meddles):
    def act(self, record): record.write_bytes(b"fake")


class Logs(Meddles):
    def act(self, record):
        with (RUN / "results.jsonl").open("r+b") as log:
            log.write(b"{{nonsense")


class Empties(Meddles):
    def act(self, record):
        os.truncate(RUN / "results.jsonl", 0)
"""


@pytest.mark.parametrize(
    "name",
    ["Changes", *(pytest.param(e, marks=pytest.mark.slow) for e in ("Deletes", "Logs", "Empties"))],
)
def test_files_that_a_planner_changes_by_their_path_are_noticed(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """They cannot be kept from it, for it has its user's rights; but no run ends well then."""
    out, file = tmp_path / "run", tmp_path / "meddler.py"
    file.write_text(MEDDLER.format(run=str(out)))
    words = [folder / "suite.json", "--planner", f"straight,{file}:{name}", "--limit", 1]
    said = refused(
        capsys, "run", *words, "--jobs", 1, "--out", out, code=1 if name != "Logs" else 2
    )
    assert ("line 1 is damaged" if name == "Logs" else "while the run went on") in said
    file.write_text(MEDDLER.format(run="/nowhere"))
    if name in ("Deletes", "Changes"):
        assert not (out / "results.csv").exists()


def test_the_zoo_is_complete() -> None:
    classes = [
        line.split("(")[0][6:] for line in Path(ZOO).read_text().split("\n") if "(Quiet)" in line
    ]
    assert {*classes} - {"SendsHalf"} == {*HOSTILE}
    assert len(SHIPPED) == 11
