"""MPPI: past people and groups, around walls, within the robot's limits, the same again."""

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
from paseo.planners.mppi.guidance import blended, guide, knot_noise, scatter, shapes
from paseo.planners.mppi.planner import Mppi, eased
from paseo.planners.mppi.rollouts import Limits
from paseo.sim.episode import briefing
from paseo.sim.simulate import simulate
from paseo.world.motion import Control, Pose, Robot
from paseo.world.recordfile import record_bytes
from paseo.world.records import Outcome, Verdict
from paseo.world.space.floorplan import floor_plan
from plan_times import seconds_per_plan
from worlds import DIVIDED, crossing, plan, scenario, walk

DOOR = plan("door", (0, 0, 10, 10), (5, 0.01, 5.2, 4.7), (5, 5.3, 5.2, 9.99))
AROUND = {"floorplan": DIVIDED, "start": Pose(3.5, 3), "goal": Pose(6.5, 3), "time_limit": 40.0}
CROSSER = walk(1, (0, 5, 8), (6, 5, 2))  # is on the robot's line when the robot is
FREE = Limits(0.1, 1, 0.0, 1.2, 1.1, 1e6, 1e6)


def length(record):
    return np.hypot(*np.diff(record.robot[:, :2], axis=0).T).sum()


def from_side(angle, speed):
    """Walks so as to meet, from this side, a robot that drives straight on for 2.5 s."""
    ux, uy = math.cos(angle), math.sin(angle)
    start, end = (5 + 2.5 * speed * ux, 5 + 2.5 * speed * uy), (5 - 4 * ux, 5 - 4 * uy)
    return walk(1, (0, *start), (2.5 + 4 / speed, *end))


@pytest.mark.parametrize("control", Control)
def test_with_nobody_it_drives_straight_at_full_speed(control):
    record = simulate(scenario(), Mppi(), control=control)
    assert record.verdict is Verdict.SUCCESS
    assert length(record) < 5.8
    assert len(record.commands) * 0.05 < 5.7 / 1.2 + 0.3


@pytest.mark.parametrize("goal", [Pose(8, 5), Pose(5, 8)], ids=["ahead", "aside"])
def test_with_nobody_it_drives_smoothly(goal):
    record = simulate(scenario(goal=goal), Mppi())
    jerk = np.hypot(*np.diff(record.robot[2:, :2], n=3, axis=0).T) / 0.05**3
    assert jerk.mean() < 2.0  # m/s^3


def test_a_new_plan_is_taken_up_ever_sooner():
    old, new = np.zeros((2, 20)), np.ones((2, 20))
    ways = eased(old, [new], 0.1 * np.arange(1, 21))  # (2, steps, ways)
    np.testing.assert_array_equal(ways[:, :, 0], old)
    np.testing.assert_array_equal(ways[:, :, -1], new)
    np.testing.assert_allclose(ways[0, :4, 1], [1 / 16, 2 / 16, 3 / 16, 4 / 16])
    assert (np.diff(ways, axis=2) >= 0).all()


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(st.floats(-math.pi, math.pi), st.floats(0.3, 1.3))
def test_it_touches_nobody_who_walks_to_where_it_will_be(angle, speed):
    record = simulate(scenario(from_side(angle, speed), time_limit=20), Mppi())
    assert record.verdict is Verdict.SUCCESS


def test_it_passes_who_comes_at_it_and_who_stands_in_its_way():
    for person in (crossing(), walk(1, (0, 5, 5), (60, 5, 5))):
        record = simulate(scenario(person, time_limit=20), Mppi())
        assert record.verdict is Verdict.SUCCESS
        assert length(record) < 7.0


@pytest.mark.parametrize("pace", [0.0, -0.5], ids=["standing", "coming"])
def test_it_goes_around_companions_rather_than_between_them(pace):
    pair = [walk(k, (0, 5, y), (8, 5 + 8 * pace, y)) for k, y in ((1, 4.3), (2, 5.7))]
    record = simulate(scenario(*pair, time_limit=20), Mppi())
    assert record.verdict is Verdict.SUCCESS
    passing = np.argmax(record.robot[:, 0] > record.people[:, 0, 0])
    assert not 4.3 < record.robot[passing, 1] < 5.7


