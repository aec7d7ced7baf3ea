"""People of the Microsoft Rocketbox pack (MIT), read from the folder it was fetched into."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from paseo.camera.meshes import (
    Age,
    Body,
    Float32Array,
    Level,
    Material,
    Mesh,
    Sex,
    Skeleton,
    Take,
)
from paseo.camera.people.rocketbox.fbx import Node, read_fbx
from paseo.camera.people.rocketbox.hands import relaxed
from paseo.camera.people.rocketbox.takes import CENTIMETRE, our_bone, read_take
from paseo.camera.people.rocketbox.textures import textured
from paseo.errors import BadFile, BadValue

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
LICENCE = "MIT. Microsoft Rocketbox, Copyright (c) Microsoft Corporation."
AVATARS, CLIPS = "Assets/Avatars", "Assets/Animations"
KINDS = ("walk_slow", "walk_stroll", "walk_neutral", "walk_fast", "idle_breathe", "idle_neutral")
MOST_OF_A_KIND = 2  # clips read for each sex; each takes 0.06 s
MOST_POINTS = 200_000
TALLEST = 100.0  # metres
STEPS = 8  # of a normal's axes, by which points that share a place are told apart
T = TypeVar("T")
BROKEN = (ValueError, IndexError, TypeError, AttributeError, KeyError, BadValue)


@dataclass(frozen=True)
class Rocketbox:
    """The avatars under a folder that `paseo data fetch rocketbox` filled."""

    folder: Path
    bones: tuple[str, ...]  # of the skeleton that all people share
    parents: tuple[int, ...]

    @cached_property
    def files(self) -> tuple[Path, ...]:
        """The avatars' files, by name."""
        found = sorted((self.folder / AVATARS).glob("*/*/Export/*.fbx"))
        kept = [each for each in found if not each.stem.endswith("_facial")]  # the same, to talk
        if not kept:
            raise BadFile(
                f"{self.folder}: holds no Rocketbox avatars; `paseo data fetch rocketbox` gets them"
            )
        return tuple(kept)

    def __len__(self) -> int:
        return len(self.files)

    def body(self, place: int) -> Body:
        """The avatar in this place of the list, with the clips of its sex."""
        return _body(self.files[place], self.folder, self.bones, self.parents)

    def leg_length(self, place: int) -> float:
        """The leg of the avatar in this place."""
        return _leg_length(self.files[place], self.bones)

    def is_kept(self, place: int) -> bool:
        """Never: avatars are read from the pack in every run."""
        return False


def clip_files(names: list[str], sex: Sex) -> list[str]:
    """Those of the clips' names that drive somebody: some of each kind of walk and of standing."""
    letter = "f" if sex is Sex.FEMALE else "m"
    found = []
    for kind in KINDS:
        own = sorted(each for each in names if re.match(rf"{letter}_{kind}(_\d+)?\.", each))
        found += own[:MOST_OF_A_KIND]
    return found


@lru_cache(maxsize=8)
def takes_of(folder: Path, sex: Sex) -> tuple[Take, ...]:
    """The motions of women or men that the folder holds; none without clips."""
    files = {each.name: each for each in (folder / CLIPS).glob("*/*.fbx")}
    return tuple(read_take(files[name]) for name in clip_files(list(files), sex))


@dataclass(frozen=True, slots=True, eq=False)
class _Skin:
    """What hangs on which bones, standing on the ground between the feet, fingers curled."""

    objects: Node
    links: Node
    geometry: Node
    points: Floats  # (points, 3)
    weights: Floats  # (points, bones)
    turns: Floats  # (points, 3, 3): how points were turned from what the file has
    joints: Float32Array  # (bones, 3)
    leg: float


@lru_cache(maxsize=1024)
def _leg_length(file: Path, bones: tuple[str, ...]) -> float:
    """Of an avatar that need not be painted for it."""
    return _followed(file, lambda root: _skin(root, bones).leg)


@lru_cache(maxsize=128)
def _body(file: Path, folder: Path, bones: tuple[str, ...], parents: tuple[int, ...]) -> Body:
    sex = Sex.FEMALE if "Female" in file.stem else Sex.MALE
    takes = takes_of(folder, sex)

    def assembled(root: Node) -> Body:
        skin = _skin(root, bones)
        materials = _materials(skin.objects, skin.links, file.parents[1] / "Textures")
        rest = np.array(parents, dtype=np.int16)
        return Body(
            name=file.stem,
            sex=sex,
            age=Age.CHILD if "Child" in file.stem else Age.ADULT,
            height=float(np.ptp(skin.points[:, 2])),
            leg_length=skin.leg,
            skeleton=Skeleton(names=bones, parents=rest, joints=skin.joints),
            levels=(_level(skin, len(materials)),),
            materials=materials,
            licence=LICENCE,
            takes=takes,
        )

    return _followed(file, assembled)


