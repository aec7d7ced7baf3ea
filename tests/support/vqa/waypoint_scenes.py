"""Small scenes of which is known where their robots went on to."""

from pathlib import Path

import numpy as np

from paseo.data.scenes.scene_file import write_scene
from paseo.vqa.geometry.aftermath import Aftermath, aftermath_bytes
from paseo.world.scenes import Camera, NumberedPerson, Scene
from tiny_scenes import picture

SIZE = (128, 72)
LENS = Camera(width_px=128, height_px=72, fx=62.3, fy=62.5, cx=64.0, cy=36.0)


def going(id: str, *, goal: tuple[float, float] = (8.0, 0.0)) -> Scene:
    """A robot that drives at 1 m/s along x for a second; a person stands 4 m ahead of its start."""
    frames = 5
    robot = np.column_stack([0.25 * np.arange(frames), np.zeros((frames, 2))])
    person = NumberedPerson(
        number=1,
        positions=np.tile([4.0, 0.0], (frames, 1)),
        boxes=np.tile([60.0, 20.0, 70.0, 50.0], (frames, 1)),
    )
    return Scene(
        id=id, frames=[picture(k, size=SIZE) for k in range(frames)], period=0.25, robot=robot,
        goal=goal, people=(person,), camera=LENS,
    )  # fmt: skip


def waypoint_folder(folder: Path, *ids: str, went: tuple[float, float] = (3.0, 1.0)) -> Path:
    """Scenes whose robots were there 2.5 s after the last frame."""
    (folder / "aftermath").mkdir(parents=True)
    for id in ids:
        write_scene(going(id), folder)
        way = np.linspace([1.0, 0.0], went, 11)[1:]
        after = Aftermath(period=0.25, robot=np.column_stack([way, np.zeros(10)]))
        (folder / "aftermath" / f"{id}.json").write_bytes(aftermath_bytes(after))
    return folder
