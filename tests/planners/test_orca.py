"""The ORCA robot against RVO2's own answers, and what people and walls may rely on."""

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from originals import misses, steps_taken
from paseo.checks import check_planner
from paseo.data.maps.floorplans import find_floorplan
from paseo.errors import BadValue
from paseo.planners.orca import Orca
from paseo.sim.simulate import simulate
from paseo.world.motion import Control, Pose, Robot, RobotState, Twist
from paseo.world.people import Crowd
from paseo.world.planning import Briefing, Observation
from paseo.world.records import Outcome, Record, Verdict
from worlds import DIVIDED, plan, scenario, walk

DT = 0.05
FIELD = plan("field", (-30, -30, 30, 30))


def briefed(planner: Orca, *, goal: Pose = Pose(20.0, 0.0), dt: float = DT) -> Orca:  # noqa: B008
    planner.begin(
        Briefing(
            start=Pose(0.0, 0.0),
            goal=goal,
            goal_radius=0.3,
            floorplan=FIELD,
            time_limit=60.0,
            dt=dt,
            robot=Robot(),
            control=Control.POSITION,
            seed=0,
        )
    )
    return planner


def velocity(planner: Orca, *people: tuple[float, float, float, float], speed: float = 0.0) -> Any:
    """What a robot of 0.24 m at (0, 0) answers among people of x, y and velocity x, y."""
    table = np.array(people, float).reshape(-1, 4)
    radii = np.full(len(table), 0.2)
    crowd = Crowd(np.arange(len(table)), table[:, :2], table[:, 2:], radii)
    state = RobotState(Pose(0.0, 0.0), Twist(speed, 0.0), 0.24)
    answer = planner.plan(Observation(0.0, state, crowd))
    assert isinstance(answer, Pose)
    return answer.x / DT, answer.y / DT


def nearest(record: Record) -> float:
    """The smallest distance between the robot's centre and anybody's."""
    gaps = record.people - record.robot[:, None, :2]  # (states, people, 2)
    return float(np.nanmin(np.hypot(gaps[..., 0], gaps[..., 1])))


@pytest.mark.recordings
def test_every_step_is_the_one_that_the_original_took(data_dir: Path) -> None:
    off = misses(Orca(preferred_speed=1.0), data_dir, "RVO_t_hotel_against", "HotelSmall")
    assert len(off) == 279 and off.max() < 3e-6  # it answered in whole micrometres


@pytest.mark.recordings
@pytest.mark.parametrize(
    ("name", "steps"),
    [("t_hotel_against", 280), ("t_eth_dense_against", 330), ("t_zara1_dense", 364)],
)
def test_whole_episodes_take_as_long_as_the_originals(
    name: str, steps: int, data_dir: Path
) -> None:
    # Its goal was round a corner of a cell, so it may be reached one step sooner or later.
    assert steps_taken(Orca(preferred_speed=1.0), data_dir, name) == pytest.approx(steps, abs=1)


def test_alone_it_goes_straight_to_the_goal_at_full_speed_and_stops_there() -> None:
    task = scenario(
        floorplan=FIELD, goal_radius=1e-6
    )  # away from walls, before which it slows down
    record = simulate(task, Orca())
    assert record.verdict is Verdict.SUCCESS
    np.testing.assert_allclose(np.diff(record.robot[:-1, 0]), 0.06, atol=1e-12)
    assert record.robot[-1] == pytest.approx((8.0, 5.0, 0.0))
    at_goal = briefed(Orca(), goal=Pose(0.0, 0.0))
    assert velocity(at_goal, speed=1.0) == (0.0, 0.0)


def test_its_preferred_speed_can_be_set_but_not_beyond_what_the_robot_can() -> None:
    assert velocity(briefed(Orca(preferred_speed=1.0))) == pytest.approx((1.0, 0.0))
    assert velocity(briefed(Orca(preferred_speed=3.0))) == pytest.approx((1.2, 0.0))


@pytest.mark.parametrize("responsibility", [0.5, 1.0])
def test_it_does_its_share_of_avoiding_somebody_who_stands_ahead(responsibility: float) -> None:
    """From rest, the free gap ahead may be used up in one horizon (eq. 5 of the paper)."""
    planner = briefed(Orca(responsibility=responsibility))
    gap = 3.0 - 1.05 * (0.24 + 0.2)
    assert velocity(planner, (3, 0, 0, 0)) == pytest.approx((responsibility * gap / 5.0, 0.0))


