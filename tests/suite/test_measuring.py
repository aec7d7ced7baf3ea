"""Runs are measured and compared: what is kept of each episode, and what makes a row."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from paseo.cli.main import main
from paseo.errors import InputError, PaseoError, UnknownName
from paseo.metrics.comparison.cautions import Caution
from paseo.metrics.record.catalog import METRICS
from paseo.metrics.record.closeness import intimate_time
from paseo.metrics.record.measure import measure
from paseo.metrics.record.metric import metric
from paseo.report.walk.compared.output import as_json, text
from paseo.report.walk.webpage import write_report
from paseo.suite import measuring
from paseo.suite.measuring import compare_runs, measure_file, measured_runs
from paseo.world.motion import Pose
from paseo.world.recordfile import load_record
from paseo.world.records import Record
from runs import suite

KEPT = ("closest_person_distance", "time_to_collision")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("room")
    words = ["--planner", "straight", "--out", str(folder / "run")]
    assert main(["run", str(suite(folder)), *words]) == 0
    return folder / "run"


def test_samples_are_kept_of_the_metrics_that_are_named(run: Path) -> None:
    for each in measured_runs([run], METRICS, keep=KEPT):
        found = measure(load_record(each.record))
        assert list(each.samples) == list(KEPT)
        for name, samples in each.samples.items():
            assert samples.tolist() == found[name].samples.tolist()


def test_samples_that_nobody_asked_for_are_not_kept(run: Path) -> None:
    assert [each.samples for each in measured_runs([run], METRICS)] == [{}, {}, {}]


def test_each_episode_knows_its_record(run: Path) -> None:
    for each in measured_runs([run], METRICS):
        assert each.record.parent == run / "records"
        assert load_record(each.record).scenario.name == each.episode


@dataclass(frozen=True)
class Run:
    folder: Path


@metric(unit="s", better="lower", per_minute=True)
def near_seconds(record: Record) -> float:
    """The same as a metric of Paseo's own."""
    value = intimate_time(record)
    assert isinstance(value, float)
    return value


def test_a_run_is_compared_by_its_folder_or_by_whatever_has_one(run: Path) -> None:
    found = compare_runs(run)
    assert [each.row.planner for each in found.summaries] == ["straight"]
    for same in (str(run), Run(run), [run], [Run(run)], (str(run),)):
        assert text(compare_runs(same)) == text(found)


def test_a_comparison_is_a_table_for_programs_as_well(run: Path) -> None:
    found = compare_runs(run)
    rows = found.rows()
    assert [each["metric"] for each in rows] == [each.name for each in found.metrics]
    (near,) = [each for each in rows if each["metric"] == "intimate_time"]
    assert near.keys() == {
        "row", "planner", "control", "reactivity", "latency_s", "sensing", "metric", "unit", "mean",
        "low", "high", "episodes",
    }  # fmt: skip
    assert (near["row"], near["planner"], near["unit"]) == (0, "straight", "s/min")
    assert near["mean"] == found.summaries[0].estimates["intimate_time"].mean


@pytest.mark.slow
@pytest.mark.extra("plots")
def test_robots_that_differ_only_in_turn_acceleration_are_two_rows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folders = []
    for limit in (2.0, 3.0):
        robot = tmp_path / f"robot{limit:g}.toml"
        robot.write_text(
            'format = "paseo-robot"\nversion = 1\nname = "mine"\nradius_m = 0.24\n'
            "max_speed_mps = 1.2\nmax_turn_radps = 1.1\n"
            f"max_turn_acceleration_radps2 = {limit}\n"
        )
        folders.append(tmp_path / f"run{limit:g}")
        words = ["--planner", "straight", "--robot", str(robot), "--out", str(folders[-1])]
        assert main(["run", str(suite(tmp_path)), *words]) == 0
    found = compare_runs(folders)
    assert found.warnings[0] is Caution.ROBOTS
    limits = [each.row.robot.max_turn_acceleration for each in found.summaries if each.row.robot]
    assert limits == [2.0, 3.0]
    rows = [each["row"]["robot"] for each in as_json(found)["summaries"]]
    assert [words.rpartition(", ")[2] for words in rows] == ["2 rad/s^2", "3 rad/s^2"]
    capsys.readouterr()
    for layout in ("markdown", "csv", "latex", "json"):
        assert main(["compare", *map(str, folders), "--format", layout]) == 0
        said = capsys.readouterr().out
        assert all(f"{limit} rad/s" in said for limit in (2, 3))
    page = write_report(folders, tmp_path / "page.html").read_text()
    assert "straight (mine, radius 0.24 m, 1.2 m/s, 1.1 rad/s, inf m/s^2, 2 rad/s^2)" in page


