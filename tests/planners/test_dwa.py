"""Dynamic window: past people, around walls, and never faster than it can stop."""

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
from paseo.planners.dwa import Dwa
from paseo.sim.simulate import simulate
from paseo.world.motion import Control, Pose, Robot
from paseo.world.recordfile import record_bytes
from paseo.world.records import Outcome, Verdict
from paseo.world.space.floorplan import floor_plan
from plan_times import seconds_per_plan
from worlds import DIVIDED, ROOM, crossing, plan, scenario, walk

DOOR = plan("door", (0, 0, 10, 10), (5, 0.01, 5.2, 4.65), (5, 5.35, 5.2, 9.99))
AROUND = {"floorplan": DIVIDED, "start": Pose(2, 8), "goal": Pose(8, 8), "time_limit": 40.0}
STANDING = walk(1, (0, 5, 5), (60, 5, 5))
CROSSER = walk(1, (0, 5, 8), (6, 5, 2))  # is on the robot's line when the robot is
LEADER = walk(1, (0, 3, 5), (60, 9, 5))


def length(record):
    return np.hypot(*np.diff(record.robot[:, :2], axis=0).T).sum()


@pytest.mark.parametrize("control", Control)
def test_with_nobody_it_drives_straight_and_soon_at_full_speed(control):
    record = simulate(scenario(), Dwa(), control=control)
    assert record.verdict is Verdict.SUCCESS
    assert length(record) < 5.8
    assert len(record.commands) * 0.05 < 5.7 / 1.2 + 0.5


@settings(max_examples=30)
@given(st.floats(0.5, 9.5), st.floats(0.5, 9.5), st.floats(-math.pi, math.pi))
def test_it_arrives_from_everywhere_however_it_faces(x, y, heading):
    record = simulate(scenario(start=Pose(x, y, heading), time_limit=30), Dwa())
    assert record.outcome is Outcome.REACHED_GOAL


@pytest.mark.parametrize("control", Control)
@pytest.mark.parametrize(
    "person",
    [STANDING, CROSSER, crossing(), LEADER],
    ids=["standing", "crosser", "head-on", "slow"],
)
def test_it_passes_one_person_without_touching(person, control):
    record = simulate(scenario(person, time_limit=20), Dwa(), control=control)
    assert record.verdict is Verdict.SUCCESS
    assert length(record) < 8.0


def test_it_passes_several_who_come_at_it():
    people = (walk(k, (0, 9, 3.5 + k), (9, 0.5, 3.5 + k)) for k in range(4))
    record = simulate(scenario(*people, time_limit=20), Dwa())
    assert record.verdict is Verdict.SUCCESS


@pytest.mark.parametrize("speed", [1.0, 1.5, 2.0])
def test_it_keeps_its_room_of_a_crosser_unless_people_stand_as_in_1997(speed):
    task = scenario(walk(1, (0, 5, 5 + 3 * speed), (3 + 4 / speed, 5, 1)), time_limit=15)
    record, old = simulate(task, Dwa()), simulate(task, Dwa(people_walk=False))
    gaps = np.hypot(*(record.people[:, 0] - record.robot[:, :2]).T)
    assert np.nanmin(gaps) == pytest.approx(0.24 + 0.2 + 0.25, abs=0.02)
    assert (record.touches, old.touches) == (0, 1)


def test_who_stands_on_it_keeps_it_no_longer_than_its_patience():
    for x in (2.0, 2.1, 2.3):
        record = simulate(scenario(walk(1, (0, x, 5), (60, x, 5)), time_limit=30), Dwa())
        assert record.verdict is Verdict.SUCCESS


@pytest.mark.parametrize("dt", [0.01, 0.05, 0.2, 0.5])
def test_it_finds_its_way_around_a_thin_wall_at_any_step(dt):
    record = simulate(scenario(**AROUND, dt=dt), Dwa())
    assert record.verdict is Verdict.SUCCESS
    assert length(record) < 18.0


@pytest.mark.parametrize("y", [2.0, 5.0, 8.0])
def test_it_fits_through_a_door(y):
    task = scenario(floorplan=DOOR, start=Pose(2, y, 0.5), goal=Pose(8, 3.5), time_limit=20)
    assert simulate(task, Dwa()).verdict is Verdict.SUCCESS


