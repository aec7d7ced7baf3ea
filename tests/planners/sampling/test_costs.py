"""Costs: as published, by hand, and never less than the bound by which trajectories are skipped."""

import math

import numpy as np
import pytest

from paseo.planners.sampling.costs import (
    Weights,
    clearance_at,
    ground,
    keeps_clear,
    least_costs,
    pose_cost,
    stays_clear,
    trajectory_cost,
)
from paseo.planners.sampling.lattice import lattice
from paseo.planners.sampling.trajectories import limits_of
from paseo.sim.episode import briefing
from paseo.world.motion import Control, Pose, Robot
from paseo.world.space.ways import ways_to
from worlds import DIVIDED, ROOM, scenario

GOAL = Pose(8.0, 5.0)
WAYS = ways_to(ROOM, GOAL, room=0.24)


def ground_of(plan, goal, ways):
    return ground(briefing(scenario(floorplan=plan, goal=goal), Control.VELOCITY), ways)


OPEN = ground_of(ROOM, GOAL, WAYS)


def test_in_the_open_it_costs_the_squared_way_and_the_angle_to_it():
    metres = WAYS.metres_from(4.0, 5.0)
    for heading in (0.0, 0.5, -2.0, math.pi):
        cost = pose_cost(4.0, 5.0, heading, 4.0, Weights(), OPEN)
        assert cost == pytest.approx(0.08 * metres**2 + 0.008 * abs(heading), abs=1e-3)
    assert metres == pytest.approx(4.0, rel=0.01)


def test_walls_cost_the_cube_of_what_is_lacking_to_half_a_metre():
    away, near = (pose_cost(4.0, 5.0, 0.0, d, Weights(), OPEN) for d in (0.5, 0.3))
    assert near - away == pytest.approx(1.3)


def test_near_the_goal_it_does_not_matter_where_one_faces():
    ahead, back = (pose_cost(7.8, 5.0, heading, 4.0, Weights(), OPEN) for heading in (0.0, 3.0))
    assert ahead == back


def test_a_trajectory_costs_the_mean_of_its_poses_and_waits_at_its_end():
    samples = np.array([[1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    near, far = (pose_cost(x, 5.0, 0.0, 4.0, Weights(), OPEN) for x in (3.0, 4.0))
    cost = trajectory_cost(samples, 2, 2.0, 5.0, 0.0, 0.24, math.inf, Weights(), OPEN)
    assert cost == pytest.approx((near + 2 * far) / 3)
    assert trajectory_cost(samples, 2, 2.0, 5.0, 0.0, 0.24, 0.5 * cost, Weights(), OPEN) == math.inf


def test_a_trajectory_through_a_wall_costs_infinitely_however_far_apart_its_samples_are():
    ways = ground_of(DIVIDED, GOAL, ways_to(DIVIDED, GOAL, room=0.24))
    through = np.array([[2.0, 0.0, 0.0]])  # from one side of the thin wall to the other
    assert trajectory_cost(through, 1, 4.0, 5.0, 0.0, 0.24, math.inf, Weights(), ways) == math.inf
    assert not keeps_clear(4.0, 5.0, 6.0, 5.0, 0.06, ways)
    assert not stays_clear(np.array([[0.0, 0.0, 0.0], [2.0, 0, 0]]), 4.0, 5.0, 0.0, 0.06, ways)
    assert stays_clear(np.array([[0.0, 0.0, 0.0], [0.5, 0, 0]]), 4.0, 5.0, 0.0, 0.24, ways)


def test_off_the_map_nothing_is_clear():
    assert clearance_at(-1.0, 5.0, OPEN) == -math.inf
    assert not keeps_clear(5.0, 5.0, -1.0, 5.0, 0.0, OPEN)


@pytest.mark.parametrize("plan", [ROOM, DIVIDED], ids=lambda plan: plan.name)
def test_no_trajectory_costs_less_than_its_bound(plan):
    goal, rng, robot = Pose(8.0, 8.0), np.random.default_rng(1), Robot()
    on = ground_of(plan, goal, ways_to(plan, goal, room=0.245))
    table = lattice(1000, 6.0, limits_of(robot), 0.05)
    spacing, weights = robot.max_speed * table.interval, Weights()
    for start in np.column_stack([rng.uniform(0.5, 9.5, (40, 2)), rng.uniform(-3, 3, 40)]):
        among = table.from_start(rng.uniform(0.0, 1.2), 0.0)
        least = least_costs(among.samples, among.counts, start, spacing, weights, on)
        for k, count in enumerate(among.counts):
            cost = trajectory_cost(
                among.samples[k], count, *start.tolist(), 0.245, math.inf, weights, on
            )
            assert cost >= least[k] * (1 - 1e-9)
