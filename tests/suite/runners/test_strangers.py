"""Planners are strangers to each other: whoever runs beside one, its records are the same."""

import math
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import paseo
from paseo.suite.runners import pool
from paseo.suite.runners.hiring import hired
from paseo.suite.runners.strays import end_orphans
from runs import suite

HOSTILE = """
import builtins, gc, math, os, resource, signal, subprocess, sys, threading, time
import numpy as np
import paseo
from paseo import Twist

SLEEPER = [sys.executable, "-c", "import time; time.sleep(600)", MARK]


class Quiet:
    def act(self):
        pass

    def begin(self, briefing):
        self.asked = 0

    def plan(self, observation):
        self.asked += 1
        if self.asked == 2:
            self.act()
        return Twist(0.1, 0.0)


class PatchesMaths(Quiet):
    def act(self):
        math.atan2 = math.hypot = lambda *_: 0.0
        np.hypot = np.arctan2 = lambda *_: 0.0
        paseo.Twist = None


class Forges(Quiet):
    def act(self):
        from paseo.suite.runners import answers, carrying_out, worker
        from paseo.world import recordfile
        recordfile.record_bytes = carrying_out.record_bytes = lambda record: b"fake"
        carrying_out.result_of = worker.simulate = None


class LeavesThread(Quiet):
    def act(self):
        threading.Timer(0.05, os._exit, [7]).start()


class SendsPickles(Quiet):
    def act(self):
        from multiprocessing.connection import Connection
        for pipe in gc.get_objects():
            if isinstance(pipe, Connection):
                pipe.send_bytes(b"cos\\n_exit\\n(I9\\ntR.")  # unpickled, it ends whoever reads it


class SendsHalf(Quiet):
    def act(self):
        from multiprocessing.connection import Connection
        for pipe in gc.get_objects():
            if isinstance(pipe, Connection):
                os.write(pipe.fileno(), (1000).to_bytes(4, "big") + b"and then nothing")
        time.sleep(600)


class SpoilsNotes(Quiet):
    def act(self):
        from paseo.suite.runners.watching import COMMANDS, Notebook
        for notes in gc.get_objects():
            if isinstance(notes, Notebook):
                notes.values()[COMMANDS] = math.nan
        os._exit(7)


class TakesFiles(Quiet):
    def act(self):
        resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))
        self.open = []
        try:
            while True:
                self.open.append(open(os.devnull))
        except OSError:
            pass


class LeavesChildren(Quiet):
    def act(self):
        subprocess.Popen(SLEEPER)
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:  # adopted by somebody else when its parent ends
                os.execv(sys.executable, SLEEPER)
            os._exit(0)


class IgnoresSignals(Quiet):
    def act(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        builtins.open = None
        sys.setrecursionlimit(50)
"""
ZOO = [
    "PatchesMaths", "Forges", "LeavesThread", "SendsPickles", "SpoilsNotes", "TakesFiles",
    "LeavesChildren", "IgnoresSignals",
]  # fmt: skip


@pytest.fixture
def zoo(tmp_path: Path) -> Path:
    file = tmp_path / "zoo.py"
    file.write_text(HOSTILE.replace("MARK", repr(str(tmp_path))))
    return file


def records(folder: Path, planner: str) -> dict[str, bytes]:
    found = {each.name: each.read_bytes() for each in (folder / "records").glob("*.npz")}
    return {name: content for name, content in found.items() if f"--{planner}-" in name}


def run_of(where: Path, planners: list[str], out: str, jobs: int = 1) -> Path:
    options = paseo.RunOptions(jobs=jobs, limit=2)
    return paseo.run(suite(where), planners, out=where / out, options=options).folder


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


