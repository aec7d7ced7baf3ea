"""Time that does not wait for clients: charged as declared or as they say, or running on."""

import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from paseo.remote.websocket.driving import drive
from paseo.suite.rerunning import rerun
from paseo.suite.running import run
from paseo.suite.runs.planning import RunOptions
from paseo.suite.runs.timing import read_timing
from paseo.world.clocks import ClockName, Late, Thinking
from paseo.world.recordfile import record_bytes
from paseo.world.records import Outcome
from runs import course, suite
from websocket_server import Stranger, served, stored

DECLARED = RunOptions(latencies=(0.0, 0.18), hang_limit_s=20.0, limit=1, runner="serial")
CHARGED = RunOptions(clock=ClockName.CHARGED, hang_limit_s=20.0)


@pytest.mark.parametrize(
    ("planner", "options"),
    [
        ("straight", DECLARED),
        pytest.param(
            "mppi",
            replace(DECLARED, thinking=Thinking.FOLLOW, late=Late.SKIP),
            marks=pytest.mark.slow,
        ),
    ],
)
def test_a_declared_latency_is_charged_alike_here_and_there(
    tmp_path: Path, planner: str, options: RunOptions
) -> None:
    target = suite(tmp_path)
    run(target, planner, out=tmp_path / "here", options=options)
    with served(target, tmp_path / "there", options=replace(options, runner="local")) as server:
        drive(planner, server.address)
        server.done()
    heres, theres = stored(tmp_path / "here"), stored(tmp_path / "there")
    assert [each.provenance.timekeeping.latency_s for each in theres] == [None, 0.18]
    assert not np.array_equal(theres[0].commands, theres[1].commands)
    for here, there in zip(heres, theres, strict=True):
        alike = replace(there, provenance=replace(there.provenance, transport=""))
        assert record_bytes(alike) == record_bytes(here)


def test_who_says_that_it_took_for_ever_is_refused_and_ends_nobody_elses_run(
    tmp_path: Path,
) -> None:
    with served(course(tmp_path, "one"), tmp_path / "run", options=CHARGED) as server:
        with Stranger(server.address) as client:
            client.greet()
            client.begin()
            client.hear("observation")
            client.say("twist", forward_mps=1.0, turn_radps=0.0, thinking_s=1e308)
            assert client.hear("error")["code"] == "unreadable"
            client.say("twist", forward_mps=1.0, turn_radps=0.0, thinking_s=1e9)
            assert client.hear("ended")["outcome"] == "out of time"
        server.done()


def test_what_a_client_says_it_took_is_charged(tmp_path: Path) -> None:
    with served(course(tmp_path, "one"), tmp_path / "run", options=CHARGED) as server:
        with Stranger(server.address) as client:
            assert client.greet()["clock"] == "charged"
            client.begin()
            while (told := client.hear("observation", "ended"))["type"] == "observation":
                step = told["step"]
                client.say("twist", forward_mps=1.0, turn_radps=0.0, thinking_s=0.12, step=step)
        folder = server.done().folder
    shown = [each["step"] for each in client.heard if each["type"] == "observation"]
    assert shown == list(range(0, 18, 3)), "three steps for each answer"
    record = stored(folder)[0]
    assert np.array_equal(record.commands[:, 0], [0.0] * 3 + [1.0] * 15)
    path = next((folder / "records").glob("*.npz"))
    assert read_timing(path).charged_s == (0.12,) * 6
    assert rerun(path).is_identical


def test_who_does_not_say_is_charged_as_long_as_the_answer_took(tmp_path: Path) -> None:
    with served(course(tmp_path, "one"), tmp_path / "run", options=CHARGED) as server:
        with Stranger(server.address) as client:
            client.greet()
            client.begin()
            while client.hear("observation", "ended")["type"] == "observation":
                time.sleep(0.06)
                client.say("twist", forward_mps=1.0, turn_radps=0.0)
        folder = server.done().folder
    charged = read_timing(next((folder / "records").glob("*.npz"))).charged_s
    assert charged is not None
    assert all(each >= 0.06 for each in charged)


def test_time_runs_on_while_a_client_thinks(tmp_path: Path) -> None:
    options = RunOptions(clock=ClockName.ASYNC, hang_limit_s=20.0)
    target = course(tmp_path, "one", "two", time_limit_s=1.0)
    with served(target, tmp_path / "run", options=options) as server:
        with Stranger(server.address) as client:
            client.greet()
            client.begin()
            while client.hear("observation", "ended")["type"] == "observation":
                time.sleep(0.12)
                client.say("twist", forward_mps=0.1, turn_radps=0.0)
            client.begin()
            client.hear("observation")
            ended = client.hear("ended")  # told at once, though no answer came
            assert (ended["outcome"], ended["time_s"]) == ("out of time", 1.0)
        folder = server.done().folder
    first, second = stored(folder)
    shown = [each["step"] for each in client.heard if each["type"] == "observation"][:-1]
    assert len(shown) < 12
    assert len(first.commands) == len(second.commands) == 20
    assert first.commands[-1, 0] == 0.1
    assert not second.commands[:, :2].any()
    assert "wall clock" in first.provenance.clock
    assert rerun(first).is_identical


def test_who_is_silent_has_failed_by_any_clock(tmp_path: Path) -> None:
    options = RunOptions(clock=ClockName.ASYNC, hang_limit_s=0.3)
    with served(course(tmp_path, "one"), tmp_path / "run", options=options) as server:
        with Stranger(server.address) as client:
            client.greet()
            client.begin()
            client.hear("observation")
            ended = client.hear("ended")
        assert ended["reason"].startswith("the client did not send a command within 0.3 s")
        assert server.done().results[0].outcome is Outcome.PLANNER_FAILED


def test_who_dies_by_the_wall_clock_is_replaced(tmp_path: Path) -> None:
    options = RunOptions(clock=ClockName.ASYNC, hang_limit_s=20.0)
    target = course(tmp_path, "one", time_limit_s=0.5)
    with served(target, tmp_path / "run", options=options) as server:
        with Stranger(server.address) as client:
            client.greet()
            client.begin()
            client.hear("observation")
        with Stranger(server.address) as client:
            client.greet()
            client.begin()
            client.drive()
        assert server.done().results[0].outcome is Outcome.OUT_OF_TIME
