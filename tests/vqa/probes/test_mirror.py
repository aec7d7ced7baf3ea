"""Scenes in the mirror: twice is as before, and numbers can still be read."""

import io

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from PIL import Image

from marked_scenes import SIZE, colour_of_disc, scene, walker
from paseo.data.scenes.socialnavsub import TIMING
from paseo.vqa.pictures.colours import safe_colours
from paseo.vqa.pictures.photos import photo
from paseo.vqa.pictures.pictures import Drawing, Layout, drawn
from paseo.vqa.pictures.views import front_radius
from paseo.vqa.probes.mirror import mirrored
from paseo.world.scenes import Camera, NumberedPerson, Scene

NOISE = np.random.default_rng(3).integers(0, 256, (TIMING.frames, 6, 8, 3), np.uint8)
metres = st.floats(-50, 50).map(lambda value: round(value, 3))


def encoded(frame: np.ndarray, form: str = "PNG") -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(frame).save(buffer, form)
    return buffer.getvalue()


def noisy(**changes: object) -> Scene:
    return scene(frames=tuple(encoded(frame) for frame in NOISE), **changes)


@st.composite
def people(draw: st.DrawFn) -> NumberedPerson:
    positions = draw(arrays(float, (TIMING.frames, 2), elements=metres))
    boxes = draw(arrays(float, (TIMING.frames, 4), elements=metres))
    hidden = draw(arrays(bool, TIMING.frames - 1))
    positions[1:][hidden], boxes[1:][hidden] = np.nan, np.nan
    return NumberedPerson(number=draw(st.integers(1, 20)), positions=positions, boxes=boxes)


def assert_same(first: Scene, second: Scene) -> None:
    np.testing.assert_array_equal(first.robot, second.robot)
    assert (first.goal, first.camera) == (second.goal, second.camera)
    for one, other in zip(first.people, second.people, strict=True):
        assert one.number == other.number
        np.testing.assert_array_equal(one.positions, other.positions)
        np.testing.assert_allclose(one.boxes, other.boxes, atol=1e-12)
    for one_frame, other_frame in zip(first.frames, second.frames, strict=True):
        np.testing.assert_array_equal(photo(one_frame, ""), photo(other_frame, ""))


@settings(max_examples=25)
@given(person=people(), robot=arrays(float, (TIMING.frames, 3), elements=metres), goal=metres)
def test_mirrored_twice_is_as_before(
    person: NumberedPerson, robot: np.ndarray, goal: float
) -> None:
    camera = Camera(width_px=8, height_px=6, fx=4, fy=4, cx=3.25, cy=3)
    before = noisy(people=(person,), robot=robot, goal=(1.0, goal), camera=camera)
    assert_same(mirrored(mirrored(before)), before)


def test_everything_changes_sides() -> None:
    turning = np.tile([1.0, 2.0, 0.5], (TIMING.frames, 1))
    camera = Camera(width_px=320, height_px=180, fx=4, fy=4, cx=150, cy=90)
    after = mirrored(scene(walker(4, (3, 1), box=(10, 20, 40, 50)), robot=turning, camera=camera))
    (person,) = after.people
    assert (person.number, after.goal) == (4, (8.0, -1.0))
    assert person.positions[0].tolist() == [3, -1]
    assert person.boxes[0].tolist() == [280, 20, 310, 50]
    assert after.robot[0].tolist() == [1, -2, -0.5]
    assert after.camera and after.camera.cx == 170


def test_pixels_change_sides_and_jpegs_lose_nothing_more() -> None:
    before = scene(frames=tuple(encoded(frame, "JPEG") for frame in NOISE))
    for old, new in zip(before.frames, mirrored(before).frames, strict=True):
        np.testing.assert_array_equal(photo(new, "")[:, ::-1], photo(old, ""))


def test_what_others_drew_is_left_out() -> None:
    assert mirrored(noisy(composites=tuple(encoded(frame) for frame in NOISE))).composites == ()


def test_marks_are_drawn_after_the_mirror_so_numbers_read_normally() -> None:
    """A disc with a 4 on the left becomes one on the right with the same 4, not its reflection."""
    before = scene(walker(4, (3, 1), box=(40, 60, 80, 120)))
    (old, *_), (new, *_) = (
        drawn(each, Layout.FRONT, Drawing.PASEO) for each in (before, mirrored(before))
    )
    radius, blue = front_radius(SIZE), safe_colours([4])[4]
    assert colour_of_disc(new, (260, 90), radius) == blue
    assert colour_of_disc(new, (60, 90), radius) != blue
    np.testing.assert_array_equal(new[70:110, 240:280], old[70:110, 40:80])
    assert (new[:, ::-1][70:110, 40:80] != old[70:110, 40:80]).any()
