"""A bag as a drive: its topics chosen, its clock found, its pictures streamed as they lie there."""

import io
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from PIL import Image

from paseo.errors import BadFile, BadValue, MissingData
from paseo.pipeline.drives.bags.bag import Bag, Broken, Topic
from paseo.pipeline.drives.bags.collecting import (
    Collected,
    Series,
    best_way,
    collect,
    picture_messages,
)
from paseo.pipeline.drives.bags.heads import Head, head
from paseo.pipeline.drives.bags.messages import RAW, plain
from paseo.pipeline.drives.bags.proposing import Proposal, proposals, transform_topics
from paseo.pipeline.drives.bags.scans import standing_points
from paseo.pipeline.drives.bags.transforms import heading_and_lean
from paseo.pipeline.drives.cameras import Lens, fitted, told_camera
from paseo.pipeline.drives.clocks import Timeline, timeline
from paseo.pipeline.drives.drive import Odometry
from paseo.pipeline.drives.recorded import EARLY, RecordedDrive, check_common, oddities, sampled
from paseo.pipeline.drives.settling import Opening, settled_camera
from paseo.world.arrays import BoolArray, FloatArray, IntArray
from paseo.world.cameras import Camera

QUALITY = 95  # of JPEGs made of raw pictures
LAYOUTS = {
    "rgb8": "RGB",
    "bgr8": "BGR",
    "mono8": "L",
    "8UC1": "L",
    "rgba8": "RGBA",
    "bgra8": "BGRA",
}
LARGEST_SIDE = 16_384  # pixels
PLANAR = 1e-6  # radians of lean that odometry in the plane may have by rounding


def bag_drive(bag: Bag, opening: Opening, odometry: Odometry | None = None) -> RecordedDrive:
    """The drive that a bag holds; `odometry` is one from elsewhere, on the bag's clock."""
    counts = {topic: len(times) for topic, times in bag.times(opening.progress).items()}
    chosen = proposals(counts, opening.topics)
    _check_topics(bag, chosen, counts)
    roles = {role: each.topic for role, each in chosen.items()}
    found = collect(bag, roles, transform_topics(counts), opening.progress)
    notes = [f"{role}: {each.topic.name} ({each.reason})" for role, each in chosen.items()]
    notes += [f"{count} messages of {name} cannot be read; left out"
              for name, count in found.unreadable.items()]  # fmt: skip
    way, series = ("a file", None) if odometry else _way(bag, found, chosen, notes)
    usable, size = _alike(bag, found, notes)
    pictures = chosen["image"].topic.name
    stamps = {pictures: found.pictures.stamps()}
    if series is not None:
        stamps[way] = series.stamps()
    line = timeline(stamps, main=pictures, name=bag.path.name)
    notes += line.notes
    if series is not None:
        odometry = _odometry(series, line.kept[way], line.times[way])
    else:
        odometry = _on_clock(odometry, line.start / 1e9)
        check_common(bag.path, line.times[pictures][line.kept[pictures]], odometry, "odometry_csv")
    kept = np.flatnonzero(line.kept[pictures] & usable)
    if not len(kept):
        raise BadFile(f"{bag.path}: no picture of {pictures} can be used; choose another topic",
                      parameters=("topics",))  # fmt: skip
    times = line.times[pictures][kept]
    few = sampled(times, opening.fps)
    kept, times = kept[few], times[few]
    camera = _camera(found, roles, opening, size, notes)
    return RecordedDrive(
        name=bag.path.stem,
        odometry=odometry,
        camera=camera,
        frame_times=times,
        places=kept,
        source=BagPictures(bag, chosen["image"].topic),
        start=line.start / 1e9,
        scan_points=_scan_points(found, line, odometry, notes),
        notes=(*notes, *oddities(odometry, times), *bag.notes),
    )


@dataclass(frozen=True, slots=True)
class BagPictures:
    """The pictures of a topic."""

    bag: Bag
    topic: Topic

    def pictures(self, places: IntArray) -> Iterator[bytes]:
        """As they were recorded; raw ones as JPEG."""
        for data in picture_messages(self.bag, self.topic, places):
            try:
                whole = memoryview(plain(data))
                told = head(self.topic, whole)
                pixels = whole[told.pixels]
                yield _encoded(told, pixels) if self.topic.type == RAW else bytes(pixels)
            except Broken as error:
                raise BadFile(f"{self.bag.path}: {error}; record or copy it again") from error


def _encoded(told: Head, held: memoryview) -> bytes:
    """A raw picture as JPEG."""
    mode, (width, height) = LAYOUTS[told.form], told.size or (0, 0)
    bands = len(mode)
    if not (0 < height <= LARGEST_SIDE and 0 < width * bands <= told.step):
        raise Broken(f"a picture of {width}x{height} pixels cannot be used")
    rows = np.frombuffer(held, np.uint8)[: told.step * height].reshape(height, told.step)
    pixels = rows[:, : width * bands].reshape(height, width, bands)
    if mode.startswith("BGR"):
        pixels = pixels[:, :, 2::-1]
    buffer = io.BytesIO()
    shown = pixels[:, :, 0] if mode == "L" else np.ascontiguousarray(pixels[:, :, :3])
    Image.fromarray(shown).save(buffer, "JPEG", quality=QUALITY)
    return buffer.getvalue()


def _check_topics(bag: Bag, chosen: Mapping[str, Proposal], counts: Mapping[Topic, int]) -> None:
    if "image" in chosen:
        return
    held = sorted(f"{topic.name} ({topic.type})" for topic, count in counts.items() if count)
    raise MissingData(
        f"{bag.path}: has no pictures that can be read, expected sensor_msgs/CompressedImage or "
        f"Image; it holds {', '.join(held[:12]) or 'no messages'}",
        parameters=("topics",),
    )


