import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from paseo.errors import PlannerFailed
from paseo.sim.charged import ChargedClock
from paseo.sim.clock import SyncClock
from paseo.sim.episode import briefing
from paseo.sim.simulate import simulate
from paseo.suite.runners.watching import (
    LatePlanner,
    Notebook,
    NotedClock,
    Replayed,
    TimedPlanner,
    WatchedPlanner,
)
from paseo.world.clocks import ClockName, Timekeeping
from paseo.world.motion import Control, Pose, Twist
from paseo.world.records import Outcome
from worlds import Driver, scenario

TOLD = briefing(scenario(), Control.VELOCITY)


def watched(answer: Any, notes: Notebook | None = None) -> TimedPlanner:
    late = LatePlanner(lambda: Driver(answer))
    return TimedPlanner(WatchedPlanner(late, notes or Notebook(300)), None)


def test_a_watched_planner_drives_like_one_that_is_not() -> None:
    drive = Twist(0.7, 0.1)
    alone, seen = simulate(scenario(), Driver(drive)), simulate(scenario(), watched(drive))
    np.testing.assert_array_equal(alone.robot, seen.robot)
    assert alone.reason == seen.reason


@pytest.mark.parametrize("command", [Twist(0.7, 0.1), Pose(4.0, 5.0, 1.0), Pose(4.0, 5.0)])
def test_what_was_driven_can_be_driven_again(command: Twist | Pose) -> None:
    notes = Notebook(300)
    first = simulate(scenario(), Driver(command), clock=NotedClock(SyncClock(), notes))
    assert len(notes.commands()) == len(first.commands)
    np.testing.assert_array_equal(notes.commands(), first.commands)
    again = simulate(scenario(), Replayed(notes.commands(), "gone"))
    np.testing.assert_array_equal(first.robot, again.robot)


def test_where_the_answers_end_the_failure_is_told() -> None:
    commands = np.array([[0.5, 0.0, np.nan], [3.0, 5.0, 0.0]])
    record = simulate(scenario(), Replayed(commands, "it went silent"))
    assert record.outcome is Outcome.PLANNER_FAILED
    assert record.reason == "it went silent after 0.10 s"
    np.testing.assert_array_equal(record.commands, commands)
    nothing = simulate(scenario(), Replayed(np.empty((0, 3)), "it never began"))
    assert len(nothing.robot) == 1


def test_while_an_answer_is_awaited_the_notebook_says_since_when() -> None:
    notes = Notebook(10)
    seen: list[float | None] = []

    def plan(observation: Any) -> Twist:
        seen.append(notes.asked_at())
        return Twist(0.0, 0.0)

    planner = watched(plan, notes)
    planner.begin(TOLD)
    before = time.monotonic()
    planner.plan(None)  # type: ignore[arg-type]
    assert seen[0] is not None and before <= seen[0] <= time.monotonic()
    assert notes.asked_at() is None
    assert len(planner.seconds) == 1


def test_every_question_and_answer_is_a_sign_of_life() -> None:
    notes = Notebook(10)
    notes.begin()
    begun = notes.noted_at()
    planner = watched(lambda observation: Twist(0.0, 0.0), notes)
    planner.begin(TOLD)
    assert 0 < begun < notes.noted_at() <= time.monotonic()


@pytest.mark.parametrize("error", [RuntimeError("no"), KeyboardInterrupt(), SystemExit(1)])
def test_after_a_crash_nothing_is_awaited_any_more(error: BaseException) -> None:
    notes = Notebook(10)

    def plan(observation: Any) -> Twist:
        raise error

    record = simulate(scenario(), watched(plan, notes))
    assert record.outcome is Outcome.PLANNER_FAILED
    assert type(error).__name__ in record.reason
    assert notes.asked_at() is None


def test_making_the_planner_is_watched_too() -> None:
    notes = Notebook(10)
    seen: list[float | None] = []

    def make() -> Driver:
        seen.append(notes.asked_at())
        raise OSError("no model file")

    record = simulate(scenario(), WatchedPlanner(LatePlanner(make), notes))
    assert record.reason == "begin() raised OSError: no model file after 0.00 s"
    assert seen[0] is not None


def test_nonsense_is_called_the_same_with_and_without_watching() -> None:
    for nonsense in ("left", None, Twist("fast", 0.0), Pose(1.0, [2.0]), Twist(np.nan, 0.0)):  # type: ignore[arg-type]
        answer: Callable[[Any], Any] = lambda _, value=nonsense: value  # noqa: E731
        alone, seen = (
            simulate(scenario(), planner) for planner in (Driver(answer), watched(answer))
        )
        assert alone.reason == seen.reason
        assert "expected" in seen.reason


def test_a_planner_slower_than_the_limit_has_failed() -> None:
    now = 0.0

    def plan(observation: Any) -> Twist:
        nonlocal now
        now += 0.05 if observation.time >= 0.15 else 0.03
        return Twist(0.5, 0.0)

    planner = TimedPlanner(Driver(plan), 0.04, clock=lambda: now)
    record = simulate(scenario(), planner)
    assert planner.stalled
    assert record.outcome is Outcome.PLANNER_FAILED
    assert record.reason == "plan() took 0.050 s, the limit is 0.04 s, after 0.15 s"
    assert planner.seconds == pytest.approx([0.03, 0.03, 0.03, 0.05])
    assert len(record.commands) == 3


def test_a_new_episode_starts_an_empty_page() -> None:
    notes = Notebook(300)
    clock = NotedClock(SyncClock(), notes)
    simulate(scenario(time_limit=0.5), Driver(Twist(0.1, 0.0)), clock=clock)
    assert len(notes.commands()) == 10
    NotedClock(SyncClock(), notes)
    assert len(notes.commands()) == 0


def test_what_is_charged_is_noted_with_the_step_in_which_the_planner_was_asked() -> None:
    notes, stored = Notebook(300), (0.12, 0.0, 0.05, 0.2)
    measured = ChargedClock(Timekeeping(clock=ClockName.CHARGED), latencies=stored)
    clock = NotedClock(measured, notes)
    record = simulate(scenario(time_limit=0.3), Driver(Twist(0.1, 0.0)), clock=clock)
    assert notes.charged() == stored == tuple(clock.charged)
    np.testing.assert_array_equal(notes.commands(), record.commands)


def test_a_failure_is_a_failure_of_the_planner() -> None:
    planner = Replayed(np.empty((0, 3)), "gone")
    planner.begin(TOLD)
    with pytest.raises(PlannerFailed, match="gone"):
        planner.plan(None)  # type: ignore[arg-type]
