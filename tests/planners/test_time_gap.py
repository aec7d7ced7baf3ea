"""Time gap: waits before people, goes when the gap is open, and moves into nobody."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paseo.data.store.locations import DataFolder
from paseo.data.suites.episodes import Choices
from paseo.data.suites.episodes import scenario as episode_scenario
from paseo.data.suites.suite_file import shipped_suites
from paseo.errors import BadValue
from paseo.planners.time_gap import TimeGap, stopping_speed, times_at, travel_time
from paseo.planners.unicycle import limits_of
from paseo.sim.episode import briefing
from paseo.sim.simulate import simulate
from paseo.world.motion import Control, Pose, Robot
from paseo.world.recordfile import record_bytes
from paseo.world.records import Outcome, Verdict
from paseo.world.space.floorplan import floor_plan
from worlds import DIVIDED, crossing, plan, scenario, walk

DOOR = plan("door", (0, 0, 10, 10), (5, 0.01, 5.2, 4.65), (5, 5.35, 5.2, 9.99))
AROUND = {"floorplan": DIVIDED, "start": Pose(2, 8), "goal": Pose(8, 8), "time_limit": 40.0}
STANDING = walk(1, (0, 5, 5), (60, 5, 5))
LIMITS = limits_of(briefing(scenario(), Control.VELOCITY), 3.0, 6.0)


def crosser(time, speed=1.0):
    """Walks at right angles over the robot's way, and is on it at this time."""
    return walk(1, (0, 5, 5 + speed * time), (time + 4.9 / speed, 5, 0.1))


def speeds(record):
    return np.hypot(*np.diff(record.robot[:, :2], axis=0).T) / record.scenario.dt


def drives_into(record):
    """The contacts at whose beginning the robot was not as good as standing."""
    return [c for c in record.contacts if c.counted and speeds(record)[c.first_step - 1] > 0.1]


@pytest.mark.parametrize("control", Control)
def test_with_nobody_it_drives_straight_and_soon_at_full_speed(control):
    record = simulate(scenario(), TimeGap(), control=control)
    assert record.verdict is Verdict.SUCCESS
    assert len(record.commands) * 0.05 < 5.7 / 1.2 + 0.5
    np.testing.assert_allclose(record.robot[:, 1], 5.0, atol=0.02)


@settings(max_examples=30)
@given(st.floats(0.5, 9.5), st.floats(0.5, 9.5), st.floats(-math.pi, math.pi))
def test_it_arrives_from_everywhere_however_it_faces(x, y, heading):
    record = simulate(scenario(start=Pose(x, y, heading), time_limit=30), TimeGap())
    assert record.outcome is Outcome.REACHED_GOAL


# The robot is in the crosser's way from x = 4.46, which takes 2.25 s from standing, to 5.54.
@pytest.mark.parametrize(("time", "goes_first"), [(3.0, False), (4.6, False), (5.8, True)])
def test_it_goes_before_a_crosser_only_if_the_gap_is_two_seconds(time, goes_first):
    record = simulate(scenario(crosser(time), time_limit=20), TimeGap())
    there = float(np.argmax(record.robot[:, 0] >= 5.0)) * 0.05
    assert record.verdict is Verdict.SUCCESS
    assert (there < 3.0) is goes_first
    assert goes_first or there > time


@pytest.mark.parametrize("gap", [0.5, 1.0, 3.0])
def test_the_gap_can_be_set(gap):
    delays = []
    for time in (gap + 2.2, gap + 4.0):
        record = simulate(scenario(crosser(time), time_limit=20), TimeGap(gap=gap))
        assert record.verdict is Verdict.SUCCESS
        delays.append(np.argmax(record.robot[:, 0] >= 5.0) * 0.05 > 3.2)
    assert delays == [True, False]


def test_it_stops_before_somebody_who_stands_in_the_way_and_goes_when_they_leave():
    leaving = walk(1, (0, 5, 5), (8, 5, 5), (12, 5, 9))
    record = simulate(scenario(leaving, time_limit=20), TimeGap())
    waiting = record.robot[int(6 / 0.05) : int(8 / 0.05)]
    np.testing.assert_allclose(waiting, [waiting[0]] * len(waiting), atol=1e-9)
    assert 0.1 < 5 - waiting[0, 0] - 0.44 < 0.4
    assert record.verdict is Verdict.SUCCESS
    assert simulate(scenario(STANDING, time_limit=20), TimeGap()).verdict is Verdict.TIMEOUT


def test_its_weakness_is_that_people_walk_into_it_while_it_waits():
    record = simulate(scenario(crossing(), time_limit=20), TimeGap())
    assert record.verdict is Verdict.PERSON_COLLISION
    assert drives_into(record) == []


def test_it_follows_who_walks_slowly_ahead():
    slow = walk(1, (0, 3, 5), (20, 9, 5))
    record = simulate(scenario(slow, time_limit=30), TimeGap())
    gaps = np.hypot(*(record.people[:, 0] - record.robot[:, :2]).T)
    assert record.verdict is Verdict.SUCCESS
    assert 0.5 < np.nanmin(gaps[100:]) < 1.5