@pytest.mark.parametrize(
    "robot",
    [
        Robot(max_turn=math.inf),
        Robot(max_acceleration=0.5, max_turn_acceleration=1.0),
        Robot(max_speed=3.0, max_acceleration=1.0),
        Robot(max_speed=0.5),
        Robot(max_reverse_speed=0.5),
        Robot(max_turn=0.4),
        Robot(wall_radius=0.0),
        Robot(radius=0.4),
    ],
    ids=lambda robot: str(robot.radius),
)
@pytest.mark.parametrize("control", Control)
def test_it_drives_any_robot(robot, control):
    task = scenario(CROSSER, **{**AROUND, "time_limit": 60.0}, robot=robot)
    assert simulate(task, Dwa(), control=control).verdict is Verdict.SUCCESS


def test_it_keeps_to_the_lower_of_two_accelerations():
    for limit, expected in ((math.inf, 3.0), (0.5, 0.5)):
        record = simulate(scenario(STANDING, robot=Robot(max_acceleration=limit)), Dwa())
        speeds = record.commands[:, 0]
        changes = np.abs(np.diff(np.concatenate([[0.0], speeds])))
        assert changes.max() == pytest.approx(expected * 0.05)


def test_boxed_in_it_stands_and_touches_nobody():
    spots = [(2 + 0.5 * math.cos(k), 5 + 0.5 * math.sin(k)) for k in range(6)]
    ring = [walk(k, (0, x, y), (60, x, y)) for k, (x, y) in enumerate(spots)]
    record = simulate(scenario(*ring), Dwa())
    assert (record.verdict, record.touches) == (Verdict.TIMEOUT, 0)
    np.testing.assert_allclose(record.robot[:, :2], [[2, 5]] * len(record.robot), atol=0.07)


def test_the_same_again_and_nothing_left_of_the_episode_before():
    task, planner = scenario(CROSSER, **AROUND), Dwa()
    first = record_bytes(simulate(task, planner))
    simulate(scenario(STANDING, robot=Robot(max_speed=0.5), goal=Pose(2, 9)), planner)
    assert record_bytes(simulate(task, planner)) == first


def test_the_maps_origin_does_not_matter():
    here = simulate(scenario(CROSSER, floorplan=DIVIDED, goal=Pose(8, 8), time_limit=5), Dwa())
    moved = scenario(
        walk(1, (0, 36, -9), (6, 36, -15)), start=Pose(33, -12), goal=Pose(39, -9), time_limit=5,
        floorplan=floor_plan("moved", DIVIDED.walls + (31, -17)),
    )  # fmt: skip
    there = simulate(moved, Dwa())
    np.testing.assert_allclose(there.robot[:20, :2] - (31, -17), here.robot[:20, :2], atol=1e-6)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("look_ahead", 0.0, "more than 0"),
        ("acceleration", math.inf, "more than 0"),
        ("velocity", -1.0, "0 or more"),
        ("room", math.nan, "0 or more"),
        ("turns", 1, "2 or more"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(name, value, words):
    with pytest.raises(BadValue, match=f"dwa: {name} is .*, expected {words}"):
        Dwa(**{name: value})


def test_a_plan_among_44_people_takes_well_under_two_milliseconds():
    assert seconds_per_plan(Dwa(), calls=50) < 2e-3


@pytest.mark.slow
@pytest.mark.parametrize(
    "suite", [pytest.param("socnavbench-33", marks=pytest.mark.recordings), "paseo-33-v1"]
)
def test_it_meets_no_wall_in_33_tasks_and_ends_most_without_touching(suite, data_dir):
    entries = shipped_suites()[suite].episodes
    records = [
        simulate(episode_scenario(e, Choices(), DataFolder(data_dir)), Dwa()) for e in entries
    ]
    assert not [r.reason for r in records if r.outcome is not Outcome.REACHED_GOAL]
    assert sum(r.verdict is Verdict.SUCCESS for r in records) >= 25


def test_it_starts_at_a_wall_and_faces_it():
    task = scenario(start=Pose(0.24, 0.24, -2.5), goal=Pose(9.7, 9.7), time_limit=30)
    assert simulate(task, Dwa()).verdict is Verdict.SUCCESS
    assert ROOM.clearance(0.24, 0.24) == pytest.approx(0.24)
