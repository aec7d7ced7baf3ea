"""Planners are strangers to each other: whoever runs beside one, its records are the same."""

import json
import math
import os
import sys
import time
from multiprocessing import forkserver
from pathlib import Path

import pytest

import paseo
from paseo.data.suites.suite_file import shipped_suites
from paseo.suite.runners import hiring, pool, strays
from paseo.suite.runners.hiring import hired
from paseo.suite.runners.strays import end_orphans
from runs import suite
from zoo import hostile


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere pipes wait for the whole message")
def test_half_a_message_holds_nobody_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paseo.suite.runners.hiring.STALLED", 1)
    options = paseo.RunOptions(jobs=1, limit=1)
    done = paseo.run(suite(tmp_path), [hostile("SendsHalf"), "straight"], options=options)
    half, straight = done.results
    assert half.outcome is paseo.Outcome.PLANNER_FAILED
    assert straight.outcome is not paseo.Outcome.PLANNER_FAILED


def test_of_a_planner_that_forges_its_records_the_true_ones_are_kept(tmp_path: Path) -> None:
    """What it commanded was noted, and is repeated where it has never been."""
    options = paseo.RunOptions(limit=1)
    done = paseo.run(suite(tmp_path), [hostile("Forges"), hostile("Quiet")], options=options)
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
        "        if observation.time > 0.2:\n"
        "            try: open(__file__ + '.struck', 'x').close()\n"
        "            except FileExistsError: pass\n"
        "            else: os.kill(os.getpid(), signal.SIGKILL)\n"
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
    os.kill(worker.server.pid, 9)
    while not worker.server.saw_end():
        time.sleep(0.01)
    assert worker.is_alive() and not worker.has_died()
    another = hired(10)
    assert another.server is not None and another.server.pid != worker.server.pid
    for each in (worker, another):
        each.dismiss()
        while _runs(each.process.pid):  # it is being ended; one that is not hangs this test
            time.sleep(0.01)


def test_who_drives_beside_one_that_kills_the_server_is_not_even_asked_again(
    tmp_path: Path,
) -> None:
    """Each waits for the other: the server dies while both are at work, in both episodes."""
    file = tmp_path / "p.py"
    file.write_text(
        "import os, pathlib, time\nfrom paseo import Twist\n"
        f"FOLDER = pathlib.Path({str(tmp_path)!r})\n"
        "class Waits:\n"
        "    mine, other = 'waits', 'kills'\n"
        "    def begin(self, briefing): self.asked = 0\n"
        "    def act(self): pass\n"
        "    def plan(self, observation):\n"
        "        self.asked += 1\n"
        "        if self.asked == 2:\n"
        "            (FOLDER / self.mine).touch()\n"
        "            while not (FOLDER / self.other).exists(): time.sleep(0.01)\n"
        "            self.act()\n"
        "        return Twist(0.3, 0.0)\n"
        "class Kills(Waits):\n"
        "    mine, other = 'kills', 'waits'\n"
        "    def act(self):\n"
        "        os.kill(os.getppid(), 9)\n"
        "        time.sleep(0.5)\n"
    )
    planners = [f"{file}:Waits", f"{file}:Kills"]
    options = paseo.RunOptions(jobs=2, limit=1)
    done = paseo.run(suite(tmp_path), planners, out=tmp_path / "run", options=options)
    assert {each.outcome for each in done.results} == {paseo.Outcome.OUT_OF_TIME}
    assert done.deaths == 0


def test_a_worker_that_died_with_its_server_may_have_died_of_anything(tmp_path: Path) -> None:
    file = tmp_path / "p.py"
    file.write_text(
        "import os, pathlib\nfrom paseo import Twist\n"
        f"TRIES = pathlib.Path({str(tmp_path / 'tries')!r})\n"
        "class Unlucky:\n"
        "    def begin(self, briefing): pass\n"
        "    def plan(self, observation):\n"
        "        tries = len(TRIES.read_text()) if TRIES.exists() else 0\n"
        "        if tries < 3:\n"
        "            TRIES.write_text('x' * (tries + 1))\n"
        "            os.kill(os.getppid(), 9)\n"
        "            os.kill(os.getpid(), 9)\n"
        "        return Twist(0.3, 0.0)\n"
    )
    options = paseo.RunOptions(limit=1)
    done = paseo.run(suite(tmp_path), f"{file}:Unlucky", out=tmp_path / "run", options=options)
    assert done.results[0].outcome is paseo.Outcome.OUT_OF_TIME


def _runs(process: int | None) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_only_the_server_is_told_what_workers_will_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(forkserver, "ensure_running", lambda: told.append(os.environ[hiring.AHEAD]))
    entries = shipped_suites()["paseo-33"].episodes
    hiring.expect(tmp_path, entries)
    data, recordings, maps = json.loads(told[0])
    assert data == str(tmp_path)
    assert maps == [*dict.fromkeys(entry.map for entry in entries)]
    assert 0 < len(recordings) <= hiring.MOST_AHEAD
    assert hiring.AHEAD not in os.environ
    file = tmp_path / "p.py"
    file.write_text(
        "import os\nfrom paseo import Twist\n"
        f"class P:\n    def begin(self, briefing): assert {hiring.AHEAD!r} not in os.environ\n"
        "    def plan(self, observation): return Twist(0.1, 0.0)\n"
    )
    monkeypatch.undo()
    done = paseo.run(suite(tmp_path), f"{file}:P", options=paseo.RunOptions(limit=1))
    assert done.results[0].outcome is paseo.Outcome.OUT_OF_TIME


def test_only_strangers_are_taken_for_orphans() -> None:
    end_orphans(os.getpid())  # nobody here has left this session
    worker = hired(10)
    assert worker.server is not None
    end_orphans(worker.server.pid)
    assert worker.is_alive()
    worker.dismiss()


def test_whom_others_have_adopted_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the server is killed before it is known who it was."""
    killed: list[int] = []
    monkeypatch.setattr(strays, "_kill", killed.append)
    monkeypatch.setattr(strays, "_processes", lambda: iter([(1, 0, 1), (70, 1, 70), (71, 1, 71)]))
    end_orphans(1)
    assert killed == []
    monkeypatch.setattr(
        strays, "_processes", lambda: iter([(9, os.getpid(), 9), (70, 9, 70), (71, 1, 71)])
    )
    end_orphans(9)
    assert killed == [70, 70, 70]  # itself, as its session's leader and as a member of it


def test_a_worker_without_its_server_is_not_hired(monkeypatch: pytest.MonkeyPatch) -> None:
    parents = iter([1])  # at first the server has just been killed
    real = hiring.parent_of
    monkeypatch.setattr(hiring, "parent_of", lambda pid: next(parents, None) or real(pid))
    worker = hired(10)
    assert worker.server is not None and worker.server.pid != 1 and worker.is_alive()
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
    assert "did not go on for 3 s, twice, though the planner had answered" in result.reason
