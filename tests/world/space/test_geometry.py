"""Compiled geometry against shapely on random worlds."""

import math

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from paseo.world.space import geometry

UNIT_SQUARE = np.array(
    [[[0, 0], [1, 0]], [[1, 0], [1, 1]], [[1, 1], [0, 1]], [[0, 1], [0, 0]]], float
)

unhurried = settings(deadline=None)  # the first call may compile
quarters = st.integers(-40, 40).map(lambda n: n / 4)  # exact in floats, so sides are exact
points = st.tuples(quarters, quarters)


@st.composite
def rooms(draw: st.DrawFn) -> shapely.Polygon:
    """A star-shaped room with perhaps a box cut out of it."""
    count = draw(st.integers(3, 9))
    lengths = draw(st.lists(st.floats(2, 10), min_size=count, max_size=count))
    angles = np.arange(count) * math.tau / count
    room = shapely.Polygon(
        np.stack([np.cos(angles), np.sin(angles)], 1) * np.array(lengths)[:, None]
    )
    x, y = draw(points)
    free = shapely.difference(room, shapely.box(x, y, x + 1.5, y + 1))
    return max(shapely.get_parts(free), key=lambda part: part.area)


def walls_of(room: shapely.Polygon) -> NDArray[np.float64]:
    corners = [shapely.get_coordinates(ring) for ring in (room.exterior, *room.interiors)]
    return np.concatenate([np.stack([c[:-1], c[1:]], axis=1) for c in corners])


def line(a: tuple[float, float], b: tuple[float, float]) -> shapely.Geometry:
    return shapely.Point(a) if a == b else shapely.LineString([a, b])  # no lines of length 0


@unhurried
@given(rooms(), points)
def test_clearance_is_shapelys_distance_to_the_boundary_with_the_side_as_sign(room, point):
    x, y = point
    expected = shapely.distance(room.boundary, shapely.Point(point))
    clearance = geometry.signed_clearance(x, y, walls_of(room))
    assert abs(clearance) == pytest.approx(expected, abs=1e-9)
    if expected > 1e-9:
        assert (clearance > 0) == room.contains(shapely.Point(point))
        assert geometry.is_inside(x, y, walls_of(room)) == room.contains(shapely.Point(point))


@unhurried
@given(rooms(), points, st.floats(-math.pi, math.pi), points)
def test_moving_and_rotating_the_map_leaves_clearances_unchanged(room, point, angle, shift):
    turn = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    walls = walls_of(room)
    before = geometry.signed_clearance(*point, walls)
    after = geometry.signed_clearance(*(np.array(point) @ turn + shift), walls @ turn + shift)
    assert abs(after) == pytest.approx(abs(before), abs=1e-9)
    assert after == pytest.approx(before, abs=1e-9) or abs(before) < 1e-9


@unhurried
@given(points, points, points, points)
def test_lines_cross_where_shapely_says_so_touching_included(a, b, c, d):
    wall = np.array([c, d])
    expected = shapely.intersects(line(a, b), line(c, d))
    assert geometry.crosses(*a, *b, wall) == expected
    assert geometry.crosses(*b, *a, wall[::-1].copy()) == expected


@unhurried
@given(rooms(), points, points)
def test_sight_is_blocked_where_the_line_meets_the_boundary(room, a, b):
    gap = shapely.distance(room.boundary, line(a, b))
    if gap > 1e-9:
        assert not geometry.blocked_between(*a, *b, walls_of(room))
    elif shapely.crosses(room.boundary, line(a, b)):
        assert geometry.blocked_between(*a, *b, walls_of(room))


def test_a_point_beside_a_slanted_wall_is_not_blocked_from_itself():
    wall = np.array([[[0.0, 0.0], [2.0, 2.0]]])
    assert not geometry.blocked_between(1.5, 0.5, 1.5, 0.5, wall)
    assert geometry.blocked_between(1.0, 1.0, 1.0, 1.0, wall)


@settings(unhurried, max_examples=40)
@given(rooms(), st.sampled_from([0.1, 0.3, 1.0]))
def test_the_grid_and_the_distance_field_agree_with_shapely(room, cell):
    x0, y0, x1, y1 = room.bounds
    rows, columns = math.ceil((y1 - y0) / cell), math.ceil((x1 - x0) / cell)
    walls = walls_of(room)
    free = geometry.inside_grid(walls, x0, y0, cell, rows, columns)
    field = geometry.distance_field(walls, free, x0, y0, cell)
    x, y = np.meshgrid(x0 + (np.arange(columns) + 0.5) * cell, y0 + (np.arange(rows) + 0.5) * cell)
    distance = shapely.distance(room.boundary, shapely.points(x, y))
    np.testing.assert_allclose(np.abs(field), distance, atol=1e-9)
    off_wall = distance > 1e-9
    np.testing.assert_array_equal(free[off_wall], shapely.contains_xy(room, x, y)[off_wall])
    np.testing.assert_array_equal(field[off_wall] > 0, free[off_wall])


@pytest.mark.parametrize(("x0", "columns"), [(-3.0, 2), (-1.0, 3), (0.0, 1), (2.0, 2)])
def test_a_grid_that_ends_before_or_after_the_walls_still_knows_what_is_inside(x0, columns):
    free = geometry.inside_grid(UNIT_SQUARE, x0, 0.0, 1.0, 1, columns)
    expected = [0 < x0 + k + 0.5 < 1 for k in range(columns)]
    assert free[0].tolist() == expected


def test_the_field_is_bilinear_between_centres_and_minus_infinity_off_the_grid():
    field = np.array([[0.0, 1.0], [2.0, 3.0]])
    assert geometry.field_at(1.0, 1.0, field, 0.0, 0.0, 1.0) == 1.5
    assert geometry.field_at(0.75, 0.5, field, 0.0, 0.0, 1.0) == 0.25
    assert geometry.field_at(0.0, 0.0, field, 0.0, 0.0, 1.0) == 0.0
    assert geometry.field_at(-0.1, 1.0, field, 0.0, 0.0, 1.0) == -math.inf


def test_a_field_of_one_cell_has_one_value_everywhere_on_it():
    field = np.array([[2.0]])
    assert [geometry.field_at(x, 0.9, field, 0.0, 0.0, 1.0) for x in (0.0, 0.5, 1.0)] == [2.0] * 3


def test_cells_are_connected_by_edges_not_by_corners():
    open_cells = np.array([[1, 1, 0], [0, 0, 1], [1, 1, 1]], bool)
    assert geometry.connected(open_cells, 0, 0).tolist() == [[1, 1, 0], [0, 0, 0], [0, 0, 0]]
    assert geometry.connected(open_cells, 2, 0).sum() == 4
