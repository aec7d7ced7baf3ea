import io
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from PIL import Image

from paseo.vlm.failures import ModelError
from paseo.vlm.films import film
from paseo.vlm.models import Picture


def picture(width: int, shade: int) -> Picture:
    file = io.BytesIO()
    Image.new("RGB", (width, 48), (shade, shade, 90)).save(file, "JPEG")
    return Picture(file.getvalue())


@pytest.mark.extra("video")
def test_threads_that_ask_about_one_scene_share_one_film() -> None:
    frames = tuple(picture(64, shade) for shade in (10, 20, 30))
    with ThreadPoolExecutor(8) as pool:
        films = list(pool.map(lambda _: film(frames, 4.0), range(8)))
    assert len({id(each) for each in films}) == 1


@pytest.mark.extra("video")
def test_a_film_is_the_same_bytes_every_time() -> None:
    frames = tuple(picture(64, shade) for shade in (40, 50, 60))
    first = film(frames, 4.0).content
    for shade in range(8):  # until the first is forgotten
        film((picture(64, shade),), 4.0)
    again = film(frames, 4.0)
    assert again.content == first
    assert again.media_type == "video/mp4"


@pytest.mark.extra("video")
def test_frames_of_several_sizes_make_no_film() -> None:
    with pytest.raises(ModelError, match="one size"):
        film((picture(64, 1), picture(32, 1)), 4.0)


@pytest.mark.extra("video")
def test_a_frame_that_is_no_picture_is_told() -> None:
    with pytest.raises(ModelError, match="no picture"):
        film((Picture(b"nothing"),), 4.0)


def test_without_pyav_the_line_to_type_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(ModelError, match=r"pip install 'paseo\[video\]'"):
        film((picture(16, 99),), 2.0)
