"""The robot's view beside its depth and the map, and depth as colours."""

import math

import numpy as np
import pytest

from drives import record
from paseo.checks import check_renderer
from paseo.render.raster.palette import LIGHT, Rgb
from paseo.render.raster.strokes import Frame
from paseo.render.robotview.depths import VIRIDIS, depth_picture, draw_scale
from paseo.render.robotview.robotview import ACROSS, SHARED, BothViews, RobotView, captions, layout
from paseo.render.staging.backdrop import Size, backdrop_of
from paseo.render.staging.playthrough import Playthrough
from paseo.render.topview.topview import TopView
from paseo.world.arrays import FloatArray
from paseo.world.records import Record
from thinning import mostly_slow

ROW = 18  # pixels above a small picture, for what it is called


def test_near_is_bright_far_is_dark_and_nothing_is_neither() -> None:
    picture = depth_picture(np.array([[0.1, 1.0, 3.0, 10.0, 30.0, 90.0, np.nan, np.inf]]), LIGHT)
    assert picture[0, 0].tolist() == VIRIDIS[-1].tolist()
    assert (picture[0, [4, 5]] == VIRIDIS[0]).all()
    assert (picture[0, [6, 7]] == LIGHT.solid).all()
    brightness = picture[0, :5].astype(int).sum(axis=1)
    assert (np.diff(brightness) < 0).all()


@pytest.mark.extra("video")
def test_a_scale_is_drawn_where_there_is_room_for_it() -> None:
    large, small = np.zeros((360, 480, 3), np.uint8), np.zeros((60, 50, 3), np.uint8)
    draw_scale(large, LIGHT)
    draw_scale(small, LIGHT)
    assert large[200:, 400:].any() and not large[:, :380].any() and not small.any()


def test_of_several_robots_it_is_told_whose_camera_it_is(bump: Record) -> None:
    alone, two = backdrop_of([bump]), backdrop_of([bump, bump])
    assert captions(alone) == ("robot's camera", "depth")
    assert captions(two) == (f"camera of {two.actors[0].name}", "depth")


@pytest.mark.extra("camera", "video")
@pytest.mark.parametrize(
    ("size", "panel", "rest"),
    [
        ((500, 130), (149, 112), (190, 130)),
        ((200, 150), (76, 57), (118, 150)),
        ((120, 320), (120, 90), (120, 98)),
    ],
    ids=["wide", "usual", "high"],
)
def test_both_views_are_those_that_each_would_draw_alone(
    bump: Record, size: Size, panel: Size, rest: Size
) -> None:
    backdrop, moments = backdrop_of([bump]), [Playthrough(bump).at(2.0)]
    sheet = BothViews(backdrop, size).render(moments).rgb
    alone = RobotView(backdrop, panel).render(moments)
    _, ((top, left), *_) = layout(size, ROW)
    assert (sheet[top : top + panel[1], left : left + panel[0]] == alone.rgb).all()
    snapshot = moments[0].snapshot
    away = snapshot.crowd.positions[0, 0] - snapshot.robot.pose.x  # who comes towards the robot
    assert alone.depth is not None
    assert alone.depth[panel[1] // 2, panel[0] // 2] == pytest.approx(away - 0.15, abs=0.15)
    above = TopView(backdrop, rest, across=ACROSS).render(moments).rgb
    assert (sheet[size[1] - rest[1] :, size[0] - rest[0] :] == above).all()


@pytest.mark.extra("camera", "video")
@pytest.mark.parametrize("heading", mostly_slow([1.2, 0.0, math.pi, -2.0]))
@pytest.mark.parametrize("side", [1, -1], ids=["left", "right"])
def test_who_is_on_the_left_is_on_the_left_in_all_pictures(heading: float, side: int) -> None:
    bearing = heading + side * 0.35
    person = 5 + 3 * math.cos(bearing), 5 + 3 * math.sin(bearing)
    still = record([(5, 5, heading)] * 3, [person])
    backdrop, moments = backdrop_of([still]), [Playthrough(still).at(0.0)]
    image = RobotView(backdrop, (120, 90)).image(moments[0])
    columns = np.nonzero(image.ids == 1)[1] - 60  # from the middle to the right
    assert len(columns) and (columns * side < 0).all()
    assert np.nanmedian(image.depth[image.ids == 1]) == pytest.approx(3 * math.cos(0.35), abs=0.2)
    above = TopView(backdrop, (300, 300), across=ACROSS).render(moments).rgb
    places = [_middle(above, colour) for colour in (LIGHT.person, backdrop.actors[0].colour)]
    right, down = places[0] - places[1]
    # Seen from the robot, towards its left: on the map y is up.
    left = -math.sin(heading) * right - math.cos(heading) * down
    assert left * side > 0


def _middle(frame: Frame, colour: Rgb) -> FloatArray:
    """Column and row of the middle of what has a colour, below the name of the planner."""
    rows, columns = np.nonzero((frame[60:] == colour).all(axis=2))
    return np.array([columns.mean(), rows.mean()])


@pytest.mark.extra("camera", "video")
def test_views_of_one_place_share_their_bodies_and_nothing_that_is_seen(
    bump: Record, standing: Record
) -> None:
    views = [RobotView(backdrop_of([each]), (120, 90)) for each in (bump, standing)]
    moments = [Playthrough(each).at(2.0) for each in (bump, standing)]
    first, second = (view.render([moment]).rgb for view, moment in zip(views, moments, strict=True))
    assert (views[0].render([moments[0]]).rgb == first).all() and (first != second).any()
    assert len(SHARED) == 1


@pytest.mark.slow
@pytest.mark.extra("camera", "video")
@pytest.mark.parametrize("view", [RobotView, BothViews])
def test_the_contract_of_renderers_is_kept(view: type[RobotView] | type[BothViews]) -> None:
    check_renderer(view)
