"""Thinking time that is charged to the world."""

from itertools import count
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paseo.errors import InputError
from paseo.planners.choices import PlannerChoice, make_planner
from paseo.planners.mppi.planner import Mppi
from paseo.planners.sampling.planner import Sampling
from paseo.sim.charged import ChargedClock
from paseo.sim.episode import EpisodeRun
from paseo.sim.simulate import simulate
from paseo.world.clocks import WAITING, ClockName, Late, Thinking, Timekeeping
from paseo.world.motion import Command, Control, Pose, Twist
from paseo.world.planning import Observation
from paseo.world.recordfile import record_bytes
from paseo.world.records import Outcome
from paseo.world.scenarios import Scenario
from worlds import Driver, crossing, scenario

DT = 0.05


def charged(latency_s: float | None, **policies: Any) -> Timekeeping:
    return Timekeeping(clock=ClockName.CHARGED, latency_s=latency_s, **policies)


class Planned(Driver):
    """A driver that has a plan of so many steps beyond its answer: a bit slower with each."""

    def __init__(self, steps: int) -> None:
        super().__init__(lambda observation: Twist(0.5 + 0.01 * observation.time, 0.0))
        self._steps = steps

    def upcoming(self) -> list[Twist]:
        asked = self.observations[-1].time
        return [Twist(0.5 + 0.01 * asked - 0.001 * (k + 1), 0.0) for k in range(self._steps)]


@pytest.mark.parametrize("planner", ["straight", "dwa", "orca", "social-force", "sampling", "mppi"])
def test_a_planner_that_takes_no_time_drives_as_if_the_world_waited(planner: str) -> None:
    task = scenario(crossing(), time_limit=1.0)
    clock = ChargedClock(charged(0.0, thinking=Thinking.FOLLOW, late=Late.SKIP))
    waited = simulate(task, make_planner(PlannerChoice(planner)))
    at_once = simulate(task, make_planner(PlannerChoice(planner)), clock=clock)
    assert record_bytes(waited) == record_bytes(at_once)
    assert at_once.provenance.timekeeping == WAITING
    assert clock.charged == [0.0] * 20


