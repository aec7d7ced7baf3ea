"""The session: what a client may do, and what becomes of it."""

import csv
import io
import json
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from joystick_client import JoystickClient, home, serving, towards
from paseo.errors import InputError
from paseo.remote.clients import MOST_FAULTS
from paseo.remote.joystick.session import ClientGone
from paseo.remote.joystick.telling import Ending
from paseo.sim.simulate import simulate
from paseo.suite.measuring import compare_runs
from paseo.suite.rerunning import rerun
from paseo.suite.runs.planning import RunOptions
from paseo.world.motion import Control, Pose
from paseo.world.planning import Briefing, Observation
from paseo.world.recordfile import load_record, record_bytes
from paseo.world.records import Outcome, Record
from runs import course

PATIENT, HASTY = RunOptions(hang_limit_s=20.0), RunOptions(hang_limit_s=1.0)


def records(folder: Path) -> list[Record]:
    """The records of a run, in the order of its table."""
    with (folder / "results.csv").open() as table:
        return [load_record(folder / "records" / row["record"]) for row in csv.DictReader(table)]


def drive_deaf(client: JoystickClient) -> None:
    """To the goal, by a client that stops listening on the way."""
    client.begin()
    client.listener.close()
    for step in range(1, 15):
        client.act([2.0 + 0.05 * step, 5.0, 0.0, 1.0])


def test_two_episodes_in_a_row_become_an_ordinary_run(tmp_path: Path) -> None:
    with (
        serving(course(tmp_path, "one", "two"), tmp_path, options=PATIENT) as server,
        JoystickClient(tmp_path) as client,
    ):
        assert client.greet() == ["one", "two"]
        for name in ("one", "two"):
            metadata = client.begin("RVO")
            assert metadata["episode_name"] == name
            last = client.drive(home(metadata))
            assert last["termination_cause"] == "Success"
            assert list(last) == ["robot_on", "termination_cause", "sim_t"]
            if name == "one":
                client.say("")  # as the original's client does
        run = server.done()
    assert [(each.planner, each.control, each.outcome) for each in run.results] == [
        ("RVO", "position", Outcome.REACHED_GOAL)
    ] * 2
    assert not (tmp_path / "recv").exists()
    for record in records(run.folder):
        assert rerun(record).is_identical
    rows = [each.row for each in compare_runs([run.folder]).summaries]
    assert [row.planner for row in rows] == ["RVO"]


def test_the_state_shows_the_robot_now_and_people_one_step_before(tmp_path: Path) -> None:
    with (
        serving(course(tmp_path, "one"), tmp_path, options=PATIENT) as server,
        JoystickClient(tmp_path) as client,
    ):
        client.greet()
        policy = home(client.begin())
        states = [client.sense()]
        for _ in range(5):
            client.act(policy(states[-1]))
            states.append(client.sense())
        client.drive(policy)
        folder = server.done().folder
    record = records(folder)[0]
    for step, state in enumerate(states):
        x, y, _ = state["pedestrians"]["prerec_0000"]["current_config"]
        assert [x, y] == np.float32(record.people[max(step - 1, 0), 0]).tolist()
        pose = state["robots"]["robot_agent"]["current_config"]
        assert pose == np.float32(record.robot[step]).tolist()
    assert [state["sim_t"] for state in states[:4]] == [0.0, 0.05, 0.1, 0.15000000000000002]


def test_a_sense_is_answered_after_all_commands_before_it(tmp_path: Path) -> None:
    with (
        serving(course(tmp_path, "one"), tmp_path, options=PATIENT) as server,
        JoystickClient(tmp_path) as client,
    ):
        client.greet()
        metadata = client.begin()
        for step in range(1, 11):
            client.act([2.0 + 0.01 * step, 5.0, 0.0, 0.2])
        state = client.sense()
        assert state["robots"]["robot_agent"]["current_config"][0] == float(np.float32(2.1))
        assert state["sim_t"] == pytest.approx(0.5)
        client.drive(home(metadata))
        assert server.done().results[0].outcome is Outcome.REACHED_GOAL