def test_who_comes_from_behind_does_not_stop_it():
    behind = walk(1, (0, 0.5, 5), (6, 7.7, 5))
    alone, watched = (simulate(scenario(*who), TimeGap()) for who in ((), (behind,)))
    np.testing.assert_array_equal(alone.robot[:80], watched.robot[:80])


def test_it_leaves_the_way_of_a_crosser_instead_of_waiting_in_it():
    late = walk(1, (0, 2.2, 6.6), (4.1, 2.2, 2.5))  # one metre a second, across its start
    record = simulate(scenario(late, time_limit=20), TimeGap())
    assert record.verdict is Verdict.SUCCESS
    assert len(record.commands) * 0.05 < 5.7 / 1.2 + 0.5


@pytest.mark.parametrize("dt", [0.01, 0.05, 0.2, 0.5])
def test_it_finds_its_way_around_a_thin_wall_at_any_step(dt):
    assert simulate(scenario(**AROUND, dt=dt), TimeGap()).verdict is Verdict.SUCCESS


@pytest.mark.parametrize("y", [2.0, 5.0, 8.0])
def test_it_fits_through_a_door(y):
    task = scenario(floorplan=DOOR, start=Pose(2, y, 0.5), goal=Pose(8, 3.5), time_limit=20)
    assert simulate(task, TimeGap()).verdict is Verdict.SUCCESS


@pytest.mark.parametrize(
    "robot",
    [
        Robot(max_turn=math.inf),
        Robot(max_acceleration=0.5, max_turn_acceleration=1.0),
        Robot(max_speed=3.0, max_acceleration=1.0),
        Robot(max_speed=0.5),
        Robot(max_turn=0.4),
        Robot(wall_radius=0.0),
        Robot(radius=0.4),
    ],
    ids=lambda robot: str(robot.radius),
)
@pytest.mark.parametrize("control", Control)
def test_it_drives_any_robot(robot, control):
    task = scenario(**{**AROUND, "time_limit": 60.0}, robot=robot)
    assert simulate(task, TimeGap(), control=control).verdict is Verdict.SUCCESS


def test_the_same_again_and_nothing_left_of_the_episode_before():
    task, planner = scenario(crosser(3.0), **AROUND), TimeGap()
    first = record_bytes(simulate(task, planner))
    simulate(scenario(STANDING, robot=Robot(max_speed=0.5), goal=Pose(2, 9)), planner)
    assert record_bytes(simulate(task, planner)) == first


def test_the_maps_origin_does_not_matter():
    here = simulate(scenario(floorplan=DIVIDED, goal=Pose(8, 8), time_limit=5), TimeGap())
    moved = floor_plan("moved", DIVIDED.walls + (31, -17))
    there = scenario(start=Pose(33, -12), goal=Pose(39, -9), time_limit=5, floorplan=moved)
    np.testing.assert_allclose(
        simulate(there, TimeGap()).robot[:, :2] - (31, -17), here.robot[:, :2], atol=1e-6
    )


@given(st.floats(-1, 8), st.floats(-3, 3), st.floats(-2, 2), st.floats(-2, 2))
def test_a_person_is_too_near_a_point_between_two_moments(x, y, vx, vy):
    first, last = times_at(0.0, 0.0, np.array([x, y, vx, vy, 0.44, 0.6]))
    for time in np.linspace(0.0, 6.0, 61):
        distance = math.hypot(x + time * vx, y + time * vy)
        if abs(distance - 0.6) > 1e-3 and math.hypot(vx, vy) > 1e-2:
            assert (first <= time <= last) == (distance < 0.6)


def test_it_is_as_quick_as_a_body_that_speeds_up_evenly():
    assert travel_time(0.06, 0.0, LIMITS) == pytest.approx(0.2)  # 3 m/s2 for 0.2 s
    assert travel_time(0.24, 0.0, LIMITS) == pytest.approx(0.4)  # then it goes 1.2 m/s
    assert travel_time(1.44, 0.0, LIMITS) == pytest.approx(1.4)
    assert travel_time(1.2, 1.2, LIMITS) == pytest.approx(1.0)


@pytest.mark.parametrize("free", [0.0, 0.1, 1.0])
def test_it_can_stop_in_the_way_that_is_free(free):
    speed = stopping_speed(free, LIMITS)
    assert speed * 0.05 + speed**2 / (2 * 3.0) == pytest.approx(free)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [("gap", -1.0, "0 or more"), ("look_ahead", 0.0, "more than 0"), ("room", math.inf, "0 or")],
)
def test_parameters_that_make_no_sense_are_refused(name, value, words):
    with pytest.raises(BadValue, match=f"time-gap: {name} is .*, expected {words}"):
        TimeGap(**{name: value})


@pytest.mark.slow
@pytest.mark.parametrize(
    "suite", [pytest.param("socnavbench-33", marks=pytest.mark.recordings), "paseo-33-v1"]
)
def test_it_meets_no_wall_in_33_tasks_and_moves_into_nobody(suite, data_dir):
    moving = []
    for entry in shipped_suites()[suite].episodes:
        record = simulate(episode_scenario(entry, Choices(), DataFolder(data_dir)), TimeGap())
        assert record.outcome in (Outcome.REACHED_GOAL, Outcome.OUT_OF_TIME), record.reason
        moving += drives_into(record)
    assert len(moving) <= 1  # one turns suddenly, beside the robot
