"""Odometry that drifts: how far after how long, and what stays before the robot all the same."""

import math
from dataclasses import replace

import numpy as np
import pytest

from paseo.data.scenes.robot_frame import seen_from
from paseo.data.suites.suite_file import DriftEntry
from paseo.errors import BadValue
from paseo.pipeline.drives.drift import DRIFT, NONE, Drift, carried, drawn_odometry
from paseo.pipeline.drives.drive import Odometry
from paseo.pipeline.episodes.draws import drift_of
from paseo.world.arrays import FloatArray

SECONDS, SPEED, DRAWS = 10.0, 1.2, 3000
TIMES = np.linspace(0.0, SECONDS, 101)
STRAIGHT = Odometry(
    times=TIMES, poses=np.column_stack([SPEED * TIMES, np.zeros(101), np.zeros(101)])
)
BEND = replace(
    STRAIGHT, poses=np.column_stack([np.sin(TIMES / 4), 1 - np.cos(TIMES / 4), TIMES / 4])
)


def ends(told: Odometry, drift: Drift) -> FloatArray:
    """How far the last pose is off in each draw, (draws, 3)."""
    rng = np.random.default_rng(3)
    return np.array(
        [(drawn_odometry(told, drift, rng).poses - told.poses)[-1] for _ in range(DRAWS)]
    )


def check_deviation(values: FloatArray, expected: float) -> None:
    """Four deviations of the deviation of so many normal draws about 0."""
    found = math.sqrt(float(np.mean(np.square(values))))
    assert found == pytest.approx(expected, rel=4 / math.sqrt(2 * DRAWS))


def test_without_drift_the_way_stays_to_the_last_bit() -> None:
    other = drawn_odometry(BEND, NONE, np.random.default_rng(0))
    assert (other.poses == BEND.poses).all()
    points = np.random.default_rng(1).normal(size=(101, 2))
    places, turned = carried(points, TIMES, BEND, other)
    assert (places == points).all() and not turned.any()


def test_wheels_of_another_size_make_the_way_longer_by_a_share() -> None:
    off = ends(STRAIGHT, replace(NONE, way=0.02))
    check_deviation(off[:, 0], 0.02 * SPEED * SECONDS)
    assert not off[:, 1:].any()


def test_a_gyroscope_that_turns_at_rest_bends_the_way_with_the_square_of_time() -> None:
    off = ends(STRAIGHT, replace(NONE, turning=0.002))
    check_deviation(off[:, 2], 0.002 * SECONDS)
    check_deviation(off[:, 1], 0.002 * SPEED * SECONDS**2 / 2)


def test_a_heading_that_wanders_grows_with_the_root_of_time() -> None:
    off = ends(STRAIGHT, replace(NONE, wander=0.004))
    check_deviation(off[:, 2], 0.004 * math.sqrt(SECONDS))
    # The integral of a random walk.
    check_deviation(off[:, 1], 0.004 * SPEED * math.sqrt(SECONDS**3 / 3))


def test_turns_are_off_by_a_share_and_all_adds_up() -> None:
    drift = Drift(way=0.01, turns=0.03, turning=0.002, wander=0.004)
    check_deviation(ends(BEND, replace(NONE, turns=0.03))[:, 2], 0.03 * SECONDS / 4)
    parts = (0.03 * SECONDS / 4, 0.002 * SECONDS, 0.004 * math.sqrt(SECONDS))
    check_deviation(ends(BEND, drift)[:, 2], math.hypot(*parts))


def test_a_sample_more_or_less_changes_no_spread() -> None:
    often = np.linspace(0.0, SECONDS, 401)
    poses = np.column_stack([SPEED * often, np.zeros(401), np.zeros(401)])
    off = ends(Odometry(times=often, poses=poses), replace(NONE, wander=0.004))
    check_deviation(off[:, 2], 0.004 * math.sqrt(SECONDS))


def test_who_is_before_the_robot_at_a_time_is_so_on_every_way() -> None:
    other = drawn_odometry(BEND, Drift(way=0.2, turns=0.3), np.random.default_rng(5))
    points = np.random.default_rng(1).normal(size=(101, 2))
    places, turned = carried(points, TIMES, BEND, other)
    assert np.abs(turned).max() > 0.1
    for told, drawn, here, there in zip(BEND.poses, other.poses, points, places, strict=True):
        assert seen_from(drawn, there) == pytest.approx(seen_from(told, here), abs=1e-12)


def test_a_robots_file_that_says_nothing_means_the_usual_drift() -> None:
    assert drift_of(DriftEntry()) == DRIFT


def test_a_drift_of_less_than_nothing_is_refused() -> None:
    with pytest.raises(BadValue, match="turning is -1, expected 0 or more"):
        Drift(turning=-1.0)
