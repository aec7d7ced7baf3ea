"""A scene as it looks in a mirror."""

import io
from dataclasses import replace

import numpy as np
from PIL import Image

from paseo.vqa.pictures.photos import photo, photo_size
from paseo.world.arrays import FloatArray
from paseo.world.scenes import Camera, NumberedPerson, Scene


def mirrored(scene: Scene) -> Scene:
    """Left and right exchanged in all there is; the numbers of the people stay.

    Pictures become PNG, which loses nothing. What others drew is left out: its numbers would
    stand the wrong way round.
    """
    width = photo_size(scene.frames[0], f"scene {scene.id}, frame 0")[0]
    return replace(
        scene,
        frames=tuple(
            _flipped(frame, f"scene {scene.id}, frame {k}") for k, frame in enumerate(scene.frames)
        ),
        robot=scene.robot * [1.0, -1.0, -1.0],
        goal=(scene.goal[0], -scene.goal[1]),
        people=tuple(_person(each, width) for each in scene.people),
        camera=_camera(scene.camera),
        composites=(),
    )


def _person(person: NumberedPerson, width: int) -> NumberedPerson:
    boxes: FloatArray = person.boxes.copy()
    boxes[:, 0], boxes[:, 2] = width - person.boxes[:, 2], width - person.boxes[:, 0]
    return replace(person, positions=person.positions * [1.0, -1.0], boxes=boxes)


def _camera(camera: Camera | None) -> Camera | None:
    return camera and replace(camera, cx=camera.width_px - camera.cx)


def _flipped(content: bytes, where: str) -> bytes:
    buffer = io.BytesIO()
    flipped = np.ascontiguousarray(photo(content, where)[:, ::-1])
    Image.fromarray(flipped).save(buffer, "PNG", compress_level=1)
    return buffer.getvalue()
