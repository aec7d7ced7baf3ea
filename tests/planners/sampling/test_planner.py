"""Sampling: to every goal, off every wall, and through everybody."""

import math
import time

import numpy as np
import pytest

from paseo.checks import check_planner
from paseo.data.maps.floorplans import shipped_floorplan
from paseo.data.suites.suite_file import shipped_episodes
from paseo.errors import BadValue
from paseo.planners.sampling.costs import stays_clear, trajectory_cost
from paseo.planners.sampling.planner import Sampling
from paseo.planners.sampling.trajectories import roll_out
from paseo.sim.episode import briefing
from paseo.sim.simulate import simulate
from paseo.world.motion import Control, Pose, Robot, RobotState, Twist
from paseo.world.planning import Observation
from paseo.world.recordfile import record_bytes
from paseo.world.records import Outcome
from paseo.world.space.floorplan import floor_plan
from worlds import DIVIDED, crossing, crowd, plan, scenario

TASKS = [name for name in shipped_episodes() if not name.startswith("scripted")]
DOOR = plan("door", (0, 0, 6, 4), (3, 0.01, 3.02, 1.7), (3, 2.3, 3.02, 3.99))  # 0.6 m wide
AROUND = {"floorplan": DIVIDED, "start": Pose(2.0, 8.0), "goal": Pose(8.0, 8.0), "time_limit": 40.0}


def length(record):
    return float(np.hypot(*np.diff(record.robot[:, :2], axis=0).T).sum())


def speeds(record):
    return np.hypot(*np.diff(record.robot[:, :2], axis=0).T) / record.scenario.dt


@pytest.mark.parametrize("control", Control)
def test_in_an_empty_room_it_drives_straight_to_the_goal(control):
    record = simulate(scenario(), Sampling(), control=control)
    assert record.outcome is Outcome.REACHED_GOAL
    assert length(record) == pytest.approx(5.7, abs=0.1)
    np.testing.assert_allclose(record.robot[:, 1], 5.0, atol=0.01)


def test_it_never_stands_still_at_the_start_of_a_plan():
    record = simulate(scenario(), Sampling())
    assert (speeds(record)[1:] > 0.05).all()
    assert speeds(record).max() == pytest.approx(1.2, abs=0.05)


def test_between_plans_its_speed_does_not_jump():
    assert abs(np.diff(speeds(simulate(scenario(), Sampling())))).max() < 0.15


@pytest.mark.parametrize("dt", [0.01, 0.05, 0.5])
@pytest.mark.parametrize(
    "robot",
    [
        Robot(),
        Robot(max_acceleration=0.5, max_turn_acceleration=1.0),
        Robot(max_turn=math.inf),
        Robot(radius=0.2, wall_radius=0.0),
    ],
    ids=["default", "sluggish", "nimble", "point"],
)
def test_it_gets_around_a_wall(robot, dt):
    record = simulate(scenario(**AROUND, robot=robot, dt=dt), Sampling())
    assert record.outcome is Outcome.REACHED_GOAL
    assert 15.0 < length(record) < 18.5


@pytest.mark.parametrize("heading", [0.0, 1.6, 3.1])
def test_it_gets_through_a_narrow_door_to_a_goal_close_behind_it(heading):
    task = {"floorplan": DOOR, "start": Pose(1.0, 1.0, heading), "goal": Pose(3.6, 2.0)}
    record = simulate(scenario(**task, time_limit=30.0), Sampling())
    assert record.outcome is Outcome.REACHED_GOAL


def test_it_turns_around_in_front_of_a_wall():
    start = Pose(9.7, 5.0, 0.0)
    record = simulate(scenario(start=start, goal=Pose(2.0, 5.0), time_limit=20.0), Sampling())
    assert record.outcome is Outcome.REACHED_GOAL
    assert length(record) < 9.0


@pytest.mark.parametrize("name", TASKS[::6])
def test_it_does_the_task_of_a_shipped_episode(name):
    assert empty_episode(name).outcome is Outcome.REACHED_GOAL


@pytest.mark.slow
@pytest.mark.parametrize("name", TASKS)
def test_it_does_every_shipped_task(name):
    record = empty_episode(name)
    assert record.outcome is Outcome.REACHED_GOAL
    task = record.scenario
    assert length(record) < 1.2 * task.start.distance_to(task.goal) + 0.5


def empty_episode(name):
    entry = shipped_episodes()[name]
    start, goal = entry.start.pose(), entry.goal.pose()
    task = {"floorplan": shipped_floorplan(entry.map), "start": start, "goal": goal}
    return simulate(scenario(**task, time_limit=60.0), Sampling())


