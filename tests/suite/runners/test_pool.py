import json
import os
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paseo.sim.simulate import simulate
from paseo.suite.runners.watching import Replayed
from paseo.world.recordfile import load_record
from paseo.world.records import Outcome, Record
from runs import PASEO, alive, all_gone, failing, results, started, suite
from thinning import mostly_slow

# How each planner fails, and whether the record depends on the clock.
FAILURES = {
    "Crash": ("plan() raised RuntimeError: out of ideas second line after 0.15 s", False),
    "Nonsense": ("plan() answered 'left', expected a Twist or a Pose after 0.15 s", False),
    "Words": ("plan() answered Twist(forward='fast', turn=0.0), expected finite", False),
    "Quits": ("plan() raised SystemExit: 0 after 0.15 s", False),
    "Interrupts": ("plan() raised KeyboardInterrupt after 0.15 s", False),
    "Loops": ("the planner did not answer within 3 s and was killed after 0.15 s", True),
    "HoldsLock": ("the planner did not answer within 3 s and was killed after 0.15 s", True),
    "Exits": ("the planner took its process down (exit code 3) after 0.15 s", False),
    "DiesUnasked": ("process down after it had answered (exit code 4) after 0.15 s", False),
    "KillsItself": ("the planner took its process down (exit code -9) after 0.15 s", False),
    "NeverBegins": ("the planner did not answer within 3 s and was killed after 0.00 s", True),
    "CannotBeMadeTwice": ("cannot be made (RuntimeError: no device left) after 0.00 s", False),
}
WORKING = ["Talks", "GoesElsewhere", "Careless", "Forks", "SendsStrays", "ClosesFiles"]