def _followed(file: Path, made: Callable[[Node], T]) -> T:
    """What is made of a file; whatever in it does not fit is one sentence."""
    root = read_fbx(file)
    try:
        return made(root)
    except BROKEN as error:
        raise BadFile(f"{file}: its mesh cannot be followed; fetch it again") from error


def _skin(root: Node, bones: tuple[str, ...]) -> _Skin:
    objects, links = root.first("Objects"), root.first("Connections")
    geometry = objects.first("Geometry") if objects else None
    if objects is None or links is None or geometry is None:
        raise ValueError("no mesh")
    points = _turned(geometry.value("Vertices").reshape(-1, 3))
    if not 3 <= len(points) <= MOST_POINTS or not np.abs(points).max() < TALLEST:
        raise ValueError("no body has so many points, or such")
    pairs = [each.values[1:3] for each in links.all("C") if each.values[0] == "OO"]
    weights, joints = _rig(objects, pairs, bones, len(points))
    points, joints, turns = relaxed(points, weights, joints, bones)
    low, middle = points[:, 2].min(), joints[bones.index("pelvis")]
    ankles = joints[[bones.index("foot_l"), bones.index("foot_r")]]
    origin = np.array([ankles[:, 0].mean(), middle[1], low])
    joints[bones.index("Root")] = [middle[0], middle[1], low]
    placed = (joints - origin).astype(np.float32)
    leg = float(placed[[bones.index("thigh_l"), bones.index("thigh_r")], 2].mean())
    if not 0.2 < leg < 2.0:
        raise ValueError("legs of no person")
    return _Skin(objects, links, geometry, points - origin, weights, turns, placed, leg)


def _materials(objects: Node, links: Node, folder: Path) -> tuple[Material, ...]:
    """In the order of the mesh, each with the picture that the file names for its colour."""
    named = {each.values[0]: str(each.values[1]) for each in objects.all("Material")}
    pictures = {
        each.values[0]: re.split(r"[/\\\\]", str(each.value("RelativeFilename")))[-1]
        for each in objects.all("Texture")
    }
    shown = {
        each.values[2]: pictures[each.values[1]].rpartition(".")[0]
        for each in links.all("C")
        if each.values[1] in pictures and "DiffuseColor" in each.values[3:]
    }
    order = [each.values[1] for each in links.all("C") if each.values[1] in named]
    return tuple(
        textured(named[key], (shown[key],) if key in shown else (), folder) for key in order
    )


def _turned(points: Floats) -> Floats:
    """From the pack's axes, centimetres and facing -y, to ours."""
    return points[:, [1, 0, 2]] * [-CENTIMETRE, CENTIMETRE, CENTIMETRE]


def _rig(
    objects: Node, pairs: list[tuple[int, int]], bones: tuple[str, ...], count: int
) -> tuple[Floats, Floats]:
    """How much each bone carries each point, (points, bones), and where bones begin, (bones, 3)."""
    models = {each.values[0]: each for each in objects.all("Model")}
    above = {child: parent for child, parent in pairs if child in models and parent in models}
    owner = {parent: child for child, parent in pairs if child in models and parent not in models}
    weights, joints = np.zeros((count, len(bones))), np.zeros((len(bones), 3))
    found = set[str]()
    for cluster in objects.all("Deformer"):
        if cluster.values[2] != "Cluster" or cluster.values[0] not in owner:
            continue
        model = owner[cluster.values[0]]
        own, carrier = our_bone(str(models[model].values[1])), _carrier(model, models, above)
        bone = bones.index(carrier)
        if cluster.first("Indexes"):
            rows = _checked_rows(cluster.value("Indexes"), count)
            weights[rows, bone] += cluster.value("Weights")
        if own:
            inverse = np.linalg.inv(cluster.value("Transform").reshape(4, 4))
            joints[bone] = _turned(inverse[3:4, :3])[0]
            found.add(own)
    if missing := found.symmetric_difference(bones) - {"Root"}:
        raise ValueError(f"no bone {min(missing)}")
    if not np.isfinite(weights).all() or (weights < 0).any() or not np.isfinite(joints).all():
        raise ValueError("weights or joints that are none")
    weights[weights.sum(axis=1) == 0, bones.index("pelvis")] = 1
    return weights, joints


