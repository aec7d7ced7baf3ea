"""The pictures of an exam's scenes, made small enough for one page to hold them all."""

import numpy as np
from PIL import Image

from paseo.render.raster.strokes import Frame
from paseo.vlm.models import Picture
from paseo.vqa.exam.plan import AskedScene
from paseo.vqa.exam.transcript import Transcript
from paseo.vqa.pictures.photos import jpeg

ROOM = 18_000_000  # bytes of all pictures of a page; as text they take a third more
MOST_ROOM = 900_000  # of one scene
# Longer side in pixels and JPEG quality, from what is nice to have to what must do.
SIZES = ((1280, 82), (1040, 80), (880, 75), (720, 70), (600, 62), (480, 55), (360, 45))


def scene_pictures(exam: Transcript, asked: AskedScene) -> tuple[Picture, ...]:
    """What the model was shown of a scene, scaled down; `InputError` says why it cannot be."""
    # A smaller drawing looks the same; only what the model was shown smaller still stays so.
    frames = exam.frames(asked, largest_px=SIZES[0][0])
    return fitted(frames, min(MOST_ROOM, ROOM // len(exam.plan.scenes)))


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
