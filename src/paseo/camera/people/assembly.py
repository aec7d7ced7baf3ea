"""Bodies put together from the library's templates, points and paint."""

from functools import cache

import numpy as np

from paseo.camera.meshes import (
    Body,
    ByteArray,
    Float32Array,
    Int32Array,
    Level,
    Material,
    Mesh,
    Skeleton,
    Surface,
)
from paseo.camera.people.fabrics import TILES, fabric_material
from paseo.camera.people.faces import FaceMap, painted_face
from paseo.camera.people.looks import Look
from paseo.camera.people.noise import noise
from paseo.camera.people.packing import LEVELS, Archive, Person, Piece, Template
from paseo.camera.people.strands import eyeball, hair_shell, hair_strips, lashes

CALM = {"skirt": 0.7, "shoes": 0.85, "backpack": 0.8, "shoulder": 0.7}  # what creases little
STRANDS = frozenset({"hair"})  # slots whose light comes from the head's roundness


def assembled(archive: Archive, person: Person, face: FaceMap) -> Body:
    """A person of the library as a body, painted."""
    materials: dict[str, Material] = {}
    pieces = [_Placed(archive, person, piece, materials, face) for piece in person.pieces]
    contents = archive.contents
    skeleton = Skeleton(
        names=contents.bones,
        parents=np.array(contents.parents, dtype=np.int16),
        joints=np.array(person.joints, dtype=np.float32),
    )
    return Body(
        name=person.name,
        sex=person.sex,
        age=person.age,
        height=person.height,
        leg_length=person.leg_length,
        skeleton=skeleton,
        levels=tuple(_level([piece.level(k) for piece in pieces]) for k in range(LEVELS)),
        materials=tuple(materials.values()),
        licence=contents.licence,
    )


class _Placed:
    """A piece on its person: points, normals, and materials counted among the person's."""

    def __init__(
        self,
        archive: Archive,
        person: Person,
        piece: Piece,
        materials: dict[str, Material],
        face: FaceMap,
    ) -> None:
        self._template = template = archive.template(piece.template)
        self._points = archive.points(person, piece.template)
        self._hidden = archive.hidden(person, piece.template)
        self._normals = point_normals(self._points, template)
        if STRANDS.intersection(template.names):
            head = np.array(person.joints[archive.contents.bones.index("head")]) + [0.02, 0, 0.09]
            self._normals = _rounded(self._points, self._normals, head.astype(np.float32))
        names = []
        tiles = []
        for slot in template.names:
            fabric = piece.fabrics.get(slot)
            key = slot if fabric is None else f"{piece.template} {slot}"
            if key not in materials:
                calm = CALM.get(piece.template.split("-")[0], 0.0)
                materials[key] = (
                    fabric_material(key, fabric, calm=calm)
                    if fabric
                    else _bare(slot, person.look, face)
                )
            names.append(list(materials).index(key))
            tiles.append(TILES[fabric.weave] if fabric else 1.0)
        self._places = np.array(names, dtype=np.int16)
        self._uv = template.uv / np.float32(tiles[0])

    def level(self, number: int) -> Level:
        triangles = self._template.triangles[number]
        shown = ~self._hidden[triangles].all(axis=1)
        seen = np.zeros(len(self._points), dtype=bool)
        seen[triangles[shown].ravel()] = True
        used = np.nonzero(seen)[0]
        corners = (np.cumsum(seen) - 1)[triangles[shown]]
        mesh = Mesh(
            points=self._points[used],
            triangles=corners.astype(np.int32),
            uv=self._uv[used],
            normals=self._normals[used],
            material=self._places[self._template.slots[number][shown]],
        )
        return Level(
            mesh=mesh,
            bone_indices=self._template.bones[used],
            bone_weights=self._template.weights[used],
        )


def _level(levels: list[Level]) -> Level:
    """Levels of the parts as one."""
    starts = np.cumsum([0, *(len(each.mesh.points) for each in levels)])[:-1]
    meshes = [each.mesh for each in levels]
    triangles = [each.triangles + start for each, start in zip(meshes, starts, strict=True)]
    mesh = Mesh(
        points=np.concatenate([each.points for each in meshes]),
        triangles=np.concatenate(triangles).astype(np.int32),
        uv=np.concatenate([each.uv for each in meshes]),
        normals=np.concatenate([each.normals for each in meshes]),
        material=np.concatenate([each.material for each in meshes]),
    )
    return Level(
        mesh=mesh,
        bone_indices=np.concatenate([each.bone_indices for each in levels]),
        bone_weights=np.concatenate([each.bone_weights for each in levels]),
    )


def point_normals(points: Float32Array, template: Template) -> Float32Array:
    """Unit normals of the finest level, the same for points at the same place."""
    corners: Int32Array = template.triangles[0]
    sides = points[corners]
    faces = np.cross(sides[:, 1] - sides[:, 0], sides[:, 2] - sides[:, 0])
    around = template.weld[corners].T.ravel()
    total = np.stack(
        [
            np.bincount(around, np.tile(faces[:, axis], 3), minlength=len(points))
            for axis in range(3)
        ],
        axis=1,
    )[template.weld]
    length = np.linalg.norm(total, axis=1, keepdims=True)
    flat = length[:, 0] == 0
    total[flat] = (0, 0, 1)
    return (total / np.where(length == 0, 1, length)).astype(np.float32)


def _rounded(points: Float32Array, normals: Float32Array, middle: Float32Array) -> Float32Array:
    """Normals of strands: mostly away from the middle of the head, so that hair shades softly."""
    out = points - middle
    out /= np.linalg.norm(out, axis=1, keepdims=True)
    facing = np.sign((normals * out).sum(axis=1, keepdims=True))
    mixed = 0.7 * out + 0.3 * normals * np.where(facing == 0, 1, facing)
    unit: Float32Array = mixed / np.linalg.norm(mixed, axis=1, keepdims=True)
    return unit


def _bare(slot: str, look: Look, face: FaceMap) -> Material:
    """The material of a slot that is no cloth."""
    match slot:
        case "face":
            texture, bump = painted_face(look, face)
            return Material(
                name=slot, surface=Surface.SKIN, texture=texture, bump=bump, bump_m=0.0012,
                tile_m=0.35, roughness=0.55,
            )  # fmt: skip
        case "skin":
            return Material(name=slot, surface=Surface.SKIN, texture=_skin(look), roughness=0.6)
        case "eye":
            texture = eyeball(look.iris, look.seed % 2)
            return Material(name=slot, surface=Surface.EYE, texture=texture, roughness=0.1)
        case "lash":
            return Material(name=slot, surface=Surface.HAIR, texture=lashes(), alpha_tested=True)
        case "shell":
            texture = hair_shell(look.hair, look.grey, look.seed % 2)
        case _:
            texture = hair_strips(look.hair, look.grey, look.seed % 2)
    return Material(
        name=slot, surface=Surface.HAIR, texture=texture, roughness=0.8, alpha_tested=True
    )


@cache
def _mottles() -> Float32Array:
    return 1 + 0.025 * noise(4, 128, 1.2)


def _skin(look: Look) -> ByteArray:
    """Plain skin of the body, (128, 128, 4)."""
    texture = np.full((128, 128, 4), 255, dtype=np.uint8)
    tone = _mottles()[..., None] * np.array(look.skin, dtype=np.float32)
    texture[..., :3] = np.clip(tone * 255, 0, 255)
    return texture
