from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paseo.cli.main import main
from paseo.sim.simulate import simulate
from paseo.world.recordfile import load_record, save_record
from runs import failing, records, refused, results, suite
from worlds import Driver, scenario

NOISY = {"sensor": {"position_noise_m": 0.1, "miss_rate": 0.2}, "pause": {}}


@pytest.fixture
def made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """Makes a record of the first episode; its path."""

    def make(planner: str, *words: object, **changes: Any) -> Path:
        path = suite(tmp_path, **changes)
        out = ["--planner", planner, "--limit", 1, "--out", tmp_path / "run"]
        (result,) = results(capsys, path, *out, *words)
        return tmp_path / "run/records" / result["record"]

    return make


def rerun(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = main(["rerun", *map(str, words)])
    printed = capsys.readouterr()
    return code, printed.out, printed.err


@pytest.mark.parametrize(
    "words", [["straight"], ["straight:speed=0.7", "--control", "position"], ["stop", "--seed", 7],
              ["straight:speed=inf"], ["straight:speed=nan"]],
)  # fmt: skip
def test_a_record_is_repeated_byte_for_byte(
    made: Any, words: list[object], capsys: pytest.CaptureFixture[str]
) -> None:
    path = made(*words, settings=NOISY)
    code, out, err = rerun(capsys, path)
    assert (code, err) == (0, "")
    assert out == f"identical: {path} was repeated byte for byte\n"


def test_the_new_record_can_be_kept(
    made: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = made("straight")
    assert rerun(capsys, path, "--out", tmp_path / "again.npz")[0] == 0
    assert (tmp_path / "again.npz").read_bytes() == path.read_bytes()


def test_a_crash_is_repeated_too(
    made: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rerun(capsys, made(failing(tmp_path, "Crash")))[0] == 0


def test_a_number_too_large_for_any_float_is_repeated_too(
    made: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = made(failing(tmp_path, "Overflows"))
    assert "expected finite numbers" in load_record(path).reason
    assert rerun(capsys, path)[0] == 0


def test_state_in_a_planners_file_is_as_after_its_import_in_every_episode(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Results depend neither on the number of jobs nor on what ran before."""
    (tmp_path / "beside.py").write_text("import random\nrng = random.Random(0)\n")
    (tmp_path / "p.py").write_text(
        "import random\nimport beside\nfrom paseo import Twist\nrng = random.Random(0)\n"
        "class P:\n    def begin(self, briefing): pass\n"
        "    def plan(self, observation): return Twist(rng.random(), beside.rng.random())\n"
    )
    words = [suite(tmp_path, seeds=[0, 1]), "--planner", f"{tmp_path / 'p.py'}:P"]
    for jobs in (1, 2):
        listed = results(capsys, *words, "--jobs", jobs, "--out", tmp_path / f"with-{jobs}")
        assert {result["outcome"] for result in listed} == {"out of time"}
    assert records(tmp_path / "with-1") == records(tmp_path / "with-2")
    for name in records(tmp_path / "with-1"):
        assert rerun(capsys, tmp_path / "with-1/records" / name)[0] == 0


def test_what_the_planner_prints_is_not_the_answer(
    made: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = rerun(capsys, made(failing(tmp_path, "Talks")))
    assert (code, out.count("\n")) == (0, 1)
    assert "I am thinking" in err


def test_a_planner_whose_file_has_changed_is_told_apart(
    made: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = made(failing(tmp_path, "Careless"))
    (tmp_path / "better.py").write_text((tmp_path / "failing.py").read_text() + "\n# better\n")
    code, out, _ = rerun(capsys, path, "--planner", f"{tmp_path / 'better.py'}:Careless")
    assert (code, out) == (1, "different: the planner's file has changed since\n")


def test_a_planner_that_has_moved_can_be_named(
    made: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = made(failing(tmp_path, "Careless"))
    (tmp_path / "failing.py").rename(tmp_path / "moved.py")
    sentence = refused(capsys, "rerun", path)
    assert "failing.py: no such file; check the path. The record was made" in sentence
    assert 'name where it is now with --planner="file.py:Class"' in sentence
    assert rerun(capsys, path, "--planner", f"{tmp_path / 'moved.py'}:Careless")[0] == 0


def test_a_record_made_in_python_is_repeated_from_the_planners_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save_record(simulate(scenario(time_limit=0.5), Driver()), tmp_path / "r.npz")
    (tmp_path / "p.py").write_text(
        "from paseo import Twist\nclass P:\n    def begin(self, briefing): pass\n"
        "    def plan(self, observation): return Twist(0.0, 0.0)\n"
    )
    code, out, _ = rerun(capsys, tmp_path / "r.npz", "--planner", f"{tmp_path / 'p.py'}:P")
    assert (code, out.split(":")[0]) == (0, "identical")


def test_another_way_is_told_with_its_first_difference(
    made: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = load_record(made("straight:speed=0.5"))
    robot = old.robot.copy()
    robot[7:] += 0.01
    save_record(replace(old, robot=robot), tmp_path / "altered.npz")
    code, out, _ = rerun(capsys, tmp_path / "altered.npz")
    assert (code, out) == (1, "different: the robot is elsewhere from 0.35 s on\n")


@pytest.mark.parametrize(
    ("planner", "words"),
    [("Loops", ["--hang-limit-s", 0.5]), ("HoldsLock", ["--hang-limit-s", 0.5]),
     ("NeverBegins", ["--hang-limit-s", 0.5]), ("Stalls", ["--stall-limit-s", 0.2]),
     ("Exits", []), ("KillsItself", [])],
)  # fmt: skip
def test_a_planner_that_was_lost_is_repeated_up_to_there_and_not_asked_again(
    made: Any, planner: str, words: list[object], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = made(failing(tmp_path, planner), *words)
    record = load_record(path)
    assert len(record.commands) == (0 if planner == "NeverBegins" else 3)
    code, out, err = rerun(capsys, path)
    assert (code, out.split(":")[0]) == (0, "identical")
    assert "up to where the planner was lost" in err
    assert ("depends on the wall clock" in err) == bool(words)
    assert np.isfinite(record.robot).all()