def test_it_does_not_see_people():
    alone, among = (simulate(scenario(*people), Sampling()) for people in ((), (crossing(),)))
    np.testing.assert_array_equal(alone.robot, among.robot)
    assert among.contacts


def test_where_the_map_lies_makes_no_difference():
    here = simulate(scenario(**AROUND), Sampling())
    moved = floor_plan("moved", DIVIDED.walls + (1000.0, -500.0))
    task = {"floorplan": moved, "start": Pose(1002.0, -492.0), "goal": Pose(1008.0, -492.0)}
    there = simulate(scenario(**{**AROUND, **task}), Sampling())
    np.testing.assert_allclose(there.robot - (1000.0, -500.0, 0.0), here.robot, atol=1e-6)


def test_it_keeps_the_contract_of_planners():
    check_planner(Sampling)


def test_skipping_by_bounds_finds_what_looking_at_all_finds():
    planner, rng = Sampling(candidates=500), np.random.default_rng(2)
    planner.begin(briefing(scenario(**AROUND), Control.VELOCITY))
    for _ in range(30):
        start = np.array([*rng.uniform(0.6, 9.4, 2), rng.uniform(-3, 3), rng.uniform(0, 1.2), 0.0])
        among = planner._lattice.from_start(start[3], 0.0)
        costs = []
        for k, count in enumerate(among.counts):
            cost = trajectory_cost(
                among.samples[k], count, *start[:3].tolist(), planner._room, math.inf,
                planner._weights, planner._ground,
            )  # fmt: skip
            poses, _ = roll_out(among.splines[k], start[3], 0.0, 0.05, 6.0, planner._limits)
            clear = stays_clear(poses, *start[:3].tolist(), planner._room, planner._ground)
            costs.append(cost if clear else math.inf)
        if DIVIDED.clearance(*start[:2]) > 0.3:
            found = planner._best(among, start, planner._weights)
            assert costs[found] == pytest.approx(min(costs), rel=1e-8)


def test_a_plan_takes_less_than_10_ms():
    planner, spent = Sampling(), []
    planner.begin(briefing(scenario(**AROUND), Control.VELOCITY))
    for y in np.linspace(1.0, 9.0, 40).tolist():
        robot = RobotState(Pose(2.0, y, -1.0), Twist(0.6, 0.0), 0.24)
        begun = time.thread_time()
        planner._renew(robot)
        spent.append(time.thread_time() - begun)
    assert np.median(spent) < 0.01


def test_with_time_enough_a_budget_makes_no_difference():
    free, bound = (simulate(scenario(**AROUND), Sampling(budget_s=s)) for s in (None, 60.0))
    np.testing.assert_array_equal(free.robot, bound.robot)


def test_with_no_time_at_all_it_still_stays_off_walls():
    task = scenario(**{**AROUND, "time_limit": 15.0})
    assert simulate(task, Sampling(budget_s=1e-9)).outcome is not Outcome.HIT_WALL


def test_fewer_candidates_do_too():
    assert simulate(scenario(**AROUND), Sampling(candidates=300)).outcome is Outcome.REACHED_GOAL


def test_without_a_budget_the_same_happens_again():
    records = [simulate(scenario(**AROUND), Sampling()) for _ in range(2)]
    assert record_bytes(records[0]) == record_bytes(records[1])


def test_where_no_trajectory_leads_on_it_faces_the_way():
    planner = Sampling()
    planner.begin(briefing(scenario(), Control.VELOCITY))
    off_the_map = RobotState(Pose(-3.0, 5.0, 1.0), Twist(0.0, 0.0), 0.24)
    assert planner.plan(Observation(0.0, off_the_map, crowd())) == Twist(0.0, 0.0)
    in_a_corner = RobotState(Pose(0.01, 0.01, 2.0), Twist(0.0, 0.0), 0.24)
    assert planner.plan(Observation(0.0, in_a_corner, crowd())).turn < 0.0


@pytest.mark.parametrize(
    "wrong",
    [
        {"candidates": 10},
        {"candidates": 10**6},
        {"horizon": 0.0},
        {"horizon": math.nan},
        {"replan_every": -1.0},
        {"budget_s": 0.0},
        {"goal_weight": math.inf},
        {"obstacle_weight": -1.0},
    ],
)
def test_parameters_that_make_no_sense_are_refused(wrong):
    with pytest.raises(BadValue, match=f"sampling: {next(iter(wrong))} is .* expected"):
        Sampling(**wrong)
