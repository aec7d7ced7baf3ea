"""Figures by matplotlib (extra `plots`) as files: the same bytes, whatever the user's settings."""

import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from paseo.errors import BadValue, require
from paseo.files import write_whole
from paseo.render.raster.palette import Theme, as_text
from paseo.text import in_a_line

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DPI = 160
LETTERS = 8.0  # points
NOTHING: Mapping[str, Any] = MappingProxyType({})
FORMATS: dict[str, dict[str, Any]] = {
    ".png": {"format": "png", "metadata": {"Software": None}},
    ".svg": {"format": "svg", "metadata": {"Date": None, "Creator": "Paseo"}},
}


@contextmanager
def drawing(theme: Theme, settings: Mapping[str, Any] = NOTHING) -> Iterator[None]:
    """Matplotlib set up for our figures; `settings` are laid over those that all of them have."""
    style = require("matplotlib.style", "plots", "draws figures", package="matplotlib")
    common = {
        "font.family": "DejaVu Sans", "font.size": LETTERS,  # the font comes with matplotlib
        "text.color": as_text(theme.ink), "figure.facecolor": as_text(theme.page),
        "savefig.facecolor": as_text(theme.page),
        "text.parse_math": False,  # a crowd or a planner may be called $1
        "svg.hashsalt": "paseo", "svg.fonttype": "path", "lines.solid_capstyle": "round",
    }  # fmt: skip
    with style.context(["default", {**common, **settings}]):
        yield


def picture_format(path: Path) -> dict[str, Any]:
    """How matplotlib saves a file of this name; `BadValue` for an ending it cannot have."""
    if path.suffix.lower() not in FORMATS:
        raise BadValue(
            f"{path}: no picture can be saved as '{path.suffix}', expected .png or .svg; rename it"
        )
    return FORMATS[path.suffix.lower()]


def save_figure(
    figure: "Figure", path: Path, *, notes: Mapping[str, str] = NOTHING, **how: Any
) -> None:
    """Write as .png or .svg; `notes` such as a Title and a Description go into the file."""
    usual = picture_format(path)
    metadata = {**usual["metadata"], **{key: in_a_line(words) for key, words in notes.items()}}
    write_whole(path, figure_bytes(figure, **{**usual, **how, "metadata": metadata}))


def figure_bytes(figure: "Figure", **how: Any) -> bytes:
    """What a file of the figure holds."""
    buffer = io.BytesIO()
    figure.savefig(buffer, **how)
    return buffer.getvalue()


def printable(text: str) -> str:
    """In one line that can be seen, with a question mark for what the font has no sign for."""
    from matplotlib.font_manager import findfont, get_font

    font = get_font(findfont("DejaVu Sans"))
    signs = " ".join(in_a_line(text).split())
    return "".join(sign if font.get_char_index(ord(sign)) else "?" for sign in signs)
