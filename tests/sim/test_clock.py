"""Who waits for whom: the seam for clocks."""

import pytest

from paseo.errors import BadValue
from paseo.planners.straight import Straight
from paseo.sim.clock import Ask, SyncClock
from paseo.sim.timekeeping import make_clock
from paseo.sim.simulate import simulate
from paseo.world.clocks import ClockName, Timekeeping
from paseo.world.motion import Command, Twist
from paseo.world.planning import Observation
from paseo.world.recordfile import record_bytes
from paseo.world.records import Outcome
from worlds import Driver, crossing, scenario


class EverySecondStep:
    """As if the planner took one step and a half to answer."""

    timekeeping = Timekeeping(clock=ClockName.CHARGED, latency_s=0.07)
    charged = ()

    def begin(self, dt: float) -> None:
        self.dt, self.steps, self.held = dt, 0, Twist(0.0, 0.0)

    def command(self, observation: Observation, ask: Ask) -> Command:
        self.steps += 1
        if self.steps % 2:
            held, self.held = self.held, ask(observation)
            return held
        return self.held

    def end(self) -> None:
        pass


def test_by_the_sync_clock_the_world_waits() -> None:
    task = scenario(crossing())
    records = [simulate(task, Straight()), simulate(task, Straight(), clock=SyncClock())]
    assert record_bytes(records[0]) == record_bytes(records[1])


def test_another_clock_decides_when_the_planner_is_asked_and_what_the_robot_does() -> None:
    driver, clock = Driver(Twist(1.0, 0.0)), EverySecondStep()
    record = simulate(scenario(time_limit=0.3), driver, clock=clock)
    assert [each.time for each in driver.observations] == pytest.approx([0.0, 0.1, 0.2])
    assert clock.dt == 0.05
    assert record.commands[:, 0].tolist() == [0.0, 1.0, 1.0, 1.0, 1.0, 1.0]


def test_a_planner_fails_by_any_clock() -> None:
    record = simulate(scenario(), Driver("left"), clock=EverySecondStep())
    assert record.outcome is Outcome.PLANNER_FAILED
    assert record.reason.startswith("plan() answered 'left'")
