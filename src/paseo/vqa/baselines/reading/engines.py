"""Engines that read short texts out of small pictures, many at once."""

import tempfile
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from paseo.errors import PaseoError, UnknownName, require

Pixels = NDArray[np.uint8]  # (height, width, 3), red, green, blue

_READS = "reads numbers out of pictures"
_MINUS = dict.fromkeys((0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2015, 0x2212, 0x4E00), "-") | {
    ord(" "): None
}
_LETTERS = "0123456789RG-."
_AT_ONCE = 32
_SHAPE = [3, 48, 96]  # numbers are short: a third of the width meant for whole lines of text
_TESSERACT_HEIGHT = 64  # pixels; it was trained on scanned pages and misses smaller print


@dataclass(frozen=True, slots=True)
class Reading:
    """A text and how sure the engine is of it, 0 to 1."""

    text: str
    confidence: float


class Engine(Protocol):
    """Reads texts; the same pictures give the same readings."""

    name: str

    def read(self, crops: Sequence[Pixels]) -> list[Reading]:
        """The text of each crop; empty where there is none to be read."""
        ...


class RapidOcr:
    """The recognition network of PP-OCR, run by onnxruntime; its weights come with the package."""

    name = "rapidocr"

    def __init__(self) -> None:
        library = require("rapidocr_onnxruntime", "ocr", _READS, package="rapidocr-onnxruntime")
        self._recognise: Any = library.RapidOCR(intra_op_num_threads=1).text_rec
        self._recognise.rec_batch_num = _AT_ONCE
        self._recognise.rec_image_shape = _SHAPE

    def read(self, crops: Sequence[Pixels]) -> list[Reading]:
        """The text of each crop."""
        if not crops:
            return []
        reversed_colours = [np.ascontiguousarray(crop[:, :, ::-1]) for crop in crops]
        texts, _ = self._recognise(reversed_colours)
        return [Reading(plain_text(text), float(confidence)) for text, confidence in texts]


class Tesseract:
    """Tesseract, as in the paper; the program itself must be installed beside the package."""

    name = "tesseract"

    def __init__(self) -> None:
        self._tesseract: Any = require("pytesseract", "tesseract", _READS)
        try:
            self._tesseract.get_tesseract_version()
        except self._tesseract.TesseractNotFoundError as error:
            raise PaseoError(
                "the program 'tesseract' is not on the path: install it (on Debian: "
                "apt install tesseract-ocr) or read with rapidocr"
            ) from error

    def read(self, crops: Sequence[Pixels]) -> list[Reading]:
        """The text of each crop, all in one run of the program: starting it is what takes long."""
        if not crops:
            return []
        with tempfile.TemporaryDirectory() as folder:
            paths = [Path(folder) / f"{index}.png" for index in range(len(crops))]
            for path, crop in zip(paths, crops, strict=True):
                _printed(crop).save(path)
            pages = Path(folder) / "pages.txt"
            pages.write_text("\n".join(str(path) for path in paths))
            found = self._tesseract.image_to_data(
                str(pages),
                config=f"--psm 7 --oem 3 -c tessedit_char_whitelist={_LETTERS}",
                output_type=self._tesseract.Output.DICT,
            )
        readings = [Reading("", 0.0)] * len(crops)
        for page, text, confidence in zip(
            found["page_num"], found["text"], found["conf"], strict=True
        ):
            if str(text).strip():
                readings[page - 1] = Reading(plain_text(str(text)), float(confidence) / 100)
        return readings


ENGINES: dict[str, Callable[[], Engine]] = {"rapidocr": RapidOcr, "tesseract": Tesseract}


def engine(name: str) -> Engine:
    """The engine of this name, loaded."""
    if name not in ENGINES:
        raise UnknownName("OCR engine", name, ENGINES)
    return ENGINES[name]()


def plain_text(text: str) -> str:
    """A text in plain digits: wide forms and the many kinds of minus are folded together."""
    folded = unicodedata.normalize("NFKC", text).strip()
    return folded.translate(_MINUS)


def _printed(crop: Pixels) -> Image.Image:
    """Large and dark on white, as on paper."""
    grey = Image.fromarray(crop).convert("L")
    pixels = np.asarray(grey, dtype=np.float64)
    low, high = pixels.min(), pixels.max()
    stretched = (pixels - low) * (255.0 / max(high - low, 1.0))
    # The text covers less of the crop than what it is written on.
    if np.median(stretched) < 127:
        stretched = 255.0 - stretched
    height = _TESSERACT_HEIGHT
    width = max(1, round(grey.width * height / grey.height))
    page = Image.new("L", (width + height, 2 * height), 255)
    page.paste(Image.fromarray(stretched.astype(np.uint8)).resize((width, height)),
               (height // 2, height // 2))  # fmt: skip
    return page
