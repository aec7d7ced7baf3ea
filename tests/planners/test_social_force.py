"""Social Forces against PEDSIM's formulas written out, and against what the original did."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from originals import misses, steps_taken
from paseo.checks import check_planner
from paseo.errors import BadValue
from paseo.planners.social_force import SocialForce, near_walls, nearest_wall
from paseo.sim.simulate import simulate
from paseo.world.arrays import FloatArray
from paseo.world.motion import Control, Pose, Robot, RobotState, Twist
from paseo.world.people import Crowd
from paseo.world.planning import Briefing, Observation
from paseo.world.records import Verdict
from paseo.world.space.floorplan import FloorPlan, floor_plan
from worlds import DIVIDED, ROOM, box, plan, scenario, walk

DT, TOP_SPEED = 0.05, 1.2
FIELD = plan("field", (-40, -40, 40, 40))
NOBODY = np.empty((0, 4))


def asked(
    robot: Any,
    people: Any = NOBODY,
    *,
    goal: Any = (30.0, 0.0),
    floor: FloorPlan = FIELD,
    dt: float = DT,
    planner: SocialForce | None = None,
) -> FloatArray:
    """Where a robot at x, y with velocity x, y goes among people of the same four numbers."""
    planner = planner or SocialForce()
    x, y, vx, vy = map(float, robot)
    others = np.array(people, float).reshape(-1, 4)
    state = RobotState(Pose(x, y, math.atan2(vy, vx)), Twist(math.hypot(vx, vy), 0.0), 0.2)
    planner.begin(
        Briefing(
            start=state.pose,
            goal=Pose(*map(float, goal)),
            goal_radius=0.3,
            floorplan=floor,
            time_limit=60.0,
            dt=dt,
            robot=Robot(),
            control=Control.POSITION,
            seed=0,
        )
    )
    ids = np.arange(len(others))
    crowd = Crowd(ids, others[:, :2], others[:, 2:], np.full(len(others), 0.2))
    answer = planner.plan(Observation(0.0, state, crowd))
    assert isinstance(answer, Pose)
    return np.array([answer.x, answer.y])


def by_the_book(robot: Any, people: Any, goal: Any, walls: FloatArray) -> FloatArray:
    """One step of PEDSIM's agent as SocNavBench ran it, slowly."""
    p, v = np.array(robot[:2], float), np.array(robot[2:], float)
    ahead = np.array(goal, float) - p
    near = np.linalg.norm(ahead) <= 4 * 0.201
    e = ahead / np.linalg.norm(ahead)
    force = (1000.0 if near else 1.0) * TOP_SPEED * e
    more_right = 0
    for other in np.array(people, float).reshape(-1, 4):
        q, u = other[:2], other[2:]
        distance = np.linalg.norm(q - p)
        if distance <= 8.0:
            d = (q - p) / distance
            interaction = 2.0 * (v - u) + d
            length = float(np.linalg.norm(interaction))
            t = interaction / length
            theta = math.remainder(math.atan2(d[1], d[0]) - math.atan2(t[1], t[0]), math.tau)
            b = 0.35 * length
            force -= 10.0 * math.exp(-distance / b - (3.0 * b * theta) ** 2) * t
            left = np.array([-t[1], t[0]])
            turn = math.exp(-distance / b - (2.0 * b * theta) ** 2)
            force -= 10.0 * math.copysign(turn, theta) * left
        if distance < 20.0:
            angle = [math.atan2(w[1], w[0]) for w in (e, q - p, u)]
            if abs(math.remainder(angle[2] - angle[0], math.tau)) > 2.5:
                bearing = math.remainder(angle[1] - angle[0], math.tau)
                more_right += (-0.3 < bearing < 0.0) - (0.0 < bearing < 0.3)
    force += 0.5 * np.sign(more_right) * np.array([-e[1], e[0]])
    a, b = walls[:, 0], walls[:, 1]
    share = np.clip(((p - a) * (b - a)).sum(1) / ((b - a) ** 2).sum(1), 0, 1)[:, None]
    away = p - (a + share * (b - a))
    gaps = np.linalg.norm(away, axis=1)
    k = gaps.argmin()
    force += 3.0 * math.exp((0.2 - gaps[k]) / 0.8) * away[k] / gaps[k]
    new = v + force * DT
    new *= min(1.0, TOP_SPEED / np.linalg.norm(new))
    return p + 0.5 * (v + new) * DT


def scene(rng: np.random.Generator, people: int) -> tuple[FloatArray, FloatArray]:
    """A robot away from the walls of the room, and people anywhere in it."""
    robot = np.concatenate([rng.uniform(1, 4, 2), rng.uniform(-0.8, 0.8, 2)])
    places, velocities = rng.uniform(0.3, 9.7, (people, 2)), rng.uniform(-1.5, 1.5, (people, 2))
    return robot, np.concatenate([places, velocities], axis=1)


