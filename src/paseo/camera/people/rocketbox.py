"""People of the Microsoft Rocketbox pack (MIT), read from the folder it was fetched into."""

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from paseo.camera.meshes import (
    Age,
    Body,
    ByteArray,
    Colour,
    Float32Array,
    Level,
    Material,
    Mesh,
    Sex,
    Skeleton,
    Surface,
)
from paseo.camera.people.fabrics import painted_fabric
from paseo.camera.people.fbx import Node, read_fbx
from paseo.camera.people.looks import Fabric, Weave
from paseo.errors import BadFile

Floats = NDArray[np.float64]
CENTIMETRE = 0.01
LICENCE = "MIT. Microsoft Rocketbox, Copyright (c) Microsoft Corporation."
FINGERS = ("thumb", "index", "middle", "ring", "pinky")
# Bones of the pack's rig by the names of ours; sides and fingers are added below.
MIDDLE = {"Pelvis": "pelvis", "Spine": "spine_01", "Spine1": "spine_02", "Spine2": "spine_03",
          "Neck": "neck_01", "Head": "head"}  # fmt: skip
LIMBS = {"Clavicle": "clavicle", "UpperArm": "upperarm", "Forearm": "lowerarm", "Hand": "hand",
         "Thigh": "thigh", "Calf": "calf", "Foot": "foot", "Toe0": "ball"}  # fmt: skip
MADE_UP: dict[str, tuple[Surface, Colour]] = {
    "head": (Surface.SKIN, (0.72, 0.54, 0.44)),
    "opacity": (Surface.HAIR, (0.20, 0.14, 0.10)),
    "body": (Surface.CLOTH, (0.32, 0.36, 0.44)),
}


@dataclass(frozen=True)
class Rocketbox:
    """The avatars under a folder that `paseo data fetch rocketbox` filled."""

    folder: Path
    bones: tuple[str, ...]  # of the skeleton that all people share
    parents: tuple[int, ...]

    @cached_property
    def files(self) -> tuple[Path, ...]:
        """The avatars' files, by name."""
        found = sorted((self.folder / "Assets" / "Avatars").glob("*/*/Export/*.fbx"))
        if not found:
            raise BadFile(f"{self.folder}: holds no Rocketbox avatars; fetch them or name another")
        return tuple(found)

    def __len__(self) -> int:
        return len(self.files)

    def body(self, place: int) -> Body:
        """The avatar in this place of the list."""
        return _body(self.files[place], self.bones, self.parents)

    def leg_length(self, place: int) -> float:
        """The leg of the avatar in this place."""
        return self.body(place).leg_length


def our_bone(name: str) -> str | None:
    """The bone of ours that a bone of the pack stands for; None if its parent must do."""
    rest = re.sub(r"^Bip\d+ ", "", name)
    if rest in MIDDLE:
        return MIDDLE[rest]
    side, _, limb = rest.partition(" ")
    if side not in ("L", "R"):
        return None
    if limb in LIMBS:
        return f"{LIMBS[limb]}_{side.lower()}"
    if limb.startswith("Finger"):
        digits = limb.removeprefix("Finger")
        joint = int(digits[1:] or 0) + 1
        return f"{FINGERS[int(digits[0])]}_0{joint}_{side.lower()}"
    return None


