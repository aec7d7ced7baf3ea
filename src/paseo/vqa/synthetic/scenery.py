"""Where staged scenes take place: on floor plans that ship, with room for everybody."""

import math
from dataclasses import dataclass

import numpy as np

from paseo.data.maps.floorplans import shipped_floorplan, shipped_maps
from paseo.data.scenes.socialnavsub import TIMING
from paseo.vqa.synthetic.casting import Staging
from paseo.world.arrays import FloatArray
from paseo.world.motion import Pose
from paseo.world.space.floorplan import FloorPlan

TRIES = 1500  # poses of the robot that are looked at on each plan
ROOM = 0.35  # metres from somebody's middle to a wall
SIGHT = 0.15  # metres from a line of sight to a wall
STEP = 0.5  # metres between points that are looked at on a line of sight
FAR = 30.0  # metres; further nobody looks
ACROSS = np.radians([-40, -20, 0, 20, 40])  # of the camera's view


@dataclass(frozen=True, slots=True)
class Scenery:
    """A floor plan, and where on it the robot is at the first frame."""

    plan: FloorPlan
    start: Pose

    def onto_plan(self, points: FloatArray) -> FloatArray:
        """Where points of the robot's first frame, (..., 2), are on the plan."""
        start = np.array([self.start.x, self.start.y, self.start.heading])
        return _onto_plan(points.reshape(-1, 2), start[None])[0].reshape(points.shape)

    def pose(self, x: float, y: float, heading: float) -> Pose:
        """Where a pose of the robot's first frame is on the plan."""
        place = self.onto_plan(np.array([x, y]))
        return Pose(float(place[0]), float(place[1]), self.start.heading + heading)


def scenery_for(staging: Staging, plan: str) -> Scenery:
    """Where on a plan a scene has room and a wide view; the same for the same scene and seed."""
    floor = shipped_floorplan(plan)
    rng = np.random.default_rng([*f"{staging.id} {plan}".encode()])
    x0, y0, x1, y1 = floor.bounds
    poses = rng.uniform([x0, y0, -math.pi], [x1, y1, math.pi], (TRIES, 3))
    cramped = _lacking(floor, _onto_plan(_trodden(staging), poses), ROOM)
    best = poses[cramped == cramped.min()]
    hidden = _lacking(floor, _onto_plan(_sight_lines(staging), best), SIGHT)
    best = best[hidden == hidden.min()]
    x, y, heading = best[np.argmax(_widths(floor, best))].tolist()
    return Scenery(floor, Pose(x, y, heading))


def plans_for(seed: int, scenes: int, most: int | None = None) -> tuple[str, ...]:
    """A plan for each of so many scenes: each in turn, or `most` of them, another first by seed."""
    plans = shipped_maps()
    first = [plans[(seed + number) % len(plans)] for number in range(most or len(plans))]
    return tuple(first[number % len(first)] for number in range(scenes))


def _times() -> FloatArray:
    return TIMING.period * np.arange(TIMING.frames, dtype=np.float64)


def _trodden(staging: Staging) -> FloatArray:
    """Where anybody is at any frame, and the goal, (points, 2) in the robot's first frame."""
    walked = [walker.walk.position(time) for walker in staging.walkers for time in _times()]
    driven = [staging.drive.pose(time)[:2] for time in _times()]
    return np.array([*walked, *driven, staging.goal])


def _sight_lines(staging: Staging) -> FloatArray:
    """Points between the camera and those whom it is to see, (points, 2)."""
    lines = []
    for walker in staging.walkers:
        for frame in staging.seen(walker):
            time = frame * TIMING.period
            start = np.array(staging.drive.pose(time)[:2])
            end = np.array(walker.walk.position(time))
            steps = max(2, math.ceil(math.dist(start, end) / STEP))
            lines.append(start + np.linspace(0.0, 1.0, steps)[:, None] * (end - start))
    return np.concatenate(lines)


def _onto_plan(points: FloatArray, starts: FloatArray) -> FloatArray:
    """Points (points, 2) as seen from each start (starts, 3), on the plan, (starts, points, 2)."""
    cos, sin = np.cos(starts[:, 2, None]), np.sin(starts[:, 2, None])
    x, y = points[:, 0], points[:, 1]
    return np.stack(
        [starts[:, 0, None] + cos * x - sin * y, starts[:, 1, None] + sin * x + cos * y], axis=2
    )


def _lacking(plan: FloorPlan, points: FloatArray, room: float) -> FloatArray:
    """How many of the points of each pose, (poses, points, 2), have less room, (poses,)."""
    clearances = plan.grid_clearances(points.reshape(-1, 2)).reshape(points.shape[:2])
    return np.asarray((clearances < room).sum(axis=1), np.float64)


def _widths(plan: FloorPlan, poses: FloatArray) -> FloatArray:
    """How far one sees from each pose, on average over the camera's view, (poses,)."""
    ways = np.arange(STEP, FAR, STEP)
    rays = np.stack([np.outer(ways, np.cos(ACROSS)), np.outer(ways, np.sin(ACROSS))], axis=2)
    points = _onto_plan(rays.reshape(-1, 2), poses)
    free = plan.grid_clearances(points.reshape(-1, 2)).reshape(len(poses), len(ways), len(ACROSS))
    seen = np.logical_and.accumulate(free > 0, axis=1).sum(axis=1)  # steps, (poses, rays)
    return np.asarray(seen.mean(axis=1), np.float64)
