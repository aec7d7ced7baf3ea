"""Where the camera of a folder's scenes is, which puts waypoints into the front view."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta

from paseo.camera.lens.presets import preset
from paseo.data.scenes.tree import Tree
from paseo.vqa.geometry.aftermath import REMEDY
from paseo.world.arrays import FloatArray
from paseo.world.scenes import Camera, Scene

FILE = "dataset_cfg.yaml"
DEFAULT = "socialnavsub"  # the preset whose height and lens are taken where nobody tells
NEAREST = 0.3  # metres before the camera; what is nearer is not seen


class MountFile(msgspec.Struct, frozen=True):
    """What dataset_cfg.yaml may say of where the camera is."""

    camera_height: Annotated[float, Meta(gt=0, le=100)] | None = None  # metres above the ground
    camera_x_offset: Annotated[float, Meta(ge=-100, le=100)] | None = None  # before the middle


@dataclass(frozen=True, slots=True, kw_only=True)
class Mount:
    """A level camera on the robot."""

    height: float  # metres above the ground
    forward: float  # metres before the middle of the robot
    is_known: bool  # else it is a guess, and marks in the front view are off accordingly

    def pixels(self, places: FloatArray, pose: FloatArray, camera: Camera) -> FloatArray:
        """Where places (n, 2) on the ground are seen from a pose (3,): column, row; NaN: not.

        Both are given in one frame; what lies outside of the picture is not seen either.
        """
        cos, sin = np.cos(pose[2]), np.sin(pose[2])
        away = places - pose[:2]
        ahead = away @ np.array([cos, sin]) - self.forward
        left = away @ np.array([-sin, cos])
        ahead = np.where(ahead >= NEAREST, ahead, np.nan)
        columns = camera.cx - camera.fx * left / ahead
        rows = camera.cy + camera.fy * self.height / ahead
        seen = (columns >= 0) & (columns < camera.width_px) & (rows < camera.height_px)
        found: FloatArray = np.where(seen, [columns, rows], np.nan).T
        return found


def mount_of(folder: Path) -> Mount:
    """As the folder's dataset_cfg.yaml says, else as the preset `socialnavsub` has it."""
    tree, usual = Tree(folder, REMEDY), preset(DEFAULT)
    told = tree.yaml(FILE, MountFile) if tree.has(FILE) else MountFile()
    height = told.camera_height
    return Mount(
        height=usual.height if height is None else height,
        forward=usual.forward if told.camera_x_offset is None else told.camera_x_offset,
        is_known=height is not None,
    )


def lens_of(scene: Scene, size: tuple[int, int]) -> Camera:
    """The scene's camera; of one that tells none the preset's, scaled to its pictures."""
    if scene.camera is not None:
        return scene.camera
    usual = preset(DEFAULT)
    width, height = size
    focal = usual.fx * width / usual.width_px
    return Camera(width_px=width, height_px=height, fx=focal, fy=focal, cx=width / 2, cy=height / 2)
