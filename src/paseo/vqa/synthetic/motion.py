"""The analytic world: where a staged robot and staged people are at any time, in closed form."""

import math
from dataclasses import dataclass

from paseo.camera.lens.presets import preset
from paseo.world.scenes import Camera

Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, top, right, bottom in pixels

EYE = preset("socialnavsub").height  # above the ground; it looks level along the robot's heading
NEAREST = 0.6  # metres before the camera; what is nearer is not seen
SHOULDERS = 0.55  # metres, the width of a person
SLIVER = 0.4  # of a person's width; who shows less at the edge of the picture is not seen


@dataclass(frozen=True, slots=True, kw_only=True)
class Drive:
    """A robot that drives along an arc from the origin, at first along x.

    It may brake evenly, turn on the spot, and bend or turn the other way from some time on.
    """

    speed: float
    curvature: float = 0.0  # 1/m, positive to the left
    stands_at: float = math.inf  # seconds; from then on it stands
    spin: float = 0.0  # rad/s, positive to the left, of a robot that stands
    turns_back_at: float = math.inf  # seconds

    def travelled(self, time: float) -> float:
        """Metres along the arc; negative before the scene begins."""
        if time <= 0 or math.isinf(self.stands_at):
            return self.speed * time
        braked = min(time, self.stands_at)
        return self.speed * (braked - braked**2 / (2 * self.stands_at))

    def pose(self, time: float) -> tuple[float, float, float]:
        """X, y and heading in the robot's frame at time 0."""
        before = min(time, self.turns_back_at)
        way = self.travelled(before)
        x, y, heading = _along_arc((0.0, 0.0, 0.0), way, self.curvature)
        if time > before:
            rest = self.travelled(time) - way
            x, y, heading = _along_arc((x, y, heading), rest, -self.curvature)
        return x, y, heading + self.spin * (2 * max(before, 0.0) - max(time, 0.0))


def _along_arc(
    pose: tuple[float, float, float], way: float, curvature: float
) -> tuple[float, float, float]:
    x, y, heading = pose
    if not curvature:
        return x + way * math.cos(heading), y + way * math.sin(heading), heading
    turned = heading + curvature * way
    return (
        x + (math.sin(turned) - math.sin(heading)) / curvature,
        y - (math.cos(turned) - math.cos(heading)) / curvature,
        turned,
    )


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
