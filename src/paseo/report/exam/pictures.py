"""The pictures of an exam's scenes, made small enough for one page to hold them all."""

import numpy as np
from PIL import Image

from paseo.data.scenes.dataset import SceneFolder
from paseo.errors import InputError
from paseo.render.raster.strokes import Frame
from paseo.vlm.models import Picture
from paseo.vqa.exam.plan import AskedScene, ExamPlan
from paseo.vqa.exam.preparing import scene_hash
from paseo.vqa.pictures.photos import jpeg
from paseo.vqa.pictures.pictures import Drawing, Layout, drawn

ROOM = 18_000_000  # bytes of all pictures of a page; as text they take a third more
MOST_ROOM = 900_000  # of one scene
# Longer side in pixels and JPEG quality, from what is nice to have to what must do.
SIZES = ((1280, 82), (1040, 80), (880, 75), (720, 70), (600, 62), (480, 55), (360, 45))


def scene_pictures(scenes: SceneFolder, asked: AskedScene, plan: ExamPlan) -> tuple[Picture, ...]:
    """What the model was shown of a scene, scaled down; `InputError` says why it cannot be."""
    scene = scenes.read(asked.id)
    if scene_hash(scene) != asked.hash:
        raise InputError("the scene has changed since it was asked about")
    # A smaller drawing looks the same; only what the model was shown smaller still stays so.
    largest = min(plan.largest_px or SIZES[0][0], SIZES[0][0])
    frames = drawn(scene, Layout(plan.images), Drawing(plan.drawing), largest_px=largest)
    return fitted(list(frames), min(MOST_ROOM, ROOM // len(plan.scenes)))


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
