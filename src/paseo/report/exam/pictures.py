"""The pictures of an exam's scenes, made small enough for one page to hold them all."""

from dataclasses import dataclass

import numpy as np
from PIL import Image

from paseo.data.scenes.images import Size
from paseo.render.raster.strokes import Frame
from paseo.vlm.models import Picture
from paseo.vqa.exam.plan import AskedScene
from paseo.vqa.exam.transcript import Transcript
from paseo.vqa.pictures.photos import jpeg
from paseo.vqa.pictures.showing import ONE

ROOM = 18_000_000  # bytes of all pictures of a page; as text they take a third more
MOST_ROOM = 4_000_000  # of one scene
# Longer side in pixels and JPEG quality, from what is nice to have to what must do.
SIZES = (
    *((2048, 82), (1600, 82), (1280, 82), (1040, 80), (880, 75), (720, 70)),
    *((600, 62), (480, 55), (360, 45)),
)


PER_PIXEL = 0.05  # bytes, of the smallest JPEGs: what cannot fit is not drawn


@dataclass(frozen=True, slots=True)
class Film:
    """What the model was shown of a scene, and the size in which it got each picture."""

    pictures: tuple[Picture, ...]
    size: Size  # width and height in pixels


def scene_pictures(exam: Transcript, asked: AskedScene, *, scenes: int | None = None) -> Film:
    """What the model was shown of a scene, in that size or as near as there is room for.

    The room is shared by so many scenes, those of the exam unless told otherwise. `InputError` says
    why it cannot be shown.
    """
    room = min(MOST_ROOM, ROOM // (scenes or len(exam.plan.scenes)))
    frames = asked.timing.frames if exam.plan.images not in ONE else 1
    fits = (side for side, _ in SIZES if PER_PIXEL * frames * side**2 / 2 < room)
    shown = exam.shown(asked, largest_px=next(fits, SIZES[-1][0]))
    return Film(fitted(shown.frames, room), shown.size)


def fitted(frames: list[Frame], room: int) -> tuple[Picture, ...]:
    """The frames as JPEGs as good as the room in bytes allows, none worse than the last size."""
    for side, quality in SIZES[:-1]:
        first = jpeg(_at_most(frames[0], side), quality)
        if len(first) * len(frames) > room:
            continue  # found out without the others
        pictures = _encoded(frames, side, quality)
        if sum(len(each.content) for each in pictures) <= room:
            return pictures
    return _encoded(frames, *SIZES[-1])


def _encoded(frames: list[Frame], side: int, quality: int) -> tuple[Picture, ...]:
    return tuple(Picture(jpeg(_at_most(frame, side), quality)) for frame in frames)


def _at_most(frame: Frame, side: int) -> Frame:
    height, width = frame.shape[:2]
    share = min(1.0, side / max(width, height))
    size = max(1, round(width * share)), max(1, round(height * share))
    # Twice as fast as what is sharpest; a page takes hundreds of them.
    return np.array(Image.fromarray(frame).resize(size, Image.Resampling.HAMMING))