def _way(
    bag: Bag, found: Collected, chosen: Mapping[str, Proposal], notes: list[str]
) -> tuple[str, Series]:
    """What the robot's poses are called, and they."""
    if "odometry" in chosen and len(found.odometry.sent) > 1:
        return chosen["odometry"].topic.name, found.odometry
    by_transforms = best_way(found)
    if by_transforms is None or len(by_transforms[1].sent) < 2:
        raise MissingData(
            f"{bag.path}: has no odometry that can be read (nav_msgs/Odometry, "
            "amrl_msgs/Localization2DMsg, or transforms from odom to base_link); give it as a CSV "
            "file",
            parameters=("odometry_csv",),
        )
    notes.append(f"odometry: transforms of {by_transforms[0]} (no topic of odometry)")
    return f"/tf {by_transforms[0]}", by_transforms[1]


def _odometry(series: Series, kept: BoolArray, times: FloatArray) -> Odometry:
    table = series.table()[kept]
    heading, lean = heading_and_lean(table[:, 2:] / np.linalg.norm(table[:, 2:], axis=1)[:, None])
    poses = np.column_stack([table[:, :2], np.unwrap(heading)])
    leans = lean if np.abs(lean).max() > PLANAR else None  # in the plane nothing is told of it
    return Odometry(times=times[kept], poses=poses, pitches=leans)


def _on_clock(odometry: Odometry | None, start: float) -> Odometry:
    """Odometry of a file on the clock of the drive; it may be told in seconds since 1970."""
    if odometry is None:
        raise MissingData("there is no odometry")
    since_1970 = odometry.times[0] > EARLY
    return replace(odometry, times=odometry.times - (start if since_1970 else 0.0))


def _alike(
    bag: Bag, found: Collected, notes: list[str]
) -> tuple[BoolArray, tuple[int, int] | None]:
    """Which pictures are as most are, and their size."""
    looks = np.array(found.looks, np.int64)
    counts = Counter(looks[looks >= 0].tolist())
    sizes: Counter[tuple[tuple[int, int] | None, str]] = Counter()
    for look, count in counts.items():
        sizes[found.heads[look][:2]] += count
    if not sizes:
        raise BadFile(f"{bag.path}: none of its {len(looks)} pictures can be read; choose another "
                      "topic", parameters=("topics",))  # fmt: skip
    (size, form), _ = sizes.most_common(1)[0]
    if form not in ("JPEG", "PNG", *LAYOUTS):
        raise BadFile(
            f"{bag.path}: its pictures are {form!r:.40}, expected JPEG, PNG, "
            f"{', '.join(LAYOUTS)}; choose another topic",
            parameters=("topics",),
        )
    alike = [look for look in counts if found.heads[look][:2] == (size, form)]
    usable = np.isin(looks, alike)
    if others := int((looks >= 0).sum() - usable.sum()):
        shown = f"{size[0]}x{size[1]} pixels" if size else form
        notes.append(f"{others} pictures are not of {shown} as the others; left out")
    return usable, size


def _camera(
    found: Collected,
    roles: Mapping[str, Topic],
    opening: Opening,
    size: tuple[int, int] | None,
    notes: list[str],
) -> Camera | None:
    if opening.camera is not None:
        return settled_camera(opening, size, notes)
    lens = _lens(found.lens, "rect" in roles["image"].name)
    frame = lens.frame if lens else found.heads[0][2]
    place = found.transforms.on_robot(frame.strip("/"))
    camera, told = told_camera(lens, place, opening.mount)
    notes += told
    if camera is None:
        return None
    try:
        camera, done = fitted(camera, size)
    except BadValue as error:
        notes.append(f"the camera that is told does not fit ({error}); give one")
        return None
    notes += [done] if done else []
    return camera


def _lens(told: Any, is_rectified: bool) -> Lens | None:
    """The lens of a CameraInfo, which ROS 1 spells in capitals; None if it was never measured."""
    if told is None:
        return None
    matrix = np.array(told.K if hasattr(told, "K") else told.k, float).reshape(3, 3)
    after = np.array(told.P if hasattr(told, "P") else told.p, float).reshape(3, 4)[:, :3]
    held = np.array(told.D if hasattr(told, "D") else told.d, float)
    if is_rectified and after[0, 0] > 0:
        matrix, held = after, np.empty(0)
    if not matrix[0, 0] > 0:
        return None
    count = max((each for each in (0, 4, 5, 8) if each <= len(held)), default=0)
    return Lens(
        width_px=int(told.width),
        height_px=int(told.height),
        matrix=matrix,
        distortion=tuple(held[:count].tolist()),
        model=told.distortion_model,
        frame=told.header.frame_id,
    )


def _scan_points(
    found: Collected, line: Timeline, odometry: Odometry, notes: list[str]
) -> FloatArray | None:
    if not found.sweeps:
        return None
    is_sent = "stamps" in line.notes[0]
    whens = [each.sent if is_sent else each.recorded for each in found.sweeps]
    times = (np.array(whens, np.int64) - line.start) / 1e9
    unplaced = set[str]()

    def place_of(frame: str) -> FloatArray:
        place = found.transforms.on_robot(frame)
        if place is None:
            unplaced.add(frame)
        return np.eye(4) if place is None else place[1]

    points = standing_points(found.sweeps, times, odometry.at(times), place_of)
    notes += [f"nothing tells where {each} is; the laser is taken to be in the robot's middle"
              for each in sorted(unplaced)]  # fmt: skip
    return points