@dataclass(frozen=True)
class Ran:
    folder: Path
    output: dict[str, Any]
    errors: str

    def records(self, planner: str) -> list[Record]:
        names = [r["record"] for r in self.output["results"] if r["planner"].endswith(planner)]
        return [load_record(self.folder / "run/records" / name) for name in names]


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """One run of every planner that fails, between planners that do not."""
    folder = tmp_path_factory.mktemp("failing")
    names = ["straight", *(failing(folder, name) for name in [*FAILURES, *WORKING])]
    words = [suite(folder), "--planner", ",".join(names), "--hang-limit-s", "3", "--limit", "2"]
    done = subprocess.run(
        [PASEO, "run", *map(str, words), "--jobs", "2", "--json", "--out", folder / "run"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return Ran(folder, json.loads(done.stdout), done.stderr)


@pytest.mark.parametrize("planner", FAILURES)
def test_a_failing_planner_ends_its_episode_with_the_reason(ran: Ran, planner: str) -> None:
    reason, _ = FAILURES[planner]
    records = ran.records(planner)
    assert len(records) == 2
    for record in records:
        assert record.outcome is Outcome.PLANNER_FAILED
        assert reason in record.reason
        assert "\n" not in record.reason


@pytest.mark.parametrize("planner", FAILURES)
def test_only_what_hung_depends_on_the_clock(ran: Ran, planner: str) -> None:
    _, depends = FAILURES[planner]
    expected = "an answer was awaited for 3 s" if depends else ""
    assert {record.provenance.clock for record in ran.records(planner)} == {expected}


@pytest.mark.parametrize("planner", FAILURES)
def test_the_record_holds_the_steps_up_to_the_failure(ran: Ran, planner: str) -> None:
    for record in ran.records(planner):
        began = "after 0.15 s" in record.reason
        assert len(record.commands) == (3 if began else 0)
        assert record.times[-1] == pytest.approx(0.15 if began else 0.0)
        driven = np.array([[0.5, 0.0, np.nan]] * len(record.commands)).reshape(-1, 3)
        alone = simulate(record.scenario, Replayed(driven, "gone"))
        np.testing.assert_array_equal(record.robot, alone.robot)
        np.testing.assert_array_equal(record.people, alone.people)


def test_other_planners_of_the_run_are_unaffected(ran: Ran) -> None:
    (careless, *_), (talks, *_) = ran.records("Careless"), ran.records("Talks")
    assert careless.outcome is Outcome.OUT_OF_TIME
    np.testing.assert_array_equal(careless.robot, talks.robot)
    for name in ("Forks", "SendsStrays", "ClosesFiles"):
        for record, other in zip(ran.records(name), ran.records("Careless"), strict=True):
            assert record.outcome is Outcome.OUT_OF_TIME
            np.testing.assert_array_equal(record.robot, other.robot)
    assert len(ran.records("straight")) == len(ran.records("GoesElsewhere")) == 2


def test_the_five_verdicts_of_every_planner_add_up(ran: Ran) -> None:
    assert len(ran.output["summary"]) == 1 + len(FAILURES) + len(WORKING)
    verdicts = ("success", "timeout", "person_collision", "wall_collision", "planner_failed")
    for row in ran.output["summary"]:
        assert sum(row[verdict] for verdict in verdicts) == row["episodes"] == 2
        name = row["planner"].rpartition(":")[2]
        assert row["planner_failed"] == (2 if name in FAILURES else 0)


def test_what_planners_print_is_talk_and_a_failure_is_no_traceback(ran: Ran) -> None:
    assert "I am thinking" in ran.errors
    assert "Traceback" not in ran.errors


def test_a_stall_past_the_limit_fails_and_depends_on_the_clock(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [suite(tmp_path), "--limit", "1", "--planner", failing(tmp_path, "Stalls")]
    (stalled,) = results(capsys, *words, "--stall-limit-s", "0.2", "--out", tmp_path / "a")
    assert stalled["verdict"] == "planner failed"
    assert stalled["reason"].startswith("plan() took 0.4")
    record = load_record(tmp_path / "a/records" / stalled["record"])
    assert record.provenance.clock == "plan() was limited to 0.2 s"
    assert len(record.commands) == 3
    beside = (tmp_path / "a/records" / stalled["record"]).with_suffix(".timing.json")
    timing = json.loads(beside.read_bytes())
    assert (len(timing["planning_s"]), timing["planning_s"][3] >= 0.4) == (4, True)
    assert timing["machine"]["cores"] == os.cpu_count()


def test_what_an_episode_leaves_behind_does_not_stop_the_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A thread that ends the process while nobody is asked anything costs no result."""
    (tmp_path / "p.py").write_text(
        "import os, threading, time\nfrom paseo import Twist\n"
        "class Bomb:\n"
        "    def begin(self, briefing): pass\n"
        "    def plan(self, observation):\n"
        "        if observation.time > 1.9: threading.Timer(0.4, os._exit, [9]).start()\n"
        "        return Twist(0.0, 0.0)\n"
        "class Slow(Bomb):\n"
        "    def plan(self, observation):\n"
        "        time.sleep(0.025)\n"
        "        return Twist(0.0, 0.0)\n"
    )
    planners = f"{tmp_path / 'p.py'}:Bomb,{tmp_path / 'p.py'}:Slow"
    words = [suite(tmp_path), "--planner", planners, "--jobs", "2"]
    assert len(results(capsys, *words, "--limit", "1", "--out", tmp_path / "a")) == 2


@pytest.mark.parametrize(
    "act", mostly_slow(['re.match("(a+)+$", "a" * 40 + "b")', "while True: pass"])
)
@pytest.mark.parametrize(
    "ending", [signal.SIGKILL, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)]
)
def test_no_worker_outlives_its_parent_whatever_its_planner_does(
    tmp_path: Path, act: str, ending: signal.Signals
) -> None:
    began = tmp_path / "began"
    began.mkdir()
    (tmp_path / "p.py").write_text(
        f"import os, pathlib, re\nclass Stuck:\n    def begin(self, briefing): pass\n"
        f"    def plan(self, observation):\n"
        f"        pathlib.Path({str(began)!r}, str(os.getpid())).touch()\n        {act}\n"
    )
    words = ["run", suite(tmp_path), "--planner", f"{tmp_path / 'p.py'}:Stuck", "--jobs", "2"]
    process, mark = started(*words, "--out", tmp_path / "out")
    try:
        while len(list(began.iterdir())) < 2:
            assert process.poll() is None
        assert len(alive(mark)) >= 3
        process.send_signal(ending)
        process.wait()
        assert all_gone(mark)
    finally:
        for left in alive(mark):
            os.kill(left, signal.SIGKILL)
        process.communicate()