def test_your_own_metric_is_compared_as_one_of_paseos(run: Path) -> None:
    found = compare_runs(run, metrics=[near_seconds])
    estimates = found.summaries[0].estimates
    assert estimates["near_seconds"] == estimates["intimate_time"]
    said = text(found, "markdown", whole=True)
    assert "| near_seconds (s/min) |" in said
    assert "intimate_time, near_seconds, person_collisions" in said  # what is per minute


def test_a_metric_of_your_own_stands_in_the_table_of_its_group(run: Path) -> None:
    @metric(unit="m", better="lower", group="path", population="every")
    def wiggle(record: Record) -> float:
        """Always the same."""
        return 0.25

    @metric(unit="m", better="lower", group="motion", pooled=True)
    def sway(record: Record) -> Any:
        """Of every state."""
        return record.robot[:, 0]

    measured = measured_runs([run], [*METRICS, sway])
    assert list(measured[0].moments) == ["speed", "acceleration", "jerk", "sway"]
    said = text(compare_runs(run, metrics=[wiggle, sway]), "markdown", whole=True)
    assert "| path_traversal_time (s) | wiggle (m) |" in said
    assert "wiggle over all of each planner's (3)" in said
    assert "| jerk (m/s^3) | sway (m) |" in said


def test_what_is_no_metric_no_variant_or_no_run_is_refused(run: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no metric; decorate"):
        compare_runs(run, metrics=[len])  # type: ignore[list-item]
    with pytest.raises(UnknownName, match="no variant is called 'publisht'"):
        compare_runs(run, variant="publisht")
    with pytest.raises(InputError, match="holds no run"):
        compare_runs(tmp_path)
    with pytest.raises(UnknownName, match="no layout is called 'html'"):
        text(compare_runs(run), "html")


def test_a_run_that_is_not_finished_names_the_parameter_that_finishes_it(
    run: Path, tmp_path: Path
) -> None:
    (tmp_path / "run.json").write_bytes((run / "run.json").read_bytes())
    with pytest.raises(InputError, match="is not finished: 3 of 3") as caught:
        compare_runs(tmp_path)
    assert caught.value.parameters == ("resume",)


def test_a_file_is_measured_with_the_goal_and_map_of_a_log_only(run: Path, tmp_path: Path) -> None:
    record = next((run / "records").glob("*.npz"))
    found = measure_file(record)
    assert found["planning_time"].value is not None
    with pytest.raises(InputError, match="goal and map are for CSV logs") as caught:
        measure_file(record, goal=Pose(1.0, 2.0))
    assert caught.value.parameters == ("goal", "map")
    log = tmp_path / "log.csv"
    log.write_text(
        "time_s,agent,x_m,y_m,heading_rad,radius_m\n0,robot,1,1,0,0.3\n1,robot,2,1,0,0.3\n"
    )
    assert measure_file(log)["path_length_ratio"].value is None
    assert measure_file(log, goal=Pose(3.0, 1.0))["path_length_ratio"].value == 2.0


@pytest.mark.extra("plots")
def test_a_report_reads_every_record_once(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def counted(path: Path) -> Record:
        read.append(path.name)
        return load_record(path)

    monkeypatch.setattr(measuring, "load_record", counted)
    told: list[tuple[int, int]] = []
    page = write_report(
        Run(run), tmp_path / "page.html", progress=lambda what, done, of: told.append((done, of))
    )
    assert page == tmp_path / "page.html"
    assert sorted(read) == sorted(each.name for each in (run / "records").glob("*.npz"))
    assert told[:3] == [(1, 3), (2, 3), (3, 3)]


def test_the_same_episode_in_two_runs_is_refused(run: Path) -> None:
    with pytest.raises(PaseoError, match="'one' with straight and seed 0 is in two of the runs"):
        compare_runs([run, run])


def test_runs_in_which_a_name_stands_for_two_episodes_are_refused(
    run: Path, tmp_path: Path
) -> None:
    moved = suite(tmp_path)
    words = ["--planner", "stop", "--out"]
    assert main(["run", str(moved), *words, str(tmp_path / "same")]) == 0
    assert len(measured_runs([run, tmp_path / "same"], METRICS)) == 6  # wherever the files lie
    moved.write_text(moved.read_text().replace('"x_m": 8.0', '"x_m": 7.5', 1))
    assert main(["run", str(moved), *words, str(tmp_path / "other")]) == 0
    with pytest.raises(PaseoError, match="'one' is another episode in room than in room; name "):
        compare_runs([run, tmp_path / "other"])