def test_it_passes_between_people_who_do_not_belong_together():
    strangers = [walk(k, (0, 5, y), (60, 5, y)) for k, y in ((1, 3.8), (2, 6.2))]
    record = simulate(scenario(*strangers, time_limit=20), Mppi())
    assert record.verdict is Verdict.SUCCESS
    assert length(record) < 5.9


def test_it_finds_its_way_around_a_thin_wall_and_through_a_narrow_door():
    around = simulate(scenario(**AROUND), Mppi())
    assert around.verdict is Verdict.SUCCESS
    assert length(around) < 7.5
    door = scenario(floorplan=DOOR, start=Pose(3, 3), goal=Pose(7, 7), time_limit=20)
    assert simulate(door, Mppi()).verdict is Verdict.SUCCESS


@pytest.mark.parametrize("dt", [0.01, 0.2, 0.5])
def test_it_copes_with_any_step(dt):
    record = simulate(scenario(crossing(), dt=dt), Mppi())
    assert record.verdict is Verdict.SUCCESS


@pytest.mark.parametrize(
    "robot",
    [
        Robot(max_turn=math.inf),
        Robot(max_acceleration=0.5, max_turn_acceleration=1.0),
        Robot(max_speed=4.0),
        Robot(max_reverse_speed=0.5),
        Robot(wall_radius=0.0),
    ],
    ids=["turns at once", "heavy", "fast", "reverses", "point"],
)
def test_it_drives_any_robot_around_a_thin_wall(robot):
    record = simulate(scenario(**AROUND, robot=robot), Mppi())
    assert record.verdict is Verdict.SUCCESS
    forward, turn = record.commands[:, 0], record.commands[:, 1]
    assert (-robot.max_reverse_speed <= forward).all()
    assert (forward <= robot.max_speed).all()
    assert (np.abs(turn) <= robot.max_turn).all()
    # Rollouts go in steps of 0.1 s, so it may ask for as much as could be gained in one.
    driven = np.hypot(*np.diff(record.robot[:, :2], axis=0).T) / 0.05
    asked = np.abs(forward - np.concatenate([[0.0], driven[:-1]]))
    assert (asked <= robot.max_acceleration * 0.1 + 1e-3).all()


@pytest.mark.parametrize("x", [2.0, 2.3])
def test_who_stands_on_it_or_beside_it_does_not_keep_it(x):
    record = simulate(scenario(walk(1, (0, x, 5), (60, x, 5)), time_limit=20), Mppi())
    assert record.outcome is Outcome.REACHED_GOAL


def test_it_leaves_a_corner_that_it_faces():
    record = simulate(scenario(start=Pose(0.24, 0.24, -2.3), goal=Pose(3, 3)), Mppi())
    assert record.verdict is Verdict.SUCCESS


def test_the_same_again_and_nothing_left_of_the_episode_before():
    task, planner = scenario(CROSSER), Mppi()
    first = record_bytes(simulate(task, planner))
    simulate(scenario(crossing(), robot=Robot(max_speed=0.5), time_limit=2.0), planner)
    assert record_bytes(simulate(task, planner)) == first
    other = simulate(scenario(CROSSER, seed=1), planner)
    assert not np.array_equal(other.commands[:20], simulate(task, planner).commands[:20])