def test_a_client_that_never_senses_is_told_once_that_the_robot_stopped(tmp_path: Path) -> None:
    with (
        serving(course(tmp_path, "one", "two"), tmp_path, options=PATIENT) as server,
        JoystickClient(tmp_path) as client,
    ):
        client.greet()
        for name in ("one", "two"):
            assert client.begin()["episode_name"] == name
            for step in range(1, 31):  # the goal is reached meanwhile: the rest must not leak
                client.act([2.0 + 0.05 * step, 5.0, 0.0, 1.0])
            client.say("sense")
            assert client.hear()["termination_cause"] == "Success"
        run = server.done()
    commands = [len(record.commands) for record in records(run.folder)]
    assert commands == [14, 14]


def test_a_client_that_listens_late_is_waited_for(tmp_path: Path) -> None:
    with (
        serving(course(tmp_path, "one"), tmp_path, options=PATIENT) as server,
        JoystickClient(tmp_path) as client,
    ):
        client.call()
        time.sleep(0.2)
        client.listen()
        assert client.episodes() == ["one"]
        client.drive(home(client.begin()))
        assert server.done().results


def test_a_client_without_a_name_is_unknown_and_a_fast_sense_is_never_lost(tmp_path: Path) -> None:
    target = course(tmp_path, "one", time_limit_s=10.0)
    with (
        serving(target, tmp_path, options=replace(PATIENT, control=Control.VELOCITY)) as server,
        JoystickClient(tmp_path) as client,
    ):
        client.greet()
        client.begin(name=None)
        for _ in range(150):  # the next sense leaves while the server still ends its answer
            assert client.sense()["robot_on"]
            client.say('{"j_input":[[0.0,0.5]]}')
        client.say("abandon")
        assert client.hear() == {
            "robot_on": False,
            "termination_cause": "Timeout",
            "sim_t": pytest.approx(7.5),
        }
        result = server.done().results[0]
    assert (result.planner, result.control) == ("UnknownAlgo", "velocity")
    assert result.outcome is Outcome.PLANNER_FAILED
    assert result.reason == "the client abandoned the episode after 7.50 s"


class Piecemeal(JoystickClient):
    """As the original ones are: small pieces in C++, and `listen` again for each episode."""

    def hear_text(self) -> str:
        connection, _ = self.listener.accept()
        with connection:
            return b"".join(iter(lambda: connection.recv(128), b"")).decode()

    def begin(self, name: str | None = None) -> Any:
        metadata = super().begin(name)
        self.listener.listen(1)
        return metadata


def test_a_client_may_read_in_small_pieces_and_listen_anew(tmp_path: Path) -> None:
    with (
        serving(course(tmp_path, "one", "two"), tmp_path, options=PATIENT) as server,
        Piecemeal(tmp_path) as client,
    ):
        for name in client.greet():
            metadata = client.begin()
            assert metadata["episode_name"] == name
            rows = metadata["environment"]["map_traversible"]
            assert (len(rows), len(rows[0]), rows[0][0]) == (200, 200, 1.0)
            assert client.drive(home(metadata))["termination_cause"] == "Success"
        assert len(server.done().results) == 2


def test_several_commands_in_one_message_are_one_step(tmp_path: Path) -> None:
    with (
        serving(course(tmp_path, "one"), tmp_path, options=PATIENT) as server,
        JoystickClient(tmp_path) as client,
    ):
        client.greet()
        client.begin()
        client.act([2.01, 5.0, 0.0, 0.2], [2.03, 5.0, 0.0, 0.4])
        state = client.sense()
        assert state["sim_t"] == 0.05
        assert state["robots"]["robot_agent"]["current_config"][0] == float(np.float32(2.03))
        client.say("abandon")
        client.hear()
        server.done()


