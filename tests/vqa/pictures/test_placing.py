"""Whose disc goes where in a front view."""

import io
import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from PIL import Image

from exams import small_scene
from paseo.vqa.pictures.pictures import Drawing, Layout, drawn
from paseo.vqa.pictures.placing import Body, Box, placed
from paseo.world.scenes import NumberedPerson

SIZE, RADIUS = (1280, 720), 30.0


def body(number: int, box: Box, distance: float) -> Body:
    return Body(number=number, box=box, distance=distance, colour=(0, 114, 178))


def test_alone_a_disc_stands_in_the_middle_of_its_body() -> None:
    (one,) = placed([body(1, (100, 100, 200, 400), 3.0)], size=SIZE, radius=RADIUS)
    assert one.at == one.on == (150, 250)
    assert not one.is_aside


def test_the_nearest_keeps_its_place_and_the_other_steps_aside_with_a_line_to_what_is_seen() -> (
    None
):
    near, far = body(1, (100, 100, 200, 500), 2.0), body(2, (150, 200, 260, 420), 6.0)
    first, second = placed([far, near], size=SIZE, radius=RADIUS)
    assert first.body is near and not first.is_aside
    assert second.is_aside and not second.is_hidden
    assert 200 < second.on[0] < 260 and 200 < second.on[1] < 420  # beside the nearer body
    assert math.dist(second.on, first.at) > RADIUS
    assert math.dist(first.at, second.at) >= 2 * RADIUS
    assert not (100 <= second.at[0] <= 200 and 100 <= second.at[1] <= 500)


def test_a_body_that_is_wholly_hidden_is_told_by_a_line_all_the_same() -> None:
    near, far = body(1, (100, 100, 300, 600), 2.0), body(2, (150, 200, 250, 420), 6.0)
    _, second = placed([near, far], size=SIZE, radius=RADIUS)
    assert second.is_aside and second.is_hidden


def test_discs_of_a_crowd_do_not_touch_and_stay_in_the_picture() -> None:
    rng = np.random.default_rng(5)
    lefts, tops = rng.uniform(400, 700, 14), rng.uniform(200, 350, 14)
    crowd = [
        body(k, (float(x), float(y), float(x) + 60, float(y) + 180), float(k))
        for k, (x, y) in enumerate(zip(lefts, tops, strict=True), 1)
    ]
    found = placed(crowd, size=SIZE, radius=RADIUS)
    assert {each.body.number for each in found} == set(range(1, 15))
    for one, other in combinations(found, 2):
        assert math.dist(one.at, other.at) >= 2 * RADIUS
    for each in found:
        assert RADIUS <= each.at[0] <= 1280 - RADIUS and RADIUS <= each.at[1] <= 720 - RADIUS
    assert [each.body.number for each in found] == sorted(each.body.number for each in found)


def test_without_room_discs_stay_on_their_bodies() -> None:
    crowd = [body(k, (0, 0, 60, 60), float(k)) for k in range(1, 6)]
    found = placed(crowd, size=(62, 62), radius=RADIUS)
    assert {each.at for each in found} == {(30, 30)}


def test_places_grow_with_the_picture() -> None:
    boxes: list[Box] = [(100, 100, 200, 500), (150, 200, 260, 420)]
    small = placed([body(k, b, k) for k, b in enumerate(boxes)], size=SIZE, radius=RADIUS)
    double = [tuple(2 * side for side in box) for box in boxes]
    large = placed(
        [body(k, b, k) for k, b in enumerate(double)], size=(2560, 1440), radius=2 * RADIUS
    )  # type: ignore[arg-type]
    for one, other in zip(small, large, strict=True):
        assert np.allclose(2 * np.array([one.at, one.on]), [other.at, other.on])


def front(*distances: float) -> np.ndarray:
    """Two people at one place of the picture, so far from the robot."""
    buffer = io.BytesIO()
    Image.new("RGB", SIZE, (120, 120, 120)).save(buffer, "PNG")
    scene = small_scene("a")
    people = tuple(
        NumberedPerson(
            number=k,
            positions=np.tile([distance, 0.0], (10, 1)),
            boxes=np.tile([600.0, 200.0, 700.0, 500.0], (10, 1)),
        )
        for k, distance in enumerate(distances, 1)
    )
    shown = replace(scene, frames=(buffer.getvalue(),) * 10, people=people)
    return next(iter(drawn(shown, Layout.FRONT, Drawing.PASEO)))


@pytest.mark.parametrize("distances", [(2.0, 5.0), (5.0, 2.0)])
def test_in_a_picture_the_nearest_is_on_the_body(distances: tuple[float, float]) -> None:
    alone = front(9.0)
    colour = alone[370, 650] if distances[0] < distances[1] else None
    seen = front(*distances)
    at_body = seen[372, 650]
    assert (colour is None) != bool((at_body == alone[372, 650]).all())
    changed = np.abs(seen.astype(int) - alone).max(axis=2) > 60
    assert changed[200:500, 560:760].sum() > 1500  # the other disc, and its line


def test_pictures_in_a_grid_have_their_frames_numbers() -> None:
    scene = small_scene("a")
    frames = []
    for shade in range(10):
        buffer = io.BytesIO()
        Image.new("RGB", (640, 360), (20 * shade, 90, 90)).save(buffer, "PNG")
        frames.append(buffer.getvalue())
    (grid,) = drawn(replace(scene, frames=tuple(frames), people=()), Layout.GRID, Drawing.PASEO)
    corners = [grid[:360, :640], grid[:360, 640:], grid[360:, :640], grid[360:, 640:]]
    labels = [corner[2:30, 2:140] for corner in corners]
    for label in labels:
        assert (label.min(axis=2) > 200).sum() > 100 and (label.max(axis=2) < 60).sum() > 500
    assert all(not np.array_equal(a, b) for a, b in combinations(labels, 2))
