"""Bodies put together from the library's templates, points and paint."""

from collections.abc import Mapping
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paseo.camera.balls import Balls, hull_of
from paseo.camera.meshes import (
    Body,
    ByteArray,
    Float32Array,
    Int32Array,
    Level,
    LevelsOnDemand,
    Material,
    Mesh,
    Skeleton,
    Surface,
)
from paseo.camera.people.fabrics import TILES, fabric_material, mixture
from paseo.camera.people.faces import FaceMap, painted_face
from paseo.camera.people.looks import Fabric, Look
from paseo.camera.people.noise import noise
from paseo.camera.people.packing import (
    LEVELS,
    Archive,
    Contents,
    Person,
    Template,
    points_of,
    weights_of,
)
from paseo.camera.people.strands import SILVER, eyeball, hair_shell, hair_strips, lashes

# What creases little.
CALM = {"skirt": 0.7, "bottom": 0.3, "shoes": 0.85, "backpack": 0.8, "shoulder": 0.7}
STRANDS = frozenset({"hair"})  # slots whose light comes from the head's roundness
FINEST = 32767  # of a normal's parts
Arrays = Mapping[str, NDArray[Any]]


def prepared(archive: Archive, person: Person, face: FaceMap) -> Arrays:
    """What takes time to make of a person: the arrays that `assembled` makes a body of.

    Points of all parts in a row (`steps`, `normals`, `uv`, `bones`, `shares`) and how many are of
    each part (`counts`), for each level its points and triangles; the paint of the face; balls
    around what each bone carries.
    """
    keys = list(_slots(archive.contents, person))
    parts = [_part(archive, person, piece.template) for piece in person.pieces]
    starts = np.cumsum([0, *(len(part["steps"]) for part in parts)])
    arrays: dict[str, NDArray[Any]] = {
        name: np.concatenate([part[name] for part in parts])
        for name in ("steps", "normals", "uv", "bones", "shares")
    }
    arrays["counts"] = np.diff(starts).astype(np.uint32)
    for level in range(LEVELS):
        triangles, materials = [], []
        for part, start, piece in zip(parts, starts, person.pieces, strict=False):
            names = archive.contents.slots[piece.template]
            places = [keys.index(_key(piece.template, name, piece.fabrics)) for name in names]
            triangles.append(part[f"triangles{level}"] + start)
            materials.append(np.array(places, np.uint8)[part[f"slots{level}"]])
        corners = np.concatenate(triangles)
        used = np.zeros(starts[-1], dtype=bool)
        used[corners.ravel()] = True
        arrays[f"used{level}"] = np.flatnonzero(used).astype(np.uint32)
        kind = np.min_scalar_type(int(starts[-1]))
        arrays[f"triangles{level}"] = (np.cumsum(used) - 1)[corners].astype(kind)
        arrays[f"materials{level}"] = np.concatenate(materials)
    hull = hull_of(points_of(arrays["steps"]), arrays["bones"], weights_of(arrays["shares"]))
    arrays |= {"hull_bones": hull.bones, "hull_middles": hull.middles, "hull_radii": hull.radii}
    texture, heights = painted_face(person.look, face)
    return arrays | {"face": texture, "heights": heights}


def assembled(contents: Contents, person: Person, arrays: Arrays) -> Body:
    """A person of the library as a body, from what was prepared."""
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
        levels=LevelsOnDemand(LEVELS, partial(_level, arrays, tuple(_tiles(contents, person)))),
        materials=_materials(contents, person, arrays["face"], arrays["heights"]),
        licence=contents.licence,
        hull=Balls(arrays["hull_bones"], arrays["hull_middles"], arrays["hull_radii"]),
    )


def _level(arrays: Arrays, tiles: tuple[float, ...], level: int) -> Level:
    """A level of detail, from what was prepared; tiles are those of each part's texture."""
    used = arrays[f"used{level}"]
    tile = np.repeat(np.array(tiles, np.float32), arrays["counts"])[used]
    mesh = Mesh(
        points=points_of(arrays["steps"][used]),
        triangles=arrays[f"triangles{level}"].astype(np.int32),
        uv=arrays["uv"][used].astype(np.float32) / tile[:, None],
        normals=arrays["normals"][used].astype(np.float32) / np.float32(FINEST),
        material=arrays[f"materials{level}"].astype(np.int16),
    )
    weights = weights_of(arrays["shares"][used])
    return Level(mesh=mesh, bone_indices=arrays["bones"][used], bone_weights=weights)


