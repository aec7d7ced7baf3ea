"""Floor plans: grids from walls, walls from grids, and what can be asked of them."""

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from paseo.errors import BadValue
from paseo.world.motion import Pose
from paseo.world.space import geometry
from paseo.world.space.floorplan import FloorPlan, floor_plan, traced_walls

grids = arrays(bool, st.tuples(st.integers(1, 8), st.integers(1, 8)))


def box_walls(x0: float, y0: float, x1: float, y1: float) -> np.ndarray:
    corners = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], float)
    return np.stack([corners, np.roll(corners, -1, axis=0)], axis=1)


ROOM = floor_plan("room", np.concatenate([box_walls(0, 0, 4, 2), box_walls(1.9, 0.5, 2.1, 2)]))


def test_free_area_is_the_room_minus_the_screen():
    assert ROOM.area == pytest.approx(4 * 2 - 0.2 * 1.5)
    assert ROOM.free.shape == (40, 80)
    assert ROOM.bounds == pytest.approx((0, 0, 4, 2))


def test_clearance_is_exact_and_negative_in_walls_and_outside():
    assert ROOM.clearance(1.0, 1.0) == pytest.approx(0.9)
    assert ROOM.clearance(2.0, 1.0) == pytest.approx(-0.1)
    assert ROOM.clearance(-3.0, 1.0) == pytest.approx(-3.0)


def test_a_screen_hides_what_is_behind_it_but_not_what_is_beside_it():
    assert not ROOM.sees(Pose(1, 1), Pose(3, 1))
    assert ROOM.sees(Pose(1, 0.2), Pose(3, 0.2))
    assert ROOM.sees(Pose(1, 1), Pose(1, 1))


def test_the_distance_field_holds_the_clearance_of_each_cell_centre():
    for row, column in [(0, 0), (20, 10), (20, 39), (39, 79)]:
        x, y = (column + 0.5) * 0.05, (row + 0.5) * 0.05
        assert ROOM.cell(x, y) == (row, column)
        assert ROOM.distance[row, column] == pytest.approx(ROOM.clearance(x, y))
    assert ROOM.distance is ROOM.distance


def test_a_small_disc_gets_under_the_screen_and_a_large_one_does_not():
    far_side = ROOM.cell(3, 1)
    assert ROOM.reachable_from(1, 1, 0.2)[far_side]
    assert not ROOM.reachable_from(1, 1, 0.3)[far_side]


def test_nothing_is_reached_from_off_the_grid():
    assert not ROOM.reachable_from(-5, 1, 0.1).any()


@settings(deadline=None)  # the first call may compile
@given(grids)
def test_traced_walls_enclose_exactly_the_free_cells(free):
    walls = traced_walls(free, 0.5, (-1.0, 2.0))
    rows, columns = free.shape
    again = geometry.inside_grid(walls, -1.0, 2.0, 0.5, rows, columns)
    np.testing.assert_array_equal(again, free)


@given(grids)
def test_traced_walls_are_the_boundary_shapely_finds_and_nothing_else(free):
    cells = [shapely.box(c, r, c + 1, r + 1) for r, c in np.argwhere(free)]
    boundary = shapely.MultiPolygon(shapely.get_parts(shapely.union_all(cells)).tolist()).boundary
    walls = shapely.linestrings(traced_walls(free, 1.0, (0.0, 0.0)))
    assert shapely.symmetric_difference(shapely.union_all(walls), boundary).length == 0
    assert shapely.length(walls).sum() == boundary.length


def test_traced_walls_are_as_long_as_they_can_be():
    assert len(traced_walls(np.ones((3, 7), bool), 1.0, (0.0, 0.0))) == 4


def test_a_plan_without_free_space_is_refused():
    with pytest.raises(BadValue, match="'thin': there is no free space"):
        floor_plan("thin", box_walls(0, 0, 0.01, 0.01))


@pytest.mark.parametrize("size", [1e4, 1e12, 1e300])
def test_a_plan_of_absurd_size_is_refused_before_it_fills_the_memory(size):
    with pytest.raises(BadValue, match="are its coordinates in metres"):
        floor_plan("vast", box_walls(0, 0, size, size))


@pytest.mark.parametrize(
    ("walls", "problem"),
    [(np.zeros((3, 2)), "shape"), (np.full((1, 2, 2), np.nan), "not finite")],
)
def test_walls_that_are_no_walls_are_refused(walls, problem):
    with pytest.raises(BadValue, match=problem):
        FloorPlan(
            name="bad", walls=walls, free=np.ones((1, 1), bool), cell_size=1.0, origin=(0.0, 0.0)
        )
