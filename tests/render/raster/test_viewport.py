"""The piece of map that is shown, and where places fall."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import worlds
from paseo.render.raster.viewport import (
    Box,
    box_of,
    fitted,
    grown,
    round_length,
    shown_box,
    whole_map,
)

WAY = np.array([[2.0, 5.0], [8.0, 5.0]])


def test_a_small_map_is_shown_whole_with_a_margin() -> None:
    box = shown_box(worlds.ROOM, WAY)
    assert box == whole_map(worlds.ROOM) == Box(-0.6, -0.6, 10.6, 10.6)


def test_the_margin_of_a_tiny_map_is_tiny() -> None:
    box = whole_map(worlds.plan("closet", (0, 0, 2, 2)))
    assert box.x0 == pytest.approx(-0.12)


def test_of_a_huge_map_only_the_way_is_shown() -> None:
    box = shown_box(worlds.plan("field", (0, 0, 300, 200)), WAY + 100)
    assert box == Box(98.0, 101.0, 112.0, 109.0)


def test_what_is_shown_of_a_huge_map_does_not_go_far_beyond_its_walls() -> None:
    box = shown_box(worlds.plan("field", (0, 0, 300, 200)), WAY)
    assert (box.x0, box.y1) == (-0.6, 9.0)


def test_without_a_map_the_way_is_shown() -> None:
    assert shown_box(None, WAY) == Box(-2.0, 1.0, 12.0, 9.0)


def test_a_robot_that_never_moved_is_not_shown_at_infinite_scale() -> None:
    point = box_of(np.array([[3.0, 3.0]]))
    assert grown(point, 0.0).width == 2.0


@given(st.floats(0.5, 100), st.floats(0.5, 100), st.integers(50, 2000), st.integers(50, 2000))
def test_the_whole_box_fits_in_the_middle(w: float, h: float, width: int, height: int) -> None:
    box = Box(7.0, -3.0, 7.0 + w, -3.0 + h)
    view = fitted(box, width, height)
    corners = view.pixels(np.array([[box.x0, box.y1], [box.x1, box.y0]]))
    left_top, right_bottom = corners[0], (width, height) - corners[1]
    assert left_top == pytest.approx(right_bottom, abs=1e-6 * max(width, height))
    assert min(left_top) == pytest.approx(0, abs=1e-6 * max(width, height))
    assert view.box.width == pytest.approx(width / view.scale)


def test_north_is_up() -> None:
    view = fitted(Box(0, 0, 10, 10), 100, 100)
    assert view.pixels(np.array([2.0, 9.0])).tolist() == pytest.approx([20.0, 10.0])


@pytest.mark.parametrize(
    ("longest", "length"), [(1.0, 1.0), (1.99, 1.0), (2.0, 2.0), (7, 5), (34, 20), (0.3, 0.2)]
)
def test_scale_bars_are_one_two_or_five(longest: float, length: float) -> None:
    assert round_length(longest) == pytest.approx(length)
