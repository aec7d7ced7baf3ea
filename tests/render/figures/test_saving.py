"""Figures are saved alike, whatever the settings of whoever saves them."""

from pathlib import Path
from typing import Any

import matplotlib
import pytest
from matplotlib.figure import Figure
from PIL import Image

from paseo.errors import BadValue
from paseo.render.figures.saving import drawing, picture_format, printable, save_figure
from paseo.render.raster.palette import DARK, LIGHT


def saved(path: Path, **notes: str) -> bytes:
    with drawing(DARK, {"lines.linewidth": 3.0}):
        figure = Figure(figsize=(1.0, 0.5), dpi=160)
        figure.subplots().plot([0, 1], [1, 0])
        save_figure(figure, path, notes=notes)
    return path.read_bytes()


@pytest.mark.parametrize("ending", [".png", ".svg", ".PNG"])
def test_settings_of_the_user_do_not_show_and_stay_as_they_are(tmp_path: Path, ending: str) -> None:
    before = saved(tmp_path / f"a{ending}")
    strange: dict[Any, Any] = {"font.size": 30, "axes.grid": True, "svg.hashsalt": None}
    with matplotlib.rc_context(strange):
        assert saved(tmp_path / f"b{ending}") == before
        assert {key: matplotlib.rcParams[key] for key in strange} == strange


def test_notes_go_into_the_file(tmp_path: Path) -> None:
    saved(tmp_path / "a.png", Title="A", Description="what it shows")
    with Image.open(tmp_path / "a.png") as image:
        assert image.size == (160, 80)
        assert image.text == {"Title": "A", "Description": "what it shows"}
    assert b"what it shows" in saved(tmp_path / "a.svg", Description="what it shows")


def test_other_endings_are_refused() -> None:
    with pytest.raises(BadValue, match=r"x\.pdf: no picture can be saved as '\.pdf', expected"):
        picture_format(Path("x.pdf"))


def test_dollars_are_no_formula(tmp_path: Path) -> None:
    with drawing(LIGHT):
        figure = Figure()
        figure.text(0, 0, "$1 and \\frac{")
        save_figure(figure, tmp_path / "a.svg")


def test_what_the_font_cannot_write_becomes_a_question_mark() -> None:
    assert printable("a\nb\x00\U00013000 é") == r"a b\x00? é"
