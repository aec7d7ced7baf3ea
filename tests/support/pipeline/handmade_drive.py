"""A drive made by hand: a robot on a known way, people who walk straight, pictures in one grey."""

import io
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from PIL import Image

from paseo.pipeline.drives.drive import Frame, Odometry
from paseo.pipeline.locating.seen import Box, Seen, SeenFrame
from paseo.pipeline.reconstruction import Reconstruction
from paseo.pipeline.smoothing.tracks import SmoothTrack
from paseo.world.arrays import FloatArray
from paseo.world.cameras import Camera
from paseo.world.motion import Pose

CAMERA = Camera(
    width_px=128, height_px=72, fx=62.0, fy=62.0, cx=64.0, cy=36.0, height=0.8, forward=0.2
)
TALL, WIDE = 1.7, 0.5  # metres
Way = Callable[[FloatArray], FloatArray]  # times to poses, (times, 3)


@dataclass(frozen=True, kw_only=True)
class Walker:
    """Somebody who walks straight on."""

    person: int
    start: tuple[float, float]  # at time 0
    velocity: tuple[float, float] = (0.0, 0.0)
    unseen: tuple[tuple[float, float], ...] = ()  # seconds from, to

    def places(self, times: FloatArray) -> FloatArray:
        return np.array(self.start) + times[:, None] * np.array(self.velocity)


def straight(speed: float = 1.0, heading: float = 0.0) -> Way:
    """A robot that drives straight on from the origin."""

    def way(times: FloatArray) -> FloatArray:
        x, y = math.cos(heading) * speed * times, math.sin(heading) * speed * times
        return np.column_stack([x, y, np.full(len(times), heading)])

    return way


@dataclass(frozen=True, kw_only=True)
class HandmadeDrive:
    """Fulfils `Drive`."""

    walkers: Sequence[Walker]
    way: Way = field(default_factory=straight)
    seconds: float = 20.0
    fps: float = 8.0
    starts: float = 100.0  # what the clock says at first
    name: str = "7_Spot"
    no_odometry: tuple[float, float] | None = None  # seconds from, to
    deviation: float = 0.1  # metres, of where people are
    width_px: int = CAMERA.width_px

    @property
    def frame_times(self) -> FloatArray:
        return self.starts + np.arange(round(self.seconds * self.fps) + 1) / self.fps

    @property
    def odometry(self) -> Odometry:
        since = np.arange(round(self.seconds * 20) + 1) / 20
        low, high = self.no_odometry or (math.inf, math.inf)
        since = since[~((since > low) & (since < high))]
        return Odometry(times=self.starts + since, poses=self.way(since))

    @property
    def camera(self) -> Camera:
        return CAMERA

    @property
    def scan_points(self) -> FloatArray | None:
        return None

    def frames(self, first: int = 0) -> Iterator[Frame]:
        buffer = io.BytesIO()
        Image.new("RGB", (self.width_px, CAMERA.height_px), "grey").save(buffer, "JPEG")
        for number, time in enumerate(self.frame_times.tolist()):
            if number >= first:
                yield Frame(number, time, buffer.getvalue())


def mot_lines(drive: Reconstruction) -> str:
    """Who is seen in a drive, as a file of the MOT Challenge."""
    return "".join(
        f"{number + 1},{each.person},{left + 1},{top + 1},{right - left},{bottom - top},1\n"
        for number, frame in sorted(drive.seen.items())
        for each in frame.people
        for left, top, right, bottom in [each.box]
    )


def reconstructed(drive: HandmadeDrive, scan_points: FloatArray | None = None) -> Reconstruction:
    """The drive as it truly was: boxes by projection, tracks where people are seen."""
    since = drive.frame_times - drive.starts
    poses, seen, tracks = drive.way(since), dict[int, list[Seen]](), []
    for walker in drive.walkers:
        places = walker.places(since)
        shown = []
        for number, (time, pose) in enumerate(zip(since.tolist(), poses.tolist(), strict=True)):
            box = box_of(places[number], Pose(*pose))
            if box and not any(low <= time < high for low, high in walker.unseen):
                seen.setdefault(number, []).append(Seen(person=walker.person, box=box))
                shown.append(number)
        if shown:
            tracks.append(_track(walker, drive.frame_times[shown], places[shown], drive.deviation))
    return Reconstruction(
        name=drive.name,
        camera=CAMERA,
        odometry=drive.odometry,
        frame_times=drive.frame_times,
        seen={number: SeenFrame(number, people) for number, people in seen.items()},
        tracks=tuple(tracks),
        scan_points=scan_points,
    )


def box_of(place: FloatArray, robot: Pose) -> Box | None:
    """The box around somebody, None where less than their middle is in the picture."""
    view = CAMERA.view(robot)
    feet, head = (np.array([*place, height]) - view.position for height in (0.0, TALL))
    (x, low, z), (_, high, _) = feet @ view.rotation, head @ view.rotation
    if z < 0.5:
        return None
    u = CAMERA.cx + CAMERA.fx * x / z
    if not 0 <= u <= CAMERA.width_px:
        return None
    half = CAMERA.fx * WIDE / 2 / z
    top, bottom = (CAMERA.cy + CAMERA.fy * y / z for y in (high, low))
    return u - half, top, u + half, bottom


def _track(walker: Walker, times: FloatArray, places: FloatArray, deviation: float) -> SmoothTrack:
    vx, vy = walker.velocity
    motion = np.tile([math.atan2(vy, vx), math.hypot(vx, vy)], (len(times), 1))
    return SmoothTrack(
        person=walker.person,
        times=times,
        states=np.hstack([places, motion]),
        covariances=np.tile(np.diag([deviation**2] * 2 + [1e-12, 1e-12]), (len(times), 1, 1)),
        rejected=np.empty(0),
        gains=np.tile(np.eye(4), (len(times) - 1, 1, 1)),  # whoever is wrong stays so
    )
