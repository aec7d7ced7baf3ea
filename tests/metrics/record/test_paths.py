import math

import numpy as np
import pytest

from drives import line, record
from paseo.metrics.record.metric import Metric, measured
from paseo.metrics.record.paths import (
    failure_to_progress,
    goal_traversal_ratio,
    heading_change,
    path_irregularity,
    path_length,
    path_length_ratio,
    path_traversal_time,
    spl,
    success_weighted_by_time,
)
from paseo.world.motion import Pose, Robot
from paseo.world.records import Outcome, Record
from worlds import DIVIDED

CORNER = [(2, 5), (5, 5), (5, 9)]  # 3 m east, 4 m north
UNDEFINED = "not available: undefined for this record"


def arc(dt: float) -> Record:
    """Half a circle of radius 3 m from (2, 5) to (8, 5) in 6 s, facing along it."""
    angle = math.pi * (1 - np.arange(round(6 / dt) + 1) * dt / 6)
    places = [5 + 3 * np.cos(angle), 5 + 3 * np.sin(angle), angle - math.pi / 2]
    return record(np.column_stack(places), dt=dt)


def test_length_and_ratio_of_a_path_with_a_corner() -> None:
    corner = record(CORNER, goal=Pose(5, 9))
    assert path_length(corner) == 7.0
    assert path_length_ratio(corner) == pytest.approx(5 / 7)


def test_the_ratio_is_one_for_a_straight_line_to_the_goal() -> None:
    assert path_length_ratio(record(line())) == pytest.approx(1.0)


def test_the_traversal_ratio_is_the_share_of_the_way_that_was_left() -> None:
    halfway = record(line(duration=3.0), outcome=Outcome.OUT_OF_TIME)
    assert goal_traversal_ratio(halfway) == pytest.approx(3 / 6)
    away = record([(2, 5), (2, 13)], outcome=Outcome.HIT_WALL)
    assert goal_traversal_ratio(away) == pytest.approx(10 / 6)


def test_the_traversal_ratio_is_only_for_episodes_that_did_not_arrive() -> None:
    found = measured(goal_traversal_ratio, record(line()))
    assert (found.value, found.note) == (
        None,
        "not available: only for episodes that did not arrive",
    )


def test_irregularity_is_the_unsigned_angle_between_heading_and_goal() -> None:
    # From (2, 5) the goal (8, 5) is due east; from (8, 2) it is due north.
    facing = [(2, 5, 0), (2, 5, math.pi / 2), (2, 5, -math.pi / 2), (8, 2, 3 * math.pi)]
    expected = (0 + math.pi / 2 + math.pi / 2 + math.pi / 2) / 4
    assert path_irregularity(record(facing)) == pytest.approx(expected)


def test_irregularity_leaves_out_states_at_the_goal_itself() -> None:
    assert path_irregularity(record([(2, 5, 1.0), (8, 5, 2.0)])) == pytest.approx(1.0)


def test_traversal_time_is_the_time_of_the_last_state_however_it_ended() -> None:
    for outcome in Outcome:
        assert path_traversal_time(record(CORNER, outcome=outcome)) == pytest.approx(0.1)


def test_heading_change_adds_up_all_turns_the_short_way_round() -> None:
    turning = [(2, 5, 0.0), (2, 5, 1.0), (2, 5, 0.5), (2, 5, 3.0), (2, 5, -3.0)]
    assert heading_change(record(turning)) == pytest.approx(1 + 0.5 + 2.5 + (math.tau - 6))


def test_spl_is_one_along_the_shortest_way_to_the_edge_of_the_goal() -> None:
    assert spl(record(line(duration=5.7))) == pytest.approx(1.0)


def test_spl_is_the_share_of_the_shortest_way_in_the_driven_one() -> None:
    detour = [(2, 5), (2, 6.9), (7.7, 6.9)]  # 7.6 m where 5.7 m would do
    assert spl(record(detour)) == pytest.approx(5.7 / 7.6)


def test_spl_measures_the_shortest_way_around_the_walls() -> None:
    around = 5.0 + 0.02 + math.hypot(2.98, 4.0) - 0.3  # under the wall's end at (5, 1)
    driven = record([(2, 5), (2, 0.5), (8, 0.5), (8, 4.7)], floorplan=DIVIDED)
    assert spl(driven) == pytest.approx(around / (4.5 + 6 + 4.2), abs=1e-5)


