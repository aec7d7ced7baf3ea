import json
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from paseo.cli.main import main
from paseo.data.suites.episodes import Choices
from paseo.data.suites.suite_file import (
    PauseEntry,
    RobotEntry,
    SensorEntry,
    Settings,
    shipped_suites,
)
from paseo.errors import BadFile, CannotWrite, InputError
from paseo.planners.choices import PlannerChoice
from paseo.suite.runs.jobs import RunPlan, jobs_of
from paseo.suite.runs.rundir import RunDirectory, same
from paseo.world.motion import Control
from paseo.world.scenarios import Rule
from runs import failing, records, refused, results, suite

PLAN = RunPlan(
    name="all",
    episodes=tuple(e for s in shipped_suites().values() for e in s.episodes),
    planners=(PlannerChoice("straight", {"speed": "0.5"}), PlannerChoice("a.py:A")),
    seeds=(0, 7),
    control=Control.POSITION,
    choices=Choices(
        rule=Rule.SOCNAVBENCH,
        robot=RobotEntry(name="cart", max_acceleration_mps2=1.0),
        settings=Settings(sensor=SensorEntry(range_m=6.0), pause=PauseEntry(), stall_limit_s=1.0),
    ),
    data=Path("/somewhere"),
    planner_hashes={"straight": "", "a.py:A": "abc"},
)


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A suite of three episodes, and a finished run of it beside it."""
    path = suite(tmp_path_factory.mktemp("room"))
    main(["run", str(path), "--planner", "straight", "--out", str(path.parent / "run")])
    return path


@pytest.fixture
def finished(room: Path, tmp_path: Path) -> Path:
    """A finished run that may be damaged."""
    return shutil.copytree(room.parent / "run", tmp_path / "run")


def resumed(folder: Path, capsys: pytest.CaptureFixture[str]) -> int:
    """How many episodes are run when a run is resumed."""
    before = (folder / "results.jsonl").read_bytes().count(b"\n")
    table = (folder / "results.csv").read_bytes()
    assert len(results(capsys, "--resume", "--out", folder)) == 3
    assert (folder / "results.csv").read_bytes() == table
    return (folder / "results.jsonl").read_bytes().count(b"\n") - before


def test_a_plan_comes_back_as_it_was_stored(tmp_path: Path) -> None:
    with RunDirectory(tmp_path / "run") as out:
        out.create(PLAN)
    with RunDirectory(tmp_path / "run") as out:
        assert same(out.reopen(), PLAN)


@pytest.mark.parametrize(
    "change",
    [
        {"seeds": (0,)},
        {"control": None},
        {"planners": (PlannerChoice("straight", {"speed": "0.6"}), PlannerChoice("a.py:A"))},
        {"planner_hashes": {"straight": "", "a.py:A": "other"}},
        {"choices": replace(PLAN.choices, rule=Rule.EVERYONE)},
        {"episodes": PLAN.episodes[1:]},
        {"data": Path("/elsewhere")},
    ],
)
def test_plans_that_ask_for_other_results_are_not_the_same(change: dict[str, Any]) -> None:
    assert not same(PLAN, replace(PLAN, **change))


def test_a_finished_run_is_resumed_without_running_anything(
    finished: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert resumed(finished, capsys) == 0


def delete_record(folder: Path) -> None:
    next((folder / "records").glob("one--*.npz")).unlink()


def alter_record(folder: Path) -> None:
    record = next((folder / "records").glob("one--*.npz"))
    content = bytearray(record.read_bytes())
    content[len(content) // 2] ^= 1
    record.write_bytes(content)


def truncate_record(folder: Path) -> None:
    os.truncate(next((folder / "records").glob("one--*.npz")), 100)


def tear_last_line(folder: Path) -> None:
    log = folder / "results.jsonl"
    os.truncate(log, log.stat().st_size - 20)


def lose_last_newline(folder: Path) -> None:
    log = folder / "results.jsonl"
    os.truncate(log, log.stat().st_size - 1)


def append_zeros(folder: Path) -> None:
    """What some file systems leave after a power cut."""
    lose_last_newline(folder)
    with (folder / "results.jsonl").open("ab") as log:
        log.write(bytes(300))


@pytest.mark.parametrize(
    "damage",
    [delete_record, alter_record, truncate_record, tear_last_line, lose_last_newline, append_zeros],
)
def test_exactly_the_episode_that_was_damaged_is_run_again(
    finished: Path, damage: Callable[[Path], None], capsys: pytest.CaptureFixture[str]
) -> None:
    before = records(finished)
    damage(finished)
    torn = not (finished / "results.jsonl").read_bytes().endswith(b"\n")
    assert resumed(finished, capsys) == 1
    assert records(finished) == before
    lines = (finished / "results.jsonl").read_text().splitlines()
    assert len([json.loads(line) for line in lines]) == (3 if torn else 4)


@pytest.mark.parametrize("line", ["{}", "not json", '{"episode": 3}', ""])
def test_a_damaged_line_is_named_and_not_guessed_at(
    finished: Path, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    log = finished / "results.jsonl"
    first, *rest = log.read_text().splitlines()
    log.write_text("\n".join([first, line, *rest]) + "\n")
    sentence = refused(capsys, "run", "--resume", "--out", finished)
    assert f"{log}: line 2 is damaged" in sentence
    assert "remove that line, then --resume" in sentence


@pytest.mark.parametrize(
    ("changes", "problem"),
    [({"control": "sideways"}, "'sideways' is not a valid Control"), ({"x": 1}, "unknown key 'x'")],
)
def test_a_line_that_is_not_understood_is_damaged(
    finished: Path, changes: dict[str, Any], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    log = finished / "results.jsonl"
    first, *rest = log.read_text().splitlines()
    log.write_text("\n".join([json.dumps(json.loads(first) | changes), *rest]) + "\n")
    sentence = refused(capsys, "compare", finished)
    assert f"{log}: line 1 is damaged" in sentence and problem in sentence


def test_results_of_other_jobs_are_left_alone(finished: Path) -> None:
    with RunDirectory(finished) as out:
        plan = out.reopen()
        fewer = jobs_of(replace(plan, episodes=plan.episodes[:1]))
        assert list(out.finished(fewer)) == ["one/straight/0"]


def test_drafts_of_a_killed_run_are_swept_up(
    finished: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (finished / "records/.one--straight--0.npz.123.part").write_bytes(b"half")
    (finished / ".results.csv.123.part").write_bytes(b"half")
    assert resumed(finished, capsys) == 0
    assert not [*(finished / "records").glob(".*"), *finished.glob(".*.part")]


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", '{"format": "paseo-run", "version": 2, "plan": {}}',
                '{"format": "paseo-run", "version": 1, "plan": {"name": 3}}'],
)  # fmt: skip
def test_a_damaged_run_is_refused_with_its_file(
    finished: Path, content: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (finished / "run.json").write_text(content)
    assert f"{finished / 'run.json'}: is damaged" in refused(
        capsys, "run", "--resume", "--out", finished
    )


@pytest.mark.parametrize("part", ["episodes", "planners", "seeds"])
def test_a_run_of_nothing_is_damaged(
    finished: Path, part: str, capsys: pytest.CaptureFixture[str]
) -> None:
    content = json.loads((finished / "run.json").read_text())
    content["plan"][part] = []
    (finished / "run.json").write_text(json.dumps(content))
    assert f"is damaged (it has no {part})" in refused(capsys, "compare", finished)


def test_a_run_is_neither_begun_twice_nor_resumed_where_there_is_none(
    finished: Path, room: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["run", room, "--planner", "straight", "--out"]
    sentence = refused(capsys, *words, finished)
    assert "already holds a run; finish it with --resume or choose another --out" in sentence
    sentence = refused(capsys, *words, tmp_path / "new", "--resume")
    assert "holds no run to finish; omit --resume to begin one" in sentence
    assert not (tmp_path / "new").exists()
    assert "--resume needs --out" in refused(capsys, "run", "--resume")


def test_old_results_are_not_taken_for_those_of_a_new_run(
    finished: Path, room: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (finished / "run.json").unlink()
    words = ["run", room, "--planner", "stop", "--out", finished]
    assert "holds results of a run, but not its run.json" in refused(capsys, *words)


@pytest.mark.parametrize(
    "words",
    [["--planner", "stop"], ["--planner", "straight", "--seed", "1"],
     ["--planner", "straight", "--limit", "1"], ["--planner", "straight", "--control", "position"],
     ["--planner", "straight", "--stop-on-contact"], ["--planner", "straight", "--pause-s", "1"]],
)  # fmt: skip
def test_a_run_is_not_resumed_with_other_words(
    finished: Path, room: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    resume = ["--resume", "--out", finished]
    assert "holds a run of something else" in refused(capsys, "run", room, *words, *resume)
    sentence = refused(capsys, "run", *words, *resume)
    assert "would change the run that --resume is to finish" in sentence
    assert words[-2 if words[-1][0] != "-" else -1] in sentence


def test_a_run_is_resumed_with_the_same_words_and_another_number_of_jobs(
    finished: Path, room: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [room, "--planner", "straight", "--jobs", "3"]
    assert len(results(capsys, *words, "--resume", "--out", finished)) == 3


def test_a_run_is_not_resumed_with_a_planner_that_has_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [suite(tmp_path), "--planner", failing(tmp_path, "Careless"), "--limit", "1"]
    results(capsys, *words, "--out", tmp_path / "run")
    with (tmp_path / "failing.py").open("a") as file:
        file.write("\n# better now\n")
    sentence = refused(capsys, "run", "--resume", "--out", tmp_path / "run")
    assert "failing.py:Careless' was changed since the run was begun; put it back" in sentence


def test_one_process_holds_a_run_at_a_time(
    finished: Path, room: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with RunDirectory(finished) as held:
        held.reopen()
        sentence = refused(capsys, "run", "--resume", "--out", finished)
        assert "is in use by another paseo run" in sentence
    with RunDirectory(tmp_path / "fresh") as fresh:
        fresh.create(PLAN)
        words = [room, "--planner", "stop", "--out", tmp_path / "fresh"]
        assert "in use by another" in refused(capsys, "run", *words)
    assert resumed(finished, capsys) == 0


@pytest.mark.parametrize("place", ["/dev/null/run", "/proc/run", "a_file", "a_file/run"])
def test_an_out_that_cannot_be_written_is_said_in_one_sentence(
    tmp_path: Path, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a_file").write_text("")
    words = ["run", suite(tmp_path), "--planner", "stop", "--out", tmp_path / place]
    sentence = refused(capsys, *words, code=1)
    assert f"{tmp_path / place}: cannot be used (" in sentence


def test_a_result_that_cannot_be_written_is_said_so(finished: Path) -> None:
    with RunDirectory(finished) as out:
        (result, *_) = out.finished(jobs_of(out.reopen())).values()
        (finished / "results.jsonl").unlink()
        (finished / "results.jsonl").mkdir()
        with pytest.raises(CannotWrite, match="make space, then use resume"):
            out.add(result, record=b"", timing=b"")


def test_errors_say_whose_they_are() -> None:
    assert BadFile.exit_code == InputError.exit_code == 2
    assert CannotWrite.exit_code == 1
