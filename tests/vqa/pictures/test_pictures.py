"""What a model is shown: layouts, sizes, and whose drawing it is."""

import io
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from marked_scenes import SIZE, colour_of_disc, picture, scene, walker
from paseo.errors import BadFile, BadValue, MissingData
from paseo.vqa.pictures.birdseye import LEAST_RADIUS, RADIUS
from paseo.vqa.pictures.chart import view_of
from paseo.vqa.pictures.colours import brg_colours, safe_colours
from paseo.vqa.pictures.pictures import Drawing, Layout, drawing_of, drawn, pictures
from paseo.vqa.pictures.views import front_radius

OURS = [Drawing.PASEO, Drawing.PASEO_BRG]
COLOURS = {Drawing.PASEO: safe_colours, Drawing.PASEO_BRG: brg_colours}
WIDTH, HEIGHT = SIZE
PLACES = {1: (6.0, 3.0), 2: (4.0, -3.0), 3: (7.0, -1.0)}  # metres
MIDDLES = {1: (60.0, 90.0), 2: (150.0, 80.0), 3: (250.0, 100.0)}  # pixels
TEN = (Layout.FRONT_BEV, Layout.FRONT, Layout.BEV, Layout.VIDEO)
SIZES = {
    Layout.FRONT_BEV: (WIDTH, HEIGHT + WIDTH), Layout.VIDEO: (WIDTH, HEIGHT + WIDTH),
    Layout.FRONT: SIZE, Layout.BEV: (WIDTH, WIDTH), Layout.GRID: (2 * WIDTH, 2 * HEIGHT),
    Layout.GRID_BEV: (2 * WIDTH, 2 * HEIGHT + 2 * WIDTH),
}  # fmt: skip


def three_people():
    people = [
        walker(number, PLACES[number], box=(x - 10, y - 20, x + 10, y + 20))
        for number, (x, y) in MIDDLES.items()
    ]
    return scene(*people)


def composite(shade: int, *, size: tuple[int, int] = (WIDTH, HEIGHT + WIDTH)) -> bytes:
    """A grey front view above something blue."""
    page = Image.new("RGB", size, (0, 0, shade))
    page.paste((shade, shade, shade), (0, 0, WIDTH, HEIGHT))
    buffer = io.BytesIO()
    page.save(buffer, "PNG")
    return buffer.getvalue()


THEIRS = replace(three_people(), composites=tuple(composite(10 + 20 * k) for k in range(10)))


@pytest.mark.parametrize("layout", Layout)
@pytest.mark.parametrize("drawing", Drawing)
def test_every_layout_has_its_number_of_pictures_and_their_size(
    layout: Layout, drawing: Drawing
) -> None:
    found = pictures(THEIRS, layout, drawing)
    assert len(found) == (10 if layout in TEN else 1)
    for each in found:
        image = Image.open(io.BytesIO(each.content))
        assert (image.format, image.size) == ("JPEG", SIZES[layout])
        assert each.media_type == "image/jpeg"


@pytest.mark.parametrize("layout", Layout)
@pytest.mark.parametrize("drawing", OURS)
def test_everybody_has_one_colour_in_front_view_and_birds_eye_view(
    layout: Layout, drawing: Drawing
) -> None:
    *_, frame = drawn(three_people(), layout, drawing)
    colours = COLOURS[drawing]([1, 2, 3])
    across = frame.shape[1]
    top = frame.shape[0] - across  # where the bird's-eye view begins
    for number, colour in colours.items():
        if layout is not Layout.BEV:
            x, y = MIDDLES[number]
            last = (WIDTH, HEIGHT) if layout in (Layout.GRID, Layout.GRID_BEV) else (0, 0)
            at = x + last[0], y + last[1]
            assert colour_of_disc(frame, at, front_radius(SIZE)) == colour
        if layout not in (Layout.FRONT, Layout.GRID):
            view = view_of(three_people(), across)
            column, row = view.to_pixels(np.array(PLACES[number])).tolist()
            radius = max(LEAST_RADIUS, RADIUS * across)
            assert colour_of_disc(frame, (column, row + top), radius) == colour