def test_a_silent_client_has_failed_and_keeps_what_it_did_before(tmp_path: Path) -> None:
    with (
        serving(course(tmp_path, "one", "two", "three"), tmp_path, options=HASTY) as server,
        JoystickClient(tmp_path) as client,
    ):
        client.greet()
        client.drive(home(client.begin()))
        client.begin()
        client.act([2.05, 5.0, 0.0, 1.0])
        assert client.hear()["termination_cause"] == "Timeout"  # and no word before
        client.drive(home(client.begin()))
        outcomes = [each.outcome for each in server.done().results]
    goal, failed = Outcome.REACHED_GOAL, Outcome.PLANNER_FAILED
    assert outcomes == [goal, failed, goal]
    silent = records(tmp_path / "run")[1]
    assert silent.lost
    assert silent.provenance.clock == "the client was given 1 s for each command"
    assert silent.reason.startswith("the client did not send a command within 1 s, after 0.05 s")
    assert rerun(silent).is_identical
    assert any("did not send a command" in news for news in server.news)


def test_a_client_that_only_senses_has_failed_as_well(tmp_path: Path) -> None:
    options = RunOptions(hang_limit_s=0.2)
    with (
        serving(course(tmp_path, "one"), tmp_path, options=options) as server,
        JoystickClient(tmp_path) as client,
    ):
        client.greet()
        client.begin()
        while client.sense()["robot_on"]:
            pass
        result = server.done().results[0]
    assert "did not send a command within 0.2 s" in result.reason


def test_when_a_client_dies_another_takes_over_the_rest(tmp_path: Path) -> None:
    with serving(course(tmp_path, "one", "two", "three"), tmp_path, options=HASTY) as server:
        with JoystickClient(tmp_path) as first:
            first.greet()
            first.drive(home(first.begin()))
            first.begin()
            first.act([2.05, 5.0, 0.0, 1.0])
        with JoystickClient(tmp_path) as second:
            assert second.greet() == ["three"]
            second.drive(home(second.begin()))
            outcomes = [each.outcome for each in server.done().results]
    assert outcomes == [Outcome.REACHED_GOAL, Outcome.PLANNER_FAILED, Outcome.REACHED_GOAL]


def test_a_client_that_leaves_at_the_end_of_an_episode_costs_none(tmp_path: Path) -> None:
    with serving(course(tmp_path, "one", "two"), tmp_path, options=PATIENT) as server:
        with JoystickClient(tmp_path) as first:
            first.greet()
            drive_deaf(first)
        server.await_news("the client is gone")
        with JoystickClient(tmp_path) as second:
            assert second.greet() == ["two"]
            second.drive(home(second.begin()))
            outcomes = [each.outcome for each in server.done().results]
    assert outcomes == [Outcome.REACHED_GOAL] * 2


def test_when_nobody_takes_over_the_rest_is_left_to_resume(tmp_path: Path) -> None:
    target = course(tmp_path, "one", "two")
    with (
        serving(target, tmp_path, options=HASTY, wait_s=2) as server,
        JoystickClient(tmp_path) as client,
    ):
        client.greet()
        drive_deaf(client)
        with pytest.raises(ClientGone, match="no client has come to .* within 2 s"):
            server.done()
    with (
        serving(None, tmp_path, resume=True) as server,
        JoystickClient(tmp_path) as client,
    ):
        assert client.greet() == ["two"]
        client.drive(home(client.begin()))
        assert len(server.done().results) == 2


