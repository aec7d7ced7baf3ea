"""A scene as a folder of Paseo's own: scene.json and its pictures; the format of imported clips."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import numpy as np
from msgspec import Meta

from paseo.data.scenes.images import Size, check_box, check_size
from paseo.data.scenes.robot_frame import MOST_METRES
from paseo.data.scenes.stored_pictures import StoredPictures
from paseo.data.scenes.tree import Tree
from paseo.data.settings_file import Entry
from paseo.errors import BadFile, BadValue
from paseo.files import draft_folder, write_through
from paseo.world.scenes import FEWEST_FRAMES, MOST_FRAMES, Camera, NumberedPerson, Scene

SCENE_FILE = "scene.json"
REMEDY = "import the clip again, or bring the folder whole"
PNG = b"\x89PNG"
MOST_PEOPLE = 1000
UNTOLD_PERIOD = 0.25  # seconds, of files that tell no period

Metres = Annotated[float, Meta(ge=-MOST_METRES, le=MOST_METRES)]
Pixels = Annotated[int, Meta(ge=1, le=65_535)]
PixelLength = Annotated[float, Meta(ge=-1e6, le=1e6)]
Box = tuple[PixelLength, PixelLength, PixelLength, PixelLength]  # left, top, right, bottom
PersonNumber = Annotated[int, Meta(ge=1, le=9999)]
Period = Annotated[float, Meta(ge=0.001, le=60)]  # seconds from one frame to the next


class CameraEntry(Entry, frozen=True):
    """A pinhole camera."""

    width_px: Pixels
    height_px: Pixels
    fx_px: PixelLength
    fy_px: PixelLength
    cx_px: PixelLength
    cy_px: PixelLength

    def camera(self) -> Camera:
        """The value it stands for."""
        return Camera(width_px=self.width_px, height_px=self.height_px, fx=self.fx_px,
                      fy=self.fy_px, cx=self.cx_px, cy=self.cy_px)  # fmt: skip


class PoseEntry(Entry, frozen=True):
    """The robot in one frame."""

    x_m: Metres
    y_m: Metres
    heading_rad: Annotated[float, Meta(ge=-7, le=7)]


class PlaceEntry(Entry, frozen=True):
    """A person in one frame."""

    x_m: Metres
    y_m: Metres
    box_px: Box | None = None


class PersonEntry(Entry, frozen=True):
    """A person in all frames; null where they are not seen."""

    number: PersonNumber
    frames: Annotated[list[PlaceEntry | None], Meta(max_length=MOST_FRAMES)]


class SceneFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The file scene.json; metres are in the robot's first frame, x forward and y left."""

    format: Literal["paseo-scene"] = "paseo-scene"
    version: Literal[1] = 1
    id: str
    goal_m: tuple[Metres, Metres]
    camera: CameraEntry | None = None
    robot: Annotated[list[PoseEntry], Meta(min_length=FEWEST_FRAMES, max_length=MOST_FRAMES)]
    people: Annotated[list[PersonEntry], Meta(max_length=MOST_PEOPLE)]
    period_s: Period | msgspec.UnsetType = msgspec.UNSET  # written where it is another than usual


def write_scene(scene: Scene, scenes: Path) -> Path:
    """Write the scene's folder below the folder of scenes, whole or not at all, and return it.

    One that is there already is never replaced.
    """
    place = scenes / scene.id
    files = {f"frame_{k}{_suffix(frame)}": frame for k, frame in enumerate(scene.frames)}
    files |= {f"composite_{k}{_suffix(each)}": each for k, each in enumerate(scene.composites)}
    files[SCENE_FILE] = scene_text(scene)
    if place.exists() or place.is_symlink():
        raise BadValue(
            f"{place}: is there already; give the scene another id, or remove the folder first"
        )
    with draft_folder(place) as draft:
        for name, content in files.items():
            write_through(draft / name, content)
    return place


def read_scene(place: Path) -> Scene:
    """The scene in a folder that `write_scene` wrote."""
    tree = Tree(place, REMEDY)
    about = tree.json(SCENE_FILE, SceneFile)
    names = _names(tree, "frame", len(about.robot))
    frames = StoredPictures(tree, names)
    camera = about.camera.camera() if about.camera else None
    expected = (camera.width_px, camera.height_px) if camera else frames.sizes[0]
    for name, size in zip(names, frames.sizes, strict=True):
        check_size(size, expected, place / name)
    try:
        return Scene(
            id=about.id,
            frames=frames,
            period=UNTOLD_PERIOD if about.period_s is msgspec.UNSET else about.period_s,
            robot=np.array([[each.x_m, each.y_m, each.heading_rad] for each in about.robot]),
            goal=about.goal_m,
            people=tuple(_person(each, expected, place) for each in about.people),
            camera=camera,
            composites=_composites(tree, len(about.robot)),
        )
    except BadValue as error:
        raise BadFile(f"{place / SCENE_FILE}: {error}; {REMEDY}") from error


def scene_text(scene: Scene) -> bytes:
    """The content of scene.json; equal scenes give equal bytes."""
    about = SceneFile(
        id=scene.id,
        goal_m=(float(scene.goal[0]), float(scene.goal[1])),
        camera=_camera_entry(scene.camera) if scene.camera else None,
        robot=[PoseEntry(x_m=x, y_m=y, heading_rad=turn) for x, y, turn in scene.robot.tolist()],
        people=[_entry(person) for person in scene.people],
        period_s=msgspec.UNSET if scene.period == UNTOLD_PERIOD else scene.period,
    )
    return msgspec.json.format(msgspec.json.encode(about), indent=1) + b"\n"


def _camera_entry(camera: Camera) -> CameraEntry:
    return CameraEntry(width_px=camera.width_px, height_px=camera.height_px, fx_px=camera.fx,
                       fy_px=camera.fy, cx_px=camera.cx, cy_px=camera.cy)  # fmt: skip


def _entry(person: NumberedPerson) -> PersonEntry:
    frames = [
        None if x != x else PlaceEntry(x_m=x, y_m=y, box_px=None if box[0] != box[0] else box)
        for (x, y), box in zip(
            person.positions.tolist(), map(tuple, person.boxes.tolist()), strict=True
        )
    ]
    return PersonEntry(number=person.number, frames=frames)


def _person(entry: PersonEntry, size: Size, place: Path) -> NumberedPerson:
    rows = np.full((len(entry.frames), 6), np.nan)
    for frame, seen in enumerate(entry.frames):
        if seen is not None:
            rows[frame, :2] = seen.x_m, seen.y_m
            if seen.box_px is not None:
                rows[frame, 2:] = seen.box_px
                where = f"{place / SCENE_FILE}: person {entry.number}, frame {frame}"
                check_box(rows[frame, 2:], size, where)
    return NumberedPerson(number=entry.number, positions=rows[:, :2], boxes=rows[:, 2:])


def _names(tree: Tree, stem: str, frames: int) -> list[str]:
    """The files of all pictures of a kind, in order."""
    return [_first(tree, stem, frame) or f"{stem}_{frame}.jpg" for frame in range(frames)]


def _composites(tree: Tree, frames: int) -> Sequence[bytes]:
    if not any(_first(tree, "composite", frame) for frame in range(frames)):
        return ()
    return StoredPictures(tree, _names(tree, "composite", frames))


def _first(tree: Tree, stem: str, frame: int) -> str | None:
    names = (f"{stem}_{frame}{suffix}" for suffix in (".jpg", ".png"))
    return next((name for name in names if tree.has(name)), None)


def _suffix(image: bytes) -> str:
    return ".png" if image.startswith(PNG) else ".jpg"
