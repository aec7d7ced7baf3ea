"""Time that does not wait for the client: by the wall clock, or charged."""

import json
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from joystick_client import JoystickClient, Remote, Shy, crossing, home, serving
from paseo.errors import InputError
from paseo.remote.clients import ClientSilent
from paseo.remote.joystick.messages import Commands, Signal
from paseo.remote.joystick.session import ClientGone
from paseo.remote.joystick.states import first_state, next_state
from paseo.remote.joystick.telling import Telling
from paseo.remote.joystick.wheel import Asking, WallWheel
from paseo.sim.episode import EpisodeRun
from paseo.sim.simulate import simulate
from paseo.sim.timekeeping import make_clock
from paseo.suite.rerunning import rerun
from paseo.suite.runs.planning import RunOptions
from paseo.suite.runs.timing import read_timing
from paseo.world.clocks import ClockName, Late, Timekeeping
from paseo.world.motion import Command, Control, Pose, Twist
from paseo.world.recordfile import load_record, record_bytes
from paseo.world.records import Outcome, Record
from runs import suite
from worlds import scenario, walk

STANDING = Twist(0.0, 0.0)
WORLD = scenario(walk(3, (0, 8, 1), (10, 8, 9)))
PATIENT = RunOptions(hang_limit_s=20.0)


@dataclass
class Scripted:
    """A client outside, who says things at given times of a clock that only it moves."""

    script: deque[tuple[float, Commands | Signal]]
    now: float = 0.0
    limit: float = 60.0
    deaf: bool = False
    waits: list[float] = field(default_factory=list)
    heard: list[tuple[float, Any]] = field(default_factory=list)
    news: list[str] = field(default_factory=list)

    def said(self, within: float) -> Commands | Signal | None:
        if self.script and self.script[0][0] <= self.now + within:
            at, what = self.script.popleft()
            self.now = max(self.now, at)
            return what
        self.now += within
        return None

    def told(self, content: bytes, *, within: float) -> None:
        if self.deaf:
            self.now += within
            raise ClientGone("it does not listen")
        self.heard.append((round(self.now, 6), json.loads(content)))

    def tell(self, news: str) -> None:
        self.news.append(news)

    def check_heard(self, silent: float) -> None:
        if silent > self.limit:
            raise ClientSilent("silent")


def wheel(client: Scripted, **policies: Any) -> Callable[[int], list[Command]]:
    """Drive so many steps; what the robot did."""
    run = EpisodeRun(WORLD, Control.POSITION)
    asking = Asking(client, Telling(WORLD), WORLD, first_state(run.observation))  # type: ignore[arg-type]
    timekeeping = Timekeeping(clock=ClockName.ASYNC, late=Late.THERE, **policies)
    clock = WallWheel(asking, timekeeping, now=lambda: client.now)
    clock.begin(WORLD.dt)

    def drive(steps: int) -> list[Command]:
        done: list[Command] = []
        for _ in range(steps):
            before = run.observation
            done.append(clock.command(before, asking))
            run.advance(done[-1])
            asking.state = next_state(asking.state, before, run.observation, WORLD.dt)
        return done

    return drive


def go(x: float) -> Commands:
    return Commands((Pose(x, 5.0),))


def test_a_command_is_in_force_from_the_next_step_and_then_repeated_up_to_the_limit() -> None:
    client = Scripted(deque([(0.07, go(2.05))]))
    done = wheel(client, repeat_limit_s=0.1)(7)
    assert done == [STANDING] * 2 + [Pose(2.05, 5.0)] * 3 + [STANDING] * 2
    assert client.now == pytest.approx(0.3), "six steps after the first, whatever is said"


def test_each_step_takes_one_of_the_commands_that_were_sent_ahead() -> None:
    client = Scripted(deque([(0.01, go(2.0 + 0.01 * k)) for k in range(1, 4)]))
    assert wheel(client)(5)[1:] == [Pose(2.01, 5.0), Pose(2.02, 5.0), *[Pose(2.03, 5.0)] * 2]


def test_a_sense_is_answered_at_once_but_after_the_commands_before_it() -> None:
    sense = Signal.SENSE
    script = deque(
        [(0.02, sense), (0.06, go(2.01)), (0.06, go(2.02)), (0.06, sense), (0.16, sense)]
    )
    client = Scripted(script)
    wheel(client)(5)
    told = [(at, state["sim_t"]) for at, state in client.heard]
    assert told == [(0.02, 0.05), (0.15, pytest.approx(0.2)), (0.16, pytest.approx(0.2))]
    robot = client.heard[1][1]["robots"]["robot_agent"]
    assert robot["current_config"][0] == pytest.approx(2.02)