def test_messages_that_cannot_be_used_are_told_and_counted(tmp_path: Path) -> None:
    bad = ["{", '{"j_input": [[1, 2]]}', '{"x": 1}', '{"j_input": "left"}', b"\xff", "x" * 70_000]
    with (
        serving(course(tmp_path, "one", "two"), tmp_path, options=PATIENT) as server,
        JoystickClient(tmp_path) as client,
    ):
        client.greet()
        policy = home(client.begin())
        for text in bad:
            say_anything(client, text)
        assert client.drive(policy)["termination_cause"] == "Success", "a few are forgiven"
        client.begin()
        for _ in range(MOST_FAULTS + 1):
            client.say("{")
        assert client.hear()["termination_cause"] == "Timeout"
        run = server.done()
    assert run.results[1].outcome is Outcome.PLANNER_FAILED
    assert "sent 11 messages that cannot be used" in run.results[1].reason
    told = "\n".join(server.news)
    assert "j_input[0] has 2 numbers, expected [x, y, theta, v]: the robot is driven by p" in told
    assert "Object missing required field `j_input`" in told
    assert "byte 0 is not UTF-8" in told
    assert "more than 65536 bytes" in told


def say_anything(client: JoystickClient, text: str | bytes) -> None:
    try:
        client.say(text)
    except (BrokenPipeError, ConnectionResetError):
        assert len(text) > 65536, "only what is too long is cut off"


def test_a_client_of_another_name_is_not_mixed_into_a_run(tmp_path: Path) -> None:
    with (
        serving(course(tmp_path, "one", "two"), tmp_path, options=PATIENT) as server,
        JoystickClient(tmp_path) as client,
    ):
        client.greet()
        client.drive(home(client.begin("A")))
        client.begin("B")
        with pytest.raises(InputError, match="calls itself 'B', but .* holds the run of 'A'"):
            server.done()
    assert len(records(tmp_path / "run")) == 1


def test_a_client_with_the_name_of_a_planner_is_told_apart_from_it(tmp_path: Path) -> None:
    with (
        serving(course(tmp_path, "one"), tmp_path, options=PATIENT) as server,
        JoystickClient(tmp_path) as client,
    ):
        client.greet()
        client.drive(home(client.begin("human")))
        run = server.done()
    assert run.results[0].planner == "joystick:human"
    assert not compare_runs([run.folder]).summaries[0].row.is_reference


class Straight:
    """Drives straight on, by what float32 tells of where it is, as the wire does."""

    control = Control.POSITION

    def begin(self, briefing: Briefing) -> None:
        self._policy = towards([briefing.goal.x, briefing.goal.y])

    def plan(self, observation: Observation) -> Pose:
        pose = observation.robot.pose
        config = np.array([pose.x, pose.y, pose.heading], np.float32).tolist()
        return Pose(*self._policy({"robots": {"robot_agent": {"current_config": config}}})[:3])


def test_the_same_planner_here_and_over_the_socket_gives_the_same_record(tmp_path: Path) -> None:
    with (
        serving(course(tmp_path, "one"), tmp_path, options=PATIENT) as server,
        JoystickClient(tmp_path) as client,
    ):
        client.greet()
        client.drive(home(client.begin()))
        folder = server.done().folder
    outside = records(folder)[0]
    inside = simulate(outside.scenario, Straight(), provenance=outside.provenance)
    assert record_bytes(inside) == record_bytes(outside)
    assert outside.provenance.transport == "joystick"
    content = record_bytes(replace(inside, provenance=replace(inside.provenance, transport="")))
    assert b"transport" not in json.dumps(header(content)).encode()


def header(content: bytes) -> Any:
    with np.load(io.BytesIO(content)) as archive:
        return json.loads(archive["header"].tobytes())


def test_the_four_endings_are_the_words_that_clients_know() -> None:
    words = {"Timeout", "Obstacle Collision", "Pedestrian Collision", "Success"}
    assert {each.value for each in Ending} == words


def test_no_thread_is_left_over(tmp_path: Path) -> None:
    with (
        serving(course(tmp_path, "one"), tmp_path, options=PATIENT) as server,
        JoystickClient(tmp_path) as client,
    ):
        client.greet()
        client.drive(home(client.begin()))
        server.done()
    assert not [each for each in threading.enumerate() if each.name == "joystick inbox"]