def _carrier(model: int, models: dict[int, Node], above: dict[int, int]) -> str:
    """The bone of ours that carries what hangs on a model: its own, or that of one above."""
    seen = set[int]()
    while model not in seen:
        seen.add(model)
        if bone := our_bone(str(models[model].values[1])):
            return bone
        model = above.get(model, model)
    return "pelvis"


def _checked_rows(rows: NDArray[np.int32], count: int) -> NDArray[np.int32]:
    if len(rows) and not 0 <= rows.min() <= rows.max() < count:
        raise ValueError("rows outside what they count")
    return rows


def _level(skin: _Skin, materials: int) -> Level:
    """The mesh, its points split where their uv or normals differ."""
    geometry, points, weights = skin.geometry, skin.points.astype(np.float32), skin.weights
    ends: NDArray[np.int32] = geometry.value("PolygonVertexIndex")
    if len(ends) > 8 * MOST_POINTS:
        raise ValueError("no body has so many corners")
    corners, polygon = _fans(ends)
    rows = _checked_rows(np.where(ends < 0, ~ends, ends), len(points))
    layer = geometry.first("LayerElementUV")
    paint = geometry.first("LayerElementMaterial")
    uv = layer.value("UV").reshape(-1, 2) if layer else np.zeros((1, 2))
    uv_rows = _checked_rows(layer.value("UVIndex") if layer else np.zeros_like(rows), len(uv))
    kinds = paint.value("Materials") if paint else np.zeros(1, dtype=np.int32)
    kinds = _checked_rows(kinds, materials)
    own = _corner_normals(geometry, rows, skin.turns)
    normals = _normals(points, rows[corners])[rows] if own is None else own.astype(np.float32)
    coarse = np.round(normals * STEPS).astype(np.int32)
    key = np.column_stack([rows, uv_rows, coarse])[corners.ravel()]
    unique, first, place = np.unique(key, axis=0, return_index=True, return_inverse=True)
    triangles = place.reshape(-1, 3).astype(np.int32)
    best = np.argsort(-weights, axis=1, kind="stable")[:, :4]
    share = np.take_along_axis(weights, best, axis=1)
    share = share / share.sum(axis=1, keepdims=True)
    mesh = Mesh(
        points=points[unique[:, 0]],
        triangles=triangles,
        uv=uv[unique[:, 1]].astype(np.float32),
        normals=normals[corners.ravel()[first]],
        material=(kinds[polygon] if len(kinds) > 1 else np.repeat(kinds, len(polygon))).astype(
            np.int16
        ),
    )
    return Level(
        mesh=mesh,
        bone_indices=best[unique[:, 0]].astype(np.uint8),
        bone_weights=share[unique[:, 0]].astype(np.float32),
    )


def _fans(ends: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Polygons as triangles: places of their corners, (triangles, 3), and whose they are."""
    last = np.nonzero(ends < 0)[0]
    first = np.concatenate([[0], last[:-1] + 1])
    sizes = last - first - 1  # triangles of each
    polygon = np.repeat(np.arange(len(last)), sizes)
    within = np.arange(len(polygon)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    begin = first[polygon]
    return np.stack([begin, begin + within + 1, begin + within + 2], axis=1), polygon


def _corner_normals(geometry: Node, rows: NDArray[np.int32], turns: Floats) -> Floats | None:
    """The file's own normals, (corners, 3), which keep hems and collars sharp; None without."""
    layer = geometry.first("LayerElementNormal")
    if layer is None or layer.value("MappingInformationType") != "ByPolygonVertex":
        return None
    found = layer.value("Normals")
    if layer.value("ReferenceInformationType") != "Direct" or len(found) != 3 * len(rows):
        return None
    turned = np.einsum("cij,cj->ci", turns[rows], _turned(found.reshape(-1, 3)))
    length = np.linalg.norm(turned, axis=1, keepdims=True)
    return turned / length if (length > 0).all() and np.isfinite(length).all() else None


def _normals(points: Float32Array, triangles: NDArray[np.int32]) -> Float32Array:
    sides = points[triangles]
    faces = np.cross(sides[:, 1] - sides[:, 0], sides[:, 2] - sides[:, 0])
    total = np.zeros_like(points)
    for corner in range(3):
        np.add.at(total, triangles[:, corner], faces)
    length = np.linalg.norm(total, axis=1, keepdims=True)
    total[length[:, 0] == 0] = (0, 0, 1)
    return (total / np.where(length == 0, 1, length)).astype(np.float32)
