"""What the robot saw last, as a scene: the moments before a decision, from its first pose then."""

import math
from collections import deque
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np

from paseo.camera.lens.projection import project
from paseo.vqa.pictures.photos import jpeg
from paseo.world.arrays import FloatArray
from paseo.world.cameras import Camera, RgbdImage
from paseo.world.motion import Pose
from paseo.world.people import Crowd
from paseo.world.planning import Observation
from paseo.world.scenes import Camera as Lens
from paseo.world.scenes import NumberedPerson, Scene

PERIOD = 0.25  # seconds from one moment that is kept to the next
MOMENTS = 10  # that are kept, as many as a scene of SocialNav-SUB has
MOST_PEOPLE, FARTHEST = 8, 12.0  # that are numbered, the nearest; metres
TALL, WIDE = 1.75, 0.5  # metres of a person in a picture
HIDDEN = 0.7  # metres that something else is nearer than a person whom it hides
BLANK_SIZE = (768, 8)  # of pictures that stand for none; the map is as wide
EARLY = 1e-6  # seconds


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """One observation that is kept."""

    time: float
    pose: Pose
    crowd: Crowd
    image: RgbdImage | None


class History:
    """The last moments, one for each period; asked seldom, there may be fewer."""

    def __init__(self, camera: Camera | None) -> None:
        self.camera = camera
        self._kept: deque[Moment] = deque(maxlen=MOMENTS)

    def add(self, observation: Observation) -> None:
        """Keep what is seen now, if the last is old enough."""
        if not self._kept or observation.time >= self._kept[-1].time + PERIOD - EARLY:
            self._kept.append(_moment(observation))

    def now(self, observation: Observation) -> None:
        """Let the last moment be this one, whenever the one before was."""
        if self._kept and self._kept[-1].time < observation.time - EARLY:
            if observation.time < self._kept[-1].time + PERIOD - EARLY:
                self._kept.pop()
            self._kept.append(_moment(observation))
        self.add(observation)

    @property
    def moments(self) -> list[Moment]:
        """From the first to the last; at least two, of a robot that has just begun the same."""
        kept = list(self._kept)
        if len(kept) == 1:
            first = kept[0]
            before = Moment(first.time - PERIOD, first.pose, first.crowd, first.image)
            kept = [before, first]
        return kept

    @property
    def fingerprint(self) -> bytes:
        """The same for the same moments: when, from where, and where everybody was."""
        digest = blake2b(digest_size=16)
        for each in self._kept:
            pose = each.pose
            digest.update(np.array([each.time, pose.x, pose.y, pose.heading]).tobytes())
            digest.update(each.crowd.ids.tobytes() + each.crowd.positions.tobytes())
        return digest.digest()

    def scene(self, goal: tuple[float, float], name: str) -> Scene:
        """The moments as a scene in the robot's first frame; `goal` is in the world."""
        moments = self.moments
        first = moments[0].pose
        robot = np.array([_seen_pose(first, each.pose) for each in moments])
        span = moments[-1].time - moments[0].time
        return Scene(
            id=name,
            frames=[_picture(each.image) for each in moments],
            period=max(span / (len(moments) - 1), 1e-3),
            robot=robot,
            goal=_seen(first, goal),
            people=self._people(moments, first),
            camera=lens_of_robot(self.camera),
        )

    def _people(self, moments: list[Moment], first: Pose) -> tuple[NumberedPerson, ...]:
        """The nearest now, numbered from left to right as the robot sees them."""
        now = moments[-1]
        away = now.crowd.positions - (now.pose.x, now.pose.y)
        gaps = np.hypot(*away.T)
        near = [int(k) for k in np.argsort(gaps, kind="stable") if gaps[k] <= FARTHEST]
        turns = np.arctan2(away[:, 1], away[:, 0]) - now.pose.heading
        left = sorted(near[:MOST_PEOPLE], key=lambda k: -math.remainder(turns[k], math.tau))
        ids = [int(now.crowd.ids[k]) for k in left]
        return tuple(
            NumberedPerson(
                number=number,
                positions=np.array([_place(each, id, first) for each in moments]),
                boxes=np.array([self._box(each, id) for each in moments]),
            )
            for number, id in enumerate(ids, 1)
        )

    def _box(self, moment: Moment, id: int) -> FloatArray:
        """Around a person in the picture of a moment; NaN where they are not to be seen there."""
        at = _position(moment, id)
        nowhere = np.full(4, np.nan)
        if self.camera is None or moment.image is None or at is None:
            return nowhere
        view = self.camera.view(moment.image.pose)
        points = np.array([[*at, 0.0], [*at, TALL], [*at, 0.5 * TALL]])
        (_, v0, depth), (_, v1, _), (u, v, _) = project(points, self.camera, view).tolist()
        height, width = moment.image.depth.shape
        if not (depth > self.camera.near and 0 <= u < width):
            return nowhere
        row = min(max(round(v), 0), height - 1)
        seen = float(moment.image.depth[row, min(int(u), width - 1)])
        if seen < depth - HIDDEN:  # not so for NaN, of which nothing is known
            return nowhere
        half = 0.5 * WIDE * self.camera.fx / depth
        sides = np.array([u - half, min(v0, v1), u + half, max(v0, v1)])
        bounds = np.array([width, height, width, height])
        box: FloatArray = np.clip(sides, 0.0, bounds)
        return box if np.isfinite(box).all() else nowhere