@settings(max_examples=60)
@given(st.integers(0, 2**32), st.integers(0, 44))
def test_one_step_is_the_one_by_the_book(seed: int, people: int) -> None:
    rng = np.random.default_rng(seed)
    robot, others = scene(rng, people)
    goal = rng.uniform(0.3, 9.7, 2)
    expected = by_the_book(robot, others, goal, DIVIDED.walls)
    assert asked(robot, others, goal=goal, floor=DIVIDED) == pytest.approx(expected, abs=1e-7)


@pytest.mark.recordings
def test_every_step_is_the_one_that_the_original_took(data_dir: Path) -> None:
    off = misses(SocialForce(), data_dir, "social_force_t_zara1_dense", "Zara")
    assert len(off) == 371 and off.max() < 3e-6  # it answered in whole micrometres


@pytest.mark.recordings
@pytest.mark.parametrize(
    ("name", "steps"),
    [("t_hotel_against", 531), ("t_eth_dense_against", 289), ("t_zara1_dense", 372)],
)
def test_whole_episodes_take_as_long_as_the_originals(
    name: str, steps: int, data_dir: Path
) -> None:
    assert steps_taken(SocialForce(), data_dir, name) == steps


def test_alone_it_speeds_up_by_half_the_pull_until_it_is_at_full_speed() -> None:
    record = simulate(
        scenario(floorplan=FIELD, start=Pose(0.0, 0.0), goal=Pose(30.0, 0.0)), SocialForce()
    )
    speeds = np.diff(record.robot[:, 0]) / DT
    np.testing.assert_allclose(speeds[:39], 0.5 * TOP_SPEED * DT * np.arange(1, 40), atol=1e-9)
    assert speeds[-1] == pytest.approx(TOP_SPEED) and speeds.max() <= TOP_SPEED + 1e-9
    assert np.abs(record.robot[:, 1]).max() < 1e-12


def test_near_the_goal_it_turns_straight_to_it_whatever_its_speed() -> None:
    to_the_goal = asked((0, 0, 0, 1.2), goal=(0.8, 0.0)) / (0.5 * DT * TOP_SPEED)
    assert to_the_goal == pytest.approx((1.0, 1.0), abs=0.03)  # half the step at its old speed
    assert asked((0, 0, 0, 1.2), goal=(0.81, 0.0))[0] < 0.1 * to_the_goal[0]


def test_the_nearest_wall_pushes_and_no_other() -> None:
    corridor = plan("corridor", (-20, -1.0, 40, 3.0))
    push = 3.0 * math.exp(-(1.0 - 0.2) / 0.8)
    place = asked((0, 0, 0, 0), floor=corridor)
    assert place == pytest.approx((0.5 * 1.2 * DT**2, 0.5 * push * DT**2), abs=1e-12)


def test_somebody_exactly_in_its_way_turns_it_back_but_never_aside() -> None:
    task = scenario(
        walk(1, (0, 5, 0), (30, 5, 0)),
        floorplan=plan("a wall behind", (-10, -30, 20, 30)),
        start=Pose(0.0, 0.0),
        goal=Pose(9.0, 0.0),
    )
    places = simulate(task, SocialForce()).robot
    back = int(np.flatnonzero(places[:, 2])[0])
    assert abs(places[back, 2]) == pytest.approx(math.pi)
    assert 2.0 < places[back, 0] < 4.6 and not places[:back, 1].any()


@pytest.mark.parametrize("side", [1, -1])
def test_who_stands_a_little_aside_is_passed_on_the_other(side: int) -> None:
    assert side * asked((0, 0, 1.0, 0), [(2.0, -0.2 * side, 0, 0)])[1] > 0


@pytest.mark.parametrize(
    ("people", "side"),
    [
        ([(15, -2, -1, 0)], 1),
        ([(15, 2, -1, 0)], -1),
        ([(15, 2, -1, 0), (15, -2, -1, 0)], 0),
        ([(15, 2, -1, 0), (15, -2, -1, 0), (12, -1, -1, 0.5)], 1),
        ([(15, -6, -1, 0)], 0),  # not ahead
        ([(-15, -2, -1, 0)], 0),  # behind
        ([(15, -2, 1, 0)], 0),  # walks away
        ([(15, -2, 0, 0)], 0),  # stands
        ([(25, -2, -1, 0)], 0),  # too far
    ],
)
@pytest.mark.parametrize("turn", [0.0, 1.0, 2.0, 3.1, -1.6])
def test_it_looks_ahead_for_the_side_where_fewer_come(people: Any, side: int, turn: float) -> None:
    c, s = math.cos(turn), math.sin(turn)
    rotate = np.array([[c, s], [-s, c]])
    others = np.array(people, float).reshape(-1, 2) @ rotate
    place = asked((0, 0, 0, 0), others, goal=(30 * c, 30 * s)) @ rotate.T
    assert place[1] == pytest.approx(0.5 * 0.5 * side * DT**2, abs=1e-9)


