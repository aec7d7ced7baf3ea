"""Thinking time from the command line: `paseo run --clock` and what belongs to it."""

from pathlib import Path

import pytest

from paseo.world.clocks import ClockName, Late, Thinking, Timekeeping
from paseo.world.recordfile import load_record
from runs import records, refused, results, suite


def test_a_run_is_measured_and_replayed_from_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--clock", "charged", "--thinking", "follow", "--late", "skip"]
    here = ["--planner", "straight", "--limit", 1, "--repeat-limit-s", 0.5, "--runner", "serial"]
    (first,) = results(capsys, suite(tmp_path), *here, *words, "--out", tmp_path / "first")
    made = load_record(tmp_path / "first/records" / first["record"]).provenance
    assert made.timekeeping == Timekeeping(
        clock=ClockName.CHARGED, thinking=Thinking.FOLLOW, late=Late.SKIP, repeat_limit_s=0.5
    )
    again = ["--replay-latency", tmp_path / "first", "--runner", "serial"]
    results(capsys, *again, "--out", tmp_path / "again")
    assert records(tmp_path / "first") == records(tmp_path / "again")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--late", "skip"], "with --late choose the --clock 'charged' or 'async'"),
        (["--clock", "async", "--latency", "0.1"], "with --latency the --clock is 'charged'"),
        (["--replay-latency", "nowhere"], "nowhere holds no run"),
        (["--replay-latency", "nowhere", "--latency", "1"], "--replay-latency charges"),
        (["--clock", "async", "--time-planning"], "--time-planning leaves a planner alone"),
        (["--clock", "charged", "--repeat-limit-s", "-1"], "expected seconds from 0 on"),
        (["--clock", "sundial"], "invalid choice: 'sundial'"),
    ],
)
def test_what_does_not_go_together_is_one_sentence(
    words: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = suite(tmp_path)
    said = refused(capsys, "run", path, "--planner", "straight", *words, "--out", tmp_path / "run")
    assert sentence in said
    assert not (tmp_path / "run").exists()
