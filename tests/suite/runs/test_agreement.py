"""A record that was exchanged is noticed, even where its sum in the log was written anew."""

import hashlib
import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import paseo
from paseo.errors import BadFile
from paseo.suite.runs.agreement import check_agreement
from paseo.suite.runs.jobs import jobs_of
from paseo.suite.runs.rundir import RunDirectory
from paseo.world.motion import Control
from paseo.world.recordfile import load_record, save_record
from paseo.world.records import Record
from runs import refused, suite

PLANNERS = ["straight", "straight:speed=0.5", "stop"]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that nobody has touched; not to be changed."""
    folder = tmp_path_factory.mktemp("whole")
    options = paseo.RunOptions(runner="serial")
    path = suite(folder, seeds=[0, 1])
    return paseo.run(path, PLANNERS, out=folder / "run", options=options).folder


@pytest.fixture
def run(whole: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(whole, tmp_path / "run"))


def exchange(run: Path, record: str, content: bytes, **changes: Any) -> Path:
    """Put other bytes in a record's place, and make the log say that they belong there."""
    (run / "records" / record).write_bytes(content)
    log = run / "results.jsonl"
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    for line in lines:
        if line["record"] == record:
            line |= {"sha256": hashlib.sha256(content).hexdigest(), **changes}
    log.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return run / "records" / record


def swapped(run: Path, record: str, by: str) -> Path:
    """One record in the place of another, with all that can be seen of how it ended."""
    other = load_record(run / "records" / by)
    return exchange(
        run,
        record,
        (run / "records" / by).read_bytes(),
        outcome=other.outcome.value,
        verdict=other.verdict.value,
        person_contacts=other.touches,
        time_s=round(float(other.times[-1]), 6),
        reason=other.reason,
    )


ONE = "one--straight--0.npz"


def slow(run: Path) -> str:
    (found,) = (run / "records").glob("one--straight_speed*--0.npz")
    return found.name


@pytest.mark.parametrize(
    ("by", "what"),
    [
        ("two--straight--0.npz", "episode 'two'"),
        pytest.param("one--stop--0.npz", "planner 'stop'", marks=pytest.mark.slow),
        pytest.param("one--straight--1.npz", "seed '1'", marks=pytest.mark.slow),
    ],
)
def test_a_swapped_record_is_noticed_wherever_a_run_is_read(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], by: str, what: str
) -> None:
    path = swapped(run, ONE, by)
    commands: list[list[object]] = [
        ["compare", run],
        ["report", run, "--out", tmp_path / "page.html"],
        ["run", "--resume", "--out", run],
        ["rerun", path],
        ["draw", run, "--episode", "one", "--planner", "straight", "--out", tmp_path / "x.png"],
    ]
    for words in commands:
        said = refused(capsys, *words)
        assert f"{ONE}: says of its {what}, but its line in results.jsonl is of" in said
        assert "delete it, then finish the run again with --resume" in said


def test_what_the_sentence_advises_mends_the_run(
    run: Path, whole: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    swapped(run, ONE, "two--straight--0.npz").unlink()
    paseo.run(resume=True, out=run, options=paseo.RunOptions(runner="serial"))
    for each in (whole / "records").glob("*.npz"):
        assert (run / "records" / each.name).read_bytes() == each.read_bytes()


def test_the_same_planner_otherwise_set_is_noticed(run: Path) -> None:
    path = swapped(run, slow(run), ONE)
    with pytest.raises(BadFile, match="its parameter speed 'None', but .* of '0.5'"):
        paseo.rerun(path)
    with pytest.raises(BadFile, match="its parameter speed"):
        paseo.run(resume=True, out=run)


def test_a_record_that_the_log_does_not_list_so_is_not_rerun(run: Path) -> None:
    shutil.copy(run / "records" / "two--straight--0.npz", run / "records" / ONE)
    with pytest.raises(BadFile, match="is not the record that results.jsonl lists there"):
        paseo.rerun(run / "records" / ONE)


def test_without_a_line_or_a_run_nothing_is_said(run: Path, tmp_path: Path) -> None:
    (tmp_path / "records").mkdir()
    for place in (tmp_path / ONE, tmp_path / "records" / ONE):
        shutil.copy(run / "records" / ONE, place)
        assert paseo.rerun(place).is_identical
    (run / "results.jsonl").write_text("")
    assert paseo.rerun(run / "records" / ONE).is_identical


def _made(record: Record, **changes: Any) -> Record:
    return replace(record, provenance=replace(record.provenance, **changes))


def _told(record: Record, **changes: Any) -> Record:
    return replace(record, scenario=replace(record.scenario, **changes))


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        (lambda record: _made(record, planner="/elsewhere/p.py:P"), "planner"),
        (lambda record: _made(record, planner_hash="0" * 64), "planner's sha256"),
        (lambda record: _made(record, transport="websocket"), "planner 'websocket:straight'"),
        (lambda record: _made(record, control=Control.POSITION), "control 'position'"),
        (lambda record: _told(record, dt=0.1), "time step '0.1'"),
        (lambda record: _told(record, time_limit=9.0), "time limit '9.0'"),
        (lambda record: _told(record, rule="socnavbench"), "rule 'socnavbench'"),
        (lambda record: replace(record, outcome=paseo.Outcome.HIT_WALL), "outcome 'hit wall'"),
    ],
)
def test_whatever_a_record_says_of_itself_is_held_against_the_log(
    run: Path, changed: Any, what: str
) -> None:
    save_record(changed(load_record(run / "records" / ONE)), run / "forged.npz")
    exchange(run, ONE, (run / "forged.npz").read_bytes())
    directory = RunDirectory(run)
    with pytest.raises(BadFile, match=what):
        directory.agreeing(directory.plan())


def test_what_is_as_it_was_agrees(whole: Path) -> None:
    directory = RunDirectory(whole)
    plan = directory.plan()
    assert len(directory.agreeing(plan)) == len(jobs_of(plan)) == 18
    for job, result in zip(jobs_of(plan), directory.agreeing(plan).values(), strict=True):
        path = directory.records / result.record
        check_agreement(path, load_record(path), job, result, plan.planner_hashes)
