"""Drives of which everything is known: episodes of Paseo, filmed by a robot that rocks as it goes.

What the robot tells of them may be wrong: its camera is not quite where it says, its odometry
drifts, and boxes are off by pixels.
"""

import io
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from PIL import Image

from paseo.camera.lens.presets import preset
from paseo.camera.view import CameraView
from paseo.pipeline.drives.bags.writing import BagContent, BagFormat, write_bag
from paseo.pipeline.drives.drive import Frame, Odometry
from paseo.render.staging.playthrough import Playthrough
from paseo.world.arrays import FloatArray
from paseo.world.cameras import Camera
from paseo.world.people import Snapshot
from paseo.world.records import Record
from staged_boxes import box_of

# The lens of SCAND's Jackal, mounted as high as one looks over a Jackal's or a Spot's back.
CAMERA = replace(
    preset("scand_jackal"), height=0.85, pitch=math.radians(3), forward=0.2
)  # fmt: skip
FIRST, RATE = 0.2, 50.0  # seconds at which filming begins; odometry a second
LEAST_PX = (8, 16)  # a box of fewer pixels, across and down, is nobody's
LEAST_SHOWN = 0.3  # of the box of the whole body: less of somebody is not boxed
QUALITY = 92  # of JPEGs

Boxes = Mapping[int, FloatArray]  # by person: left, top, right, bottom


@dataclass(frozen=True, kw_only=True, eq=False)
class Filmed:
    """A drive and the truth of it; time 0 is the first picture's."""

    name: str
    record: Record
    camera: Camera  # as it is on a robot that does not lean
    times: FloatArray  # (frames,), seconds
    robots: FloatArray  # (frames, 3), x, y, heading in the world
    way: Odometry  # all of the robot's way, in the world, with how it leans
    pictures: Sequence[bytes]
    boxes: Sequence[Boxes]  # of each frame, tight about what is visible
    people: Sequence[Mapping[int, FloatArray]]  # of each frame, by person: x, y, velocity


@dataclass(frozen=True, kw_only=True)
class Faults:
    """How wrong a robot's account is, as shares of what is usual; drawn from `seed`."""

    seed: int = 1
    calibration: float = 1.0  # of 0.3 degrees, 2 cm, 0.5 % of the focal length
    odometry: float = 1.0  # of 1 % of the way, 2 % of turns, 0.1 degrees a second, noise
    lean: float | None = 1.0  # of 0.15 degrees in each sample; None: not told at all
    boxes_px: float = 0.0  # deviation of each edge


def smaller(camera: Camera, share: float) -> Camera:
    """The same camera with fewer pixels."""
    return replace(
        camera,
        width_px=round(camera.width_px * share),
        height_px=round(camera.height_px * share),
        fx=camera.fx * share,
        fy=camera.fy * share,
        cx=camera.cx * share,
        cy=camera.cy * share,
    )


def film(
    record: Record,
    view: CameraView | None,
    *,
    camera: Camera = CAMERA,
    fps: float = 4.0,
    seed: int = 1,
    longest: float = math.inf,
) -> Filmed:
    """An episode as its robot films it; without a view its pictures are blank, boxes projected."""
    plain = unfilmed(record, camera=camera, fps=fps, seed=seed, longest=longest)
    if view is None:
        return plain
    footwork, played = view.footwork_of(record), Playthrough(record)
    pictures, boxes = [], []
    for time, turned in zip((plain.times + FIRST).tolist(), _leaning(plain), strict=True):
        snapshot = played.at(time).snapshot
        image = view.render(snapshot, turned, footwork)
        pictures.append(_jpeg(image.rgb))
        boxes.append(_visible(image.ids, _projected(snapshot, turned, least_share=0.0)))
    return replace(plain, pictures=pictures, boxes=boxes)