@pytest.mark.parametrize("angle", [0.0, math.pi / 2], ids=["moved", "moved and turned"])
def test_the_maps_frame_does_not_matter(angle):
    c, s = round(math.cos(angle)), round(math.sin(angle))
    turn, shift = np.array([[c, -s], [s, c]], float), np.array([31.0, -17.0])
    here = scenario(CROSSER, **AROUND)
    x, y = turn @ (here.start.x, here.start.y) + shift
    goal = turn @ (here.goal.x, here.goal.y) + shift
    rows = [(t, *(turn @ p + shift)) for t, p in zip(CROSSER.times, CROSSER.positions, strict=True)]
    there = scenario(
        walk(1, *rows), start=Pose(x, y, angle), goal=Pose(*goal), time_limit=40.0,
        floorplan=floor_plan("moved", DIVIDED.walls @ turn.T + shift),
    )  # fmt: skip
    first, second = simulate(here, Mppi()), simulate(there, Mppi())
    assert first.verdict is second.verdict is Verdict.SUCCESS
    if angle == 0.0:
        path = second.robot[:20, :2] - shift
        np.testing.assert_allclose(path, first.robot[:20, :2], atol=1e-6)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("horizon", 0.0, "more than 0"),
        ("temperature", math.nan, "more than 0"),
        ("contact", -1.0, "0 or more"),
        ("space", math.inf, "0 or more"),
        ("rollouts", 1, "between 2 and"),
        ("guided", 10**9, "between 2 and"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(name, value, words):
    with pytest.raises(BadValue, match=f"mppi: {name} must be {words}"):
        Mppi(**{name: value})


def test_few_rollouts_and_a_short_horizon_still_arrive():
    planner = Mppi(rollouts=8, guided=8, horizon=1.0)
    assert simulate(scenario(time_limit=20), planner).outcome is Outcome.REACHED_GOAL


def test_controls_are_averaged_by_the_exponentials_of_their_costs():
    controls = np.arange(12.0).reshape(2, 2, 3)
    costs = np.array([5.0, 5.0 + 0.1 * math.log(2), 99.0])
    expected = (2 * controls[:, :, 0] + controls[:, :, 1]) / 3
    np.testing.assert_allclose(blended(controls, costs, 0.1), expected)


def test_noise_bends_a_plan_between_knots_and_leaves_other_columns_alone():
    controls, plan_ = np.zeros((2, 5, 4)), np.full((2, 5), 0.5)
    noise = np.array([[[0.0], [4.0]], [[2.0], [2.0]]])  # from 0 to 4, and 2 throughout
    scatter(plan_, noise, controls, 3)
    np.testing.assert_allclose(controls[0, :, 3], [0.5, 1.5, 2.5, 3.5, 4.5])
    np.testing.assert_allclose(controls[1, :, 3], 2.5)
    assert not controls[:, :, :3].any()
    assert knot_noise(50, 7, FREE, np.random.default_rng(0)).shape == (2, 8, 7)


def test_the_first_guided_rollout_drives_straight_to_the_goal():
    planner = Mppi()
    planner.begin(briefing(scenario(), Control.VELOCITY))
    drawn = shapes(64, FREE, np.random.default_rng(0))
    controls = np.zeros((2, 40, 64))
    guide(np.array([2.0, 5.0, 0.0, 0.0, 0.0]), drawn, FREE, planner._ground, controls, 0)
    np.testing.assert_allclose(controls[:, :, 0].T, [(1.2, 0.0)] * 40, atol=1e-9)
    np.testing.assert_allclose(controls[:, :, 1], 0.0, atol=1e-9)
    assert np.abs(controls[1]).max() <= 1.1


def test_a_plan_among_44_people_takes_less_than_ten_milliseconds():
    assert seconds_per_plan(Mppi(), calls=30) < 10e-3


@pytest.mark.slow
@pytest.mark.parametrize(
    "suite", [pytest.param("socnavbench-33", marks=pytest.mark.recordings), "paseo-33-v1"]
)
def test_it_reaches_33_goals_meets_no_wall_and_touches_hardly_anybody(suite, data_dir):
    entries = shipped_suites()[suite].episodes
    records = [
        simulate(episode_scenario(e, Choices(), DataFolder(data_dir)), Mppi()) for e in entries
    ]
    assert not [r.reason for r in records if r.outcome is not Outcome.REACHED_GOAL]
    assert sum(r.verdict is Verdict.SUCCESS for r in records) >= 31
