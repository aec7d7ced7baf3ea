"""The two failures of Social Forces that the docs show really happen, and are its own."""

from pathlib import Path

import numpy as np
import pytest

from paseo.data.store.locations import DataFolder
from paseo.data.suites.episodes import Choices, scenario
from paseo.data.suites.suite_file import RobotEntry, read_suite
from paseo.planners.names import PLANNERS
from paseo.planners.orca_checkpoints import OrcaCheckpoints
from paseo.planners.social_force import SocialForce
from paseo.sim.simulate import simulate
from paseo.world.arrays import FloatArray
from paseo.world.records import Outcome, Record, Verdict
from paseo.world.scenarios import Scenario

SUITE = read_suite(Path(__file__).parents[2] / "examples" / "social_force_failures.toml")


def task(name: str) -> Scenario:
    entry = next(entry for entry in SUITE.episodes if entry.name == name)
    assert isinstance(SUITE.robot, RobotEntry)
    return scenario(entry, Choices(robot=SUITE.robot), DataFolder(Path()))


def distances(record: Record) -> FloatArray:
    """Metres to the goal in every state, (states,)."""
    goal = record.scenario.goal
    return np.hypot(*(record.robot[:, :2] - (goal.x, goal.y)).T)


def test_it_circles_a_goal_that_it_missed_long_after_everybody_has_left() -> None:
    record = simulate(task("circles_its_goal"), SocialForce())
    to_goal = distances(record)
    assert record.outcome is Outcome.OUT_OF_TIME and not record.contacts
    first = int(np.flatnonzero(to_goal < 1.0)[0])
    assert 1.7 < to_goal[first:].max() < 2.0  # it leaves again, but not for good
    goal = record.scenario.goal
    bearings = np.arctan2(*(record.robot[first:, 1::-1] - (goal.y, goal.x)).T)
    assert abs(np.ptp(np.unwrap(bearings))) > 4 * 2 * np.pi
    alone = np.isnan(record.people[first:, :, 0]).all(axis=1)
    assert alone.mean() > 0.8


def test_it_stays_in_a_corner_that_only_leads_away_from_the_goal() -> None:
    record = simulate(task("stays_in_a_corner"), SocialForce())
    assert record.outcome is Outcome.OUT_OF_TIME
    late = record.robot[len(record.robot) // 4 :, :2]
    assert distances(record).min() > 2.5
    assert np.hypot(*(late - (7.0, 6.8)).T).max() < 4.0  # the corner of the screen
    assert np.linalg.norm(np.ptp(late, axis=0)) < 5.0


@pytest.mark.parametrize("name", [entry.name for entry in SUITE.episodes])
def test_another_planner_has_no_trouble_there(name: str) -> None:
    assert simulate(task(name), OrcaCheckpoints()).verdict is Verdict.SUCCESS


def test_the_suite_names_planners_that_ship() -> None:
    assert set(SUITE.planners) <= PLANNERS.targets().keys()
