"""Runs in which thinking takes time: charged, measured, charged again, or at the wall clock."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import paseo
from paseo.errors import BadValue, InputError
from paseo.suite.rerunning import rerun
from paseo.suite.running import Run
from paseo.suite.runs.planning import RunOptions
from paseo.world.clocks import WAITING, ClockName, Late, Thinking, Timekeeping
from paseo.world.recordfile import load_record, save_record
from paseo.world.records import Outcome, Record
from runs import failing, records, suite

HESITANT = """
import time
from paseo import Twist


class Hesitant:
    "Swings to and fro; now and then it takes its time."

    def begin(self, briefing):
        self.asked = 0

    def plan(self, observation):
        self.asked += 1
        if self.asked % 7 == 2:
            time.sleep(0.06)
        return Twist(0.6, 1.0 if observation.time % 0.5 < 0.25 else -0.8)


class Brisk(Hesitant):
    def plan(self, observation):
        return Twist(0.6, 0.3 * observation.robot.pose.heading)
"""


def hesitant(folder: Path, name: str = "Hesitant") -> str:
    (folder / "hesitant.py").write_text(HESITANT)
    return f"{folder / 'hesitant.py'}:{name}"


def ran(folder: Path, out: str, planner: Any, **options: Any) -> Run:
    chosen = RunOptions(**{"runner": "serial", "data": folder, **options})
    return paseo.run(suite(folder), planner, out=folder / out, options=chosen)


def replayed(folder: Path, out: str, of: str, **options: Any) -> Run:
    chosen = RunOptions(runner="serial", replay_latency=folder / of, **options)
    return paseo.run(out=folder / out, options=chosen)


def only(run: Run) -> tuple[Path, Record]:
    (path,) = (run.folder / "records").glob("*.npz")
    return path, load_record(path)


@pytest.mark.slow
def test_a_declared_latency_gives_the_same_bytes_with_any_number_of_workers(
    tmp_path: Path,
) -> None:
    choices = {"clock": "charged", "latencies": (0.0, 0.2), "thinking": "stop"}
    planners = ["straight", hesitant(tmp_path)]
    ran(tmp_path, "one", planners, limit=1, **choices)
    ran(tmp_path, "two", planners, runner="local", jobs=2, limit=1, **choices)
    assert len(records(tmp_path / "one")) == 4
    assert records(tmp_path / "one") == records(tmp_path / "two")


def test_no_latency_is_the_run_of_always_and_a_latency_is_not(tmp_path: Path) -> None:
    always = ran(tmp_path, "always", "straight", limit=1)
    charged = ran(tmp_path, "charged", "straight", limit=1, latencies=(0.0, 0.3))
    at_once, late = charged.results
    assert at_once.sha256 == always.results[0].sha256 != late.sha256
    made = load_record(charged.folder / "records" / late.record).provenance
    assert made.timekeeping == Timekeeping(clock=ClockName.CHARGED, latency_s=0.3)
    assert rerun(charged.folder / "records" / late.record).is_identical


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run whose latencies were measured."""
    folder = tmp_path_factory.mktemp("measured")
    ran(folder, "first", hesitant(folder), limit=2, clock="charged", thinking="stop", late="there")
    return folder


def test_measured_latencies_are_charged_and_kept(measured: Path) -> None:
    path, *_ = sorted((measured / "first/records").glob("*.npz"))
    record, timing = load_record(path), json.loads(path.with_suffix(".timing.json").read_text())
    assert record.provenance.timekeeping == Timekeeping(
        clock=ClockName.CHARGED, thinking=Thinking.STOP, late=Late.THERE
    )
    assert record.provenance.clock == ""
    took = timing["charged_s"]
    assert len(took) == len(timing["planning_s"]) < len(record.commands)
    assert took[1] >= 0.06 and took == [round(each, 7) for each in took]
    assert (record.commands[:, 0] == 0.0).sum() >= 2  # it stood for a step while it hesitated


def test_a_run_whose_latencies_are_charged_again_has_the_same_bytes(measured: Path) -> None:
    again = replayed(measured, "again", "first")
    assert records(measured / "first") == records(again.folder)
    third = replayed(measured, "third", "again")  # it keeps them as well
    assert records(measured / "first") == records(third.folder)


def test_what_is_repeated_with_the_latencies_must_be_the_same(measured: Path) -> None:
    path, planner = suite(measured), hesitant(measured)
    same = RunOptions(
        runner="serial", data=measured, replay_latency=measured / "first",
        limit=2, thinking="stop", late="there",
    )  # fmt: skip
    done = paseo.run(path, planner, out=measured / "same", options=same)
    assert records(done.folder) == records(measured / "first")
    for other in ({"limit": 1}, {"thinking": "hold"}, {"seed": 3}):
        with pytest.raises(InputError, match="holds a run of something else"):
            paseo.run(path, planner, out=measured / "other", options=replace(same, **other))
    with pytest.raises(InputError, match="holds a run of something else"):
        replayed(measured, "other", "first", seed=3)
    assert not (measured / "other").exists()


def test_a_planner_that_takes_other_questions_is_told_apart(measured: Path) -> None:
    kept = next((measured / "first/records").glob("one*.timing.json"))
    whole = kept.read_text()
    timing = json.loads(whole)
    few, many = timing["charged_s"][:-1], [*timing["charged_s"], 0.1]
    try:
        for number, wrong in enumerate((few, many)):
            kept.write_text(json.dumps({**timing, "charged_s": wrong}))
            with pytest.raises(InputError, match="it is not the .*they were measured with"):
                replayed(measured, f"wrong{number}", "first")
        kept.unlink()
        with pytest.raises(InputError, match=f"keeps no latencies of one/.*{kept.name}"):
            replayed(measured, "missing", "first")
    finally:
        kept.write_text(whole)


