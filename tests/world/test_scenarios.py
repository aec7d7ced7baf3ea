"""Scenarios: the integer clock, and tasks that cannot be run."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paseo.errors import BadScenario, BadValue
from paseo.world.motion import Pose, Robot
from paseo.world.scenarios import Pause, Sensor, check_task
from worlds import DIVIDED, plan, scenario, walk


@pytest.mark.parametrize(
    ("time_limit", "dt", "steps"),
    [(60, 0.05, 1200), (60, 0.1, 600), (60, 1 / 30, 1800), (0.3, 0.1, 3), (20, 0.05, 400)]
    + [(1.0, 0.6, 1), (1.4, 0.4, 3), (0.05, 0.05, 1), (50_000, 0.05, 1_000_000)],
)
def test_the_clock_counts_whole_steps_that_fit_into_the_time_limit(time_limit, dt, steps):
    assert scenario(time_limit=time_limit, dt=dt).steps == steps


@given(st.integers(1, 100_000), st.sampled_from([0.05, 0.1, 0.04, 1 / 30, 1 / 3, 0.07, 1.1]))
def test_a_limit_of_n_steps_is_n_steps_however_floats_round(count, dt):
    assert scenario(time_limit=count * dt, dt=dt).steps == count


@pytest.mark.parametrize("time_limit", [0.04, 50_001, 1e308])
def test_no_step_and_endless_episodes_are_refused(time_limit):
    with pytest.raises(BadScenario, match="steps, expected between 1 and 1000000"):
        scenario(time_limit=time_limit)


def test_a_step_so_small_that_their_number_overflows_is_refused():
    with pytest.raises(BadScenario, match="is inf steps"):
        scenario(time_limit=1e308, dt=1e-10)


@pytest.mark.parametrize("key", ["time_limit", "dt", "person_radius", "goal_radius"])
@pytest.mark.parametrize("value", [0, -1, math.nan, math.inf])
def test_sizes_and_times_are_positive_numbers(key, value):
    with pytest.raises(BadScenario, match=f"episode 'test': {key} must be a positive number"):
        scenario(**{key: value})


@pytest.mark.parametrize("seed", [-1, 2**63])
def test_seeds_fit_into_a_record(seed):
    with pytest.raises(BadScenario, match="seed must be 0 or more"):
        scenario(seed=seed)


@pytest.mark.parametrize("ids", [(2, 1), (1, 1)])
def test_people_are_in_order_of_id_each_once(ids):
    with pytest.raises(BadScenario, match="tracks must be in order of id"):
        scenario(*(walk(i, (0, 1, 1)) for i in ids))


def test_the_default_sensor_sees_everybody_exactly():
    assert Sensor() == Sensor(range=math.inf, field_of_view=math.tau, occlusion=False)


@pytest.mark.parametrize(
    ("key", "values"),
    [
        ("range", [0, -1, math.nan]),
        ("field_of_view", [0, -1, math.nan]),
        ("position_noise", [-1, math.nan, math.inf]),
        ("velocity_noise", [-1, math.nan, math.inf]),
        ("delay", [-1, math.nan, math.inf]),
        ("miss_rate", [-0.1, 1.1, math.nan]),
        ("swap_rate", [-0.1, 1.1, math.nan]),
    ],
)
def test_sensors_that_cannot_be_are_refused(key, values):
    for value in values:
        with pytest.raises(BadValue, match=f"sensor: {key} must be .*, not {value}"):
            Sensor(**{key: value})


@pytest.mark.parametrize(
    "values",
    [{"duration": 0}, {"duration": math.inf}, {"duration": math.nan}, {"cooldown": -1}]
    + [{"cooldown": math.inf}],
)
def test_pauses_that_cannot_be_are_refused(values):
    with pytest.raises(BadValue, match="pause: duration must be more than 0 and cooldown 0 or"):
        Pause(**values)


def test_a_task_that_can_be_done_passes():
    check_task(scenario())
    check_task(scenario(floorplan=DIVIDED))
    check_task(scenario(goal=Pose(9.9, 5)))  # the robot need not fit where the goal is
    check_task(scenario(start=Pose(0.25, 5), robot=Robot(radius=0.25)))


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"start": Pose(-1, 5)}, r"the start \(-1, 5\) is inside a wall of floor plan 'room'"),
        ({"start": Pose(0.1, 5)}, "start .* is 0.10 m from a wall .* expected at least 0.24 m"),
        ({"goal": Pose(5, 11)}, r"the goal \(5, 11\) is inside a wall"),
        ({"start": Pose(math.nan, 5)}, "the start is not a finite pose"),
        ({"start": Pose(2, 5, math.inf)}, "the start is not a finite pose"),
        ({"goal": Pose(8, -math.inf)}, "the goal is not a finite pose"),
        ({"start": Pose(9e4, 5)}, "the start .* is inside a wall"),
        ({"robot": Robot(radius=2.5)}, "start .* is 2.00 m from a wall .* at least 2.5 m"),
    ],
)
def test_a_start_or_goal_where_nobody_can_stand_is_refused(changes, problem):
    with pytest.raises(BadScenario, match=f"episode 'test': .*{problem}"):
        check_task(scenario(**changes))


def test_a_goal_nobody_can_reach_is_refused():
    two_rooms = plan("flat", (0, 0, 4, 10), (5, 0, 10, 10))
    with pytest.raises(BadScenario, match=r"no way leads from the start to the goal \(8, 5\) on"):
        check_task(scenario(floorplan=two_rooms))


def test_a_passage_is_wide_enough_for_one_robot_and_not_for_another():
    check_task(scenario(floorplan=DIVIDED, robot=Robot(radius=0.49)))
    with pytest.raises(BadScenario, match=r"that needs 0\.6 m of clearance; move the goal"):
        check_task(scenario(floorplan=DIVIDED, robot=Robot(radius=0.6)))


def test_a_goal_in_a_corner_too_tight_for_the_robot_is_refused():
    large = Robot(radius=1.0)  # it gets as near as (1, 1)
    check_task(scenario(robot=large, goal=Pose(0.75, 0.8)))
    with pytest.raises(BadScenario, match="no way leads"):
        check_task(scenario(robot=large, goal=Pose(0.7, 0.7)))


def test_a_goal_behind_a_thin_wall_is_not_reached_through_it():
    closet = plan("closet", (0, 0, 10, 10), (5, 1, 5.02, 9))
    beside = scenario(floorplan=closet, start=Pose(4, 5), goal=Pose(5.1, 5))
    check_task(beside)  # there is a way around
    sealed = plan("sealed", (0, 0, 5, 10), (5.02, 0, 10, 10))
    with pytest.raises(BadScenario, match="no way leads"):
        check_task(scenario(floorplan=sealed, start=Pose(4, 5), goal=Pose(5.1, 5)))


def test_a_robot_whose_centre_alone_meets_walls_may_stand_and_pass_anywhere_in_free_space():
    thin = Robot(radius=2.5, wall_radius=0.0)
    check_task(scenario(start=Pose(0.01, 5), robot=thin))
    check_task(scenario(floorplan=DIVIDED, robot=thin))
    with pytest.raises(BadScenario, match="the start .* is inside a wall .* expected free space"):
        check_task(scenario(start=Pose(-0.01, 5), robot=thin))
    sealed = plan("sealed", (0, 0, 5, 10), (5.02, 0, 10, 10))
    with pytest.raises(BadScenario, match="no way leads .* that needs 0 m of clearance"):
        check_task(scenario(floorplan=sealed, start=Pose(4, 5), goal=Pose(5.1, 5), robot=thin))


def test_a_robot_may_need_more_clearance_than_its_radius():
    shy = Robot(radius=0.2, wall_radius=0.5)
    with pytest.raises(BadScenario, match="start .* is 0.40 m from a wall .* at least 0.5 m"):
        check_task(scenario(start=Pose(0.4, 5), robot=shy))


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"goal_radius": 9.2e18}, "goal_radius is 9.2e\\+18 m, expected at most 1000 m"),
        ({"person_radius": 1e30}, "person_radius is 1e\\+30 m, expected at most 1000 m"),
        ({"goal": Pose(1e9, 5)}, "the start or the goal is more than 100000 m from floor plan"),
    ],
)
def test_what_is_larger_than_the_world_is_refused(changes, problem):
    with pytest.raises(BadScenario, match=problem):
        scenario(**changes)


@pytest.mark.parametrize("metres", [1e6, 1e300])
def test_people_far_from_the_map_are_refused_with_what_to_do(metres):
    with pytest.raises(BadScenario, match="person 7 is more than 100000 m .* transform"):
        scenario(walk(7, (0.0, metres, 1.0), (1.0, metres, 2.0)))


def test_a_map_and_its_people_may_lie_anywhere_on_earth():
    """As in UTM: what counts is how far people are from the map."""
    east, north = 457_000.0, 5_400_000.0
    there = plan("there", (east, north, east + 10, north + 10))
    person = walk(7, (0.0, east + 1, north + 1), (1.0, east + 2, north + 1))
    moved = scenario(
        person, floorplan=there, start=Pose(east + 2, north + 5), goal=Pose(east + 8, north + 5)
    )
    check_task(moved)
    with pytest.raises(BadScenario, match="person 7 is more than 100000 m"):
        scenario(person)


def test_robots_and_noise_stay_within_the_world():
    for changes in ({"radius": 1e30}, {"max_speed": 1e9}, {"wall_radius": 1e9}):
        with pytest.raises(BadValue, match="at most 1000"):
            Robot(**changes)
    with pytest.raises(BadValue, match="position_noise is 1e\\+09, expected at most 1000"):
        Sensor(position_noise=1e9)