@pytest.mark.parametrize("angle", [0.0, 0.5, math.pi])
@pytest.mark.parametrize("mirrored", [False, True])
def test_a_step_does_not_depend_on_the_map_s_frame(angle: float, mirrored: bool) -> None:
    rng = np.random.default_rng(3)
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    turn = turn @ np.diag([1.0, -1.0 if mirrored else 1.0])
    shift = np.array([300.0, -200.0])
    there = floor_plan("there", DIVIDED.walls @ turn.T + shift)
    for _ in range(20):
        robot, people = scene(rng, 20)
        here = asked(robot, people, goal=(8.0, 5.0), floor=DIVIDED)
        moved_robot = [*(turn @ robot[:2] + shift), *(turn @ robot[2:])]
        moved = np.concatenate([people[:, :2] @ turn.T + shift, people[:, 2:] @ turn.T], axis=1)
        goal = turn @ (8.0, 5.0) + shift
        answer = asked(moved_robot, moved, goal=goal, floor=there)
        assert answer == pytest.approx(turn @ here + shift, abs=1e-9)


def test_a_step_that_would_cross_a_wall_ends_before_it() -> None:
    quick = (4.99, 5.0, 1.2, 0.0)
    assert asked(quick, goal=(9, 5), floor=DIVIDED) == pytest.approx((4.9, 5.0), abs=1e-3)
    fearless = SocialForce(wall_force=0.0, pull_back=0.0)
    place = asked(quick, goal=(9, 5), floor=DIVIDED, planner=fearless)
    assert place == pytest.approx((5.0, 5.0), abs=1e-9)


@settings(max_examples=40)
@given(st.floats(-3, 13), st.floats(-3, 13), st.sampled_from([0.01, 0.6, 5.0]))
def test_walls_are_looked_up_without_missing_the_nearest(x: float, y: float, reach: float) -> None:
    for floor in (ROOM, DIVIDED):
        distance, away_x, away_y = nearest_wall(x, y, near_walls(floor.walls, reach))
        assert distance == pytest.approx(abs(floor.clearance(x, y)), abs=1e-12)
        if distance > 1e-6:
            foot = (x - distance * away_x, y - distance * away_y)
            assert abs(floor.clearance(*foot)) < 1e-9


def test_walls_of_large_maps_are_listed_in_larger_cells() -> None:
    pillars = [box(x, y, x + 1, y + 1) for x in range(-900, 900, 60) for y in range(-900, 900, 60)]
    walls = np.concatenate([box(-1000, -1000, 1000, 1000), *pillars])
    near = near_walls(walls, 0.06)
    assert near.columns * near.rows < 5000
    rng = np.random.default_rng(0)
    a, b = walls[:, 0], walls[:, 1]
    for place in rng.uniform(-999, 999, (50, 2)):
        share = np.clip(((place - a) * (b - a)).sum(1) / ((b - a) ** 2).sum(1), 0, 1)[:, None]
        expected = np.hypot(*(a + share * (b - a) - place).T).min()
        assert nearest_wall(*place, near)[0] == pytest.approx(expected)


def test_without_walls_nothing_holds_it_back() -> None:
    distance, *away = nearest_wall(1.0, 2.0, near_walls(np.empty((0, 2, 2)), 0.06))
    assert distance == math.inf and away == [0.0, 0.0]


@pytest.mark.parametrize("velocity", [(0, 0), (0.9, 0), (-0.5, 0)])
def test_somebody_on_top_of_it_pushes_it_back(velocity: tuple[float, float]) -> None:
    for gap in (0.0, 1e-9, 1e-5):
        place = asked((0, 0, 0.5, 0), [(gap, 0.0, *velocity)])
        assert np.isfinite(place).all() and place[0] < 0.5 * DT


@pytest.mark.parametrize("dt", [0.01, 0.5])
@pytest.mark.parametrize("control", Control)
def test_it_arrives_in_an_open_room_in_steps_of_any_length(dt: float, control: Control) -> None:
    task = scenario(walk(1, (0, 5, 2), (30, 5, 2)), dt=dt, time_limit=30)
    assert simulate(task, SocialForce(), control=control).verdict is Verdict.SUCCESS


def test_it_keeps_the_contract_of_planners() -> None:
    check_planner(SocialForce)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"sight": 0}, "sight is 0, expected more than 0"),
        ({"wall_range": math.nan}, "wall_range is nan, expected more than 0"),
        ({"social_force": -1.0}, "social_force is -1.0, expected 0 or more"),
        ({"near_goal": math.inf}, "near_goal is inf"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(
    parameters: dict[str, float], sentence: str
) -> None:
    with pytest.raises(BadValue, match=sentence):
        SocialForce(**parameters)
