"""Runs of robots that see: planned, swept, resumed, repeated and compared."""

import math
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from paseo.cli.main import main
from paseo.errors import BadFile, BadValue, InputError, MissingExtra, UnknownName
from paseo.metrics.comparison.rows import Row
from paseo.metrics.comparison.sweeps.dials import comparable
from paseo.report.walk.log import readable_log
from paseo.report.walk.rows import labels, sight_words
from paseo.suite.measuring import compare_runs
from paseo.suite.rerunning import rerun
from paseo.suite.runners.preparing import prepared
from paseo.suite.running import run
from paseo.suite.runs.jobs import jobs_of
from paseo.suite.runs.planning import RunOptions, plan_run
from paseo.suite.runs.sights import sights_of
from paseo.world.cameras import CameraSensor, Sight, level_camera
from paseo.world.clocks import picture_steps
from paseo.world.motion import Control, Pose
from paseo.world.recordfile import load_record
from paseo.world.scenarios import Sensor
from runs import course, refused, suite

CAMERA = level_camera(40, 30, across=math.radians(87))
DT = 0.05
BOTH = RunOptions(sensing=("schematic", "full"), perceptions=("ids", "depth"), camera=CAMERA)


def test_each_way_to_see_is_a_sight_and_none_is_to_be_told() -> None:
    assert sights_of((), (), dt=DT) == sights_of(("schematic",), (), dt=DT) == ()
    (alone,) = sights_of(("full",), (), dt=DT)
    assert alone is not None and alone.label == "image" and alone.camera.width_px == 320
    told, ids, depth = sights_of(("schematic", "full"), ("ids", "depth"), camera=CAMERA, dt=DT)
    assert told is None and ids is not None and depth is not None
    assert (ids.label, depth.label, depth.camera, depth.period) == ("ids", "depth", CAMERA, 0.1)
    keys = {"depth_noise_m": 0.01, "max_range_m": 8.0}
    (noisy,) = sights_of(("full",), (), camera_sensor=keys, camera_fps=20, dt=DT)
    assert noisy is not None and noisy.period == 0.05
    assert noisy.sensor == CameraSensor(depth_noise=0.01, max_range=8.0)


@pytest.mark.parametrize(
    ("sensing", "perceptions", "more", "kind", "words"),
    [
        (("blind",), (), {}, BadValue, "sensing is 'blind', expected one of schematic, full"),
        ((), ("depth",), {}, BadValue, "perceptions: only a robot that has to see for itself"),
        ((), (), {"camera": "level"}, BadValue, "camera: only a robot that has to see"),
        (("full",), ("dept",), {}, UnknownName, "no perception is called 'dept'. Did you mean"),
        (("full",), ("ids", "ids"), {}, BadValue, "'ids' is named twice"),
        (("full", "full"), (), {}, BadValue, "'full' is named twice"),
        (("full",), (), {"camera": "levl"}, UnknownName, "no camera is called 'levl'"),
        (("full",), (), {"camera": "none.toml"}, BadFile, "none.toml"),
        (("full",), (), {"camera_fps": 0}, BadValue, "camera_fps is 0, expected"),
        (
            ("full",),
            (),
            {"camera_fps": 30},
            BadValue,
            "camera_fps is 30, but with steps of 0.05 s no ",
        ),
        (("full",), (), {"camera_sensor": {"fog": 1}}, UnknownName, "sensor is called 'fog'"),
        (("full",), (), {"camera_sensor": {"depth_holes": 2}}, BadValue, "camera_sensor: a sen"),
        (("full",), (), {"camera": replace(CAMERA, at=Pose(1, 1))}, BadValue, "place of its own"),
    ],
)
def test_what_makes_no_sense_is_told_in_a_sentence(
    sensing: tuple[str, ...], perceptions: tuple[str, ...], more: Any, kind: Any, words: str
) -> None:
    with pytest.raises(kind) as caught:
        sights_of(sensing, perceptions, dt=DT, **more)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("fps", "period"), [(20, 0.05), (15, 0.1), (10, 0.1), (None, 0.1), (7, 0.15)]
)
def test_pictures_are_taken_and_told_in_whole_steps(fps: float | None, period: float) -> None:
    (sight,) = sights_of(("full",), (), camera=CAMERA, camera_fps=fps, dt=DT)
    assert sight is not None and sight.period == pytest.approx(period)
    assert picture_steps(sight.period, DT) * DT == pytest.approx(period)


def test_a_period_between_steps_is_told_in_whole_ones() -> None:
    odd, usual = Sight(camera=CAMERA, period=0.07), Sight(camera=CAMERA, period=0.05)
    assert sight_words(odd, [odd, usual], dt=DT).endswith("every 0.1 s")


def test_a_sensor_is_read_from_a_file_without_a_shutter(tmp_path: Path) -> None:
    file = tmp_path / "kinect.toml"
    file.write_text("depth_noise_m = 0.01\nmax_range_m = 8.0\n")
    (noisy,) = sights_of(("full",), (), camera_sensor=file, dt=DT)
    assert noisy is not None and noisy.sensor == CameraSensor(depth_noise=0.01, max_range=8.0)
    file.write_text("shutter_s = 0.01\n")
    with pytest.raises(BadValue, match=r"kinect.toml: the camera of a robot .* omit shutter_s and"):
        sights_of(("full",), (), camera_sensor=file, dt=DT)


