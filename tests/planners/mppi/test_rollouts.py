"""Rollouts: they drive as the simulator does, and cost what was promised."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paseo.compiled import compiled
from paseo.planners.mppi.rollouts import (
    ALIVE,
    LOST,
    Company,
    Ground,
    Limits,
    Prices,
    X,
    Y,
    drive,
    looked_up,
    weigh,
)
from paseo.sim.driving import driven
from paseo.world.motion import Control, Pose, Robot, RobotState, Twist
from paseo.world.space.geometry import field_at
from paseo.world.space.ways import ways_to
from worlds import DIVIDED, ROOM

FREE = Limits(0.1, 1, 0.0, 1.2, 1.1, 1e6, 1e6)
NOTHING = Prices(0.0, 0.0, 0.3, 0.3, 0.0, 0.0, 0.0, 0.0)
STEPS = 20


def ground(plan=ROOM, goal=(8.0, 5.0)):
    ways = ways_to(plan, Pose(*goal), room=0.24)
    return Ground(
        plan.distance, np.zeros(plan.distance.shape), *plan.origin, plan.cell_size,
        ways.metres, ways.cell_size, 0.245, 1, *goal, 0.27,
    )  # fmt: skip


def company(*people, pairs=(), spots=(), rates=()):
    """People who stand at (x, y), each the same in all steps."""
    table = np.array(people, float).reshape(-1, 2)
    return Company(
        np.repeat(table[:, None], STEPS, axis=1),
        np.full((len(table), STEPS), 1.0 / 0.1),
        np.tile([0.44, 1.0, 0.0, 0.0], (len(table), 1)),
        np.array(pairs, np.int64).reshape(-1, 2),
        np.array(spots, float).reshape(-1, 4),
        np.repeat(np.array(rates, float)[:, None], STEPS, axis=1).reshape(-1, STEPS),
        0.8,
    )


def weighed(twists, *, start=(2.0, 5.0, 0.0, 0.0, 0.0), prices=NOTHING, people=None, on=None):
    """Costs and states of rollouts that keep one twist each."""
    controls = np.repeat(np.array(twists, float).T[:, None], STEPS, axis=1)
    states, costs = np.empty((5, STEPS, len(twists))), np.empty(len(twists))
    people = company() if people is None else people
    weigh(np.array(start), controls, FREE, on or ground(), prices, people, states, costs)
    return costs, states


@compiled
def bilinear(x, y, field, x0, y0, cell):
    return looked_up(x, y, field, x0, y0, cell)


@settings(max_examples=40)
@given(st.floats(-0.5, 1.2), st.floats(-3, 3), st.sampled_from([math.inf, 0.8]), st.integers(1, 4))
def test_a_rollout_goes_where_the_simulator_goes(forward, turn, acceleration, held):
    robot = Robot(max_reverse_speed=0.5, max_turn=2.5, max_acceleration=acceleration)
    gain = min(acceleration * 0.1, 1e6)
    limits = Limits(0.1, held, -0.5, 1.2, 2.5, gain, 1e6)
    rng = np.random.default_rng(held)
    controls = np.array([forward, turn])[:, None, None] + rng.normal(0, 0.5, (2, 12, 3))
    states = np.empty((5, 12, 3))
    drive(np.array([1.0, 2.0, 0.5, 0.2, 0.1]), controls, limits, states)
    state = RobotState(Pose(1.0, 2.0, 0.5), Twist(0.2, 0.1), 0.24)
    for h in range(12):
        wanted = Twist(*controls[:, h, 1].tolist())
        state = driven(state, wanted, robot=robot, control=Control.VELOCITY, dt=0.1)
        assert states[:2, h, 1] == pytest.approx((state.pose.x, state.pose.y), abs=1e-8)
        assert state.twist.forward == pytest.approx(wanted.forward)
    assert (controls[:, :held] == controls[:, :1]).all()


@settings(max_examples=60)
@given(st.floats(0.0, 10.0), st.floats(0.0, 10.0))
def test_fields_are_looked_up_as_everywhere(x, y):
    args = (ROOM.distance, *ROOM.origin, ROOM.cell_size)
    assert bilinear(x, y, *args) == pytest.approx(field_at(x, y, *args), abs=1e-12)


def test_beyond_the_map_a_field_goes_on_as_at_its_edge():
    args = (ROOM.distance, *ROOM.origin, ROOM.cell_size)
    assert bilinear(-3.0, 5.0, *args) == ROOM.distance[100, 0]


def test_time_is_what_a_rollout_takes_and_has_left():
    goal = ground()
    (straight, stands), states = weighed([(1.2, 0.0), (0.0, 0.0)], on=goal)
    assert straight == pytest.approx(6.0 / 1.2, abs=0.1)
    assert stands == pytest.approx(2.0 + 6.0 / 1.2, abs=0.1)
    assert states[X, -1, 0] == pytest.approx(4.4)
    assert (states[ALIVE] == 1.0).all()


def test_a_rollout_is_over_at_the_goal():
    costs, states = weighed([(1.2, 0.0)], start=(7.0, 5.0, 0.0, 1.2, 0.0))
    assert costs[0] == pytest.approx(0.7)  # 0.84 m on it is within 0.27 m
    assert states[ALIVE, :, 0].sum() == 7


def test_walls_are_never_crossed_not_even_thin_ones_on_which_the_goal_lies_behind():
    divided = ground(DIVIDED, (5.3, 5.0))
    costs, _ = weighed([(1.2, 0.0), (0.0, 0.0)], start=(4.0, 5.0, 0.0, 0.0, 0.0), on=divided)
    assert costs[0] > LOST > costs[1]


def test_who_stands_at_a_wall_may_leave_it_but_come_no_nearer():
    costs, _ = weighed([(0.3, 0.0), (-0.0, 0.0)], start=(0.2, 5.0, 0.0, 0.0, 0.0))
    assert (costs < LOST).all()
    costs, _ = weighed([(0.3, 0.0)], start=(0.2, 5.0, math.pi, 0.0, 0.0))
    assert costs[0] > LOST


def test_contact_is_paid_once_however_long_it_lasts_and_fades_with_the_gap():
    prices = NOTHING._replace(contact=10.0)
    free, _ = weighed([(0.0, 0.0)])
    touching, _ = weighed([(0.0, 0.0)], prices=prices, people=company((2.44, 5.0)))
    assert touching[0] - free[0] == pytest.approx(10.0, rel=1e-6)
    beside, _ = weighed([(0.0, 0.0)], prices=prices, people=company((2.54, 5.0)))
    assert beside[0] - free[0] == pytest.approx(10.0 / 4)  # one deviation away: 1 / (1 + 1)^2
    far, _ = weighed([(0.0, 0.0)], prices=prices, people=company((7.5, 5.0)))
    assert far[0] == free[0]


def test_people_have_more_space_before_them_than_behind():
    prices = NOTHING._replace(space=1.0)
    walking = company((3.0, 5.0))
    for facing, expected in ((-1.0, "before"), (1.0, "behind")):
        walking.bodies[0] = 0.44, facing, 0.0, 1.0
        costs, _ = weighed([(0.0, 0.0)], prices=prices, people=walking)
        gap, room = 1.0 - 0.44, 0.6 if expected == "before" else 0.3
        share = 1.0 / (1.0 + (gap / room) ** 2) ** 2
        assert costs[0] - weighed([(0.0, 0.0)])[0][0] == pytest.approx(2.0 * share)


def test_only_between_companions_one_pays_for_their_group():
    prices = NOTHING._replace(group=3.0)
    two = company((3.0, 4.4), (3.0, 5.6), pairs=[(0, 1)])
    through, _ = weighed([(1.2, 0.0)], prices=prices, people=two)
    around, _ = weighed([(1.2, 0.0)], prices=prices, people=two, start=(2.0, 6.5, 0.0, 0.0, 0.0))
    nobody, _ = weighed([(1.2, 0.0)], start=(2.0, 6.5, 0.0, 0.0, 0.0))
    assert through[0] - weighed([(1.2, 0.0)])[0][0] == pytest.approx(3.0, rel=0.15)
    assert around[0] == nobody[0]


def test_of_several_entrances_the_worst_counts_along_the_newcomers_first_steps():
    spots = [(2.0, 5.0, 0.0, 0.0), (2.0, 5.5, 0.0, -1.0)]
    people = company(spots=spots, rates=[0.5, 0.7])
    costs, _ = weighed([(0.0, 0.0)], people=people)
    assert costs[0] - weighed([(0.0, 0.0)])[0][0] == pytest.approx(2.0 * 0.7)


def test_states_are_where_the_rollouts_are():
    _, states = weighed([(1.0, 0.0)], start=(2.0, 5.0, math.pi / 2, 1.0, 0.0))
    np.testing.assert_allclose(states[X, :, 0], 2.0)
    np.testing.assert_allclose(states[Y, :, 0], 5.0 + 0.1 * np.arange(1, STEPS + 1))