def test_it_does_not_notice_who_is_too_far_or_one_too_many() -> None:
    people = ((3, 0, 0, 0), (2, 4, 0, -1))
    assert velocity(briefed(Orca(neighbour_distance=2.5)), *people) == pytest.approx((1.2, 0.0))
    assert velocity(briefed(Orca(most_neighbours=1)), *people) == velocity(
        briefed(Orca()), people[0]
    )


@settings(max_examples=40)
@given(
    st.floats(0, math.tau),
    st.floats(0.0, 1.1),
    st.floats(-1.0, 1.0),
    st.floats(3.0, 8.0),
)
def test_it_alone_stays_clear_of_somebody_who_walks_straight_on(
    bearing: float, speed: float, aside: float, when: float
) -> None:
    """Wherever they come from, they would meet the robot, or nearly, if it went straight on."""
    dx, dy = math.cos(bearing), math.sin(bearing)
    x, y = 1.2 * when - aside * dy, aside * dx  # where they are when the robot should be there
    gone = [(t, x + speed * dx * (t - when), y + speed * dy * (t - when)) for t in (0.0, 20.0)]
    if math.hypot(*gone[0][1:]) < 1.0:
        return
    task = scenario(
        walk(1, *gone),
        floorplan=FIELD,
        start=Pose(0.0, 0.0),
        goal=Pose(12.0, 0.0),
        time_limit=20.0,
    )
    record = simulate(task, Orca())
    assert not record.contacts and nearest(record) > 1.05 * 0.44 - 0.02


def test_it_makes_way_even_for_who_walks_into_it_while_it_stands() -> None:
    task = scenario(
        walk(1, (0, 8, 5), (10, 2, 5)), goal=Pose(2.5, 5.0), goal_radius=1e-9, time_limit=8
    )
    assert not simulate(task, Orca()).contacts


@pytest.mark.parametrize("place", ["Zara", "ETH", "Univ", "DoubleHotel"])
def test_it_never_hits_the_walls_of_our_maps(place: str) -> None:
    rng, floor = np.random.default_rng(4), find_floorplan(place, Path())
    x0, y0, x1, y1 = floor.bounds
    free = [p for p in rng.uniform((x0, y0), (x1, y1), (60, 2)).tolist() if floor.clearance(*p) > 1]
    for start, goal in zip(free[0:12:2], free[1:12:2], strict=True):
        task = scenario(floorplan=floor, start=Pose(*start), goal=Pose(*goal), time_limit=20.0)
        assert simulate(task, Orca()).outcome is not Outcome.HIT_WALL


def test_it_stops_for_good_behind_a_wall() -> None:
    record = simulate(scenario(floorplan=DIVIDED, time_limit=20.0), Orca())
    assert record.outcome is Outcome.OUT_OF_TIME
    assert record.robot[-1, 0] == pytest.approx(5.0 - 1.05 * 0.24, abs=0.06)


@pytest.mark.parametrize("dt", [0.01, 0.5])
@pytest.mark.parametrize("control", Control)
def test_it_arrives_past_people_in_steps_of_any_length(dt: float, control: Control) -> None:
    task = scenario(walk(1, (0, 5, 2), (9, 5, 9)), dt=dt, time_limit=30)
    assert simulate(task, Orca(), control=control).outcome is Outcome.REACHED_GOAL


def test_answers_do_not_depend_on_the_map_s_origin() -> None:
    shift = 4096.0
    near = scenario(walk(1, (0, 8, 5.1), (9, 1, 5.1)), walk(2, (0, 5, 8), (9, 5, 1)))
    far = replace(
        near,
        floorplan=plan("room", (shift, shift, 10 + shift, 10 + shift)),
        start=Pose(2.0 + shift, 5.0 + shift),
        goal=Pose(8.0 + shift, 5.0 + shift),
        tracks=tuple(replace(track, positions=track.positions + shift) for track in near.tracks),
    )
    here, there = (simulate(task, Orca()).robot for task in (near, far))
    np.testing.assert_allclose(there - (shift, shift, 0.0), here, atol=1e-6)


def test_it_keeps_the_contract_of_planners() -> None:
    check_planner(Orca)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"preferred_speed": 0.0}, "preferred_speed is 0.0, expected more than 0"),
        ({"margin": math.nan}, "margin is nan, expected more than 0"),
        ({"horizon": 0.0}, "horizon is 0.0, expected more than 0"),
        ({"responsibility": 1.5}, "responsibility is 1.5, expected 0 to 1"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(
    parameters: dict[str, float], sentence: str
) -> None:
    with pytest.raises(BadValue, match=sentence):
        Orca(**parameters)  # type: ignore[arg-type]
