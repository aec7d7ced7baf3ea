"""The table of trajectories: small, quickly built, and within what the robot can do."""

import math
import time

import numpy as np
import pytest

from paseo.planners.sampling.lattice import lattice, waypoints
from paseo.planners.sampling.trajectories import Limits, limits_of
from paseo.world.motion import Robot
from thinning import mostly_slow

ROBOTS = {
    "default": Robot(),
    "sluggish": Robot(max_acceleration=0.6, max_turn_acceleration=1.2),
    "slow": Robot(max_speed=0.1, max_turn=0.1, max_acceleration=0.1, max_turn_acceleration=0.1),
    "quick": Robot(max_speed=10.0, max_turn=math.inf),
}


@pytest.mark.parametrize("dt", mostly_slow([0.05, 0.01, 0.5]))
@pytest.mark.parametrize("name", ROBOTS)
def test_the_table_is_small_and_quickly_built(name, dt):
    limits = limits_of(ROBOTS[name])
    lattice(200, 6.0, limits, dt)  # compiles
    lattice.cache_clear()
    begun = time.process_time()
    table = lattice(3000, 6.0, limits, dt)
    assert time.process_time() - begun < 2.0
    arrays = [(s.samples, s.counts, s.splines) for s in table.starts]
    assert sum(array.nbytes for start in arrays for array in start) < 50e6


@pytest.mark.parametrize("name", ROBOTS)
def test_no_sample_is_further_away_than_the_robot_gets(name):
    limits = limits_of(ROBOTS[name])
    table = lattice(1000, 6.0, limits, 0.05)
    for start in table.starts:
        away = np.hypot(start.samples[..., 0], start.samples[..., 1])  # (trajectories, samples)
        after = table.interval * np.arange(1, away.shape[1] + 1)
        assert (away <= limits.speed * after + 1e-9).all()
        assert (start.counts >= 1).all()


def test_from_rest_trajectories_lead_up_to_five_metres_ahead_and_to_all_sides():
    ends = lattice(3000, 6.0, limits_of(Robot()), 0.05).from_start(0.0, 0.0)
    last = np.array([ends.end(k) for k in range(len(ends.counts))])
    assert 2000 < len(last) <= 3000
    assert 4.7 < np.hypot(*last[:, :2].T).max() < 4.9
    bearings = np.degrees(np.arctan2(last[:, 1], last[:, 0]))
    filled, _ = np.histogram(bearings, bins=12, range=(-180, 180))
    assert (filled > 3).all()


def test_left_and_right_are_alike():
    points = waypoints(3000, 4.8)
    mirrored = points * [-1, 1, -1, -1]
    rows = {tuple(row) for row in np.round(points, 9).tolist()}
    assert {tuple(row) for row in (np.round(mirrored, 9) + 0.0).tolist()} == rows


def test_the_nearest_start_is_taken():
    table = lattice(200, 6.0, limits_of(ROBOTS["sluggish"]), 0.05)
    assert table.speeds.tolist() == pytest.approx(np.linspace(0, 1.2, 7).tolist())
    assert table.turns.tolist() == pytest.approx([-1.1, 0.0, 1.1])
    assert table.from_start(0.0, -1.0) is table.starts[0]
    assert table.from_start(1.15, 1.0) is table.starts[-1]
    assert len(lattice(200, 6.0, limits_of(Robot()), 0.05).turns) == 1


def test_a_robot_that_takes_long_to_turn_starts_from_turns_it_can_leave():
    table = lattice(200, 6.0, Limits(1.2, 1.1, 1.0, 0.1), 0.05)
    assert abs(table.turns).max() == pytest.approx(0.15)
