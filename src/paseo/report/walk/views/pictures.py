"""What the robot's camera saw at chosen moments, as pictures that a page can hold."""

import base64
import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

import numpy as np
import shapely

from paseo.camera.lens.image import Image
from paseo.camera.places.places import open_ground
from paseo.camera.view import CameraView, prepare
from paseo.progress import Progress, silent
from paseo.render.raster.palette import DARK
from paseo.render.raster.strokes import Frame
from paseo.render.robotview.depths import depth_picture
from paseo.render.staging.playthrough import Playthrough
from paseo.report.walk.packing import path
from paseo.report.walk.views.sights import RobotViews, Sight
from paseo.vqa.pictures.photos import jpeg
from paseo.world.arrays import BoolArray
from paseo.world.cameras import Camera
from paseo.world.motion import wrapped
from paseo.world.people import Snapshot
from paseo.world.recordfile import load_record
from paseo.world.records import Record
from paseo.world.scenarios import Missing

COLOURS, DEPTHS = 80, 70  # quality of JPEGs
USUAL_BYTES = 36_000  # that a picture with its depth takes in the page, by experience
ROUGH = 0.8  # pixels by which an outline may differ from the true one
BEYOND = 4  # pixels: how far outside the picture an outline goes on
MEGA = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A moment as the robot saw it; what is drawn is base64 of JPEGs of one size."""

    time: float
    person: int | None
    words: str
    rgb: str
    depth: str
    outline: str = ""  # of the person, as the path of a picture, in pixels; empty: not in view

    @property
    def size(self) -> int:
        """Bytes that it takes in a page."""
        return len(self.rgb) + len(self.depth) + len(self.outline)


@dataclass(frozen=True, slots=True, kw_only=True)
class Album:
    """The pictures of all drives, each in order of time."""

    camera: Camera
    drives: tuple[tuple[Picture, ...], ...]
    left_out: int  # moments for which there was no room
    walled: int  # moments at which the camera stood in a wall

    @property
    def note(self) -> str:
        """What there is to know about pictures that are not there; mostly nothing."""
        parts = [f"{self.left_out} more moments found no room"] * bool(self.left_out)
        parts += [f"at {self.walled} the camera stood in a wall"] * bool(self.walled)
        return "; ".join(parts)


def require_camera() -> None:
    """Raise the sentence on how to get it where the extra is missing."""
    import paseo.camera.kernels  # noqa: F401


def album_of(
    files: Sequence[Path],
    sights: Sequence[Sequence[Sight]],
    views: RobotViews,
    *,
    progress: Progress = silent,
) -> Album:
    """Pictures of the moments of records, dearest first, for which there is room.

    The records of one place are best named one after the other: it is built once.
    """
    prepare(progress)
    wanted = _shared(sights, max(1, int(views.most_mb * MEGA / USUAL_BYTES)))
    total, done, walled = sum(map(len, wanted)), 0, 0
    drives: list[tuple[Picture, ...]] = []
    studio = _Studio(views.camera)
    for file, chosen in zip(files, wanted, strict=True):
        taken = [*studio.pictures(load_record(file), chosen)] if chosen else []
        drives.append(tuple(each for each in taken if each is not None))
        walled += taken.count(None)
        done += len(chosen)
        progress("views of the robot", done, total)
    kept = _fitting(drives, int(views.most_mb * MEGA))
    shown = sum(map(len, kept))
    left_out = sum(map(len, sights)) - walled - shown
    ordered = tuple(tuple(sorted(each, key=lambda one: one.time)) for each in kept)
    return Album(camera=views.camera, drives=ordered, left_out=left_out, walled=walled)


def _shared(sights: Sequence[Sequence[Sight]], most: int) -> list[Sequence[Sight]]:
    """As many moments as there is room for: the dearest of every drive, then the second ..."""
    counts, room = [0] * len(sights), most
    for rank in zip_longest(*sights):
        for drive, sight in enumerate(rank):
            if sight is not None and room > 0:
                counts[drive], room = counts[drive] + 1, room - 1
    return [each[:count] for each, count in zip(sights, counts, strict=True)]


def _fitting(drives: Sequence[tuple[Picture, ...]], room: int) -> list[tuple[Picture, ...]]:
    """Those that fit into so many bytes, likewise, up to the first that does not."""
    kept: list[list[Picture]] = [[] for _ in drives]
    for rank in zip_longest(*drives):
        for drive, picture in enumerate(rank):
            if picture is not None:
                room -= picture.size
                if room < 0:
                    return [tuple(each) for each in kept]
                kept[drive].append(picture)
    return [tuple(each) for each in kept]


class _Studio:
    """A camera at one place after the other."""

    def __init__(self, camera: Camera) -> None:
        self._camera = camera
        self._place: tuple[object, ...] = ()
        self._view: CameraView | None = None

    def pictures(self, record: Record, sights: Sequence[Sight]) -> Iterator[Picture | None]:
        """A picture of each moment; None where the camera stood in a wall."""
        view, played = self._view_of(record), Playthrough(record)
        footwork = view.footwork_of(record)
        for sight in sights:
            snapshot = played.at(sight.time).snapshot
            if self._is_walled(record, snapshot):
                yield None
            else:
                yield picture_of(view.render(snapshot, self._camera, footwork), sight, snapshot)

    def _is_walled(self, record: Record, snapshot: Snapshot) -> bool:
        x, y, _ = self._camera.view(snapshot.robot.pose).position.tolist()
        unknown = Missing.MAP in record.scenario.missing
        return not unknown and record.scenario.floorplan.clearance(x, y) < 0

    def _view_of(self, record: Record) -> CameraView:
        plan, start = record.scenario.floorplan, record.scenario.start
        unknown = Missing.MAP in record.scenario.missing
        place = (unknown, start if unknown else plan.name, plan.walls.tobytes())
        if self._view is None or place != self._place:
            ground = open_ground(start.x, start.y) if unknown else plan
            self._view = CameraView(ground, threads=os.cpu_count() or 1)
            self._place = place
        return self._view


def picture_of(image: Image, sight: Sight, snapshot: Snapshot) -> Picture:
    """An image as a page holds it, with the outline of whom it is about."""
    words, outline = sight.words, ""
    if sight.person is not None:
        outline = outline_path(image.ids == sight.person)
        words += "" if outline else f", {_whereabouts(snapshot, sight.person)}"
    return Picture(
        time=round(sight.time, 3),
        person=sight.person,
        words=words,
        rgb=_encoded(image.rgb, COLOURS),
        depth=_encoded(depth_picture(image.depth, DARK), DEPTHS),
        outline=outline,
    )


def outline_path(mask: BoolArray) -> str:
    """The edge of what is true in (height, width), as the path of a picture; empty for nothing.

    What goes on beyond the picture has its edge outside it.
    """
    wider = np.pad(mask, BEYOND, mode="edge")
    steps = np.diff(np.pad(wider, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    (rows, begins), (_, ends) = np.nonzero(steps == 1), np.nonzero(steps == -1)
    area = shapely.union_all(shapely.box(begins, rows, ends, rows + 1))
    rings = shapely.get_rings(shapely.get_parts(shapely.simplify(area, ROUGH)))
    lines = [shapely.get_coordinates(ring) - BEYOND for ring in rings]
    # Whole pixels pass as the whole centimetres of other pictures.
    return "".join(f"{path(line[:-1] / 100)}z" for line in lines)


def _whereabouts(snapshot: Snapshot, person: int) -> str:
    """Where somebody is whom the camera does not show."""
    found = np.flatnonzero(snapshot.crowd.ids == person)
    if not len(found):
        return "who is gone"
    pose, place = snapshot.robot.pose, snapshot.crowd.positions[found[0]]
    bearing = wrapped(math.atan2(place[1] - pose.y, place[0] - pose.x) - pose.heading)
    if abs(bearing) > math.radians(135):
        return "behind the robot"
    if abs(bearing) < math.radians(30):
        return "hidden by others"
    return "out of view on the left" if bearing > 0 else "out of view on the right"


def _encoded(frame: Frame, quality: int) -> str:
    return base64.b64encode(jpeg(frame, quality)).decode()
