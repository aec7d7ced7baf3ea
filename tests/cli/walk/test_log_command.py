import csv
import io
import json
import os
import threading
from pathlib import Path

import numpy as np
import pytest

from paseo.cli.main import main
from paseo.sim.simulate import simulate
from paseo.world.motion import Twist
from paseo.world.recordfile import save_record
from paseo.world.records import Record
from runs import refused
from worlds import Driver, crossing, scenario


@pytest.fixture
def record() -> Record:
    return simulate(scenario(crossing(), time_limit=1.0), Driver(Twist(0.5, 0.0)))


@pytest.fixture
def path(record: Record, tmp_path: Path) -> Path:
    save_record(record, tmp_path / "r.npz")
    return tmp_path / "r.npz"


def test_a_record_is_told_in_words(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["log", str(path)]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    for word in ("episode", "planner", "start", "goal", "contacts", "ending", "verdict"):
        assert f"\n{word} " in f"\n{printed.out}"


def test_steps_go_to_a_file_as_csv_and_json_lines(
    path: Path, record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--csv", tmp_path / "steps.csv", "--jsonl", tmp_path / "steps.jsonl"]
    assert main(["log", str(path), *map(str, words)]) == 0
    assert "ending" in capsys.readouterr().out
    with (tmp_path / "steps.csv").open(newline="") as file:
        header, *rows = csv.reader(file)
    assert header == ["time_s", "agent", "x_m", "y_m", "heading_rad", "radius_m"]
    assert len(rows) == 2 * len(record.robot)
    steps = [json.loads(line) for line in (tmp_path / "steps.jsonl").read_text().splitlines()]
    assert [step["robot"]["x_m"] for step in steps] == record.robot[:, 0].tolist()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["r.npz", "steps.csv", "steps.jsonl"]


def test_a_dash_is_stdout_and_nothing_else_is_printed_there(
    path: Path, record: Record, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["log", str(path), "--csv", "-"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    robot = [float(row["x_m"]) for row in rows if row["agent"] == "robot"]
    np.testing.assert_array_equal(robot, record.robot[:, 0])
    assert main(["log", str(path), "--jsonl", "-"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len([json.loads(line) for line in lines]) == len(record.robot)


def test_a_named_pipe_or_device_is_written_to_and_not_replaced(path: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    assert main(["log", str(path), "--csv", str(pipe)]) == 0
    reader.join(10)
    assert read[0].startswith("time_s,agent,")
    assert pipe.is_fifo()


def test_a_file_that_cannot_be_written_is_a_failure(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sentence = refused(capsys, "log", path, "--csv", tmp_path / "no/such/folder.csv", code=1)
    assert "No such file or directory" in sentence


def garbage(path: Path) -> None:
    path.write_bytes(b"not a record")


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def remove(path: Path) -> None:
    path.unlink()


def other_archive(path: Path) -> None:
    np.savez(path, header=np.zeros(3, np.uint8))


def pickled(path: Path) -> None:
    np.savez(path, header=np.array([{"a": 1}], object))


@pytest.mark.parametrize("damage", [garbage, cut, remove, other_archive, pickled])
@pytest.mark.parametrize("command", ["log", "rerun"])
def test_what_is_no_record_is_refused(
    path: Path, damage: object, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert callable(damage)
    damage(path)
    assert f"{path}: " in refused(capsys, command, path)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
def test_what_cannot_be_written_is_named(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["log", str(path), "--csv", "/dev/full"]) == 1
    assert "/dev/full: cannot be written (No space left on device)" in capsys.readouterr().err
