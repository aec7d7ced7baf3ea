import io

import numpy as np
import pytest
from PIL import Image

from original_birdseye import original_birdseye, staged
from paseo.errors import BadValue
from paseo.vqa.baselines.reading.discs import Disc, find_discs
from paseo.vqa.baselines.reading.engines import Pixels
from paseo.vqa.pictures.chart import view_of
from paseo.vqa.pictures.pictures import Drawing, drawn_to_measure


def ours(people: dict[int, tuple[float, float]], drawing: Drawing = Drawing.PASEO) -> Pixels:
    return next(iter(drawn_to_measure(staged(people), drawing)))


def pixel(people: dict[int, tuple[float, float]], place: tuple[float, float]) -> np.ndarray:
    return view_of(staged(people), 1280).to_pixels(np.array(place)) - 0.5


def nearest(discs: tuple[Disc, ...], at: np.ndarray) -> float:
    return min(float(np.hypot(*(np.array(disc.at) - at))) for disc in discs)


@pytest.mark.parametrize("drawing", [Drawing.PASEO, Drawing.PASEO_BRG])
def test_every_disc_is_found_to_the_pixel_and_nothing_else(drawing: Drawing) -> None:
    people = {number: (1.0 + 0.6 * number, 4.0 - 0.6 * number) for number in range(1, 14)}
    marks = find_discs([ours(people, drawing)])
    assert len(marks.discs) == 15 and len(marks.palette) == 14
    for place in people.values():
        assert nearest(marks.discs, pixel(people, place)) < 1.5


def test_discs_that_overlap_are_both_found() -> None:
    people = {1: (4.0, 1.0), 2: (4.1, 1.2), 3: (7.0, 0.0)}
    apart = find_discs([ours(people | {1: (2.0, 1.0)})]).palette
    assert len(apart) == 4
    marks = find_discs([ours(people), ours(people | {1: (2.0, 1.0)})])
    first = tuple(disc for disc in marks.discs if disc.frame == 0)
    assert len(first) == 5
    for place in people.values():
        assert nearest(first, pixel(people, place)) < 6


def test_a_disc_covered_by_half_is_placed_by_what_is_seen_of_it() -> None:
    covered, clear = (staged({1: place, 2: (5.0, 0.0)}) for place in ((5.2, 0.1), (7.0, 2.0)))
    views = [original_birdseye(scene, 0, dpi=183) for scene in (covered, clear)]
    marks = find_discs(views)
    (hidden,) = [disc for disc in marks.discs if disc.frame == 0 and tuple(
        marks.palette[disc.colour]) == (0, 0, 255)]  # fmt: skip
    (over,) = [disc for disc in marks.discs if disc.frame == 0 and tuple(
        marks.palette[disc.colour]) == (0, 255, 0)]  # fmt: skip
    assert hidden.shown < over.shown
    # Both views have the same limits: 10 m are as wide as between R and G are 8 m high.
    black = sorted(disc.at[1] for disc in marks.discs if not marks.palette[disc.colour].any())
    metre = (black[-1] - black[0]) / 8
    offset = (np.array(hidden.at) - over.at) / metre
    assert offset == pytest.approx([-0.1, -0.2], abs=0.05)


def test_discs_survive_compression() -> None:
    people = {1: (4.0, 1.0), 2: (6.0, -3.0)}
    packed = io.BytesIO()
    Image.fromarray(ours(people)).save(packed, "JPEG", quality=85)
    marks = find_discs([np.asarray(Image.open(packed))])
    assert len(marks.discs) == 4


def test_a_crop_shows_a_disc_on_nothing_but_its_colour() -> None:
    marks = find_discs([ours({1: (4.0, 1.0)})])
    for disc in marks.discs:
        for corner in (disc.crop[0, 0], disc.crop[-1, -1]):
            assert np.abs(corner - marks.palette[disc.colour]).max() <= 24


NOISE = np.random.default_rng(0).integers(0, 255, (600, 600, 3)).astype(np.uint8)
PATCHES = np.repeat(np.repeat(NOISE[:30, :30], 20, axis=0), 20, axis=1)


@pytest.mark.parametrize("picture", [np.full_like(NOISE, 255), NOISE, PATCHES])
def test_a_picture_that_is_no_drawing_is_told(picture: Pixels) -> None:
    with pytest.raises(BadValue, match="bird's-eye pictures"):
        find_discs([picture])


def test_of_countless_discs_in_one_colour_only_a_few_are_looked_for() -> None:
    rows, columns = np.mgrid[:400, :400] % 50 - 25
    dotted = np.full((400, 400, 3), 255, np.uint8)
    dotted[np.hypot(rows, columns) < 15] = (200, 0, 0)
    assert len(find_discs([dotted]).discs) == 4