def test_who_neither_looks_nor_is_told_is_named(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    methods = "    def begin(self, briefing): ...\n    def plan(self, observation): ...\n"
    file.write_text(
        f"class Mute:\n{methods}class Seer:\n    looks = True\n{methods}"
        f"class Odd:\n    looks = 3\n{methods}"
    )
    planners = f"orca,stop,straight,{file}:Mute,{file}:Seer"
    shown = RunOptions(sensing=("full",), camera=CAMERA, data=tmp_path)
    target = course(tmp_path, "one")
    first, second = prepared(plan_run(target, planners, shown)).blind
    assert first.startswith("orca does not look at pictures and was told of nobody; add a perce")
    assert f"{file}:Mute does not say that it looks at pictures" in second
    told = replace(shown, perceptions=("ids",))
    assert prepared(plan_run(target, "orca", told)).blind == ()
    assert prepared(plan_run(target, "orca", RunOptions(data=tmp_path))).blind == ()
    with pytest.raises(InputError, match="a planner's looks is 3, expected True if it looks"):
        prepared(plan_run(target, f"{file}:Odd", shown))


def test_a_sensor_tells_nothing_to_who_has_to_see(tmp_path: Path) -> None:
    full = RunOptions(sensing=("full",), sensor=Sensor(range=5))
    with pytest.raises(BadValue, match="is told nothing by a sensor; omit sensor, or choose"):
        plan_run(course(tmp_path, "one"), "straight", full)


def test_faults_on_the_command_line_name_flags(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = suite(tmp_path)
    broken = tmp_path / "broken.toml"
    broken.write_text("width_px = 0\n")
    for words, said in (
        (["--perception", "depth"], "--perception: only a robot that has to see for itself"),
        (["--sensing", "full", "--perception", "dept"], "no perception is called 'dept'"),
        (["--sensing", "full", "--camera", broken], "broken.toml: is no camera"),
        (["--sensing", "ful"], "--sensing is 'ful', expected one of schematic, full"),
    ):
        assert said in refused(capsys, "run", path, "--planner", "stop", *words)


def test_without_the_extra_nothing_is_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [each for each in sys.modules if each.startswith(("warp", "paseo.camera.kernels"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "warp", None)
    plan = plan_run(course(tmp_path, "one"), "straight", replace(BOTH, sensing=("full",)))
    with pytest.raises(MissingExtra, match=r"warp-lang.*pip install 'paseo\[camera\]'"):
        prepared(plan)


def test_every_sight_has_jobs_keys_and_records_of_its_own(tmp_path: Path) -> None:
    jobs = jobs_of(plan_run(course(tmp_path, "one"), "straight,stop", BOTH))
    assert [job.key for job in jobs[::2]] == [
        "one/straight/0", "one/straight/0/sensing=ids", "one/straight/0/sensing=depth",
    ]  # fmt: skip
    assert jobs[2].record == "one--straight--0--sensing=ids.npz"
    assert len({job.record for job in jobs}) == len(jobs) == 6


def test_planners_are_compared_that_see_alike_and_one_with_itself_seeing_otherwise() -> None:
    def row(planner: str, perception: str | None) -> Row:
        sight = None if perception is None else Sight(camera=CAMERA, perception=perception)
        return Row(planner=planner, control=Control.VELOCITY, rule="", robot=None, sight=sight)

    told, ids, depth = row("orca", None), row("orca", "ids"), row("orca", "depth")
    assert comparable(told, ids, None) and comparable(ids, depth, None)
    assert comparable(ids, row("dwa", "ids"), None)
    assert not comparable(ids, row("dwa", "depth"), None)
    assert not comparable(told, row("dwa", "ids"), None)
    assert list(labels([told, ids, depth]).values()) == [
        "orca (sensing schematic)", "orca (sensing ids)", "orca (sensing depth)",
    ]  # fmt: skip


@pytest.fixture(scope="module")
def ablation(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One planner with perfect, segmented and depth-only perception, in this process."""
    folder = tmp_path_factory.mktemp("ablation")
    target = course(folder, "one", "two", time_limit_s=0.5)
    run(target, "social-force", out=folder / "run", options=replace(BOTH, runner="serial"))
    return folder


@pytest.mark.slow
@pytest.mark.extra("camera")
def test_any_number_of_workers_and_resuming_give_the_same_records(ablation: Path) -> None:
    target, whole, again = ablation / "suite.json", ablation / "run", ablation / "again"
    run(target, "social-force", out=again, options=replace(BOTH, jobs=2))
    lines = (again / "results.jsonl").read_bytes().splitlines(keepends=True)
    (again / "results.jsonl").write_bytes(b"".join(lines[:3]))  # as if it had been killed
    run(out=again, resume=True, options=RunOptions(runner="serial"))
    for record in sorted((whole / "records").glob("*.npz")):
        assert record.read_bytes() == (again / "records" / record.name).read_bytes()


@pytest.mark.extra("camera")
def test_a_record_says_how_the_robot_saw_and_is_repeated(ablation: Path) -> None:
    path = ablation / "run/records/one--social-force--0--sensing=depth.npz"
    record = load_record(path)
    assert "sensing     people by 'depth'; camera of 40x30, 1 m high" in readable_log(record)
    assert rerun(path).is_identical


@pytest.mark.extra("camera")
def test_the_ablation_is_three_rows_with_paired_differences(
    ablation: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    compared = compare_runs(ablation / "run")
    sights = [each.row.sight for each in compared.summaries]
    assert [None if each is None else each.label for each in sights] == [None, "ids", "depth"]
    assert len({(pair.a, pair.b) for pair in compared.pairs}) == 3
    assert main(["compare", str(ablation / "run")]) == 0
    printed = capsys.readouterr().out
    for name in ("schematic", "ids", "depth"):
        assert f"social-force (sensing {name})" in printed
