"""A scene drawn into a file, as a model is shown it."""

import io
from collections.abc import Sequence
from pathlib import Path

from PIL import Image

from paseo.errors import InputError
from paseo.files import write_whole
from paseo.render.raster.film import write_film
from paseo.render.raster.strokes import Frame
from paseo.vqa.pictures.contact_sheet import contact_sheet
from paseo.vqa.pictures.pictures import Drawing, Layout, drawing_of, drawn
from paseo.world.scenes import Scene

PICTURES, FILMS = {".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG"}, (".mp4", ".gif")
ONE = (Layout.GRID, Layout.GRID_BEV)
ON_A_SHEET, IN_A_FILM = 800, 1080  # pixels on the longer side of each picture


def check_ending(out: Path, images: Layout = Layout.FRONT_BEV) -> None:
    """Raise `InputError` where pictures in a layout cannot be drawn into such a file."""
    ending = out.suffix.lower()
    if ending not in (*PICTURES, *FILMS):
        raise InputError(
            f"{out}: nothing can be drawn as '{out.suffix}', expected "
            f"{', '.join((*PICTURES, *FILMS))}; choose another ending"
        )
    if ending in FILMS and images in ONE:
        raise InputError(
            f"{out}: images {images.value} is a single picture, which no film can show; choose "
            ".png, or another layout",
            parameters=["images"],
        )


def show_scene(
    scene: Scene,
    out: Path,
    *,
    images: Layout = Layout.FRONT_BEV,
    drawing: Drawing | None = None,
) -> None:
    """Draw what a model is shown of a scene: a picture, or a film by the file's ending."""
    check_ending(out, images)
    ending = out.suffix.lower()
    largest = IN_A_FILM if ending in FILMS else None if images in ONE else ON_A_SHEET
    frames = list(drawn(scene, images, drawing_of([scene], drawing), largest_px=largest))
    if ending in FILMS:
        write_film(out, frames, scene.timing.rate)
    else:
        write_whole(out, _encoded(frames, scene.period, PICTURES[ending]))


def _encoded(frames: Sequence[Frame], period: float, form: str) -> bytes:
    page = frames[0] if len(frames) == 1 else contact_sheet(frames, period)
    buffer = io.BytesIO()
    Image.fromarray(page).save(buffer, form, quality=90)
    return buffer.getvalue()
