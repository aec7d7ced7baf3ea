"""The piece of ground that a bird's-eye view shows, and its grid."""

import numpy as np
import pytest

from marked_scenes import scene, walker
from paseo.render.raster.viewport import Box
from paseo.vqa.pictures.chart import GRID, View, chart, extent, view_of

VIEW = View(extent=Box(-0.5, -5.25, 10.0, 5.25), side_px=1000)


def test_ten_metres_ahead_and_five_to_each_side_are_shown_with_room_for_the_robot() -> None:
    assert extent(scene(walker(1, (5.0, 2.0)))) == pytest.approx((-0.5, -5.25, 10.0, 5.25))


@pytest.mark.parametrize(
    ("goal", "wanted"),
    [
        ((4.0, -9.0), (-0.5, -9.5, 14.0, 5.0)),  # grows to the right, then ahead
        ((14.0, 0.0), (-0.5, -7.5, 14.5, 7.5)),  # grows ahead, then to both sides
        ((-3.0, 0.0), (-3.5, -6.75, 10.0, 6.75)),
    ],
)
def test_the_view_grows_for_a_goal_outside_it_and_stays_a_square(
    goal: tuple[float, float], wanted: tuple[float, ...]
) -> None:
    box = extent(scene(goal=goal))
    assert box == pytest.approx(wanted)
    assert box.width == pytest.approx(box.height)


def test_the_view_grows_for_people_and_the_robot_in_any_frame() -> None:
    robot = np.zeros((10, 3))
    robot[9] = (-2.0, 0.0, 0.0)
    assert extent(scene(walker(1, (5.0, 4.0), (0.0, 2.0)))).y1 == pytest.approx(4 + 4.5 + 0.5)
    assert extent(scene(robot=robot)).x0 == pytest.approx(-2.5)


def test_forward_is_up_and_left_is_on_the_left() -> None:
    column, row = VIEW.to_pixels(np.array([0.0, 0.0])).tolist()
    scale = 1000 * 0.914 / 10.5
    assert VIEW.scale == pytest.approx(scale)
    assert (column, row) == pytest.approx((70 + 5.25 * scale, 16 + 10 * scale))
    assert VIEW.to_pixels(np.array([1.0, 2.0])) == pytest.approx((column - 2 * scale, row - scale))


def test_metres_and_pixels_are_turned_into_each_other() -> None:
    points = np.random.default_rng(0).uniform(-5, 10, (4, 3, 2))
    assert VIEW.to_metres(VIEW.to_pixels(points)) == pytest.approx(points)


def test_every_metre_has_a_line_and_a_number() -> None:
    frame = chart(VIEW).astype(int)
    for metre in range(11):
        row = int(VIEW.to_pixels(np.array([metre, 0.5]))[1])
        assert (frame[row - 1 : row + 2, 600] < np.add(GRID, 20)).all(axis=1).any()
        assert frame[row - 8 : row + 8, 38:68].min() < 120
    assert (frame[int(VIEW.to_pixels(np.array([4.5, 0.5]))[1]), 600] == 255).all()
    for metre in range(-5, 6):
        column = int(VIEW.to_pixels(np.array([0.5, metre]))[0])
        assert (frame[500, column - 1 : column + 2] < np.add(GRID, 20)).all(axis=1).any()
        assert frame[936:960, column - 8 : column + 8].min() < 120


def test_a_large_view_has_few_lines() -> None:
    shown = view_of(scene(goal=(3000.0, 0.0)), 400)
    dark = (chart(shown)[200] < 240).all(axis=1)
    assert 6 <= np.count_nonzero(np.diff(dark.astype(int)) == 1) <= 24