def test_no_planner_reaches_the_one_that_runs_after_it(zoo: Path) -> None:
    """After each hostile one drives another `straight`, in the only place that there is."""
    steady = {name: f"straight:speed={0.5 + 0.1 * k:.1f}" for k, name in enumerate(ZOO)}
    between = [each for name in ZOO for each in (f"{zoo}:{name}", steady[name])]
    alone, beside = (
        run_of(zoo.parent, planners, out)
        for planners, out in ((list(steady.values()), "alone"), (between, "beside"))
    )
    for name, planner in steady.items():
        label = planner.replace(":", "_")
        assert records(beside, label) == records(alone, label), name
        assert len(records(alone, label)) == 2
    assert descendants(str(zoo.parent)) == []


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere pipes wait for the whole message")
def test_half_a_message_holds_nobody_up(zoo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paseo.suite.runners.hiring.STALLED", 1)
    options = paseo.RunOptions(jobs=1, limit=1)
    done = paseo.run(suite(zoo.parent), [f"{zoo}:SendsHalf", "straight"], options=options)
    half, straight = done.results
    assert half.outcome is paseo.Outcome.PLANNER_FAILED
    assert straight.outcome is not paseo.Outcome.PLANNER_FAILED


def test_in_one_process_they_would_reach_each_other(zoo: Path) -> None:
    """The control: what the pool keeps apart really does harm."""
    planners = [f"{zoo}:PatchesMaths", "straight"]
    code = (
        "import sys, paseo\n"
        "from pathlib import Path\n"
        "options = paseo.RunOptions(limit=2, runner='serial')\n"
        "paseo.run(Path(sys.argv[1]), sys.argv[2:4], out=sys.argv[4], options=options)\n"
    )
    out = zoo.parent / "serial"
    words = [sys.executable, "-c", code, str(suite(zoo.parent)), *planners, str(out)]
    subprocess.run(words, check=True, capture_output=True)
    alone = run_of(zoo.parent, ["straight"], "alone")
    assert records(out, "straight") != records(alone, "straight")


@pytest.mark.slow
def test_order_and_number_of_workers_change_no_record(zoo: Path) -> None:
    planners = ["straight", f"{zoo}:PatchesMaths", f"{zoo}:LeavesThread", "time-gap"]
    first = run_of(zoo.parent, planners, "one")
    second = run_of(zoo.parent, planners[::-1], "two", jobs=2)
    for planner in ("straight", "time-gap"):
        assert records(first, planner) == records(second, planner)


def test_of_a_planner_that_forges_its_records_the_true_ones_are_kept(zoo: Path) -> None:
    """What it commanded was noted, and is repeated where it has never been."""
    options = paseo.RunOptions(limit=1)
    done = paseo.run(suite(zoo.parent), [f"{zoo}:Forges", f"{zoo}:Quiet"], options=options)
    forged, honest = (
        paseo.load_record(done.folder / "records" / each.record) for each in done.results
    )
    assert (forged.outcome, forged.reason) == (honest.outcome, honest.reason)
    assert forged.robot.tobytes() == honest.robot.tobytes()


def test_making_a_planner_changes_nothing_here(tmp_path: Path) -> None:
    file = tmp_path / "p.py"
    file.write_text(
        "import math, sys\nmath.atan2 = None\nsys.modules['paseo'].Twist = None\n"
        "class P:\n    def begin(self, briefing): pass\n    def plan(self, observation): pass\n"
    )
    done = paseo.run(suite(tmp_path), [f"{file}:P"], options=paseo.RunOptions(limit=1))
    assert len(done.results) == 1
    assert math.atan2 is not None
    assert paseo.Twist is not None


def test_a_planner_that_takes_too_much_memory_is_told_so(tmp_path: Path) -> None:
    file = tmp_path / "p.py"
    file.write_text(
        "import time\nclass Hoards:\n"
        "    def begin(self, briefing): self.kept = b'1' * 900_000_000\n"
        "    def plan(self, observation): time.sleep(30)\n"
    )
    options = paseo.RunOptions(limit=1, memory_limit_mb=600)
    done = paseo.run(suite(tmp_path), [f"{file}:Hoards", "straight"], options=options)
    hoards, straight = done.results
    assert "took more than the memory limit of 600 MB" in hoards.reason
    assert straight.outcome is not paseo.Outcome.PLANNER_FAILED


def test_a_worker_that_is_killed_is_nobodys_fault(tmp_path: Path) -> None:
    """It kills its own worker, but only once in all: as an operator would."""
    file = tmp_path / "p.py"
    file.write_text(
        "import os, signal\nfrom paseo import Twist\n"
        "class Struck:\n"
        "    def begin(self, briefing): pass\n"
        "    def plan(self, observation):\n"
        "        if observation.time > 0.2 and not os.path.exists(__file__ + '.struck'):\n"
        "            os.close(os.open(__file__ + '.struck', os.O_CREAT))\n"
        "            os.kill(os.getpid(), signal.SIGKILL)\n"
        "        return Twist(0.5, 0.0)\n"
    )
    first, again = (
        paseo.run(suite(tmp_path), [f"{file}:Struck"], out=tmp_path / out) for out in ("a", "b")
    )
    assert (first.deaths, again.deaths) == (1, 0)
    assert [each.sha256 for each in first.results] == [each.sha256 for each in again.results]


def test_resuming_asks_planners_again_that_were_lost(tmp_path: Path) -> None:
    file = tmp_path / "p.py"
    file.write_text(
        "import os\nfrom paseo import Twist\n"
        "class Lost:\n"
        "    def begin(self, briefing): pass\n"
        "    def plan(self, observation):\n"
        f"        if os.path.exists({str(tmp_path / 'broken')!r}): os._exit(3)\n"
        "        return Twist(0.5, 0.0)\n"
    )
    (tmp_path / "broken").touch()
    lost = paseo.run(suite(tmp_path), [f"{file}:Lost"], out=tmp_path / "run")
    assert {each.outcome for each in lost.results} == {paseo.Outcome.PLANNER_FAILED}
    (tmp_path / "broken").unlink()
    found = paseo.run(resume=True, out=tmp_path / "run")
    assert paseo.Outcome.PLANNER_FAILED not in {each.outcome for each in found.results}


def test_the_server_of_workers_may_be_killed_at_any_time(tmp_path: Path) -> None:
    worker = hired(10)
    assert worker.server is not None
    os.kill(worker.server, 9)
    while Path(f"/proc/{worker.server}/cmdline").exists() and _runs(worker.server):
        time.sleep(0.01)
    another = hired(10)
    assert another.server != worker.server
    for each in (worker, another):
        each.dismiss()
        while _runs(each.process.pid):  # it is being ended; one that is not hangs this test
            time.sleep(0.01)


def _runs(process: int | None) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_only_strangers_are_taken_for_orphans() -> None:
    end_orphans(os.getpid())  # nobody here has left this session
    worker = hired(10)
    assert worker.server is not None
    end_orphans(worker.server)
    assert worker.process.is_alive()
    worker.dismiss()


def test_a_process_that_hides_that_it_hangs_is_ended_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "PATIENCE", 2.0)
    file = tmp_path / "p.py"
    file.write_text(
        "import gc, time\nfrom paseo.suite.runners.watching import ASKED_AT, Notebook\n"
        "class Hides:\n"
        "    def begin(self, briefing): pass\n"
        "    def plan(self, observation):\n"
        "        for notes in gc.get_objects():\n"
        "            if isinstance(notes, Notebook): notes.values()[ASKED_AT] = 0\n"
        "        time.sleep(600)\n"
    )
    options = paseo.RunOptions(limit=1, hang_limit_s=1.0)
    (result,) = paseo.run(suite(tmp_path), [f"{file}:Hides"], options=options).results
    assert "nothing was heard of the planner's process for 3 s" in result.reason
