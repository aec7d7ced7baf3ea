"""TERM and HUP stop any command as Ctrl-C does: in order, with a word, and with nothing left."""

import os
import pty
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from paseo.cli.main import main
from paseo.stopping import INTERRUPTED, TWICE, Stop, stopped_like_ctrl_c
from runs import PASEO, all_gone, started, suite

TERM, HUP = signal.SIGTERM, signal.SIGHUP
SILENT = socket.create_server(("127.0.0.1", 0))
# Says when it is ready, waits until it is stopped, then takes a second to clean up.
WAITS = """
import sys, time
from paseo.stopping import INTERRUPTED, stopped_like_ctrl_c

with stopped_like_ctrl_c() as stop:
    try:
        print("ready", flush=True)
        time.sleep(60)
        code = 0
    except KeyboardInterrupt:
        print("cleaning", stop.words, flush=True)
        time.sleep(float(sys.argv[1]))
        print("clean", file=sys.stderr, flush=True)
        code = INTERRUPTED
sys.exit(stop.exit_code(code))
"""


@pytest.fixture(autouse=True)
def hangups_arrive() -> Iterator[None]:
    """As in a terminal, also where `nohup` runs the tests."""
    before = signal.signal(HUP, signal.SIG_DFL)
    yield
    signal.signal(HUP, before)


