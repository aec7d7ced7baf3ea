"""A picture's depth as points in the world."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paseo.camera.lens.projection import pixel_rays, project
from paseo.errors import BadValue
from paseo.world.arrays import BoolArray, FloatArray, IntArray
from paseo.world.cameras import Camera, RgbdImage
from paseo.world.motion import Pose
from paseo.world.planning import Briefing, Observation

BEYOND = 0.7  # metres, more than which nobody is thick
HEIGHTS = np.array([0.5, 0.8, 1.1, 1.4])  # metres at which somebody would be seen
FARTHEST_FLOOR = 6.0  # metres of depth within which the floor is looked at for noise
MOST_UNEVEN = 0.05  # metres at 1 m
LEAST_FLOOR = 50  # pixels
MOST_PIXELS = 80_000  # that are looked at; of larger pictures every second one, or fewer


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """What is seen where, for each pixel that tells a depth."""

    places: FloatArray  # (points, 3), metres in the world
    areas: FloatArray  # (points,), square metres across the line of sight
    ids: NDArray[np.int32] | None  # (points,), whom they show, where that is known

    def some(self, which: BoolArray | IntArray) -> "Points":
        """Those of them, by a mask or by their indices."""
        ids = None if self.ids is None else self.ids[which]
        return Points(self.places[which], self.areas[which], ids)


class Sighting:
    """What a camera's pictures show; its rays are made once."""

    def __init__(self, camera: Camera) -> None:
        self.camera = camera
        most = MOST_PIXELS / (camera.width_px * camera.height_px)
        step = 1 if most >= 1 else int(np.ceil(most**-0.5))
        self._every = (slice(step // 2, None, step), slice(step // 2, None, step))
        rays = pixel_rays(camera)[self._every]
        self._rays = np.concatenate([rays, np.ones((*rays.shape[:2], 1))], axis=2).reshape(-1, 3)
        down = self._rays @ camera.view(Pose(0.0, 0.0)).rotation[2]
        with np.errstate(divide="ignore", invalid="ignore"):
            floor = np.where(down < 0, -camera.height / down, np.nan)
        self._floor_pixels = np.flatnonzero(floor < FARTHEST_FLOOR)
        self._floor = floor[self._floor_pixels]
        self._area = step**2 / (camera.fx * camera.fy)  # square metres of a pixel at 1 m

    def noise(self, image: RgbdImage) -> float:
        """The deviation of depth at 1 m, in metres, by how uneven the known floor looks.

        It grows with the square of depth, as that of stereo and structured light does.
        """
        depth = image.depth[self._every].ravel()[self._floor_pixels].astype(np.float64)
        uneven = np.abs(depth - self._floor) / self._floor**2
        seen = uneven[uneven < MOST_UNEVEN]  # what is more is no floor
        return 1.4826 * float(np.median(seen)) if len(seen) >= LEAST_FLOOR else 0.0

    def points(self, image: RgbdImage) -> Points:
        """Where in the world the pixels of a picture are."""
        depth = image.depth[self._every].ravel().astype(np.float64)
        told = np.flatnonzero(np.isfinite(depth * self._rays[:, 0]))
        depth = depth[told]
        view = self.camera.view(image.pose)
        places = (self._rays[told] * depth[:, None]) @ view.rotation.T + view.position
        ids = None if image.ids is None else image.ids[self._every].ravel()[told]
        return Points(places, depth**2 * self._area, ids)

    def sees_beyond(self, image: RgbdImage, place: FloatArray) -> bool:
        """Whether the picture shows that nobody is at a place, (2,): one sees through there.

        What is hidden by something nearer, or out of the picture, says nothing.
        """
        camera = self.camera
        points = np.column_stack([np.tile(place, (len(HEIGHTS), 1)), HEIGHTS])
        u, v, depth = project(points, camera, camera.view(image.pose)).T
        inside = (u >= 0) & (u < camera.width_px) & (v >= 0) & (v < camera.height_px)
        pixels = v[inside].astype(int), u[inside].astype(int)
        return bool((image.depth[pixels] > depth[inside] + BEYOND).any())


def camera_of(briefing: Briefing) -> Camera:
    """The robot's camera; without one nothing can be perceived."""
    if briefing.camera is None:
        raise BadValue("a perception needs a camera on the robot; let the robot see by one")
    return briefing.camera


def picture_of(observation: Observation) -> RgbdImage:
    """What the camera shows; without one nothing can be perceived."""
    if observation.image is None:
        raise BadValue("a perception needs a picture in every observation; there is none")
    return observation.image