def _key(template: str, slot: str, fabrics: Mapping[str, Fabric]) -> str:
    """The name of a slot's material on its person; what is no cloth is shared by all parts."""
    return f"{template} {slot}" if slot in fabrics else slot


def _slots(contents: Contents, person: Person) -> dict[str, tuple[str, str, Fabric | None]]:
    """Template, slot and fabric of each material of a person, by its name."""
    return {
        _key(piece.template, slot, piece.fabrics): (piece.template, slot, piece.fabrics.get(slot))
        for piece in person.pieces
        for slot in contents.slots[piece.template]
    }


def _tiles(contents: Contents, person: Person) -> list[float]:
    """How many metres of uv each part's texture covers: that of its first slot."""
    first = [piece.fabrics.get(contents.slots[piece.template][0]) for piece in person.pieces]
    return [TILES[fabric.weave] if fabric else 1.0 for fabric in first]


def _materials(
    contents: Contents, person: Person, face: ByteArray, heights: ByteArray
) -> tuple[Material, ...]:
    """The materials of a person in the order of `_slots`."""
    found = []
    for key, (template, slot, fabric) in _slots(contents, person).items():
        if fabric:
            calm = CALM.get(template.split("-")[0], 0.0)
            found.append(fabric_material(key, fabric, calm=calm))
        elif slot == "face":
            found.append(_face(face, heights))
        else:
            found.append(_bare(slot, person.look))
    return tuple(found)


def _face(texture: ByteArray, heights: ByteArray) -> Material:
    return Material(
        name="face", surface=Surface.SKIN, texture=texture, bump=heights, bump_m=0.0012,
        tile_m=0.35, roughness=0.55,
    )  # fmt: skip


def _part(archive: Archive, person: Person, name: str) -> dict[str, NDArray[Any]]:
    """A part of a person: the points that are seen at any level, and the triangles of each."""
    template, hidden = archive.template(name), archive.hidden(person, name)
    steps = archive.steps(person, name)
    points = points_of(steps)
    normals = point_normals(points, template)
    if STRANDS.intersection(template.names):
        head = np.array(person.joints[archive.contents.bones.index("head")]) + [0.02, 0, 0.09]
        normals = _rounded(points, normals, head.astype(np.float32))
    shown = [~hidden[triangles].all(axis=1) for triangles in template.triangles]
    used = np.zeros(len(steps), dtype=bool)
    for triangles, some in zip(template.triangles, shown, strict=True):
        used[triangles[some].ravel()] = True
    fresh = np.cumsum(used) - 1
    part: dict[str, NDArray[Any]] = {
        "steps": steps[used],
        "normals": np.round(normals[used] * FINEST).astype(np.int16),
        "uv": template.uv[used],
        "bones": template.bones[used],
        "shares": template.shares[used],
    }
    for level, some in enumerate(shown):
        part[f"triangles{level}"] = fresh[template.triangles[level][some]]
        part[f"slots{level}"] = template.slots[level][some]
    return part


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


def _bare(slot: str, look: Look) -> Material:
    """The material of a slot that is neither cloth nor face."""
    seed = look.seed % 2
    match slot:
        case "skin":
            skin = (look.skin, look.skin)
            return Material(
                name=slot, surface=Surface.SKIN, texture=_mottles(), dyes=skin, roughness=0.6
            )
        case "eye":
            texture = eyeball(look.iris, seed)
            return Material(name=slot, surface=Surface.EYE, texture=texture, roughness=0.1)
        case "lash":
            return Material(name=slot, surface=Surface.HAIR, texture=lashes(), alpha_tested=True)
        case "shell":
            texture = hair_shell(look.grey, seed)
        case _:
            texture = hair_strips(look.grey, seed)
    return Material(
        name=slot, surface=Surface.HAIR, texture=texture, dyes=(look.hair, SILVER), roughness=0.8,
        alpha_tested=True,
    )  # fmt: skip


@cache
def _mottles() -> ByteArray:
    """Plain skin of the body, (128, 128, 4)."""
    tone = 1 + 0.025 * noise(4, 128, 1.2)
    return mixture(np.zeros_like(tone), tone)