def waiting(cleaning_s: float, **options: object) -> "subprocess.Popen[str]":
    process = subprocess.Popen(
        [sys.executable, "-c", WAITS, str(cleaning_s)],
        stdout=subprocess.PIPE,
        text=True,
        **options,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


@pytest.mark.parametrize("number", [TERM, HUP])
def test_what_ctrl_c_does_is_done_and_the_code_is_that_of_the_signal(
    number: signal.Signals,
) -> None:
    with waiting(0.0) as process:
        process.send_signal(number)
        out, _ = process.communicate(timeout=60)
    assert (process.returncode, out) == (128 + number, f"cleaning stopped by {number.name}\n")


def test_a_second_signal_ends_it_at_once() -> None:
    with waiting(600.0) as process:
        process.send_signal(TERM)
        assert process.stdout is not None
        assert process.stdout.readline() == "cleaning stopped by SIGTERM\n"
        time.sleep(2 * TWICE)
        process.send_signal(TERM)
        assert process.wait(timeout=60) == -TERM


def handled(stop: Stop, number: int) -> bool:
    """Whether a signal did what Ctrl-C does."""
    try:
        stop.handle(number, None)
    except KeyboardInterrupt:
        return True
    return False


def test_a_signal_that_is_sent_twice_at_a_time_is_one() -> None:
    """As `timeout` sends it: to the process, and to its group."""
    times = iter([10.0, 10.0 + TWICE / 2, 10.0 + TWICE])
    stop = Stop(lambda: next(times))
    assert [handled(stop, each) for each in (TERM, TERM, HUP)] == [True, False, False]
    assert stop.exit_code(INTERRUPTED) == 128 + TERM
    assert stop.exit_code(0) == 0


def test_without_a_signal_nothing_changes() -> None:
    before = [signal.getsignal(each) for each in (TERM, HUP)]
    with stopped_like_ctrl_c() as stop:
        assert [signal.getsignal(each) for each in (TERM, HUP)] == [stop.handle] * 2
    assert [signal.getsignal(each) for each in (TERM, HUP)] == before
    assert (stop.exit_code(INTERRUPTED), stop.words) == (INTERRUPTED, "interrupted")


def test_what_nohup_ignores_stays_ignored() -> None:
    def ignored() -> None:
        signal.signal(HUP, signal.SIG_IGN)

    with waiting(0.0, preexec_fn=ignored) as process:
        process.send_signal(HUP)
        time.sleep(0.2)
        assert process.poll() is None
        process.send_signal(TERM)
        assert process.wait(timeout=60) == 128 + TERM


def test_a_terminal_that_was_closed_can_still_be_spoken_to() -> None:
    ours, theirs = pty.openpty()
    with waiting(0.5, stderr=theirs, start_new_session=True) as process:
        os.close(theirs)
        os.close(ours)
        process.send_signal(HUP)
        assert process.wait(timeout=60) == 128 + HUP


def drafts(folder: Path) -> list[Path]:
    return [*folder.rglob(".*.part")]


def film(folder: Path) -> list[object]:
    words = ["run", suite(folder), "--planner", "straight", "--limit", 1, "--out", folder / "r"]
    assert main([str(word) for word in words]) == 0
    (record,) = (folder / "r/records").glob("*.npz")
    return ["draw", record, "--out", folder / "film.mp4", "--fps", 120, "--speed", 0.01]


def crowd(folder: Path) -> list[object]:
    return ["crowd", "generate", "Univ", "--duration-s", 14_400, "--out", folder / "c.csv"]


def scenes(folder: Path) -> list[object]:
    return ["scenes", "make", "--synthetic", "--out", folder / "scenes"]


def fetch(folder: Path) -> list[object]:
    """From a server that takes calls and says nothing."""
    where = f"http://127.0.0.1:{SILENT.getsockname()[1]}"
    words = ["data", "fetch", "eth", "--accept-licence", "--mirror", where]
    return [*words, "--data", folder / "data"]


LONG = [film, crowd, pytest.param(scenes, marks=pytest.mark.extra("camera")), fetch]


@pytest.mark.slow
@pytest.mark.parametrize("number", [TERM, HUP])
@pytest.mark.parametrize("command", LONG)
def test_a_long_command_that_is_stopped_leaves_nothing(
    tmp_path: Path, command: Callable[[Path], list[object]], number: signal.Signals
) -> None:
    words = command(tmp_path)
    before = {*tmp_path.rglob("*")}
    process, mark = started(*words)
    until = time.monotonic() + 10.0
    while process.poll() is None and not drafts(tmp_path) and time.monotonic() < until:
        time.sleep(0.01)
    time.sleep(0.2)
    assert process.poll() is None
    os.killpg(process.pid, number)
    out, errors = process.communicate(timeout=60)
    assert (process.returncode, out) == (128 + number, ""), errors
    assert errors.endswith(
        f"paseo: stopped by {number.name}; repeat the command to do it after all\n"
    )
    assert all_gone(mark)
    left = {*tmp_path.rglob("*")} - before
    assert all(each.is_dir() or not each.stat().st_size for each in left), left


MEASURES = """
import os, sys, time
from paseo.stopping import INTERRUPTED, stopped_like_ctrl_c
from paseo.suite.forked import shared

os.cpu_count = lambda: 2
with stopped_like_ctrl_c() as stop:
    try:
        for _ in shared(lambda task: time.sleep(0.2), range(60)):
            print("measured", flush=True)
    except KeyboardInterrupt:
        code = INTERRUPTED
sys.exit(stop.exit_code(code))
"""


@pytest.mark.parametrize("number", [TERM, HUP])
def test_processes_that_share_the_work_leave_it_to_their_parent(number: signal.Signals) -> None:
    """As a batch system stops a command: all of its processes at once."""
    with subprocess.Popen(
        [sys.executable, "-c", MEASURES], stdout=-1, stderr=-1, text=True, start_new_session=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "measured\n"
        os.killpg(process.pid, number)
        _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (128 + number, "")


@pytest.mark.slow
def test_playing_is_ended_by_term_as_by_hand(tmp_path: Path) -> None:
    words = [str(suite(tmp_path)), "--port", "0", "--no-browser", "--out", "out"]
    with subprocess.Popen(
        [PASEO, "play", *words], stdout=-1, stderr=-1, text=True, cwd=tmp_path
    ) as server:
        assert server.stdout is not None
        assert server.stdout.readline().startswith("drive at ")
        server.send_signal(TERM)
        _, errors = server.communicate(timeout=60)
    assert server.returncode == 0
    assert "nothing was driven" in errors
