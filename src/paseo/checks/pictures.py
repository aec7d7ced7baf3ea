"""Simple pictures of the small worlds, drawn without a renderer, and who is shown them."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from paseo.camera.lens.projection import pixel_rays
from paseo.sim.sensing import NOBODY
from paseo.world.arrays import FloatArray
from paseo.world.cameras import Camera, RgbdImage, level_camera
from paseo.world.motion import Command, Pose
from paseo.world.planning import Briefing, Observation, Planner
from paseo.world.scenarios import Scenario
from paseo.world.space.floorplan import FloorPlan

CAMERA = level_camera(80, 60, across=math.radians(90))
TALL, WIDE = 1.7, 0.2  # metres, of the columns that stand for people, and their radius
FLOOR, CEILING = 0.0, 3.0  # metres

People = Mapping[int, FloatArray]  # by id, where they are, (2,)


class ShownPictures:
    """A planner that looks: told of nobody, it is shown those whom it would be told of."""

    def __init__(self, planner: Planner) -> None:
        self._planner = planner

    def __getattr__(self, name: str) -> Any:
        return getattr(self._planner, name)

    def begin(self, briefing: Briefing) -> None:
        """Begin, with a camera."""
        self._plan = briefing.floorplan
        self._planner.begin(replace(briefing, camera=CAMERA))

    def plan(self, observation: Observation) -> Command:
        """Plan by a picture."""
        time, robot, crowd = observation.time, observation.robot, observation.crowd
        people = dict(zip(crowd.ids.tolist(), crowd.positions, strict=True))
        image = column_picture(self._plan, people, camera=CAMERA, pose=robot.pose, time=time)
        return self._planner.plan(Observation(time, robot, NOBODY, without_ids(image)))


def people_at(scenario: Scenario, time: float) -> People:
    """Where everybody of a scenario is then."""
    return {each.id: each.positions_at(np.array([time]))[0] for each in scenario.tracks}


def without_ids(image: RgbdImage) -> RgbdImage:
    """The picture as a planner gets it."""
    return RgbdImage(image.time, image.pose, image.rgb, image.depth)


def column_picture(
    plan: FloorPlan, people: People, *, camera: Camera, pose: Pose, time: float
) -> RgbdImage:
    """A picture of an empty room, with a column for each person."""
    rays = pixel_rays(camera)
    view = camera.view(pose)
    ways = np.concatenate([rays, np.ones((*rays.shape[:2], 1))], axis=2) @ view.rotation.T
    depth = _room_depth(ways, view.position, plan.walls)
    ids = np.full(depth.shape, -1, np.int32)
    for person, place in people.items():
        reached = _column_depth(ways, view.position, place)
        nearer = reached < depth
        depth[nearer], ids[nearer] = reached[nearer], person
    rgb = np.where((ids >= 0)[..., None], 180, 90).astype(np.uint8).repeat(3, axis=2)
    image = RgbdImage(time, pose, rgb, depth.astype(np.float32), ids)
    for array in (image.rgb, image.depth, ids):
        array.flags.writeable = False
    return image


def _room_depth(ways: FloatArray, at: FloatArray, walls: FloatArray) -> FloatArray:
    """How deep floor, ceiling and walls, (walls, 2, 2), are seen, (height, width)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        far = [(level - at[2]) / ways[..., 2] for level in (FLOOR, CEILING)]
        for start, end in walls:
            along, away = end - start, start - at[:2]
            across = ways[..., 0] * along[1] - ways[..., 1] * along[0]
            reached = (away[0] * along[1] - away[1] * along[0]) / across
            share = (away[0] * ways[..., 1] - away[1] * ways[..., 0]) / across
            far.append(np.where((share >= 0) & (share <= 1), reached, np.inf))
    depth: FloatArray = np.where(np.array(far) > 0, far, np.inf).min(axis=0)
    return depth


def _column_depth(ways: FloatArray, at: FloatArray, place: FloatArray) -> FloatArray:
    """How deep a column at a place, (2,), is seen from outside; infinite beside it."""
    away = place - at[:2]
    square = (ways[..., :2] ** 2).sum(axis=2)
    along = ways[..., :2] @ away / square
    inside = WIDE**2 - (away @ away - along**2 * square)
    depth = along - np.sqrt(np.maximum(inside, 0.0) / square)
    height = at[2] + depth * ways[..., 2]
    hit = (inside > 0) & (depth > 0) & (height > 0) & (height < TALL)
    found: FloatArray = np.where(hit, depth, np.inf)
    return found