def test_time_weighted_success_compares_with_the_shortest_way_at_top_speed() -> None:
    slow = record(line(speed=0.6, duration=9.5))  # 5.7 m, of which 1.2 m/s make 4.75 s
    assert success_weighted_by_time(slow) == pytest.approx(0.5)
    fast = record(line(speed=0.6, duration=9.5), robot=Robot(max_speed=0.6))
    assert success_weighted_by_time(fast) == pytest.approx(1.0)


@pytest.mark.parametrize("weighted", [spl, success_weighted_by_time])
def test_weighted_success_is_zero_without_success(weighted: Metric) -> None:
    assert weighted(record(line(), outcome=Outcome.OUT_OF_TIME)) == 0.0


@pytest.mark.parametrize(
    "metric",
    [
        path_length_ratio, goal_traversal_ratio, path_irregularity, spl,
        success_weighted_by_time,
    ],
)  # fmt: skip
def test_what_needs_the_goal_says_so(metric: Metric) -> None:
    log = record(line(), outcome=Outcome.OUT_OF_TIME, missing=("goal", "map"))
    found = measured(metric, log)
    assert (found.value, found.note) == (None, "not available: needs the goal")


@pytest.mark.parametrize("metric", [spl, success_weighted_by_time])
def test_what_needs_the_map_says_so(metric: Metric) -> None:
    found = measured(metric, record(line(), missing=("map",)))
    assert (found.value, found.note) == (None, "not available: needs the map")


def test_ratios_over_nothing_are_undefined() -> None:
    nowhere = record([(2, 5), (2, 5)], goal=Pose(2, 5), outcome=Outcome.OUT_OF_TIME)
    for metric in (path_length_ratio, goal_traversal_ratio, path_irregularity):
        assert measured(metric, nowhere).note == UNDEFINED
    for metric in (spl, success_weighted_by_time):
        assert measured(metric, record([(2, 5)], goal=Pose(2.1, 5))).note == UNDEFINED


def test_of_one_state_length_turns_and_time_are_zero() -> None:
    single = record([(2, 5)])
    for metric in (path_length, heading_change, path_traversal_time):
        assert metric(single) == 0.0


def test_a_smaller_time_step_brings_every_measure_of_a_curve_nearer_to_its_limit() -> None:
    # The chord to the goal and the tangent differ by pi/2 - s/6 * pi/2 along the arc.
    limits = {
        path_length: 3 * math.pi,
        path_length_ratio: 6 / (3 * math.pi),
        path_irregularity: math.pi / 4,
    }
    for metric, limit in limits.items():
        errors = [abs(metric(arc(dt)) - limit) for dt in (0.2, 0.1, 0.05)]
        assert errors[0] > errors[1] > errors[2]
        assert errors[2] < 0.01 * limit
    assert [heading_change(arc(dt)) for dt in (0.1, 0.05)] == pytest.approx([math.pi] * 2)


def stages(*stretches: tuple[float, float], dt: float = 0.05) -> Record:
    """Along the line to the goal, each stretch with a speed (back: negative) for so long."""
    speeds = np.concatenate([np.full(round(lasts / dt), speed) for speed, lasts in stretches])
    x = 2.0 + np.append(0.0, np.cumsum(speeds * dt))
    return record(np.column_stack([x, np.full(len(x), 5.0)]), dt=dt, time_limit=60.0)


def test_a_robot_that_goes_on_never_fails_to_progress() -> None:
    assert failure_to_progress(record(line())) == 0.0
    assert failure_to_progress(stages((0.03, 30))) == 0.0  # 0.15 m in five seconds


def test_every_five_seconds_without_progress_are_a_failure() -> None:
    assert failure_to_progress(stages((1, 1), (0, 4.9), (1, 1))) == 0.0
    assert failure_to_progress(stages((1, 1), (0, 5.1), (1, 1))) == 1.0
    assert failure_to_progress(stages((0, 60))) == 12.0
    assert failure_to_progress(stages((0, 60), dt=0.025)) == 12.0
    assert failure_to_progress(stages((0.01, 60))) == 12.0  # creeping is no progress


def test_coming_back_from_a_detour_is_progress() -> None:
    """Away for three seconds, then towards the goal: from the failure on, it counts anew."""
    assert failure_to_progress(stages((1, 2), (-0.5, 6), (0.5, 8))) == 1.0


def test_without_a_goal_there_is_no_progress() -> None:
    found = measured(failure_to_progress, record(line(), missing=("goal",)))
    assert found.note == "not available: needs the goal"