@lru_cache(maxsize=128)
def _body(file: Path, bones: tuple[str, ...], parents: tuple[int, ...]) -> Body:
    root = read_fbx(file)
    objects, links = root.first("Objects"), root.first("Connections")
    geometry = objects.first("Geometry") if objects else None
    if objects is None or links is None or geometry is None:
        raise BadFile(f"{file}: holds no mesh; fetch it again")
    pairs = [each.values[1:3] for each in links.all("C") if each.values[0] == "OO"]
    weights, joints = _rig(objects, pairs, bones, len(geometry.value("Vertices")) // 3)
    points = _turned(geometry.value("Vertices").reshape(-1, 3))
    low, middle = points[:, 2].min(), joints[bones.index("pelvis")]
    ankles = joints[[bones.index("foot_l"), bones.index("foot_r")]]
    origin = np.array([ankles[:, 0].mean(), middle[1], low])
    joints[bones.index("Root")] = [middle[0], middle[1], low]
    named = {each.values[0]: each.values[1] for each in objects.all("Material")}
    names = [named[each.values[1]] for each in links.all("C") if each.values[1] in named]
    skeleton = Skeleton(
        names=bones,
        parents=np.array(parents, dtype=np.int16),
        joints=(joints - origin).astype(np.float32),
    )
    hips = skeleton.joints[[bones.index("thigh_l"), bones.index("thigh_r")], 2]
    return Body(
        name=file.stem,
        sex=Sex.FEMALE if "Female" in file.stem else Sex.MALE,
        age=Age.CHILD if "Child" in file.stem else Age.ADULT,
        height=float(np.ptp(points[:, 2])),
        leg_length=float(hips.mean()),
        skeleton=skeleton,
        levels=(_level(geometry, (points - origin).astype(np.float32), weights),),
        materials=tuple(_material(name, file.parents[1] / "Textures") for name in names),
        licence=LICENCE,
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
    for cluster in objects.all("Deformer"):
        if cluster.values[2] != "Cluster" or cluster.values[0] not in owner:
            continue
        model = owner[cluster.values[0]]
        own = our_bone(models[model].values[1])
        while our_bone(models[model].values[1]) is None and model in above:
            model = above[model]
        bone = bones.index(our_bone(models[model].values[1]) or "pelvis")
        if cluster.first("Indexes"):
            weights[cluster.value("Indexes"), bone] += cluster.value("Weights")
        if own:
            inverse = np.linalg.inv(cluster.value("Transform").reshape(4, 4))
            joints[bone] = _turned(inverse[3:4, :3])[0]
    weights[weights.sum(axis=1) == 0, bones.index("pelvis")] = 1
    return weights, joints


def _level(geometry: Node, points: Float32Array, weights: Floats) -> Level:
    """The mesh, its points split where their uv or materials differ."""
    ends: NDArray[np.int32] = geometry.value("PolygonVertexIndex")
    corners, polygon = _fans(ends)
    rows = np.where(ends < 0, ~ends, ends)
    layer = geometry.first("LayerElementUV")
    paint = geometry.first("LayerElementMaterial")
    uv_rows = layer.value("UVIndex") if layer else np.zeros_like(rows)
    uv = layer.value("UV").reshape(-1, 2) if layer else np.zeros((1, 2))
    kinds = paint.value("Materials") if paint else np.zeros(1, dtype=np.int32)
    key = np.stack([rows, uv_rows], axis=1)[corners.ravel()]
    unique, place = np.unique(key, axis=0, return_inverse=True)
    triangles = place.reshape(-1, 3).astype(np.int32)
    best = np.argsort(-weights, axis=1, kind="stable")[:, :4]
    share = np.take_along_axis(weights, best, axis=1)
    share = share / share.sum(axis=1, keepdims=True)
    mesh = Mesh(
        points=points[unique[:, 0]],
        triangles=triangles,
        uv=uv[unique[:, 1]].astype(np.float32),
        normals=_normals(points, rows[corners])[unique[:, 0]],
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


def _normals(points: Float32Array, triangles: NDArray[np.int32]) -> Float32Array:
    sides = points[triangles]
    faces = np.cross(sides[:, 1] - sides[:, 0], sides[:, 2] - sides[:, 0])
    total = np.zeros_like(points)
    for corner in range(3):
        np.add.at(total, triangles[:, corner], faces)
    length = np.linalg.norm(total, axis=1, keepdims=True)
    total[length[:, 0] == 0] = (0, 0, 1)
    return (total / np.where(length == 0, 1, length)).astype(np.float32)


def _material(name: str, textures: Path) -> Material:
    """A material by its name, with its picture or, where that was not fetched, one made up."""
    part = next((each for each in MADE_UP if name.endswith(each)), "body")
    surface, colour = MADE_UP[part]
    file = textures / f"{name}_color.tga"
    if file.exists():
        picture: ByteArray = np.asarray(Image.open(file).convert("RGBA"))
    else:
        picture, _ = painted_fabric(Fabric(Weave.JERSEY, colour))
    return Material(
        name=name, surface=surface, texture=picture, alpha_tested=part == "opacity", roughness=0.7
    )
