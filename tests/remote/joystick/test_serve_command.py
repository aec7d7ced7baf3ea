"""`paseo serve` as it is typed, and what other commands make of the run."""

import json
import signal
import subprocess
from pathlib import Path

import pytest

from joystick_client import JoystickClient, home
from paseo.cli.main import main
from runs import PASEO, refused, suite


def served(folder: Path, *words: str) -> "subprocess.Popen[str]":
    paths = ["--receive", folder / "recv", "--send", folder / "send", "--out", folder / "run"]
    command = [PASEO, "serve", *words, *map(str, paths)]
    return subprocess.Popen(command, stdout=-1, stderr=-1, text=True, cwd=folder)


def test_a_client_drives_through_a_suite_and_the_run_is_like_any_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with (
        served(tmp_path, str(suite(tmp_path)), "--limit", "2") as server,
        JoystickClient(tmp_path) as client,
    ):
        assert client.greet() == ["one", "two"]
        for _ in range(2):
            metadata = client.begin("RVO")
            assert client.drive(home(metadata))["termination_cause"] == "Timeout"
        out, err = server.communicate(timeout=60)
    assert server.returncode == 0
    assert "RVO" in out
    assert f"paseo: waiting for a client at {tmp_path / 'recv'}" in err
    record = str(tmp_path / "run" / "records" / "one--RVO--0.npz")
    for words in (["log", record], ["compare", str(tmp_path / "run")]):
        assert main(words) == 0
        assert "RVO" in capsys.readouterr().out
    assert main(["rerun", record]) == 0
    capsys.readouterr()
    again = refused(capsys, "run", "--resume", "--out", tmp_path / "run")
    assert "no planner is called 'RVO'" in again


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize(
    "number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)]
)
def test_when_it_is_stopped_it_says_how_to_go_on(tmp_path: Path, number: signal.Signals) -> None:
    with (
        served(tmp_path, str(suite(tmp_path)), "--json") as server,
        JoystickClient(tmp_path) as client,
    ):
        client.greet()
        client.drive(home(client.begin()))
        client.hear()
        server.send_signal(number)
        out, err = server.communicate(timeout=60)
    assert (server.returncode, out) == (128 + number, "")
    assert f"stopped; finish with: paseo serve --resume --out {tmp_path / 'run'}" in err
    assert not (tmp_path / "recv").exists()
    assert (tmp_path / "run" / "results.csv").read_text().count("\n") == 2
    with served(tmp_path, "--resume", "--json") as server, JoystickClient(tmp_path) as client:
        assert client.greet() == ["two", "three"]
        for _ in range(2):
            client.drive(home(client.begin()))
        out, _ = server.communicate(timeout=60)
    assert len(json.loads(out)["results"]) == 3


def test_what_cannot_be_served_is_refused_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = suite(tmp_path)
    paths = ["--receive", tmp_path / "recv", "--send", tmp_path / "send"]
    assert "name a suite" in refused(capsys, "serve", *paths)
    assert "--resume needs --out" in refused(capsys, "serve", "--resume", *paths)
    words = ["serve", path, "--resume", "--out", tmp_path / "run", *paths]
    assert "would change the run that --resume is to finish" in refused(capsys, *words)
    assert "--wait-s is -1" in refused(capsys, "serve", path, "--wait-s", "-1", *paths)
    words = ["serve", path, "--clock", "async", "--latency", "0.1", *paths]
    assert "with --latency the --clock is 'charged', not 'async'" in refused(capsys, *words)
    (tmp_path / "file").write_text("")
    words = ["serve", path, "--receive", tmp_path / "file", "--send", tmp_path / "send"]
    assert "is no socket but a file; choose another --receive" in refused(capsys, *words)
    (tmp_path / "room.txt").write_text("-5 0\n10 0\n10 10\n-5 10\n")
    assert "begins at (-5, 0), but the map of the Joystick" in refused(
        capsys, "serve", path, *paths
    )
