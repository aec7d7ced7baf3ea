"""`paseo scenes show`."""

import argparse
import io
from collections.abc import Sequence

from PIL import Image

from paseo.data.scenes.dataset import open_scenes
from paseo.data.store.locations import data_dir
from paseo.errors import InputError
from paseo.files import write_whole
from paseo.render.raster.film import write_film
from paseo.render.raster.strokes import Frame
from paseo.vqa.pictures.contact_sheet import contact_sheet
from paseo.vqa.pictures.pictures import Drawing, Layout, drawing_of, drawn
from paseo.world.scenes import DT

PICTURES, FILMS = {".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG"}, (".mp4", ".gif")
ONE = (Layout.GRID, Layout.GRID_BEV)
ON_A_SHEET, IN_A_FILM = 800, 1080  # pixels on the longer side of each picture


def show(options: argparse.Namespace) -> int:
    """Draw what a model is shown of a scene, and print where to."""
    ending, layout = options.out.suffix.lower(), Layout(options.images)
    if ending not in (*PICTURES, *FILMS):
        raise InputError(
            f"{options.out}: nothing can be drawn as '{options.out.suffix}', expected "
            f"{', '.join((*PICTURES, *FILMS))}; choose another ending"
        )
    if ending in FILMS and layout in ONE:
        raise InputError(
            f"--images {layout.value} is a single picture, which {options.out} cannot show as a "
            "film; choose .png, or other images"
        )
    folder = options.scenes or data_dir() / "socialnav-sub"
    scene = open_scenes(folder).read(options.scene)
    wanted = None if options.drawing is None else Drawing(options.drawing)
    largest = IN_A_FILM if ending in FILMS else None if layout in ONE else ON_A_SHEET
    frames = list(drawn(scene, layout, drawing_of(scene, wanted), largest_px=largest))
    if ending in FILMS:
        write_film(options.out, frames, 1 / DT)
    else:
        write_whole(options.out, _encoded(frames, PICTURES[ending]))
    print(options.out)
    return 0


def _encoded(frames: Sequence[Frame], form: str) -> bytes:
    page = frames[0] if len(frames) == 1 else contact_sheet(frames)
    buffer = io.BytesIO()
    Image.fromarray(page).save(buffer, form, quality=90)
    return buffer.getvalue()
