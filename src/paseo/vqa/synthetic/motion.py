"""The analytic world: where a staged robot and staged people are at any time, in closed form."""

import math
from dataclasses import dataclass

from paseo.world.scenes import Camera

Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, top, right, bottom in pixels

EYE = 0.75  # metres above the ground; the camera looks level along the robot's heading
NEAREST = 0.6  # metres before the camera; what is nearer is not seen
SHOULDERS = 0.55  # metres, the width of a person
SLIVER = 0.4  # of a person's width; who shows less at the edge of the picture is not seen


@dataclass(frozen=True, slots=True, kw_only=True)
class Drive:
    """A robot that drives along an arc from the origin, at first along x; it may brake evenly."""

    speed: float
    curvature: float = 0.0  # 1/m, positive to the left
    stands_at: float = math.inf  # seconds; from then on it stands

    def travelled(self, time: float) -> float:
        """Metres along the arc; negative before the scene begins."""
        if time <= 0 or math.isinf(self.stands_at):
            return self.speed * time
        braked = min(time, self.stands_at)
        return self.speed * (braked - braked**2 / (2 * self.stands_at))

    def pose(self, time: float) -> tuple[float, float, float]:
        """X, y and heading in the robot's frame at time 0."""
        way, turn = self.travelled(time), self.curvature * self.travelled(time)
        if not self.curvature:
            return way, 0.0, 0.0
        return math.sin(turn) / self.curvature, (1 - math.cos(turn)) / self.curvature, turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """A person who walks straight on and may stop, in the robot's frame at time 0."""

    start: Point
    velocity: Point
    stops_at: float = math.inf  # seconds

    def position(self, time: float) -> Point:
        """Where the person is."""
        walked = min(time, self.stops_at)
        return (
            self.start[0] + self.velocity[0] * walked,
            self.start[1] + self.velocity[1] * walked,
        )


def from_robot(point: Point, pose: tuple[float, float, float]) -> Point:
    """The point as seen from a pose: x ahead of it, y to its left."""
    dx, dy = point[0] - pose[0], point[1] - pose[1]
    cos, sin = math.cos(pose[2]), math.sin(pose[2])
    return cos * dx + sin * dy, cos * dy - sin * dx


def onto_image(camera: Camera, point: Point, height: float) -> Point:
    """The pixel of a point before the camera, `height` metres above the ground."""
    ahead, left = point
    return (
        camera.cx - camera.fx * left / ahead,
        camera.cy + camera.fy * (EYE - height) / ahead,
    )


def box_of(camera: Camera, point: Point, height: float) -> Box | None:
    """The box around a person seen at `point`, cut to the picture; None if out of view."""
    ahead, left = point
    if ahead < NEAREST:
        return None
    x1, y1 = onto_image(camera, (ahead, left + SHOULDERS / 2), height)
    x2, y2 = onto_image(camera, (ahead, left - SHOULDERS / 2), 0.0)
    width, tall = camera.width_px, camera.height_px
    cut = (max(x1, 0.0), max(y1, 0.0), min(x2, float(width)), min(y2, float(tall)))
    if cut[2] - cut[0] < SLIVER * (x2 - x1):
        return None
    left_px, top_px, right_px, bottom_px = (round(side, 2) for side in cut)
    return left_px, top_px, right_px, bottom_px