@pytest.mark.parametrize("layout", Layout)
@pytest.mark.parametrize("drawing", Drawing)
def test_the_longer_side_is_bounded_and_the_aspect_kept(layout: Layout, drawing: Drawing) -> None:
    (whole, *_), (small, *_) = (
        list(drawn(THEIRS, layout, drawing, largest_px=largest)) for largest in (None, 150)
    )
    assert 147 <= max(small.shape[:2]) <= 150
    assert small.shape[0] / small.shape[1] == pytest.approx(
        whole.shape[0] / whole.shape[1], rel=0.03
    )


def test_marks_of_smaller_pictures_are_at_the_same_place_and_as_large_as_can_be_read() -> None:
    frame = next(drawn(three_people(), Layout.FRONT, Drawing.PASEO, largest_px=160))
    for number, (x, y) in MIDDLES.items():
        assert colour_of_disc(frame, (x / 2, y / 2), 8.0) == safe_colours([number])[number]
    assert front_radius((1280, 720)) == 30
    assert front_radius((160, 90)) == 8


def test_a_grid_shows_the_clip_from_its_first_frame_to_its_last() -> None:
    (grid,) = drawn(scene(), Layout.GRID, Drawing.PASEO)
    corners = [(20, 20), (20, WIDTH + 20), (HEIGHT + 20, 20), (HEIGHT + 20, WIDTH + 20)]
    assert [int(grid[at][0]) for at in corners] == [20 * k for k in (0, 3, 6, 9)]


def test_the_pictures_that_came_with_a_scene_are_cut_where_the_front_view_ends() -> None:
    layouts = (Layout.FRONT, Layout.BEV, Layout.VIDEO)
    fronts, below, whole = (list(drawn(THEIRS, layout, Drawing.DATASET)) for layout in layouts)
    for time in range(10):
        shade = 10 + 20 * time
        assert (fronts[time] == shade).all()
        assert (below[time] == (0, 0, shade)).all()
        assert np.array_equal(np.concatenate([fronts[time], below[time]]), whole[time])
    (grid,) = drawn(THEIRS, Layout.GRID_BEV, Drawing.DATASET)
    assert (grid[2 * HEIGHT :] == (0, 0, 190)).all()  # the last composite's


def test_the_same_scene_gives_the_same_bytes() -> None:
    for drawing in Drawing:
        first, second = (pictures(THEIRS, Layout.FRONT_BEV, drawing) for _ in range(2))
        assert [each.hash for each in first] == [each.hash for each in second]


def test_somebody_without_a_box_is_not_marked() -> None:
    frames = list(drawn(scene(walker(1, (5, 0), frames=(4,))), Layout.FRONT, Drawing.PASEO))
    assert [time for time in range(10) if (frames[time] != 20 * time).any()] == [4]


def test_the_drawing_is_the_data_sets_own_where_there_is_one_unless_another_is_wanted() -> None:
    assert drawing_of([THEIRS]) is Drawing.DATASET
    assert drawing_of([scene(), THEIRS]) is drawing_of([]) is Drawing.PASEO
    assert drawing_of([THEIRS], Drawing.PASEO_BRG) is Drawing.PASEO_BRG


def test_what_cannot_be_drawn_is_told() -> None:
    with pytest.raises(MissingData, match="scene yard: no pictures .* 'paseo'"):
        pictures(scene(), Layout.FRONT, Drawing.DATASET)
    with pytest.raises(BadValue, match="largest_px is 1"):
        pictures(scene(), Layout.FRONT_BEV, Drawing.PASEO, largest_px=1)
    mixed = (*(picture(0) for _ in range(9)), picture(0, (160, 90)))
    with pytest.raises(BadFile, match="frame 9: is 160 x 90 pixels and frame 0 320 x 180"):
        pictures(scene(frames=mixed), Layout.FRONT, Drawing.PASEO)
    short = (composite(0, size=SIZE),) * 10
    with pytest.raises(BadFile, match="frame 0 .* expected a front view of 320 x 180"):
        pictures(scene(composites=short), Layout.FRONT, Drawing.DATASET)
    uneven = (*(composite(0) for _ in range(9)), composite(0, size=(WIDTH, HEIGHT + 10)))
    with pytest.raises(BadFile, match="frame 9 .* another size"):
        pictures(scene(composites=uneven), Layout.FRONT, Drawing.DATASET)