def test_a_client_that_does_not_listen_holds_up_nobody() -> None:
    script = deque([(0.01, Signal.SENSE), (0.02, Signal.SENSE), (0.03, go(2.05))])
    client = Scripted(script, deaf=True)
    assert wheel(client)(4) == [STANDING, *[Pose(2.05, 5.0)] * 3]
    assert client.now == pytest.approx(0.15)
    assert client.news


def test_a_client_without_a_command_for_the_limit_has_failed() -> None:
    with pytest.raises(ClientSilent):
        wheel(Scripted(deque(), limit=0.2))(20)


def short(folder: Path) -> Path:
    entry = {
        "name": "short",
        "map": "room.txt",
        "start": {"x_m": 2.0, "y_m": 5.0},
        "goal": {"x_m": 8.0, "y_m": 5.0},
        "time_limit_s": 0.6,
        "people": [],
    }
    return suite(folder, episodes=[entry])


def served(
    target: Path, folder: Path, drive: Callable[[JoystickClient, Any], None], **options: Any
) -> Path:
    """The record of the one episode."""
    with serving(target, folder, **options) as server, JoystickClient(folder) as client:
        client.greet()
        drive(client, client.begin())
        result = server.done().results[0]
    return folder / "run" / "records" / result.record


def test_at_the_wall_clock_the_world_does_not_wait_and_the_record_says_so(tmp_path: Path) -> None:
    options = RunOptions(clock="async", hang_limit_s=20.0)

    def drive(client: JoystickClient, metadata: Any) -> None:
        client.drive(home(metadata))

    path = served(short(tmp_path), tmp_path, drive, options=options)
    record = load_record(path)
    assert record.outcome is Outcome.OUT_OF_TIME
    assert len(record.commands) == 12, "time ran on, however slow the client was"
    assert record.robot[-1, 0] > 2.0
    made = record.provenance
    assert (made.timekeeping.clock, made.timekeeping.late) == (ClockName.ASYNC, Late.THERE)
    assert made.clock == "time ran at the wall clock while the planner thought"
    assert rerun(path).is_identical


def test_at_the_wall_clock_nobody_needs_to_say_anything(tmp_path: Path) -> None:
    options = RunOptions(clock="async", hang_limit_s=20.0)

    def drive(client: JoystickClient, _: Any) -> None:
        assert client.hear()["termination_cause"] == "Timeout"

    record = load_record(served(short(tmp_path), tmp_path, drive, options=options))
    assert len(record.commands) == 12
    assert (record.robot == record.robot[0]).all()


@pytest.mark.parametrize("control", Control)
def test_a_declared_latency_is_charged_as_in_process(control: Control, tmp_path: Path) -> None:
    options = RunOptions(latencies=(0.12,), control=control, hang_limit_s=20.0)

    def drive(client: JoystickClient, metadata: Any) -> None:
        remote = Remote(Shy(), control)
        remote.begin(metadata)
        client.drive(remote.command)

    path = served(crossing(tmp_path), tmp_path, drive, options=options, states="exact")
    outside = load_record(path)
    timekeeping = Timekeeping(clock=ClockName.CHARGED, latency_s=0.12)
    assert outside.provenance.timekeeping == timekeeping
    clock = make_clock(timekeeping)
    here: Record = simulate(outside.scenario, Shy(), provenance=outside.provenance, clock=clock)
    assert record_bytes(here) == record_bytes(outside)


def test_a_measured_latency_is_charged_and_kept_beside_the_record(tmp_path: Path) -> None:
    options = RunOptions(clock="charged", hang_limit_s=20.0)

    def drive(client: JoystickClient, metadata: Any) -> None:
        client.drive(home(metadata))

    path = served(short(tmp_path), tmp_path, drive, options=options)
    record, charged = load_record(path), read_timing(path).charged_s
    assert record.provenance.timekeeping.is_measured
    assert charged is not None
    assert 0 < len(charged) <= len(record.commands)
    assert min(charged) > 0
    assert rerun(path).is_identical
    assert rerun(record).is_identical, "for that no latencies are needed"


def test_latencies_of_another_run_cannot_be_charged_to_a_client(tmp_path: Path) -> None:
    with (
        serving(short(tmp_path), tmp_path, options=RunOptions(replay_latency=tmp_path)) as server,
        pytest.raises(InputError, match="replay_latency charges planners in process again"),
    ):
        server.done()