@pytest.mark.parametrize(
    ("latency", "dt", "steps"),
    [
        (0.1, 0.05, 2),
        (0.11, 0.05, 3),
        (1e-4, 0.05, 1),
        (0.3, 0.1, 3),
        (0.7, 0.1, 7),
        (0.15, 0.05, 3),
    ],
)
def test_an_answer_comes_whole_steps_later(latency: float, dt: float, steps: int) -> None:
    driver = Driver(lambda observation: Twist(0.1 + observation.time / 100, 0.0))
    task = scenario(time_limit=20 * dt, dt=dt)
    record = simulate(task, driver, clock=ChargedClock(charged(latency)))
    asked = [k for k in range(20) if k % steps == 0]
    assert [each.time for each in driver.observations] == pytest.approx([k * dt for k in asked])
    forward = [0.0 if k < steps else 0.1 + (k // steps - 1) * steps * dt / 100 for k in range(20)]
    assert record.commands[:, 0].tolist() == pytest.approx(forward, abs=1e-12)


@pytest.mark.parametrize("latency", [0.0, 0.05, 0.2, 0.5, 1.0])
def test_who_brakes_late_overshoots_by_speed_times_latency(latency: float) -> None:
    """Its driver tells it to stop when it sees the line behind it, and goes on so long."""
    driver = Driver(lambda now: Twist(1.0 if now.robot.pose.x < 3.02 else 0.0, 0.0))
    record = simulate(scenario(), driver, clock=ChargedClock(charged(latency)))
    places = [each.robot.pose.x for each in driver.observations]
    seen = next(x for x in places if x >= 3.02)
    assert record.robot[-1, 0] - seen == pytest.approx(1.0 * latency)


def by_hand(task: Scenario, driver: Any, control: Control, waits: Any) -> np.ndarray:
    """The robot's path when answers are carried by hand: hold, here, as the docs say it."""
    run = EpisodeRun(task, control)
    driver.begin(run.briefing)
    due: dict[int, tuple[Command, Pose]] = {}
    last: tuple[Command, Pose] | None = None
    next_question = 0
    path = []
    for step in count():
        if run.ending() is not None:
            return np.array([*path, _row(run)])
        path.append(_row(run))
        pose = run.snapshot.robot.pose
        last = due.pop(step, last)
        if step == next_question:
            wait = next(waits)
            next_question = step + max(wait, 1)
            question = driver.plan(run.observation), pose
            if wait == 0:
                run.advance(question[0])
                last = question
                continue
            due[step + wait] = question
        if last is None:
            run.advance(Twist(0.0, 0.0))
        elif isinstance(last[0], Twist):
            run.advance(last[0])
        else:
            target, seen = last
            run.advance(
                Pose(pose.x + (target.x - seen.x), pose.y + (target.y - seen.y), target.heading)
            )
    raise AssertionError


def _row(run: EpisodeRun) -> tuple[float, float, float]:
    pose = run.snapshot.robot.pose
    return pose.x, pose.y, pose.heading


def wandering(observation: Observation) -> Twist:
    return Twist(0.4 + 0.3 * np.sin(3 * observation.time), np.cos(5 * observation.time))


def striding(observation: Observation) -> Pose:
    pose, time = observation.robot.pose, observation.time
    return Pose(pose.x + 0.03, pose.y + 0.02 * np.sin(4 * time), 0.5 * np.cos(time))


@settings(max_examples=40)
@given(
    st.lists(st.integers(0, 9), min_size=60, max_size=60),
    st.sampled_from([(wandering, Control.VELOCITY), (striding, Control.POSITION),
                     (striding, Control.VELOCITY)]),
)  # fmt: skip
def test_latencies_of_whole_steps_drive_as_by_hand(waits: list[int], drive: Any) -> None:
    answer, control = drive
    task = scenario(time_limit=3.0)
    clock = ChargedClock(charged(None), latencies=[DT * wait for wait in waits])
    record = simulate(task, Driver(answer, control), clock=clock)
    expected = by_hand(task, Driver(answer, control), control, iter(waits))
    np.testing.assert_array_equal(record.robot, expected)


@pytest.mark.parametrize(
    ("thinking", "speeds"),
    [
        (Thinking.HOLD, [0, 0, 0, 0.5, 0.5, 0.5, 0.5015, 0.5015, 0.5015]),
        (Thinking.STOP, [0, 0, 0, 0.5, 0, 0, 0.5015, 0, 0]),
        (Thinking.FOLLOW, [0, 0, 0, 0.5, 0.499, 0.498, 0.5015, 0.5005, 0.4995]),
    ],
)
def test_meanwhile_the_robot_does_what_its_policy_says(
    thinking: Thinking, speeds: list[float]
) -> None:
    clock = ChargedClock(charged(0.15, thinking=thinking))
    record = simulate(scenario(time_limit=0.45), Planned(5), clock=clock)
    assert record.commands[:, 0].tolist() == pytest.approx(speeds)


def test_the_part_of_a_plan_that_is_over_can_be_skipped() -> None:
    clock = ChargedClock(charged(0.15, thinking=Thinking.FOLLOW, late=Late.SKIP))
    record = simulate(scenario(time_limit=0.45), Planned(4), clock=clock)
    # The fourth of five commands comes first; after the fifth the plan is used up.
    speeds = [0, 0, 0, 0.497, 0.496, 0, 0.4985, 0.4975, 0]
    assert record.commands[:, 0].tolist() == pytest.approx(speeds)


@pytest.mark.parametrize("planner", [Mppi(horizon=2.0), Sampling()])
def test_a_plan_that_is_followed_is_not_the_same_as_a_command_that_is_held(planner: Any) -> None:
    task = scenario(start=Pose(2.0, 5.0, 2.0), time_limit=2.0)
    paths = [
        simulate(task, planner, clock=ChargedClock(charged(0.5, thinking=each))).robot
        for each in Thinking
    ]
    ways = {path.tobytes() for path in paths}
    assert len(ways) == 3


def test_the_time_that_is_measured_is_that_of_the_clock_on_the_wall() -> None:
    ticks = iter([10.0, 10.12345678912, 20.0, 20.02, 30.0, 30.3])
    clock = ChargedClock(charged(None), now=lambda: next(ticks))
    driver = Driver(Twist(0.5, 0.0))
    record = simulate(scenario(time_limit=0.4), driver, clock=clock)
    assert clock.charged == [0.1234568, 0.02, 0.3]
    assert [each.time for each in driver.observations] == pytest.approx([0.0, 0.15, 0.2])
    assert record.provenance.timekeeping == charged(None)
    assert record.provenance.clock == ""


def test_what_was_measured_can_be_charged_again() -> None:
    task, measuring = scenario(crossing(), time_limit=2.0), ChargedClock(charged(None))
    first = simulate(task, Driver(wandering), clock=measuring)
    again = ChargedClock(charged(None), latencies=measuring.charged)
    assert record_bytes(simulate(task, Driver(wandering), clock=again)) == record_bytes(first)
    assert again.charged == measuring.charged
    slower = ChargedClock(charged(None), latencies=[each + 0.1 for each in measuring.charged])
    assert record_bytes(simulate(task, Driver(wandering), clock=slower)) != record_bytes(first)


def test_who_asks_more_often_than_latencies_are_kept_is_another() -> None:
    clock = ChargedClock(charged(None), latencies=[0.1, 0.1])
    with pytest.raises(InputError, match="asked more often than the 2 times") as refused:
        simulate(scenario(), Driver(), clock=clock)
    assert refused.value.parameters == ("replay_latency",)


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        ("left", "upcoming() answered 'l', expected a Twist or a Pose after 0.00 s"),
        ([Twist(np.nan, 0.0)], "upcoming() answered Twist(forward=nan, turn=0.0), expected finite"),
        (7, "upcoming() raised TypeError"),
    ],
)
def test_a_plan_that_is_none_is_a_failure_of_the_planner(plan: Any, words: str) -> None:
    driver = Driver(Twist(0.5, 0.0))
    driver.upcoming = lambda: plan  # type: ignore[attr-defined]
    record = simulate(scenario(), driver, clock=ChargedClock(charged(0.1, thinking="follow")))
    assert record.outcome is Outcome.PLANNER_FAILED
    assert record.reason.startswith(words)
    assert simulate(scenario(), driver, clock=ChargedClock(charged(0.1))).outcome is not (
        Outcome.PLANNER_FAILED  # for nobody asks for it
    )
