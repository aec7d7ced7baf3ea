import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from paseo.errors import UnknownName
from paseo.vqa.baselines.reading.engines import ENGINES, Engine, Pixels, engine, plain_text

TEXTS = ["R", "G", "1", "2", "4", "7", "10", "13"]


NEEDS = {
    "rapidocr": [pytest.mark.extra("ocr")],
    "tesseract": [pytest.mark.tesseract, pytest.mark.extra("tesseract")],
}


@pytest.fixture(
    scope="module", params=[pytest.param(name, marks=NEEDS[name]) for name in sorted(ENGINES)]
)
def reader(request: pytest.FixtureRequest) -> Engine:
    return engine(request.param)


def written(text: str, ink: str = "white", paper: str = "#882255") -> Pixels:
    picture = Image.new("RGB", (48, 48), paper)
    font = ImageFont.load_default(30)
    ImageDraw.Draw(picture).text((24, 24), text, ink, font, anchor="mm")
    return np.asarray(picture)


def test_of_the_letters_and_numbers_of_marks_one_may_be_missed_and_none_misread(
    reader: Engine,
) -> None:
    readings = reader.read([written(text) for text in TEXTS])
    read = {text: each for text, each in zip(TEXTS, readings, strict=True) if each.text}
    assert len(read) >= len(TEXTS) - 1
    assert all(text == each.text and 0.3 < each.confidence <= 1 for text, each in read.items())


def test_dark_letters_on_a_pale_disc_are_read_too(reader: Engine) -> None:
    assert reader.read([written("12", "black", "#FFAABB")])[0].text == "12"


def test_signs_of_numbers_at_ticks_are_read(reader: Engine) -> None:
    assert reader.read([written("-4", "black", "white")])[0].text == "-4"


def test_an_empty_crop_has_no_text(reader: Engine) -> None:
    blank = np.full((40, 40, 3), 200, np.uint8)
    assert [reading.text for reading in reader.read([blank, written("7")])] == ["", "7"]


def test_nothing_to_read_is_no_reading(reader: Engine) -> None:
    assert reader.read([]) == []


def test_the_same_pictures_give_the_same_readings(reader: Engine) -> None:
    crops = [written(text) for text in TEXTS]
    assert reader.read(crops) == reader.read(crops)


@pytest.mark.parametrize("minus", ["-2", "\u22122", "\u20132", " - 2", "\uff0d\uff12"])
def test_every_kind_of_minus_is_the_same(minus: str) -> None:
    assert plain_text(minus) == "-2"


def test_an_unknown_engine_is_named_with_a_near_one() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'tesseract'"):
        engine("teseract")
