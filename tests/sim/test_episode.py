"""An episode stepped by hand, as an environment or a server steps it."""

import numpy as np
import pytest

from paseo.errors import BadScenario, BadValue, PlannerFailed
from paseo.planners.straight import Straight
from paseo.sim.episode import EpisodeRun
from paseo.sim.simulate import described, simulate
from paseo.world.motion import Control, Pose, Twist
from paseo.world.recordfile import record_bytes
from paseo.world.records import Outcome
from paseo.world.scenarios import Reaction, Sensor
from worlds import crossing, scenario

TASKS = {
    "goal": scenario(crossing()),
    "noise": scenario(crossing(), sensor=Sensor(position_noise=0.2, miss_rate=0.3)),
    "reaction": scenario(crossing(), reaction=Reaction()),
    "there already": scenario(goal=Pose(2.1, 5.0)),
    "time": scenario(crossing(), time_limit=0.5),
}


@pytest.mark.parametrize("control", Control)
@pytest.mark.parametrize("task", TASKS)
def test_an_episode_stepped_by_hand_is_the_one_that_simulate_runs(
    task: str, control: Control
) -> None:
    planner = Straight()
    run = EpisodeRun(TASKS[task], control)
    planner.begin(run.briefing)
    while run.ending() is None:
        run.advance(planner.plan(run.observation))
    record = run.record(described(planner, control))
    assert record_bytes(record) == record_bytes(simulate(TASKS[task], Straight(), control=control))


def test_the_present_moment_is_there_to_be_looked_at() -> None:
    run = EpisodeRun(scenario(crossing(), sensor=Sensor(range=0.1)))
    assert (run.snapshot.time, run.observation.time) == (0.0, 0.0)
    assert (len(run.snapshot.crowd), len(run.observation.crowd)) == (1, 0)
    run.advance(Twist(1.0, 0.0))
    assert run.observation.time == run.briefing.dt
    assert run.observation.robot.pose.x > run.briefing.start.x
    assert run.briefing.control is Control.VELOCITY


def test_whole_numbers_are_numbers_and_nonsense_is_no_command() -> None:
    run = EpisodeRun(scenario())
    run.advance(Twist(1, 0))
    assert isinstance(run.snapshot.robot.twist.forward, float)
    with pytest.raises(PlannerFailed, match="expected finite numbers"):
        run.advance(Twist(np.nan, 0.0))
    assert run.snapshot.time == scenario().dt, "the world waits for a better one"


def test_an_episode_that_has_not_ended_has_no_record_unless_its_planner_failed() -> None:
    run = EpisodeRun(scenario())
    run.advance(Twist(1.0, 0.0))
    with pytest.raises(BadValue, match=r"has not ended after 0\.05 s; advance it"):
        run.record(described(Straight()))
    record = run.record(described(Straight()), failure="its battery is empty")
    assert (record.outcome, record.reason) == (Outcome.PLANNER_FAILED, "its battery is empty")
    assert len(record.robot) == 2


def test_a_task_that_cannot_be_done_is_not_begun() -> None:
    with pytest.raises(BadScenario, match="the start"):
        EpisodeRun(scenario(start=Pose(0.1, 5.0)))
