import json
import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paseo.cli.main import main
from paseo.suite.rerunning import rerun
from paseo.world.clocks import ClockName, Late, Thinking, Timekeeping
from paseo.world.motion import Control
from paseo.world.recordfile import load_record
from paseo.world.records import Record
from paseo.world.scenarios import Gait, Pause, Sensor
from runs import failing, records, refused, results, suite

CSV = "frame,ped_id,x_m,y_m\n0,1,5,1\n10,1,5,3\n20,1,5,5\n"


@pytest.fixture
def ran(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs the first episode of the suite with some words; its record."""

    def run(*words: object, **changes: Any) -> Record:
        path = suite(tmp_path, **changes)
        planner = [] if "--planner" in words else ["--planner", "straight"]
        out = ["--out", tmp_path / "run", "--limit", 1]
        (result,) = results(capsys, path, *planner, *out, *words)
        return load_record(tmp_path / "run/records" / result["record"])

    return run


def test_a_run_prints_a_table_and_where_the_results_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["run", suite(tmp_path), "--planner", "straight,stop", "--out", tmp_path / "run"]
    assert main([str(word) for word in words]) == 0
    printed = capsys.readouterr()
    header, _, straight, stop, *_ = printed.out.split("\n")
    columns = (
        "planner control episodes success T PC EC failed contacts caused shared walked into "
        "success s to goal s"
    )
    assert " ".join(header.split()) == columns
    assert straight.split()[:8] == ["straight", "velocity", "3", "0", "3", "0", "0", "0"]
    assert stop.split()[:8] == ["stop", "velocity", "3", "0", "3", "0", "0", "0"]
    assert stop.split()[8:] == ["0", "0", "0", "0", "-", "2.00"]  # nobody arrived: the limit
    assert printed.out.endswith(f"\nresults: {tmp_path / 'run'}\n")
    assert "Traceback" not in printed.err


def test_json_holds_results_summary_and_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["run", suite(tmp_path), "--planner", "stop", "--out", tmp_path / "run", "--json"]
    assert main([str(word) for word in words]) == 0
    content = json.loads(capsys.readouterr().out)
    assert list(content) == ["out", "summary", "results"]
    assert content["out"] == str(tmp_path / "run")
    assert [result["episode"] for result in content["results"]] == ["one", "two", "three"]
    header = (tmp_path / "run/results.csv").read_text().split("\n")[0]
    assert header.split(",") == list(content["results"][0])


def test_planning_times_are_printed_where_they_were_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["run", suite(tmp_path), "--planner", "stop", "--time-planning", "--out"]
    assert main([str(word) for word in [*words, tmp_path / "a"]]) == 0
    printed = capsys.readouterr()
    assert "planner  control   steps  median ms  p95 ms" in printed.out
    assert "one worker kept to a core of its own" in printed.err
    assert main([str(word) for word in [*words, tmp_path / "b", "--json"]]) == 0
    (found,) = json.loads(capsys.readouterr().out)["planning"]
    assert 0 < found["median_s"] <= found["p95_s"]


def test_a_folder_is_made_where_none_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = suite(tmp_path)
    monkeypatch.chdir(tmp_path)
    for _ in range(2):  # also twice within a second
        assert main(["run", str(path), "--planner", "stop", "--limit", "1"]) == 0
    folders = list((tmp_path / "runs").iterdir())
    assert len(folders) == 2
    assert all(re.match(r"suite-\d{8}-\d{6}", folder.name) for folder in folders)


def test_a_shipped_episode_can_be_run_by_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["scripted_eth_along", "--planner", "straight:speed=1", "--out", tmp_path / "run"]
    (result,) = results(capsys, *words)
    assert (result["planner"], result["rule"]) == ("straight:speed=1", "")
    record = load_record(tmp_path / "run/records" / result["record"])
    assert record.provenance.parameters == {"speed": 1.0}


def test_limit_seed_control_and_robot_take_effect(ran: Any, tmp_path: Path) -> None:
    (tmp_path / "cart.toml").write_text(
        'format = "paseo-robot"\nversion = 1\nname = "cart"\nradius_m = 0.4\nmax_speed_mps = 0.5\n'
    )
    record = ran("--seed", 9, "--control", "position", "--robot", tmp_path / "cart.toml", seeds=[1])
    assert record.scenario.seed == 9
    assert record.provenance.control is Control.POSITION
    assert (record.scenario.robot.name, record.scenario.robot.radius) == ("cart", 0.4)
    speed = abs(record.robot[1, 0] - record.robot[0, 0]) / record.scenario.dt
    assert speed == pytest.approx(0.5)


def test_a_shipped_robot_can_be_named(ran: Any) -> None:
    robot = ran("--robot", "socnavbench").scenario.robot
    assert (robot.name, robot.radius, robot.wall_radius) == ("socnavbench", 0.2, 0.0)


def test_sense_stop_pause_and_cooldown_take_effect(ran: Any) -> None:
    words = ["--sense", "range_m=6,occlusion=true,delay_s=0.1", "--stop-on-contact"]
    record = ran(*words, "--pause-s", 2, "--cooldown-s", 0.5)
    assert record.scenario.sensor == Sensor(range=6.0, occlusion=True, delay=0.1)
    assert record.scenario.stop_on_contact
    assert record.scenario.pause == Pause(duration=2.0, cooldown=0.5)
    assert record.seen is not None


def test_what_the_command_line_leaves_out_is_as_the_suite_says(ran: Any) -> None:
    settings = {"dt_s": 0.1, "pause": {"duration_s": 3.0}, "sensor": {"range_m": 4.0}}
    changes = {"seeds": [5], "control": "position", "robot": {"radius_m": 0.3}}
    world = ran(settings=settings, **changes).scenario
    assert (world.dt, world.seed, world.robot.radius) == (0.1, 5, 0.3)
    assert world.pause == Pause(duration=3.0)
    assert world.sensor == Sensor(range=4.0)


def test_own_map_recording_and_scripted_people_are_in_the_record(ran: Any, tmp_path: Path) -> None:
    (tmp_path / "walks.csv").write_text(CSV)
    entry = {
        "name": "mine", "map": "room.txt", "time_limit_s": 2.0,
        "start": {"x_m": 2, "y_m": 5}, "goal": {"x_m": 8, "y_m": 5},
        "recordings": [{"recording": "walks.csv", "fps": 10}],
        "people": [{"id": 900, "path": [[0, 9, 9], [2, 9, 5]]}],
    }  # fmt: skip
    record = ran(episodes=[entry])
    assert record.ids.tolist() == [1, 900]
    np.testing.assert_allclose(record.people[20], [[5.0, 3.0], [9.0, 7.0]])
    assert list(record.scenario.data_hashes) == ["walks.csv"]


def test_a_gait_is_in_the_record_which_can_be_made_again(ran: Any, tmp_path: Path) -> None:
    (tmp_path / "walks.csv").write_text(CSV)
    entry = {
        "name": "mine", "map": "room.txt", "time_limit_s": 2.0,
        "start": {"x_m": 2, "y_m": 5}, "goal": {"x_m": 8, "y_m": 5},
        "recordings": [{"recording": "walks.csv", "fps": 10}],
    }  # fmt: skip
    record = ran("--gait", "natural", episodes=[entry])
    assert record.scenario.gait is Gait.NATURAL
    assert 0.002 < np.abs(record.people[20] - [5.0, 3.0]).max() < 0.1
    assert rerun(record).is_identical


def test_a_users_planner_is_found_beside_the_suite(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bench").mkdir()
    failing(tmp_path / "bench", "Careless")
    suite(tmp_path / "bench", planners=["failing.py:Careless"])
    monkeypatch.chdir(tmp_path)
    listed = results(capsys, "bench/suite.json", "--limit", 1, "--out", "run")
    assert [result["planner"] for result in listed] == ["bench/failing.py:Careless"]


@pytest.mark.recordings
def test_the_rule_decides_who_is_there(
    tmp_path: Path, data_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    people = {}
    for rule in ("everyone", "socnavbench"):
        words = ["t_dhotel_bottopmid", "--planner", "straight", "--data", data_dir, "--rule", rule]
        (result,) = results(capsys, *words, "--out", tmp_path / rule)
        assert result["rule"] == rule
        people[rule] = len(load_record(tmp_path / rule / "records" / result["record"]).ids)
    assert people == {"everyone": 108, "socnavbench": 48}


@pytest.mark.recordings
def test_all_33_episodes_run_and_their_verdicts_add_up(
    tmp_path: Path, data_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["socnavbench-33", "--planner", "straight", "--data", os.path.relpath(data_dir)]
    assert main(["run", *words, "--out", str(tmp_path / "run"), "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["summary"]
    verdicts = ("success", "timeout", "person_collision", "wall_collision", "planner_failed")
    assert sum(row[verdict] for verdict in verdicts) == row["episodes"] == 33
    assert row["planner_failed"] == 0


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["run"], "name a suite or an episode to run; `paseo list suites` shows them"),
        (["run", "--out", "x"], "name a suite or an episode to run"),
        (["run", "scripted-11"], "no suite or episode is called 'scripted-11'. Did you mean"),
        (["run", "t_ETH1"], "'t_ETH1' names no planner; add --planner, e.g. --planner='straight'"),
        (["run", "scripted-10", "--planner", "strait"], "Did you mean 'straight'?"),
        (["run", "scripted-10", "--planner", "my.py:A"], "my.py: cannot be read"),
        (["run", "scripted-10", "--planner", "straight:sped=1"], "Did you mean 'speed'?"),
        (["run", "no.toml"], "no.toml: no such file; check the name"),
        (["run", "scripted-10", "--robot", "no.toml"], "no.toml: no such file"),
        (["run", "scripted-10", "--robot", "socnav-bench"], "Did you mean 'socnavbench'?"),
        (["run", "scripted-10", "--sense", "range=3"], "--sense: top level: unknown key 'range'"),
        (["run", "scripted-10", "--sense", "range_m"], "--sense: range_m: expected `float | null`"),
        (["run", "scripted-10", "--sense", "range_m=nan"], "--sense: range_m: expected `float` >"),
        (["run", "scripted-10", "--sense", "miss_rate=2"], "--sense: miss_rate: expected"),
        (["run", "scripted-10", "--pause-s", "nan"], "command line: pause.duration_s: expected"),
        (["run", "scripted-10", "--cooldown-s=-1"], "command line: pause.cooldown_s: expected"),
        (["run", "scripted-10", "--hang-limit-s", "0"], "command line: hang_limit_s: expected"),
        (["run", "scripted-10", "--stall-limit-s", "inf"], "command line: stall_limit_s: expected"),
        (["run", "t_ETH1", "--planner", "stop", "--data", "nowhere"], "set PASEO_DATA or pass"),
    ],
)
def test_what_cannot_be_run_is_refused_and_leaves_nothing_behind(
    words: list[str], problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert problem in refused(capsys, *words)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"start": {"x_m": 2.0, "y_m": 0.1}}, "the start (2, 0.1) is 0.10 m from a wall"),
        ({"goal": {"x_m": 20.0, "y_m": 5.0}}, "the goal (20, 5) is inside a wall"),
        ({"map": "parted.txt"}, "no way leads from the start to the goal"),
        ({"people": [{"id": 1, "path": [[0, 1, 1], [0, 2, 2]]}]}, "expected increasing ones"),
        ({"recordings": [{"recording": "bad.csv", "fps": 10}]}, "bad.csv: line 2"),
        ({"recordings": [{"recording": "bad.csv"}]}, "bad.csv"),
    ],
)
def test_an_episode_that_cannot_be_run_is_refused_before_anything_is_made(
    change: dict[str, Any], problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.csv").write_text("frame,ped_id,x_m,y_m\n0,1,x,0\n")
    (tmp_path / "parted.txt").write_text(
        "0 0\n10 0\n10 10\n0 10\n\n4.9 -1\n5.1 -1\n5.1 11\n4.9 11\n"
    )
    entry = {"name": "e", "map": "room.txt", "start": {"x_m": 2.0, "y_m": 5.0},
             "goal": {"x_m": 8.0, "y_m": 5.0}, **change}  # fmt: skip
    path = suite(tmp_path, episodes=[entry])
    sentence = refused(capsys, "run", path, "--planner", "stop", "--out", tmp_path / "run")
    assert problem in sentence
    assert not (tmp_path / "run").exists()


@pytest.mark.slow
def test_every_reactivity_is_run_and_compare_tells_the_ranks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    words = ["run", "scripted-10", "--planner", "straight,stop", "--limit", "4", "--jobs", "1"]
    assert main([*words, "--reactivity", "0,1", "--out", str(out), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [row["reactivity"] for row in told["summary"]] == [0.0, 0.0, 1.0, 1.0]
    assert len({row["record"] for row in told["results"]}) == 16
    assert main(["compare", str(out)]) == 0
    printed = capsys.readouterr().out
    for phrase in (
        "Ranks by reactivity",
        "reactivity 0",
        "people_pushed",
        "straight (reactivity 1)",
    ):
        assert phrase in printed
    assert main(["run", "--resume", "--out", str(out)]) == 0


@pytest.mark.slow
def test_every_latency_is_run_and_compare_tells_how_slow_planners_may_be(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["run", "scripted-10", "--planner", "straight,stop", "--limit", "4", "--jobs", "1"]
    slow, plain = tmp_path / "slow", tmp_path / "plain"
    assert main([*words, "--latency", "0,0.5", "--out", str(slow), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [row["latency_s"] for row in told["summary"]] == [0.0, 0.0, 0.5, 0.5]
    assert len({row["record"] for row in told["results"]}) == 16
    assert main([*words, "--out", str(plain)]) == 0
    assert "latency s" not in capsys.readouterr().out
    at_once = {name: data for name, data in records(slow).items() if "latency=0.0" in name}
    assert sorted(at_once.values()) == sorted(records(plain).values())
    assert main(["compare", str(slow)]) == 0
    printed = capsys.readouterr().out
    assert "Along latency" in printed
    assert "success: stop is not ahead of straight (latency 0 s), not even at 0 s" in printed
    assert main(["compare", str(slow), str(plain), "--format", "json"]) == 0
    rows = [each["row"] for each in json.loads(capsys.readouterr().out)["summaries"]]
    assert [row["latency_s"] for row in rows] == [0.0, 0.0, 0.5, 0.5, None, None]
    assert {row["clock"]["clock"] for row in rows} == {"charged", "sync"}
    assert main(["run", "--resume", "--out", str(slow)]) == 0
    assert "latency s" in capsys.readouterr().out


@pytest.mark.parametrize("clock", ["sync", "async"])
def test_a_latency_is_charged_by_no_other_clock(
    clock: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("run", "scripted-10", "--planner", "stop", "--latency", "0,1", "--clock", clock)
    said = refused(capsys, *words)
    assert said == f"paseo: with --latency the --clock is 'charged', not '{clock}'\n"


@pytest.mark.parametrize("stops", ["-1", "0,0", "slow", "", "0,nan", "inf"])
def test_a_latency_that_makes_no_sense_is_refused(
    stops: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refused(capsys, "run", "scripted-10", f"--latency={stops}")
    assert "expected different numbers of seconds from 0 on such as 0,0.5,2, not" in said


def test_a_latency_longer_than_an_episode_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(capsys, "run", "scripted-10", "--planner", "straight", "--latency", "0,900")
    assert "a latency of 900 s outlasts episode 's" in said


@pytest.mark.parametrize("stops", ["2", "0,0", "much", "", "0,nan"])
def test_a_reactivity_that_makes_no_sense_is_refused(
    stops: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["run", "scripted-10", "--reactivity", stops])
    assert "from 0 to 1" in capsys.readouterr().err


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