class RobotEye:
    """Where the robot's camera, however it is mounted, sees the ground."""

    def __init__(self, camera: Camera | None) -> None:
        self._camera = camera

    def pixels(self, places: FloatArray, pose: FloatArray, camera: Lens) -> FloatArray:
        """Column and row of places (n, 2) seen from a pose (3,); NaN where they are not seen."""
        if self._camera is None:
            return np.full(places.shape, np.nan)
        points = np.column_stack([places, np.zeros(len(places))])
        found = project(points, self._camera, self._camera.view(Pose(*pose.tolist())))[:, :2]
        outside = (found < 0) | (found >= np.array([camera.width_px, camera.height_px]))
        found[outside.any(axis=1)] = np.nan
        return found


def lens_of_robot(camera: Camera | None) -> Lens:
    """The lens as scenes have it; without a camera that of pictures which stand for none."""
    if camera is None:
        width, height = BLANK_SIZE
        return Lens(width_px=width, height_px=height, fx=width, fy=width, cx=0.0, cy=0.0)
    return Lens(
        width_px=camera.width_px,
        height_px=camera.height_px,
        fx=camera.fx,
        fy=camera.fy,
        cx=camera.cx,
        cy=camera.cy,
    )


def _moment(observation: Observation) -> Moment:
    return Moment(observation.time, observation.robot.pose, observation.crowd, observation.image)


def _picture(image: RgbdImage | None) -> bytes:
    if image is None:
        return _BLANK
    return jpeg(np.ascontiguousarray(image.rgb))


def _position(moment: Moment, id: int) -> tuple[float, float] | None:
    places = np.nonzero(moment.crowd.ids == id)[0]
    if not len(places):
        return None
    x, y = moment.crowd.positions[int(places[0])].tolist()
    return x, y


def _place(moment: Moment, id: int, first: Pose) -> tuple[float, float]:
    at = _position(moment, id)
    return (math.nan, math.nan) if at is None else _seen(first, at)


def _seen(first: Pose, point: tuple[float, float]) -> tuple[float, float]:
    """A point of the world from a pose: x forward, y left."""
    dx, dy = point[0] - first.x, point[1] - first.y
    cos, sin = math.cos(first.heading), math.sin(first.heading)
    return cos * dx + sin * dy, cos * dy - sin * dx


def seen_from(first: Pose, points: FloatArray) -> FloatArray:
    """Points (..., 2) of the world from a pose, likewise."""
    away = points - (first.x, first.y)
    cos, sin = math.cos(first.heading), math.sin(first.heading)
    found: FloatArray = np.stack(
        [away[..., 0] * cos + away[..., 1] * sin, away[..., 1] * cos - away[..., 0] * sin], axis=-1
    )
    return found


def _seen_pose(first: Pose, pose: Pose) -> tuple[float, float, float]:
    x, y = _seen(first, (pose.x, pose.y))
    return x, y, math.remainder(pose.heading - first.heading, math.tau)


_BLANK = jpeg(np.full((BLANK_SIZE[1], BLANK_SIZE[0], 3), 200, np.uint8))