def unfilmed(
    record: Record, *, camera: Camera, fps: float, seed: int, longest: float = math.inf
) -> Filmed:
    """The drive, or its first seconds, with blank pictures, and boxes as if nobody hid anybody."""
    played = Playthrough(record)
    times = np.arange(FIRST, min(played.end - FIRST, FIRST + longest), 1 / fps)
    way = _way(played, np.random.default_rng(seed))
    snapshots = [played.at(time).snapshot for time in times.tolist()]
    drive = Filmed(
        name=record.scenario.name,
        record=record,
        camera=camera,
        times=times - FIRST,
        robots=way.at(times),
        way=replace(way, times=way.times - FIRST),
        pictures=[_blank(camera)] * len(times),
        boxes=[],
        people=[_people(snapshot) for snapshot in snapshots],
    )
    pairs = zip(snapshots, _leaning(drive), strict=True)
    return replace(drive, boxes=[_projected(*pair) for pair in pairs])


def _leaning(drive: Filmed) -> list[Camera]:
    """The camera as it is in each frame."""
    return [leant(drive.camera, lean) for lean in drive.way.pitch_at(drive.times).tolist()]


def leant(camera: Camera, lean: float) -> Camera:
    """The camera on a robot that leans forward about the middle of its feet."""
    cos, sin = math.cos(lean), math.sin(lean)
    return replace(
        camera,
        pitch=camera.pitch + lean,
        forward=camera.forward * cos + camera.height * sin,
        height=camera.height * cos - camera.forward * sin,
    )


def told_camera(filmed: Filmed, faults: Faults) -> Camera:
    """The camera as somebody measured it."""
    rng, by, true = np.random.default_rng([faults.seed, 1]), faults.calibration, filmed.camera
    pitch, yaw, height, focal = rng.normal(0, by, 4) * [0.3, 0.3, 0.02, 0.005]
    return replace(
        true,
        pitch=true.pitch + math.radians(pitch),
        yaw=true.yaw + math.radians(yaw),
        height=true.height + height,
        fx=true.fx * (1 + focal),
        fy=true.fy * (1 + focal),
    )


def told_odometry(filmed: Filmed, faults: Faults) -> Odometry:
    """The way as wheels and gyroscope have it, from a frame of its own that begins at 0."""
    rng, by, way = np.random.default_rng([faults.seed, 2]), faults.odometry, filmed.way
    count = len(way.times)
    along, turns = 1 + by * rng.normal(0, 0.01), 1 + by * rng.normal(0, 0.02)
    drift = math.radians(0.1) * by * (rng.normal() + rng.normal(0, math.sqrt(RATE), count - 1))
    steps, turned = np.diff(way.poses[:, :2], axis=0), np.diff(way.poses[:, 2])
    heading = np.append(0.0, np.cumsum(turned * turns + drift / RATE))
    wrong = heading[:-1] - way.poses[:-1, 2]
    moved = along * steps
    moved = np.column_stack(
        [
            moved[:, 0] * np.cos(wrong) - moved[:, 1] * np.sin(wrong),
            moved[:, 0] * np.sin(wrong) + moved[:, 1] * np.cos(wrong),
        ]
    )
    places = np.vstack([np.zeros(2), np.cumsum(moved, axis=0)])
    noise = by * rng.normal(0, 1, (count, 3)) * [0.005, 0.005, math.radians(0.1)]
    late = by * rng.normal(0, 0.01)
    leans = None
    if faults.lean is not None and way.pitches is not None:
        leans = way.pitches + faults.lean * rng.normal(0, math.radians(0.15), count)
    poses = np.column_stack([places, heading]) + noise
    return Odometry(times=way.times + late, poses=poses, pitches=leans)


def told_boxes(filmed: Filmed, faults: Faults) -> list[Boxes]:
    """Boxes whose edges are off, within the picture; the same people."""
    rng = np.random.default_rng([faults.seed, 3])
    most = [filmed.camera.width_px, filmed.camera.height_px] * 2
    found = []
    for boxes in filmed.boxes:
        noisy = {p: np.clip(b + rng.normal(0, faults.boxes_px, 4), 0, most)
                 for p, b in boxes.items()} if faults.boxes_px else boxes  # fmt: skip
        found.append(
            {p: b for p, b in noisy.items() if (b[2:] - b[:2] > 0.5 * np.array(LEAST_PX)).all()}
        )
    return found


