"""People whose places are known, as a camera on a robot would show them: boxes without pictures."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from paseo.camera.lens.projection import project
from paseo.pipeline.drives.drive import Frame, Odometry
from paseo.pipeline.locating.doubts import Doubts
from paseo.pipeline.locating.seen import Seen, SeenFrame
from paseo.world.arrays import FloatArray
from paseo.world.cameras import Camera, View, facing
from paseo.world.motion import Pose

CAMERA = Camera(
    width_px=1280, height_px=720, fx=623.3, fy=624.9, cx=636.8, cy=366.7, height=0.85, forward=0.2,
    pitch=math.radians(2.0), distortion=(0.0773, -0.0317, 0.0017, -0.0003, 0.0),
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Cast:
    """Who walks how, and how badly it is seen; drawn from `seed`."""

    seed: int = 1
    people: int = 40
    seconds: float = 60.0
    fps: float = 5.0
    box_px: float = 2.0
    slipping: float = 0.0  # seconds in which errors of boxes fade to a third
    body_height: float = 1.67
    body_height_sd: float = 0.14
    step: float = 0.20
    step_sd: float = 0.10
    gait: float = 0.06  # of each person's own step
    aside: float = 0.05
    speed: float = 1.3
    turning: float = 0.5  # radians a second at most
    rocking: float = 0.0  # radians, of the pitch in each frame
    known_rocking: bool = True


@dataclass(frozen=True, kw_only=True, eq=False)
class Staged:
    """A drive of which everything is known."""

    camera: Camera
    odometry: Odometry
    frame_times: FloatArray
    seen: tuple[SeenFrame, ...]
    tilts: FloatArray
    truth: dict[tuple[int, int], FloatArray]  # by frame and person, where they were
    name: str = "staged"
    pictures: dict[int, bytes] = field(default_factory=dict)

    def frames(self) -> Iterator[Frame]:
        """Frames, most of them without a picture."""
        for number, time in enumerate(self.frame_times.tolist()):
            yield Frame(number, time, self.pictures.get(number, b""))


def miscalibrated(doubts: Doubts, rng: np.random.Generator) -> Camera:
    """The camera, off by what is doubtful of it."""
    share = 1 + rng.normal(0, doubts.focal)
    return replace(
        CAMERA,
        pitch=CAMERA.pitch + rng.normal(0, doubts.pitch),
        yaw=rng.normal(0, doubts.yaw),
        height=CAMERA.height + rng.normal(0, doubts.camera_height),
        fx=CAMERA.fx * share,
        fy=CAMERA.fy * share,
    )


def view_of(camera: Camera, robot: Pose, pitch: float, roll: float) -> View:
    """Where a camera is on a robot that leans, by rotations that are written out."""
    turn = np.array(
        [
            [math.cos(robot.heading), -math.sin(robot.heading), 0],
            [math.sin(robot.heading), math.cos(robot.heading), 0],
            [0, 0, 1],
        ]
    )
    nose = np.array(
        [[math.cos(pitch), 0, math.sin(pitch)], [0, 1, 0], [-math.sin(pitch), 0, math.cos(pitch)]]
    )
    side = np.array(
        [[1, 0, 0], [0, math.cos(roll), -math.sin(roll)], [0, math.sin(roll), math.cos(roll)]]
    )
    whole = turn @ nose @ side
    place = np.array([robot.x, robot.y, 0]) + whole @ [camera.forward, 0, camera.height]
    return View(position=place, rotation=whole @ facing(camera.yaw, camera.pitch))


def box_of(
    place: FloatArray, camera: Camera, view: View, *, tall: float, step: float, broad: float = 0.5
) -> FloatArray | None:
    """The box of somebody who stands there; None: they are behind the camera or too near."""
    away = place - view.position[:2]
    ahead = away / np.hypot(*away)
    toe = np.array([*(place - step * ahead), 0.0])
    points = [toe, np.array([*place, tall])]
    (foot, head) = project(np.array(points), camera, view)
    if min(foot[2], head[2]) < 0.3:
        return None
    x, y, _ = ((points - view.position) @ view.rotation / [[foot[2]], [head[2]]]).T
    if np.abs([x, y]).max() > 1.3:  # the lens would fold them back into the picture
        return None
    half = broad / 2 / foot[2] * camera.fx
    middle = (foot[0] + head[0]) / 2
    return np.array([middle - half, head[1], middle + half, foot[1]])


def staged(cast: Cast, camera: Camera = CAMERA) -> Staged:
    """A drive among people who come and go."""
    rng = np.random.default_rng(cast.seed)
    steps = np.arange(0, cast.seconds + 1, 0.02)
    headings = cast.turning / 0.7 * np.sin(0.7 * steps + rng.uniform(0, 6))
    ways = 0.8 * np.column_stack([np.cos(headings), np.sin(headings)])
    poses = np.column_stack([np.cumsum(ways * 0.02, axis=0), headings])
    odometry = Odometry(times=steps + 100.0, poses=poses)
    times = 100.0 + np.arange(0, cast.seconds, 1 / cast.fps) + 0.007
    tilts = np.zeros((len(times), 2))
    tilts[:, 0] = rng.normal(0, cast.rocking, len(times)) if cast.rocking else 0.0
    robots = odometry.at(times)
    seen: list[list[Seen]] = [[] for _ in times]
    truth: dict[tuple[int, int], FloatArray] = {}
    for person in range(cast.people):
        tall = rng.normal(cast.body_height, cast.body_height_sd)
        stride = rng.normal(cast.step, cast.gait) if cast.gait else cast.step
        begin = rng.uniform(-5, cast.seconds)
        at = robots[np.clip(int(begin * cast.fps), 0, len(times) - 1)]
        away, towards = rng.uniform(3, 14), at[2] + rng.uniform(-0.7, 0.7)
        place = at[:2] + away * np.array([math.cos(towards), math.sin(towards)])
        heading, speed = rng.uniform(0, 2 * math.pi), max(rng.normal(cast.speed, 0.25), 0)
        way = speed * np.array([math.cos(heading), math.sin(heading)])
        slip = rng.normal(0, cast.box_px, 4) if cast.slipping else np.zeros(4)
        for frame in range(len(times)):
            passed = times[frame] - 100.0 - begin
            if not 0 <= passed < 8:
                continue
            there = place + way * passed
            robot = Pose(*robots[frame].tolist())
            box = box_of(
                there, camera, view_of(camera, robot, *tilts[frame]), tall=tall,
                step=rng.normal(stride, cast.step_sd),
            )  # fmt: skip
            if box is None:
                continue
            aside = rng.normal(0, cast.aside) / np.hypot(*(there - robots[frame, :2])) * camera.fx
            left_over = math.exp(-1 / (cast.fps * cast.slipping)) if cast.slipping else 0.0
            fresh = math.sqrt(1 - left_over**2) * rng.normal(0, cast.box_px, 4)
            slip = left_over * slip + fresh
            box = box + slip + [aside, 0.0, aside, 0.0]
            box = np.clip(box, 0, [camera.width_px, camera.height_px] * 2)
            if box[2] - box[0] > 8 and box[3] - box[1] > 16:
                left, top, right, bottom = box.tolist()
                seen[frame].append(Seen(person=person, box=(left, top, right, bottom)))
                truth[frame, person] = there
    return Staged(
        camera=camera,
        odometry=odometry,
        frame_times=times,
        seen=tuple(SeenFrame(k, tuple(people)) for k, people in enumerate(seen) if people),
        tilts=tilts if cast.known_rocking else np.zeros_like(tilts),
        truth=truth,
    )
