"""`paseo measure` and `paseo compare`, from run to table."""

import csv
import io
import json
from pathlib import Path

import pytest

from paseo.cli.main import main
from paseo.metrics.record.catalog import METRICS, PUBLISHED
from paseo.metrics.record.measure import PLANNING_TIMES

TOP = Path(__file__).parents[3]
EXAMPLE = f"{TOP / 'examples/crowding/crowding.py'}:people_nearby"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("runs") / "run"
    planners = "straight,straight:speed=0.6,stop"
    assert main(["run", "scripted-10", "--planner", planners, "--out", str(out)]) == 0
    return out


def record_of(run: Path) -> str:
    return str(run / "records/scripted_eth_against--straight--0.npz")


def test_a_record_is_measured_with_its_planning_times(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["measure", record_of(run), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert list(found) == [each.name for each in (*METRICS, *PLANNING_TIMES)]
    assert len(found["speed"]["samples"]) == len(found["planning_time"]["samples"])
    assert found["path_length"]["unit"] == "m"
    assert found["goal_traversal_ratio"]["value"] is None
    assert main(["measure", record_of(run), "--variant", "published"]) == 0
    printed = capsys.readouterr().out
    assert all(each.name in printed for each in PUBLISHED)


def test_the_published_planning_time_is_the_sum_over_the_episode(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = []
    for variant in ("definition", "published"):
        assert main(["measure", record_of(run), "--variant", variant, "--json"]) == 0
        found.append(json.loads(capsys.readouterr().out)["planning_time"])
    assert found[1]["value"] == pytest.approx(sum(found[0]["samples"]))


def test_the_example_metric_is_short_and_measured_by_file(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(Path(EXAMPLE.rpartition(":")[0]).read_text().splitlines()) <= 40
    assert main(["measure", record_of(run), "--metric", EXAMPLE, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["people_nearby"]["value"] > 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--goal", "1,2"], "--goal and --map are for CSV logs; a record holds its own"),
        (["--metric", "nowhere.py:a"], "nowhere.py: no such file"),
        (["--metric", "people_nearby"], "expected file.py:name"),
        (["--metric", EXAMPLE.replace("nearby", "near")], "Did you mean 'people_nearby'?"),
        (["--metric", EXAMPLE.replace("people_nearby", "NEAR")], "is no metric; decorate"),
        (["--metric", EXAMPLE, "--metric", EXAMPLE], "two metrics are called 'people_nearby'"),
    ],
)
def test_wrong_words_get_one_sentence(
    words: list[str], sentence: str, run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["measure", record_of(run), *words]) == 2
    said = capsys.readouterr()
    assert sentence in said.err
    assert (said.err.count("\n"), said.out) == (1, "")


def test_logs_need_a_goal_in_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "log.csv"
    file.write_text("time_s,agent,x_m,y_m,heading_rad,radius_m\n0,robot,1,1,0,0.3\n")
    assert main(["measure", str(file)]) == 0
    assert "not available: needs the goal" in capsys.readouterr().out
    for goal in ("here", "1", "1,2,3", "nan,1"):
        assert main(["measure", str(file), "--goal", goal]) == 2
        assert "--goal is" in capsys.readouterr().err
    assert main(["measure", str(tmp_path / "no.csv")]) == 2


def test_planners_are_compared_in_every_format(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", str(run), "--all", "--format", "markdown"]) == 0
    said = capsys.readouterr()
    for title in ("Table 2.", "Table 3.", "Table 4.", "All episodes.", "Paired differences"):
        assert title in said.out
    assert "beyond chance" in said.out
    assert "| straight:speed=0.6 | velocity |" in said.out
    assert main(["compare", str(run), "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    success = next(row for row in rows if (row["metric"], row["first"]) == ("success", "straight"))
    assert float(success["mean"]) == pytest.approx(0.4)
    assert main(["compare", str(run), "--format", "latex", "--all"]) == 0
    assert capsys.readouterr().out.count("\\begin{tabular}") == 5
    assert main(["compare", str(run), "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["episodes"], found["windows"]) == (10, 10)
    assert [row["episodes"] for row in found["summaries"]] == [10, 10, 10]


def test_the_same_words_give_the_same_table(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["compare", str(run)])
    first = capsys.readouterr().out
    main(["compare", str(run)])
    assert capsys.readouterr().out == first


def test_priorities_rank_planners(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        'format = "paseo-priorities"\nversion = 1\n'
        "[weights]\nsuccess = 2\ntime_to_goal = 1\n[limits]\nsuccess = { at_least = 0.1 }\n"
    )
    words = ["compare", str(run), "--priorities", str(file), "--format", "markdown"]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert "| 1 | straight |" in out or "| 1 | straight:speed=0.6 |" in out
    assert "| 3 | stop | 0.000 | no | success is 0, wanted at least 0.1 |" in out
    file.write_text(file.read_text().replace("time_to_goal", "time_to_gaol"))
    assert main(["compare", str(run), "--priorities", str(file)]) == 2
    assert "no metric is called 'time_to_gaol'. Did you mean 'time_to_goal'?" in (
        capsys.readouterr().err
    )


@pytest.mark.slow
def test_control_modes_side_by_side_are_warned_of(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = str(tmp_path / "other")
    words = ["--planner", "straight", "--control", "position", "--out", other]
    assert main(["run", "scripted-10", *words]) == 0
    capsys.readouterr()
    assert main(["compare", str(run), other]) == 0
    said = capsys.readouterr()
    assert "rows differ in their control modes (position, velocity)" in said.out
    assert "straight (position)" in said.out
    assert main(["compare", str(run), str(run)]) == 2
    assert "is in two of the runs; name only one of them" in capsys.readouterr().err


def test_what_is_not_a_finished_run_is_refused(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", str(tmp_path)]) == 2
    assert "holds no run; expected a folder that paseo run made" in capsys.readouterr().err
    half = tmp_path / "half"
    half.mkdir()
    (half / "run.json").write_bytes((run / "run.json").read_bytes())
    assert main(["compare", str(half)]) == 2
    assert "is not finished: 30 of 30 episodes are missing" in capsys.readouterr().err


def test_metrics_are_listed_with_unit_and_direction(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "metrics", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    names = [(row["name"], row["variant"]) for row in rows]
    assert len(set(names)) == len(names) == len(METRICS) + len(PUBLISHED) + len(PLANNING_TIMES) + 1
    assert all(row["unit"] and row["better"] in ("higher", "lower", "neither") for row in rows)
    (near,) = [row for row in rows if row["name"] == "intimate_time"]
    assert (near["population"], near["per_minute"]) == ("driven", True)
    assert (near["pooled"], near["group"]) == (False, "other")
    assert main(["list", "metrics"]) == 0
    assert "population" not in capsys.readouterr().out.splitlines()[0]  # what fits on a line


@pytest.mark.slow
def test_what_is_compared_can_be_chosen(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def said(*words: str) -> str:
        assert main(["compare", str(run), *words]) == 0
        return capsys.readouterr().out

    assert "stop" not in said("--planner", "straight,straight:speed=0.6").split("Careful")[0]
    assert "without stop they would rest on 8" in " ".join(said().split())
    assert "would rest" not in said("--without", "stop")
    assert "minus stop" in said("--baseline", "stop")
    assert "jerk (m/s^3)" in said("--primary", "jerk,success")
    assert "2 episodes" in said("--episodes", "scripted_eth_*").partition(",")[0]
    assert "map: ETH. 2 episodes" in said("--by", "map")
    found = json.loads(said("--metrics", "jerk", "--format", "json"))
    assert {pair["metric"] for pair in found["pairs"]} == {
        "success", "person_collisions", "jerk", "time_to_goal"
    }  # fmt: skip
    assert main(["compare", str(run), "--baseline", "stopp"]) == 2
    assert "no planner is called 'stopp'. Did you mean 'stop'?" in capsys.readouterr().err


def test_a_metric_that_raises_is_named_whichever_process_measures(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.py").write_text(
        "from paseo import metric\n"
        "@metric(unit='1', better='lower')\n"
        "def bad(record):\n    return 1 / 0\n"
    )
    for words in (["measure", record_of(run)], ["compare", str(run)]):
        assert main([*words, "--metric", f"{tmp_path / 'bad.py'}:bad"]) == 1
        said = capsys.readouterr()
        assert "metric 'bad' raised ZeroDivisionError" in said.err
        assert said.err.count("\n") == 1


def test_robots_that_differ_in_where_walls_count_are_told_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["run", "scripted-10", "--planner", "stop", "--limit", "1"]
    for robot in ("pioneer-3dx", "socnavbench"):
        assert main([*words, "--robot", robot, "--out", str(tmp_path / robot)]) == 0
    folders = [str(tmp_path / robot) for robot in ("pioneer-3dx", "socnavbench")]
    assert main(["compare", *folders]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "rows differ in their robots (pioneer-3dx, radius 0.24 m, 1.2 m/s" in printed
    assert "socnavbench, radius 0.2 m (walls from 0 m), 1.2 m/s" in printed