def test_a_run_without_measured_latencies_has_none_to_charge(tmp_path: Path) -> None:
    ran(tmp_path, "sync", "straight", limit=1)
    with pytest.raises(InputError, match="holds a run without measured latencies"):
        replayed(tmp_path, "again", "sync")
    with pytest.raises(InputError, match="holds no run"):
        replayed(tmp_path, "again", "nowhere")


def test_a_record_is_made_again_with_the_latencies_beside_it(
    measured: Path, tmp_path: Path
) -> None:
    path = next((measured / "first/records").glob("one*.npz"))
    assert rerun(path).is_identical
    alone = tmp_path / "alone.npz"
    alone.write_bytes(path.read_bytes())
    with pytest.raises(InputError, match="measured latencies, which are in alone.timing.json"):
        rerun(alone)
    kept = json.loads(path.with_suffix(".timing.json").read_text())["charged_s"]
    assert rerun(load_record(alone), latencies=kept).is_identical
    assert not rerun(alone, latencies=[each + 0.1 for each in kept]).is_identical


def test_a_lost_planner_leaves_its_latencies_and_its_commands(tmp_path: Path) -> None:
    planner = failing(tmp_path, "Exits")
    done = ran(tmp_path, "lost", planner, runner="local", jobs=1, limit=1, clock="charged")
    path, record = only(done)
    assert (record.outcome, record.lost) == (Outcome.PLANNER_FAILED, True)
    kept = json.loads(path.with_suffix(".timing.json").read_text())["charged_s"]
    assert len(kept) == 3  # and the fourth question took it down
    assert rerun(path).is_identical


def test_by_the_wall_clock_the_world_waits_for_nobody(tmp_path: Path) -> None:
    done = ran(tmp_path, "async", hesitant(tmp_path, "Brisk"), limit=1, clock="async")
    path, record = only(done)
    assert record.provenance.timekeeping == Timekeeping(clock=ClockName.ASYNC, repeat_limit_s=2.5)
    assert record.provenance.clock == "time ran at the wall clock while the planner thought"
    assert record.commands[0].tolist()[:2] == [0.0, 0.0]  # nobody can answer before the first step
    assert len(record.commands) == 40
    assert rerun(path).is_identical
    assert "charged_s" not in json.loads(path.with_suffix(".timing.json").read_text())


def test_by_the_wall_clock_a_planner_that_hangs_is_killed(tmp_path: Path) -> None:
    done = ran(
        tmp_path, "hangs", failing(tmp_path, "Loops"),
        runner="local", limit=1, clock="async", hang_limit_s=0.6,
    )  # fmt: skip
    path, record = only(done)
    assert record.reason.startswith("the planner did not answer within 0.6 s and was killed after")
    assert (record.lost, record.outcome) == (True, Outcome.PLANNER_FAILED)
    assert record.commands[-1, 0] == 0.5  # the world went on with the last command
    assert len(record.commands) > 8
    assert rerun(path).is_identical


def test_a_reference_does_not_think(tmp_path: Path) -> None:
    done = ran(tmp_path, "human", "human:person=1", limit=1, latencies=(0.5,))
    assert only(done)[1].provenance.timekeeping == WAITING


def test_a_run_that_is_resumed_keeps_its_clock(tmp_path: Path) -> None:
    first = ran(tmp_path, "run", "straight", latencies=(0.2,), thinking="stop", limit=2)
    before = records(first.folder)
    next((first.folder / "records").glob("one*.npz")).unlink()
    paseo.run(out=first.folder, resume=True, options=RunOptions(runner="serial"))
    assert records(first.folder) == before
    with pytest.raises(InputError, match="thinking would change the run"):
        paseo.run(
            out=first.folder, resume=True, options=RunOptions(clock="charged", thinking="hold")
        )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            {"thinking": "stop"},
            "by the clock 'sync' the world waits for the planner; with thinking",
        ),
        ({"clock": "sync", "late": "skip"}, "with late choose the clock 'charged' or 'async'"),
        (
            {"clock": "async", "latencies": (0.1,)},
            "with latencies the clock is 'charged', not 'async'",
        ),
        (
            {"clock": "sync", "replay_latency": Path("x")},
            "with replay_latency the clock is 'charged', not",
        ),
        ({"clock": "hourglass"}, "clock is 'hourglass', expected one of sync, async, charged"),
        ({"clock": "charged", "thinking": "nap"}, "expected one of hold, stop, follow"),
        ({"clock": "charged", "late": "never"}, "expected one of here, there, skip"),
        ({"clock": "async", "repeat_limit_s": -1.0}, "repeat_limit_s is -1.0, expected seconds"),
        ({"clock": "async", "time_planning": True}, "the world runs beside it"),
    ],
)
def test_what_does_not_go_together_is_refused_in_a_sentence(
    options: dict[str, Any], words: str
) -> None:
    with pytest.raises(BadValue, match=words):
        RunOptions(**options)


def test_a_record_in_memory_needs_its_latencies_said(measured: Path, tmp_path: Path) -> None:
    record = load_record(next((measured / "first/records").glob("one*.npz")))
    save_record(record, tmp_path / "kept.npz")
    with pytest.raises(InputError, match="which are in the file beside it"):
        rerun(record)
