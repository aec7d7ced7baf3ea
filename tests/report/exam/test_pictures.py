"""Pictures for a page: those the model was shown, as large as there is room."""

import io
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from paseo.errors import InputError, MissingData
from paseo.render.raster.strokes import Frame
from paseo.report.exam.pictures import SIZES, fitted, scene_pictures
from paseo.vlm.models import Picture
from paseo.vqa.exam.transcript import Transcript, transcript
from paseo.vqa.pictures.pictures import Drawing
from shown_exams import put


@pytest.fixture(scope="module")
def exam(tmp_path_factory: pytest.TempPathFactory) -> Transcript:
    return transcript(put(tmp_path_factory.mktemp("exam"), ids=()))


def noise(count: int, height: int, width: int) -> list[Frame]:
    """Frames that hardly compress."""
    rng = np.random.default_rng(0)
    return [rng.integers(0, 256, (height, width, 3), dtype=np.uint8) for _ in range(count)]


def total(pictures: tuple[Picture, ...]) -> int:
    return sum(len(each.content) for each in pictures)


def size(picture: Picture) -> tuple[int, int]:
    return Image.open(io.BytesIO(picture.content)).size


def test_pictures_are_as_large_as_the_room_allows() -> None:
    frames = noise(2, 800, 500)
    whole, half = fitted(frames, 10**7), fitted(frames, 250_000)
    assert size(whole[0]) == (500, 800)
    assert total(half) <= 250_000 < total(whole)
    assert size(half[0])[1] in {side for side, _ in SIZES}


def test_without_room_they_are_as_small_as_can_still_be_seen() -> None:
    (picture,) = fitted(noise(1, 500, 1000), 10)
    assert size(picture) == (SIZES[-1][0], SIZES[-1][0] // 2)


def test_a_later_frame_may_need_more_room_than_the_first() -> None:
    plain = [np.zeros_like(each) for each in noise(1, 400, 400)]
    assert total(fitted(plain + noise(3, 400, 400), 200_000)) <= 200_000


def test_a_scene_gives_the_frames_that_were_shown(exam: Transcript) -> None:
    film = scene_pictures(exam, exam.plan.scenes[0])
    pictures = film.pictures
    shades = [np.asarray(Image.open(io.BytesIO(each.content)))[0, -1, 0] for each in pictures]
    assert np.abs(np.array(shades, int) - 25 * np.arange(10)).max() <= 6
    assert film == scene_pictures(exam, exam.plan.scenes[0])
    assert film.size == size(pictures[0])


def test_the_size_is_the_one_the_model_got_also_where_a_page_has_no_room_for_it(
    exam: Transcript, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("paseo.report.exam.pictures.SIZES", ((32, 50),))
    film = scene_pictures(exam, exam.plan.scenes[0])
    assert max(size(film.pictures[0])) == 32
    assert film.size == (64, 36)
    small = replace(exam, presentation=replace(exam.presentation, largest_px=48))
    assert scene_pictures(small, exam.plan.scenes[0]).size == (48, 27)


def test_a_scene_that_is_not_the_same_any_more_is_not_shown(exam: Transcript) -> None:
    first = exam.plan.scenes[0]
    with pytest.raises(InputError, match="has changed since"):
        scene_pictures(exam, replace(first, hash="0"))
    theirs = replace(exam.presentation, drawing=Drawing.DATASET)
    with pytest.raises(MissingData, match="no pictures drawn by others"):
        scene_pictures(replace(exam, presentation=theirs), first)
    with pytest.raises(MissingData, match="the scenes are not there"):
        scene_pictures(replace(exam, scenes=None), first)
