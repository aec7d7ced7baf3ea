"""Scenes of the SocialNav-SUB data set, read from its directories as they are downloaded."""

import math
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from paseo.data.scenes.images import check_size
from paseo.data.scenes.odometry import LARGEST_PICKLE, robot_poses
from paseo.data.scenes.pedestrians import TracksFile, numbered_people
from paseo.data.scenes.robot_frame import MOST_METRES
from paseo.data.scenes.scene_file import PixelLength, Pixels
from paseo.data.scenes.stored_pictures import StoredPictures
from paseo.data.scenes.tree import Tree
from paseo.data.textfile import quoted
from paseo.errors import BadFile, InputError, MissingData
from paseo.text import in_a_line
from paseo.world.arrays import FloatArray
from paseo.world.scenes import SCENE_ID, Camera, ClipTiming, NumberedPerson, Scene

REMEDY = "get it with `paseo data fetch socialnav-sub`"
# The evaluator of the original reads the first; a copy may hold only one of the others.
LISTS = ("prompts/sample_info.json", "sample_info.json", "human_labels/sample_info.json")
MILLIMETRES = 1000.0
TIMING = ClipTiming(frames=10, period=0.25)  # of every scene


class Sample(msgspec.Struct, frozen=True):
    """A scene in the list of scenes."""

    folderpath: str
    n_people: int | None = None


class ListFile(msgspec.Struct, frozen=True):
    """The file sample_info.json; its order is that of an exam."""

    samples: list[Sample]


class CameraMatrix(msgspec.Struct, frozen=True):
    """A pinhole camera, in pixels."""

    fx: PixelLength
    fy: PixelLength
    cx: PixelLength
    cy: PixelLength


class SettingsFile(msgspec.Struct, frozen=True):
    """The file dataset_cfg.yaml."""

    camera_matrix: CameraMatrix
    native_resolution_x: Pixels
    native_resolution_y: Pixels


def listed_samples(folder: Path) -> list[Sample] | None:
    """The scenes of a data set in the order of its list, None if the folder has no such list."""
    tree = Tree(folder, REMEDY)
    name = next((each for each in LISTS if tree.has(each)), None)
    if name is None:
        return None
    listed = tree.json(name, ListFile).samples
    # A name goes into many sentences: what could command a terminal is spelled out here, once.
    return [msgspec.structs.replace(each, folderpath=in_a_line(each.folderpath)) for each in listed]


def read_sample(folder: Path, samples: list[Sample], id: str) -> Scene:
    """One scene of the list, or `BadFile` or `MissingData` with all that is wrong with it."""
    listed = [each for each in samples if each.folderpath == id]
    sequence, _, start = id.rpartition("_")
    if not SCENE_ID.fullmatch(id) or not re.fullmatch(r"[0-9]{1,9}", start):
        raise BadFile(
            f"{folder}: the list of scenes names {quoted(id)}, expected letters, digits and '_' "
            "that end in the number of a frame, such as 33_Spot_45_228; correct the list"
        )
    if len(listed) > 1:
        raise BadFile(f"{folder}: the list names scene {id} {len(listed)} times; correct the list")
    tree, camera = Tree(folder, REMEDY), _camera(Tree(folder, REMEDY))
    clip = range(int(start), int(start) + TIMING.frames)
    parts: dict[str, Callable[[], Any]] = {
        "frames": lambda: _frames(tree, id, clip, camera),
        "robot": lambda: _robot(tree, id, clip),
        "goal": lambda: _goal(tree, f"{sequence}/{start}.jpg"),
        "people": lambda: _people(tree, listed[0], clip.start, camera),
        "composites": lambda: _composites(tree, id),
    }
    read, defects = {}, []
    for name, part in parts.items():
        try:
            read[name] = part()
        except InputError as error:
            defects.append(error)
    if defects:
        missing = all(isinstance(each, MissingData) for each in defects)
        raise (MissingData if missing else BadFile)("; ".join(map(str, defects)))
    return Scene(id=id, camera=camera, period=TIMING.period, **read)


def _camera(tree: Tree) -> Camera:
    settings = tree.yaml("dataset_cfg.yaml", SettingsFile)
    matrix = settings.camera_matrix
    return Camera(
        width_px=settings.native_resolution_x,
        height_px=settings.native_resolution_y,
        fx=matrix.fx,
        fy=matrix.fy,
        cx=matrix.cx,
        cy=matrix.cy,
    )


def _frames(tree: Tree, id: str, clip: range, camera: Camera) -> StoredPictures:
    names = [f"front_view/{id}/{frame}.jpg" for frame in clip]
    frames = StoredPictures(tree, names)
    for name, size in zip(names, frames.sizes, strict=True):
        check_size(size, (camera.width_px, camera.height_px), tree.folder / name)
    return frames


def _robot(tree: Tree, id: str, clip: range) -> FloatArray:
    name = f"front_view/{id}/traj_data.pkl"
    return robot_poses(tree.content(name, largest=LARGEST_PICKLE), clip, tree.folder / name)


def _goal(tree: Tree, key: str) -> tuple[float, float]:
    """The goal of the scene with this first frame; the file has it in millimetres, as text."""
    goals = tree.json("goal_info.json", dict[str, Any])
    where = tree.folder / "goal_info.json"
    if key not in goals:
        raise BadFile(f"{where}: has no goal for '{key}'; fetch the file again")
    entry = goals[key]
    given = entry[1] if isinstance(entry, list) and len(entry) == 2 else None
    words = given.strip("[]() \t").split(",") if isinstance(given, str) else given
    try:
        x, y = (float(word) / MILLIMETRES for word in words)  # type: ignore[union-attr]
    except (TypeError, ValueError, OverflowError):
        x = y = math.nan
    if not (abs(x) <= MOST_METRES and abs(y) <= MOST_METRES):  # not so for NaN either
        raise BadFile(
            f"{where}: the goal of '{key}' is {quoted(str(entry))}, expected a picture's path and "
            "'[x, y]' in millimetres; correct it"
        )
    return x, y


def _people(tree: Tree, sample: Sample, first: int, camera: Camera) -> tuple[NumberedPerson, ...]:
    id = sample.folderpath
    name = f"prompts/{id}/{id}_localized_obj_coords.json"
    people = numbered_people(
        tree.json(name, TracksFile),
        _shipped_numbers(tree, f"front_view/{id}/{first}_tracking_id_to_obj_label.json"),
        frames=TIMING.frames,
        size=(camera.width_px, camera.height_px),
        where=tree.folder / name,
    )
    if sample.n_people is not None and sample.n_people != len(people):
        raise BadFile(
            f"{tree.folder / name}: {len(people)} people count for scene {id}, but the list of "
            f"scenes says {sample.n_people}, so their numbers may not be those that people were "
            "asked about; fetch the data set again"
        )
    return people


def _shipped_numbers(tree: Tree, name: str) -> dict[str, int] | None:
    """Track id to number as the data set's authors drew them, if the file is there."""
    if not tree.has(name):
        return None
    numbers = tree.json(name, dict[str, int])
    if sorted(numbers.values()) != list(range(1, len(numbers) + 1)):
        raise BadFile(
            f"{tree.folder / name}: its numbers are not 1 to {len(numbers)}, each once; fetch it "
            "again, or remove it to have people numbered from left to right"
        )
    return numbers


def _composites(tree: Tree, id: str) -> Sequence[bytes]:
    names = [f"prompts/{id}/sample_with_bev_{frame}.png" for frame in range(TIMING.frames)]
    if not any(tree.has(name) for name in names):
        return ()
    return StoredPictures(tree, names)
