"""Time at the wall clock, with a clock on the wall that tests turn by hand."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import pytest

from paseo.errors import PlannerFailed
from paseo.sim.holding import Answer
from paseo.sim.simulate import simulate
from paseo.sim.wall import AsyncClock, Pace, ThinkingThread
from paseo.world.clocks import ClockName, Thinking, Timekeeping
from paseo.world.motion import Pose, Twist
from paseo.world.records import Outcome
from worlds import Driver, scenario

ASYNC = Timekeeping(clock=ClockName.ASYNC, repeat_limit_s=0.3)


class Wall:
    """A clock on the wall that only moves when somebody sleeps."""

    def __init__(self) -> None:
        self.time, self.slept = 100.0, []

    def now(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.slept.append(round(seconds, 9))
        self.time += seconds


class Later(Future[Answer]):
    """An answer that is there at a certain time of the wall."""

    def __init__(self, wall: Wall, due: float, work: Callable[[], Answer]) -> None:
        super().__init__()
        self._wall, self._at = wall, due
        try:
            self.set_result(work())
        except BaseException as error:
            self.set_exception(error)

    def done(self) -> bool:
        return self._wall.time >= self._at - 1e-9


class Slow:
    """Thinks as long as it is told, one thought after the other."""

    def __init__(self, wall: Wall, *seconds: float) -> None:
        self._wall, self._seconds = wall, iter(seconds)
        self.closed: list[float] = []

    def think(self, work: Callable[[], Answer]) -> Future[Answer]:
        return Later(self._wall, self._wall.time + next(self._seconds), work)

    def close(self, within: float) -> None:
        self.closed.append(within)


def clock(wall: Wall, thinker: Any, timekeeping: Timekeeping = ASYNC) -> AsyncClock:
    return AsyncClock(
        timekeeping, hang_limit_s=1.0, now=wall.now, sleep=wall.sleep, thinker=lambda: thinker
    )


def test_steps_last_dt_and_a_delay_is_not_caught_up() -> None:
    wall = Wall()
    pace = Pace(0.05, now=wall.now, sleep=wall.sleep)
    pace.wait()
    wall.time += 0.02  # the step itself takes a while
    pace.wait()
    assert wall.time == pytest.approx(100.05)
    wall.time += 0.2  # something holds everything up
    pace.wait()
    assert wall.time == pytest.approx(100.25)
    pace.wait()
    assert wall.time == pytest.approx(100.30)
    assert wall.slept == [0.03, 0.05]


def test_the_world_goes_on_while_the_planner_thinks() -> None:
    wall = Wall()
    driver = Driver(lambda now: Twist(0.5 + now.time, 0.0))
    thinker = Slow(wall, 0.12, 0.0, 0.05, 9.0)
    record = simulate(scenario(time_limit=0.5), driver, clock=clock(wall, thinker))
    # Asked in step 0, 3 (there in the next step), 4 (there in step 5) and 5 (never).
    assert [each.time for each in driver.observations] == pytest.approx([0.0, 0.15, 0.2, 0.25])
    speeds = [0, 0, 0, 0.5, 0.65, 0.7, 0.7, 0.7, 0.7, 0.7]
    assert record.commands[:, 0].tolist() == pytest.approx(speeds)
    assert wall.time - 100.0 == pytest.approx(0.45)  # the last step begins then
    assert thinker.closed == pytest.approx([0.8])  # of the second it may take, 0.2 s are over


def test_who_gets_no_answer_for_too_long_stops() -> None:
    wall, limited = Wall(), Timekeeping(clock=ClockName.ASYNC, repeat_limit_s=0.1)
    thinker = Slow(wall, 0.0, 9.0)
    record = simulate(
        scenario(time_limit=0.4), Driver(Twist(0.5, 0.0)), clock=clock(wall, thinker, limited)
    )
    assert record.commands[:, 0].tolist() == [0.0, 0.5, 0.5, 0.5, 0.0, 0.0, 0.0, 0.0]


def test_a_plan_is_followed_by_the_wall_clock_too() -> None:
    wall, driver = Wall(), Driver(Twist(0.5, 0.0))
    driver.upcoming = lambda: [Twist(0.4, 0.0), Twist(0.3, 0.0)]  # type: ignore[attr-defined]
    following = Timekeeping(clock=ClockName.ASYNC, thinking=Thinking.FOLLOW)
    record = simulate(
        scenario(time_limit=0.3), driver, clock=clock(wall, Slow(wall, 0.0, 9.0), following)
    )
    assert record.commands[:, 0].tolist() == [0.0, 0.5, 0.4, 0.3, 0.0, 0.0]


def test_the_record_says_that_it_depends_on_the_wall_clock() -> None:
    wall = Wall()
    record = simulate(scenario(time_limit=0.1), Driver(), clock=clock(wall, Slow(wall, 9.0)))
    assert record.provenance.timekeeping == ASYNC
    assert record.provenance.clock == "time ran at the wall clock while the planner thought"


def test_a_planner_that_never_answers_is_given_up() -> None:
    wall = Wall()
    thinker = Slow(wall, 0.0, 9e9)
    record = simulate(scenario(), Driver(Twist(0.5, 0.0)), clock=clock(wall, thinker))
    assert record.outcome is Outcome.PLANNER_FAILED
    assert thinker.closed == [0.0]  # and not waited for once more
    assert record.reason == "plan() did not return within 1 s, after 1.10 s"


def test_what_a_planner_raises_ends_the_episode_when_it_comes() -> None:
    wall = Wall()
    record = simulate(scenario(), Driver("left"), clock=clock(wall, Slow(wall, 0.1)))
    assert record.reason == "plan() answered 'left', expected a Twist or a Pose after 0.10 s"


def test_the_thread_thinks_while_others_go_on_and_ends_when_it_is_told() -> None:
    thread, may_answer, whose = ThinkingThread(), threading.Event(), []

    def work() -> Answer:
        assert may_answer.wait(60)
        whose.append(threading.current_thread())
        return Answer(Twist(0.5, 0.0), 0, Pose(0.0, 0.0))

    first, second = thread.think(work), thread.think(work)
    assert not first.done()
    may_answer.set()
    assert first.result(60).command == second.result(60).command == Twist(0.5, 0.0)
    assert whose[0] is whose[1] is not threading.current_thread()
    failing = thread.think(lambda: (_ for _ in ()).throw(PlannerFailed("no")))
    with pytest.raises(PlannerFailed, match="no"):
        failing.result(60)
    thread.close(60.0)
    assert not whose[0].is_alive()


def test_a_thread_that_never_ends_is_not_waited_for() -> None:
    thread, for_ever = ThinkingThread(), threading.Event()
    thread.think(lambda: for_ever.wait() and None)  # type: ignore[arg-type,return-value]
    thread.close(0.0)
    for_ever.set()


def test_with_a_thread_the_world_takes_as_long_as_without() -> None:
    driver, wall = Driver(Twist(0.5, 0.0)), Wall()
    real = AsyncClock(ASYNC, now=wall.now, sleep=wall.sleep)  # a thread, but nobody sleeps
    record = simulate(scenario(time_limit=1.0), driver, clock=real)
    assert record.outcome is Outcome.OUT_OF_TIME
    assert wall.time - 100.0 == pytest.approx(0.95)
    assert driver.observations[0].time == 0.0