def write_drive(path: Path, filmed: Filmed, faults: Faults, form: BagFormat) -> None:
    """The drive as the robot records it."""
    frames = (
        Frame(number, time, picture)
        for number, (time, picture) in enumerate(
            zip(filmed.times.tolist(), filmed.pictures, strict=True)
        )
    )
    content = BagContent(
        frames=frames,
        odometry=told_odometry(filmed, faults),
        camera=told_camera(filmed, faults),
        delay=0.02,
    )
    write_bag(path, content, form)


def write_mot(path: Path, boxes: Iterable[Boxes]) -> None:
    """Boxes of frames in the format of the MOT Challenge, counted from 1."""
    lines = []
    for number, each in enumerate(boxes, start=1):
        for person, (left, top, right, bottom) in each.items():
            numbers = (left + 1, top + 1, right - left, bottom - top)
            lines.append(",".join([str(number), str(person), *(f"{n:.2f}" for n in numbers), "1"]))
    path.write_text("".join(f"{line},-1,-1,-1\n" for line in lines))


def _way(played: Playthrough, rng: np.random.Generator) -> Odometry:
    """The robot's true way, and how it leans: by steps, by the ground, and as it speeds up."""
    times = np.arange(0.0, played.end, 1 / RATE)
    poses = [played.at(time).snapshot.robot.pose for time in times.tolist()]
    table = np.array([(pose.x, pose.y, pose.heading) for pose in poses])
    table[:, 2] = np.unwrap(table[:, 2])
    springs = np.ones(25) / 25  # half a second, which they take
    speed = np.convolve(np.hypot(*np.gradient(table[:, :2], times, axis=0).T), springs, "same")
    pushed = np.gradient(speed, times)
    phases = rng.uniform(0, math.tau, 2)
    degrees = (
        1.2 * np.clip(speed, 0, 1) * np.sin(math.tau * 1.7 * times + phases[0])
        + 0.6 * np.sin(math.tau * 0.23 * times + phases[1])
        - 1.0 * np.clip(pushed, -1.5, 1.5)
    )
    return Odometry(times=times, poses=table, pitches=np.radians(degrees))


def _projected(snapshot: Snapshot, camera: Camera, least_share: float = LEAST_SHOWN) -> Boxes:
    """Boxes of upright bodies that nothing hides, as far as they are in the picture."""
    found, view = {}, camera.view(snapshot.robot.pose)
    for person, place in zip(snapshot.crowd.ids.tolist(), snapshot.crowd.positions, strict=True):
        body = np.random.default_rng(person)
        tall, step = body.normal(1.70, 0.09), body.normal(0.20, 0.06)
        box = box_of(place, camera, view, tall=tall, step=step)
        if box is None or math.hypot(*(place - view.position[:2])) > 40:
            continue
        cut = np.clip(box, 0, [camera.width_px, camera.height_px] * 2)
        share = np.prod(cut[2:] - cut[:2]) / np.prod(box[2:] - box[:2])
        if (cut[2:] - cut[:2] > LEAST_PX).all() and share >= least_share:
            found[person] = cut
    return found


def _visible(ids: np.ndarray, whole: Boxes) -> Boxes:
    """Tight boxes of those of whom enough is seen; of others nobody would draw one."""
    found = {}
    for person in np.unique(ids[ids >= 0]).tolist():
        rows, columns = np.nonzero(ids == person)
        box = np.array([columns.min(), rows.min(), columns.max() + 1, rows.max() + 1], float)
        if person not in whole or not (box[2:] - box[:2] > LEAST_PX).all():
            continue
        expected = whole[person]
        # A body fills about a third of its box, and some are broader than others.
        if len(rows) >= LEAST_SHOWN / 3 * np.prod(expected[2:] - expected[:2]):
            found[person] = box
    return found


def _people(snapshot: Snapshot) -> dict[int, FloatArray]:
    crowd = snapshot.crowd
    rows = np.hstack([crowd.positions, crowd.velocities])
    return dict(zip(crowd.ids.tolist(), rows, strict=True))


def _jpeg(rgb: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(rgb).save(buffer, "JPEG", quality=QUALITY)
    return buffer.getvalue()


def _blank(camera: Camera) -> bytes:
    return _jpeg(np.zeros((camera.height_px, camera.width_px, 3), np.uint8))
