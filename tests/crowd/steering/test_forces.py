"""The kernels under the social force: exponential, angle, walls, reach, and who is paired."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paseo.crowd.steering.forces import (
    BATCH,
    Ground,
    kept_off_walls,
    reach_of,
    room_wanted,
    steered,
    wall_at,
)
from paseo.crowd.steering.quick_exp import quick_angle, quick_exp
from paseo.crowd.steering.social_force import Form, SocialForce
from paseo.errors import BadValue
from worlds import DIVIDED, ROOM, plan

PILLAR = plan("pillar", (0, 0, 10, 10), (4, 4, 6, 6))
POST = plan("post", (0, 0, 4, 4), (2, 2, 2.1, 2.1))


def ground(floorplan):
    return Ground(floorplan.distance, *floorplan.origin, floorplan.cell_size)


def law(form, **numbers):
    model = SocialForce(form=form, **numbers)
    model.begin(ROOM)
    return model.law


def crowd(*rows):
    """Walkers from rows of x, y, vx, vy; they want to go on, and are 0.2 m wide either way."""
    table = np.array(rows, float).reshape(-1, 4)
    widths = np.tile([0.2, 5.0], (len(table), 1))
    return np.concatenate([table, table[:, 2:], widths], axis=1)


def test_the_exponential_is_within_1e_4_everywhere_and_1e_8_where_forces_use_it():
    for x in np.linspace(-32, 32, 2001):
        assert quick_exp(x) == pytest.approx(math.exp(x), rel=1e-4)
    for x in np.linspace(-10, 10, 2001):
        assert quick_exp(x) == pytest.approx(math.exp(x), rel=1e-8)
    assert quick_exp(-1e9) == quick_exp(-32.0) < 1.3e-14
    assert quick_exp(1e9) == quick_exp(32.0) < math.inf


@given(st.floats(-math.pi, math.pi), st.floats(1e-6, 1e6))
def test_the_angle_is_that_of_the_library_whatever_the_length(angle, length):
    found = quick_angle(length * math.sin(angle), length * math.cos(angle))
    assert found == pytest.approx(abs(angle), abs=1e-6)


def test_the_angle_of_nothing_is_nothing():
    assert quick_angle(0.0, 0.0) == 0.0


@given(st.floats(0.0, 10.0), st.floats(0.0, 10.0))
def test_the_nearest_wall_is_as_far_as_the_walls_say_within_a_cell(x, y):
    assert wall_at(x, y, ground(PILLAR))[0] == pytest.approx(PILLAR.clearance(x, y), abs=0.04)


@given(st.floats(0.1, 1.9) | st.floats(2.1, 3.9), st.floats(4.2, 5.8))
def test_the_way_off_the_nearest_wall_is_straight_and_1_long(x, y):
    left, right = (x, 1.0, 0.0), (4.0 - x, -1.0, 0.0)  # the room's wall and the pillar's
    assert wall_at(x, y, ground(PILLAR)) == pytest.approx(left if x < 2 else right, abs=1e-9)


def test_round_a_corner_the_field_errs_less_than_the_room_that_is_kept():
    for x, y in np.random.default_rng(1).uniform(3.7, 4.0, (500, 2)):
        exact = PILLAR.clearance(x, y)
        if exact > 0.1:
            assert wall_at(x, y, ground(PILLAR))[0] <= room_wanted(exact, ground(PILLAR))


def test_a_straight_wall_is_met_exactly_from_its_middle_to_its_face():
    for y in (0.0, 0.01, 0.025, 0.333, 2.0):
        clearance, nx, ny = wall_at(5.0, y, ground(ROOM))
        assert (clearance, nx, ny) == pytest.approx((y, 0.0, 1.0), abs=1e-12)


def test_off_the_map_the_way_back_is_the_straight_one():
    assert wall_at(-3.0, 5.0, ground(ROOM)) == pytest.approx((-3.0, 1.0, 0.0))
    assert wall_at(13.0, 14.0, ground(ROOM)) == pytest.approx((-5.0, -0.6, -0.8), abs=0.04)


def test_a_step_into_a_wall_keeps_its_part_along_the_wall():
    vx, vy = kept_off_walls(5.0, 0.25, 1.0, -1.0, 0.2, 0.1, ground(ROOM))
    assert vx == pytest.approx(1.0)
    assert -0.5 < vy < -0.4  # as near as the disc may come
    assert kept_off_walls(5.0, 0.25, 1.0, 1.0, 0.2, 0.1, ground(ROOM)) == (1.0, 1.0)


def test_a_step_into_a_corner_ends_there():
    vx, vy = kept_off_walls(0.25, 0.25, -2.0, -2.0, 0.2, 0.1, ground(ROOM))
    assert -0.5 < vx <= 0.0
    assert -0.5 < vy <= 0.0


@given(st.floats(0.3, 3.7), st.floats(0.3, 3.7), st.floats(0, math.tau), st.floats(0.1, 4.0))
def test_no_step_brings_a_disc_into_a_wall_it_was_clear_of(x, y, bearing, speed):
    radius, dt = 0.2, 0.1
    if POST.clearance(x, y) < radius + 0.01:
        return
    vx, vy = speed * math.cos(bearing), speed * math.sin(bearing)
    vx, vy = kept_off_walls(x, y, vx, vy, radius, dt, ground(POST))
    assert POST.clearance(x + vx * dt, y + vy * dt) >= radius
    assert math.hypot(vx, vy) <= speed * (1 + 1e-12)


def test_a_thin_wall_is_not_stepped_over_however_long_the_step():
    x, y = 4.85, 5.0
    vx, _ = kept_off_walls(x, y, 3.0, 0.0, 0.1, 0.1, ground(DIVIDED))
    assert x + 0.1 * vx < 5.0 - 0.1


def test_who_is_in_a_wall_already_gets_no_deeper():
    assert kept_off_walls(0.1, 5.0, -1.0, 0.0, 0.2, 0.1, ground(ROOM))[0] == pytest.approx(0.0)
    assert kept_off_walls(0.1, 5.0, 1.0, 0.5, 0.2, 0.1, ground(ROOM)) == (1.0, 0.5)


@pytest.mark.parametrize("speed", [0.0, 1.3, 2.0])
def test_beyond_reach_the_elliptical_force_is_under_1e_4_of_its_maximum(speed):
    people = crowd([0, 0, speed, 0], [9, 9, 0, 0])
    reach = reach_of(people, law(Form.ELLIPTICAL))
    step = 2.0 * speed  # the worst place is straight ahead
    b = 0.5 * math.sqrt((reach + reach - step) ** 2 - step**2)
    assert math.exp(-b / 0.3) == pytest.approx(1e-4)


def test_beyond_reach_the_circular_force_is_under_1e_4_of_that_at_touch():
    reach = reach_of(crowd([0, 0, 1, 0]), law(Form.CIRCULAR))
    assert math.exp((0.4 - reach) / 0.08) == pytest.approx(1e-4)


def test_the_angular_force_ends_at_1e_4_or_where_sight_does():
    people = crowd([0, 0, 1.3, 0], [9, 9, -1.3, 0])
    reach = reach_of(people, law(Form.ANGULAR, sight=1000.0))
    assert math.exp(-reach / (0.35 * (2 * 2.6 + 1))) == pytest.approx(1e-4)
    assert reach_of(people, law(Form.ANGULAR)) == 8.0


def test_sight_never_hides_somebody_one_touches():
    assert reach_of(crowd([0, 0, 0, 0]), law(Form.ANGULAR, sight=0.01)) == 0.4


@pytest.mark.parametrize("form", Form)
def test_nobody_beyond_reach_changes_anything_and_somebody_within_does(form):
    alone = crowd([2, 5, 1, 0])
    number = law(form, sight=2.0)
    reach = reach_of(crowd([0, 0, 1, 0], [0, 0, -1, 0]), number)
    for gap, felt in ((reach * 1.001, False), (reach * 0.99, True)):
        pair = crowd([2, 5, 1, 0], [2 + gap, 5, -1, 0.1])
        pair[1, 2:4] /= math.hypot(1, 0.1)
        found = steered(pair, 0.05, number, ground(ROOM))[0]
        assert (found != steered(alone, 0.05, number, ground(ROOM))[0]).any() == felt


def test_more_neighbours_than_a_batch_holds_all_push():
    ring = [[5 + math.cos(a), 5 + math.sin(a), 0, 0] for a in np.linspace(0, 1, 2 * BATCH)]
    middle = crowd([5, 5, 0, 0], *ring)
    number = law(Form.ELLIPTICAL)
    found = steered(middle, 1e-3, number, ground(ROOM))[0] / 1e-3
    angles = np.linspace(0, 1, 2 * BATCH)
    push = 7.0 * math.exp(-1 / 0.3)
    expected = [-push * np.cos(angles).sum(), -push * np.sin(angles).sum()]
    np.testing.assert_allclose(found, expected, rtol=1e-6)


@pytest.mark.parametrize("column", range(8))
@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_what_is_not_finite_is_refused(column, value):
    people = crowd([1, 1, 0, 0], [2, 2, 0, 0])
    people[1, column] = value
    with pytest.raises(BadValue, match="not finite"):
        steered(people, 0.1, law(Form.CIRCULAR), ground(ROOM))
